import { validateMessage } from '../validator/validate.js';
import { eraseMessage, findMessage, recordPost, repliesTo, reviseMessage } from '../workspace/messages.js';
import type { Channel, Message, SlackObject, StoredFile } from '../workspace/records.js';
import type { Workspace } from '../workspace/workspace.js';
import { findChannelForBot, findWritableChannel } from './conversations.js';
import {
  type Api,
  ApiError,
  invalidPayloadError,
  isJsonObject,
  type Methods,
  missingArgumentError,
  optionalJson,
  optionalList,
  optionalText,
  requiredText,
} from './method.js';

export const chatMethods: Methods = {
  'chat.postMessage': {
    token: 'bot',
    tier: 'post',
    scopes: ['chat:write'],
    run(args, api) {
      const channel = findWritableChannel(api, requiredChannel(args));
      const content = readContent(args);
      const threadTs = findThread(api, channel, args);
      const metadata = optionalJson(args, 'metadata', 'invalid_metadata_format');
      if (metadata !== undefined && !isJsonObject(metadata)) throw new ApiError('invalid_metadata_format');
      const message = recordPost(api.workspace, 'chat.postMessage', {
        channel: channel.id,
        user: api.workspace.seed.bot.user,
        ...content,
        threadTs,
        metadata,
      });
      return {
        channel: channel.id,
        ts: message.ts,
        message: describeMessage(api.workspace, message, api.origin()),
        ...(content.warning && {
          warning: content.warning,
          response_metadata: { warnings: [content.warning] },
        }),
      };
    },
  },

  'chat.postEphemeral': {
    token: 'bot',
    tier: 4,
    scopes: ['chat:write'],
    run(args, api) {
      const channel = findWritableChannel(api, requiredChannel(args));
      const user = requiredText(args, 'user');
      if (!channel.members.has(user)) throw new ApiError('user_not_in_channel');
      const content = readContent(args);
      const threadTs = findThread(api, channel, args);
      const message = recordPost(api.workspace, 'chat.postEphemeral', {
        channel: channel.id,
        user: api.workspace.seed.bot.user,
        visibleTo: user,
        ...content,
        threadTs,
      });
      return { message_ts: message.ts };
    },
  },

  'chat.update': {
    token: 'bot',
    tier: 3,
    scopes: ['chat:write'],
    run(args, api) {
      const { channel, message } = findOwnMessage(api, args, 'cant_update_message');
      if (channel.archived) throw new ApiError('is_archived');
      const blocks = optionalList(args, 'blocks', 'invalid_blocks_format');
      const { text, attachments } = readContent(args);
      reviseMessage(api.workspace, message, api.workspace.seed.bot.user, {
        text: args.text === undefined ? undefined : text,
        blocks,
        attachments: args.attachments === undefined ? undefined : attachments,
      });
      return {
        channel: channel.id,
        ts: message.ts,
        text: message.text,
        message: describeMessage(api.workspace, message, api.origin()),
      };
    },
  },

  'chat.delete': {
    token: 'bot',
    tier: 3,
    scopes: ['chat:write'],
    run(args, api) {
      const { channel, message } = findOwnMessage(api, args, 'cant_delete_message');
      eraseMessage(api.workspace, message);
      return { channel: channel.id, ts: message.ts };
    },
  },

  'chat.getPermalink': {
    token: 'bot',
    tier: 'special',
    run(args, api) {
      const channel = findChannelForBot(api, requiredChannel(args));
      const ts = requiredText(args, 'message_ts');
      const message = findMessage(api.workspace, channel.id, ts);
      if (!message || message.visibleTo) throw new ApiError('message_not_found');
      const inThread = message.threadTs ? `?thread_ts=${message.threadTs}&cid=${channel.id}` : '';
      return {
        channel: channel.id,
        permalink: `${api.origin()}/archives/${channel.id}/p${ts.replace('.', '')}${inThread}`,
      };
    },
  },
};

function requiredChannel(args: SlackObject): string {
  const channel = optionalText(args, 'channel');
  if (channel === undefined) throw missingArgumentError('channel');
  return channel;
}

/** The thread to post in. A reply stands for its parent. */
function findThread(api: Api, channel: Channel, args: SlackObject): string | undefined {
  const ts = optionalText(args, 'thread_ts');
  if (ts === undefined) return undefined;
  if (!/^\d+\.\d{6}$/.test(ts)) throw new ApiError('invalid_thread_ts');
  const parent = findMessage(api.workspace, channel.id, ts);
  if (!parent) throw new ApiError('thread_not_found');
  return parent.threadTs ?? ts;
}

function findOwnMessage(api: Api, args: SlackObject, notOwn: string): { channel: Channel; message: Message } {
  const channel = findChannelForBot(api, requiredChannel(args));
  const message = findMessage(api.workspace, channel.id, requiredText(args, 'ts'));
  // Ephemeral messages cannot be edited or deleted by `ts`.
  if (!message || message.visibleTo) throw new ApiError('message_not_found');
  if (message.user !== api.workspace.seed.bot.user || message.notice) throw new ApiError(notOwn);
  return { channel, message };
}

/** The content of a message. */
export interface Content {
  readonly text: string;
  readonly blocks: readonly SlackObject[];
  readonly attachments: readonly SlackObject[];
  readonly warning?: string;
}

const maxTextLength = 40_000;

