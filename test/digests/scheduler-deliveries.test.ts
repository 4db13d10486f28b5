import { describe, expect, it } from 'vitest';
import { dedupeKey } from '../../src/digests/digest.js';
import { plainRequest } from '../../src/requests/request.js';
import { answer } from '../reporting-api/fault-server.js';
import { ada, hour, learning, openTestWorkspace, settings } from './test-workspace.js';

describe('a digest that is due', () => {
  it('is delivered once, with its owner and its cadence', async () => {
    const { digest, run, scheduler, posts, slack } = await openTestWorkspace();
    const one = await digest();
    scheduler.start();
    const done = await run(one, ({ state }) => state === 'posted');
    expect(done).toMatchObject({ rows: 3, attempts: 1, late: false, fileState: 'none' });
    const [post] = posts(learning);
    expect(posts(learning)).toHaveLength(1);
    expect(done.message).toMatchObject({ channel: learning, ts: post?.ts });
    expect(done.message?.link).toBe(
      `https://lindgren.slack.com/archives/${learning}/p${String(post?.ts).replace('.', '')}`,
    );
    const [message] = slack.messages('#learning').filter(({ ts }) => ts === post?.ts);
    expect(message?.words).toContain(`Set up by <@${ada}>`);
    expect(message?.words).toContain('Comes every hour at :00, Europe/Berlin.');
    expect(slack.refusals).toEqual([]);
  });

  it('runs again at the next due time, and not before', async () => {
    const { digest, store, scheduler, posts, clock, slack } = await openTestWorkspace();
    const one = await digest();
    scheduler.start();
    await slack.waitFor(() => posts(learning).length === 1);
    clock.moveBy(hour);
    await slack.waitFor(() => posts(learning).length === 2);
    const runs = await store.ledger.history(one.id, 9);
    expect(runs).toHaveLength(2);
    expect(runs[0]?.dueAt).toBeGreaterThan(Number(runs[1]?.dueAt));
    expect(Number(runs[0]?.dueAt) % hour).toBe(0);
  });

  it('uses the range at its due time even if it is late, and runs only the latest of several missed', async () => {
    const { digest, run, scheduler, posts, clock, service, slack, store } = await openTestWorkspace();
    const missed = clock.now() - 30 * hour;
    const one = await digest({ request: { ...plainRequest('engagement'), range: 'today' } }, missed);
    scheduler.start();
    const done = await run(one, ({ state }) => state === 'posted');
    expect(await store.ledger.history(one.id, 9)).toHaveLength(1);
    expect(done.missed).toBeGreaterThan(25);
    const asked = /\/(\d{10})\/(\d{10})|from=(\d+)/.exec(service.seen[0]?.path ?? '');
    const until = Number(asked?.[2]);
    expect(until).toBe(Math.floor(done.dueAt / 1000));
    const message = slack.messages('#learning').find(({ ts }) => ts === posts(learning)[0]?.ts);
    expect(message?.words).toContain('Late: this was due');
  });

  it('is skipped without results if that was chosen', async () => {
    const { digest, run, scheduler, posts } = await openTestWorkspace({ usual: answer('[]') });
    const [skips, does] = [await digest({ skipEmpty: true }), await digest()];
    scheduler.start();
    await run(does, ({ state }) => state === 'posted');
    expect(await run(skips, ({ state }) => state === 'skipped')).toMatchObject({ rows: 0 });
    expect(posts(learning)).toHaveLength(1);
  });

  it.each([{ view: 'overdue' as const }, { view: 'due' as const }, { states: ['completed'] }])(
    'is skipped if no record counts and that was chosen: %o',
    async (narrowed) => {
      const notDue = JSON.stringify([
        { assigned_date: '2026-01-05', due_date: '2999-01-01', email: 'a@b.example' },
      ]);
      const { digest, run, scheduler, posts } = await openTestWorkspace({ usual: answer(notDue) });
      const request = { ...plainRequest('assignments'), ...narrowed };
      const skips = await digest({ request, skipEmpty: true });
      const does = await digest({ request });
      scheduler.start();
      expect(await run(does, ({ state }) => state === 'posted')).toMatchObject({ rows: 0 });
      expect(await run(skips, ({ state }) => state === 'skipped')).toMatchObject({ rows: 0 });
      expect(posts(learning)).toHaveLength(1);
    },
  );

  const few = JSON.stringify(['a@b.example', 'c@d.example'].map((email) => ({ email, sessions: 1 })));

  it('is skipped as empty where too few people match', async () => {
    const { digest, run, scheduler, slack } = await openTestWorkspace({
      usual: answer(few),
      smallestGroup: 3,
    });
    const one = await digest({ skipEmpty: true });
    scheduler.start();
    const done = await run(one, ({ state }) => state === 'skipped');
    // As where nobody matches.
    expect(done.rows).toBe(0);
    expect(slack.messages('#learning').some(({ words }) => words.includes('people match'))).toBe(false);
  });

  it('tells no number of rows where too few people match', async () => {
    const { digest, run, scheduler, slack } = await openTestWorkspace({
      usual: answer(few),
      smallestGroup: 3,
    });
    const one = await digest();
    scheduler.start();
    const done = await run(one, ({ state }) => state === 'posted');
    expect(done.rows).toBeUndefined();
    const message = slack.messages('#learning').find(({ ts }) => ts === done.message?.ts);
    expect(message?.words).toContain('Fewer than 3 people match');
    expect(message?.words).not.toMatch(/2 people|2 rows|Sessions/);
  });

  it('posts its file in its thread', async () => {
    const { digest, run, scheduler, slack, parts, clock } = await openTestWorkspace();
    await parts.store.approvals.approveChannel({ subject: learning, by: ada, at: clock.now() });
    const one = await digest({ request: { ...settings.request, file: 'csv' as const } });
    scheduler.start();
    const { message } = await run(one, ({ fileState }) => fileState === 'posted');
    const file = slack.messages('#learning').find(({ files }) => files.length > 0);
    expect(file?.threadTs).toBe(message?.ts);
  });

  it('sends a file that names people only to its owner if the channel is not approved', async () => {
    const { digest, run, scheduler, slack } = await openTestWorkspace();
    const one = await digest({ request: { ...settings.request, file: 'csv' as const } });
    scheduler.start();
    await run(one, ({ fileState }) => fileState === 'posted');
    expect(slack.messages('#learning').filter(({ files }) => files.length > 0)).toEqual([]);
    expect(slack.messages('@ada').filter(({ files }) => files.length > 0)).toHaveLength(1);
  });

  it('sends one query for several equal runs', async () => {
    const { digest, run, scheduler, service, posts, slack, clock } = await openTestWorkspace();
    const due = clock.now() - 1000;
    const all = await Promise.all([learning, learning, learning].map((channel) => digest({ channel }, due)));
    scheduler.start();
    for (const one of all) await run(one, ({ state }) => state === 'posted');
    await slack.waitFor(() => posts(learning).length === 3);
    // The report, and the period before it.
    expect(service.seen).toHaveLength(2);
  });

  it('compares figures with its own last run, even if it shares the report', async () => {
    // A single row would be shown itself, without a comparison.
    const overdueRows = JSON.stringify(
      ['a@b.example', 'c@b.example'].map((email) => ({ due_date: '2026-01-05', email })),
    );
    const { digest, run, scheduler, posts, clock, store } = await openTestWorkspace({
      usual: answer(overdueRows),
    });
    const request = { ...plainRequest('assignments'), view: 'overdue' as const };
    const one = await digest({ request });
    scheduler.start();
    await run(one, ({ state }) => state === 'posted');
    clock.moveBy(60_000);
    const other = await digest({ request });
    const at = clock.now();
    await store.ledger.enterNow(one, dedupeKey(request, one.schedule.zone, at), at);
    await expect
      .poll(async () => (await store.ledger.history(one.id, 9)).map(({ state }) => state), {
        timeout: 15_000,
      })
      .toEqual(['posted', 'posted']);
    await run(other, ({ state }) => state === 'posted');
    const words = posts(learning).map((message) => JSON.stringify(message));
    const withOwn = words.filter((text) => text.includes('Compared with the last run'));
    const first = words.filter((text) => !text.includes('Compared with'));
    expect([withOwn.length, first.length]).toEqual([1, 2]);
  });

  it('does not wait for a failing digest of others', async () => {
    const { digest, run, scheduler } = await openTestWorkspace();
    const bad = await digest({ channel: 'C00NOWHERE' });
    const good = await digest();
    scheduler.start();
    await run(good, ({ state }) => state === 'posted');
    expect(await run(bad, ({ state }) => state === 'failed')).toMatchObject({
      errorCode: 'channel_not_found',
    });
  });
});

