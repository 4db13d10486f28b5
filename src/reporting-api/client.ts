import { setImmediate as nextTurn } from 'node:timers/promises';
import { anybody, largePeopleSetOf } from '../access/people-set.js';
import { allReports, fieldOf, hasLearners, reportNamed } from '../catalogue/index.js';
import { Failure, isFailure, systemCodeOf, throwIfCancelled } from '../errors/failure.js';
import { type ConditionsPlan, scaledFieldOf } from '../figures/conditions-plan.js';
import { perRowPerson, personKeyFields } from '../figures/counting/person-fields.js';
import type { RowPerson } from '../figures/result.js';
import type { LogOf } from '../logging/logger.js';
import { withSourceLocations } from '../logging/stacks.js';
import type { Query, ReadOptions, ReadPlan, ReadResult, ReportSource } from '../runner/ports.js';
import { type MonotonicClock, systemMonotonicClock } from '../time/clock.js';
import {
  type AnswerInProgress,
  type AnswerReader,
  createThreadReader,
  serializeError,
} from './answer-reader.js';
import { withEntryTexts, withIdentifiers } from './filter-names.js';
import type { HttpCall } from './http-exchange.js';
import { createRateLimiter, type QueuedQuery } from './rate-limiter.js';
import { decideRetry, type Failures, noFailures } from './retry.js';
import type { ReportingSettings } from './settings.js';
import { type SharedLimiterParts, shareRateLimiter } from './shared-rate-limiter.js';

export interface ReportingApiParts {
  /** No entry contains a token, an address or a filter. */
  readonly log: LogOf<'info' | 'warn'>;
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
  const readInScale = scaleFinder();
  let answered: (() => void) | undefined;

