import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { startLocalSlack } from '../../playground/slack/server/local-slack.js';
import { startDeleting } from '../../src/posts/delete-items.js';
import { deleteFromSlack } from '../../src/slack/delivery/delete-item.js';
import { openStore } from '../../src/store/store.js';
import { botSettings, startBot } from '../journeys/bot-process.js';
import { endEveryProcess } from '../process.js';
import { answer, openFaultServer } from '../reporting-api/fault-server.js';
import { ada, hour, learning, openTestWorkspace, records, settings } from './test-workspace.js';

const day = 24 * hour;
const request = { ...settings.request, columns: ['departments', 'sessions'], file: 'csv' as const };

afterAll(endEveryProcess);

/** A workspace that deletes what is due. */
async function openDeletingWorkspace() {
  const workspace = await openTestWorkspace();
  const { parts, store, slack } = workspace;
  const warnings: object[] = [];
  const stop = startDeleting({
    store,
    clock: parts.clock,
    log: { info: () => {}, warn: (details) => warnings.push(details) },
    deleteItem: (item) => deleteFromSlack(item, parts.client),
    deletionIntervalMs: 5,
    deletionPollMs: 20,
  });
  onTestFinished(stop);
  const remaining = () => slack.messages('#learning').map(({ ts }) => ts);
  const files = () => [...slack.workspace.files.values()].map(({ state }) => state);
  const roots = () => workspace.posts(learning).map(({ ts }) => ts);
  return { ...workspace, warnings, remaining, files, roots };
}

