import { announceJoin } from '../workspace/membership.js';
import type { Channel, Thing } from '../workspace/records.js';
import { commaList, optionalFlag, optionalText, page, requiredText } from './arguments.js';
import {
  channelForBot,
  describeChannel,
  hasBot,
  isKnownToBot,
  openWithPerson,
  readScope,
} from './channels.js';
import type { Api, Methods } from './method.js';
import { Refusal } from './refusal.js';

const kindsByType: Readonly<Record<string, Channel['kind']>> = {
  public_channel: 'public',
  private_channel: 'private',
  mpim: 'mpim',
  im: 'im',
};

/** One scope for the kind of the channel that is named; `channels:read` when it is not known. */
const scopeOfChannel = (args: Thing, { workspace }: Api) => [
  readScope(workspace.channels.get(String(args.channel))),
];
const scopesOfTypes = (args: Thing) =>
  typesAsked(args).map((type) => readScope({ kind: kindsByType[type] } as Channel));

export const conversationMethods: Methods = {
  'conversations.info': {
    token: 'bot',
    tier: 3,
    scopes: scopeOfChannel,
    run(args, api) {
      const channel = channelForBot(api, requiredText(args, 'channel'));
      return {
        channel: {
          ...describeChannel(api, channel),
          ...(optionalFlag(args, 'include_num_members') && { num_members: channel.members.size }),
          ...(optionalFlag(args, 'include_locale') && { locale: 'en-US' }),
        },
      };
    },
  },

  'conversations.members': {
    token: 'bot',
    tier: 4,
    scopes: scopeOfChannel,
    run(args, api) {
      const channel = channelForBot(api, requiredText(args, 'channel'));
      const { items, nextCursor } = page(args, [...channel.members]);
      return { members: items, response_metadata: { next_cursor: nextCursor } };
    },
  },

  'conversations.list': {
    token: 'bot',
    tier: 2,
    scopes: scopesOfTypes,
    run(args, api) {
      const channels = [...api.workspace.channels.values()].filter((one) => isKnownToBot(api, one));
      return channelPage(args, api, channels);
    },
  },

  'users.conversations': {
    token: 'bot',
    tier: 2,
    scopes: scopesOfTypes,
    run(args, api) {
      const user = optionalText(args, 'user') ?? api.workspace.seed.bot.user;
      if (!api.workspace.people.has(user)) throw new Refusal('user_not_found');
      const channels = [...api.workspace.channels.values()].filter(
        (one) => one.members.has(user) && isKnownToBot(api, one),
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
        const channel = channelForBot(api, named);
        return { no_op: true, already_open: true, channel: describeChannel(api, channel) };
      }
      const users = commaList(args, 'users');
      const [user] = users;
      if (user === undefined) throw new Refusal('users_list_not_supplied');
      // Several people would need the scope mpim:write.
      if (users.length > 1)
        throw new Refusal('missing_scope', { needed: 'mpim:write', provided: [...api.scopes].join(',') });
      if (!workspace.people.has(user)) throw new Refusal('user_not_found');
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
      const channel = channelForBot(api, requiredText(args, 'channel'));
      if (channel.kind !== 'public') throw new Refusal('method_not_supported_for_channel_type');
      if (channel.archived) throw new Refusal('is_archived');
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

  // Inviting needs a scope that the app has not got; it is here so that the answer is Slack's.
  'conversations.invite': {
    token: 'bot',
    tier: 3,
    scopes: ['channels:manage'],
    run: () => ({}),
  },
};

function typesAsked(args: Thing): readonly string[] {
  const types = commaList(args, 'types');
  return types.length > 0 ? types : ['public_channel'];
}

function channelPage(args: Thing, api: Api, channels: readonly Channel[]): Thing {
  const types = typesAsked(args);
  if (types.some((type) => !kindsByType[type])) throw new Refusal('invalid_types');
  const kinds = types.map((type) => kindsByType[type]);
  const noArchived = optionalFlag(args, 'exclude_archived') ?? false;
  const wanted = channels.filter((one) => kinds.includes(one.kind) && !(noArchived && one.archived));
  const { items, nextCursor } = page(args, wanted);
  return {
    channels: items.map((one) => describeChannel(api, one)),
    response_metadata: { next_cursor: nextCursor },
  };
}
