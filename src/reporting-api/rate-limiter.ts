import { cancelledBy, throwIfCancelled } from '../errors/failure.js';
import { type ReadOptions, type Urgency, urgencyRank } from '../runner/ports.js';
import type { MonotonicClock } from '../time/clock.js';

export interface RateLimits {
  readonly maxRequestsPerMinute: number;
  readonly maxParallelRequests: number;
}

/** A query that waits, later a request in progress. Each wait needs an object of its own. */
export interface QueuedQuery {
  /** Read each time it is needed, because it may change while the query waits. */
  readonly urgency: Urgency;
  readonly asker: string;
  readonly retry?: Retry | undefined;
}

/** Times are monotonic milliseconds. */
interface Retry {
  /** When it may start. */
  readonly notBefore: number;
  /** When it is too late. */
  readonly expiresAt: number;
  /** True if its slot stays reserved until it starts. */
  readonly keepsPlace: boolean;
}

/** The permission to send one request. */
export interface Permit {
  /** Call it when the service begins to answer. */
  answerBegan(): void;
  /** Call it when the request ends, successful or not. More calls change nothing. */
  release(): void;
}

/** `onWait` and `onOthersWait` are called once. */
type WaitOptions = Pick<ReadOptions, 'signal' | 'onWait' | 'onOthersWait'>;

interface Waiter extends Pick<WaitOptions, 'onOthersWait'> {
  readonly enteredAt: number;
  /** Set until it is called. */
  onWait: WaitOptions['onWait'];
  readonly grant: () => void;
  readonly expire: () => void;
}

const minute = 60_000;

/** Limits the requests to the service. Each attempt of a request needs a permit. */
export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** Creates a rate limiter. It has a timer only while requests wait. */
export function createRateLimiter(limits: RateLimits, timers: MonotonicClock) {
  const queue = createQueryQueue(limits);
  /** In the order in which they came. */
  const waiters = new Map<QueuedQuery, Waiter>();
  /** Of the queries that run, until it is called. */
  const onOthersWaitOf = new Map<QueuedQuery, () => void>();
  let cancelTimer: (() => void) | undefined;

  return {
    /** Requests with a permit, and those that wait for one. */
    lengths: () => ({ running: queue.running(), waiting: waiters.size }),
    /**
     * Resolves when a request may be sent. The request is in the queue at once.
     *
     * @throws `cancelled` on abort, and the error of `ifExpired` when a retry is too late
     */
    async acquire(query: QueuedQuery, options: WaitOptions, ifExpired?: unknown): Promise<Permit> {
      const { signal, onWait, onOthersWait } = options;
      throwIfCancelled(signal);
      let cancel = () => {};
      try {
        await new Promise<void>((grant, reject) => {
          cancel = () => {
            if (!waiters.delete(query)) return;
            queue.remove(query);
            reject(cancelledBy(signal));
            grantPermits();
          };
          signal.addEventListener('abort', cancel, { once: true });
          queue.add(query);
          const expire = () => reject(ifExpired);
          waiters.set(query, { enteredAt: timers.now(), onWait, onOthersWait, grant, expire });
          grantPermits();
          if (waiters.has(query)) tellOfLongWait(query);
        });
      } finally {
        signal.removeEventListener('abort', cancel);
      }
      return {
        answerBegan() {
          queue.answerBegan(query, timers.now());
          // From now on it is known when this request stops counting.
          grantPermits();
        },
        release() {
          onOthersWaitOf.delete(query);
          queue.finish(query, timers.now());
          grantPermits();
        },
      };
    },
    /** Grants no permits for that long. */
    pauseFor(milliseconds: number): void {
      queue.pauseUntil(timers.now() + milliseconds);
      grantPermits();
      for (const query of waiters.keys()) tellOfLongWait(query);
    },
  };

  /** Settles who may start or is too late now, and looks again when the next one may be. */
  function grantPermits() {
    cancelTimer?.();
    cancelTimer = undefined;
    const now = timers.now();
    for (const query of queue.takeExpired(now)) {
      waiters.get(query)?.expire();
      waiters.delete(query);
    }
    for (let query = queue.takeNext(now); query; query = queue.takeNext(now)) {
      const { grant, onOthersWait } = waiters.get(query) ?? {};
      waiters.delete(query);
      if (onOthersWait) onOthersWaitOf.set(query, onOthersWait);
      grant?.();
    }
    if (waiters.size === 0) return;
    if (onOthersWaitOf.size > 0 && [...waiters.keys()].some((query) => !isInBackground(query))) {
      // Later, because it may cancel the query, which grants permits.
      for (const onOthersWait of onOthersWaitOf.values()) queueMicrotask(onOthersWait);
      onOthersWaitOf.clear();
    }
    let wakeAt = queue.wakeAt(now);
    for (const { enteredAt, onWait } of waiters.values()) {
      if (!onWait) continue;
      wakeAt = Math.min(wakeAt, enteredAt + minute);
      break;
    }
    if (Number.isFinite(wakeAt)) cancelTimer = timers.schedule(wakeAt - now, wake);
  }

  function wake() {
    for (const [query, { enteredAt }] of waiters) {
      if (enteredAt + minute > timers.now()) break;
      tellOfLongWait(query, true);
    }
    grantPermits();
  }

  /** Calls `onWait` of a query that has waited a minute, or is known to wait longer. */
  function tellOfLongWait(query: QueuedQuery, isOverdue = false) {
    const waiter = waiters.get(query);
    if (!waiter?.onWait) return;
    const wait = queue.minWaitMs(query, timers.now());
    if (wait <= minute && !isOverdue) return;
    const { onWait } = waiter;
    waiter.onWait = undefined;
    onWait(wait || undefined);
  }
}

