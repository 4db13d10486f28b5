import { describe, expect, it } from 'vitest';
import type { AlertState } from '../../src/digests/alert.js';
import type { Digest, DigestRun, DigestSettings } from '../../src/digests/digest.js';
import { plainRequest } from '../../src/requests/request.js';
import { historyMessage } from '../../src/slack/messages/digest-list.js';
import { digestActions } from '../../src/slack/messages/digests.js';
import { answer } from '../reporting-api/fault-server.js';
import { sqlOn } from '../store/fresh-folder.js';
import { type RunProcessor, runProcessor } from './process-one-run.js';
import {
  ada,
  type DigestTestWorkspace,
  hour,
  learning,
  noah,
  openTestWorkspace,
  type TestWorkspaceOptions,
} from './test-workspace.js';

const request = { ...plainRequest('assignments'), view: 'overdue' } as const;
const above3 = { kind: 'threshold', figure: 'overdue', comparison: '>', value: 3, isPercent: false } as const;

/** Assignments that have been overdue for long. */
const overdue = (count: number, from = 0) =>
  answer(
    JSON.stringify(
      Array.from({ length: count }, (_, i) => ({
        user_id: `u${i + from}`,
        email: `p${i + from}@example.com`,
        first_name: `P${i + from}`,
        content_id: 'c1',
        content_title: 'Fire safety',
        assigned_date: '2026-09-01',
        due_date: '2026-10-01',
        assignment_status: 'In progress',
        departments: [i + from < 2 ? 'Sales' : 'Support'],
      })),
    ),
  );

interface Watched extends DigestTestWorkspace {
  readonly alert: Digest;
  readonly processor: RunProcessor;
  /** Runs the alert when it is due, and the service finds so many. */
  finds(count: number, from?: number): Promise<DigestRun>;
  /** The texts of the messages in the channel. */
  posted(): readonly string[];
}

async function watch(
  settings: Partial<DigestSettings> = {},
  options: TestWorkspaceOptions = {},
): Promise<Watched> {
  const workspace = await openTestWorkspace({ ...options, usual: overdue(0) });
  const { service, store, clock, slack } = workspace;
  const alert = await workspace.digest({ request, when: above3, ...settings });
  const processor = runProcessor(workspace);
  return {
    ...workspace,
    alert,
    processor,
    async finds(count, from) {
      service.always(overdue(count, from));
      clock.moveBy(hour);
      const digest = await store.digests.find(alert.id);
      if (!digest) throw new Error('The digest is gone');
      const now = clock.now();
      const run = { dueAt: now, dedupeKey: `${now}`, missed: 0, late: false };
      await store.ledger.enter([{ digest, run, nextDue: now + hour }], now);
      return processor.finish(await processor.claim());
    },
    posted: () => slack.messages('#learning').flatMap(({ words, threadTs }) => (threadTs ? [] : [words])),
  };
}

/** The runs that the alert remembers. */
async function readings({ path }: Watched) {
  const [row] = await sqlOn<{ content: string }>(path, 'SELECT content FROM alert_states');
  const state: AlertState = JSON.parse(row?.content ?? '');
  return state.readings;
}

/** The direct messages that the scheduler sends. */
async function told({ scheduler, slack }: Watched, wanted: string) {
  scheduler.start();
  const message = await slack.waitForMessage('@ada', ({ words }) => words.includes(wanted));
  await scheduler.stop();
  return message;
}

