import { constants, copyFile, link, rm } from 'node:fs/promises';
import { Failure, systemCodeOf } from '../errors/failure.js';
import type { Query, ReadOptions, ReadPlan, ReadResult, ReportSource } from '../runner/ports.js';
import { dayAt, formatIsoDay } from '../time/calendar.js';
import { type Erasures, type QueryIdentity, queryIdentity, wasErasedSince } from './query-identity.js';
import { mostUrgent } from './query-queue.js';
import { type MonotonicClock, systemMonotonicClock } from './rate-limiter.js';

export interface SharedAnswersParts extends Erasures {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: { warn(details: object, message: string): void };
  /** Called for each query that was not sent because an equal one was. */
  readonly onSaved?: (() => void) | undefined;
  /** Absent: the machine's. */
  readonly clock?: MonotonicClock;
}

export type SharedAnswers = ReturnType<typeof shareAnswers>;

/** A query, and those who read its answer. */
class SharedQuery {
  /** The options of those who wait for the answer, or for their copies of its file. */
  readonly readers = new Set<ReadOptions>();
  readonly ended = new AbortController();
  isAnswered = false;
  /** True if no query can join any more. */
  isOver = false;
  /** Notifies a reader who joins later that the wait is long. */
  repeatWait: (onWait: ReadOptions['onWait']) => void = () => {};
  /** Milliseconds until no query can join any more. */
  joinableForMs = 0;
  cancelTimer = () => {};

  /**
   * @param askedAt milliseconds since the epoch
   * @param startedAt monotonic milliseconds
   * @param path the file of the answer. Each reader gets one of its own
   */
  constructor(
    readonly key: string,
    readonly instants: readonly number[],
    readonly askedAt: number,
    readonly startedAt: number,
    readonly path: string | undefined,
    send: (shared: SharedQuery) => Promise<ReadResult>,
  ) {
    // Later, because a queue may say at once how long it is.
    this.answer = Promise.resolve().then(() => send(this));
  }

  readonly answer: Promise<ReadResult>;
}

/** An equal query joins one that began at most this long ago, unless its reader takes older ones. */
const usualAgeMs = 10_000;
/** Moments within this time count as the same now. */
const sameNowMs = 10_000;
/** Maximum number of answers stored for later readers. Each may list some hundred rows. */
const maxAnswered = 80;
const minute = 60_000;

/**
 * The same source, but equal queries within ten seconds are sent once; those of digests within ten minutes. A query and
 * its plan include the reader's scope, so readers of one answer have the same rights. Each reader can cancel alone, and
 * has its own file. The query ends when all readers have cancelled. Waiting readers get failures, which are not stored.
 */