describe('a Slack that fails', () => {
  const shown = 'done, then cut' as const;

  it.each([
    ['done, then cut', { kind: shown }, 1],
    ['cut', { kind: 'cut' }, 0],
    ['done, then silent status', { kind: 'status', status: 503, done: true }, 1],
    ['internal_error', { kind: 'error', error: 'internal_error', done: true }, 1],
    ['fatal_error', { kind: 'error', error: 'fatal_error' }, 0],
    ['service_unavailable', { kind: 'error', error: 'service_unavailable' }, 0],
    ['request_timeout', { kind: 'error', error: 'request_timeout', done: true }, 1],
  ] as const)(
    '%s: nobody can know, no machine repeats it, and its owner is asked once',
    async (_name, fault, there) => {
      const { digest, run, scheduler, slack, posts, store } = await openTestWorkspace();
      slack.faults.set('chat.postMessage', fault, { when: ({ channel }) => channel === learning });
      const one = await digest();
      scheduler.start();
      await run(one, ({ state }) => state === 'unknown');
      const asked = await slack.waitForMessage('@ada', 'Delivery of one digest is unconfirmed');
      expect(asked.words).toContain('It arrived');
      expect(asked.words).toContain('Send again');
      expect(posts(learning)).toHaveLength(there);
      expect((await store.ledger.history(one.id, 1))[0]).toMatchObject({ state: 'unknown', attempts: 1 });
      expect(slack.refusals).toEqual([]);
    },
  );

  it('lists all unconfirmed deliveries in one message, repeated until somebody answers', async () => {
    const { digest, run, scheduler, slack, clock, store } = await openTestWorkspace();
    const toLearning = { times: 2, when: ({ channel }: { channel?: unknown }) => channel === learning };
    slack.faults.set('chat.postMessage', { kind: 'cut' }, toLearning);
    const cadence = { kind: 'monthly', day: 28, time: '03:00' } as const;
    const rarely = { schedule: { ...settings.schedule, cadence } };
    const all = [await digest(rarely), await digest(rarely)];
    scheduler.start();
    for (const one of all) await run(one, ({ state }) => state === 'unknown');
    const asking = () => slack.messages('@ada').filter(({ text }) => text.includes('is unconfirmed'));
    await slack.waitFor(() => asking().some(({ text }) => text.includes('2 digests')));
    const told = () => store.digestNotifications.open(ada, ['unknown']);
    await expect.poll(async () => (await told()).every(({ sentAt }) => sentAt)).toBe(true);
    const before = asking().length;

    clock.moveBy(25 * hour);
    scheduler.checkNow();
    await slack.waitFor(() => asking().length > before);
    for (const one of all) {
      const [latest] = await store.ledger.history(one.id, 1);
      await store.ledger.settle(latest?.id ?? '', 'arrived', clock.now());
    }
    const answered = asking().length;
    clock.moveBy(25 * hour);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(asking()).toHaveLength(answered);
  });

  it('is called again after its rate limit', async () => {
    const { digest, run, scheduler, slack, posts } = await openTestWorkspace();
    slack.faults.set('chat.postMessage', { kind: 'ratelimited', retryAfter: 1 });
    const one = await digest();
    scheduler.start();
    expect(await run(one, ({ state }) => state === 'posted')).toMatchObject({ attempts: 1, rateLimited: 1 });
    expect(posts(learning)).toHaveLength(1);
  });

  it('retries only the file if only the file did not arrive', async () => {
    const { digest, run, scheduler, slack, posts, clock, parts } = await openTestWorkspace();
    await parts.store.approvals.approveChannel({ subject: learning, by: ada, at: clock.now() });
    slack.faults.set('upload', { kind: 'status', status: 500 });
    const one = await digest({ request: { ...settings.request, file: 'csv' as const } });
    scheduler.start();
    await run(one, ({ fileState, readyAt }) => fileState === 'queued' && readyAt !== undefined);
    clock.moveBy(2 * 60_000);
    await run(one, ({ fileState }) => fileState === 'posted');
    expect(posts(learning)).toHaveLength(1);
    expect(slack.messages('#learning').filter(({ files }) => files.length > 0)).toHaveLength(1);
  });

  it('leaves a file unconfirmed if nobody can know whether it arrived', async () => {
    const { digest, run, scheduler, slack, clock, parts } = await openTestWorkspace();
    await parts.store.approvals.approveChannel({ subject: learning, by: ada, at: clock.now() });
    slack.faults.set('files.completeUploadExternal', { kind: 'done, then cut' });
    const one = await digest({ request: { ...settings.request, file: 'csv' as const } });
    scheduler.start();
    await run(one, ({ fileState }) => fileState === 'unknown');
    await slack.waitForMessage('@ada', 'The file of Engagement');
    expect(slack.messages('#learning').filter(({ files }) => files.length > 0)).toHaveLength(1);
  });

  it.each(['is_archived', 'not_in_channel', 'channel_not_found', 'restricted_action'])(
    '%s: its owner hears why, and the third in a row pauses it',
    async (error) => {
      const { digest, run, scheduler, slack, store, clock } = await openTestWorkspace();
      const when = ({ channel }: { channel?: unknown }) => channel === learning;
      slack.faults.set('chat.postMessage', { kind: 'error', error }, { times: 9, when });
      const one = await digest();
      scheduler.start();
      for (const failures of [1, 2, 3]) {
        await run(one, ({ state, dueAt }) => state === 'failed' && dueAt > clock.now() - hour);
        await slack.waitFor(
          () => slack.messages('@ada').filter(({ text }) => text.includes('Not sent: ')).length === failures,
        );
        clock.moveBy(hour);
      }
      expect(await store.digests.find(one.id)).toMatchObject({ state: 'paused', pauseReason: error });
      expect(slack.messages('@ada').at(-1)?.words).toContain('Try again');
      expect(slack.refusals).toEqual([]);
    },
  );
});
