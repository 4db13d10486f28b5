import { allReports, hasLearners, type Report, type ReportName } from '../catalogue/index.js';
import { isFailure } from '../errors/failure.js';
import { personKeyFields } from '../figures/counting/person-fields.js';
import type { LogOf } from '../logging/logger.js';
import { type Clock, withTimeLimit } from '../time/clock.js';
import type { TitleQuery } from './collect-names.js';
import { fieldsOfPeople } from './neighbour-filters.js';
import type { ReportSource } from './ports.js';
import { type PlannedQuery, queryOf, suggestionListsIn } from './queries.js';
import { maxCountedPeople, type Suggestion, suggestionFieldsOf } from './suggestions.js';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const lookDays = 90;
const daySeconds = dayMs / 1000;

/** The start comes first: a look takes the thread that reads answers. */
export const firstLookAfterMs = 1_000;

/** The first wait after a look that failed. Each further failure doubles it. */
const retryAfterMs = 15 * minuteMs;
const maxRetryMs = 6 * 60 * minuteMs;

/** A look that lasts longer ends, and is tried again later: the service is too slow now. */
const maxLookMs = 60 * minuteMs;

/** So often a look ends because others wait for the service. Then it is read to its end. */
const maxYields = 5;
/** The first wait after that. Each further time doubles it. */
const yieldForMs = 5_000;

/** Names that fewer people have may name one of them, so they go when a person is erased. */
export const fewPeople = 5;

/** A search for titles among all names reuses what was read so recently. */
const freshMs = 10 * minuteMs;

/** The last 90 days may begin with a day that ended 90 days ago. */
const nearlySeconds = 2 * daySeconds;

export interface LookOptions {
  /** Epoch seconds. */
  readonly range: { readonly from: number; readonly until: number };
  readonly smallestGroup: number;
  /** True if people are collected too, to compare later questions with their neighbours. */
  readonly collectsPeople?: boolean;
  /** Searched among the titles that enough people have. */
  readonly titles?: readonly TitleQuery[];
}

/**
 * The query that learns all names of a report: identifiers, titles and groups of the whole company, and keys that count
 * its people. No filter narrows it.
 */
export function lookAt(
  report: Report,
  { range, smallestGroup, collectsPeople = false, titles }: LookOptions,
): PlannedQuery {
  const peopleOf = collectsPeople && hasLearners(report) ? report.name : undefined;
  const people = hasLearners(report) ? personKeyFields : [];
  const compared = peopleOf ? fieldsOfPeople(report) : [];
  const fields = [...new Set([...suggestionFieldsOf(report), ...people, ...compared])];
  const body: Record<string, unknown> = Object.fromEntries(fields.map((flag) => [flag, true]));
  const dateField = report.dateField?.defaultFlag;
  if (dateField !== undefined) body.range_target = dateField;
  return {
    query: queryOf(report, report.range && range, body),
    plan: {
      fields,
      lists: suggestionListsIn(report, fields),
      look: {
        minPeople: smallestGroup,
        countUpTo: Math.min(Math.max(smallestGroup, fewPeople), maxCountedPeople),
      },
      peopleOf,
      titles,
    },
  };
}

/** The range of a look at a time in milliseconds, in epoch seconds. It begins at `from` if that is earlier. */
export function lookRange(at: number, from = Number.POSITIVE_INFINITY): LookOptions['range'] {
  const until = Math.floor(at / 1000);
  return { from: Math.min(until - lookDays * daySeconds, from), until };
}

/** What was read lately of all names, so that searches need not read it again. In memory of this process. */
export function recentLooks(now: () => number) {
  const latest = new Map<ReportName, { readonly from: number; readonly at: number }>();
  return {
    /** Notes that all names of a report since a time are known now. */
    add(report: ReportName, from: number): void {
      latest.set(report, { from, at: now() });
    },
    /** True if all names of a report since that time, in epoch seconds, are known. */
    has(report: ReportName, from: number): boolean {
      const look = latest.get(report);
      return look !== undefined && look.from <= from + nearlySeconds && now() - look.at < freshMs;
    },
  };
}

export type RecentLooks = ReturnType<typeof recentLooks>;

/** The first look of a process at each report with titles. */
export function firstLooks({ sleep }: Pick<Clock, 'sleep'>) {
  const expected = new Set(
    allReports.filter(({ titleFilters }) => titleFilters.length > 0).map(({ name }) => name),
  );
  const over = new AbortController();
  return {
    ended(report: ReportName, outcome: LookOutcome): void {
      if (outcome !== 'gave-way') expected.delete(report);
      if (expected.size === 0) over.abort();
    },
    /** True once each has been read or has failed. */
    areOver: () => expected.size === 0,
    /** Resolves when they are over, or after so many milliseconds. */
    within: (ms: number): Promise<void> =>
      // The sleep rejects when they are over.
      expected.size === 0 ? Promise.resolve() : sleep(ms, over.signal).catch(() => {}),
  };
}

export type FirstLooks = ReturnType<typeof firstLooks>;

