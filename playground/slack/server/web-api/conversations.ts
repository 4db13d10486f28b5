import { announceJoin } from '../workspace/messages.js';
import type { Channel, SlackObject } from '../workspace/records.js';
import { directMessage } from '../workspace/workspace.js';
import {
  type Api,
  ApiError,
  commaList,
  type Methods,
  optionalFlag,
  optionalText,
  paginate,
  requiredText,
} from './method.js';

const kindsByType: Readonly<Record<string, Channel['kind']>> = {
  public_channel: 'public',
  private_channel: 'private',
  mpim: 'mpim',
  im: 'im',
};

/** The scope for the kind of the channel; `channels:read` for unknown channels. */
const scopeOfChannel = (args: SlackObject, { workspace }: Api) => [
  readScope(workspace.channels.get(String(args.channel))),
];
const scopesOfTypes = (args: SlackObject) =>
  requestedTypes(args).map((type) => readScope({ kind: kindsByType[type] } as Channel));

export const conversationMethods: Methods = {
  'conversations.info': {
    token: 'bot',
    tier: 3,
    scopes: scopeOfChannel,
    run(args, api) {
      const channel = findChannelForBot(api, requiredText(args, 'channel'));
      return {
        channel: {
          ...describeChannel(api, channel),
          num_members: optionalFlag(args, 'include_num_members') ? channel.members.size : undefined,
          locale: optionalFlag(args, 'include_locale') ? 'en-US' : undefined,
        },
      };
    },
  },

  'conversations.members': {
    token: 'bot',
    tier: 4,
    scopes: scopeOfChannel,
    run(args, api) {
      const channel = findChannelForBot(api, requiredText(args, 'channel'));
      const { items, nextCursor } = paginate(args, [...channel.members]);
      return { members: items, response_metadata: { next_cursor: nextCursor } };
    },
  },

  'conversations.list': {
    token: 'bot',
    tier: 2,
    scopes: scopesOfTypes,
    run(args, api) {
      const channels = [...api.workspace.channels.values()].filter((one) => isVisibleToBot(api, one));
      return channelPage(args, api, channels);
    },
  },

  'users.conversations': {
    token: 'bot',
    tier: 2,
    scopes: scopesOfTypes,
    run(args, api) {
      const user = optionalText(args, 'user') ?? api.workspace.seed.bot.user;
      if (!api.workspace.people.has(user)) throw new ApiError('user_not_found');
      const channels = [...api.workspace.channels.values()].filter(
        (one) => one.members.has(user) && isVisibleToBot(api, one),
      );
      return channelPage(args, api, channels);
    },
  },

  'conversations.open': {
    token: 'bot',
    tier: 3,
    scopes: ['im:write'],
    run(args, api) {
      const { workspace } = api;
      const named = optionalText(args, 'channel');
      if (named !== undefined) {
        const channel = findChannelForBot(api, named);
        return { no_op: true, already_open: true, channel: describeChannel(api, channel) };
      }
      const users = commaList(args, 'users');
      const [user] = users;
      if (user === undefined) throw new ApiError('users_list_not_supplied');
      // Group direct messages need the scope mpim:write.
      if (users.length > 1)
        throw new ApiError('missing_scope', { needed: 'mpim:write', provided: [...api.scopes].join(',') });
      if (!workspace.people.has(user)) throw new ApiError('user_not_found');
      const channel = openWithPerson(api, user);
      return {
        channel: optionalFlag(args, 'return_im') ? describeChannel(api, channel) : { id: channel.id },
      };
    },
  },

  'conversations.join': {
    token: 'bot',
    tier: 3,
    scopes: ['channels:join'],
    run(args, api) {
      const channel = findChannelForBot(api, requiredText(args, 'channel'));
      if (channel.kind !== 'public') throw new ApiError('method_not_supported_for_channel_type');
      if (channel.archived) throw new ApiError('is_archived');
      if (hasBot(api, channel))
        return {
          channel: describeChannel(api, channel),
          warning: 'already_in_channel',
          response_metadata: { warnings: ['already_in_channel'] },
        };
      announceJoin(api.workspace, channel, api.workspace.seed.bot.user);
      return { channel: describeChannel(api, channel) };
    },
  },

  // The app lacks the scope for this, so the answer is always missing_scope, as in Slack.
  'conversations.invite': {
    token: 'bot',
    tier: 3,
    scopes: ['channels:manage'],
    run: () => ({}),
  },
};

