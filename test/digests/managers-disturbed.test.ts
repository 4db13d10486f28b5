import { describe, expect, it, onTestFinished } from 'vitest';
import { defaultSeed, noah as noahPerson, priya } from '../../playground/slack/server/workspace/seed.js';
import { unlimitedScope } from '../../src/access/scope.js';
import { newAlert } from '../../src/digests/alert.js';
import { digestScheduler } from '../../src/scheduler/scheduler.js';
import type { ListenerParts } from '../../src/slack/answers/context.js';
import { pauseDigest, resumeDigest } from '../../src/slack/list/manage.js';
import { answer, status } from '../reporting-api/fault-server.js';
import { found } from '../store/digest-setup.js';
import { day, direct, dueNow, ended, endOf, monday, type Row, rows } from './managers-workspace.js';
import { ada, type DigestTestWorkspace, hour, noah, withSlack } from './test-workspace.js';

/** So many managers, all in the zone of the digest unless one is given. */
const managers = (count: number, zoneOf: (n: number) => string = () => 'Europe/Berlin') =>
  Array.from({ length: count }, (_, n) => ({
    ...noahPerson,
    id: `U00MANAG${100 + n}`,
    handle: `m${n}`,
    email: `m${n}@example.com`,
    zone: zoneOf(n),
  }));

const six = managers(6);
const rowsOfAll = (people: readonly { readonly email: string; readonly handle: string }[]) =>
  rows(...people.map(({ email, handle }) => ({ manager: email, person: `of-${handle}` })));

/** How many messages each of them got. */
const counts = (workspace: DigestTestWorkspace, people: readonly { readonly id: string }[]) =>
  Promise.all(people.map(async ({ id }) => (await direct(workspace, id)).length));

/** A wave whose third and fourth message Slack takes slowly: two are sent at the same time. */
async function halfWay() {
  const found = await dueNow({ people: [...defaultSeed.people, ...six] });
  const { slack, service, scheduler } = found.workspace;
  service.always(answer(rowsOfAll(six)));
  const begun = new Set<unknown>();
  const isSlow = ({ channel }: { channel?: unknown }) => {
    const isMeant = channel === six[2]?.id || channel === six[3]?.id;
    if (isMeant) begun.add(channel);
    return isMeant;
  };
  slack.faults.set('chat.postMessage', { kind: 'slow', milliseconds: 3000 }, { times: 2, when: isSlow });
  scheduler.start();
  await slack.waitFor(() => begun.size === 2);
  expect(await counts(found.workspace, six)).toEqual([1, 1, 0, 0, 0, 0]);
  return found;
}