/** Reads and validates the content of a message for `chat.*` and `response_url`. */
export function readContent(args: SlackObject): Content {
  const blocks = optionalList(args, 'blocks', 'invalid_blocks_format');
  const attachments = optionalList(args, 'attachments', 'invalid_attachments') ?? [];
  const markdown = optionalText(args, 'markdown_text');
  const text = optionalText(args, 'text');
  if (markdown !== undefined && (text !== undefined || blocks !== undefined))
    throw new ApiError('markdown_text_conflict');
  if (markdown !== undefined && markdown.length > 12_000) throw new ApiError('msg_too_long');
  const messageText = text ?? markdown ?? '';
  if (messageText.trim() === '' && (blocks ?? []).length === 0 && attachments.length === 0)
    throw new ApiError('no_text');
  throwIfInvalid(blocks, attachments);
  return {
    text: messageText.slice(0, maxTextLength),
    blocks: blocks ?? [],
    attachments,
    warning: messageText.length > maxTextLength ? 'message_truncated' : undefined,
  };
}

function throwIfInvalid(blocks: readonly SlackObject[] | undefined, attachments: readonly SlackObject[]) {
  const rules = validateMessage({ blocks: blocks ?? [], attachments });
  const [first] = rules;
  if (!first) return;
  if (rules.every((rule) => rule.code === 'msg_blocks_too_long'))
    throw invalidPayloadError('msg_blocks_too_long', rules);
  if (rules.some((rule) => rule.code === 'too_many_attachments'))
    throw invalidPayloadError('too_many_attachments', rules);
  // Slack reports a second table as an invalid attachment.
  if (rules.some((rule) => rule.code === 'only_one_table_allowed'))
    throw new ApiError(
      'invalid_attachments',
      { response_metadata: { messages: ['[ERROR] only_one_table_allowed'] } },
      rules,
    );
  throw invalidPayloadError('invalid_blocks', rules);
}

/** A message in the format of Slack's answers and payloads. */
export function describeMessage(workspace: Workspace, message: Message, origin: string): SlackObject {
  const { bot, team } = workspace.seed;
  const byBot = message.user === bot.user;
  const replies = message.threadTs ? [] : repliesTo(workspace, message);
  const files = message.files.flatMap((id) => {
    const file = workspace.files.get(id);
    return file ? [describeFile(workspace, file, origin)] : [];
  });
  return {
    type: 'message',
    subtype: message.notice,
    user: message.user,
    ts: message.ts,
    ...(byBot && {
      bot_id: bot.botId,
      app_id: bot.appId,
      bot_profile: {
        id: bot.botId,
        app_id: bot.appId,
        name: bot.name,
        team_id: team.id,
        deleted: false,
        updated: 0,
      },
    }),
    text: message.text,
    team: team.id,
    blocks: message.blocks.length > 0 ? message.blocks : undefined,
    attachments: message.attachments.length > 0 ? message.attachments : undefined,
    metadata: message.metadata,
    edited: message.edited && { user: message.edited.user, ts: message.edited.ts },
    thread_ts: message.threadTs,
    ...(replies.length > 0 && {
      thread_ts: message.ts,
      reply_count: replies.length,
      latest_reply: replies.at(-1)?.ts,
    }),
    ...(files.length > 0 && { subtype: 'file_share', files, upload: false }),
  };
}

/** Path of a file on this server. */
export function filePath(file: StoredFile): string {
  return `/files/${file.id}/${encodeURIComponent(file.name)}`;
}

/** A file in the format of Slack's answers. */
export function describeFile(workspace: Workspace, file: StoredFile, origin: string): SlackObject {
  const type = file.name.includes('.') ? (file.name.split('.').at(-1) ?? '') : '';
  if (file.state === 'deleted') return { id: file.id, mode: 'tombstone' };
  const byKind = (kinds: readonly string[]) =>
    file.shares.filter((share) => kinds.includes(workspace.channels.get(share.channel)?.kind ?? ''));
  const shares = (kinds: readonly string[]) =>
    Object.fromEntries(
      byKind(kinds).map((share) => [
        share.channel,
        [
          {
            ts: share.ts,
            thread_ts: share.threadTs,
            reply_users: [],
            reply_count: 0,
          },
        ],
      ]),
    );
  return {
    id: file.id,
    created: file.created,
    timestamp: file.created,
    name: file.name,
    title: file.title,
    mimetype: file.mimetype,
    filetype: type.toLowerCase(),
    pretty_type: type === 'xlsx' ? 'Excel Spreadsheet' : type.toUpperCase(),
    user: workspace.seed.bot.user,
    user_team: workspace.seed.team.id,
    editable: false,
    size: file.size,
    mode: 'hosted',
    is_external: false,
    external_type: '',
    is_public: byKind(['public']).length > 0,
    public_url_shared: false,
    display_as_bot: false,
    username: '',
    url_private: `${origin}${filePath(file)}`,
    url_private_download: `${origin}${filePath(file)}?download`,
    permalink: `${origin}${filePath(file)}`,
    alt_txt: file.altText,
    channels: byKind(['public']).map((share) => share.channel),
    groups: byKind(['private']).map((share) => share.channel),
    ims: byKind(['im', 'mpim']).map((share) => share.channel),
    shares: { public: shares(['public']), private: shares(['private', 'im', 'mpim']) },
    has_rich_preview: false,
    file_access: 'visible',
  };
}
