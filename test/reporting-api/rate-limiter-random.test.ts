import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFailure } from '../../src/errors/failure.js';
import {
  createQueryQueue,
  createRateLimiter,
  type QueuedQuery,
} from '../../src/reporting-api/rate-limiter.js';
import type { Urgency } from '../../src/runner/ports.js';
import { propertyRuns } from '../property-runs.js';
import { simulatedTime } from './simulated-clock.js';

/** Of its own for each query, as in the client. */
const never = () => new AbortController().signal;
const urgencies: readonly Urgency[] = ['person', 'person-before', 'digest', 'digest-before'];

interface Visit {
  readonly at: number;
  readonly urgency: Urgency;
  readonly asker: string;
  /** From going through until the request reaches the service, and on until it begins to answer, and ends. */
  readonly toReach: number;
  readonly toBegin: number;
  readonly toEnd: number;
  readonly cancelAfter: number | undefined;
  readonly failsFirst: boolean;
  readonly asksToWait: number;
}

const visit: fc.Arbitrary<Visit> = fc.record({
  at: fc.nat(180_000),
  urgency: fc.constantFrom(...urgencies),
  asker: fc.constantFrom('A', 'B', 'C'),
  toReach: fc.nat(3000),
  toBegin: fc.nat(20_000),
  toEnd: fc.nat(20_000),
  cancelAfter: fc.option(fc.nat(60_000), { nil: undefined, freq: 4 }),
  failsFirst: fc.boolean(),
  asksToWait: fc.constantFrom(0, 0, 0, 5000, 70_000),
});

const limits = fc.record({
  maxRequestsPerMinute: fc.integer({ min: 1, max: 12 }),
  maxParallelRequests: fc.integer({ min: 1, max: 4 }),
});

const isOfPerson = ({ urgency }: Pick<QueuedQuery, 'urgency'>) => urgency.startsWith('person');

