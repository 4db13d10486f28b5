import { fileURLToPath } from 'node:url';
import { expect, inject, it } from 'vitest';
import { startLocalSlack } from '../../playground/slack/server/local-slack.js';
import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import { defaultSeed } from '../../playground/slack/server/workspace/seed.js';
import { openStore } from '../../src/store/store.js';
import { ada, noah, records, settings } from '../digests/test-workspace.js';
import { answer, type Behaviour, openFaultServer, silent } from '../reporting-api/fault-server.js';
import { freshFolder, sqlOn } from '../store/fresh-folder.js';
import { startBot } from './bot-process.js';
import { openHangingProxy } from './hanging-proxy.js';

const folder = freshFolder();

const leads = /This process leads/;

/** A workspace, a service and a database for several bots. */
async function openSurroundings() {
  const channel = {
    id: 'C00SHARED',
    kind: 'public' as const,
    name: 'shared-work',
    members: [ada, noah, defaultSeed.bot.user],
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
  return {
    slack,
    service,
    store,
    location,
    answerWith(next: Behaviour) {
      behaviour = next;
    },
    start: (more: Readonly<Record<string, string>> = {}) =>
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
          ...more,
        },
        folder.path('.'),
      ),
    /** Has a digest delivered that is due now. Returns how often it was posted. */
    async deliverOne() {
      const before = slack.posts.length;
      const due = Date.now();
      const id = await store.digests.add({ ...settings, channel: channel.id }, ada, due, due);
      const state = async () => (await store.ledger.history(id, 1))[0]?.state;
      await expect.poll(state, { timeout: 30_000 }).toBe('posted');
      await store.digests.delete(id, Date.now());
      return slack.posts.length - before;
    },
    async close() {
      await store.close();
      await service.close();
      await slack.stop();
    },
  };
}

it('bots on one PostgreSQL share the work, and take over when one is killed or frozen', async ({ skip }) => {
  if (inject('postgresUrl') === undefined) return skip();
  const { slack, service, location, store, start, deliverOne, answerWith, close } = await openSurroundings();
  const states = async () =>
    (await sqlOn<{ state: string }>(location, "SELECT state FROM posts WHERE kind = 'answer'")).map(
      ({ state }) => state,
    );

  // The clocks of their machines are five minutes apart. PostgreSQL's time counts.
  const clockAhead = fileURLToPath(new URL('clock-ahead.mjs', import.meta.url));
  const first = start({ NODE_OPTIONS: `--import ${clockAhead}`, AHEAD_MS: '300000' });
  await first.waitFor(/The clock of this machine is wrong/);
  await first.waitFor(/^Rollcall ready$/m);
  await first.waitFor(leads);
  const inThreeMinutes = Date.now() + 180_000;
  const notDue = await store.digests.add(settings, ada, inThreeMinutes, Date.now());
  const second = start();
  await second.waitFor(/^Rollcall ready$/m);
  expect(second.stdout()).not.toMatch(leads);
  expect(await deliverOne()).toBe(1);

  // Slack spreads commands over the connections of both.
  const ask = (range = 'this-month') => slack.as('ada').command(`/report workshops ${range}`, '#shared-work');
  for (let n = 0; n < 12; n += 1) await ask();
  await expect.poll(states, { timeout: 30_000 }).toEqual(Array.from({ length: 12 }, () => 'posted'));
  const holders = await sqlOn<{ process: string }>(
    location,
    'SELECT DISTINCT process FROM posts WHERE process IS NOT NULL',
  );
  expect(holders).toHaveLength(2);

  // Slack tells one of them that somebody became a guest, and neither answers that person any more.
  const askAsNoah = async () => {
    for (let n = 0; n < 6; n += 1) await slack.as('noah').command('/report workshops', '#shared-work');
  };
  await askAsNoah();
  await expect.poll(states, { timeout: 30_000 }).toEqual(Array.from({ length: 18 }, () => 'posted'));
  slack.as('noah').changeProfile({ kind: 'guest' });
  const isDelivered = () =>
    slack.inspector.entries().some(({ title, state }) => title.includes('user_change') && state === 'ok');
  await expect.poll(isDelivered).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 500));
  await askAsNoah();
  const refusals = () =>
    slack.messages('#shared-work').filter(({ text }) => text.startsWith('Guests cannot ask for reports'));
  await expect.poll(() => refusals().length, { timeout: 20_000 }).toBe(6);
  expect(await states()).toHaveLength(18);

  // Whoever has a request in hand is killed. The one that is left goes on with it.
  answerWith(silent);
  const queries = service.seen.length;
  await slack.as('ada').command('/report workshops last-month', '#shared-work');
  const inHand = () =>
    sqlOn<{ id: string; process: string }>(location, "SELECT id, process FROM posts WHERE state = 'running'");
  await expect.poll(async () => (await inHand()).length, { timeout: 10_000 }).toBe(1);
  const [held] = await inHand();
  const killed = held?.process.includes(`:${first.pid}:`) ? first : second;
  const left = killed === first ? second : first;
  await service.reached(queries + 1);
  answerWith(answer(records(3)));
  killed.signal('SIGKILL');
  await left.waitFor(leads);
  await expect.poll(states, { timeout: 30_000 }).toEqual(Array.from({ length: 19 }, () => 'posted'));
  expect(slack.messages('@ada')).toEqual([]);
  expect(await deliverOne()).toBe(1);

  if (Date.now() < inThreeMinutes) expect(await store.ledger.history(notDue, 1)).toEqual([]);

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
  await close();
}, 120_000);

