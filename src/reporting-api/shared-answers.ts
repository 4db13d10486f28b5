import { createHash } from 'node:crypto';
import { constants, copyFile, link, rm } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { cancelledBy, Failure, systemCodeOf, throwIfCancelled } from '../errors/failure.js';
import { type FiguresResult, nothingCounted } from '../figures/result.js';
import type { LogOf } from '../logging/logger.js';
import { personsPathOf } from '../runner/answer-parts.js';
import {
  type Query,
  type ReadOptions,
  type ReadPlan,
  type ReadResult,
  type ReportSource,
  type Urgency,
  urgencyRank,
} from '../runner/ports.js';
import { dayAt, formatIsoDay } from '../time/calendar.js';
import { type MonotonicClock, systemMonotonicClock } from '../time/clock.js';

interface ReuseParts {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** True if a person was erased at that time or later, in milliseconds since the epoch. */
  readonly wasAnybodyErased: (since: number) => Promise<boolean>;
  /** Called for each query that was not sent because an equal one was. */
  readonly onSaved?: (() => void) | undefined;
}

interface SharedAnswersParts extends ReuseParts {
  readonly log: LogOf<'warn'>;
  /** Absent: the machine's. */
  readonly clock?: MonotonicClock;
}

/** The identity of a query. Queries with the same identity can share an answer. */
interface QueryIdentity {
  /** A hash of every part of the query and of its plan but the path of the file, `now` and the instants below. */
  readonly key: string;
  /** The instants of its ranges, in milliseconds since the epoch and in a fixed order. Some of them may be now. */
  readonly instants: readonly number[];
}

/** Who asked first, and for what: whose query it is, for the limiter and the log. */
type FirstReader = Pick<ReadOptions, 'asker' | 'work'>;

/** A query from its start until no other can join it and its file is no longer read. */
interface SharedQuery extends QueryIdentity {
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  /** The file of the answer. Each reader gets one of its own. */
  readonly path: string | undefined;
  /** The options of those who wait for the answer, or for their copies of its file. */
  readonly readers: Set<ReadOptions>;
  readonly ended: AbortController;
  readonly answer: Promise<ReadResult>;
  isAnswered: boolean;
  /** When the wait for the rate limiter ends, in monotonic milliseconds; infinite if that is not known. */
  waitEndsAt: number;
  /** Milliseconds from its start until no query can join any more. */
  joinableForMs: number;
  cancelTimer?: () => void;
}

/** An equal query joins one that began at most this long ago, unless its reader takes older ones. */
const usualAgeMs = 10_000;
/** Moments within this time count as the same now. */
const sameNowMs = 10_000;
/** Maximum number of answers stored for later readers. Each may list some hundred rows. */
const maxAnswered = 80;
const minute = 60_000;

export type SharedAnswers = ReturnType<typeof shareAnswers>;

/**
 * The same source, but equal queries within ten seconds are sent once; those of digests within ten minutes. A query and
 * its plan include the reader's scope, so readers of one answer have the same rights. Each reader can cancel alone, and
 * has its own file. The query ends when all readers have cancelled. Waiting readers get failures, which are not stored.
 */
