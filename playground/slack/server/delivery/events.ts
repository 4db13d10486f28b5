import { describeMessage } from '../web-api/messages.js';
import type { Api } from '../web-api/method.js';
import { describePerson, describeUserGroup } from '../web-api/users.js';
import type { Channel, Message, SlackObject, UserGroup } from '../workspace/records.js';
import type { WorkspaceChange } from '../workspace/workspace.js';
import type { Delivery } from './delivery.js';
import { eventPayload } from './payloads.js';

/** Sends the bot an event for each change it subscribes to. Returns a function that stops this. */
export function sendWorkspaceEvents(api: Api, delivery: Delivery): () => void {
  const { workspace, origin } = api;
  const { bot } = workspace.seed;

  function announce(event: SlackObject, channel?: Channel) {
    delivery.sendEvent(
      eventPayload(workspace, { ...event, event_ts: workspace.timestamps.next().ts }, channel),
    );
  }

  function onMessage(message: Message, change: string) {
    const channel = workspace.channels.get(message.channel);
    if (!channel?.members.has(bot.user) || message.visibleTo || message.notice) return;
    const described = describeMessage(workspace, message, origin());
    if (channel.kind === 'im') {
      if (change === 'new') announce({ ...described, channel: channel.id, channel_type: 'im' }, channel);
      else if (change === 'edited')
        announce(changedIn(channel, 'message_changed', message.ts, { message: described }));
      return;
    }
    const mentions = message.text.includes(`<@${bot.user}>`) && message.user !== bot.user;
    if (mentions && change === 'new')
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

  function onMembership(kind: 'joined' | 'left', channel: Channel, user: string) {
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

  return workspace.changes.subscribe((change: WorkspaceChange) => {
    const { type } = change;
    if (type === 'message') onMessage(change.message, change.how);
    else if (type === 'message deleted') onMessageDeleted(change.message);
    else if (type === 'joined' || type === 'left') onMembership(type, change.channel, change.user);
    else if (type === 'archived') onArchive(change.channel, change.user);
    else if (type === 'shared') onSharing(change.channel);
    else if (type === 'deleted') onChannelDeleted(change.channel);
    else if (type === 'user group') onUserGroup(change.before, change.group);
    else if (type === 'person')
      announce({ type: 'user_change', user: describePerson(api, change.person, true) });
  });

  function onMessageDeleted(message: Message) {
    const channel = workspace.channels.get(message.channel);
    if (channel?.kind !== 'im' || !channel.members.has(bot.user) || message.visibleTo) return;
    announce(changedIn(channel, 'message_deleted', message.ts, { deleted_ts: message.ts }));
  }

  function onUserGroup(before: UserGroup, group: UserGroup) {
    const added = group.users.filter((user) => !before.users.includes(user));
    const removed = before.users.filter((user) => !group.users.includes(user));
    if (added.length + removed.length > 0)
      announce({
        type: 'subteam_members_changed',
        subteam_id: group.id,
        team_id: workspace.seed.team.id,
        date_previous_update: before.updatedAt,
        date_update: group.updatedAt,
        added_users: added,
        added_users_count: added.length,
        removed_users: removed,
        removed_users_count: removed.length,
      });
    announce({ type: 'subteam_updated', subteam: describeUserGroup(api, group, true) });
  }

  function onArchive(channel: Channel, user: string) {
    if (!channel.members.has(bot.user)) return;
    const what = channel.archived ? 'archive' : 'unarchive';
    announce({
      type: `${channel.kind === 'public' ? 'channel' : 'group'}_${what}`,
      channel: channel.id,
      user,
    });
  }

  function onChannelDeleted(channel: Channel) {
    if (!channel.members.has(bot.user)) return;
    announce({ type: channel.kind === 'public' ? 'channel_deleted' : 'group_deleted', channel: channel.id });
  }

  function onSharing(channel: Channel) {
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
