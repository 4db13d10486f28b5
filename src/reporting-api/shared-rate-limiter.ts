import { setTimeout as sleep } from 'node:timers/promises';
import { throwIfCancelled } from '../errors/failure.js';
import type { LogOf } from '../logging/logger.js';
import type { Urgency } from '../runner/ports.js';
import type { Permit, RateLimiter, RateLimits } from './rate-limiter.js';

/** The turns at the Reporting Service of all processes on a database. Milliseconds of the database's clock. */
interface QueryTurns {
  /** Takes a turn, or returns the milliseconds until the next try. A process that waits tries at least every second. */
  take(
    turn: { readonly id: string; readonly urgency: Urgency },
    limits: RateLimits,
  ): Promise<{ readonly retryInMs: number } | undefined>;
  /** The service has begun to answer: the latest moment at which the request can have reached it. */
  markSeen(id: string): Promise<void>;
  /** The request has ended, or is no longer wanted. */
  end(id: string): Promise<void>;
  /** No process takes a turn for that long. */
  pauseFor(milliseconds: number): Promise<void>;
}

export interface SharedLimiterParts {
  readonly turns: QueryTurns;
  readonly newId: () => string;
  readonly log: LogOf<'warn'>;
}

/**
 * Keeps the limits over all processes. Each query first waits for its turn in its own process, so that at most as many
 * as may run at once wait for a turn among all.
 */
export function shareRateLimiter(
  own: RateLimiter,
  limits: RateLimits,
  { turns, newId, log }: SharedLimiterParts,
): RateLimiter {
  /** A turn that is not marked ends with its process, so a failure here only makes others wait. */
  const mark = (marking: Promise<void>) => {
    marking.catch((err: unknown) => log.warn({ err }, 'A turn at the service could not be saved'));
  };

  return {
    ...own,
    pauseFor(milliseconds) {
      own.pauseFor(milliseconds);
      mark(turns.pauseFor(milliseconds));
    },
    async acquire(entrant, options, ifExpired): Promise<Permit> {
      const { signal } = options;
      const permit = await own.acquire(entrant, options, ifExpired);
      const id = newId();
      try {
        for (;;) {
          throwIfCancelled(signal);
          const refused = await turns.take({ id, urgency: entrant.urgency }, limits);
          if (!refused) break;
          await sleep(refused.retryInMs, undefined, { signal }).catch(() => {});
        }
      } catch (error) {
        permit.release();
        mark(turns.end(id));
        throw error;
      }
      return {
        answerBegan() {
          permit.answerBegan();
          mark(turns.markSeen(id));
        },
        release() {
          permit.release();
          mark(turns.end(id));
        },
      };
    },
  };
}