export function shareAnswers(source: ReportSource, parts: SharedAnswersParts) {
  const { now, log, onSaved, clock = systemMonotonicClock } = parts;
  /** The queries that others can join, oldest first. */
  const joinable = new Set<SharedQuery>();
  const removals = new Set<Promise<void>>();
  let started = 0;

  function find({ key, instants }: QueryIdentity, maxAgeMs: number): SharedQuery | undefined {
    for (const shared of joinable) {
      if (shared.key !== key || shared.startedAt < clock.now() - maxAgeMs) continue;
      // Instants that move with the clock may differ a little. All others are the bounds of days, and differ by hours.
      const isNear = (instant: number, index: number) =>
        Math.abs(instant - (instants[index] ?? Number.NaN)) <= sameNowMs;
      if (shared.instants.every(isNear)) return shared;
    }
    return undefined;
  }

  /** The caller joins the query at once. */
  function start(identity: QueryIdentity, query: Query, plan: ReadPlan, first: FirstReader): SharedQuery {
    started += 1;
    const file = plan.file && { ...plan.file, path: `${plan.file.path}.${started}.shared` };
    const shared: SharedQuery = {
      ...identity,
      askedAt: now(),
      startedAt: clock.now(),
      path: file?.path,
      readers: new Set(),
      ended: new AbortController(),
      // Later, because a queue may say at once how long it is.
      answer: Promise.resolve().then(() => send(shared, query, { ...plan, file }, first)),
      isAnswered: false,
      waitEndsAt: 0,
      joinableForMs: 0,
    };
    joinable.add(shared);
    return shared;
  }

  async function send(shared: SharedQuery, query: Query, plan: ReadPlan, first: FirstReader) {
    const { readers, ended } = shared;
    try {
      const result = await source.read(query, plan, {
        get urgency() {
          let most: Urgency = 'background';
          for (const { urgency } of readers) if (urgencyRank[urgency] < urgencyRank[most]) most = urgency;
          return most;
        },
        asker: first.asker,
        work: first.work,
        signal: ended.signal,
        onRecords(records) {
          for (const { onRecords } of readers) onRecords?.(records);
        },
        onWait(milliseconds) {
          shared.waitEndsAt = clock.now() + (milliseconds ?? Number.POSITIVE_INFINITY);
          for (const { onWait } of readers) onWait?.(milliseconds);
        },
        onOthersWait() {
          for (const { onOthersWait } of readers) onOthersWait?.();
        },
      });
      shared.isAnswered = true;
      const answered = [...joinable].filter(({ isAnswered }) => isAnswered);
      for (const oldest of answered.slice(0, -maxAnswered)) finish(oldest);
      return result;
    } catch (error) {
      finish(shared);
      throw error;
    }
  }

  /** Resolves to the answer, with the reader's own file. The last one who cancels waits until the query has ended. */
  async function readShared(shared: SharedQuery, plan: ReadPlan, options: ReadOptions): Promise<ReadResult> {
    const { answer, readers, ended, path } = shared;
    const { signal } = options;
    const reader = { ...options };
    readers.add(reader);
    const wait = shared.isAnswered ? 0 : shared.waitEndsAt - clock.now();
    if (wait > minute) options.onWait?.(Number.isFinite(wait) ? wait : undefined);
    let cancel = () => {};
    const cancelled = new Promise<never>((_resolve, reject) => {
      cancel = () => {
        const fail = () => reject(cancelledBy(signal));
        readers.delete(reader);
        if (shared.isAnswered || readers.size > 0) return fail();
        finish(shared);
        ended.abort(signal.reason);
        answer.then(fail, fail);
      };
    });
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const { file, ...result } = await Promise.race([answer, cancelled]);
      if (!file || !plan.file || path === undefined) return result;
      await copyForReader(path, plan.file.path, signal);
      if (plan.file.persons?.length)
        await copyForReader(personsPathOf(path), personsPathOf(plan.file.path), signal);
      return { ...result, file: { ...file, path: plan.file.path } };
    } finally {
      signal.removeEventListener('abort', cancel);
      readers.delete(reader);
      removeUnused(shared);
    }
  }

  /** No further query joins this one. Waiting readers still get its answer. */
  function finish(shared: SharedQuery): void {
    joinable.delete(shared);
    shared.cancelTimer?.();
    removeUnused(shared);
  }

  function removeUnused(shared: SharedQuery): void {
    const { path, isAnswered, readers } = shared;
    if (path === undefined || !isAnswered || readers.size > 0 || joinable.has(shared)) return;
    const removal = Promise.all([path, personsPathOf(path)].map((one) => rm(one, { force: true })))
      .then(() => {})
      .catch((err: unknown) => log.warn({ err }, 'The file of a shared answer could not be removed'))
      .finally(() => removals.delete(removal));
    removals.add(removal);
  }

  return {
    source: {
      async read(query: Query, plan: ReadPlan, options: ReadOptions): Promise<ReadResult> {
        // The known rows are of one digest, its teams have a file, and what is read of many rows is too large to be stored.
        if (plan.newRows || plan.teams) return source.read(query, plan, options);
        const identity = queryIdentity(query, plan);
        const counted = plan.figures ?? plan.conditions;
        if (counted) {
          // The moment that they count for. The day is part of the identity, because whole days end with it.
          identity.key += ` ${formatIsoDay(dayAt(Math.floor(counted.now / 1000), counted.zone))}`;
          identity.instants.push(counted.now);
        }
        const { signal, maxSharedAgeMs: maxAgeMs = usualAgeMs } = options;
        const found = find(identity, maxAgeMs);
        if (found?.isAnswered && (await wasErasedSince(found.askedAt, parts))) {
          for (const shared of joinable) if (shared.isAnswered) finish(shared);
        }
        throwIfCancelled(signal);
        // Nothing waits between here and the moment at which the reader has joined.
        const joined = find(identity, maxAgeMs);
        if (joined) onSaved?.();
        const shared = joined ?? start(identity, query, plan, options);
        // Readers that accept older answers can join for longer.
        if (maxAgeMs > shared.joinableForMs) {
          const milliseconds = shared.startedAt + maxAgeMs - clock.now();
          shared.joinableForMs = maxAgeMs;
          shared.cancelTimer?.();
          shared.cancelTimer = clock.schedule(milliseconds, () => finish(shared));
        }
        return readShared(shared, plan, options);
      },
    },
    /** Deletes the files that are stored for later readers. */
    async close(): Promise<void> {
      for (const shared of joinable) finish(shared);
      await Promise.all(removals);
    },
  };
}

/**
 * The identity of a query with what is read from its answer. What its reader may see is part of it: forced filters are in
 * the query; the check of rows, protected groups and listed people are in the plan. New parts of either count by
 * themselves, because only what is named here is left out.
 */
