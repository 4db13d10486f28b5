import { KnownError } from '../errors/known-error.js';
import type { Query, ReadOptions, ReadPlan, ReadResult, ReportSource } from '../runner/ports.js';
import {
  type AnswerInProgress,
  type AnswerReader,
  createThreadReader,
  serializeError,
} from './answer-reader.js';
import { Cancelled } from './errors.js';
import { buildHttpCall, splitByRange } from './http-request.js';
import { withIdentifiers } from './names.js';
import { createRateLimiter, type MonotonicClock, systemMonotonicClock } from './rate-limiter.js';
import { decideRetry, type Failures, noFailures } from './retry.js';
import type { ReportingSettings } from './settings.js';

/** The part of a logger that is used here. Nothing that is written holds a token, an address or a filter. */
interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export interface ReportingApiParts {
  readonly log: Log;
  /** Told how long each question waited for leave to be asked, in milliseconds. */
  readonly onQueueWait?: (waitedMs: number) => void;
  /** Absent: answers are read in a thread of its own. */
  readonly reader?: AnswerReader;
  /** Absent: the machine's. */
  readonly clock?: MonotonicClock;
}

export interface ReportingApi {
  readonly source: ReportSource;
  /** Calls off what is under way, and resolves when nothing of it is left. */
  close(): Promise<void>;
}

/** Opens the client of the Reporting Service. Nothing is connected or started before the first question. */
export function openReportingApi(settings: ReportingSettings, parts: ReportingApiParts): ReportingApi {
  const {
    log,
    clock = systemMonotonicClock,
    reader = createThreadReader({ proxies: settings.proxies }),
  } = parts;
  const limiter = createRateLimiter(settings, clock);
  const underWay = new Map<AbortController, Promise<ReadResult>>();
  let closed = false;

  return {
    source: {
      async read(question, reading, options) {
        const ended = new AbortController();
        const cancel = () => ended.abort(options.signal.reason);
        if (options.signal.aborted || closed) cancel();
        options.signal.addEventListener('abort', cancel, { once: true });
        try {
          const read = readAnswer(question, reading, { ...options, signal: ended.signal });
          underWay.set(ended, read);
          return await read;
        } finally {
          underWay.delete(ended);
          options.signal.removeEventListener('abort', cancel);
        }
      },
    },
    async close() {
      closed = true;
      for (const ended of underWay.keys()) ended.abort();
      await Promise.allSettled(underWay.values());
      await reader.close();
    },
  };

  async function readAnswer(question: Query, reading: ReadPlan, options: ReadOptions): Promise<ReadResult> {
    const named = settings.names ? withIdentifiers(question, settings.names) : question;
    const questions = splitByRange(named, settings.maxRangeDays);
    const { signal } = options;
    if (signal.aborted) throw new Cancelled({ cause: signal.reason });
    const answer = reader.open(reading);
    try {
      for (const each of questions) await sendUntilAnswered(each, answer, options);
      return await answer.finish();
    } catch (error) {
      if (!(error instanceof KnownError)) logOwnFailure(error, question, options);
      await answer.discard().catch((failure) => {
        log.warn({ failure: codeOf(failure) }, 'What was read of a failed answer could not be removed');
      });
      throw error;
    }
  }

  /** Some callers go on without the answer, such as that of the period before. Its message may quote a row. */
  function logOwnFailure(error: unknown, { operation }: Query, { urgency }: ReadOptions) {
    const { name, stack } = serializeError(error);
    log.warn({ operation, urgency, name, stack }, 'Reading an answer failed on our side');
  }

  async function sendUntilAnswered(question: Query, answer: AnswerInProgress, options: ReadOptions) {
    const { urgency, asker, signal, onRecords, onWait } = options;
    const details = { operation: question.operation, urgency };
    const call = buildHttpCall(question, settings);
    let failures: Failures = noFailures;
    const queuedAt = clock.now();
    let permit = await limiter.acquire({ urgency, asker }, { signal, onWait });
    parts.onQueueWait?.(clock.now() - queuedAt);
    for (;;) {
      const startedAt = clock.now();
      try {
        await answer.add(call, signal, { onBegun: permit.answerBegan, onRecords });
        permit.release();
        log.info({ ...details, milliseconds: Math.round(clock.now() - startedAt) }, 'The service answered');
        return;
      } catch (error) {
        const step = decideRetry(error, failures, clock.now());
        const failure = codeOf(error);
        if (!signal.aborted) {
          log.warn({ ...details, failure, tries: failures.count + 1, next: step.kind }, 'A request failed');
        }
        if (step.kind === 'give-up') {
          permit.release();
          throw step.error;
        }
        failures = step.failures;
        if (step.forAll) limiter.pauseFor(step.afterMs);
        const retry = { notBefore: clock.now() + step.afterMs, expiresAt: step.expiresAt };
        // It queues again before it leaves, so that nobody else slips in between.
        const nextPermit = limiter.acquire({ urgency, asker, retry }, { signal, onWait }, error);
        permit.release();
        permit = await nextPermit;
      }
    }
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

/** The same source, with somebody told of each good answer. */
export function withAnswerListener(source: ReportSource, onAnswer: () => void): ReportSource {
  return {
    async read(question, reading, options) {
      const read = await source.read(question, reading, options);
      onAnswer();
      return read;
    },
  };
}