describe('the turn of digests, for random arrivals', () => {
  const arrival = fc.record({
    urgency: fc.constantFrom(...urgencies),
    asker: fc.constantFrom('A', 'B', 'C'),
    isRetry: fc.boolean(),
    /** How many queries start before the next one arrives. */
    startsAfter: fc.nat(3),
  });

  it('comes after exactly five new queries of people if more wait, and never before', () => {
    fc.assert(
      fc.property(fc.array(arrival, { minLength: 1, maxLength: 60 }), (arrivals) => {
        const queue = createQueryQueue({ maxRequestsPerMinute: 10 ** 6, maxParallelRequests: 1 });
        const waiting = new Set<QueuedQuery>();
        let people = 0;
        const startOne = () => {
          const ticket = queue.takeNext(0);
          if (!ticket) return expect(waiting.size).toBe(0);
          const digests = [...waiting].filter((other) => !isOfPerson(other));
          const newPeople = [...waiting].filter((other) => isOfPerson(other) && !other.retry);
          const begunPeople = [...waiting].filter((other) => isOfPerson(other) && other.retry);
          if (isOfPerson(ticket)) {
            if (!ticket.retry && digests.length > 0) people += 1;
            expect(people).toBeLessThanOrEqual(5);
            if (digests.length === 0) people = 0;
          } else {
            expect(begunPeople).toEqual([]);
            expect(newPeople.length === 0 || people === 5).toBe(true);
            people = 0;
          }
          waiting.delete(ticket);
          queue.finish(ticket, 0);
        };
        for (const { urgency, asker, isRetry, startsAfter } of arrivals) {
          const retry = isRetry ? { notBefore: 0, expiresAt: 10, keepsPlace: true } : undefined;
          const query = { urgency, asker, retry };
          queue.add(query);
          waiting.add(query);
          for (let i = 0; i < startsAfter; i += 1) startOne();
        }
        for (let i = waiting.size; i > 0; i -= 1) startOne();
        expect(waiting.size).toBe(0);
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});

describe('queries that wait for a retry and keep no place', () => {
  const arrival = fc.record({
    urgency: fc.constantFrom(...urgencies),
    asker: fc.constantFrom('A', 'B', 'C'),
    failed: fc.boolean(),
    startsAfter: fc.nat(3),
  });

  it('change nothing for all others until they are due', () => {
    fc.assert(
      fc.property(limits, fc.array(arrival, { minLength: 1, maxLength: 60 }), (given, arrivals) => {
        const startedWith = (isLeftOut: boolean) => {
          const queue = createQueryQueue(given);
          const numbers = new Map<QueuedQuery, number>();
          const started: (number | undefined)[] = [];
          for (const [number, { urgency, asker, failed, startsAfter }] of arrivals.entries()) {
            const retry = failed ? { notBefore: 60_000, expiresAt: 300_000, keepsPlace: false } : undefined;
            const query = { urgency, asker, retry };
            numbers.set(query, number);
            if (!failed || !isLeftOut) queue.add(query);
            for (let i = 0; i < startsAfter; i += 1) {
              const ticket = queue.takeNext(0);
              started.push(ticket && numbers.get(ticket));
              if (ticket && i > 0) queue.finish(ticket, 0);
            }
          }
          return started;
        };
        expect(startedWith(false)).toEqual(startedWith(true));
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});

describe('random queries', () => {
  it('stay within the limits, keep their order, and all run', async () => {
    await fc.assert(
      fc.asyncProperty(limits, fc.array(visit, { minLength: 1, maxLength: 40 }), async (given, visits) => {
        const time = simulatedTime();
        const gate = createRateLimiter(given, time);
        const waiting = new Set<QueuedQuery>();
        const underWay = new Set<QueuedQuery>();
        const reachedAt: number[] = [];
        let heldUntil = 0;
        let over = 0;
        const sleep = (milliseconds: number) =>
          new Promise<void>((resolve) => time.schedule(milliseconds, resolve));

        const goThrough = async (entrant: QueuedQuery, signal: AbortSignal) => {
          waiting.add(entrant);
          try {
            const pass = await gate.acquire(entrant, { signal }, new Error('expired'));
            waiting.delete(entrant);
            // What goes through together is checked together: nobody who stayed behind came before it.
            const due = [...waiting].filter(({ retry }) => (retry?.notBefore ?? 0) <= time.now());
            const wasPassedOver = due.filter(
              ({ urgency, retry }) =>
                urgencies.indexOf(urgency) < urgencies.indexOf(entrant.urgency) &&
                // A digest in its turn goes before new queries of people.
                (isOfPerson(entrant) || !isOfPerson({ urgency }) || retry !== undefined),
            );
            expect(wasPassedOver).toEqual([]);
            expect(time.now()).toBeGreaterThanOrEqual(heldUntil);
            expect(time.now()).toBeGreaterThanOrEqual(entrant.retry?.notBefore ?? 0);
            underWay.add(entrant);
            expect(underWay.size).toBeLessThanOrEqual(given.maxParallelRequests);
            return pass;
          } finally {
            waiting.delete(entrant);
          }
        };

        const visitAll = visits.map(async (each) => {
          await sleep(each.at);
          const { urgency, asker } = each;
          const ended = new AbortController();
          if (each.cancelAfter !== undefined) time.schedule(each.cancelAfter, () => ended.abort());
          let entrant: QueuedQuery = { urgency, asker };
          try {
            let pass = await goThrough(entrant, ended.signal);
            for (let failsAgain = each.failsFirst; ; failsAgain = false) {
              await sleep(each.toReach);
              reachedAt.push(time.now());
              await sleep(each.toBegin);
              pass.answerBegan();
              await sleep(each.toEnd);
              if (!failsAgain) break;
              if (each.asksToWait > 0) {
                gate.pauseFor(each.asksToWait);
                heldUntil = Math.max(heldUntil, time.now() + each.asksToWait);
              }
              const notBefore = time.now() + (each.asksToWait || 1000);
              const again: QueuedQuery = {
                urgency,
                asker,
                retry: { notBefore, expiresAt: time.now() + 10 ** 9, keepsPlace: each.asksToWait > 0 },
              };
              const next = goThrough(again, ended.signal);
              underWay.delete(entrant);
              entrant = again;
              pass.release();
              pass = await next;
            }
            underWay.delete(entrant);
            pass.release();
          } catch (error) {
            if (!isFailure(error, 'cancelled')) throw error;
          }
          over += 1;
        });
        const all = Promise.all(visitAll);
        await time.passAll();
        expect(over).toBe(visits.length);
        await all;

        for (const [place, reached] of reachedAt.sort((one, other) => one - other).entries()) {
          const later = reachedAt[place + given.maxRequestsPerMinute] ?? Number.POSITIVE_INFINITY;
          expect(later - reached).toBeGreaterThanOrEqual(60_000);
        }
        expect(waiting.size + underWay.size).toBe(0);
      }),
      { numRuns: propertyRuns(150) },
    );
  });

  it('use the full limit of a minute if requests are answered at once', async () => {
    await fc.assert(
      fc.asyncProperty(limits, fc.integer({ min: 1, max: 30 }), async (given, queries) => {
        const time = simulatedTime();
        const gate = createRateLimiter(given, time);
        const start = time.now();
        let last = start;
        const all = Array.from({ length: queries }, async (_, place) => {
          const pass = await gate.acquire({ urgency: 'digest', asker: `A${place % 3}` }, { signal: never() });
          last = time.now();
          pass.answerBegan();
          pass.release();
        });
        await time.passAll();
        await Promise.all(all);
        expect(last - start).toBe(Math.floor((queries - 1) / given.maxRequestsPerMinute) * 60_000);
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});