describe('an alert on a figure', () => {
  it('tells its owner of the first run, and posts once when it becomes true', async () => {
    const watched = await watch();
    const { finds, posted, slack, store, alert } = watched;
    expect(await finds(2)).toMatchObject({ state: 'skipped', errorCode: 'alert-baseline', rows: 2 });
    expect(posted()).toEqual([]);
    expect(await finds(3)).toMatchObject({ state: 'skipped', errorCode: 'alert-quiet' });
    expect(await finds(4)).toMatchObject({ state: 'posted', rows: 4 });
    expect(posted()).toHaveLength(1);
    expect(posted()[0]).toContain('Overdue now: 4, above 3');
    expect(posted()[0]).toMatch(/It was 3 on Fri 20 Nov, 13:20, and never above 3 until now\./);
    const [message] = slack.messages('#learning');
    expect(JSON.stringify(message?.blocks)).toContain('Overdue now, last 3 runs');
    expect(await finds(5)).toMatchObject({ state: 'skipped', errorCode: 'alert-quiet' });
    expect(posted()).toHaveLength(1);
    const history = JSON.stringify(
      historyMessage(alert, await store.ledger.history(alert.id, 9), ada, true).blocks,
    );
    expect(history).toContain('checked. Overdue now: 5, above 3 since Fri 20 Nov, 14:20.');
    expect(history).toContain('checked. Overdue now: 3, not above 3.');
    expect(history).toContain('first check. Overdue now: 2, not above 3.');
    const others = JSON.stringify(
      historyMessage(alert, await store.ledger.history(alert.id, 9), noah, false).blocks,
    );
    expect(others).toContain(': checked\\n');
    const first = await told(watched, 'First check');
    expect(first.words).toContain('Overdue now: 2, not above 3. I post when it becomes true.');
    expect(JSON.stringify(first.blocks)).not.toContain(digestActions.sendNow);
  });

  it('counts only the rows that meet the conditions of its request', async () => {
    const conditions = [
      { field: 'departments', sign: '!', values: ['Sales'] },
      { field: 'days_overdue', sign: '>', values: ['30'] },
    ] as const;
    const { finds, posted } = await watch({ request: { ...request, conditions } });
    expect(await finds(4)).toMatchObject({ state: 'skipped', errorCode: 'alert-baseline', rows: 2 });
    expect(await finds(5)).toMatchObject({ state: 'skipped', errorCode: 'alert-quiet', rows: 3 });
    expect(await finds(6)).toMatchObject({ state: 'posted', rows: 4 });
    expect(posted()[0]).toContain('Overdue now: 4, above 3');
    expect(posted()[0]).toContain('Departments: not Sales');
  });

  it('is a digest without its threshold, which posts the rows that meet the conditions', async () => {
    const conditions = [{ field: 'departments', sign: '!', values: ['Sales'] }] as const;
    const { finds, posted } = await watch({ request: { ...request, conditions }, when: undefined });
    expect(await finds(7)).toMatchObject({ state: 'posted', rows: 5 });
    expect(posted()[0]).toContain('/report overdue departments:!Sales');
  });

  it('asks the service once for a run that posts nothing', async () => {
    const { finds, service } = await watch();
    await finds(2);
    const before = service.seen.length;
    await finds(3);
    expect(service.seen.length - before).toBe(1);
  });

  it('offers to post where it is true already, and posts by hand whatever it finds', async () => {
    const watched = await watch();
    const { finds, posted, store, alert, processor, clock } = watched;
    expect(await finds(5)).toMatchObject({ state: 'skipped', errorCode: 'alert-met' });
    const first = await told(watched, 'First check');
    expect(first.words).toContain('Overdue now: 5, above 3. I post the next time it becomes true.');
    expect(JSON.stringify(first.blocks)).toContain(`"value":"${alert.id}"`);
    clock.moveBy(hour);
    const digest = (await store.digests.find(alert.id)) ?? alert;
    expect(await processor.finish(await processor.begin(digest))).toMatchObject({ state: 'posted' });
    expect(posted()[0]).toContain('Sent by hand.');
    expect(await finds(6)).toMatchObject({ state: 'skipped' });
    expect(await readings(watched)).toHaveLength(3);
  });

  it('does not tell again what may have arrived, and sends it again if its owner wants that', async () => {
    const { finds, posted, slack, store, clock, processor } = await watch();
    await finds(2);
    const once = { times: 1, when: ({ channel }: { channel?: unknown }) => channel === learning };
    slack.faults.set('chat.postMessage', { kind: 'cut' }, once);
    const lost = await finds(4);
    expect(lost).toMatchObject({ state: 'unknown' });
    expect(await finds(5)).toMatchObject({ state: 'skipped', errorCode: 'alert-quiet' });
    await store.ledger.settle(lost.id, 'sent-again', clock.now());
    expect(await processor.finish(await processor.claim())).toMatchObject({ state: 'posted' });
    expect(posted()).toHaveLength(1);
    expect(await finds(6)).toMatchObject({ state: 'skipped', errorCode: 'alert-quiet' });
  });

  it('tells at its next run what Slack refused', async () => {
    const { finds, posted, slack } = await watch();
    await finds(2);
    slack.faults.set('chat.postMessage', { kind: 'error', error: 'is_archived' }, { times: 1 });
    expect(await finds(4)).toMatchObject({ state: 'failed' });
    expect(await finds(4)).toMatchObject({ state: 'posted' });
    expect(posted()[0]).toContain('It was 2 on');
  });

  it('begins anew where its request or its condition changes, and not where it is paused', async () => {
    const { finds, store, alert } = await watch();
    const change = async (settings: Parameters<typeof store.digests.change>[2]) => {
      const { revision } = (await store.digests.find(alert.id)) ?? alert;
      expect(await store.digests.change(alert.id, revision, settings)).toBe(true);
    };
    await finds(2);
    await change({ state: 'paused', nextDue: null });
    await change({ state: 'active', nextDue: 1 });
    expect(await finds(4)).toMatchObject({ state: 'posted' });
    await change({ when: { ...above3, value: 4 }, nextDue: 1 });
    expect(await finds(5)).toMatchObject({ errorCode: 'alert-met' });
    await change({ request: { ...request, view: 'due' }, nextDue: 1 });
    expect(await finds(5)).toMatchObject({ errorCode: 'alert-baseline' });
  });

  it('neither posts nor is saved if it is deleted while the service answers', async () => {
    const watched = await watch();
    const { finds, posted, service, store, alert, clock, processor } = watched;
    await finds(2);
    clock.moveBy(hour);
    service.always(async (response, socket) => {
      await store.digests.delete(alert.id, clock.now());
      await store.ledger.skipWaiting(alert.id, 'deleted', clock.now());
      await overdue(4)(response, socket);
    });
    const run = await processor.finish(await processor.begin((await store.digests.find(alert.id)) ?? alert));
    expect(run).toMatchObject({ state: 'skipped', errorCode: 'deleted' });
    expect(posted()).toEqual([]);
    expect(await readings(watched)).toHaveLength(1);
  });

  it('goes on after its clock went back, and judges only the latest of missed runs', async () => {
    const { finds, posted, clock } = await watch();
    await finds(2);
    clock.moveBy(-5 * hour);
    expect(await finds(4)).toMatchObject({ state: 'posted' });
    clock.moveBy(40 * hour);
    expect(await finds(2)).toMatchObject({ state: 'skipped' });
    expect(await finds(4)).toMatchObject({ state: 'posted' });
    expect(posted()).toHaveLength(2);
  });

  it('neither ends nor asks about rows at a run whose readers may see no figure', async () => {
    const departments = { object: 'user_filter', member: 'departments', entries: ['Sales'] };
    const about = { ...request, filters: [departments] };
    const cadence = { kind: 'daily', time: '09:00' } as const;
    const schedule = { cadence, zone: 'Europe/Berlin', firstDay: '2026-11-20' };
    const { finds, posted, store, clock, path } = await watch(
      { request: about, schedule },
      { smallestGroup: 5 },
    );
    for (let n = 0; n < 10; n += 1) await finds(30);
    // The figure, 2, would end the condition, and the number of rows would be a sudden drop.
    expect(await finds(2)).toMatchObject({
      errorCode: 'alert-quiet',
      reason: 'Overdue now could not be shown.',
    });
    expect(await finds(30)).toMatchObject({ errorCode: 'alert-quiet' });
    expect(await store.digestNotifications.ready(clock.now(), 9)).toHaveLength(1);
    expect(posted()).toEqual([]);
    expect((await readings({ path } as Watched)).map(({ rows }) => rows).slice(-2)).toEqual([undefined, 30]);
  });

  it('fails with the way out once its figure is gone', async () => {
    const watched = await watch({ when: { ...above3, figure: 'gone' } });
    expect(await watched.finds(4)).toMatchObject({ state: 'failed', errorCode: 'alert-refused' });
    const message = await told(watched, 'Not sent');
    expect(message.words).toContain('There is no figure “gone”');
  });
});

