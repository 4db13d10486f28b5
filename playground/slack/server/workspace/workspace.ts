import type { Clock } from '../../../bot.js';
import type { Channel, Message, Person, Post, RefusedPayload, StoredFile, UserGroup } from './records.js';
import type { Seed } from './seed.js';

/** A change of the workspace. The page, events and scripts subscribe to changes. */
export type WorkspaceChange =
  | { readonly type: 'message'; readonly message: Message; readonly how: 'new' | 'edited' | 'touched' }
  | { readonly type: 'message deleted'; readonly message: Message }
  | { readonly type: 'channel'; readonly channel: Channel }
  | { readonly type: 'joined' | 'left' | 'archived'; readonly channel: Channel; readonly user: string }
  | { readonly type: 'shared' | 'deleted'; readonly channel: Channel }
  | { readonly type: 'person'; readonly person: Person }
  | { readonly type: 'user group'; readonly before: UserGroup; readonly group: UserGroup }
  | { readonly type: 'modals'; readonly user: string }
  | { readonly type: 'home'; readonly user: string }
  | { readonly type: 'seen'; readonly channel: Channel; readonly user: string }
  | { readonly type: 'refused'; readonly refused: RefusedPayload };

/** The state of the workspace. Code that changes it emits a change. */
export interface Workspace {
  readonly seed: Seed;
  readonly clock: Clock;
  readonly people: Map<string, Person>;
  readonly userGroups: Map<string, UserGroup>;
  readonly channels: Map<string, Channel>;
  /** By channel, then by `ts`, oldest first. */
  readonly messages: Map<string, Map<string, Message>>;
  /** By `channel ts` of the parent, oldest first. */
  readonly replies: Map<string, Message[]>;
  readonly files: Map<string, StoredFile>;
  readonly posts: Post[];
  /** Key `user channel`; value: the last `ts` that the person has seen. */
  readonly seen: Map<string, string>;
  readonly timestamps: Timestamps;
  readonly changes: ChangeFeed<WorkspaceChange>;
  /** A new identifier such as `F00A1B2C3D`. */
  newId(letter: string): string;
}

export function createWorkspace(seed: Seed, clock: Clock): Workspace {
  const created = Math.floor(clock.now() / 1000) - 30 * 86_400;
  const channels = new Map<string, Channel>(
    seed.channels.map((one) => [
      one.id,
      {
        id: one.id,
        kind: one.kind,
        name: one.name,
        topic: one.topic ?? '',
        created,
        creator: seed.people[0]?.id ?? seed.bot.user,
        members: new Set(one.members),
        archived: one.archived ?? false,
        shared: one.shared ?? false,
        sharePending: one.sharePending ?? false,
        readOnly: one.readOnly ?? false,
      },
    ]),
  );
  let ids = 0;
  return {
    seed,
    clock,
    people: new Map([...seed.people, botPerson(seed)].map((one) => [one.id, one])),
    userGroups: new Map(
      seed.userGroups.map((one) => [one.id, { ...one, disabledAt: 0, updatedAt: created }]),
    ),
    channels,
    messages: new Map(),
    replies: new Map(),
    files: new Map(),
    posts: [],
    seen: new Map(),
    timestamps: createTimestamps(() => clock.now()),
    changes: createChangeFeed<WorkspaceChange>(),
    newId(letter) {
      ids += 1;
      return `${letter}0${ids.toString(36).toUpperCase().padStart(8, '0')}`;
    },
  };
}

function botPerson({ bot, team }: Seed): Person {
  return {
    id: bot.user,
    handle: bot.handle,
    name: bot.name,
    title: 'App',
    email: '',
    zone: 'Etc/UTC',
    locale: 'en-US',
    kind: 'bot',
    team: team.id,
    initials: bot.name.slice(0, 1),
    colour: '#2c5aa0',
  };
}

/** The direct message between two people. Creates it if it does not exist. */
export function directMessage(workspace: Workspace, one: string, other: string): Channel {
  for (const channel of workspace.channels.values())
    if (channel.kind === 'im' && channel.members.has(one) && channel.members.has(other)) return channel;
  const channel: Channel = {
    id: workspace.newId('D'),
    kind: 'im',
    name: '',
    topic: '',
    created: Math.floor(workspace.clock.now() / 1000),
    creator: one,
    members: new Set([one, other]),
    archived: false,
    shared: false,
    sharePending: false,
    readOnly: false,
  };
  workspace.channels.set(channel.id, channel);
  workspace.changes.emit({ type: 'channel', channel });
  return channel;
}

/** Changes the members of a user group, or disables or enables it. The bot gets Slack's events. */
export function changeUserGroup(
  workspace: Workspace,
  id: string,
  change: { readonly users?: readonly string[]; readonly isDisabled?: boolean },
): void {
  const before = workspace.userGroups.get(id);
  if (!before) throw new Error(`There is no user group ${id}.`);
  const now = Math.floor(workspace.clock.now() / 1000);
  const changedAt = change.isDisabled ? now : 0;
  const group: UserGroup = {
    ...before,
    users: change.users ?? before.users,
    disabledAt: change.isDisabled === undefined ? before.disabledAt : changedAt,
    updatedAt: now,
  };
  workspace.userGroups.set(id, group);
  workspace.changes.emit({ type: 'user group', before, group });
}

export function reportRefusal(workspace: Workspace, refused: RefusedPayload): void {
  workspace.changes.emit({ type: 'refused', refused });
}

/** Sends changes to subscribers. */
interface ChangeFeed<Happening> {
  emit(change: Happening): void;
  /** Returns a function that unsubscribes. */
  subscribe(listener: (change: Happening) => void): () => void;
}

function createChangeFeed<Happening>(): ChangeFeed<Happening> {
  const listeners = new Set<(change: Happening) => void>();
  return {
    emit(change) {
      for (const listener of [...listeners]) listener(change);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Generates Slack's `ts`: seconds with six decimals, unique in the workspace and increasing. */
interface Timestamps {
  next(): { readonly ts: string; readonly at: number };
}

function createTimestamps(now: () => number): Timestamps {
  let last = 0n;
  return {
    next() {
      const wanted = BigInt(Math.floor(now())) * 1000n;
      // After the clock moves back, `ts` still increases, because it is also the order of messages.
      last = wanted > last ? wanted : last + 1n;
      const micros = last % 1_000_000n;
      return {
        ts: `${last / 1_000_000n}.${String(micros).padStart(6, '0')}`,
        at: Number(last / 1000n),
      };
    },
  };
}
