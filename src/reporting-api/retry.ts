import { Failure, isFailure } from '../errors/failure.js';

/** How often a query has failed, and since when. */
export interface Failures {
  readonly count: number;
  /** Those with status 429 and no wait. */
  readonly tooMany: number;
  /** Monotonic milliseconds; not used while `count` is 0. */
  readonly since: number;
}

export const noFailures: Failures = { count: 0, tooMany: 0, since: 0 };

const maxRetries = 3;
const retryWindowMs = 5 * 60_000;
const firstRateLimitWaitMs = 30_000;
/**
 * Short, since a person is waiting. A dropped connection works again at once, and a service that restarts is back
 * within seconds.
 */
const shortWaitsMs = [1000, 2000, 4000] as const;

/** Decides whether to retry a failed query: at most three times, within five minutes. */
export function decideRetry(error: unknown, before: Failures, now: number) {
  const since = before.count === 0 ? now : before.since;
  const expiresAt = since + retryWindowMs;
  const wait = waitAfter(error, before, expiresAt - now);
  if (!wait || before.count >= maxRetries) return { kind: 'give-up', error } as const;
  const { afterMs, isNamed, forAll } = wait;
  if (now + afterMs > expiresAt) {
    return {
      kind: 'give-up',
      error: isNamed ? new Failure('wait-too-long', { waitMs: afterMs }) : error,
    } as const;
  }
  const failures: Failures = {
    count: before.count + 1,
    tooMany: before.tooMany + (forAll && !isNamed ? 1 : 0),
    since,
  };
  return {
    kind: 'retry',
    afterMs,
    /** Monotonic milliseconds. No retry starts later. */
    expiresAt,
    /** True when the service asked for a wait of all queries. */
    forAll,
    /** False when other queries take the place of this one while it waits. */
    keepsPlace: !isFailure(error, 'service-broken'),
    failures,
  } as const;
}

/** How long to wait before the retry; undefined if a retry would not help. `isNamed`: the service named the wait. */
function waitAfter(error: unknown, before: Failures, timeLeft: number) {
  if (isFailure(error, 'too-many-requests')) {
    const { retryAfterMs } = error.details;
    const afterMs = retryAfterMs ?? firstRateLimitWaitMs * 2 ** before.tooMany;
    // The limit belongs to the token, so other queries would be refused too.
    return { afterMs, isNamed: retryAfterMs !== undefined, forAll: true };
  }
  if (!mayPass(error)) return undefined;
  const short = shortWaitsMs[Math.min(before.count, shortWaitsMs.length - 1)] ?? 0;
  const named = isFailure(error, 'service-broken') ? error.details.retryAfterMs : undefined;
  // A service that is down may name a wait. If it is too long, the short waits are used: such times are guesses.
  const isUsed = named !== undefined && named <= timeLeft;
  // One report may be broken while the others work, so the other queries go on.
  return { afterMs: isUsed ? Math.max(short, named) : short, isNamed: false, forAll: false };
}

/** Failures that often end within a moment. A timeout is not one of them: it already took minutes. */
function mayPass(error: unknown): boolean {
  if (isFailure(error, 'service-broken')) return error.details.status >= 502 && error.details.status <= 504;
  if (isFailure(error, 'service-unreachable')) return error.details.reason === 'refused';
  if (isFailure(error, 'damaged-answer')) return error.details.cutShort;
  return isFailure(error, 'connection-lost', 'answer-cut-short');
}