describe('an alert on changes', () => {
  it('says what has changed, from what to what', async () => {
    const { finds, posted } = await watch({ when: { kind: 'changed' } });
    await finds(2);
    expect(await finds(2)).toMatchObject({ state: 'skipped', errorCode: 'alert-quiet' });
    expect(await finds(4)).toMatchObject({ state: 'posted' });
    expect(posted()[0]).toContain('Overdue now: 2 → 4');
    expect(await finds(4)).toMatchObject({ state: 'skipped' });
  });

  it('is refused where readers are protected', async () => {
    const { finds, posted } = await watch({ when: { kind: 'changed' } }, { smallestGroup: 5 });
    const run = await finds(9);
    expect(run).toMatchObject({ state: 'failed', errorCode: 'alert-refused' });
    expect(run.reason).toContain('an alert on every change would tell of fewer');
    expect(posted()).toEqual([]);
  });
});

describe('an alert on new rows', () => {
  const when = { kind: 'new-rows' } as const;
  const approved = async (options: TestWorkspaceOptions = {}) => {
    const watched = await watch({ when }, options);
    await watched.store.approvals.approveChannel({ subject: learning, by: ada, at: watched.clock.now() });
    return watched;
  };

  it('lists them where its channel may get them, ten at most', async () => {
    const { finds, posted } = await approved();
    expect(await finds(3)).toMatchObject({ errorCode: 'alert-baseline' });
    expect(await finds(3)).toMatchObject({ errorCode: 'alert-quiet', reason: 'No new rows.' });
    expect(await finds(5)).toMatchObject({ state: 'posted', fileState: 'none' });
    expect(posted()[0]).toMatch(/2 new assignments since Fri 20 Nov, 13:20/);
    expect(posted()[0]).toContain('p4@example.com');
    expect(posted()[0]).not.toContain('p2@example.com');
    expect(await finds(2)).toMatchObject({ errorCode: 'alert-quiet' });
    expect(await finds(20)).toMatchObject({ state: 'posted' });
    expect(posted()[1]).toContain('18 new assignments');
    expect(posted()[1]).toContain('The first 10 of 18 new rows');
  });

  it('sends them to its owner elsewhere, also where a process ends before they are sent', async () => {
    const { finds, posted, slack, clock, store, parts, processor } = await watch({ when });
    await finds(3);
    const toOwner = ({ channel }: { channel?: unknown }) => String(channel).startsWith('D');
    slack.faults.set(
      'chat.postMessage',
      { kind: 'ratelimited', retryAfter: 30 },
      { times: 1, when: toOwner },
    );
    expect(await finds(5)).toMatchObject({ state: 'posted', fileState: 'queued' });
    expect(posted()[0]).toContain('2 new assignments');
    expect(posted()[0]).not.toContain('p4@example.com');
    await store.ledger.reclaim({ name: parts.worker, expired: false }, [], clock.now());
    clock.moveBy(60_000);
    expect(await processor.finish(await processor.claim())).toMatchObject({ fileState: 'posted' });
    const [rows] = slack.messages('@ada').filter(({ words }) => words.includes('p4@example.com'));
    expect(rows?.words).toContain('The new rows of /report overdue');
    expect(rows?.words).not.toContain('p2@example.com');
    expect(await finds(5)).toMatchObject({ errorCode: 'alert-quiet' });
  });

  it('lists them again if their owner has an unconfirmed message sent again', async () => {
    const { finds, posted, slack, clock, store, processor } = await approved();
    await finds(3);
    const once = { times: 1, when: ({ channel }: { channel?: unknown }) => channel === learning };
    slack.faults.set('chat.postMessage', { kind: 'cut' }, once);
    const lost = await finds(5);
    await store.ledger.settle(lost.id, 'sent-again', clock.now());
    await processor.finish(await processor.claim());
    expect(posted()[0]).toContain('2 new assignments');
    expect(posted()[0]).toContain('p4@example.com');
  });

  it('forgets a person whose data is erased, and takes their rows for new', async () => {
    const { finds, store, posted } = await approved();
    await finds(3);
    expect(await store.erasePerson('P1@example.com')).toMatchObject({ other: 1 });
    expect(await finds(3)).toMatchObject({ state: 'posted' });
    expect(posted()[0]).toContain('1 new assignment since');
    expect(posted()[0]).toContain('p1@example.com');
  });

  it('begins anew with the rights of a new owner who sees other rows', async () => {
    const { finds, store, alert } = await watch({
      when,
      request: { ...request, filters: [{ object: 'user_filter', member: 'manager_email', entries: ['me'] }] },
    });
    await finds(3);
    await store.digests.change(alert.id, 1, { owner: noah, nextDue: 1 });
    expect(await finds(9)).toMatchObject({ errorCode: 'alert-baseline' });
  });
});

