import type { DueDigest } from '../store/ledger-entering.js';
import type { Digest } from './digest.js';
import { latestDue, nextRuns } from './next-runs.js';
import type { DigestParts } from './parts.js';
import { sameAs } from './same-as.js';

type Parts = Pick<DigestParts, 'store' | 'clock'>;

/** Few enough for a transaction to hold nobody up. */
const batch = 20;
const page = 200;

/** What is entered so much later than it was due is late. */
const lateAfter = 60_000;

/** Nothing older is looked for: of what was missed only the latest counts. */
const longestLookBack = 400 * 24 * 3_600_000;

/** Enters everything that is due now into the ledger. Of several due times of one digest, only the latest. */
export async function enterDue({ store, clock }: Parts, signal: AbortSignal): Promise<number> {
  let entered = 0;
  while (!signal.aborted) {
    const now = clock.now();
    const due = await store.digests.due(now, batch);
    const runs = due.map((digest) => dueDigest(digest, now));
    entered += (await store.ledger.enter(runs, now)).filter((id) => id !== undefined).length;
    if (due.length < batch) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return entered;
}

function dueDigest(digest: Digest, now: number): DueDigest {
  const { schedule, request, nextDue = now } = digest;
  const { latest, missed } = latestDue(schedule, Math.max(nextDue - 1, now - longestLookBack), now);
  const dueAt = latest ?? nextDue;
  return {
    digest,
    run: {
      dueAt,
      sameAs: sameAs(request, schedule.zone, dueAt),
      missed,
      late: now - dueAt > lateAfter,
    },
    nextDue: nextRuns(schedule, now, 1)[0] ?? null,
  };
}

/**
 * Looks at every active digest, and brings forward those that would come later than they should: a clock that was
 * ahead and went back would leave them silent. What was entered already is not entered again.
 */
export async function bringForward({ store, clock }: Parts, signal: AbortSignal): Promise<void> {
  let after: string | undefined;
  while (!signal.aborted) {
    const digests = await store.digests.active(page, after);
    for (const { id, revision, schedule, nextDue } of digests) {
      const next = nextRuns(schedule, clock.now(), 1)[0];
      if (next !== undefined && (nextDue === undefined || nextDue > next)) {
        await store.digests.comesNext(id, revision, next);
      }
    }
    after = digests.at(-1)?.id;
    if (digests.length < page) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
