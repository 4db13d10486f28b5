import { Failure, isFailure, systemCodeOf } from '../errors/failure.js';
import { withSourceLocations } from '../logging/stacks.js';
import type { Query, ReadOptions, ReadPlan, ReadResult } from '../runner/ports.js';
import {
  type AnswerInProgress,
  type AnswerReader,
  createThreadReader,
  serializeError,
} from './answer-reader.js';
import { withEntryTexts, withIdentifiers } from './filter-names.js';
import { buildHttpCall, splitByRange } from './http-request.js';
import type { QueuedQuery } from './query-queue.js';
import { createRateLimiter, type MonotonicClock, systemMonotonicClock } from './rate-limiter.js';
import { decideRetry, type Failures, noFailures } from './retry.js';
import type { ReportingSettings } from './settings.js';
import { type SharedLimiterParts, shareRateLimiter } from './shared-rate-limiter.js';

export interface ReportingApiParts {
  /** No entry contains a token, an address or a filter. */
  readonly log: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
  };
  /** Called after each query with a whole answer. */
  readonly onAnswer?: () => void;
  /** Called with the milliseconds that each query waited for its permit. */
  readonly onQueueWait?: (waitedMs: number) => void;
  /** Called with the decompressed bytes of each answer, read whole or in part. */
  readonly onBytes?: (bytes: number) => void;
  /** Called when that other thread has died, with all that it had collected. */
  readonly onThreadDied?: () => void;
  /** Absent: answers are read in another thread. */
  readonly reader?: AnswerReader;
  /** Absent: the machine's. */
  readonly clock?: MonotonicClock;
  /** Set where several processes share the limits. */
  readonly shared?: SharedLimiterParts | undefined;
}

export type ReportingApi = ReturnType<typeof openReportingApi>;

/** Opens the client of the Reporting Service. The first query starts and connects it. */
export function openReportingApi(settings: ReportingSettings, parts: ReportingApiParts) {
  const {
    log,
    clock = systemMonotonicClock,
    reader = createThreadReader({ proxies: settings.proxies }, undefined, parts.onThreadDied),
  } = parts;
  const own = createRateLimiter(settings, clock);
  const limiter = parts.shared ? shareRateLimiter(own, settings, parts.shared) : own;
  const underWay = new Map<AbortController, Promise<ReadResult>>();
  let closed = false;

  return {
    source: {
      async read(query: Query, reading: ReadPlan, options: ReadOptions): Promise<ReadResult> {
        const ended = new AbortController();
        const cancel = () => ended.abort(options.signal.reason);
        if (options.signal.aborted || closed) cancel();
        options.signal.addEventListener('abort', cancel, { once: true });
        try {
          const read = readAnswer(query, reading, { ...options, signal: ended.signal });
          underWay.set(ended, read);
          const result = await read;
          parts.onAnswer?.();
          return result;
        } finally {
          underWay.delete(ended);
          options.signal.removeEventListener('abort', cancel);
        }
      },
    },
    /** Queries that run now, and those that wait for the rate limiter. */
    queries: limiter.lengths,
    /** Cancels all queries, and resolves when they have ended. */
    async close(): Promise<void> {
      closed = true;
      for (const ended of underWay.keys()) ended.abort();
      await Promise.allSettled(underWay.values());
      await reader.close();
    },
  };

  async function readAnswer(query: Query, reading: ReadPlan, options: ReadOptions): Promise<ReadResult> {
    const named = settings.names ? withIdentifiers(query, settings.names) : query;
    const windows = splitByRange(named, settings.maxRangeDays);
    const { signal } = options;
    if (signal.aborted) throw new Failure('cancelled', { cause: signal.reason });
    const answer = reader.open(settings.names ? withEntryTexts(reading, settings.names) : reading);
    try {
      let read: ReadResult | undefined;
      for (const window of windows) {
        read = await sendUntilAnswered(window, answer, window === windows.at(-1), options);
      }
      if (!read) throw new Error('A reading ended without a result');
      return read;
    } catch (error) {
      if (!isFailure(error)) logOwnFailure(error, query, options);
      await answer.discard().catch((failure) => {
        log.warn({ failure: systemCodeOf(failure) }, 'What was read of a failed answer could not be removed');
      });
      throw error;
    }
  }

  /**
   * Logged here, because some callers continue without the answer, such as that of the previous period. The message is
   * left out: it may quote a row.
   */
  function logOwnFailure(error: unknown, { operation }: Query, { urgency }: ReadOptions) {
    const { name, stack } = serializeError(error);
    log.warn(
      { operation, urgency, name, stack: withSourceLocations(stack) },
      'Reading an answer failed on our side',
    );
  }

  async function sendUntilAnswered(
    query: Query,
    answer: AnswerInProgress,
    isLast: boolean,
    options: ReadOptions,
  ): Promise<ReadResult | undefined> {
    const { urgency, urgencyNow, asker, signal, onRecords, onWait, onOthersWait } = options;
    const details = { operation: query.operation, urgency };
    const entrant = (retry?: QueuedQuery['retry']): QueuedQuery => ({
      asker,
      retry,
      get urgency() {
        return urgencyNow?.() ?? urgency;
      },
    });
    const call = buildHttpCall(query, settings);
    let failures: Failures = noFailures;
    const queuedAt = clock.now();
    let permit = await limiter.acquire(entrant(), { signal, onWait, onOthersWait });
    parts.onQueueWait?.(clock.now() - queuedAt);
    for (;;) {
      const startedAt = clock.now();
      try {
        return await answer.read(call, isLast, signal, (event) => {
          if (event.kind === 'begun') permit.answerBegan();
          else if (event.kind === 'records') onRecords?.(event.records);
          else {
            parts.onBytes?.(event.bytes);
            if (!event.isWhole) return;
            permit.release();
            const milliseconds = Math.round(clock.now() - startedAt);
            log.info({ ...details, milliseconds }, 'The service answered');
          }
        });
      } catch (error) {
        const step = decideRetry(error, failures, clock.now());
        const failure = systemCodeOf(error);
        if (!signal.aborted) {
          log.warn({ ...details, failure, tries: failures.count + 1, next: step.kind }, 'A request failed');
        }
        if (step.kind === 'give-up') {
          permit.release();
          throw step.error;
        }
        failures = step.failures;
        if (step.forAll) limiter.pauseFor(step.afterMs);
        const { expiresAt, keepsPlace } = step;
        const retry = { notBefore: clock.now() + step.afterMs, expiresAt, keepsPlace };
        // It queues again before it leaves. Otherwise, another query could take a place that it keeps.
        const nextPermit = limiter.acquire(entrant(retry), { signal, onWait, onOthersWait }, error);
        permit.release();
        permit = await nextPermit;
      }
    }
  }
}