export function shareAnswers(source: ReportSource, parts: SharedAnswersParts) {
  const { now, log, onSaved, clock = systemMonotonicClock } = parts;
  const queries = new Map<string, SharedQuery[]>();
  /** Those of them with an answer, oldest first. */
  const answered = new Set<SharedQuery>();
  const removals = new Set<Promise<void>>();
  let started = 0;

  function find({ key, instants }: QueryIdentity, maxAgeMs: number): SharedQuery | undefined {
    const since = clock.now() - maxAgeMs;
    return queries
      .get(key)
      ?.find((shared) => shared.startedAt >= since && areNear(shared.instants, instants));
  }

  /** Readers that accept older answers can join for longer. */
  function keepFor(shared: SharedQuery, maxAgeMs: number): void {
    if (maxAgeMs <= shared.joinableForMs) return;
    shared.joinableForMs = maxAgeMs;
    shared.cancelTimer();
    shared.cancelTimer = clock.schedule(shared.startedAt + maxAgeMs - clock.now(), () => finish(shared));
  }

  /** Sends the query. The caller joins it at once. */
  function start(
    { key, instants }: QueryIdentity,
    query: Query,
    plan: ReadPlan,
    { urgency, asker }: ReadOptions,
  ) {
    const { file } = plan;
    started += 1;
    const path = file && `${file.path}.${started}.shared`;
    const ownPlan = { ...plan, file: file && path !== undefined ? { ...file, path } : undefined };
    const send = (shared: SharedQuery) => {
      const { readers, ended } = shared;
      return source.read(query, ownPlan, {
        urgency,
        urgencyNow: () => mostUrgent([...readers].map((reader) => reader.urgency)) ?? urgency,
        asker,
        signal: ended.signal,
        onRecords(records) {
          for (const { onRecords } of readers) onRecords?.(records);
        },
        onWait(milliseconds) {
          const endsAt = milliseconds === undefined ? undefined : clock.now() + milliseconds;
          shared.repeatWait = (onWait) => {
            const left = endsAt === undefined ? undefined : endsAt - clock.now();
            if (left === undefined || left > minute) onWait?.(left);
          };
          for (const { onWait } of readers) onWait?.(milliseconds);
        },
        onOthersWait() {
          for (const { onOthersWait } of readers) onOthersWait?.();
        },
      });
    };
    const shared = new SharedQuery(key, instants, now(), clock.now(), path, send);
    queries.set(key, [...(queries.get(key) ?? []), shared]);
    shared.answer.then(
      () => {
        shared.isAnswered = true;
        if (!shared.isOver) answered.add(shared);
        const [oldest] = answered;
        if (oldest && answered.size > maxAnswered) finish(oldest);
      },
      () => finish(shared),
    );
    return shared;
  }

  /** No further query joins this one. Waiting readers still get its answer. */
  function finish(shared: SharedQuery): void {
    const { key } = shared;
    shared.isOver = true;
    shared.cancelTimer();
    answered.delete(shared);
    const others = queries.get(key)?.filter((other) => other !== shared) ?? [];
    if (others.length > 0) queries.set(key, others);
    else queries.delete(key);
    removeUnused(shared);
  }

  function removeUnused({ path, isOver, isAnswered, readers }: SharedQuery): void {
    if (path === undefined || !isOver || !isAnswered || readers.size > 0) return;
    const removal = rm(path, { force: true })
      .catch((err: unknown) => log.warn({ err }, 'The file of a shared answer could not be removed'))
      .finally(() => removals.delete(removal));
    removals.add(removal);
  }

  /** Resolves to the answer, with the reader's own file. The last one who cancels waits until the query has ended. */
  async function readShared(shared: SharedQuery, plan: ReadPlan, options: ReadOptions): Promise<ReadResult> {
    const { answer, readers, ended, path } = shared;
    const { signal } = options;
    const reader = { ...options };
    readers.add(reader);
    if (!shared.isAnswered) shared.repeatWait(options.onWait);
    let cancel = () => {};
    const cancelled = new Promise<never>((_resolve, reject) => {
      cancel = () => {
        const fail = () => reject(new Failure('cancelled', { cause: signal.reason }));
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
      return { ...result, file: { ...file, path: plan.file.path } };
    } finally {
      signal.removeEventListener('abort', cancel);
      readers.delete(reader);
      removeUnused(shared);
    }
  }

  return {
    source: {
      async read(query: Query, plan: ReadPlan, options: ReadOptions): Promise<ReadResult> {
        const identity = identityNow(query, plan);
        const { maxSharedAgeMs: maxAgeMs = usualAgeMs } = options;
        const found = find(identity, maxAgeMs);
        if (found?.isAnswered && (await wasErasedSince(found.askedAt, parts))) {
          for (const shared of [...answered]) finish(shared);
        }
        if (options.signal.aborted) throw new Failure('cancelled', { cause: options.signal.reason });
        // Nothing waits between here and the moment at which the reader has joined.
        const joined = find(identity, maxAgeMs);
        if (joined) onSaved?.();
        const shared = joined ?? start(identity, query, plan, options);
        keepFor(shared, maxAgeMs);
        return readShared(shared, plan, options);
      },
    },
    /** Deletes the files that are stored for later readers. */
    async close(): Promise<void> {
      for (const shared of [...queries.values()].flat()) finish(shared);
      await Promise.all(removals);
    },
  };
}

/** The identity with the moment that figures count for. The day is part of it, because whole days end with it. */
function identityNow(query: Query, plan: ReadPlan): QueryIdentity {
  const { key, instants } = queryIdentity(query, plan);
  const { figures } = plan;
  if (!figures) return { key, instants };
  const day = formatIsoDay(dayAt(Math.floor(figures.now / 1000), figures.zone));
  return { key: `${key} ${day}`, instants: [...instants, figures.now] };
}

/** Instants that move with the clock may differ a little. All others are the bounds of days, and differ by hours. */
function areNear(some: readonly number[], others: readonly number[]): boolean {
  return some.every((instant, index) => Math.abs(instant - (others[index] ?? Number.NaN)) <= sameNowMs);
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
  if (!signal.aborted) return;
  await rm(to, { force: true });
  throw new Failure('cancelled', { cause: signal.reason });
}
