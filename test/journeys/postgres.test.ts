import { expect, inject, it } from 'vitest';
import { startLocalSlack } from '../../playground/slack/server/local-slack.js';
import { defaultSeed } from '../../playground/slack/server/workspace/seed.js';
import { openStore } from '../../src/store/store.js';
import { ada, records, settings } from '../digests/test-workspace.js';
import { answer, openFaultServer } from '../reporting-api/fault-server.js';
import { freshFolder } from '../store/fresh-folder.js';
import { startBot } from './bot-process.js';

const folder = freshFolder();

it('bots on one PostgreSQL take over from each other when one is killed, frozen or stopped', async ({
  skip,
}) => {
  if (inject('postgresUrl') === undefined) return skip();
  const channel = {
    id: 'C00STANDBY',
    kind: 'public' as const,
    name: 'standby',
    members: [ada, defaultSeed.bot.user],
  };
  const seed = { ...defaultSeed, channels: [...defaultSeed.channels, channel] };
  const slack = await startLocalSlack({ rateLimits: 'off', seed });
  const service = await openFaultServer();
  service.behave(...Array.from({ length: 50 }, () => answer(records(3))));
  const location = folder.database();
  const store = await openStore(location, Date.now);
  await store.useWorkspace(defaultSeed.team.id);
  const environment = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    REPORTING_BASE_URL: service.url,
    REPORTING_API_TOKEN: 'a-token',
    DEFAULT_ACCESS: 'everything',
    SMALLEST_GROUP: '1',
    REPORTING_REQUESTS_PER_MINUTE: '60000',
    DATABASE_URL: location,
  };
  /** A digest that is due now, and how often it is posted. */
  const deliverOne = async () => {
    const before = slack.posts.length;
    const due = Date.now();
    const id = await store.digests.add({ ...settings, channel: channel.id }, ada, due, due);
    const state = async () => (await store.ledger.history(id, 1))[0]?.state;
    await expect.poll(state, { timeout: 10_000 }).toBe('posted');
    await store.digests.delete(id, Date.now());
    return slack.posts.length - before;
  };
  const first = startBot(environment, folder.path('.'));
  await first.waitFor(/^Rollcall ready$/m);
  const second = startBot(environment, folder.path('.'));
  await second.waitFor(/^Standing by$/m);
  expect(await deliverOne()).toBe(1);

  first.signal('SIGKILL');
  await second.waitFor(/^Rollcall ready$/m);
  expect(await deliverOne()).toBe(1);

  const third = startBot(environment, folder.path('.'));
  await third.waitFor(/^Standing by$/m);
  second.signal('SIGSTOP');
  await third.waitFor(/^Rollcall ready$/m);
  expect(await deliverOne()).toBe(1);
  second.signal('SIGCONT');
  // It notices that it no longer leads, and its supervisor starts it again.
  expect(await second.ended).toBe(1);

  third.signal('SIGTERM');
  expect(await third.ended).toBe(0);
  await store.close();
  await service.close();
  await slack.stop();
}, 90_000);