describe('a sudden drop of rows', () => {
  async function dropped() {
    const watched = await watch({ when: { ...above3, comparison: '<', value: 10 } });
    for (let n = 0; n < 10; n += 1) await watched.finds(40);
    return { watched, held: await watched.finds(5) };
  }

  it('posts nothing and asks its owner, whose answer has it judged again', async () => {
    const { watched, held } = await dropped();
    const { posted, finds, store, alert, clock, processor } = watched;
    expect(held).toMatchObject({ state: 'skipped', errorCode: 'alert-drop', rows: 5 });
    const message = await told(watched, 'Nothing posted');
    expect(message.words).toContain('Only 5 assignments, and 40 or more at each run before. Is that true?');
    expect(JSON.stringify(message.blocks)).toContain(digestActions.dropIsTrue);
    // The next one is held too, and asks nobody.
    expect(await finds(5)).toMatchObject({ errorCode: 'alert-drop' });
    expect(await store.digestNotifications.ready(clock.now(), 9)).toEqual([]);
    expect(posted()).toEqual([]);
    expect(await store.alertStates.acceptDrop(alert.id)).toBe(true);
    const digest = (await store.digests.find(alert.id)) ?? alert;
    clock.moveBy(hour);
    await store.ledger.enterNow(digest, 'again', clock.now(), { isByHand: false });
    expect(await processor.finish(await processor.claim())).toMatchObject({ state: 'posted' });
    expect(posted()[0]).toContain('Overdue now: 5, below 10');
    expect(await finds(6)).toMatchObject({ errorCode: 'alert-quiet' });
  });

  it('is posted by hand without a question, and counts for nothing', async () => {
    const { watched } = await dropped();
    const { store, alert, processor, clock, posted, finds } = watched;
    clock.moveBy(hour);
    const digest = (await store.digests.find(alert.id)) ?? alert;
    expect(await processor.finish(await processor.begin(digest))).toMatchObject({ state: 'posted' });
    expect(posted()).toHaveLength(1);
    expect(await finds(40)).toMatchObject({ errorCode: 'alert-quiet' });
  });
});

