import { describe, expect, it } from 'vitest';
import type { RunFailure } from '../../src/digests/failure.js';
import { watchOutages } from '../../src/scheduler/outages.js';
import { answer, status } from '../reporting-api/fault-server.js';
import { hour, openTestWorkspace, records, settings } from './test-workspace.js';

const minute = 60_000;
const broken: RunFailure = { kind: 'service', code: 'service-broken' };
const own: RunFailure = { kind: 'own', code: 'is_archived' };

/** Watches with a clock that only the test moves. */
async function watching() {
  const { parts } = await openTestWorkspace();
  const time = { now: 0 };
  const outages = watchOutages(
    { ...parts, monotonic: () => time.now },
    () => {},
    new AbortController().signal,
  );
  const fail = (request: string, failure = broken) =>
    outages.failed(failure, failure, { channel: 'C1', request });
  return { time, outages, fail };
}

describe('what fails', () => {
  it('is an outage if two requests fail, or one fails three times, without a success between', async () => {
    const two = await watching();
    expect(await two.fail('a')).toBe('possibly-all');
    expect(await two.fail('b')).toBe('all');
    const one = await watching();
    expect([await one.fail('a'), await one.fail('a'), await one.fail('a')]).toEqual([
      'possibly-all',
      'possibly-all',
      'all',
    ]);
    expect(one.outages.open()).toHaveLength(1);
  });

  it('is an outage at once if waiting cannot fix it', async () => {
    const { fail } = await watching();
    expect(await fail('a', { kind: 'service', code: 'token-refused' })).toBe('all');
  });

  it('belongs to one request if others succeed meanwhile', async () => {
    const { time, outages, fail } = await watching();
    expect(await fail('a', { kind: 'service', code: 'no-such-report' })).toBe('all');
    time.now += minute;
    await outages.serviceAnswered();
    expect(outages.open()).toEqual([]);
    for (let tries = 0; tries < 5; tries += 1) {
      time.now += minute;
      expect(await fail('a', { kind: 'service', code: 'no-such-report' })).toBe('own');
    }
    expect(outages.open()).toEqual([]);
    // Another one is looked at as if it were the first.
    expect(await fail('b', { kind: 'service', code: 'token-refused' })).toBe('all');
  });
});

describe('the service is probed', () => {
  it('within a minute, however long the outage lasts', async () => {
    const { time, outages, fail } = await watching();
    await fail('a');
    await fail('b');
    let last = time.now;
    const gaps: number[] = [];
    while (time.now < 5 * hour) {
      time.now += 1000;
      if (outages.mayRun() !== 'one') continue;
      gaps.push(time.now - last);
      last = time.now;
      outages.started('run');
      expect(outages.mayRun()).toBe('none');
      await fail('a');
    }
    expect(gaps[0]).toBeLessThanOrEqual(5000);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(minute);
    // And not all the time.
    expect(Math.min(...gaps.slice(5))).toBeGreaterThanOrEqual(minute / 2);
  });

  it('even if the last probe hangs, and at once if it ended without a query', async () => {
    const { time, outages, fail } = await watching();
    await fail('a');
    await fail('b');
    time.now += minute;
    outages.started('run');
    time.now += minute;
    expect(outages.mayRun()).toBe('one');
    outages.started('run');
    expect(outages.mayRun()).toBe('none');
    await fail('c', own);
    expect(outages.mayRun()).toBe('one');
  });
});

it('a report that was made before an outage does not end it', async () => {
  let usual = answer(records(3));
  const { digest, run, scheduler, slack, clock, wait } = await openTestWorkspace({
    usual: (response, socket) => usual(response, socket),
  });
  const due = clock.now() - 1000;
  const before = await digest({}, due);
  scheduler.start();
  await run(before, ({ state }) => state === 'posted');
  usual = status(401);
  const fails = await digest({ request: { ...settings.request, range: 'last-month' } }, due);
  await expect.poll(() => scheduler.outages().length).toBe(1);
  wait(minute);
  // It asks what was asked before, so that nobody has to ask.
  const same = await digest({}, due);
  await run(same, ({ state }) => state === 'posted', 20_000);
  expect(scheduler.outages()).toHaveLength(1);
  expect((await run(fails, () => true)).state).not.toBe('posted');
  usual = answer(records(3));
  clock.moveBy(minute);
  wait(minute);
  await run(fails, ({ state }) => state === 'posted', 20_000);
  expect(scheduler.outages()).toEqual([]);
  expect(slack.refusals).toEqual([]);
}, 60_000);