export interface DailyLookParts {
  readonly source: ReportSource;
  readonly suggestions: {
    add(values: readonly Suggestion[], at: number, isLook: boolean): Promise<void>;
  };
  readonly recent: RecentLooks;
  readonly clock: Clock;
  readonly smallestGroup: number;
  /** REPORTING_MAX_RANGE_DAYS; 0: any range. */
  readonly maxRangeDays: number;
  readonly wasAnybodyErased: (since: number) => Promise<boolean>;
  readonly log: LogOf<'info' | 'warn'>;
  /** Called with a function that looks again soon: what was collected for comparisons is lost. */
  readonly onLost?: (lookAgain: () => void) => void;
  readonly onEnded?: ((report: ReportName, outcome: LookOutcome) => void) | undefined;
}

/** `gave-way`: others waited for the service. */
export type LookOutcome = 'read' | 'failed' | 'gave-way';

/** A report, when it is looked at next, and how often that did not work. */
interface Turn {
  readonly report: Report;
  at: number;
  failures: number;
  yields: number;
}

/**
 * Looks at each report soon and once a day, in turn and behind all other queries. Never throws. Returns a function that
 * stops it.
 */
export function startDailyLook(parts: DailyLookParts): () => Promise<void> {
  const { clock, log, source, recent, smallestGroup, maxRangeDays, onEnded } = parts;
  const stopping = new AbortController();
  const stopped = stopping.signal;
  let wake = new AbortController();

  async function takeTurn(turn: Turn) {
    const { report } = turn;
    const { name } = report;
    const startedAt = clock.now();
    const giveWay = new AbortController();
    const range = lookRange(startedAt);
    // Figures of engagement do not add up over windows, so that its ranges cannot be split.
    const isLimited = maxRangeDays > 0 && !report.range?.isAdditive;
    const from = isLimited ? Math.max(range.from, range.until - maxRangeDays * daySeconds) : range.from;
    const look = { range: { ...range, from }, smallestGroup, collectsPeople: smallestGroup > 1 };
    const { query, plan } = lookAt(report, look);
    try {
      const {
        records,
        values = [],
        isWhole,
        peopleIndex,
      } = await source.read(query, plan, {
        urgency: 'background',
        asker: 'daily-look',
        signal: withTimeLimit(maxLookMs, stopped, giveWay.signal),
        onOthersWait: turn.yields < maxYields ? () => giveWay.abort() : undefined,
      });
      if (peopleIndex !== undefined && peopleIndex !== 'complete')
        log.warn({ report: name, problem: peopleIndex }, tooManyToCompare);
      const stored = await namesToStore(values, startedAt, parts.wasAnybodyErased);
      await parts.suggestions.add(stored, clock.now(), true);
      if (isWhole) recent.add(name, from);
      Object.assign(turn, { at: startedAt + dayMs, failures: 0, yields: 0 });
      const milliseconds = clock.now() - startedAt;
      log.info({ report: name, records, names: values.length, milliseconds }, 'Names were learned');
      onEnded?.(name, 'read');
    } catch (error) {
      if (stopped.aborted) return;
      if (giveWay.signal.aborted) {
        turn.at = clock.now() + yieldForMs * 2 ** turn.yields;
        turn.yields += 1;
        return onEnded?.(name, 'gave-way');
      }
      turn.at = clock.now() + Math.min(retryAfterMs * 2 ** turn.failures, maxRetryMs);
      turn.failures += 1;
      // Unknown errors come from the database or from our own code. The client leaves data of answers out of them.
      const details = isFailure(error) ? { code: error.code } : { code: 'unknown', err: error };
      const retryInMinutes = Math.round((turn.at - clock.now()) / minuteMs);
      log.warn({ ...details, report: name, retryInMinutes }, 'Names could not be learned');
      onEnded?.(name, 'failed');
    } finally {
      // Ends the time limit, which listens to `stopped`.
      giveWay.abort();
    }
  }

  const firstAt = clock.now() + firstLookAfterMs;
  const turns = allReports.map((report): Turn => ({ report, at: firstAt, failures: 0, yields: 0 }));
  const done = (async () => {
    while (!stopped.aborted) {
      const [next] = turns.toSorted((one, other) => one.at - other.at);
      if (!next) return;
      const wait = next.at - clock.now();
      if (wait > 0) await clock.sleep(wait, AbortSignal.any([stopped, wake.signal])).catch(() => {});
      else await takeTurn(next);
    }
  })();
  parts.onLost?.(() => {
    // Not at once: the look itself may have ended the thread.
    for (const turn of turns) turn.at = Math.min(turn.at, clock.now() + retryAfterMs);
    wake.abort();
    wake = new AbortController();
  });
  return async () => {
    stopping.abort();
    await done;
  };
}

/** Operators search for this line. */
const tooManyToCompare =
  'The look has more than can be stored, so questions are compared with fewer of their neighbours';

/** The names that an erasure meanwhile leaves. */
export async function namesToStore(
  values: readonly Suggestion[],
  readSince: number,
  wasAnybodyErased: (since: number) => Promise<boolean>,
): Promise<readonly Suggestion[]> {
  if (!(await wasAnybodyErased(readSince).catch(() => true))) return values;
  return values.filter(({ people }) => people >= fewPeople);
}
