import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Log } from '../logging/logger.js';
import { isPostgresUrl } from './database/location.js';
import type { PubSub, PubSubEvents } from './postgres/pub-sub.js';

/**
 * A message between the processes on a database. It holds identifiers only. Signals can get lost, so they only speed up
 * what happens without them too: a poll of the database, or the end of a cache entry.
 */
type Signal =
  /** A channel changed, or one person joined or left it. */
  | { readonly kind: 'channel-changed'; readonly channel: string; readonly user?: string | undefined }
  | { readonly kind: 'person-changed'; readonly user: string }
  | { readonly kind: 'group-changed'; readonly group: string }
  | { readonly kind: 'home-changed'; readonly user: string }
  /** A process draws a person's Home tab from now on. */
  | {
      readonly kind: 'home-drawn';
      readonly user: string;
      readonly contents: TabContents;
      readonly drawnBy: string;
    }
  /** Slack refuses the token of the bot from now on. */
  | { readonly kind: 'token-refused' }
  /** A person cancelled a request that another process may be running. */
  | { readonly kind: 'cancelled' }
  /** Slack does not answer the process `by`, which asks whether it answers others. */
  | { readonly kind: 'reach-asked'; readonly by: string }
  | { readonly kind: 'reach-confirmed'; readonly to: string };

/** The parts of a Home tab that depend on presses. */
export interface TabContents {
  /** The ID of the saved report that the person deleted last, and can restore. */
  readonly deleted?: string | undefined;
  /** The number of digests before the first one on the page. */
  readonly digestsFrom: number;
  /** When the person last ran a report with a button of the tab, in milliseconds since the epoch. */
  readonly ranAt?: number | undefined;
}

type SignalKind = Signal['kind'];
type SignalOf<Kind extends SignalKind> = Extract<Signal, { readonly kind: Kind }>;

/** PostgreSQL takes less than 8,000 bytes at once, and sealing adds a third. Identifiers are ASCII. */
const maxTextLength = 5_500;

/** Processes that ended are still in the list of senders. */
const maxSenders = 100;

/** With more than this, the others are told to drop everything. */
const maxPending = 1_000;

export async function openSignals(location: string, process: string, log: Log): Promise<Signals> {
  if (!isPostgresUrl(location)) return signalsOver(undefined, process);
  const { openPostgresPubSub } = await import('./postgres/pub-sub.js');
  return signalsOver((events) => openPostgresPubSub(location, process, events, log), process);
}

/** Signals over a connection to the other processes. `connect` is absent if there are none. */
export function signalsOver(
  connect: ((events: PubSubEvents) => PubSub) | undefined,
  process: string,
  retryMs = 1_000,
) {
  const listeners = new Map<SignalKind, ((signal: never) => void)[]>();
  const onLoss: (() => void)[] = [];
  /** Signals to send, as JSON. Equal ones are sent once. */
  let pending = new Set<string>();
  let sentTexts = 0;
  /** The last number of each sender. */
  const heard = new LRUCache<string, number>({ max: maxSenders });
  let isSending = false;
  let isClosed = false;

  const lost = () => {
    for (const listener of onLoss) listener();
  };
  const pubSub = connect?.({
    received(text) {
      const { from, number, signals } = JSON.parse(text) as Envelope;
      // A listener could send what a process sent before.
      if (from === process || number <= (heard.get(from) ?? 0)) return;
      heard.set(from, number);
      if (signals === 'lost') return lost();
      for (const signal of signals) {
        for (const listener of listeners.get(signal.kind) ?? []) listener(signal as never);
      }
    },
    reconnected: lost,
  });

  async function sendPending(to: PubSub): Promise<void> {
    if (isSending) return;
    isSending = true;
    // Signals of one turn of the event loop share a call.
    await nextTurn();
    while (pending.size > 0 && !isClosed) {
      sentTexts += 1;
      const { text, sent } = nextEnvelope(process, sentTexts, pending);
      // The same signal may come again while this one is on its way, and then it counts.
      for (const signal of sent) pending.delete(signal);
      try {
        await to.send(text);
      } catch {
        pending = new Set([...sent, ...pending]);
        await new Promise((resolve) => setTimeout(resolve, retryMs).unref());
      }
    }
    isSending = false;
  }

  return {
    /** Tells all processes. The listeners of this one hear it before the call returns. Never throws. */
    send(signal: Signal) {
      for (const listener of listeners.get(signal.kind) ?? []) listener(signal as never);
      if (!pubSub || isClosed) return;
      pending.add(JSON.stringify(signal));
      if (pending.size > maxPending) pending = new Set([lostText]);
      void sendPending(pubSub);
    },
    on<Kind extends SignalKind>(kind: Kind, listener: (signal: SignalOf<Kind>) => void) {
      listeners.set(kind, [...(listeners.get(kind) ?? []), listener]);
    },
    /** Calls back whenever signals of other processes may have been lost. */
    onLoss(listener: () => void) {
      onLoss.push(listener);
    },
    async close() {
      isClosed = true;
      await pubSub?.close();
    },
  };
}

export type Signals = ReturnType<typeof signalsOver>;

interface Envelope {
  readonly from: string;
  /** From 1, and higher than in each envelope before. */
  readonly number: number;
  readonly signals: readonly Signal[] | 'lost';
}

/** Stands for more signals than fit. */
const lostText = '"lost"';

function nextEnvelope(
  from: string,
  number: number,
  pending: ReadonlySet<string>,
): { readonly text: string; readonly sent: readonly string[] } {
  const wrap = (signals: string) =>
    `{"from":${JSON.stringify(from)},"number":${number},"signals":${signals}}`;
  if (pending.has(lostText)) return { text: wrap(lostText), sent: [...pending] };
  const sent: string[] = [];
  let length = 0;
  for (const signal of pending) {
    length += signal.length + 1;
    if (sent.length > 0 && length > maxTextLength) break;
    sent.push(signal);
  }
  return { text: wrap(`[${sent.join(',')}]`), sent };
}
