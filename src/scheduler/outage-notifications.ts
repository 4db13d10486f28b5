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
  /** By outage ID: its start in epoch milliseconds, corrected if the clock went back, and who has a notification. */
  const known = new Map<string, { from: number; readonly people: Set<string> }>();
  let nextCheck = 0;
  let running: Promise<void> | undefined;

  async function notifyAll(outages: readonly Outage[]) {
    if (outages.length === 0) return;
    const affected = [...(await admins()), ...(await store.ledger.waitingOwners())];
    for (const { id: subject } of outages) {
      const people = known.get(subject)?.people ?? new Set();
      const recipients = [...new Set(affected)].filter((person) => !people.has(person));
      const yieldIfNeeded = yieldToEventLoop(monotonic);
      for (let from = 0; from < recipients.length && !signal.aborted; from += batchSize) {
        const batch = recipients.slice(from, from + batchSize);
        await store.digestNotifications.addForAll(batch, { kind: 'outage', subject }, clock.now());
        for (const person of batch) people.add(person);
        await yieldIfNeeded();
      }
    }
  }

  function shouldNotify({ id, code, since }: Outage): boolean {
    const now = clock.now();
    const outage = known.get(id) ?? { from: since, people: new Set() };
    outage.from = Math.min(outage.from, now);
    known.set(id, outage);
    return notifiedAtOnce.has(code) || now - outage.from >= notifyAfterMs;
  }

  return {
    /** Starts in the background, because an outage may affect thousands of people. */
    check(open: readonly Outage[]) {
      for (const id of known.keys()) if (!open.some((outage) => outage.id === id)) known.delete(id);
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
