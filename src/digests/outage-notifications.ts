import { yieldToEventLoop } from './enter-due.js';
import { notifiedAtOnce } from './failure.js';
import type { DigestParts } from './ports.js';
import type { Outage } from './store-ports.js';

/** Has those told whom an outage concerns. */
export interface OutageNotifier {
  /** Begins, where it is time to, and goes on beside everything else: it may concern very many people. */
  check(open: readonly Outage[]): void;
  /** Another outage began: it is looked at without waiting. */
  checkSoon(): void;
  /** Resolves when nothing of it is under way. */
  done(): Promise<void>;
}

/** An outage that may pass by itself is told after so long. */
const notifyAfterMs = 10 * 60_000;
const checkIntervalMs = 15_000;

/** Few enough for a statement to hold nobody up. */
const batchSize = 50;

type Parts = Pick<DigestParts, 'store' | 'clock' | 'monotonic' | 'log' | 'admins'>;

export function notifyOutages(parts: Parts, signal: AbortSignal): OutageNotifier {
  const { store, clock, monotonic, admins } = parts;
  /** By outage, who is in the store as somebody who is told of it. */
  const told = new Map<string, Set<string>>();
  /** By outage, since when it has lasted, by a clock that may have gone back meanwhile. */
  const lasting = new Map<string, number>();
  let nextLook = 0;
  let telling: Promise<void> | undefined;

  async function tell(outages: readonly Outage[]) {
    for (const known of [...told.keys()]) {
      if (!outages.some(({ id }) => id === known)) told.delete(known);
    }
    if (outages.length === 0) return;
    const people = new Set([...admins, ...(await store.ledger.waitingOwners())]);
    for (const { id } of outages) await tellPeople(id, people);
  }

  async function tellPeople(subject: string, people: ReadonlySet<string>) {
    const known = told.get(subject) ?? new Set();
    told.set(subject, known);
    const news = [...people].filter((person) => !known.has(person));
    const breathe = yieldToEventLoop(monotonic);
    for (let from = 0; from < news.length && !signal.aborted; from += batchSize) {
      const some = news.slice(from, from + batchSize);
      await store.digestNotifications.addForAll(some, { kind: 'outage', subject }, clock.now());
      for (const person of some) known.add(person);
      await breathe();
    }
  }

  function isTimeToTell({ id, code, since }: Outage): boolean {
    const from = Math.min(lasting.get(id) ?? since, clock.now());
    lasting.set(id, from);
    return notifiedAtOnce.has(code) || clock.now() - from >= notifyAfterMs;
  }

  return {
    check(open) {
      for (const known of [...lasting.keys()]) {
        if (!open.some(({ id }) => id === known)) lasting.delete(known);
      }
      const ripe = open.filter(isTimeToTell);
      if (telling || monotonic() < nextLook) return;
      nextLook = monotonic() + checkIntervalMs;
      telling = tell(ripe)
        .catch((error) => {
          if (!signal.aborted)
            parts.log.error({ err: error }, 'People could not be told yet why digests wait');
        })
        .finally(() => {
          telling = undefined;
        });
    },
    checkSoon() {
      nextLook = 0;
    },
    done: async () => telling,
  };
}
