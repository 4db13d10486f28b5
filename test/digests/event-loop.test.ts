import Sqlite from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { rescheduleAfterClockChange, watchClock } from '../../src/scheduler/clock-changes.js';
import { watchOutages } from '../../src/scheduler/outages.js';
import { ada, hour, openTestWorkspace, settings } from './test-workspace.js';

/** A clock by which whatever is done takes so long that everything else has to be let go on. */
function slowClock() {
  let time = 0;
  return () => {
    time += 10;
    return time;
  };
}

/** Counts how often the event loop comes round. */
function turns() {
  let count = 0;
  let isCounting = true;
  const turn = () => {
    count += 1;
    if (isCounting) setImmediate(turn);
  };
  setImmediate(turn);
  onTestFinished(() => {
    isCounting = false;
  });
  return () => count;
}

it('rescheduling yields to the event loop between any two digests', async () => {
  const { parts, store, clock } = await openTestWorkspace();
  const many = 60;
  for (let n = 0; n < many; n += 1) {
    const cadence = { kind: 'cron', expression: `${n} 9 * * 1-5` } as const;
    const one = { ...settings, schedule: { ...settings.schedule, cadence } };
    await store.digests.add(one, ada, clock.now() + 10_000 * hour, clock.now());
  }
  const slowly = { ...parts, monotonic: slowClock() };
  const count = turns();
  await rescheduleAfterClockChange(slowly, watchClock(clock.now), new AbortController().signal);
  expect(count()).toBeGreaterThanOrEqual(many - 2);
  const forward = await store.digests.active(many);
  const latest = Math.max(...forward.map((one) => ('nextDue' in one ? (one.nextDue ?? 0) : 0)));
  expect(latest).toBeLessThan(clock.now() + 100 * hour);
});

it('notifying many owners of an outage yields to the event loop, and each is entered once', async () => {
  const { parts, store, clock, path } = await openTestWorkspace({ admins: ['U0'] });
  const owners = 2000;
  fill(path, owners, clock.now());
  await store.digestOutages.begin('service', { code: 'token-refused' }, clock.now());
  const entered: string[] = [];
  const digestNotices: typeof store.digestNotifications = {
    ...store.digestNotifications,
    add(recipients, about, at) {
      entered.push(...recipients);
      return store.digestNotifications.add(recipients, about, at);
    },
  };
  const time = slowClock();
  const ahead = { by: 0 };
  const slowly = {
    ...parts,
    store: { ...store, digestNotifications: digestNotices },
    monotonic: () => time() + ahead.by,
  };
  const outages = watchOutages(slowly, () => {}, new AbortController().signal);
  await outages.load();
  const count = turns();
  outages.check();
  await outages.done();
  expect(count()).toBeGreaterThanOrEqual(owners / 50);
  expect(await store.digestNotifications.ready(clock.now(), 2 * owners)).toHaveLength(owners);
  // Those who are there already are not entered time and again.
  ahead.by += hour;
  outages.check();
  await outages.done();
  expect(entered).toHaveLength(owners);
});

/** Digests of as many owners, of each of which a run waits. */
function fill(path: string, owners: number, now: number) {
  const database = new Sqlite(path);
  const digest = database.prepare(
    `INSERT INTO digests (workspace, id, channel, owner, created_by, request, schedule, skip_empty, state, next_due, revision,
       failures, created_at) VALUES ((SELECT id FROM rollcall_workspace), ?, ?, ?, ?, ?, ?, 0, 'active', ?, 1, 0, ?)`,
  );
  const run = database.prepare(
    `INSERT INTO posts (workspace, id, kind, digest, channel, due_at, dedupe_key, state, ready_at, created_at)
       VALUES ((SELECT id FROM rollcall_workspace), ?, 'digest', ?, ?, ?, 's', 'queued', ?, ?)`,
  );
  const [request, schedule] = [JSON.stringify(settings.request), JSON.stringify(settings.schedule)];
  database.transaction(() => {
    for (let n = 0; n < owners; n += 1) {
      digest.run(`d${n}`, `C${n}`, `U${n}`, `U${n}`, request, schedule, now + hour, now);
      run.run(`r${n}`, `d${n}`, `C${n}`, now, now + hour, now);
    }
  })();
  database.close();
}
