import type { Urgency } from '../runner/ports.js';

/** What holds back the requests to the service. */
export interface RateLimits {
  readonly maxRequestsPerMinute: number;
  readonly maxParallelRequests: number;
}

/** Who wants to go through. Times are milliseconds of one clock that only runs forward. */
export interface QueuedQuery {
  readonly urgency: Urgency;
  readonly asker: string;
  /** Set for a question that went through before and failed: when it may go again, and until when it is of use. */
  readonly retry?: { readonly notBefore: number; readonly expiresAt: number };
}

/** A place in the queue, later a request under way. */
export interface Ticket extends QueuedQuery {
  readonly enteredAt: number;
}

/** Who goes next, and when. Pure: it keeps no time, each call says what time it is. */
export interface QueryQueue {
  add(entrant: QueuedQuery, now: number): Ticket;
  /** Takes a ticket out of the queue. */
  remove(ticket: Ticket): void;
  /** Takes out what is no longer of use. */
  takeExpired(now: number): readonly Ticket[];
  /** The ticket that goes now, which counts as under way from here on; undefined: nobody may. */
  takeNext(now: number): Ticket | undefined;
  /** The service has begun to answer: the latest moment at which the request can have reached it. */
  answerBegan(ticket: Ticket, now: number): void;
  /** The request is over, well or not. */
  finish(ticket: Ticket, now: number): void;
  /** Nobody goes before then. */
  pauseUntil(time: number): void;
  /** When time alone may let something happen; undefined: nothing waits for time. */
  wakeAt(now: number): number | undefined;
  /** The least that this ticket still waits, as far as limits and holds tell; what is under way may add to it. */
  minWaitMs(ticket: Ticket, now: number): number;
}

export const minute = 60_000;

const rank: Readonly<Record<Urgency, number>> = {
  person: 0,
  'person-before': 1,
  digest: 2,
  'digest-before': 3,
};

