import { describe, expect, it } from 'vitest';
import { ada as adaPerson, noah as noahPerson, priya } from '../../playground/slack/server/workspace/seed.js';
import { answer } from '../reporting-api/fault-server.js';
import { day, direct, dueNow, ended, forManagers, monday, rows, schedule } from './managers-workspace.js';
import { ada, hour, noah, openTestWorkspace } from './test-workspace.js';

describe('a digest for managers', () => {
  it('sends each manager the rows of their own people, in waves of their zones, and tells its owner', async () => {
    const workspace = await openTestWorkspace({ now: monday - 13 * 3_600_000 });
    const { service, scheduler, clock, store } = workspace;
    service.always(
      answer(
        rows(
          { manager: 'priya@example.com', person: 'p1' },
          { manager: 'priya@example.com', person: 'p2', days: -2 },
          { manager: 'ADA@example.com', person: 'p3', item: 'First aid', days: 9 },
          { manager: 'noah@example.com', person: 'p4' },
          { manager: 'nobody@example.com', person: 'p5' },
          { manager: 'gil@example.com', person: 'p6' },
          { manager: null, person: 'p7' },
          { manager: 'ada@example.com', person: 'ada' },
        ),
      ),
    );
    const zones = [priya.zone, adaPerson.zone, noahPerson.zone];
    const digest = await workspace.digest({ ...forManagers, zones }, Date.parse('2026-11-23T03:30:00Z'));
    scheduler.start();
    clock.moveBy(8.6 * 3_600_000);
    const first = await workspace.run(digest, ended);
    expect(first).toMatchObject({ state: 'posted', rows: 1, dueAt: Date.parse('2026-11-23T03:30:00Z') });
    const [toPriya] = await direct(workspace, priya.id);
    expect(toPriya?.text).toContain('1 of your 2 people has 1 overdue assignment.');
    expect(toPriya?.text).toContain('p1: Fire safety, 3 days overdue');
    expect(await direct(workspace, noah)).toHaveLength(0);

    clock.moveBy(4.5 * 3_600_000);
    const second = await workspace.run(digest, (run) => ended(run) && run.dueAt === monday);
    expect(second).toMatchObject({ state: 'posted', rows: 1 });
    const toAda = (await direct(workspace, ada)).map(({ text }) => text);
    expect(toAda.join('\n')).toContain('p3: First aid, 9 days overdue');
    expect(toAda.join('\n')).not.toContain('p1');
    const end = (await store.managerReaders.findEnds([second.id])).get(second.id);
    expect(end).toMatchObject({ sent: 1, withoutManager: 1, ownManager: 1 });
    expect(end?.notReached).toEqual(
      expect.arrayContaining([{ who: 'nobody@example.com', why: 'no-account' }]),
    );
    clock.moveBy(6 * 3_600_000);
    await workspace.run(digest, (run) => ended(run) && run.dueAt === Date.parse('2026-11-23T14:00:00Z'));
    expect(await direct(workspace, noah)).toHaveLength(1);
    expect(await direct(workspace, priya.id)).toHaveLength(1);
    const next = await store.digests.find(digest.id);
    expect(next?.nextDue).toBe(Date.parse('2026-11-30T03:30:00Z'));
  }, 30_000);

  it('sends nothing to whoever is below the level when the message is sent', async () => {
    const access = {
      accessOf: async (user: string) =>
        ({ level: user === ada ? 'everything' : 'totals', address: undefined }) as const,
    };
    const { workspace, digest } = await dueNow({ access });
    workspace.service.always(
      answer(
        rows({ manager: 'priya@example.com', person: 'p1' }, { manager: 'ada@example.com', person: 'p2' }),
      ),
    );
    workspace.scheduler.start();
    const run = await workspace.run(digest, ended);
    const end = (await workspace.store.managerReaders.findEnds([run.id])).get(run.id);
    expect(end).toMatchObject({ sent: 1, failed: { level: 1 } });
    expect(await direct(workspace, priya.id)).toHaveLength(0);
  }, 30_000);

  it('does not run for an owner whose level no longer sees everything', async () => {
    const access = { accessOf: async () => ({ level: 'team', address: 'ada@example.com' }) as const };
    const { workspace, digest } = await dueNow({ access });
    workspace.service.always(answer(rows({ manager: 'priya@example.com', person: 'p1' })));
    workspace.scheduler.start();
    expect(await workspace.run(digest, ended)).toMatchObject({
      state: 'failed',
      errorCode: 'access-refused',
    });
    expect((await workspace.store.digests.find(digest.id))?.state).toBe('paused');
    expect(await direct(workspace, priya.id)).toHaveLength(0);
  }, 30_000);

  it('asks afresh and sends the rest where its process ended on the way', async () => {
    const { workspace, digest } = await dueNow();
    const { store, clock, parts, service, scheduler } = workspace;
    const both = rows(
      { manager: 'ada@example.com', person: 'p1' },
      { manager: 'priya@example.com', person: 'p2' },
    );
    service.always(answer(both));
    // Another process has sent to Ada, and has begun to send to Priya, when it ends.
    await store.ledger.enter(
      [
        {
          digest: (await store.digests.find(digest.id)) ?? digest,
          run: { dueAt: monday, dedupeKey: 'a', missed: 0, late: false },
          nextDue: monday + 7 * day,
        },
      ],
      clock.now(),
    );
    const [claimed] = await store.ledger.claim({
      worker: 'ended',
      now: clock.now(),
      leaseMs: 1000,
      limit: 1,
      busyChannels: [],
    });
    const occurrence = String(Math.floor(monday / day));
    const of = { run: claimed?.id ?? '', digest: digest.id, occurrence };
    const begin = (user: string) => store.ledger.beginManagerPost({ ...of, user }, 'ended', clock.now());
    const [toAda, toPriya] = [await begin(ada), await begin(priya.id)];
    if (typeof toAda === 'string' || typeof toPriya === 'string') throw new Error('Not begun');
    await store.ledger.markPosting(toAda);
    scheduler.start();
    const run = await workspace.run(digest, ended);
    const end = (await store.managerReaders.findEnds([run.id])).get(run.id);
    // Nobody knows whether Ada got hers, so it is not repeated.
    expect(end).toMatchObject({ sent: 1, unconfirmed: 1 });
    expect(await direct(workspace, ada)).toHaveLength(0);
    expect(await direct(workspace, priya.id)).toHaveLength(1);
    expect(parts.worker).not.toBe('ended');
  }, 30_000);

  it('leaves what a wave has not sent to the later one that takes its place, and ends it with a pause', async () => {
    const { workspace, digest } = await dueNow();
    const { store, clock } = workspace;
    const claimOf = async (dueAt: number, dedupeKey: string) => {
      const now = (await store.digests.find(digest.id)) ?? digest;
      const run = { dueAt, dedupeKey, missed: 0, late: false };
      await store.ledger.enter([{ digest: now, run, nextDue: dueAt + hour }], clock.now());
      const of = { worker: 'w', now: dueAt, leaseMs: 60_000, limit: 1, busyChannels: [] };
      const [claimed] = await store.ledger.claim(of);
      return { id: claimed?.id ?? '', worker: 'w' };
    };
    const begin = ({ id: run, worker }: { id: string; worker: string }) => {
      const post = { run, digest: digest.id, user: ada, occurrence: 'today' };
      return store.ledger.beginManagerPost(post, worker, clock.now());
    };
    const end = {
      ...{ sent: 0, unconfirmed: 0, nothingToTell: 0, declined: 0, failed: {}, rows: 0, notReached: [] },
      ...{ withoutManager: 0, severalManagers: 0, ownManager: 0, isStopped: true as const },
    };
    const stopped = { end, digest: digest.id };
    const first = await claimOf(monday, 'a');
    const begun = await begin(first);
    if (typeof begun === 'string') throw new Error('Not begun');
    await store.ledger.releaseManagerPost(begun);
    const second = await claimOf(monday + hour, 'b');
    expect(await begin(first)).toBe('stopped');
    await store.ledger.keepStoppedManagersRun(first, stopped, undefined, clock.now());
    expect(await store.ledger.find(first.id)).toMatchObject({ state: 'skipped', errorCode: 'superseded' });
    // Not `skipped`, which would count as sent.
    const again = await begin(second);
    expect(again).toEqual(begun);
    await store.ledger.releaseManagerPost(begun);
    await store.ledger.skipWaiting(digest.id, 'by-hand', clock.now());
    expect(await begin(second)).toBe('stopped');
    await store.ledger.keepStoppedManagersRun(second, stopped, undefined, clock.now());
    expect((await store.ledger.countManagerPosts(second.id)).get('skipped')).toBe(1);
  }, 30_000);

  it('sends the rest after Slack was lost on the way, and repeats nothing', async () => {
    const { workspace, digest } = await dueNow({}, { schedule: { ...schedule, firstDay: '2026-12-01' } });
    const { store, slack, service, scheduler, clock } = workspace;
    await store.digests.change(digest.id, 2, { nextDue: monday + 7 * day });
    service.always(
      answer(
        rows(
          { manager: 'ada@example.com', person: 'p1' },
          { manager: 'noah@example.com', person: 'p2' },
          { manager: 'priya@example.com', person: 'p3' },
        ),
      ),
    );
    slack.faults.set('chat.postMessage', { kind: 'cut' }, { times: 2 });
    const now = (await store.digests.find(digest.id)) ?? digest;
    await store.ledger.enterNow(now, 'by hand', clock.now());
    scheduler.start();
    await workspace.run(digest, ({ state, errorCode }) => state === 'queued' && errorCode !== undefined);
    clock.moveBy(2 * 60_000);
    const run = await workspace.run(digest, ended);
    const end = (await store.managerReaders.findEnds([run.id])).get(run.id);
    expect(end).toMatchObject({ sent: 1, unconfirmed: 2 });
    expect(await direct(workspace, priya.id)).toHaveLength(1);
    expect([...(await direct(workspace, ada)), ...(await direct(workspace, noah))]).toEqual([]);
  }, 30_000);

  it('says once that nothing is left, and what has changed', async () => {
    const { workspace, digest } = await dueNow();
    const { store, service, scheduler, clock } = workspace;
    const now = await store.digests.find(digest.id);
    for (const user of [ada, priya.id]) {
      const last = { rows: 3, takenAt: monday - 7 * day };
      await store.managerReaders.keep(digest.id, user, last);
    }
    service.always(
      answer(
        rows({ manager: 'ada@example.com', person: 'p1' }, { manager: 'ada@example.com', person: 'p2' }),
      ),
    );
    scheduler.start();
    await workspace.run(now ?? digest, ended);
    expect((await direct(workspace, ada))[0]?.text).toContain(
      'All your 2 people have 2 overdue assignments, 1 fewer than last Monday.',
    );
    expect((await direct(workspace, priya.id))[0]?.text).toContain('Nothing left');
    clock.moveBy(7 * day);
    await workspace.run(digest, (run) => ended(run) && run.dueAt > monday);
    expect(await direct(workspace, priya.id)).toHaveLength(1);
  }, 30_000);

  it('leaves nothing of a person who is erased', async () => {
    const { workspace, digest } = await dueNow();
    const { store, service, scheduler } = workspace;
    service.always(answer(rows({ manager: 'priya@example.com', person: 'p1' })));
    scheduler.start();
    const run = await workspace.run(digest, ended);
    expect((await store.ledger.countManagerPosts(run.id)).get('posted')).toBe(1);
    expect((await store.managerReaders.findAll(digest.id)).size).toBe(1);
    await store.erasePerson([priya.id, 'priya@example.com']);
    expect((await store.ledger.countManagerPosts(run.id)).size).toBe(0);
    expect((await store.managerReaders.findAll(digest.id)).size).toBe(0);
  }, 30_000);
});
