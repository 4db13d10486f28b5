import { type Digest, type DueDigest, dedupeKey, nextDueOf } from '../digests/digest.js';
import { latestDueRun } from '../schedule/next-runs.js';
import type { ClockWatch } from './clock-changes.js';
import { forEachDigest } from './notifications.js';
import type { DigestParts } from './ports.js';

/** Small, so that a transaction does not block other writers. */
const batchSize = 20;

/** A run entered this long after its due time counts as late. */
const lateAfterMs = 60_000;

/** Older occurrences are ignored, because only the latest missed one is delivered. */
const maxLookBackMs = 400 * 24 * 3_600_000;

/**
 * Enters due occurrences into the ledger, earliest first. Of several occurrences of one digest, only the latest. The
 * result is complete once all are entered.
 *
 * @param budgetMs stops after about this long, in monotonic milliseconds
 */
export async function enterDue(parts: DigestParts, watch: ClockWatch, budgetMs: number, signal: AbortSignal) {
  const { store, monotonic } = parts;
  const until = monotonic() + budgetMs;
  let count = 0;
  while (!signal.aborted && monotonic() < until) {
    const now = watch.now();
    const found = await store.digests.due(now, batchSize);
    const due: DueDigest[] = [];
    await forEachDigest(found, parts, (digest) => due.push(dueDigest(digest, now)));
    if (due.length > 0) await store.ledger.enter(due, now);
    count += due.length;
    if (found.length < batchSize) return { isComplete: true, count };
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { isComplete: false, count };
}

/** Enters the due occurrence of a digest before a change replaces its due time. */
export async function enterBeforeChange(
  digest: Digest,
  parts: { readonly store: Pick<DigestParts['store'], 'ledger'>; readonly clock: { now(): number } },
): Promise<void> {
  const now = parts.clock.now();
  if (digest.nextDue === undefined || digest.nextDue > now) return;
  await parts.store.ledger.enter([dueDigest(digest, now)], now);
}

function dueDigest(digest: Digest, now: number): DueDigest {
  const { schedule, request, nextDue = now } = digest;
  const after = Math.max(nextDue - 1, now - maxLookBackMs);
  const { latest, missed } =
    digest.audience === 'managers' ? latestWave(digest, after, now) : latestDueRun(schedule, after, now);
  const dueAt = latest ?? nextDue;
  const next = nextDueOf(digest, now) ?? null;
  if (next !== null && !(next > now)) throw new Error('The schedule has no next time');
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

/** A wave of a digest for managers serves the readers of those before it that were missed. */
function latestWave(digest: Digest, after: number, now: number): ReturnType<typeof latestDueRun> {
  let latest: number | undefined;
  for (let next = nextDueOf(digest, after); next !== undefined && next <= now; next = nextDueOf(digest, next))
    latest = next;
  return { latest, missed: 0 };
}
