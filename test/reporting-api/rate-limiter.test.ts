import { describe, expect, it } from 'vitest';
import type { QueuedQuery } from '../../src/reporting-api/rate-limiter.js';
import { createRateLimiter, type Permit } from '../../src/reporting-api/rate-limiter.js';
import type { Urgency } from '../../src/runner/ports.js';
import { simulatedTime } from './simulated-clock.js';

/** Of its own for each query, as in the client. */
const never = () => new AbortController().signal;
const urgencies: readonly Urgency[] = ['person', 'person-before', 'digest', 'digest-before'];

/** Enters under a name and notes who went through, in order. */
function openTestGate(limits: { maxRequestsPerMinute: number; maxParallelRequests: number }) {
  const time = simulatedTime();
  const gate = createRateLimiter(limits, time);
  const went: string[] = [];
  const passes = new Map<string, Permit>();
  return {
    time,
    gate,
    went,
    enter(name: string, entrant: QueuedQuery, options: Partial<Parameters<typeof gate.acquire>[1]> = {}) {
      const entered = gate
        .acquire(entrant, { signal: never(), ...options }, new Error('expired'))
        .then((pass) => {
          went.push(name);
          passes.set(name, pass);
        });
      entered.catch(() => {});
      return entered;
    },
    leave(name: string) {
      const pass = passes.get(name);
      if (!pass) throw new Error(`${name} has not gone through`);
      pass.release();
    },
  };
}

describe('the next query', () => {
  it('is for people before digests, and a main query before one for the previous period', async () => {
    const { time, enter, leave, went } = openTestGate({ maxRequestsPerMinute: 100, maxParallelRequests: 1 });
    enter('first', { urgency: 'digest-before', asker: 'A' });
    for (const urgency of [...urgencies].reverse()) enter(urgency, { urgency, asker: 'A' });
    await time.pass(0);
    for (const name of ['first', ...urgencies]) {
      expect(went.at(-1)).toBe(name);
      leave(name);
      await time.pass(0);
    }
    expect(went).toEqual(['first', ...urgencies]);
  });

  it('is for what has become urgent while it waited', async () => {
    const { time, enter, leave, went } = openTestGate({ maxRequestsPerMinute: 100, maxParallelRequests: 1 });
    let urgency: Urgency = 'digest-before';
    enter('first', { urgency: 'person', asker: 'A' });
    enter('digest', { urgency: 'digest', asker: 'B' });
    enter('raised', {
      asker: 'C',
      get urgency() {
        return urgency;
      },
    });
    enter('person before', { urgency: 'person-before', asker: 'D' });
    await time.pass(0);
    urgency = 'person';
    for (const name of ['first', 'raised', 'person before', 'digest']) {
      expect(went.at(-1)).toBe(name);
      leave(name);
      await time.pass(0);
    }
  });

  it('is for a waiting digest after five requests of people, and then after five more', async () => {
    const { time, enter, leave, went } = openTestGate({ maxRequestsPerMinute: 100, maxParallelRequests: 1 });
    for (let i = 1; i <= 13; i += 1) enter(`person ${i}`, { urgency: 'person', asker: `P${i}` });
    for (const name of ['digest 1', 'digest 2']) enter(name, { urgency: 'digest', asker: 'A' });
    for (let i = 0; i < 15; i += 1) {
      await time.pass(0);
      leave(went[i] ?? '');
    }
    expect(went.indexOf('digest 1')).toBe(6);
    expect(went.indexOf('digest 2')).toBe(12);
  });

  it('alternates among askers, so that many queries of one delay no other', async () => {
    const { time, enter, leave, went } = openTestGate({ maxRequestsPerMinute: 100, maxParallelRequests: 1 });
    for (const name of ['A1', 'A2', 'A3', 'A4']) enter(name, { urgency: 'person', asker: 'A' });
    enter('B1', { urgency: 'person', asker: 'B' });
    enter('C1', { urgency: 'person', asker: 'C' });
    enter('B2', { urgency: 'person', asker: 'B' });
    for (let i = 0; i < 7; i += 1) {
      await time.pass(0);
      leave(went[i] ?? '');
    }
    expect(went).toEqual(['A1', 'B1', 'C1', 'A2', 'B2', 'A3', 'A4']);
  });

  it('does not favour an asker who asks again and again', async () => {
    const { time, enter, leave, went } = openTestGate({ maxRequestsPerMinute: 100, maxParallelRequests: 1 });
    for (const name of ['A1', 'A2', 'A3']) enter(name, { urgency: 'person', asker: 'A' });
    enter('B1', { urgency: 'person', asker: 'B' });
    for (const [done, next] of [
      ['A1', undefined],
      ['B1', 'B2'],
      ['A2', undefined],
      ['B2', 'B3'],
      ['A3', undefined],
    ] as const) {
      await time.pass(0);
      expect(went.at(-1)).toBe(done);
      if (next) enter(next, { urgency: 'person', asker: 'B' });
      leave(done);
    }
  });

  it('is a retry at its reserved place, unless a more urgent query waits', async () => {
    const { time, enter, leave, went } = openTestGate({
      maxRequestsPerMinute: 100,
      maxParallelRequests: 1,
    });
    enter('digest', { urgency: 'digest', asker: 'A' });
    enter('other', { urgency: 'digest', asker: 'B' });
    await time.pass(0);
    const retry = { notBefore: time.now() + 2000, expiresAt: time.now() + 300_000, keepsPlace: true };
    enter('digest again', { urgency: 'digest', asker: 'A', retry });
    leave('digest');
    await time.pass(1000);
    expect(went).toEqual(['digest']);
    enter('person', { urgency: 'person', asker: 'C' });
    await time.pass(0);
    expect(went).toEqual(['digest', 'person']);
    leave('person');
    await time.pass(999);
    expect(went).toEqual(['digest', 'person']);
    await time.pass(1);
    expect(went).toEqual(['digest', 'person', 'digest again']);
    leave('digest again');
    await time.pass(0);
    expect(went.at(-1)).toBe('other');
  });
});