describe('an alert where clocks change', () => {
  const when = above3;
  const at = (text: string) => Date.parse(text);

  /** An alert at 02:30 in Berlin, by the scheduler, on a clock that is moved. */
  async function everyNight(first: string) {
    const workspace = await openTestWorkspace({ now: at(first) - 3 * hour, usual: overdue(2) });
    const { clock, scheduler, service, run, slack, store } = workspace;
    const cadence = { kind: 'daily', time: '02:30' } as const;
    const schedule = { cadence, zone: 'Europe/Berlin', firstDay: '2026-10-01' };
    const alert = await workspace.digest({ request, when, schedule }, at(first));
    scheduler.start();
    const moveTo = (text: string) => {
      clock.moveBy(at(text) + 1000 - clock.now());
      scheduler.checkNow();
    };
    return {
      ...workspace,
      alert,
      moveTo,
      finds(count: number, due: string) {
        service.always(overdue(count));
        moveTo(due);
        return run(alert, ({ dueAt, state }) => dueAt === at(due) && /posted|skipped/.test(state), 20_000);
      },
      /** The due times, the latest first. */
      dueTimes: async () =>
        (await store.ledger.history(alert.id, 20)).map(({ dueAt }) => new Date(dueAt).toISOString()),
      posted: () => slack.messages('#learning').map(({ words }) => words),
    };
  }

  it('is judged once in the night in which its hour comes twice, and says the hours of its zone', async () => {
    const { finds, moveTo, posted, dueTimes, store, alert, clock, scheduler } =
      await everyNight('2026-10-24T00:30:00Z');
    expect(await finds(2, '2026-10-24T00:30:00Z')).toMatchObject({ errorCode: 'alert-baseline' });
    expect(await finds(4, '2026-10-25T00:30:00Z')).toMatchObject({ state: 'posted' });
    expect(posted()[0]).toContain('It was 2 on Sat 24 Oct, 02:30, and never above 3 until now.');
    moveTo('2026-10-25T01:30:00Z');
    const next = async () => (await store.digests.find(alert.id))?.nextDue;
    expect(await next()).toBe(at('2026-10-26T01:30:00Z'));
    // The clock of the machine goes back to before the run, and forth again.
    clock.moveBy(-2 * hour);
    scheduler.checkNow();
    await expect.poll(next).toBe(at('2026-10-26T01:30:00Z'));
    expect(await finds(2, '2026-10-26T01:30:00Z')).toMatchObject({ errorCode: 'alert-quiet' });
    // It jumps over three days: the latest of them is judged.
    expect(await finds(2, '2026-10-29T01:30:00Z')).toMatchObject({ errorCode: 'alert-quiet', missed: 2 });
    expect(await finds(4, '2026-10-30T01:30:00Z')).toMatchObject({ state: 'posted' });
    expect(posted()[1]).toContain('It was 2 on Thu 29 Oct, 02:30, and not above 3 since Mon 26 Oct, 02:30.');
    expect(posted()).toHaveLength(2);
    expect(await dueTimes()).toEqual([
      '2026-10-30T01:30:00.000Z',
      '2026-10-29T01:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-24T00:30:00.000Z',
    ]);
  }, 60_000);

  it('is judged when the clocks have gone on in the night that skips its hour', async () => {
    const { finds, posted, dueTimes } = await everyNight('2027-03-27T01:30:00Z');
    expect(await finds(2, '2027-03-27T01:30:00Z')).toMatchObject({ errorCode: 'alert-baseline' });
    expect(await finds(3, '2027-03-28T01:00:00Z')).toMatchObject({ errorCode: 'alert-quiet' });
    expect(await finds(4, '2027-03-29T00:30:00Z')).toMatchObject({ state: 'posted' });
    expect(posted()[0]).toContain('It was 3 on Sun 28 Mar, 03:00, and never above 3 until now.');
    expect(await dueTimes()).toHaveLength(3);
  }, 60_000);
});
