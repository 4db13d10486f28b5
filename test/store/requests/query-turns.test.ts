import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRateLimiter } from '../../../src/reporting-api/rate-limiter.js';
import { shareRateLimiter } from '../../../src/reporting-api/shared-rate-limiter.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { systemMonotonicClock } from '../../../src/time/clock.js';
import { freshFolder, recordKey, sqlOn } from '../fresh-folder.js';

const folder = freshFolder();
let stores: Store[] = [];
beforeEach(async () => {
  stores = [];
  for (const name of ['one', 'two', 'three'])
    stores.push(
      await openStore(folder.databaseWithTables('rollcall.db'), Date.now, { process: name, recordKey }),
    );
});
afterEach(async () => {
  for (const store of stores) await store.close();
});

const turnsOf = (index: number) => {
  const store = stores[index];
  if (!store) throw new Error('There are three stores');
  return store.queryTurns;
};
const limits = { maxRequestsPerMinute: 50, maxParallelRequests: 2 };
const person = (id: string) => ({ id, urgency: 'person' }) as const;
const digest = (id: string) => ({ id, urgency: 'digest' }) as const;

/** Makes all times older by so many milliseconds. */
async function age(milliseconds: number) {
  for (const column of ['requested_at', 'polled_at', 'started_at', 'seen_at', 'ended_at'])
    await sqlOn(folder.database(), `UPDATE query_turns SET ${column} = ${column} - ${milliseconds}`);
}

describe('turns at the service', () => {
  it('are at most as many at once as may run in parallel, over all processes', async () => {
    expect(await turnsOf(0).take(person('a'), limits)).toBeUndefined();
    expect(await turnsOf(1).take(person('b'), limits)).toBeUndefined();
    expect(await turnsOf(2).take(person('c'), limits)).toMatchObject({ retryInMs: expect.any(Number) });
    await turnsOf(0).end('a');
    expect(await turnsOf(2).take(person('c'), limits)).toBeUndefined();
  });

  it('go to people before digests, and to whoever waited longer', async () => {
    const one = { ...limits, maxParallelRequests: 1 };
    await turnsOf(0).take(person('a'), one);
    await turnsOf(1).take(digest('b'), one);
    await turnsOf(2).take(person('c'), one);
    await turnsOf(1).take(person('d'), one);
    // They may have come in the same millisecond.
    await sqlOn(folder.database(), "UPDATE query_turns SET requested_at = requested_at - 1 WHERE id = 'c'");
    await turnsOf(0).end('a');
    expect(await turnsOf(1).take(digest('b'), one)).toBeDefined();
    expect(await turnsOf(1).take(person('d'), one)).toBeDefined();
    expect(await turnsOf(2).take(person('c'), one)).toBeUndefined();
    await turnsOf(2).end('c');
    // A digest that waited for half a minute comes before new requests of people.
    await sqlOn(
      folder.database(),
      "UPDATE query_turns SET requested_at = requested_at - 31000 WHERE id = 'b'",
    );
    expect(await turnsOf(1).take(person('d'), one)).toBeDefined();
    expect(await turnsOf(1).take(digest('b'), one)).toBeUndefined();
  });

  it('count for a minute after the service has seen them', async () => {
    const two = { maxRequestsPerMinute: 2, maxParallelRequests: 9 };
    await turnsOf(0).take(person('a'), two);
    await turnsOf(0).markSeen('a');
    await turnsOf(1).take(person('b'), two);
    await turnsOf(1).end('b');
    expect((await turnsOf(2).take(person('c'), two))?.retryInMs).toBe(1_000);
    await age(61_000);
    await turnsOf(0).end('a');
    expect(await turnsOf(2).take(person('c'), two)).toBeUndefined();
  });

  it('of a process that has ended become free, and nobody waits for one that no longer asks', async () => {
    const one = { ...limits, maxParallelRequests: 1 };
    await turnsOf(0).take(person('a'), one);
    await turnsOf(1).take(person('b'), one);
    expect([...(await turnsOf(2).holders())].sort()).toEqual(['one', 'two']);
    await turnsOf(2).endAllOf('one');
    expect(await turnsOf(2).take(person('c'), one)).toBeDefined();
    await age(5_000);
    expect(await turnsOf(2).take(person('d'), one)).toBeUndefined();
  });

  it('pause for all when the service says so', async () => {
    await turnsOf(0).pauseFor(30_000);
    expect((await turnsOf(1).take(person('a'), limits))?.retryInMs).toBe(1_000);
    await turnsOf(2).pauseFor(10);
    expect(await turnsOf(1).take(person('a'), limits)).toBeDefined();
    await age(31_000);
    expect(await turnsOf(1).take(person('b'), limits)).toBeUndefined();
  });
});

describe('a rate limiter that several processes share', () => {
  const limiterOf = (index: number) => {
    let made = 0;
    return shareRateLimiter(createRateLimiter(limits, systemMonotonicClock), limits, {
      turns: turnsOf(index),
      newId: () => `${index}-${made++}`,
      log: { warn: () => {} },
    });
  };

  it('never lets more run than may, and lets all run', async () => {
    let running = 0;
    let most = 0;
    const limiters = [0, 1, 2].map(limiterOf);
    const signal = new AbortController().signal;
    await Promise.all(
      limiters.flatMap((limiter) =>
        Array.from({ length: 4 }, async () => {
          const permit = await limiter.acquire({ urgency: 'person', asker: 'U1' }, { signal });
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setTimeout(resolve, 10));
          running -= 1;
          permit.answerBegan();
          permit.release();
        }),
      ),
    );
    expect(most).toBeLessThanOrEqual(2);
    expect(most).toBeGreaterThan(0);
  });

  it('ends the wait of a query that is cancelled', async () => {
    const [first, second] = [limiterOf(0), limiterOf(1)];
    const never = new AbortController().signal;
    const asker = { urgency: 'person', asker: 'U1' } as const;
    const held = [
      await first.acquire(asker, { signal: never }),
      await first.acquire(asker, { signal: never }),
    ];
    const stop = new AbortController();
    const waiting = second.acquire(asker, { signal: stop.signal });
    setTimeout(() => stop.abort(), 50);
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    for (const permit of held) permit.release();
    (await second.acquire(asker, { signal: never })).release();
  });
});
