import { describe, expect, it } from 'vitest';
import { ada, type DigestTestWorkspace, hour, noah, openTestWorkspace, settings } from './test-workspace.js';

const minute = 60_000;
const day = 24 * hour;
const seldom = {
  schedule: { ...settings.schedule, cadence: { kind: 'monthly', day: 28, time: '03:00' } as const },
};

/** Ada has to be told of a digest that failed. What goes to her goes wrong as `fault` says; each try is counted. */
async function failing(
  fault: Parameters<DigestTestWorkspace['slack']['faults']['set']>[1],
  times = Number.POSITIVE_INFINITY,
) {
  const work = await openTestWorkspace({ admins: [noah] });
  const { slack, digest, run, scheduler, store, clock } = work;
  let tries = 0;
  const toAda = ({ channel }: { channel?: unknown }) => {
    if (channel === ada) tries += 1;
    return channel === ada;
  };
  slack.faults.set('chat.postMessage', fault, { times, when: toAda });
  const one = await digest({ ...seldom, channel: 'C00OLDAC01' });
  scheduler.start();
  await run(one, ({ state }) => state === 'failed');
  // Nothing more is to come of it.
  await store.digests.change(one.id, one.revision, { state: 'paused', nextDue: null });
  const notices = () => store.digestNotifications.open(ada, ['failed']);
  /** Moves the clock on, and waits until everything that can be told now has been tried. */
  async function later(milliseconds: number) {
    clock.moveBy(milliseconds);
    scheduler.checkNow();
    const ready = () => store.digestNotifications.ready(clock.now(), 9);
    await expect.poll(ready, { timeout: 8000 }).toEqual([]);
  }
  await expect.poll(() => tries, { timeout: 8000 }).toBe(1);
  await later(0);
  const told = (who: string) => slack.messages(who).filter(({ text }) => text.includes('Not sent: '));
  return { ...work, notices, later, told, tries: () => tries };
}

describe('a direct message about a digest', () => {
  it.each([
    ['that Slack took and did not say so', { kind: 'done, then cut' } as const, 2],
    ['that was cut off', { kind: 'cut' } as const, 1],
    ['that Slack was too busy for', { kind: 'ratelimited', retryAfter: 1 } as const, 1],
  ])('%s is sent again: it may come twice, but is never lost', async (_name, fault, there) => {
    const { later, told, notices } = await failing(fault, 1);
    await later(2 * minute);
    expect(told('@ada')).toHaveLength(there);
    expect(await notices()).toEqual([]);
    await later(3 * day);
    expect(told('@ada')).toHaveLength(there);
  });

  it('that is refused is retried with growing delays for two weeks, then sent to admins', async () => {
    const { later, tries, told, notices, clock } = await failing({
      kind: 'error',
      error: 'messages_tab_disabled',
    });
    const began = clock.now();
    const triesADay: number[] = [];
    for (let days = 0; days < 4; days += 1) {
      const before = tries();
      for (let hours = 0; hours < 24; hours += 1) await later(hour);
      triesADay.push(tries() - before);
    }
    const [first, ...rest] = triesADay;
    expect(first).toBeLessThan(24);
    expect(rest).toEqual(rest.map(() => 1));
    expect(await notices()).toHaveLength(1);
    expect(told('@noah')).toEqual([]);
    while (clock.now() - began < 17 * day) await later(4 * day);
    expect(await notices()).toEqual([]);
    expect(told('@noah')).toHaveLength(1);
    const before = tries();
    await later(30 * day);
    expect(tries()).toBe(before);
  }, 60_000);

  it('to a person who has left goes to admins at once', async () => {
    const { slack, tries, told, notices } = await failing({ kind: 'error', error: 'user_disabled' });
    await slack.waitForMessage('@noah', 'Not sent: ');
    expect(tries()).toBe(1);
    expect(told('@noah')).toHaveLength(1);
    expect(await notices()).toEqual([]);
  });
});