describe('a query that the service told to come back later', () => {
  it('gives its turn away, and is the first one again when it is due', async () => {
    const { time, enter, leave, went } = openTestGate({
      maxRequestsPerMinute: 100,
      maxParallelRequests: 1,
    });
    enter('failing', { urgency: 'person', asker: 'A' });
    for (const name of ['B1', 'B2', 'B3']) enter(name, { urgency: 'person', asker: 'B' });
    await time.pass(0);
    const retry = { notBefore: time.now() + 60_000, expiresAt: time.now() + 300_000, keepsPlace: false };
    enter('failing again', { urgency: 'person', asker: 'A', retry });
    leave('failing');
    await time.pass(0);
    leave('B1');
    await time.pass(0);
    expect(went).toEqual(['failing', 'B1', 'B2']);
    await time.pass(60_000);
    leave('B2');
    await time.pass(0);
    expect(went.slice(3)).toEqual(['failing again']);
  });
});

describe('limits', () => {
  it('counts a request until a minute after the service began to answer it', async () => {
    const { time, gate } = openTestGate({ maxRequestsPerMinute: 1, maxParallelRequests: 2 });
    const pass = await gate.acquire({ urgency: 'person', asker: 'A' }, { signal: never() });
    let second = false;
    gate.acquire({ urgency: 'person', asker: 'A' }, { signal: never() }).then(() => {
      second = true;
    });
    await time.pass(90_000);
    expect(second).toBe(false);
    pass.answerBegan();
    await time.pass(59_999);
    expect(second).toBe(false);
    await time.pass(1);
    expect(second).toBe(true);
  });

  it('pauses all queries for as long as the service asks', async () => {
    const { time, gate, enter, went } = openTestGate({ maxRequestsPerMinute: 100, maxParallelRequests: 9 });
    gate.pauseFor(5000);
    enter('A', { urgency: 'person', asker: 'A' });
    enter('B', { urgency: 'digest', asker: 'B' });
    await time.pass(4999);
    expect(went).toEqual([]);
    await time.pass(1);
    expect(went).toEqual(['A', 'B']);
  });
});