export function createQueryQueue({ maxRequestsPerMinute, maxParallelRequests }: RateLimits): QueryQueue {
  const waiting = new Set<Ticket>();
  /** Those of them that failed before: few, where very many wait. */
  const waitingAgain = new Set<Ticket>();
  const underWay = new Set<Ticket>();
  const underWayFor = new Map<string, number>();
  /**
   * Requests under way that the service has not begun to answer. Each counts against the limit until a minute after
   * it begins: only then is it sure that the service, too, saw no more than that in any minute.
   */
  const unseen = new Set<Ticket>();
  /** When the service had got each request of the last minute, oldest first. */
  const seenAt: number[] = [];
  const lastTurnOf = new Map<string, number>();
  let turn = 0;
  let heldUntil = Number.NEGATIVE_INFINITY;

  return {
    add(entrant, now) {
      const ticket = { ...entrant, enteredAt: now };
      waiting.add(ticket);
      if (ticket.retry) waitingAgain.add(ticket);
      return ticket;
    },
    remove(ticket) {
      leave(ticket);
      forgetTurns();
    },
    takeExpired(now) {
      const expired = [...waitingAgain].filter(({ retry }) => retry && retry.expiresAt <= now);
      for (const ticket of expired) leave(ticket);
      forgetTurns();
      return expired;
    },
    takeNext(now) {
      const room = Math.min(maxParallelRequests - underWay.size, maxRequestsPerMinute - spent(now));
      if (now < heldUntil || room <= 0) return undefined;
      const ticket = firstThatIsDue(now);
      if (!ticket) return undefined;
      // A failed question waits a few seconds to go again. Its place is kept, lest a long answer slips in before it.
      const kept = [...waitingAgain].filter((other) => !isDue(other, now) && compare(other, ticket) < 0);
      if (kept.length >= room) return undefined;
      leave(ticket);
      underWay.add(ticket);
      underWayFor.set(ticket.asker, (underWayFor.get(ticket.asker) ?? 0) + 1);
      unseen.add(ticket);
      turn += 1;
      lastTurnOf.set(ticket.asker, turn);
      return ticket;
    },
    answerBegan: see,
    finish(ticket, now) {
      see(ticket, now);
      if (!underWay.delete(ticket)) return;
      const left = (underWayFor.get(ticket.asker) ?? 0) - 1;
      if (left > 0) underWayFor.set(ticket.asker, left);
      else underWayFor.delete(ticket.asker);
      forgetTurns();
    },
    pauseUntil(time) {
      heldUntil = Math.max(heldUntil, time);
    },
    wakeAt(now) {
      if (waiting.size === 0) return undefined;
      const times = [heldUntil];
      const oldest = seenAt[0];
      if (oldest !== undefined && spent(now) >= maxRequestsPerMinute) times.push(oldest + minute);
      for (const { retry } of waitingAgain) if (retry) times.push(retry.notBefore, retry.expiresAt);
      const ahead = times.filter((time) => time > now);
      return ahead.length > 0 ? Math.min(...ahead) : undefined;
    },
    minWaitMs(ticket, now) {
      const start = Math.max(now, heldUntil, ticket.retry?.notBefore ?? now, budgetAt(placeOf(ticket), now));
      return start - now;
    },
  };

  function leave(ticket: Ticket) {
    waiting.delete(ticket);
    waitingAgain.delete(ticket);
  }

  function see(ticket: Ticket, now: number) {
    if (unseen.delete(ticket)) seenAt.push(now);
  }

  /** Requests that count against the limit now. */
  function spent(now: number): number {
    const stillCount = seenAt.findIndex((time) => time > now - minute);
    seenAt.splice(0, stillCount === -1 ? seenAt.length : stillCount);
    return seenAt.length + unseen.size;
  }

  function firstThatIsDue(now: number): Ticket | undefined {
    let first: Ticket | undefined;
    for (const ticket of waiting) {
      if (isDue(ticket, now) && (!first || compare(ticket, first) < 0)) first = ticket;
    }
    return first;
  }

  /**
   * By urgency; then what failed before new questions; then in turn among askers: the one with the fewest requests
   * under way, then the one whose last turn is longest ago. Equal: as they came, since sets keep that order.
   */
  function compare(one: Ticket, other: Ticket): number {
    return (
      rank[one.urgency] - rank[other.urgency] ||
      Number(other.retry !== undefined) - Number(one.retry !== undefined) ||
      (underWayFor.get(one.asker) ?? 0) - (underWayFor.get(other.asker) ?? 0) ||
      (lastTurnOf.get(one.asker) ?? 0) - (lastTurnOf.get(other.asker) ?? 0)
    );
  }

  /** Turns matter only among those who are here together. */
  function forgetTurns() {
    if (waiting.size === 0 && underWay.size === 0) lastTurnOf.clear();
  }

  /** How many go before this ticket if nobody else comes. */
  function placeOf(ticket: Ticket): number {
    let moreUrgent = 0;
    const sameUrgency = new Map<string, number>();
    let round = 0;
    let before = true;
    for (const other of waiting) {
      if (other === ticket) before = false;
      if (rank[other.urgency] < rank[ticket.urgency]) moreUrgent += 1;
      if (other.urgency !== ticket.urgency || other === ticket) continue;
      if (other.asker === ticket.asker) round += before ? 1 : 0;
      else sameUrgency.set(other.asker, (sameUrgency.get(other.asker) ?? 0) + 1);
    }
    const inTurn = [...sameUrgency.values()].map((count) => Math.min(count, round + 1));
    return inTurn.reduce((sum, count) => sum + count, moreUrgent + round);
  }

  /** When the limit lets the request of that place go; 0 is the next one. */
  function budgetAt(place: number, now: number): number {
    const late = place - (maxRequestsPerMinute - spent(now));
    if (late < 0) return now;
    const freed = seenAt[late % maxRequestsPerMinute] ?? now;
    return freed + minute * (1 + Math.floor(late / maxRequestsPerMinute));
  }
}

function isDue({ retry }: Ticket, now: number): boolean {
  return !retry || retry.notBefore <= now;
}
