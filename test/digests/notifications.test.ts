import { describe, expect, it } from 'vitest';
import { plainRequest } from '../../src/requests/request.js';
import {
  ada,
  type DigestTestWorkspace,
  hour,
  learning,
  noah,
  openTestWorkspace,
  settings,
} from './test-workspace.js';

const priya = 'U00PRIYA01';
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
    await expect.poll(ready).toEqual([]);
  }
  await expect.poll(() => tries).toBe(1);
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

describe('an offer that nobody accepts', () => {
  /** A digest and a saved report of Ada that are offered to Noah, by Priya, who is an admin. */
  async function offered() {
    const work = await openTestWorkspace();
    const { store, clock, digest, slack, scheduler } = work;
    const since = clock.now();
    const { id, revision } = await digest(seldom);
    await store.digests.offer(id, revision, noah, since);
    const request = plainRequest('tracks');
    const weekly = { channel: learning, name: 'Weekly', request, createdBy: ada };
    const saved = await store.savedReports.save(weekly, since);
    if (!saved.ok) throw new Error('The name is taken');
    await store.savedReports.offer(saved.value, 1, noah, since);
    const end = since + 14 * day;
    const { digestNotifications } = store;
    await digestNotifications.add([ada, priya], { kind: 'offer-ended', subject: `${id} ${since}` }, end);
    const aboutSaved = { kind: 'saved-offer-ended', subject: `${saved.value} ${since}` } as const;
    await digestNotifications.add([ada], aboutSaved, end);
    const told = (who: string) => slack.messages(who).map(({ text }) => text);
    /** Moves the clock on, and waits until everything that can be told now was told. */
    async function later(milliseconds: number) {
      clock.moveBy(milliseconds);
      scheduler.checkNow();
      await expect.poll(() => digestNotifications.ready(clock.now(), 9)).toEqual([]);
    }
    return { ...work, id, since, told, later };
  }

  it('is told once, when it has ended, to the owner and to whoever made it', async () => {
    const { store, clock, scheduler, told, later } = await offered();
    scheduler.start();
    // Other notifications that wait this long are sent at once.
    const others = { kind: 'outage', subject: ada } as const;
    await store.digestNotifications.add([ada], others, clock.now() + 13 * day);
    clock.moveBy(-hour);
    scheduler.checkNow();
    const waiting = () => store.digestNotifications.open(ada, ['outage']);
    await expect.poll(waiting).toEqual([]);
    await later(14 * day);
    expect([...told('@ada'), ...told('@priya')]).toEqual([]);
    await later(hour);
    expect(told('@priya')).toEqual([
      'Not handed over: Engagement, on day 28 of each month at 03:00, to <#C00LEARN01>. Nobody accepted within 14 days. Type /report list there to offer it again.',
    ]);
    expect(told('@ada').sort()).toEqual([
      told('@priya')[0],
      'Not handed over: “Weekly”, in <#C00LEARN01>. Nobody accepted within 14 days. Type /report list there to offer it again.',
    ]);
    await later(3 * day);
    expect(told('@ada')).toHaveLength(2);
  });

  it.each([
    ['was declined', undefined, 0],
    ['was made again', noah, 1],
  ])('is told to nobody if it %s', async (_how, to, after) => {
    const { store, scheduler, told, later, id, since } = await offered();
    const { revision = 0 } = (await store.digests.find(id)) ?? {};
    await store.digests.offer(id, revision, to, since + after);
    scheduler.start();
    await later(14 * day);
    expect(told('@priya')).toEqual([]);
  });
});
