import { nextRuns } from '../schedule/next-runs.js';
import type { NextTime } from '../store/digests/digests.js';
import { breathsAt } from './breaths.js';
import type { ClockWatch } from './clock-watch.js';
import type { Digest } from './digest.js';
import type { DigestParts } from './ports.js';
import { setAside } from './quarantine.js';
import { UnreadableDigest } from './unreadable.js';

type Parts = Pick<DigestParts, 'store' | 'clock' | 'monotonic' | 'log'>;

/** Few enough for a page to hold nobody up. */
const page = 50;

/**
 * Looks at every active digest, and brings forward those that would come later than they should: a clock that was
 * ahead and went back would leave them silent. What was entered already is not entered again. It goes on beside
 * everything else, since there may be very many.
 */
export async function bringForward(parts: Parts, watch: ClockWatch, signal: AbortSignal): Promise<void> {
  const breathe = breathsAt(parts.monotonic);
  let after: string | undefined;
  while (!signal.aborted) {
    const digests = await parts.store.digests.active(page, after);
    const times: NextTime[] = [];
    for (const digest of digests) {
      try {
        if (digest instanceof UnreadableDigest) throw digest;
        const time = earlier(digest, watch.now());
        if (time) times.push(time);
      } catch (error) {
        await setAside(digest, error, parts);
      }
      await breathe();
    }
    if (times.length > 0) await parts.store.digests.comeNext(times);
    after = digests.at(-1)?.id;
    if (digests.length < page) return;
  }
}

function earlier({ id, revision, schedule, nextDue }: Digest, now: number): NextTime | undefined {
  const next = nextRuns(schedule, now, 1)[0];
  if (next !== undefined && !(next > now)) throw new Error('A schedule gives no time');
  const isTooLate = next !== undefined && (nextDue === undefined || nextDue > next);
  return isTooLate ? { id, revision, was: nextDue ?? null, nextDue: next } : undefined;
}
