import { describeMessage } from '../web-api/messages.js';
import type { Api } from '../web-api/method.js';
import { describePerson } from '../web-api/users.js';
import type { Channel, Message, SlackObject } from '../workspace/records.js';
import type { WorkspaceChange } from '../workspace/workspace.js';
import type { Delivery } from './delivery.js';
import { eventPayload } from './payloads.js';

/** Turns what happens into the events that the app has subscribed to. Returns the way to stop. */
export function announceEvents(api: Api, courier: Delivery): () => void {
  const { workspace, origin } = api;
  const { bot } = workspace.seed;

  function announce(event: SlackObject, channel?: Channel) {
    courier.announce(
      eventPayload(workspace, { ...event, event_ts: workspace.timestamps.next().ts }, channel),
    );
  }

  function ofMessage(message: Message, how: string) {
    const channel = workspace.channels.get(message.channel);
    if (!channel?.members.has(bot.user) || message.visibleTo || message.notice) return;
    const described = describeMessage(workspace, message, origin());
    if (channel.kind === 'im') {
      if (how === 'new') announce({ ...described, channel: channel.id, channel_type: 'im' }, channel);
      else if (how === 'edited')
        announce(changedIn(channel, 'message_changed', message.ts, { message: described }));
      return;
    }
    const mentions = message.text.includes(`<@${bot.user}>`) && message.user !== bot.user;
    if (mentions && how === 'new')
      announce({ ...described, type: 'app_mention', channel: channel.id }, channel);
  }

  const changedIn = (channel: Channel, subtype: string, ts: string, more: SlackObject): SlackObject => ({
    type: 'message',
    subtype,
    hidden: true,
    channel: channel.id,
    channel_type: 'im',
    ts,
    ...more,
  });

  function ofMembership(kind: 'joined' | 'left', channel: Channel, user: string) {
    if (!channel.members.has(bot.user) && user !== bot.user) return;
    const letter = channel.kind === 'public' ? 'C' : 'G';
    announce({
      type: kind === 'joined' ? 'member_joined_channel' : 'member_left_channel',
      user,
      channel: channel.id,
      channel_type: letter,
      team: workspace.seed.team.id,
    });
    if (kind === 'left' && user === bot.user)
      announce({ type: channel.kind === 'public' ? 'channel_left' : 'group_left', channel: channel.id });
  }

  return workspace.news.listen((happening: WorkspaceChange) => {
    const { type } = happening;
    if (type === 'message') ofMessage(happening.message, happening.how);
    else if (type === 'message gone') ofDeletion(happening.message);
    else if (type === 'joined' || type === 'left') ofMembership(type, happening.channel, happening.user);
    else if (type === 'archived') ofArchive(happening.channel, happening.user);
    else if (type === 'shared') ofSharing(happening.channel);
    else if (type === 'deleted') ofRemoval(happening.channel);
    else if (type === 'person')
      announce({ type: 'user_change', user: describePerson(api, happening.person, true) });
  });

  function ofDeletion(message: Message) {
    const channel = workspace.channels.get(message.channel);
    if (channel?.kind !== 'im' || !channel.members.has(bot.user) || message.visibleTo) return;
    announce(changedIn(channel, 'message_deleted', message.ts, { deleted_ts: message.ts }));
  }

  function ofArchive(channel: Channel, user: string) {
    if (!channel.members.has(bot.user)) return;
    const what = channel.archived ? 'archive' : 'unarchive';
    announce({
      type: `${channel.kind === 'public' ? 'channel' : 'group'}_${what}`,
      channel: channel.id,
      user,
    });
  }

  function ofRemoval(channel: Channel) {
    if (!channel.members.has(bot.user)) return;
    announce({ type: channel.kind === 'public' ? 'channel_deleted' : 'group_deleted', channel: channel.id });
  }

  function ofSharing(channel: Channel) {
    if (!channel.members.has(bot.user)) return;
    announce({
      type: channel.shared ? 'channel_shared' : 'channel_unshared',
      channel: channel.id,
      ...(channel.shared
        ? { connected_team_id: 'T00OTHER01' }
        : { previously_connected_team_id: 'T00OTHER01', is_ext_shared: false }),
    });
  }
}
