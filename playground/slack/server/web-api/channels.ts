import type { Channel, Thing } from '../workspace/records.js';
import { directMessage } from '../workspace/workspace.js';
import type { Api } from './method.js';
import { Refusal } from './refusal.js';

/** A channel that the bot may know of: public ones, and others that it is a member of. */
export function channelForBot(api: Api, id: string): Channel {
  const channel = api.workspace.channels.get(id);
  if (!channel || !isKnownToBot(api, channel)) throw new Refusal('channel_not_found');
  return channel;
}

export function isKnownToBot(api: Api, channel: Channel): boolean {
  return channel.kind === 'public' || hasBot(api, channel);
}

export function hasBot({ workspace }: Api, channel: Channel): boolean {
  return channel.members.has(workspace.seed.bot.user);
}

/** A channel that the bot may write to, by its identifier or by a person's. */
export function channelToWrite(api: Api, id: string): Channel {
  const channel = api.workspace.people.has(id) ? openWithPerson(api, id) : channelForBot(api, id);
  if (channel.archived) throw new Refusal('is_archived');
  if (!hasBot(api, channel)) throw new Refusal('not_in_channel');
  if (channel.readOnly) throw new Refusal('restricted_action_read_only_channel');
  if (channel.kind === 'im' && !api.app.messagesTab) throw new Refusal('messages_tab_disabled');
  return channel;
}

/** The direct messages between the bot and somebody who is still there. */
export function openWithPerson(api: Api, user: string): Channel {
  const { bot } = api.workspace.seed;
  if (user === bot.user) throw new Refusal('cannot_dm_bot');
  if (api.workspace.people.get(user)?.kind === 'gone') throw new Refusal('user_disabled');
  return directMessage(api.workspace, user, bot.user);
}

/** The scope that reads a channel of that kind. */
export function readScope(channel: Channel | undefined): string {
  if (channel?.kind === 'im') return 'im:read';
  if (channel?.kind === 'mpim') return 'mpim:read';
  return channel?.kind === 'private' ? 'groups:read' : 'channels:read';
}

/** A channel as `conversations.info` describes it. */
export function describeChannel(api: Api, channel: Channel): Thing {
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
