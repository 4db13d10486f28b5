import { type Urgency, urgencyRank } from '../runner/ports.js';

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

export const minute = 60_000;

/** The highest of some urgencies; undefined where there is none. */
export function mostUrgent(urgencies: readonly Urgency[]): Urgency | undefined {
  return urgencies.toSorted((one, other) => urgencyRank(one) - urgencyRank(other))[0];
}

/** A digest that waits starts after at most this many requests of people, so that a busy day delays none for long. */
const maxPeopleBeforeDigest = 5;

function isOfPerson({ urgency }: QueuedQuery): boolean {
  return urgencyRank(urgency) < urgencyRank('digest');
}

/** True for a query that waits until nothing else does. */
export function isInBackground({ urgency }: QueuedQuery): boolean {
  return urgency === 'background';
}

function isOfDigest(query: QueuedQuery): boolean {
  return !isOfPerson(query) && !isInBackground(query);
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
    add(query: QueuedQuery): void {
      waiting.add(query);
      if (query.retry) waitingAgain.add(query);
    },
    remove(query: QueuedQuery): void {
      leave(query);
      forgetTurns();
    },
    /** Removes expired retries. */
    takeExpired(now: number): readonly QueuedQuery[] {
      const expired = [...waitingAgain].filter(({ retry }) => retry && retry.expiresAt <= now);
      for (const query of expired) leave(query);
      forgetTurns();
      return expired;
    },
    /** Starts the next query and returns it; undefined if none may start now. */
    takeNext(now: number): QueuedQuery | undefined {
      const room = Math.min(maxParallelRequests - underWay.size, maxRequestsPerMinute - spent(now));
      if (now < heldUntil || room <= 0) return undefined;
      const query = digestInTurn(now, room) ?? firstThatIsDue(now);
      // A query whose connection broke retries within seconds. Its slot stays reserved, so that no long answer takes it.
      if (!query || reservedBefore(query, now) >= room) return undefined;
      countPeople(query, now);
      leave(query);
      underWay.add(query);
      underWayFor.set(query.asker, (underWayFor.get(query.asker) ?? 0) + 1);
      unseen.add(query);
      turn += 1;
      lastTurnOf.set(query.asker, turn);
      return query;
    },
    /** The service has begun to answer: the latest moment at which the request can have reached it. */
    answerBegan: see,
    /** The request has ended, successful or not. */
    finish(query: QueuedQuery, now: number): void {
      see(query, now);
      if (!underWay.delete(query)) return;
      const left = (underWayFor.get(query.asker) ?? 0) - 1;
      if (left > 0) underWayFor.set(query.asker, left);
      else underWayFor.delete(query.asker);
      forgetTurns();
    },
    /** No query starts before that time. */
    pauseUntil(time: number): void {
      heldUntil = Math.max(heldUntil, time);
    },
    /** The next time at which a query may start or expire; undefined if none waits for a time. */
    wakeAt(now: number): number | undefined {
      if (waiting.size === 0) return undefined;
      const times = [heldUntil];
      const oldest = seenAt[0];
      if (oldest !== undefined && spent(now) >= maxRequestsPerMinute) times.push(oldest + minute);
      for (const { retry } of waitingAgain) if (retry) times.push(retry.notBefore, retry.expiresAt);
      const ahead = times.filter((time) => time > now);
      return ahead.length > 0 ? Math.min(...ahead) : undefined;
    },
    /** The minimum wait by limits and pauses. Requests in progress may add to it. */
    minWaitMs(query: QueuedQuery, now: number): number {
      const start = Math.max(now, heldUntil, query.retry?.notBefore ?? now, budgetAt(placeOf(query), now));
      return start - now;
    },
  };

  function leave(query: QueuedQuery) {
    waiting.delete(query);
    waitingAgain.delete(query);
  }

  function see(query: QueuedQuery, now: number) {
    if (unseen.delete(query)) seenAt.push(now);
  }

  /** Requests that count against the limit now. */
  function spent(now: number): number {
    const stillCount = seenAt.findIndex((time) => time > now - minute);
    seenAt.splice(0, stillCount === -1 ? seenAt.length : stillCount);
    return seenAt.length + unseen.size;
  }

  function firstThatIsDue(
    now: number,
    matches: (query: QueuedQuery) => boolean = () => true,
  ): QueuedQuery | undefined {
    let first: QueuedQuery | undefined;
    for (const query of waiting) {
      if (matches(query) && isDue(query, now) && (!first || compare(query, first) < 0)) first = query;
    }
    return first;
  }

  /** How many slots are reserved for retries that come before this query. */
  function reservedBefore(query: QueuedQuery, now: number): number {
    return [...waitingAgain].filter(
      (other) => other.retry?.keepsPlace && !isDue(other, now) && compare(other, query) < 0,
    ).length;
  }

  /** The digest that starts now although people wait. Retries of people still come first: their requests have begun. */
  function digestInTurn(now: number, room: number): QueuedQuery | undefined {
    if (peopleInARow < maxPeopleBeforeDigest) return undefined;
    const isBegun = ({ retry }: QueuedQuery) => retry !== undefined;
    if (firstThatIsDue(now, (query) => isOfPerson(query) && isBegun(query))) return undefined;
    const digest = firstThatIsDue(now, isOfDigest);
    return digest && reservedBefore(digest, now) < room ? digest : undefined;
  }

  function countPeople(started: QueuedQuery, now: number) {
    const digestWaits = firstThatIsDue(now, isOfDigest) !== undefined;
    if (!isOfPerson(started) || !digestWaits) peopleInARow = 0;
    else if (!started.retry) peopleInARow += 1;
  }

  /**
   * Order among people, and among digests: urgency; then retries before new queries; then the asker with the fewest
   * requests in progress; then the asker who started one longest ago. Ties keep their order of arrival, because sets do.
   */
  function compare(one: QueuedQuery, other: QueuedQuery): number {
    return (
      urgencyRank(one.urgency) - urgencyRank(other.urgency) ||
      Number(other.retry !== undefined) - Number(one.retry !== undefined) ||
      (underWayFor.get(one.asker) ?? 0) - (underWayFor.get(other.asker) ?? 0) ||
      (lastTurnOf.get(one.asker) ?? 0) - (lastTurnOf.get(other.asker) ?? 0)
    );
  }

  /** Turns matter only among askers with waiting queries. */
  function forgetTurns() {
    if (waiting.size === 0 && underWay.size === 0) lastTurnOf.clear();
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
      if (urgencyRank(other.urgency) < urgencyRank(query.urgency)) moreUrgent += 1;
      if (other.urgency !== query.urgency || other === query) continue;
      if (other.asker === query.asker) round += before ? 1 : 0;
      else sameUrgency.set(other.asker, (sameUrgency.get(other.asker) ?? 0) + 1);
    }
    const inTurn = [...sameUrgency.values()].map((count) => Math.min(count, round + 1));
    return inTurn.reduce((sum, count) => sum + count, moreUrgent + round);
  }

  /** When the limit allows the request at that position; 0 is the next one. */
  function budgetAt(place: number, now: number): number {
    const late = place - (maxRequestsPerMinute - spent(now));
    if (late < 0) return now;
    const freed = seenAt[late % maxRequestsPerMinute] ?? now;
    return freed + minute * (1 + Math.floor(late / maxRequestsPerMinute));
  }
}

function isDue({ retry }: QueuedQuery, now: number): boolean {
  return !retry || retry.notBefore <= now;
}