  return {
    /** The listener is called after each query with a whole answer. */
    onAnswer(listener: () => void): void {
      answered = listener;
    },
    source: {
      async read(query: Query, plan: ReadPlan, options: ReadOptions): Promise<ReadResult> {
        const ended = new AbortController();
        if (closed) ended.abort();
        try {
          const signal = AbortSignal.any([options.signal, ended.signal]);
          const read = readInScale(plan, (inScale) => readAnswer(query, inScale, options, signal));
          underWay.set(ended, read);
          const result = await read;
          answered?.();
          return result;
        } finally {
          underWay.delete(ended);
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

  async function readAnswer(
    query: Query,
    plan: ReadPlan,
    options: ReadOptions,
    signal: AbortSignal,
  ): Promise<ReadResult> {
    const { names } = settings;
    const windows = splitByRange(names ? withIdentifiers(query, names) : query, settings.maxRangeDays);
    throwIfCancelled(signal);
    const answer = reader.open(names ? withEntryTexts(plan, names) : plan);
    try {
      let read: ReadResult | undefined;
      for (const window of windows) {
        read = await sendUntilAnswered(window, answer, window === windows.at(-1), options, signal);
      }
      if (!read) throw new Error('A reading ended without a result');
      return plan.file?.persons && read.isFraction === undefined ? { ...read, sent: windows } : read;
    } catch (error) {
      if (!isFailure(error)) {
        // Logged here, because some callers continue without the answer, such as that of the previous period. The
        // message is left out: it may quote a row.
        const { name, stack } = serializeError(error);
        const details = { id: options.work, operation: query.operation, urgency: options.urgency, name };
        log.warn({ ...details, stack: withSourceLocations(stack) }, 'Reading an answer failed on our side');
      }
      await answer.discard().catch((failure) => {
        log.warn(
          { id: options.work, failure: systemCodeOf(failure) },
          'What was read of a failed answer could not be removed',
        );
      });
      throw error;
    }
  }

  async function sendUntilAnswered(
    query: Query,
    answer: AnswerInProgress,
    isLast: boolean,
    options: ReadOptions,
    signal: AbortSignal,
  ): Promise<ReadResult | undefined> {
    const { asker, work, onRecords, onWait, onOthersWait } = options;
    const details = { id: work, operation: query.operation, urgency: options.urgency };
    const wait = (retry?: QueuedQuery['retry'], ifExpired?: unknown) => {
      const queued: QueuedQuery = {
        asker,
        retry,
        get urgency() {
          return options.urgency;
        },
      };
      return limiter.acquire(queued, { signal, onWait, onOthersWait }, ifExpired);
    };
    const call = buildHttpCall(query, settings);
    let failures: Failures = noFailures;
    const queuedAt = clock.now();
    let permit = await wait();
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
        // It queues again before it leaves. Otherwise, another query could take a place that it keeps.
        const next = wait({ notBefore: clock.now() + step.afterMs, expiresAt, keepsPlace }, error);
        permit.release();
        permit = await next;
      }
    }
  }
}

/** Reads answers by the scale of progress that the last one had, and again where it was another. */
export function scaleFinder() {
  let isFraction = false;
  return async (plan: ReadPlan, read: (plan: ReadPlan) => Promise<ReadResult>): Promise<ReadResult> => {
    if (!plan.conditions || scaledFieldOf(plan.conditions) === undefined) return read(plan);
    const first = await read(inScale(plan, { isFraction, isFinal: false }));
    if (first.isFraction === undefined) return first;
    isFraction = first.isFraction;
    // The service may have other rows by now, but not twice.
    return read(inScale(plan, { isFraction, isFinal: true }));
  };
}

function inScale(plan: ReadPlan, progress: ConditionsPlan['progress']): ReadPlan {
  const { figures, teams } = plan;
  const conditions = plan.conditions && { ...plan.conditions, progress };
  return {
    ...plan,
    conditions,
    ...(figures && { figures: { ...figures, conditions } }),
    ...(teams && { teams: { ...teams, figures: { ...teams.figures, conditions } } }),
  };
}

type Connection = Pick<
  ReportingSettings,
  'baseUrl' | 'token' | 'authScheme' | 'idleTimeoutMs' | 'maxAnswerBytes'
>;

export function buildHttpCall(query: Query, settings: Connection): HttpCall {
  const { operation, range } = query;
  const path = ['api/v1/reports', operation, ...(range ? [range.from, range.until] : [])].join('/');
  return {
    url: `${settings.baseUrl.replace(/\/+$/, '')}/${path}`,
    headers: {
      authorization: settings.authScheme === 'bearer' ? `Bearer ${settings.token}` : settings.token,
      'content-type': 'application/json',
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': 'rollcall',
    },
    body: JSON.stringify(query.body),
    idleTimeoutMs: settings.idleTimeoutMs,
    maxBytes: settings.maxAnswerBytes,
  };
}

const day = 86_400;
/** Days on which clocks go back are longer by up to this much. The setting counts days. */
const clocksPutBack = 3_600;

/**
 * Splits a query into adjacent windows of at most `maxRangeDays`. The last one may be shorter.
 *
 * @param maxRangeDays 0: no limit
 * @throws `range-too-long` if the range is too long and the report's rows cannot be added up over windows
 */
export function splitByRange(query: Query, maxRangeDays: number): readonly Query[] {
  const { range } = query;
  const step = maxRangeDays * day;
  if (!range || step === 0 || range.until - range.from <= step) return [query];
  if (!query.addsUp) {
    if (range.until - range.from <= step + clocksPutBack) return [query];
    const days = Math.ceil(((range.until - range.from) / day) * 10) / 10;
    throw new Failure('range-too-long', { operation: query.operation, days, maximumDays: maxRangeDays });
  }
  const windows: Query[] = [];
  for (let from = range.from; from < range.until; from += step) {
    windows.push({ ...query, range: { from, until: Math.min(from + step, range.until) } });
  }
  return windows;
}

export interface PeopleNumbers {
  /** Two for each person, of whom `names` has `perRowPerson` numbers; -1: none. */
  numbersOf(names: Int32Array): Promise<Int32Array>;
}

/** The operations of reports about learners. Others have no rows of people. */
export const aboutLearners: ReadonlySet<string> = new Set(
  allReports.filter(hasLearners).map(({ operation }) => operation),
);

/**
 * The same source, with the numbers of the people in a file, in listed rows, in lists of people and in groups that are one
 * person each, so that what is sent can be recorded with them. Answers that are shared hold a bitmap for a file, however
 * many people it has.
 */
export function numberPeople(source: ReportSource, numbers: PeopleNumbers): ReportSource {
  return {
    async read(query: Query, plan: ReadPlan, options: ReadOptions): Promise<ReadResult> {
      const { file, rows, figures } = plan;
      const { report, by } = figures ?? {};
      const groupsArePeople = report && by && (fieldOf(reportNamed(report), by)?.personLevel ?? true);
      const listsPeople =
        figures !== undefined && !figures.figuresOnly && (figures.people || groupsArePeople === true);
      if (!aboutLearners.has(query.operation) || !(file || rows || listsPeople))
        return source.read(query, plan, options);
      const missing = personKeyFields.filter((flag) => !plan.fields.includes(flag));
      const read = await source.read(
        { ...query, body: { ...Object.fromEntries(missing.map((flag) => [flag, true])), ...query.body } },
        {
          ...plan,
          fields: [...plan.fields, ...missing],
          tellsPeople: true,
          rows: rows && { ...rows, tellsPeople: true },
          figures: figures && { ...figures, tellsPeople: listsPeople },
        },
        options,
      );
      return withNumbers(read, numbers);
    },
  };
}

async function withNumbers(read: ReadResult, numbers: PeopleNumbers): Promise<ReadResult> {
  const { file, rows, figures } = read;
  const { people, onlyPerson, breakdown } = figures ?? {};
  const listed = await numbered(rows?.listed ?? [], numbers);
  const inList = await numbered(people?.listed ?? [], numbers);
  const groups = breakdown?.kind === 'groups' ? breakdown : undefined;
  const lines = await numbered(groups?.rows ?? [], numbers);
  const [only] = onlyPerson ? await numbered([onlyPerson], numbers) : [];
  return {
    ...read,
    file: file && (await withPeople(file, numbers)),
    rows: rows && { ...rows, listed },
    figures: figures && {
      ...figures,
      ...(people && { people: { ...people, listed: inList } }),
      ...(groups && { breakdown: { ...groups, rows: lines } }),
      ...(only && { onlyPerson: only }),
    },
  };
}

async function withPeople(
  { who, ...file }: NonNullable<ReadResult['file']>,
  numbers: PeopleNumbers,
): Promise<ReadResult['file']> {
  if (!who) return file;
  const people =
    who === 'too-many' ? anybody : await largePeopleSetOf(await numbers.numbersOf(who), nextTurn);
  return { ...file, people };
}

/** The same items with numbers in place of hashes. */
async function numbered<Item extends { readonly who?: RowPerson | undefined }>(
  items: readonly Item[],
  numbers: PeopleNumbers,
) {
  const names = new Int32Array(perRowPerson * items.length);
  items.forEach(({ who }, index) => {
    if (who) names.set(who, perRowPerson * index);
  });
  const found = items.some(({ who }) => who) ? await numbers.numbersOf(names) : undefined;
  return items.map(({ who: _who, ...item }, index) => {
    const own = found?.subarray(2 * index, 2 * index + 2).filter((number) => number >= 0);
    return own && own.length > 0 ? { ...item, numbers: [...own] } : item;
  });
}
