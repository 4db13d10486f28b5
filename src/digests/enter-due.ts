import { latestDueRun, nextRuns } from '../schedule/next-runs.js';
import type { ClockWatch } from './clock-changes.js';
import { type Digest, dedupeKey } from './digest.js';
import type { DueDigest, Ledger } from './ledger.js';
import type { DigestParts } from './ports.js';
import { quarantineDigest, UnreadableDigest } from './quarantine.js';

type Parts = Pick<DigestParts, 'store' | 'clock' | 'monotonic' | 'log'>;

/** Few enough for a transaction to hold nobody up. */
const batchSize = 20;

/** What is entered so much later than it was due is late. */
const lateAfterMs = 60_000;

/** Nothing older is looked for: of what was missed only the latest counts. */
const maxLookBackMs = 400 * 24 * 3_600_000;

/**
 * Enters what is due now into the ledger, the earliest first. Of several due times of one digest, only the latest.
 *
 * @param forMs it ends after about so long, in real milliseconds
 * @returns whether everything that is due was entered
 */
export async function enterDue(
  parts: Parts,
  watch: ClockWatch,
  forMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { store, monotonic } = parts;
  const until = monotonic() + forMs;
  while (!signal.aborted && monotonic() < until) {
    const now = watch.now();
    const found = await store.digests.due(now, batchSize);
    const due = await dueDigests(found, now, parts);
    if (due.length > 0) await store.ledger.enter(due, now);
    if (found.length < batchSize) return true;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return false;
}

interface EnteringParts {
  readonly store: { readonly ledger: Pick<Ledger, 'enter'> };
  readonly clock: { now(): number };
}

/** Enters the one that is due of a digest that is about to be changed: it would be lost with its old times. */
export async function enterBeforeChange(digest: Digest, parts: EnteringParts): Promise<void> {
  const now = parts.clock.now();
  if (digest.nextDue === undefined || digest.nextDue > now) return;
  await parts.store.ledger.enter([dueDigest(digest, now)], now);
}

/** What each of them has to run now. One that nothing can be worked out for is set aside. */
async function dueDigests(
  found: readonly (Digest | UnreadableDigest)[],
  now: number,
  parts: Parts,
): Promise<readonly DueDigest[]> {
  const breathe = yieldToEventLoop(parts.monotonic);
  const due: DueDigest[] = [];
  for (const digest of found) {
    try {
      if (digest instanceof UnreadableDigest) throw digest;
      due.push(dueDigest(digest, now));
    } catch (error) {
      await quarantineDigest(digest, error, parts);
    }
    await breathe();
  }
  return due;
}

function dueDigest(digest: Digest, now: number): DueDigest {
  const { schedule, request, nextDue = now } = digest;
  const { latest, missed } = latestDueRun(schedule, Math.max(nextDue - 1, now - maxLookBackMs), now);
  const dueAt = latest ?? nextDue;
  const next = nextRuns(schedule, now, 1)[0] ?? null;
  if (next !== null && !(next > now)) throw new Error('A schedule gives no time');
  return {
    digest,
    run: {
      dueAt,
      dedupeKey: dedupeKey(request, schedule.zone, dueAt),
      missed,
      late: now - dueAt > lateAfterMs,
    },
    nextDue: next,
  };
}

/** Commands have to be acknowledged beside whatever goes on: nothing holds the event loop for much longer. */
const maxBlockingMs = 5;

/**
 * For work on very many things, to be called after each few: lets everything else go on once it has held the event loop
 * for long enough.
 *
 * @param now monotonic milliseconds
 */
export function yieldToEventLoop(now: () => number): () => Promise<void> {
  let since = now();
  return async () => {
    if (now() - since < maxBlockingMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    since = now();
  };
}