describe('a digest that deletes its messages', () => {
  it('deletes its last message and file once the next one is posted, and nobody else’s', async () => {
    const { digest, scheduler, clock, slack, remaining, files, roots } = await openDeletingWorkspace();
    slack.as('noah').message('A message of a person', '#learning');
    const before = remaining();
    await digest({ request, replace: true });
    scheduler.start();
    await slack.waitFor(() => files().join() === 'complete');
    const [first = ''] = roots();
    expect(remaining()).toContain(first);
    clock.moveBy(hour);
    await slack.waitFor(() => files().join() === 'deleted,complete');
    await slack.waitFor(() => !remaining().includes(first));
    expect(remaining()).toEqual(expect.arrayContaining([...before, ...roots().slice(1)]));
  });

  it('deletes its messages and files after their time', async () => {
    const { digest, scheduler, clock, slack, remaining, files, roots, store } = await openDeletingWorkspace();
    const one = await digest({ request, keepDays: 7 });
    scheduler.start();
    await slack.waitFor(() => files().join() === 'complete');
    await store.digests.delete(one.id, clock.now());
    clock.moveBy(6 * day);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(remaining()).toEqual(expect.arrayContaining([...roots()]));
    clock.moveBy(day);
    await slack.waitFor(() => files().join() === 'deleted');
    await slack.waitFor(() => roots().every((ts) => !remaining().includes(ts)));
  });

  it('waits while Slack is busy or down, and counts what is gone already as deleted', async () => {
    const { digest, scheduler, clock, slack, store, remaining, roots, warnings } =
      await openDeletingWorkspace();
    await digest({ keepDays: 1 });
    scheduler.start();
    await slack.waitFor(() => roots().length === 1);
    const [first = ''] = roots();
    slack.faults.set('chat.delete', { kind: 'ratelimited', retryAfter: 1 });
    slack.faults.set('chat.delete', { kind: 'error', error: 'message_not_found', done: true });
    await scheduler.stop();
    clock.moveBy(day);
    await slack.waitFor(() => !remaining().includes(first));
    await expect.poll(() => store.postedItems.due(clock.now() + 9 * day, 9)).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('gives up what Slack refuses for good, with a line in the log', async () => {
    const { digest, scheduler, clock, slack, store, remaining, roots, warnings } =
      await openDeletingWorkspace();
    await digest({ keepDays: 1 });
    scheduler.start();
    await slack.waitFor(() => roots().length === 1);
    await scheduler.stop();
    let refusals = 0;
    slack.faults.set(
      'chat.delete',
      { kind: 'error', error: 'compliance_exports_prevent_deletion' },
      {
        times: Number.POSITIVE_INFINITY,
        when: () => {
          refusals += 1;
          return true;
        },
      },
    );
    for (let tries = 1; tries <= 6; tries += 1) {
      clock.moveBy(day);
      await slack.waitFor(() => refusals === tries);
      await expect.poll(() => store.postedItems.due(clock.now(), 9)).toEqual([]);
    }
    expect(warnings).toEqual([
      { kind: 'message', channel: learning, code: 'compliance_exports_prevent_deletion' },
    ]);
    clock.moveBy(9 * day);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(refusals).toBe(6);
    expect(remaining()).toContain(roots()[0]);
  });
});

it('deletes after kill -9 what it had not deleted yet, and never a message whose successor is unconfirmed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-deletions-'));
  const path = join(folder, 'rollcall.db');
  const slack = await startLocalSlack({ rateLimits: 'off' });
  const service = await openFaultServer();
  onTestFinished(async () => {
    await service.close();
    await slack.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  service.always(answer(records(3)));
  const environment = botSettings(slack, service, path);
  const posts = () => slack.posts.filter(({ channel }) => channel === learning);
  const remaining = () => slack.messages('#learning').map(({ ts }) => ts);
  const store = await openStore(path, Date.now);
  const schedule = {
    cadence: { kind: 'quarterly', day: 1, time: '09:00' },
    zone: 'UTC',
    firstDay: '2026-01-01',
  } as const;
  const id = await store.digests.add(
    { ...settings, schedule, owner: ada, replace: true },
    ada,
    Date.now() - 500,
    Date.now(),
  );
  await store.close();
  /** Has the digest run again, with no bot running. */
  const dueAgain = async () => {
    const opened = await openStore(path, Date.now);
    const { revision } = (await opened.digests.find(id)) ?? { revision: 0 };
    await opened.digests.change(id, revision, { nextDue: Date.now() - 500 });
    await opened.close();
  };
  const killed = async (happened: () => boolean) => {
    const bot = startBot(environment, folder);
    await slack.waitFor(happened);
    bot.signal('SIGKILL');
    await bot.ended;
  };
  const posted = async () => {
    const opened = await openStore(path, Date.now);
    const [run] = await opened.ledger.history(id, 1);
    await opened.close();
    return run?.state;
  };

  const bot = startBot(environment, folder);
  await expect.poll(posted).toBe('posted');
  bot.signal('SIGKILL');
  await bot.ended;
  const [first] = posts();

  // Slack has the second message, and the bot never hears of it.
  slack.faults.set(
    'chat.postMessage',
    { kind: 'done, then silent' },
    { when: ({ channel }) => channel === learning },
  );
  await dueAgain();
  await killed(() => posts().length === 2);
  // The third one is posted, and the bot is killed before Slack deletes anything.
  let isAsked = false;
  const busy = { kind: 'ratelimited', retryAfter: 1 } as const;
  const always = { times: Number.POSITIVE_INFINITY, when: () => (isAsked = true) };
  slack.faults.set('chat.delete', busy, always);
  const settled = startBot(environment, folder);
  await expect.poll(posted).toBe('unknown');
  expect(remaining()).toContain(first?.ts);
  settled.signal('SIGKILL');
  await settled.ended;
  await dueAgain();
  await killed(() => isAsked);
  expect(remaining()).toContain(first?.ts);
  slack.faults.clear();

  const last = startBot(environment, folder);
  await slack.waitFor(() => !remaining().includes(String(first?.ts)));
  const [, second, third] = posts();
  expect(remaining()).toEqual(expect.arrayContaining([second?.ts, third?.ts]));
  last.signal('SIGTERM');
  expect(await last.ended).toBe(0);
}, 120_000);
