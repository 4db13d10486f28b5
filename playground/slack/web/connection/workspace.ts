import type {
  InspectorEntry,
  PageChannel,
  PageClock,
  PageMessage,
  PageProcess,
  PageRefusal,
  PageUpdate,
  PageUser,
  PageView,
  Snapshot,
  StateValue,
  StateValues,
  Surface,
} from '../../server/page-protocol.js';

/** The state of the page: the workspace as one person sees it. Immutable. */
export interface Workspace {
  readonly team: Snapshot['team'];
  readonly me: string;
  readonly users: ReadonlyMap<string, PageUser>;
  readonly bot: Snapshot['bot'];
  readonly commands: Snapshot['commands'];
  readonly shortcuts: Snapshot['shortcuts'];
  /** In the order of the sidebar. */
  readonly channels: ReadonlyMap<string, PageChannel>;
  readonly openChannel: string;
  /** By `channel/ts`. */
  readonly messages: ReadonlyMap<string, PageMessage>;
  /** Bottom first. */
  readonly modals: readonly PageView[];
  readonly home: PageView | undefined;
  /** Newest first. */
  readonly refusals: readonly PageRefusal[];
  /** Refusals up to this ID came before the page was opened. */
  readonly lastOldRefusalId: number;
  /** Newest first. */
  readonly inspector: readonly InspectorEntry[];
  /** The processes of the bot; undefined where there is one. */
  readonly processes: readonly PageProcess[] | undefined;
  readonly clock: PageClock;
  /** When `clock` was received, in milliseconds by the browser's clock. */
  readonly clockReceivedAt: number;
  /** Values typed on the page and not sent yet, by surface. */
  readonly typed: Readonly<Record<string, StateValues>>;
}

const maxInspectorEntries = 300;

export function surfaceKey(surface: Surface): string {
  return surface.kind === 'view' ? surface.view : messageKey(surface.channel, surface.ts);
}

function messageKey(channel: string, ts: string): string {
  return `${channel}/${ts}`;
}

/** The state for a snapshot. Typed values stay if the person is the same, as after a reconnect. */
export function fromSnapshot(snapshot: Snapshot, now: number, before?: Workspace): Workspace {
  return {
    team: snapshot.team,
    me: snapshot.me,
    users: new Map(snapshot.users.map((user) => [user.id, user])),
    bot: snapshot.bot,
    commands: snapshot.commands,
    shortcuts: snapshot.shortcuts,
    channels: new Map(snapshot.channels.map((channel) => [channel.id, channel])),
    openChannel: snapshot.openChannel,
    messages: new Map(snapshot.messages.map((message) => [messageKey(message.channel, message.ts), message])),
    modals: snapshot.modals,
    home: snapshot.home,
    refusals: snapshot.refusals,
    lastOldRefusalId: before?.lastOldRefusalId ?? snapshot.refusals[0]?.id ?? 0,
    inspector: snapshot.inspector,
    processes: snapshot.processes,
    clock: snapshot.clock,
    clockReceivedAt: now,
    typed: before?.me === snapshot.me ? before.typed : {},
  };
}

/** The state after an update. `now` is the browser's time in milliseconds. */
export function applyUpdate(workspace: Workspace, update: PageUpdate, now: number): Workspace {
  switch (update.type) {
    case 'message': {
      const key = messageKey(update.message.channel, update.message.ts);
      return { ...workspace, messages: withEntry(workspace.messages, key, update.message) };
    }
    case 'message-removed':
      return {
        ...workspace,
        messages: withoutEntry(workspace.messages, messageKey(update.channel, update.ts)),
      };
    case 'channel':
      return { ...workspace, channels: withEntry(workspace.channels, update.channel.id, update.channel) };
    case 'channel-removed':
      return { ...workspace, channels: withoutEntry(workspace.channels, update.channel) };
    case 'modals':
      return { ...workspace, modals: update.modals, typed: withoutClosed(workspace, update.modals) };
    case 'home':
      return { ...workspace, home: update.home };
    case 'refusal':
      return { ...workspace, refusals: withItem(workspace.refusals, update.refusal) };
    case 'inspector':
      return {
        ...workspace,
        inspector: withItem(workspace.inspector, update.entry).slice(0, maxInspectorEntries),
      };
    case 'clock':
      return { ...workspace, clock: update.clock, clockReceivedAt: now };
    case 'processes':
      return { ...workspace, processes: update.processes };
    case 'bot':
      return { ...workspace, bot: { ...workspace.bot, connected: update.connected } };
  }
}

/** The state with a value that was typed or chosen on a surface. */
export function withTyped(
  workspace: Workspace,
  surface: Surface,
  blockId: string,
  actionId: string,
  value: StateValue,
): Workspace {
  const key = surfaceKey(surface);
  const before = workspace.typed[key] ?? {};
  const typed = { ...before, [blockId]: { ...before[blockId], [actionId]: value } };
  return { ...workspace, typed: { ...workspace.typed, [key]: typed } };
}

function withoutClosed(workspace: Workspace, open: readonly PageView[]): Workspace['typed'] {
  const openIds = new Set(open.map((view) => view.id));
  const closed = workspace.modals.filter((view) => !openIds.has(view.id));
  if (closed.length === 0) return workspace.typed;
  const closedIds = new Set(closed.map((view) => view.id));
  return Object.fromEntries(Object.entries(workspace.typed).filter(([key]) => !closedIds.has(key)));
}

function withEntry<V>(map: ReadonlyMap<string, V>, key: string, value: V): ReadonlyMap<string, V> {
  return new Map(map).set(key, value);
}

function withoutEntry<V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}

/** Replaces the item with the same ID, or adds it at the start. */
function withItem<V extends { readonly id: number }>(list: readonly V[], item: V): readonly V[] {
  return list.some((other) => other.id === item.id)
    ? list.map((other) => (other.id === item.id ? item : other))
    : [item, ...list];
}

/** The workspace's time now, in milliseconds since the epoch. */
export function workspaceNow(
  workspace: Pick<Workspace, 'clock' | 'clockReceivedAt'>,
  browserNow: number,
): number {
  return workspace.clock.now + (browserNow - workspace.clockReceivedAt);
}

/** True for users that people can choose or mention. Slackbot is a user of the workspace, and neither. */
export function isSelectable(user: PageUser): boolean {
  return user.handle !== 'slackbot';
}