function queryIdentity(query: Query, plan: ReadPlan) {
  const { range, ...rest } = query;
  const { figures, file, dueRange: ofRows, conditions: onRows, ...reading } = plan;
  const { now: _now, range: counted, dueRange, asOf, conditions: _same, ...counting } = figures ?? {};
  const { path: _path, ...ofFile } = file ?? {};
  const instants: number[] = [];
  const ranges: (object | undefined)[] = [];
  for (const bounds of [range, counted, dueRange, ofRows]) {
    if (!bounds) {
      ranges.push(undefined);
      continue;
    }
    const { from, until, ...days } = bounds;
    instants.push(from * 1000, until * 1000);
    ranges.push(days);
  }
  if (asOf !== undefined) instants.push(asOf);
  const parts = [rest, reading, onRows?.all, figures && counting, file && ofFile, ranges, asOf !== undefined];
  return { key: createHash('sha256').update(JSON.stringify(parts)).digest('base64url'), instants };
}

/** The clocks of two processes on a database may differ by this much. */
export const maxClockDifferenceMs = 5 * 60_000;

/** True if what was read at that time must not be used again. */
async function wasErasedSince(time: number, { wasAnybodyErased }: ReuseParts): Promise<boolean> {
  return wasAnybodyErased(time - maxClockDifferenceMs).catch(() => true);
}

/**
 * A second name for the file, or a copy where the disk has no second names. A file of an answer is never changed.
 *
 * @throws `file-not-written`, `cancelled`; no file is left then
 */
async function copyForReader(from: string, to: string, signal: AbortSignal): Promise<void> {
  try {
    await link(from, to).catch((error: unknown) => {
      if (systemCodeOf(error) === 'EEXIST') throw error;
      return copyFile(from, to, constants.COPYFILE_EXCL);
    });
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') await rm(to, { force: true });
    throw new Failure('file-not-written', { reason: systemCodeOf(error), cause: error });
  }
  if (signal.aborted) await rm(to, { force: true });
  throwIfCancelled(signal);
}

interface CachedFigures {
  readonly result: ReadResult;
  readonly readAt: number;
}

const maxCachedMs = 24 * 3_600_000;
const forADay = { ttl: maxCachedMs, ttlAutopurge: true } as const;
/** Maximum number of figures in memory. Each takes some kilobytes. */
const maxCached = 500;
/** Maximum number of readers of cached figures to remember. */
const maxReaders = 5_000;
/** Figures younger than this count as new. */
const freshMs = 60_000;

/**
 * The same source, but it caches key figures in memory for a day if the reader allows it. It caches no rows and nothing
 * that is limited to people. The identity of a query includes its reader's scope, so figures only serve readers with the
 * same rights. A person who got cached figures and repeats the request gets new ones.
 */
export function cacheFigures(source: ReportSource, parts: ReuseParts): ReportSource {
  const { now, onSaved } = parts;
  const cache = new LRUCache<string, CachedFigures>({ max: maxCached, ...forADay });
  /** By query and person's request: the `readAt` of the cached figures that they got. */
  const shown = new LRUCache<string, number>({ max: maxReaders, ...forADay });

  async function find(key: string) {
    const found = cache.get(key);
    const ageMs = found ? now() - found.readAt : Number.NaN;
    // The clock of the playground moves back, too.
    if (!found || !(ageMs >= 0 && ageMs < maxCachedMs)) return undefined;
    if (!(await wasErasedSince(found.readAt, parts))) return found;
    cache.clear();
    shown.clear();
    return undefined;
  }

  return {
    async read(query, plan, options) {
      if (!options.figuresMayBeCached || !hasOnlyFigures(plan)) return source.read(query, plan, options);
      const identity = queryIdentity(query, plan);
      const key = `${identity.key} ${identity.instants.join(' ')}`;
      const found = await find(key);
      if (found && !options.signal.aborted) {
        const { result, readAt } = found;
        const isFresh = now() - readAt < freshMs;
        const reader = options.askedFor && `${key} ${options.asker} ${options.askedFor}`;
        const isAskedAgain = !isFresh && reader !== undefined && shown.get(reader) === readAt;
        if (!isAskedAgain) {
          onSaved?.();
          if (isFresh) return result;
          if (reader !== undefined) shown.set(reader, readAt);
          return { ...result, readAt };
        }
      }
      const readAt = now();
      const result = await source.read(query, plan, options);
      if (result.figures) {
        // Without what describes single records, such as the values of the only row.
        const { report, tooFew, records, counted, figures } = result.figures;
        const stored: FiguresResult = { ...nothingCounted, report, tooFew, records, counted, figures };
        cache.set(key, { result: { records: result.records, figures: stored }, readAt });
      }
      return result;
    },
  };
}

/** True for plans of key figures about all people. Nothing else may be cached. */
function hasOnlyFigures({ figures, file, rows, newRows, rowCheck, lists, titles }: ReadPlan): boolean {
  if (file || rows || newRows || rowCheck || lists || titles || !figures) return false;
  const { figuresOnly, asOf, people, sketchesPeople } = figures;
  return figuresOnly === true && asOf === undefined && !people && !sketchesPeople;
}
