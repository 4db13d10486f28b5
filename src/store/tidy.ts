import type { Log } from '../logging/logger.js';
import type { Clock } from '../time/clock.js';
import type { Store } from './store.js';

const hour = 3_600_000;
const day = 24 * hour;

/** How long things are kept. Slack tries an event again for 25 hours at most. */
export const keptFor = {
  asks: 400 * day,
  seenEnvelopes: 2 * day,
  lastFigures: 400 * day,
  builderDrafts: 7 * day,
  knownValues: 56 * day,
  /** After their deletion, which can be undone for ten minutes. */
  savedReports: hour,
  runs: 400 * day,
  deletedDigests: day,
  digestNotices: 400 * day,
  digestOutages: 400 * day,
  digestDrafts: 7 * day,
} as const;

/** Few enough for a statement to hold nobody up. */
const batch = 100;

/** Deletes what has been kept long enough, now and every hour. Returns the way to stop. */
export function startTidying(store: Store, clock: Clock, log: Log): () => Promise<void> {
  const stop = new AbortController();
  const done = tidyAgainAndAgain(store, clock, log, stop.signal);
  return async () => {
    stop.abort();
    await done;
  };
}

/** Deletes what has been kept long enough, a batch at a time. */
export async function tidy(store: Store, now: number, signal?: AbortSignal): Promise<void> {
  const subjects = [
    [store.asks, keptFor.asks],
    [store.seenEnvelopes, keptFor.seenEnvelopes],
    [store.lastFigures, keptFor.lastFigures],
    [store.builderDrafts, keptFor.builderDrafts],
    [store.knownValues, keptFor.knownValues],
    [store.savedReports, keptFor.savedReports],
    [store.ledger, keptFor.runs],
    [store.digests, keptFor.deletedDigests],
    [store.digestNotices, keptFor.digestNotices],
    [store.digestOutages, keptFor.digestOutages],
    [store.digestDrafts, keptFor.digestDrafts],
  ] as const;
  for (const [subject, kept] of subjects) {
    while (!signal?.aborted && (await subject.forgetBefore(now - kept, batch)) === batch) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

async function tidyAgainAndAgain(store: Store, clock: Clock, log: Log, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await tidy(store, clock.now(), signal).catch((error: unknown) => {
      log.warn(
        { err: error },
        'Old entries could not be deleted from the database; the next try is in an hour',
      );
    });
    await clock.sleep(hour, signal).catch(() => {});
  }
}