describe('a wave of a digest for managers', () => {
  it('ends with a pause on its way, and the next one after it was resumed goes to everybody', async () => {
    const { workspace, digest } = await halfWay();
    const { store, clock, scheduler, slack } = workspace;
    const now = async () => (await store.digests.find(digest.id)) ?? digest;
    expect(await pauseDigest(await now(), workspace)).toBe(true);
    const stopped = await workspace.run(digest, ended);
    expect(stopped).toMatchObject({ state: 'skipped', errorCode: 'by-hand' });
    await slack.waitForMessage('@ada', 'stopped on its way · sent to 4 managers');
    expect(await endOf(workspace, stopped)).toMatchObject({ sent: 4, isStopped: true });
    expect(await resumeDigest(await now(), workspace as unknown as ListenerParts)).toBe(true);
    // What was not sent is not made up.
    expect((await now()).nextDue).toBe(monday + 7 * day);
    clock.moveBy(7 * day);
    scheduler.checkNow();
    const next = await workspace.run(digest, (run) => run.dueAt > monday && ended(run), 20_000);
    expect(await endOf(workspace, next)).toMatchObject({ sent: 6, nothingToTell: 0 });
    expect(await counts(workspace, six)).toEqual([2, 2, 2, 2, 1, 1]);
  }, 60_000);

  it('goes on with fresh rows after the service was down half-way, and repeats nothing', async () => {
    const { workspace, digest } = await halfWay();
    const { scheduler, service, slack, clock, parts } = workspace;
    await scheduler.stop();
    service.always(status(500));
    const next = digestScheduler(withSlack({ ...parts, worker: 'the-next-process' }));
    onTestFinished(() => next.stop());
    next.start();
    const retried = () => {
      clock.moveBy(30_000);
      next.checkNow();
      return next.outages();
    };
    await expect
      .poll(retried, { timeout: 20_000, interval: 300 })
      .toMatchObject([{ cause: 'service', code: 'service-broken' }]);
    expect((await workspace.run(digest, () => true)).state).toBe('queued');
    // Its owner is told once, and after ten minutes.
    const told = () => slack.messages('@ada').filter(({ text }) => text.includes('Digests'));
    expect(told()).toEqual([]);
    clock.moveBy(11 * 60_000);
    await slack.waitForMessage('@ada', 'Digests have been waiting since');
    expect(await counts(workspace, six)).toEqual([1, 1, 1, 1, 0, 0]);
    // Meanwhile the people of one manager have done all.
    service.always(answer(rowsOfAll(six.filter((_, n) => n !== 4))));
    workspace.wait(60_000);
    next.checkNow();
    const run = await workspace.run(digest, ended, 30_000);
    expect(run).toMatchObject({ state: 'posted' });
    expect(await endOf(workspace, run)).toMatchObject({ sent: 5, unconfirmed: 0 });
    expect(await counts(workspace, six)).toEqual([1, 1, 1, 1, 0, 1]);
    expect(told()).toHaveLength(1);
  }, 60_000);

  it('is held where an answer has suddenly few rows, so that rows that come back are not new', async () => {
    const when = { kind: 'new-rows' } as const;
    const { workspace, digest } = await dueNow({ people: [...defaultSeed.people, ...six] }, { when });
    const { service, scheduler, clock, slack, store } = workspace;
    const items = ['One', 'Two', 'Three', 'Four'];
    const rowsOf = (each: number) =>
      rows(
        ...six.flatMap(({ email, handle }) =>
          items.slice(0, each).map((item) => ({ manager: email, person: `of-${handle}`, item })),
        ),
      );
    const asked = () => slack.messages('@ada').filter((one) => one.says('Nothing sent to managers'));
    let week = -1;
    const runWith = async (each: number) => {
      service.always(answer(rowsOf(each)));
      week += 1;
      if (week > 0) clock.moveBy(7 * day);
      scheduler.checkNow();
      return workspace.run(digest, (run) => run.dueAt === monday + week * 7 * day && ended(run), 20_000);
    };
    // Ten runs whose answers had as many rows.
    const before = monday - hour;
    const id = found(await store.ledger.enterNow(digest, 'before', before));
    await store.ledger.claim({ worker: 'w', now: before, leaseMs: 9, limit: 1, busyChannels: [] });
    const readings = Array.from({ length: 10 }, (_, n) => ({ dueAt: n, rows: 24, figures: {} }));
    const run = { kind: 'digest', id: digest.id } as const;
    const of = { run, asker: ada, request: digest.request, scope: unlimitedScope, when };
    const alert = { of, state: { ...newAlert, readings }, usesAcceptedDrop: false };
    const checked = { why: { code: 'alert-quiet' }, rows: 24, alert };
    await store.ledger.markSkipped({ id, worker: 'w' }, before, checked);
    scheduler.start();
    expect(await endOf(workspace, await runWith(4))).toMatchObject({ sent: 0, nothingToTell: 6 });

    expect(await runWith(1)).toMatchObject({ state: 'skipped', errorCode: 'alert-drop' });
    await slack.waitForMessage(
      '@ada',
      'Only 6 assignments, and 24 or more at each run before. Is that true?',
    );
    expect(await endOf(workspace, await runWith(4))).toMatchObject({ sent: 0, nothingToTell: 6 });

    await runWith(1);
    await expect.poll(() => asked().length).toBe(2);
    expect(await store.alertStates.acceptDrop(digest.id)).toBe(true);
    clock.moveBy(60_000);
    const again = found(await store.ledger.enterNow(digest, 'accepted', clock.now(), { isByHand: false }));
    scheduler.checkNow();
    const accepted = await workspace.run(digest, (one) => one.id === again && ended(one), 20_000);
    expect(accepted).toMatchObject({ state: 'skipped' });
    expect(accepted.errorCode).toBeUndefined();
    expect(await counts(workspace, six)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await endOf(workspace, await runWith(4))).toMatchObject({ sent: 6, nothingToTell: 0 });
    expect(asked()).toHaveLength(2);
  }, 60_000);

  it('tells of the rows of a team that had none at the last run, whether they are those of before or not', async () => {
    const when = { kind: 'new-rows' } as const;
    const { workspace, digest } = await dueNow({ people: [...defaultSeed.people, ...six] }, { when });
    const { service, scheduler, clock } = workspace;
    const few = six.slice(0, 2);
    let week = -1;
    const runWith = async (people: typeof six) => {
      service.always(answer(rowsOfAll(people)));
      week += 1;
      if (week > 0) clock.moveBy(7 * day);
      scheduler.checkNow();
      const run = await workspace.run(
        digest,
        (one) => one.dueAt === monday + week * 7 * day && ended(one),
        20_000,
      );
      return endOf(workspace, run);
    };
    scheduler.start();
    expect(await runWith(six)).toMatchObject({ sent: 0, nothingToTell: 6 });
    // Four managers have no rows any more: that is noted once.
    expect(await runWith(few)).toMatchObject({ sent: 0, nothingToTell: 6 });
    expect(await runWith(few)).toMatchObject({ sent: 0, nothingToTell: 2 });
    expect(await runWith(six)).toMatchObject({ sent: 4, nothingToTell: 2 });
    expect(await runWith(six)).toMatchObject({ sent: 0, nothingToTell: 6 });
    expect(await counts(workspace, six)).toEqual([0, 0, 1, 1, 1, 1]);
  }, 60_000);

  it('comes late while the day of a reader lasts, and says who missed it', async () => {
    // 19:00 in London: Tuesday in Kolkata, and two o’clock in New York.
    const zones = [priya.zone, 'Europe/Berlin', noahPerson.zone];
    const { workspace, digest } = await dueNow({ now: monday + 11 * hour }, { zones });
    const { service, scheduler, store } = workspace;
    await store.digests.change(digest.id, digest.revision, { nextDue: Date.parse('2026-11-23T03:30:00Z') });
    service.always(answer(rowsOfAll([{ email: 'ada@example.com', handle: 'ada' }, noahPerson, priya])));
    scheduler.start();
    const run = await workspace.run(digest, ended, 20_000);
    expect(await endOf(workspace, run)).toMatchObject({
      sent: 2,
      failed: { 'day-over': 1 },
      notReached: [{ who: priya.email, why: 'day-over' }],
    });
    expect(await direct(workspace, priya.id)).toEqual([]);
    const late = async (user: string) => JSON.stringify(await direct(workspace, user));
    expect(await late(noah)).toContain('Late: this was due Mon 23 Nov, 09:00 (America/New_York).');
    expect(await late(ada)).toContain('Late: this was due Mon 23 Nov, 09:00 (Europe/Berlin).');
    expect((await store.digests.find(digest.id))?.nextDue).toBe(Date.parse('2026-11-30T03:30:00Z'));
  }, 30_000);
});