function requestedTypes(args: SlackObject): readonly string[] {
  const types = commaList(args, 'types');
  return types.length > 0 ? types : ['public_channel'];
}

function channelPage(args: SlackObject, api: Api, channels: readonly Channel[]): SlackObject {
  const types = requestedTypes(args);
  if (types.some((type) => !kindsByType[type])) throw new ApiError('invalid_types');
  const kinds = types.map((type) => kindsByType[type]);
  const noArchived = optionalFlag(args, 'exclude_archived') ?? false;
  const wanted = channels.filter((one) => kinds.includes(one.kind) && !(noArchived && one.archived));
  const { items, nextCursor } = paginate(args, wanted);
  return {
    channels: items.map((one) => describeChannel(api, one)),
    response_metadata: { next_cursor: nextCursor },
  };
}

/** A channel that the bot can see: public channels, and others with the bot as a member. */
export function findChannelForBot(api: Api, id: string): Channel {
  const channel = api.workspace.channels.get(id);
  if (!channel || !isVisibleToBot(api, channel)) throw new ApiError('channel_not_found');
  return channel;
}

function isVisibleToBot(api: Api, channel: Channel): boolean {
  return channel.kind === 'public' || hasBot(api, channel);
}

function hasBot({ workspace }: Api, channel: Channel): boolean {
  return channel.members.has(workspace.seed.bot.user);
}

/** A channel that the bot can write to, by channel ID or user ID. */
export function findWritableChannel(api: Api, id: string): Channel {
  const channel = api.workspace.people.has(id) ? openWithPerson(api, id) : findChannelForBot(api, id);
  if (channel.archived) throw new ApiError('is_archived');
  if (!hasBot(api, channel)) throw new ApiError('not_in_channel');
  if (channel.readOnly) throw new ApiError('restricted_action_read_only_channel');
  if (channel.kind === 'im' && !api.app.messagesTab) throw new ApiError('messages_tab_disabled');
  return channel;
}

/** The direct message between the bot and an active person. */
function openWithPerson(api: Api, user: string): Channel {
  const { bot } = api.workspace.seed;
  if (user === bot.user) throw new ApiError('cannot_dm_bot');
  if (api.workspace.people.get(user)?.kind === 'deactivated') throw new ApiError('user_disabled');
  return directMessage(api.workspace, user, bot.user);
}

/** The scope for reading a channel of this kind. */
function readScope(channel: Channel | undefined): string {
  if (channel?.kind === 'im') return 'im:read';
  if (channel?.kind === 'mpim') return 'mpim:read';
  return channel?.kind === 'private' ? 'groups:read' : 'channels:read';
}

/** A channel in the format of `conversations.info`. */
function describeChannel(api: Api, channel: Channel): SlackObject {
  const { seed } = api.workspace;
  const other = [...channel.members].find((member) => member !== seed.bot.user);
  const flags = {
    is_channel: channel.kind === 'public',
    is_group: channel.kind === 'private',
    is_im: channel.kind === 'im',
    is_mpim: channel.kind === 'mpim',
    is_private: channel.kind !== 'public',
    is_archived: channel.archived,
    is_general: false,
    is_shared: channel.shared,
    is_ext_shared: channel.shared,
    is_org_shared: false,
    is_pending_ext_shared: channel.sharePending,
    is_member: hasBot(api, channel),
    is_read_only: channel.readOnly,
    is_thread_only: false,
    is_non_threadable: false,
  };
  const common = {
    id: channel.id,
    created: channel.created,
    creator: channel.creator,
    context_team_id: seed.team.id,
    updated: channel.created * 1000,
    ...flags,
  };
  if (channel.kind === 'im') return { ...common, user: other, is_open: true };
  return {
    ...common,
    name: channel.name,
    name_normalized: channel.name,
    unlinked: 0,
    pending_shared: channel.sharePending ? ['T00OTHER01'] : [],
    shared_team_ids: channel.shared ? [seed.team.id, 'T00OTHER01'] : [seed.team.id],
    topic: { value: channel.topic, creator: channel.creator, last_set: channel.created },
    purpose: { value: '', creator: '', last_set: 0 },
    previous_names: [],
  };
}
