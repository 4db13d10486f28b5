import { recordMessage } from './messages.js';
import type { Channel, Person } from './records.js';
import type { Workspace } from './workspace.js';

/** Somebody, perhaps the bot, comes into a channel. */
export function announceJoin(workspace: Workspace, channel: Channel, user: string): void {
  channel.members.add(user);
  workspace.news.tell({ type: 'channel', channel });
  workspace.news.tell({ type: 'joined', channel, user });
  recordMessage(workspace, {
    channel: channel.id,
    user,
    text: `<@${user}> has joined the channel`,
    notice: 'channel_join',
  });
}

/** Somebody, perhaps the bot, goes out of a channel. */
export function announceLeave(workspace: Workspace, channel: Channel, user: string): void {
  recordMessage(workspace, {
    channel: channel.id,
    user,
    text: `<@${user}> has left the channel`,
    notice: 'channel_leave',
  });
  channel.members.delete(user);
  workspace.news.tell({ type: 'left', channel, user });
  workspace.news.tell({ type: 'channel', channel });
}

/** Somebody leaves the workspace: they are in no channel any more, and nothing is said about it there. */
export function announceDeparture(workspace: Workspace, person: Person): void {
  for (const channel of workspace.channels.values()) {
    if (channel.kind === 'im' || !channel.members.delete(person.id)) continue;
    workspace.news.tell({ type: 'channel', channel });
  }
  const gone: Person = { ...person, kind: 'gone' };
  workspace.people.set(person.id, gone);
  workspace.news.tell({ type: 'person', person: gone });
}

export function announceArchive(workspace: Workspace, channel: Channel, by: string, archived: boolean): void {
  channel.archived = archived;
  recordMessage(workspace, {
    channel: channel.id,
    user: by,
    text: `<@${by}> ${archived ? 'archived' : 'brought back'} the channel`,
    notice: archived ? 'channel_archive' : 'channel_unarchive',
  });
  workspace.news.tell({ type: 'archived', channel, user: by });
  workspace.news.tell({ type: 'channel', channel });
}

/** The channel is gone for good, with all that was said in it. */
export function announceDeletion(workspace: Workspace, channel: Channel): void {
  workspace.channels.delete(channel.id);
  workspace.messages.delete(channel.id);
  workspace.news.tell({ type: 'deleted', channel });
}

export function announceShare(workspace: Workspace, channel: Channel, shared: boolean): void {
  channel.shared = shared;
  channel.sharePending = false;
  workspace.news.tell({ type: 'shared', channel });
  workspace.news.tell({ type: 'channel', channel });
}
