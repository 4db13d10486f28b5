import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { digestScheduler } from '../../src/scheduler/scheduler.js';
import { databaseUnusable } from '../../src/store/database/errors.js';
import { status } from '../reporting-api/fault-server.js';
import {
  hour,
  learning,
  moreChannel,
  noah,
  openTestWorkspace,
  settings,
  withSlack,
} from './test-workspace.js';

describe('a connection to the database that breaks', () => {
  it('after a claim was written delays its run by seconds', async () => {
    const { digest, run, parts, path, posts, clock, wait } = await openTestWorkspace();
    const { ledger } = parts.store;
    let isClaimed = false;
    const claim: typeof ledger.claim = async (wanted) => {
      const claimed = await ledger.claim(wanted);
      if (isClaimed || claimed.length === 0) return claimed;
      isClaimed = true;
      throw databaseUnusable(path, 'ECONNRESET');
    };
    const scheduler = digestScheduler({ ...parts, store: { ...parts.store, ledger: { ...ledger, claim } } });
    onTestFinished(() => scheduler.stop());
    const one = await digest();
    scheduler.start();
    await expect.poll(() => isClaimed).toBe(true);
    await run(one, ({ state }) => state === 'running');
    clock.moveBy(16_000);
    wait(16_000);
    await run(one, ({ state }) => state === 'posted');
    expect(posts(learning)).toHaveLength(1);
  });
});

describe('a clock that jumps', () => {
  it('back neither repeats nor skips digests', async () => {
    const { digest, run, scheduler, clock, store, posts, slack } = await openTestWorkspace();
    const one = await digest();
    scheduler.start();
    await run(one, ({ state }) => state === 'posted');
    clock.moveBy(400 * 24 * hour);
    await slack.waitFor(() => posts(learning).length === 2);
    const ahead = (await store.digests.find(one.id))?.nextDue ?? 0;
    expect(ahead).toBeGreaterThan(clock.now());
    clock.moveBy(-400 * 24 * hour);
    await expect
      .poll(async () => (await store.digests.find(one.id))?.nextDue)
      .toBeLessThan(ahead - 300 * 24 * hour);
    const next = (await store.digests.find(one.id))?.nextDue ?? 0;
    expect(next - clock.now()).toBeLessThanOrEqual(hour);
    expect(posts(learning)).toHaveLength(2);
    // The same hour once more: it is in the ledger already.
    clock.moveBy(next - clock.now() - 2000);
    await slack.waitFor(() => posts(learning).length === 3);
    clock.moveBy(-10_000);
    await new Promise((resolve) => setTimeout(resolve, 300));
    clock.moveBy(10_000);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(posts(learning)).toHaveLength(3);
  }, 40_000);

  it('forward over many due times delivers one run, marked late, with the number of missed runs', async () => {
    const now = Date.parse('2026-11-20T09:30:00Z');
    const { digest, run, scheduler, clock, slack, posts } = await openTestWorkspace({ now });
    const cadence = { kind: 'daily', time: '09:00' } as const;
    const one = await digest({ schedule: { ...settings.schedule, cadence } }, clock.now() + hour);
    scheduler.start();
    clock.moveBy(5 * 24 * hour + 3 * hour);
    const done = await run(one, ({ state }) => state === 'posted');
    expect(done.missed).toBeGreaterThanOrEqual(3);
    const message = slack.messages('#learning').find(({ ts }) => ts === posts(learning)[0]?.ts);
    expect(posts(learning)).toHaveLength(1);
    expect(message?.words).toContain('Late: this was due');
  });
});

describe('a database that another program holds', () => {
  it('is reported once, and the digest is delivered once the database is free', async () => {
    const { digest, run, parts, path, posts } = await openTestWorkspace();
    const lines: { level: string; words: string }[] = [];
    const note = (level: string) => (_details: unknown, words?: string) => {
      lines.push({ level, words: words ?? '' });
    };
    const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
    const busy = databaseUnusable(path, 'SQLITE_BUSY');
    let isHeld = true;
    let refusals = 0;
    const { ledger } = parts.store;
    const claim: typeof ledger.claim = async (wanted) => {
      if (!isHeld) return ledger.claim(wanted);
      refusals += 1;
      throw busy;
    };
    const store = { ...parts.store, ledger: { ...ledger, claim } };
    const scheduler = digestScheduler({ ...parts, store, log });
    onTestFinished(() => scheduler.stop());
    const one = await digest();
    scheduler.start();
    await expect.poll(() => refusals).toBeGreaterThan(3);
    isHeld = false;
    await run(one, ({ state }) => state === 'posted', 15_000);
    expect(posts(learning)).toHaveLength(1);
    expect(lines.filter(({ level }) => level === 'error')).toEqual([
      { level: 'error', words: 'The digest scheduler had an error and continues' },
    ]);
    expect(lines.map(({ words }) => words)).toContain('The digest scheduler works again');
  }, 30_000);
});

describe('channels with many runs', () => {
  it('let channels with few runs go first, because they wait for their next post anyway', async () => {
    const [many, few] = [30, 10];
    const { digest, run, parts, clock, posts, slack } = await openTestWorkspace({ channels: many + few });
    for (let n = 0; n < many; n += 1) {
      for (let i = 0; i < 3; i += 1) await digest({ channel: moreChannel(n) }, clock.now() - 2 * hour);
    }
    const last = [];
    for (let n = many; n < many + few; n += 1) last.push(await digest({ channel: moreChannel(n) }));
    // A channel that was posted to rests for ever by this clock, so that only the order is seen.
    const frozen = performance.now();
    const scheduler = digestScheduler({ ...parts, monotonic: () => frozen, channelPostIntervalMs: 600 });
    onTestFinished(() => scheduler.stop());
    scheduler.start();
    for (const one of last) await run(one, ({ state }) => state === 'posted', 20_000);
    for (let n = 0; n < many; n += 1) {
      await slack.waitFor(() => posts(moreChannel(n)).length === 3);
    }
    const order = slack.posts.map(({ channel }) => channel);
    const lastOfFew = Math.max(...last.map(({ channel }) => order.indexOf(channel)));
    const thirds = Array.from({ length: many }, (_, n) => order.lastIndexOf(moreChannel(n)));
    expect(lastOfFew).toBeLessThan(Math.min(...thirds));
  }, 60_000);
});

