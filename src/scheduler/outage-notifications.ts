import { notifiedAtOnce } from '../digests/failure.js';
import type { Outage } from '../digests/outage.js';
import { yieldToEventLoop } from '../time/clock.js';
import type { DigestParts } from './ports.js';

/** People hear of an outage that may resolve by itself only after this time. */
const notifyAfterMs = 10 * 60_000;
const checkIntervalMs = 15_000;

/** Small, so that a statement does not block other writers. */
const batchSize = 50;

/** Enters notifications for the people whom an outage affects. */
export function notifyOutages(parts: DigestParts, signal: AbortSignal) {
  const { store, clock, monotonic, admins } = parts;
  /** By outage ID: the people who already have a notification in the store. */
  const notified = new Map<string, Set<string>>();
  /** By outage ID: its start in epoch milliseconds, corrected if the clock went back. */
  const startedAt = new Map<string, number>();
  let nextCheck = 0;
  let running: Promise<void> | undefined;

  async function notifyAll(outages: readonly Outage[]) {
    for (const known of [...notified.keys()]) {
      if (!outages.some(({ id }) => id === known)) notified.delete(known);
    }
    if (outages.length === 0) return;
    const people = new Set([...(await admins()), ...(await store.ledger.waitingOwners())]);
    for (const { id } of outages) await addNotifications(id, people);
  }

  async function addNotifications(subject: string, people: ReadonlySet<string>) {
    const known = notified.get(subject) ?? new Set();
    notified.set(subject, known);
    const recipients = [...people].filter((person) => !known.has(person));
    const yieldIfNeeded = yieldToEventLoop(monotonic);
    for (let from = 0; from < recipients.length && !signal.aborted; from += batchSize) {
      const batch = recipients.slice(from, from + batchSize);
      await store.digestNotifications.addForAll(batch, { kind: 'outage', subject }, clock.now());
      for (const person of batch) known.add(person);
      await yieldIfNeeded();
    }
  }

  function shouldNotify({ id, code, since }: Outage): boolean {
    const from = Math.min(startedAt.get(id) ?? since, clock.now());
    startedAt.set(id, from);
    return notifiedAtOnce.has(code) || clock.now() - from >= notifyAfterMs;
  }

  return {
    /** Starts in the background, because an outage may affect thousands of people. */
    check(open: readonly Outage[]) {
      for (const known of [...startedAt.keys()]) {
        if (!open.some(({ id }) => id === known)) startedAt.delete(known);
      }
      const due = open.filter(shouldNotify);
      if (running || monotonic() < nextCheck) return;
      nextCheck = monotonic() + checkIntervalMs;
      running = notifyAll(due)
        .catch((error) => {
          if (!signal.aborted)
            parts.log.error({ err: error }, 'Notifications about an outage could not be entered yet');
        })
        .finally(() => {
          running = undefined;
        });
    },
    /** Makes the next `check` skip the interval. */
    checkSoon() {
      nextCheck = 0;
    },
    /** Resolves when no check is running. */
    done: async () => running,
  };
}
