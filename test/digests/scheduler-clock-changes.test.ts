import { expect, it, onTestFinished } from 'vitest';
import { digestScheduler } from '../../src/scheduler/scheduler.js';
import { status } from '../reporting-api/fault-server.js';
import { ada, hour, learning, openTestWorkspace, settings } from './test-workspace.js';

const day = 24 * hour;
const minute = 60_000;
const seldom = {
  schedule: { ...settings.schedule, cadence: { kind: 'monthly', day: 28, time: '03:00' } as const },
};

it('a run that waits a second for its next attempt does not wait a day if the clock goes back a day', async () => {
  const { slack, scheduler, digest, run, clock, posts } = await openTestWorkspace();
  slack.faults.set('chat.postMessage', { kind: 'ratelimited', retryAfter: 1 });
  const one = await digest(seldom);
  scheduler.start();
  await run(one, ({ state, errorCode }) => state === 'queued' && errorCode === 'ratelimited');
  clock.moveBy(-day);
  await run(one, ({ state }) => state === 'posted');
  expect(posts(learning)).toHaveLength(1);
});

it('nor after a start if the clock went back before', async () => {
  const { parts, digest, run, clock, store } = await openTestWorkspace();
  const one = await digest(seldom);
  const id = (await store.ledger.enterNow(one, 'a', clock.now())) ?? '';
  const order = { worker: 'former', now: clock.now(), leaseMs: 1, limit: 1, busyChannels: [] };
  await store.ledger.claim(order);
  await store.ledger.release({ id, worker: 'former' }, clock.now() + day, { code: 'ratelimited' }, 'none');
  const scheduler = digestScheduler(parts);
  onTestFinished(() => scheduler.stop());
  scheduler.start();
  await run(one, ({ state }) => state === 'posted');
});

it('a waiting direct message is sent too, and a question is repeated within a day', async () => {
  const { slack, scheduler, digest, run, clock, store } = await openTestWorkspace();
  slack.faults.set('chat.postMessage', { kind: 'cut' });
  const doubtful = await digest(seldom);
  scheduler.start();
  await run(doubtful, ({ state }) => state === 'unknown');
  await slack.waitForMessage('@ada', 'is unconfirmed');
  const busy = { kind: 'status', status: 502 } as const;
  slack.faults.set('chat.postMessage', busy, { when: ({ channel }) => channel === ada });
  const archived = await digest({ ...seldom, channel: 'C00OLDAC01' });
  await run(archived, ({ state }) => state === 'failed');
  await expect.poll(() => store.digestNotifications.ready(clock.now(), 9)).toEqual([]);
  expect(slack.messages('@ada')).toHaveLength(1);
  clock.moveBy(-day);
  await slack.waitForMessage('@ada', 'Not sent: ');
  expect(slack.messages('@ada')).toHaveLength(2);
  clock.moveBy(day + minute);
  await slack.waitFor(() => slack.messages('@ada').length === 3);
});

it('an outage that began before the jump is announced after ten minutes', async () => {
  const { slack, parts, digest, clock } = await openTestWorkspace({ usual: status(500) });
  const ahead = { by: 0 };
  let looks = 0;
  const monotonic = () => {
    looks += 1;
    return performance.now() + ahead.by;
  };
  const scheduler = digestScheduler({ ...parts, monotonic });
  onTestFinished(() => scheduler.stop());
  await parts.store.digestOutages.begin('service', { code: 'service-broken' }, clock.now());
  await digest(seldom);
  scheduler.start();
  await expect.poll(() => scheduler.outages()).toHaveLength(1);
  const later = async () => {
    ahead.by += minute;
    scheduler.checkNow();
    const before = looks;
    await expect.poll(() => looks - before).toBeGreaterThan(30);
  };
  clock.moveBy(-day);
  await later();
  expect(slack.messages('@ada')).toEqual([]);
  clock.moveBy(11 * minute);
  // Owners are looked up again and again: while a run is tried, nobody waits for it. Between its tries, somebody does.
  const told = () =>
    slack.messages('@ada').some(({ text }) => text.includes('Digests have been waiting since'));
  await expect
    .poll(
      () => {
        ahead.by += 1_000;
        return told();
      },
      { timeout: 8000 },
    )
    .toBe(true);
}, 30_000);