describe('leaving the queue', () => {
  it('removes a cancelled query, and no other', async () => {
    const { time, enter, leave, went } = openTestGate({ maxRequestsPerMinute: 100, maxParallelRequests: 1 });
    const ended = new AbortController();
    enter('first', { urgency: 'person', asker: 'A' });
    const cancelled = enter('second', { urgency: 'person', asker: 'A' }, { signal: ended.signal });
    enter('third', { urgency: 'person', asker: 'A' });
    ended.abort('enough');
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    await expect(cancelled).rejects.toMatchObject({ cause: 'enough' });
    leave('first');
    await time.pass(0);
    expect(went).toEqual(['first', 'third']);
  });

  it('refuses a query that was cancelled before', async () => {
    const { gate } = openTestGate({ maxRequestsPerMinute: 100, maxParallelRequests: 1 });
    const entered = gate.acquire({ urgency: 'person', asker: 'A' }, { signal: AbortSignal.abort() });
    await expect(entered).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('gives up a further try whose time has run out', async () => {
    const { time, enter, leave, went } = openTestGate({
      maxRequestsPerMinute: 100,
      maxParallelRequests: 1,
    });
    enter('long', { urgency: 'person', asker: 'A' });
    await time.pass(0);
    const retry = { notBefore: time.now(), expiresAt: time.now() + 300_000, keepsPlace: true };
    const expired = enter('again', { urgency: 'person', asker: 'B', retry });
    await time.pass(300_000);
    await expect(expired).rejects.toThrow('expired');
    leave('long');
    await time.pass(0);
    expect(went).toEqual(['long']);
  });
});

describe('telling of a long wait', () => {
  it('is reported at once and once if the limit causes it', async () => {
    const { time, enter } = openTestGate({ maxRequestsPerMinute: 2, maxParallelRequests: 9 });
    const told: (number | undefined)[] = [];
    for (let i = 0; i < 6; i += 1) {
      const name = `A${i}`;
      enter(name, { urgency: 'person', asker: 'A' }, { onWait: (wait) => told.push(wait) }).catch(() => {});
    }
    // The first two are on their way, two more follow within a minute at best, the last two after two.
    expect(told).toEqual([120_000, 120_000]);
    await time.pass(30_000);
    expect(told).toHaveLength(2);
  });

  it('is reported to all when the service asks for more than a minute', async () => {
    const { time, gate, enter, leave, went } = openTestGate({
      maxRequestsPerMinute: 50,
      maxParallelRequests: 1,
    });
    const told: unknown[] = [];
    enter('first', { urgency: 'person', asker: 'A' });
    enter('second', { urgency: 'person', asker: 'B' }, { onWait: (wait) => told.push(wait) });
    await time.pass(0);
    gate.pauseFor(60_000);
    expect(told).toEqual([]);
    gate.pauseFor(120_000);
    expect(told).toEqual([120_000]);
    leave('first');
    await time.pass(120_000);
    expect(went).toEqual(['first', 'second']);
    expect(told).toEqual([120_000]);
  });

  it('is reported after a minute if it depends on other queries', async () => {
    const { time, enter } = openTestGate({ maxRequestsPerMinute: 50, maxParallelRequests: 1 });
    const told: unknown[] = [];
    enter('first', { urgency: 'person', asker: 'A' });
    enter('second', { urgency: 'person', asker: 'B' }, { onWait: (wait) => told.push(wait) });
    await time.pass(59_999);
    expect(told).toEqual([]);
    await time.pass(1);
    expect(told).toEqual([undefined]);
  });

  it('keeps no timer when nobody waits', async () => {
    const { time, enter, leave } = openTestGate({ maxRequestsPerMinute: 1, maxParallelRequests: 1 });
    enter('A', { urgency: 'person', asker: 'A' }, { onWait: () => {} });
    await time.pass(0);
    leave('A');
    const before = time.now();
    await time.passAll();
    expect(time.now()).toBe(before);
  });
});
