import { eraseMessage, findMessage, recordPost, reviseMessage } from '../workspace/messages.js';
import type { Channel, Message, SlackObject } from '../workspace/records.js';
import { channelForBot, channelToWrite } from './conversations.js';
import { describeMessage, readContent } from './message-object.js';
import {
  type Api,
  isJsonObject,
  type Methods,
  missingArgument,
  optionalJson,
  optionalList,
  optionalText,
  Refusal,
  requiredText,
} from './method.js';

export const chatMethods: Methods = {
  'chat.postMessage': {
    token: 'bot',
    tier: 'post',
    scopes: ['chat:write'],
    run(args, api) {
      const channel = channelToWrite(api, requiredChannel(args));
      const content = readContent(args);
      const threadTs = threadToWrite(api, channel, args);
      const metadata = optionalJson(args, 'metadata', 'invalid_metadata_format');
      if (metadata !== undefined && !isJsonObject(metadata)) throw new Refusal('invalid_metadata_format');
      const message = recordPost(api.workspace, 'chat.postMessage', {
        channel: channel.id,
        user: api.workspace.seed.bot.user,
        ...content,
        ...(threadTs && { threadTs }),
        ...(metadata && { metadata }),
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
      const channel = channelToWrite(api, requiredChannel(args));
      const user = requiredText(args, 'user');
      if (!channel.members.has(user)) throw new Refusal('user_not_in_channel');
      const content = readContent(args);
      const threadTs = threadToWrite(api, channel, args);
      const message = recordPost(api.workspace, 'chat.postEphemeral', {
        channel: channel.id,
        user: api.workspace.seed.bot.user,
        visibleTo: user,
        ...content,
        ...(threadTs && { threadTs }),
      });
      return { message_ts: message.ts };
    },
  },

  'chat.update': {
    token: 'bot',
    tier: 3,
    scopes: ['chat:write'],
    run(args, api) {
      const { channel, message } = ownMessage(api, args, 'cant_update_message');
      if (channel.archived) throw new Refusal('is_archived');
      const blocks = optionalList(args, 'blocks', 'invalid_blocks_format');
      const { text, attachments } = readContent(args);
      reviseMessage(api.workspace, message, api.workspace.seed.bot.user, {
        ...(args.text !== undefined && { text }),
        ...(blocks && { blocks }),
        ...(args.attachments !== undefined && { attachments }),
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
      const { channel, message } = ownMessage(api, args, 'cant_delete_message');
      eraseMessage(api.workspace, message);
      return { channel: channel.id, ts: message.ts };
    },
  },

  'chat.getPermalink': {
    token: 'bot',
    tier: 'special',
    run(args, api) {
      const channel = channelForBot(api, requiredChannel(args));
      const ts = requiredText(args, 'message_ts');
      const message = findMessage(api.workspace, channel.id, ts);
      if (!message || message.visibleTo) throw new Refusal('message_not_found');
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
  if (channel === undefined) throw missingArgument('channel');
  return channel;
}

/** The thread to answer in: the parent itself, even when a reply was named. */
function threadToWrite(api: Api, channel: Channel, args: SlackObject): string | undefined {
  const ts = optionalText(args, 'thread_ts');
  if (ts === undefined) return undefined;
  if (!/^\d+\.\d{6}$/.test(ts)) throw new Refusal('invalid_thread_ts');
  const parent = findMessage(api.workspace, channel.id, ts);
  if (!parent) throw new Refusal('thread_not_found');
  return parent.threadTs ?? ts;
}

function ownMessage(api: Api, args: SlackObject, notOwn: string): { channel: Channel; message: Message } {
  const channel = channelForBot(api, requiredChannel(args));
  const message = findMessage(api.workspace, channel.id, requiredText(args, 'ts'));
  // Nobody can edit or delete an ephemeral message through its ts.
  if (!message || message.visibleTo) throw new Refusal('message_not_found');
  if (message.user !== api.workspace.seed.bot.user || message.notice) throw new Refusal(notOwn);
  return { channel, message };
}