describe('an owner with many runs', () => {
  it('does not delay another owner with one', async () => {
    const many = 70;
    const { digest, run, scheduler, clock, slack } = await openTestWorkspace({ channels: many });
    for (let n = 0; n < many; n += 1) {
      await digest({ channel: moreChannel(n) }, clock.now() - 2 * hour);
    }
    const other = await digest({ owner: noah });
    scheduler.start();
    await run(other, ({ state }) => state === 'posted', 20_000);
    await slack.waitFor(() => slack.posts.length === many + 1);
    // The first claim takes 24 runs of the owner who was due first.
    expect(slack.posts.findIndex(({ channel }) => channel === learning)).toBeLessThan(48);
  }, 60_000);
});

describe('many owners', () => {
  it('are prepared together, before their runs start', async () => {
    const { parts, store, clock } = await openTestWorkspace();
    const owners = Array.from({ length: 40 }, (_, n) => `U${n}`);
    for (const owner of owners) {
      await store.digests.add({ ...settings, owner }, owner, clock.now() - 1000, clock.now());
    }
    const calls: (readonly string[])[] = [];
    const poster: typeof parts.poster = {
      ...parts.poster,
      deliver(claimed, steps) {
        calls.push([claimed.digest.owner]);
        return parts.poster.deliver(claimed, steps);
      },
    };
    const prepareOwners = (some: readonly string[]) => void calls.push(some);
    const scheduler = digestScheduler({ ...parts, poster, prepareOwners });
    onTestFinished(() => scheduler.stop());
    scheduler.start();
    await vi.waitFor(() => expect(calls.length).toBeGreaterThan(2), 10_000);
    expect([...(calls[0] ?? [])].sort()).toEqual([...owners].sort());
    expect(calls[1]).toHaveLength(1);
  }, 30_000);

  it('are not prepared during an outage', async () => {
    const { digest, parts, store, clock, service } = await openTestWorkspace({ usual: status(403) });
    await store.digestOutages.begin('service', { code: 'token-refused' }, clock.now());
    const one = await digest();
    const prepared: (readonly string[])[] = [];
    const scheduler = digestScheduler({ ...parts, prepareOwners: (some) => void prepared.push(some) });
    onTestFinished(() => scheduler.stop());
    scheduler.start();
    await service.reached(1);
    expect((await store.ledger.history(one.id, 1))[0]?.state).not.toBe('posted');
    expect(prepared).toEqual([]);
  }, 30_000);
});

describe('a stop', () => {
  it('leaves unposted runs to the next start', async () => {
    const { digest, run, scheduler, parts, posts, slack, store } = await openTestWorkspace();
    slack.faults.set('users.conversations', { kind: 'slow', milliseconds: 400 });
    const one = await digest();
    scheduler.start();
    await run(one, ({ state }) => state === 'running');
    await scheduler.stop();
    expect((await store.ledger.history(one.id, 1))[0]).toMatchObject({ state: 'queued' });
    expect(posts(learning)).toHaveLength(0);
    const next = digestScheduler(parts);
    next.start();
    await run(one, ({ state }) => state === 'posted');
    await next.stop();
    expect(posts(learning)).toHaveLength(1);
  });
});

describe('an owner', () => {
  it('who has left the workspace: the digest pauses, and admins are notified', async () => {
    const { digest, run, parts, slack, store, posts } = await openTestWorkspace({ admins: ['U00ADA0001'] });
    const one = await digest({ owner: 'U00NOAH001' });
    const people = {
      find: async (id: string) => ({
        id,
        standing: id === 'U00NOAH001' ? ('gone' as const) : ('member' as const),
      }),
      invalidate() {},
    };
    const scheduler = digestScheduler(withSlack({ ...parts, people }));
    scheduler.start();
    onTestFinished(() => scheduler.stop());
    await run(one, ({ state }) => state === 'failed');
    expect(await store.digests.find(one.id)).toMatchObject({ state: 'paused', pauseReason: 'owner-left' });
    await slack.waitForMessage('@ada', 'Its owner has left this workspace');
    expect(posts(learning)).toHaveLength(0);
  });

  it('who is no longer in the channel gets nothing posted there', async () => {
    const { digest, run, scheduler, slack, posts } = await openTestWorkspace();
    slack.as('ada').cleanUp('#learning');
    const one = await digest();
    scheduler.start();
    expect(await run(one, ({ state }) => state === 'failed')).toMatchObject({
      errorCode: 'owner-not-member',
    });
    expect(posts(learning)).toHaveLength(0);
  });

  it('gets person-level data only in direct messages after the channel was shared', async () => {
    const { digest, run, scheduler, slack, parts, clock, posts } = await openTestWorkspace();
    await parts.store.approvals.approveChannel({ subject: learning, by: 'U00ADA0001', at: clock.now() });
    await parts.channels.find(learning);
    const one = await digest({ request: { ...settings.request, file: 'csv' as const, columns: ['email'] } });
    slack.as('ada').share('#learning');
    scheduler.start();
    await run(one, ({ fileState }) => fileState === 'posted');
    expect(posts(learning)).toHaveLength(0);
    expect(slack.messages('@ada').some(({ files }) => files.length > 0)).toBe(true);
  });
});