/** A digest that waits starts after at most this many requests of people, so that a busy day delays none for long. */
const maxPeopleBeforeDigest = 5;

function isOfPerson({ urgency }: QueuedQuery): boolean {
  return urgencyRank[urgency] < urgencyRank.digest;
}

/** True for a query that waits until nothing else does. */
function isInBackground({ urgency }: QueuedQuery): boolean {
  return urgency === 'background';
}

/** Decides which query starts next, and when. Pure: each call passes the time. */
export function createQueryQueue({ maxRequestsPerMinute, maxParallelRequests }: RateLimits) {
  const waiting = new Set<QueuedQuery>();
  /** The retries among them. They are few even when very many queries wait. */
  const waitingAgain = new Set<QueuedQuery>();
  const underWay = new Set<QueuedQuery>();
  const underWayFor = new Map<string, number>();
  /**
   * Requests without an answer so far. Each counts against the limit until a minute after its answer begins. Only then
   * is it certain that the service, too, saw no more than the limit in any minute.
   */
  const unseen = new Set<QueuedQuery>();
  /** When the service had received each request of the last minute, oldest first. */
  const seenAt: number[] = [];
  const lastTurnOf = new Map<string, number>();
  let turn = 0;
  /** Requests of people that started while a digest waited, since the last digest started. Retries do not count. */
  let peopleInARow = 0;
  let heldUntil = Number.NEGATIVE_INFINITY;

  return {
    running: () => underWay.size,
    add(query: QueuedQuery): void {
      // Turns matter only among askers with waiting queries.
      if (waiting.size === 0 && underWay.size === 0) lastTurnOf.clear();
      waiting.add(query);
      if (query.retry) waitingAgain.add(query);
    },
    remove,
    /** Removes expired retries. */
    takeExpired(now: number): readonly QueuedQuery[] {
      const expired: QueuedQuery[] = [];
      for (const query of waitingAgain) {
        if (query.retry && query.retry.expiresAt > now) continue;
        remove(query);
        expired.push(query);
      }
      return expired;
    },
    /** Starts the next query and returns it; undefined if none may start now. */
    takeNext(now: number): QueuedQuery | undefined {
      const room = Math.min(maxParallelRequests - underWay.size, maxRequestsPerMinute - spent(now));
      if (waiting.size === 0 || now < heldUntil || room <= 0) return undefined;
      let first: QueuedQuery | undefined;
      let digest: QueuedQuery | undefined;
      let personRetries = false;
      for (const query of waiting) {
        if (query.retry && query.retry.notBefore > now) continue;
        if (!first || compare(query, first) < 0) first = query;
        if (isOfPerson(query)) personRetries ||= query.retry !== undefined;
        else if (!isInBackground(query) && (!digest || compare(query, digest) < 0)) digest = query;
      }
      // A digest starts although people wait. Retries of people still come first: their requests have begun.
      if (digest && peopleInARow >= maxPeopleBeforeDigest && !personRetries && hasRoom(digest, room, now))
        first = digest;
      if (!first || !hasRoom(first, room, now)) return undefined;
      if (!isOfPerson(first) || !digest) peopleInARow = 0;
      else if (!first.retry) peopleInARow += 1;
      remove(first);
      underWay.add(first);
      underWayFor.set(first.asker, (underWayFor.get(first.asker) ?? 0) + 1);
      unseen.add(first);
      turn += 1;
      lastTurnOf.set(first.asker, turn);
      return first;
    },
    /** The service has begun to answer: the latest moment at which the request can have reached it. */
    answerBegan,
    /** The request has ended, successful or not. */
    finish(query: QueuedQuery, now: number): void {
      answerBegan(query, now);
      if (!underWay.delete(query)) return;
      const left = (underWayFor.get(query.asker) ?? 0) - 1;
      if (left > 0) underWayFor.set(query.asker, left);
      else underWayFor.delete(query.asker);
    },
    /** No query starts before that time. */
    pauseUntil(time: number): void {
      heldUntil = Math.max(heldUntil, time);
    },
    /** The next time at which a query may start or expire; infinite if none waits for a time. */
    wakeAt(now: number): number {
      const times = [heldUntil];
      const isSpent = spent(now) >= maxRequestsPerMinute;
      const [oldest] = seenAt;
      if (isSpent && oldest !== undefined) times.push(oldest + minute);
      for (const { retry } of waitingAgain) if (retry) times.push(retry.notBefore, retry.expiresAt);
      return Math.min(...times.filter((time) => time > now));
    },
    /** The minimum wait by limits and pauses. Requests in progress may add to it. */
    minWaitMs(query: QueuedQuery, now: number): number {
      const late = placeOf(query) - (maxRequestsPerMinute - spent(now));
      const freed = seenAt[late % maxRequestsPerMinute] ?? now;
      const allowedAt = late < 0 ? now : freed + minute * (1 + Math.floor(late / maxRequestsPerMinute));
      return Math.max(now, heldUntil, query.retry?.notBefore ?? now, allowedAt) - now;
    },
  };

  function remove(query: QueuedQuery): void {
    waiting.delete(query);
    waitingAgain.delete(query);
  }

  function answerBegan(query: QueuedQuery, now: number): void {
    if (unseen.delete(query)) seenAt.push(now);
  }

  /** Requests that count against the limit now. */
  function spent(now: number): number {
    while ((seenAt[0] ?? now) <= now - minute) seenAt.shift();
    return seenAt.length + unseen.size;
  }

  /**
   * False if all slots are reserved for retries that come before this query. A query whose connection broke retries
   * within seconds, so that no long answer may take its slot.
   */
  function hasRoom(query: QueuedQuery, room: number, now: number): boolean {
    let reserved = 0;
    for (const other of waitingAgain) {
      const { retry } = other;
      if (retry?.keepsPlace && retry.notBefore > now && compare(other, query) < 0) reserved += 1;
    }
    return reserved < room;
  }

  /**
   * Order among people, and among digests: urgency; then retries before new queries; then the asker with the fewest
   * requests in progress; then the asker who started one longest ago. Ties keep their order of arrival, because sets do.
   */
  function compare(one: QueuedQuery, other: QueuedQuery): number {
    return (
      urgencyRank[one.urgency] - urgencyRank[other.urgency] ||
      Number(other.retry !== undefined) - Number(one.retry !== undefined) ||
      (underWayFor.get(one.asker) ?? 0) - (underWayFor.get(other.asker) ?? 0) ||
      (lastTurnOf.get(one.asker) ?? 0) - (lastTurnOf.get(other.asker) ?? 0)
    );
  }

  /** How many queries start before this query if no other arrives. */
  function placeOf(query: QueuedQuery): number {
    if (isInBackground(query)) return waiting.size - 1;
    const inClass = placeInClass(query);
    const others = [...waiting].filter(
      (other) => isOfPerson(other) !== isOfPerson(query) && !isInBackground(other),
    );
    if (isOfPerson(query)) {
      const turns = Math.floor((inClass + peopleInARow) / maxPeopleBeforeDigest);
      return inClass + Math.min(others.length, turns);
    }
    const untilTurn = Math.max(0, maxPeopleBeforeDigest * (inClass + 1) - peopleInARow);
    return inClass + Math.min(others.length, untilTurn);
  }

  /** How many queries start before this query among those of people, or among those of digests. */
  function placeInClass(query: QueuedQuery): number {
    let moreUrgent = 0;
    const sameUrgency = new Map<string, number>();
    let round = 0;
    let before = true;
    for (const other of waiting) {
      if (other === query) before = false;
      if (isOfPerson(other) !== isOfPerson(query)) continue;
      if (urgencyRank[other.urgency] < urgencyRank[query.urgency]) moreUrgent += 1;
      if (other.urgency !== query.urgency || other === query) continue;
      if (other.asker === query.asker) round += before ? 1 : 0;
      else sameUrgency.set(other.asker, (sameUrgency.get(other.asker) ?? 0) + 1);
    }
    const inTurn = [...sameUrgency.values()].map((count) => Math.min(count, round + 1));
    return inTurn.reduce((sum, count) => sum + count, moreUrgent + round);
  }
}
