import { validateMessage } from '../validator/validate.js';
import { repliesTo } from '../workspace/messages.js';
import type { Message, SlackObject, StoredFile } from '../workspace/records.js';
import type { Workspace } from '../workspace/workspace.js';
import { brokenRules, optionalList, optionalText, Refusal } from './method.js';

/** What a message says. */
export interface Content {
  readonly text: string;
  readonly blocks: readonly SlackObject[];
  readonly attachments: readonly SlackObject[];
  readonly warning?: string;
}

const longestText = 40_000;

/** Reads and checks the content of a message as `chat.*` and `response_url` take it. */
export function readContent(args: SlackObject): Content {
  const blocks = optionalList(args, 'blocks', 'invalid_blocks_format');
  const attachments = optionalList(args, 'attachments', 'invalid_attachments') ?? [];
  const markdown = optionalText(args, 'markdown_text');
  const text = optionalText(args, 'text');
  if (markdown !== undefined && (text !== undefined || blocks !== undefined))
    throw new Refusal('markdown_text_conflict');
  if (markdown !== undefined && markdown.length > 12_000) throw new Refusal('msg_too_long');
  const said = text ?? markdown ?? '';
  if (said.trim() === '' && (blocks ?? []).length === 0 && attachments.length === 0)
    throw new Refusal('no_text');
  refuseBroken(blocks, attachments);
  return {
    text: said.slice(0, longestText),
    blocks: blocks ?? [],
    attachments,
    ...(said.length > longestText && { warning: 'message_truncated' }),
  };
}

function refuseBroken(blocks: readonly SlackObject[] | undefined, attachments: readonly SlackObject[]) {
  const rules = validateMessage({ blocks: blocks ?? [], attachments });
  const [first] = rules;
  if (!first) return;
  if (rules.every((rule) => rule.code === 'msg_blocks_too_long'))
    throw brokenRules('msg_blocks_too_long', rules);
  if (rules.some((rule) => rule.code === 'too_many_attachments'))
    throw brokenRules('too_many_attachments', rules);
  // Slack draws a table below the other blocks, and speaks of a second one as of a second attachment.
  if (rules.some((rule) => rule.code === 'only_one_table_allowed'))
    throw new Refusal(
      'invalid_attachments',
      { response_metadata: { messages: ['[ERROR] only_one_table_allowed'] } },
      rules,
    );
  throw brokenRules('invalid_blocks', rules);
}

/** A message as Slack's answers and payloads carry it. */
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
    ...(message.notice && { subtype: message.notice }),
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
    ...(message.blocks.length > 0 && { blocks: message.blocks }),
    ...(message.attachments.length > 0 && { attachments: message.attachments }),
    ...(message.metadata && { metadata: message.metadata }),
    ...(message.edited && { edited: { user: message.edited.user, ts: message.edited.ts } }),
    ...(message.threadTs && { thread_ts: message.threadTs }),
    ...(replies.length > 0 && {
      thread_ts: message.ts,
      reply_count: replies.length,
      latest_reply: replies.at(-1)?.ts,
    }),
    ...(files.length > 0 && { subtype: 'file_share', files, upload: false }),
  };
}

/** Where the page and people get the bytes. */
export function filePath(file: StoredFile): string {
  return `/files/${file.id}/${encodeURIComponent(file.name)}`;
}

/** A file as Slack's answers carry it. */
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
            ...(share.threadTs && { thread_ts: share.threadTs }),
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
    pretty_type: type.toUpperCase(),
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
