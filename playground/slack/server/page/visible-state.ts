import type {
  PageChannel,
  PageFile,
  PageMessage,
  PageRefusal,
  PageUser,
  PageView,
  SlackBlock,
} from '../page-protocol.js';
import { isVisibleTo } from '../people/context.js';
import { slackbot } from '../people/messages.js';
import { filePath } from '../web-api/messages.js';
import { repliesTo } from '../workspace/messages.js';
import type { Channel, Message, Person, RefusedPayload, SlackObject, View } from '../workspace/records.js';
import type { Workspace } from '../workspace/workspace.js';

/** All users, including Slackbot. */
export function pageUsers(workspace: Workspace): readonly PageUser[] {
  const people = [...workspace.people.values()].map(
    ({ id, name, handle, title, email, zone, kind, initials, colour, note }) => ({
      id,
      name,
      handle,
      title,
      email,
      zone,
      kind,
      initials,
      colour,
      note,
    }),
  );
  return [
    ...people,
    {
      id: slackbot,
      name: 'Slackbot',
      handle: 'slackbot',
      title: 'Slack itself',
      email: '',
      zone: 'Etc/UTC',
      kind: 'bot',
      initials: 'S',
      colour: '#616061',
    },
  ];
}

/** Channels that a person can see: channels first, then direct messages. */
export function visibleChannels(workspace: Workspace, person: Person): readonly Channel[] {
  const seen = [...workspace.channels.values()].filter((one) => isVisibleTo(one, person));
  const direct = (one: Channel) => one.kind === 'im' || one.kind === 'mpim';
  return [...seen.filter((one) => !direct(one)), ...seen.filter(direct)];
}

export function pageChannel(workspace: Workspace, channel: Channel, person: Person): PageChannel {
  const seen = workspace.seen.get(`${person.id} ${channel.id}`);
  return {
    id: channel.id,
    kind: channel.kind,
    name: channelNameFor(workspace, channel, person),
    topic: channel.topic,
    members: [...channel.members],
    hasBot: channel.members.has(workspace.seed.bot.user),
    joined: channel.members.has(person.id),
    archived: channel.archived,
    shared: channel.shared,
    sharePending: channel.sharePending,
    readOnly: channel.readOnly,
    seen,
  };
}

function channelNameFor(workspace: Workspace, channel: Channel, person: Person): string {
  if (channel.kind === 'public' || channel.kind === 'private') return channel.name;
  const others = [...channel.members].filter((member) => member !== person.id);
  return others.map((other) => workspace.people.get(other)?.name ?? other).join(', ');
}

export function isMessageVisibleTo(message: Message, person: Person): boolean {
  return message.visibleTo === undefined || message.visibleTo === person.id;
}

export function pageMessage(workspace: Workspace, message: Message, person: Person): PageMessage {
  const replies = repliesTo(workspace, message);
  const latest = replies.at(-1)?.ts;
  const failed = message.failed.get(person.id);
  return {
    channel: message.channel,
    ts: message.ts,
    at: message.at,
    user: message.user,
    text: message.text,
    blocks: blocksFor(message.blocks),
    replyCount: replies.length,
    files: message.files.flatMap((id) => pageFile(workspace, id)),
    ephemeral: message.visibleTo !== undefined,
    state: message.state.get(person.id) ?? {},
    notice: message.notice,
    threadTs: message.threadTs ?? (latest && message.ts),
    latestReply: latest,
    editedAt: message.edited?.at,
    failed,
  };
}

function pageFile(workspace: Workspace, id: string): PageFile[] {
  const file = workspace.files.get(id);
  if (!file) return [];
  const { name, title, size, mimetype, altText } = file;
  return [
    { id, name, title, size, mimetype, altText, url: filePath(file), deleted: file.state === 'deleted' },
  ];
}

export function pageView(view: View): PageView {
  const { content } = view;
  const submit = textOf(content.submit);
  return {
    id: view.id,
    type: view.type,
    callbackId: String(content.callback_id ?? ''),
    title: textOf(content.title) ?? '',
    close: textOf(content.close) ?? 'Cancel',
    blocks: blocksFor(content.blocks),
    state: view.state,
    hash: view.hash,
    errors: view.errors,
    waiting: view.waiting,
    submit,
    failed: view.failed,
  };
}

/** Blocks were validated on arrival: each is JSON with a type. */
function blocksFor(blocks: readonly SlackObject[]): readonly SlackBlock[] {
  return blocks as readonly SlackBlock[];
}

function textOf(object: unknown): string | undefined {
  return typeof object === 'object' && object !== null && 'text' in object ? String(object.text) : undefined;
}

const maxRefusals = 50;

/** Errors that a correct bot also gets. They are in the inspector, and not shown in red. */
const expectedErrors = new Set([
  'not_in_channel',
  'channel_not_found',
  'is_archived',
  'user_not_found',
  'users_not_found',
  'user_not_in_channel',
  'message_not_found',
  'restricted_action_read_only_channel',
  'messages_tab_disabled',
]);

interface StoredRefusal {
  readonly refusal: PageRefusal;
  /** The only person who sees it; absent if everybody does. */
  readonly user?: string;
}

/** Refused payloads that the page shows. */
export interface RefusalLog {
  /** Newest first. */
  visibleTo(user: string): readonly PageRefusal[];
  subscribe(listener: (stored: StoredRefusal) => void): () => void;
}

export function createRefusalLog(workspace: Workspace): RefusalLog {
  let stored: StoredRefusal[] = [];
  let lastId = 0;
  const listeners = new Set<(stored: StoredRefusal) => void>();

  function store({ user, ...refused }: RefusedPayload) {
    if (refused.rules.length === 0 && expectedErrors.has(refused.error)) return;
    lastId += 1;
    const one = { refusal: { id: lastId, at: workspace.clock.now(), ...refused }, user };
    stored = [one, ...stored].slice(0, maxRefusals);
    for (const listener of [...listeners]) listener(one);
  }
  workspace.changes.subscribe((change) => {
    if (change.type === 'refused') store(change.refused);
  });

  return {
    visibleTo: (user) => stored.filter((one) => !one.user || one.user === user).map((one) => one.refusal),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
