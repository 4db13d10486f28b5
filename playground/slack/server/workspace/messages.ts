import type { Channel, Message, Person, Post, SlackObject } from './records.js';
import type { Workspace } from './workspace.js';

export interface NewMessage {
  readonly channel: string;
  readonly user: string;
  readonly text: string;
  readonly blocks?: readonly SlackObject[];
  readonly attachments?: readonly SlackObject[];
  readonly metadata?: SlackObject;
  readonly threadTs?: string;
  readonly notice?: string;
  readonly files?: readonly string[];
  readonly visibleTo?: string;
}

/** Adds a message and emits the change. */
export function recordMessage(workspace: Workspace, content: NewMessage): Message {
  const { ts, at } = workspace.timestamps.next();
  const { channel, user, text, threadTs, notice, visibleTo, metadata } = content;
  const message: Message = {
    channel,
    ts,
    at,
    user,
    text,
    blocks: withBlockIds(workspace, content.blocks ?? []),
    attachments: content.attachments ?? [],
    files: content.files ?? [],
    state: new Map(),
    failed: new Map(),
    metadata,
    threadTs,
    notice,
    visibleTo,
  };
  const channelMessages = workspace.messages.get(channel) ?? new Map<string, Message>();
  workspace.messages.set(channel, channelMessages.set(ts, message));
  if (threadTs && !visibleTo) {
    const thread = `${channel} ${threadTs}`;
    workspace.replies.set(thread, [...(workspace.replies.get(thread) ?? []), message]);
  }
  workspace.changes.emit({ type: 'message', message, how: 'new' });
  if (threadTs) touchMessage(workspace, channelMessages.get(threadTs));
  return message;
}

/** Adds a message of the bot, also to the log of posts. */
export function recordPost(workspace: Workspace, method: Post['method'], content: NewMessage): Message {
  const message = recordMessage(workspace, content);
  const { channel, ts, text, blocks, files, threadTs, visibleTo } = message;
  workspace.posts.push({
    channel,
    ts,
    method,
    text,
    blocks,
    files,
    at: Date.now(),
    answered: true,
    threadTs,
    visibleTo,
  });
  return message;
}

export interface Revision {
  readonly text?: string;
  readonly blocks?: readonly SlackObject[];
  readonly attachments?: readonly SlackObject[];
  readonly metadata?: SlackObject;
}

/** Changes a message. As in Slack, a new text without blocks removes the blocks; only then the message shows "(edited)". */
export function reviseMessage(workspace: Workspace, message: Message, by: string, revision: Revision): void {
  const { text, blocks, attachments, metadata } = revision;
  if (text !== undefined) message.text = text;
  if (blocks !== undefined) message.blocks = withBlockIds(workspace, blocks);
  else if (text !== undefined) message.blocks = [];
  if (attachments !== undefined) message.attachments = attachments;
  if (metadata !== undefined) message.metadata = metadata;
  if (message.blocks.length === 0) {
    const { ts, at } = workspace.timestamps.next();
    message.edited = { user: by, ts, at };
  }
  message.failed.clear();
  workspace.changes.emit({ type: 'message', message, how: 'edited' });
}

export function eraseMessage(workspace: Workspace, message: Message): void {
  const channelMessages = workspace.messages.get(message.channel);
  channelMessages?.delete(message.ts);
  const thread = `${message.channel} ${message.threadTs}`;
  const others = workspace.replies.get(thread)?.filter((one) => one !== message);
  if (others) workspace.replies.set(thread, others);
  workspace.changes.emit({ type: 'message deleted', message });
  if (message.threadTs) touchMessage(workspace, channelMessages?.get(message.threadTs));
}

/** Emits a change beside the content: replies, files, input values. */
export function touchMessage(workspace: Workspace, message: Message | undefined): void {
  if (message) workspace.changes.emit({ type: 'message', message, how: 'touched' });
}

export function findMessage(workspace: Workspace, channel: string, ts: string): Message | undefined {
  return workspace.messages.get(channel)?.get(ts);
}

/** The public replies to a message, oldest first. */
export function repliesTo(workspace: Workspace, { channel, ts }: Message): readonly Message[] {
  return workspace.replies.get(`${channel} ${ts}`) ?? [];
}

/** Generates missing block IDs, also inside containers, as Slack does. */
export function withBlockIds(workspace: Workspace, blocks: readonly SlackObject[]): readonly SlackObject[] {
  return blocks.map((block) => ({
    ...block,
    block_id: typeof block.block_id === 'string' ? block.block_id : workspace.newId('b'),
    ...(Array.isArray(block.child_blocks) && { child_blocks: withBlockIds(workspace, block.child_blocks) }),
  }));
}

/** A person or the bot joins a channel. */
export function announceJoin(workspace: Workspace, channel: Channel, user: string): void {
  channel.members.add(user);
  workspace.changes.emit({ type: 'channel', channel });
  workspace.changes.emit({ type: 'joined', channel, user });
  recordMessage(workspace, {
    channel: channel.id,
    user,
    text: `<@${user}> has joined the channel`,
    notice: 'channel_join',
  });
}

/** A person or the bot leaves a channel. */
export function announceLeave(workspace: Workspace, channel: Channel, user: string): void {
  recordMessage(workspace, {
    channel: channel.id,
    user,
    text: `<@${user}> has left the channel`,
    notice: 'channel_leave',
  });
  channel.members.delete(user);
  workspace.changes.emit({ type: 'left', channel, user });
  workspace.changes.emit({ type: 'channel', channel });
}

/** Deactivates a person. They leave all channels, without a system message. */
export function announceDeparture(workspace: Workspace, person: Person): void {
  for (const channel of workspace.channels.values()) {
    if (channel.kind === 'im' || !channel.members.delete(person.id)) continue;
    workspace.changes.emit({ type: 'channel', channel });
  }
  const gone: Person = { ...person, kind: 'deactivated' };
  workspace.people.set(person.id, gone);
  workspace.changes.emit({ type: 'person', person: gone });
}

export function announceArchive(workspace: Workspace, channel: Channel, by: string, archived: boolean): void {
  channel.archived = archived;
  recordMessage(workspace, {
    channel: channel.id,
    user: by,
    text: `<@${by}> ${archived ? 'archived' : 'brought back'} the channel`,
    notice: archived ? 'channel_archive' : 'channel_unarchive',
  });
  workspace.changes.emit({ type: 'archived', channel, user: by });
  workspace.changes.emit({ type: 'channel', channel });
}

/** Deletes a channel with its messages. */
export function announceDeletion(workspace: Workspace, channel: Channel): void {
  workspace.channels.delete(channel.id);
  workspace.messages.delete(channel.id);
  workspace.changes.emit({ type: 'deleted', channel });
}

export function announceShare(workspace: Workspace, channel: Channel, shared: boolean): void {
  channel.shared = shared;
  channel.sharePending = false;
  workspace.changes.emit({ type: 'shared', channel });
  workspace.changes.emit({ type: 'channel', channel });
}
