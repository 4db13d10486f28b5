import {
  AnswerCutShort,
  ConnectionLost,
  DamagedAnswer,
  ServiceBroken,
  ServiceUnreachable,
  TooManyRequests,
  WaitTooLong,
} from './errors.js';

/** How often one question has failed so far, and since when. */
export interface Failures {
  readonly count: number;
  /** Those among them that said "too many requests" and not for how long. */
  readonly tooMany: number;
  /** Milliseconds of the monotonic clock; meaningless while `count` is 0. */
  readonly since: number;
}

export const noFailures: Failures = { count: 0, tooMany: 0, since: 0 };

/** What to do about a failure. */
export type RetryDecision =
  | { readonly kind: 'give-up'; readonly error: unknown }
  | {
      readonly kind: 'again';
      readonly afterMs: number;
      /** No further try is begun after that, on the monotonic clock. */
      readonly expiresAt: number;
      /** True when the service asked everybody to wait, not this question alone. */
      readonly forAll: boolean;
      readonly failures: Failures;
    };

const maxRetries = 3;
const retryWindowMs = 5 * 60_000;
const firstRateLimitWaitMs = 30_000;
/**
 * Short, since somebody is waiting: a dropped connection is good again at once, and a service that restarts or sits
 * behind a balancer is back within seconds. Together they still retryWindowMs more than such a gap.
 */
const shortWaitsMs = [1000, 2000, 4000] as const;

/** Decides whether a question that failed is asked again: at most three times, within five minutes. */
export function decideRetry(error: unknown, before: Failures, now: number): RetryDecision {
  const since = before.count === 0 ? now : before.since;
  const expiresAt = since + retryWindowMs;
  const wait = waitAfter(error, before, expiresAt - now);
  if (!wait || before.count >= maxRetries) return { kind: 'give-up', error };
  if (now + wait.afterMs > expiresAt) {
    return { kind: 'give-up', error: wait.asked ? new WaitTooLong(wait.afterMs) : error };
  }
  const failures: Failures = {
    count: before.count + 1,
    tooMany: before.tooMany + (error instanceof TooManyRequests && !wait.asked ? 1 : 0),
    since,
  };
  return { kind: 'again', afterMs: wait.afterMs, expiresAt, forAll: wait.forAll, failures };
}

interface Wait {
  readonly afterMs: number;
  /** The service itself said how long. */
  readonly asked: boolean;
  readonly forAll: boolean;
}

/** How long to wait before asking again; undefined where that would not help. */
function waitAfter(error: unknown, before: Failures, timeLeft: number): Wait | undefined {
  if (error instanceof TooManyRequests) {
    const afterMs = error.retryAfterMs ?? firstRateLimitWaitMs * 2 ** before.tooMany;
    // The limit is the token's, so whoever asks meanwhile would only be turned away too.
    return { afterMs, asked: error.retryAfterMs !== undefined, forAll: true };
  }
  if (!mayPass(error)) return undefined;
  const short = shortWaitsMs[Math.min(before.count, shortWaitsMs.length - 1)] ?? 0;
  const asked = error instanceof ServiceBroken ? error.retryAfterMs : undefined;
  // A service that is down may say for how long. Where that is too long, the short waits are still worth their while:
  // such times are guesses.
  if (asked === undefined || asked > timeLeft) return { afterMs: short, asked: false, forAll: false };
  return { afterMs: Math.max(short, asked), asked: false, forAll: true };
}

/** Failures that are often over a moment later. Silence is not among them: it has cost minutes already. */
function mayPass(error: unknown): boolean {
  if (error instanceof ServiceBroken) return error.status >= 502 && error.status <= 504;
  if (error instanceof ServiceUnreachable) return error.reason === 'refused';
  if (error instanceof DamagedAnswer) return error.cutShort;
  return error instanceof ConnectionLost || error instanceof AnswerCutShort;
}
