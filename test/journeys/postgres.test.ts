import { expect, inject, it } from 'vitest';
import { startLocalSlack } from '../../playground/slack/server/local-slack.js';
import { defaultSeed } from '../../playground/slack/server/workspace/seed.js';
import { openStore } from '../../src/store/store.js';
import { ada, records, settings } from '../digests/test-workspace.js';
import { answer, type Behaviour, openFaultServer, silent } from '../reporting-api/fault-server.js';
import { freshFolder, sqlOn } from '../store/fresh-folder.js';
import { startBot } from './bot-process.js';

const folder = freshFolder();

it('bots on one PostgreSQL share the work, and take over when one is killed or frozen', async ({ skip }) => {
  if (inject('postgresUrl') === undefined) return skip();
  const channel = {
    id: 'C00SHARED',
    kind: 'public' as const,
    name: 'shared-work',
    members: [ada, defaultSeed.bot.user],
  };
  const seed = { ...defaultSeed, channels: [...defaultSeed.channels, channel] };
  const slack = await startLocalSlack({ rateLimits: 'off', seed });
  const service = await openFaultServer();
  let behaviour = answer(records(3));
  service.behave(
    ...Array.from(
      { length: 500 },
      (): Behaviour =>
        (...call) =>
          behaviour(...call),
    ),
  );
  const location = folder.database();
  const store = await openStore(location, Date.now);
  await store.useWorkspace(defaultSeed.team.id);
  const start = () =>
    startBot(
      {
        SLACK_BOT_TOKEN: slack.botToken,
        SLACK_APP_TOKEN: slack.appToken,
        SLACK_API_URL: slack.apiUrl,
        REPORTING_BASE_URL: service.url,
        REPORTING_API_TOKEN: 'a-token',
        DEFAULT_ACCESS: 'everything',
        SMALLEST_GROUP: '1',
        REPORTING_REQUESTS_PER_MINUTE: '60000',
        DATABASE_URL: location,
      },
      folder.path('.'),
    );
  const leads = /This process leads/;
  /** A digest that is due now, and how often it is posted. */
  const deliverOne = async () => {
    const before = slack.posts.length;
    const due = Date.now();
    const id = await store.digests.add({ ...settings, channel: channel.id }, ada, due, due);
    const state = async () => (await store.ledger.history(id, 1))[0]?.state;
    await expect.poll(state, { timeout: 20_000 }).toBe('posted');
    await store.digests.delete(id, Date.now());
    return slack.posts.length - before;
  };
  const states = async () =>
    (await sqlOn<{ state: string }>(location, "SELECT state FROM posts WHERE kind = 'answer'")).map(
      ({ state }) => state,
    );

  const first = start();
  await first.waitFor(/^Rollcall ready$/m);
  await first.waitFor(leads);
  const second = start();
  await second.waitFor(/^Rollcall ready$/m);
  expect(second.stdout()).not.toMatch(leads);
  expect(await deliverOne()).toBe(1);

  // Slack spreads commands over the connections of both.
  const ask = () => slack.as('ada').command('/report workshops this-month', '#shared-work');
  for (let n = 0; n < 12; n += 1) await ask();
  await expect.poll(states, { timeout: 30_000 }).toEqual(Array.from({ length: 12 }, () => 'posted'));
  const holders = await sqlOn<{ process: string }>(
    location,
    'SELECT DISTINCT process FROM posts WHERE process IS NOT NULL',
  );
  expect(holders).toHaveLength(2);

  // Whoever has a request in hand is killed. Its asker is told by the one that is left.
  behaviour = silent;
  await ask();
  const inHand = () =>
    sqlOn<{ id: string; process: string }>(location, "SELECT id, process FROM posts WHERE state = 'running'");
  await expect.poll(async () => (await inHand()).length, { timeout: 10_000 }).toBe(1);
  const [held] = await inHand();
  const killed = held?.process.includes(`:${first.pid}:`) ? first : second;
  const left = killed === first ? second : first;
  killed.signal('SIGKILL');
  await left.waitFor(leads);
  await expect
    .poll(() => slack.messages('@ada').map(({ text }) => text), { timeout: 20_000 })
    .toContainEqual(expect.stringMatching(/^I restarted before answering/));
  behaviour = answer(records(3));
  expect(await deliverOne()).toBe(1);

  const third = start();
  await third.waitFor(/^Rollcall ready$/m);
  left.signal('SIGSTOP');
  await third.waitFor(leads);
  expect(await deliverOne()).toBe(1);
  left.signal('SIGCONT');
  // It notices that others went on without it, and its supervisor starts it again.
  expect(await left.ended).toBe(1);

  third.signal('SIGTERM');
  expect(await third.ended).toBe(0);
  await store.close();
  await service.close();
  await slack.stop();
}, 120_000);
