import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import {
  rescheduleAfterClockChange,
  watchClock,
  watchClockChanges,
} from '../../src/scheduler/clock-changes.js';
import { enterDue } from '../../src/scheduler/enter-due.js';
import { digestScheduler } from '../../src/scheduler/scheduler.js';
import { type DigestTestWorkspace, hour, openTestWorkspace, settings } from './test-workspace.js';

const many = 2_000;
const never = new AbortController().signal;

/** Writes so many digests of the usual settings, all of which come next at a time. */
function fill(path: string, nextDue: number) {
  const database = new Sqlite(path);
  const insert = database.prepare(
    `INSERT INTO digests (workspace, id, channel, owner, created_by, request, schedule, skip_empty, state, next_due, revision,
      failures, created_at) VALUES ((SELECT id FROM rollcall_workspace), ?, ?, ?, ?, ?, ?, 0, 'active', ?, 1, 0, 0)`,
  );
  const { channel, owner, request, schedule } = settings;
  const columns = [channel, owner, owner, JSON.stringify(request), JSON.stringify(schedule), nextDue];
  database.transaction(() => {
    for (let n = 0; n < many; n += 1) insert.run(`digest${n}`, ...columns);
  })();
  database.close();
}

function ask(path: string, sql: string, ...values: unknown[]): unknown {
  const database = new Sqlite(path, { readonly: true });
  const found = database.prepare(sql).pluck().get(values);
  database.close();
  return found;
}

/** The clock of a workspace, and how many times it was looked at. */
function countedWatch({ clock }: DigestTestWorkspace) {
  const looks = { count: 0 };
  const watch = watchClock(() => {
    looks.count += 1;
    return clock.now();
  });
  return { watch, looks };
}

it('enters many due digests at once, and reads the clock every few of them', async () => {
  const workspace = await openTestWorkspace();
  const { parts, path, clock } = workspace;
  fill(path, clock.now() - 1000);
  const { watch, looks } = countedWatch(workspace);
  expect(await enterDue(parts, watch, Number.POSITIVE_INFINITY, never)).toMatchObject({ isComplete: true });
  expect(ask(path, "SELECT COUNT(*) FROM posts WHERE state = 'queued'")).toBe(many);
  expect(ask(path, 'SELECT COUNT(*) FROM digests WHERE next_due <= ?', clock.now())).toBe(0);
  expect(looks.count).toBeGreaterThanOrEqual(many / 20);
});

it('enters the earliest within its budget, and the rest later', async () => {
  const { parts, path, clock, digest, store } = await openTestWorkspace();
  fill(path, clock.now() - 1000);
  const early = await digest({}, clock.now() - 5000);
  const watch = watchClock(clock.now);
  let time = 0;
  // A clock of which each look takes a millisecond: the time is up at some look, whatever the machine does.
  const parted = { ...parts, monotonic: () => (time += 1) };
  expect(await enterDue(parted, watch, 100, never)).toMatchObject({ isComplete: false });
  const entered = Number(ask(path, 'SELECT COUNT(*) FROM posts'));
  expect(entered).toBeGreaterThan(0);
  expect(entered).toBeLessThan(many);
  expect(await store.ledger.history(early.id, 1)).toHaveLength(1);
  expect(await enterDue(parts, watch, Number.POSITIVE_INFINITY, never)).toMatchObject({ isComplete: true });
  expect(ask(path, 'SELECT COUNT(*) FROM posts')).toBe(many + 1);
});

it('notices a clock that was ahead for a moment while it entered runs', async () => {
  const { parts, path, clock } = await openTestWorkspace();
  fill(path, clock.now() - 1000);
  let looks = 0;
  const watch = watchClock(() => {
    looks += 1;
    return clock.now() + (looks > 20 && looks < 60 ? 300 * 24 * hour : 0);
  });
  const forward = watchClockChanges(parts, watch, never);
  forward.check();
  await forward.done();
  looks = 0;
  await enterDue(parts, watch, Number.POSITIVE_INFINITY, never);
  const silent = () =>
    ask(path, 'SELECT COUNT(*) FROM digests WHERE next_due > ?', clock.now() + hour) as number;
  expect(silent()).toBeGreaterThan(0);
  forward.check();
  await forward.done();
  expect(silent()).toBe(0);
});

it('reschedules many digests, and reads the clock every few of them', async () => {
  const workspace = await openTestWorkspace();
  const { parts, path, clock } = workspace;
  fill(path, clock.now() + 300 * 24 * hour);
  const { watch, looks } = countedWatch(workspace);
  await rescheduleAfterClockChange(parts, watch, never);
  expect(ask(path, 'SELECT COUNT(*) FROM digests WHERE next_due > ?', clock.now() + hour)).toBe(0);
  expect(looks.count).toBeGreaterThanOrEqual(many / 50);
});

it('delivers due digests while it reschedules many others', async () => {
  const { parts, path, clock, digest, run, store } = await openTestWorkspace();
  fill(path, clock.now() + 300 * 24 * hour);
  const due = await digest();
  // The first page never comes back as long as nothing was delivered.
  let isDelivered = () => {};
  const delivered = new Promise<void>((resolve) => {
    isDelivered = resolve;
  });
  const digests = {
    ...store.digests,
    async active(limit: number, after?: string) {
      await delivered;
      return store.digests.active(limit, after);
    },
  };
  const scheduler = digestScheduler({ ...parts, store: { ...store, digests } });
  scheduler.start();
  await run(due, ({ state }) => state === 'posted');
  isDelivered();
  await expect
    .poll(() => ask(path, 'SELECT COUNT(*) FROM digests WHERE next_due > ?', clock.now() + hour), {
      timeout: 8000,
    })
    .toBe(0);
  await scheduler.stop();
});