describe('a digest that has grown', () => {
  const many = managers(26, (n) => (n % 2 === 0 ? 'Europe/Berlin' : 'Asia/Kolkata'));
  const zones = ['Europe/Berlin', 'Asia/Kolkata'];
  const people = [...defaultSeed.people, ...many];

  it('sends nothing to more than 25 without an admin’s word, in however many waves', async () => {
    // The hour of half of them comes later.
    const { workspace, digest } = await dueNow({ people, now: monday - 4 * hour }, { zones });
    const { service, scheduler, store, slack } = workspace;
    const due = Date.parse('2026-11-23T03:30:00Z');
    await store.digests.change(digest.id, digest.revision, { nextDue: due });
    service.always(answer(rowsOfAll(many)));
    scheduler.start();
    expect(await workspace.run(digest, ended, 20_000)).toMatchObject({
      state: 'failed',
      errorCode: 'managers-not-approved',
    });
    expect(await counts(workspace, many)).toEqual(many.map(() => 0));
    const told = await slack.waitForMessage('@ada', 'Not sent');
    expect(told.words).toContain('It now reaches 26 managers, and more than 25 need the word of an admin.');
  }, 60_000);

  it('sends to all of them with it', async () => {
    const { workspace, digest } = await dueNow({ people }, { zones, approvedBy: noah });
    workspace.service.always(answer(rowsOfAll(many)));
    workspace.scheduler.start();
    await workspace.run(digest, ended, 30_000);
    expect(await counts(workspace, many)).toEqual(many.map(() => 1));
  }, 60_000);
});

describe('an alert on new rows, for managers', () => {
  it('tells each of the new rows of their own team, after the first run of each', async () => {
    const { workspace, digest } = await dueNow({}, { when: { kind: 'new-rows' } });
    const { service, scheduler, clock } = workspace;
    const of = (manager: string | null, person: string, assignment?: string) => ({
      manager,
      person,
      assignment,
    });
    const texts = async (user: string) => (await direct(workspace, user)).map(({ text }) => text);
    let due = monday;
    const found = async (...all: readonly Row[]) => {
      service.always(answer(rows(...all)));
      if (due === monday) scheduler.start();
      else clock.moveBy(7 * day);
      const run = await workspace.run(digest, (one) => one.dueAt >= due && ended(one), 20_000);
      due += 7 * day;
      return endOf(workspace, run);
    };
    const first = [of('ada@example.com', 'p1'), of('ada@example.com', 'p2'), of('priya@example.com', 'p3')];
    expect(await found(...first)).toMatchObject({ sent: 0, nothingToTell: 2 });
    // Ada gets one more, and Noah has his first ones.
    expect(await found(...first, of('ada@example.com', 'p4'), of('noah@example.com', 'p5'))).toMatchObject({
      sent: 1,
    });
    const [toAda = '', ...others] = await texts(ada);
    expect(others).toEqual([]);
    expect(toAda).toContain('1 of your 3 people has 1 new overdue assignment.');
    expect(toAda).toContain('p4: Fire safety');
    expect(toAda).not.toMatch(/p[1235]/);
    // One person changes teams, one assignment is renewed, and a row without a manager is nobody’s.
    await found(
      of('priya@example.com', 'p1'),
      of('ada@example.com', 'p2', 'renewed'),
      of('priya@example.com', 'p3'),
      of('ada@example.com', 'p4'),
      of('noah@example.com', 'p5'),
      of(null, 'p6'),
    );
    expect((await texts(priya.id)).join()).toMatch(/1 of your 2 people has 1 new .*p1: Fire safety/s);
    expect((await texts(priya.id)).join()).not.toContain('p3');
    expect((await texts(ada))[1]).toContain('p2: Fire safety');
    expect((await texts(ada))[1]).not.toContain('p4');
    expect(await texts(noah)).toEqual([]);
  }, 60_000);
});
