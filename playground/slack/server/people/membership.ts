import {
  announceArchive,
  announceDeletion,
  announceDeparture,
  announceJoin,
  announceLeave,
  announceShare,
} from '../workspace/membership.js';
import type { Channel } from '../workspace/records.js';
import { directMessage } from '../workspace/workspace.js';
import { channelSeenBy, NotPossible, personNamed, type Stage } from './stage.js';

export function joinChannel(stage: Stage, user: string, id: string): void {
  const channel = openChannel(channelSeenBy(stage, user, id));
  if (!channel.members.has(user)) announceJoin(stage.api.workspace, channel, user);
}

export function leaveChannel(stage: Stage, user: string, id: string): void {
  const channel = noDirectMessage(channelSeenBy(stage, user, id));
  if (channel.members.has(user)) announceLeave(stage.api.workspace, channel, user);
}

/** Somebody's account is deactivated. */
export function leaveWorkspace(stage: Stage, user: string): void {
  announceDeparture(stage.api.workspace, personNamed(stage, user));
}

/** Somebody in the channel invites another, perhaps the bot. */
export function inviteTo(stage: Stage, user: string, id: string, invited: string): void {
  const channel = openChannel(noDirectMessage(channelSeenBy(stage, user, id)));
  if (!channel.members.has(user)) throw new NotPossible('Join the channel first.');
  personNamed(stage, invited);
  if (channel.members.has(invited)) throw new NotPossible('They are in the channel already.');
  announceJoin(stage.api.workspace, channel, invited);
}

export function removeFrom(stage: Stage, user: string, id: string, removed: string): void {
  const channel = noDirectMessage(channelSeenBy(stage, user, id));
  if (!channel.members.has(removed)) throw new NotPossible('They are not in the channel.');
  announceLeave(stage.api.workspace, channel, removed);
}

export function archiveChannel(stage: Stage, user: string, id: string, archived: boolean): void {
  const channel = noDirectMessage(channelSeenBy(stage, user, id));
  if (channel.archived !== archived) announceArchive(stage.api.workspace, channel, user, archived);
}

export function deleteChannel(stage: Stage, user: string, id: string): void {
  announceDeletion(stage.api.workspace, noDirectMessage(channelSeenBy(stage, user, id)));
}

export function shareChannel(stage: Stage, user: string, id: string, shared: boolean): void {
  announceShare(stage.api.workspace, noDirectMessage(channelSeenBy(stage, user, id)), shared);
}

export function openDirectMessage(stage: Stage, user: string, other: string): Channel {
  personNamed(stage, other);
  if (other === user) throw new NotPossible('That is you.');
  return directMessage(stage.api.workspace, user, other);
}

function openChannel(channel: Channel): Channel {
  if (channel.archived) throw new NotPossible('This channel is archived.');
  return channel;
}

function noDirectMessage(channel: Channel): Channel {
  if (channel.kind === 'im') throw new NotPossible('This is a direct message.');
  return channel;
}