it('a bot that Slack no longer answers ends, and one that Slack answers does its work', async ({ skip }) => {
  if (inject('postgresUrl') === undefined) return skip();
  const { slack, service, location, start, deliverOne, answerWith, close } = await openSurroundings();
  const proxy = await openHangingProxy();
  const through = {
    HTTP_PROXY: proxy.url,
    HTTPS_PROXY: proxy.url,
    NO_PROXY: `127.0.0.1:${service.port}`,
  };
  const first = start(through);
  await first.waitFor(/^Rollcall ready$/m);
  await first.waitFor(leads);
  // It has a request in hand, too.
  answerWith(silent);
  await slack.as('ada').command('/report workshops last-month', '#shared-work');
  const states = async () =>
    (await sqlOn<{ state: string }>(location, "SELECT state FROM posts WHERE kind = 'answer'")).map(
      ({ state }) => state,
    );
  await expect.poll(states, { timeout: 10_000 }).toEqual(['running']);
  answerWith(answer(records(3)));
  const second = start();
  await second.waitFor(/^Rollcall ready$/m);
  proxy.hang();
  await deliverOne();
  expect(second.stdout()).toMatch(leads);
  expect(await first.ended).toBe(1);
  await expect.poll(states, { timeout: 10_000 }).toEqual(['posted']);
  const posted = slack.posts.filter(({ channel }) => channel === 'C00SHARED').map(({ text }) => text);
  for (const report of ['Engagement', 'Workshop'])
    expect(posted.filter((text) => text.includes(report))).toHaveLength(1);

  await proxy.close();

  // Its supervisor starts it again. Until Slack answers, it does not lead, whoever else ends.
  const again = start(through);
  await again.waitFor(/Slack cannot be reached/);
  second.signal('SIGTERM');
  expect(await second.ended).toBe(0);
  const third = start();
  await third.waitFor(leads);
  expect(again.stdout()).not.toMatch(leads);
  for (const bot of [again, third]) bot.signal('SIGTERM');
  expect(await Promise.all([again.ended, third.ended])).toEqual([0, 0]);
  expect(slack.refusals).toEqual([]);
  await close();
}, 120_000);

it('an answer gets its changes from the bot that is left', async ({ skip }) => {
  if (inject('postgresUrl') === undefined) return skip();
  const { slack, location, start, answerWith, close } = await openSurroundings();
  const bots = [start(), start()];
  for (const bot of bots) await bot.waitFor(/^Rollcall ready$/m);
  // The first query is that for the answer.
  answerWith((...call) => {
    answerWith(silent);
    return answer(records(3))(...call);
  });
  await slack.as('ada').command('/report engagement last-week', '#shared-work');
  const due = () =>
    sqlOn<{ process: string; ts: string }>(
      location,
      "SELECT process, message_ts AS ts FROM posts WHERE edit_state = 'due'",
    );
  await expect.poll(async () => (await due()).length, { timeout: 10_000 }).toBe(1);
  const [edit] = await due();
  const [killed, left] = edit?.process.includes(`:${bots[0]?.pid}:`) ? bots : [...bots].reverse();
  answerWith(answer(records(3)));
  killed?.signal('SIGKILL');
  const hasChanges = ({ ts, says }: SeenMessage) => ts === edit?.ts && says('Compared with');
  await slack.waitForMessage('#shared-work', hasChanges, 30_000);
  expect(slack.posts).toHaveLength(1);
  left?.signal('SIGTERM');
  expect(await left?.ended).toBe(0);
  await close();
}, 120_000);
