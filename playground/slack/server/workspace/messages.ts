import type { Message, Post, Thing } from './records.js';
import type { Workspace } from './workspace.js';

export interface NewMessage {
  readonly channel: string;
  readonly user: string;
  readonly text: string;
  readonly blocks?: readonly Thing[];
  readonly attachments?: readonly Thing[];
  readonly metadata?: Thing;
  readonly threadTs?: string;
  readonly notice?: string;
  readonly files?: readonly string[];
  readonly visibleTo?: string;
}

/** Records a message and tells everybody. */
export function recordMessage(workspace: Workspace, wanted: NewMessage): Message {
  const { ts, at } = workspace.timestamps.next();
  const { channel, user, text, threadTs, notice, visibleTo, metadata } = wanted;
  const message: Message = {
    channel,
    ts,
    at,
    user,
    text,
    blocks: withBlockIds(workspace, wanted.blocks ?? []),
    attachments: wanted.attachments ?? [],
    files: wanted.files ?? [],
    state: new Map(),
    failed: new Map(),
    ...(metadata && { metadata }),
    ...(threadTs && { threadTs }),
    ...(notice && { notice }),
    ...(visibleTo && { visibleTo }),
  };
  const inChannel = workspace.messages.get(channel) ?? new Map<string, Message>();
  workspace.messages.set(channel, inChannel.set(ts, message));
  if (threadTs && !visibleTo) {
    const thread = `${channel} ${threadTs}`;
    workspace.replies.set(thread, [...(workspace.replies.get(thread) ?? []), message]);
  }
  workspace.news.tell({ type: 'message', message, how: 'new' });
  if (threadTs) touchMessage(workspace, inChannel.get(threadTs));
  return message;
}

/** Records a message of the bot and keeps it in the log of posts. */
export function recordPost(workspace: Workspace, method: Post['method'], wanted: NewMessage): Message {
  const message = recordMessage(workspace, wanted);
  const { channel, ts, text, blocks, files, threadTs, visibleTo, metadata } = message;
  workspace.posts.push({
    channel,
    ts,
    method,
    text,
    blocks,
    files,
    at: Date.now(),
    answered: true,
    ...(threadTs && { threadTs }),
    ...(visibleTo && { visibleTo }),
    ...(metadata && { metadata }),
  });
  return message;
}

export interface Revision {
  readonly text?: string;
  readonly blocks?: readonly Thing[];
  readonly attachments?: readonly Thing[];
  readonly metadata?: Thing;
}

/** Changes a message. As in Slack, a new text without blocks takes the blocks away, and only then says "(edited)". */
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
  workspace.news.tell({ type: 'message', message, how: 'edited' });
}

export function eraseMessage(workspace: Workspace, message: Message): void {
  const inChannel = workspace.messages.get(message.channel);
  inChannel?.delete(message.ts);
  const thread = `${message.channel} ${message.threadTs}`;
  const others = workspace.replies.get(thread)?.filter((one) => one !== message);
  if (others) workspace.replies.set(thread, others);
  workspace.news.tell({ type: 'message gone', message });
  if (message.threadTs) touchMessage(workspace, inChannel?.get(message.threadTs));
}

/** Something beside its content has changed: replies, files, what people typed into it. */
export function touchMessage(workspace: Workspace, message: Message | undefined): void {
  if (message) workspace.news.tell({ type: 'message', message, how: 'touched' });
}

export function findMessage(workspace: Workspace, channel: string, ts: string): Message | undefined {
  return workspace.messages.get(channel)?.get(ts);
}

/** What was answered in a message's thread for everybody to see, oldest first. */
export function repliesTo(workspace: Workspace, { channel, ts }: Message): readonly Message[] {
  return workspace.replies.get(`${channel} ${ts}`) ?? [];
}

/** Slack names every block that the bot left without a name, those inside containers too. */
export function withBlockIds(workspace: Workspace, blocks: readonly Thing[]): readonly Thing[] {
  return blocks.map((block) => ({
    ...block,
    block_id: typeof block.block_id === 'string' ? block.block_id : workspace.newId('b'),
    ...(Array.isArray(block.child_blocks) && { child_blocks: withBlockIds(workspace, block.child_blocks) }),
  }));
}
