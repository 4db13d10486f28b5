import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startLocalSlack } from '../../playground/slack/server/local-slack.js';
import { defaultSeed } from '../../playground/slack/server/workspace/seed.js';
import { openStore } from '../../src/store/store.js';
import { ada, records, settings } from '../digests/test-workspace.js';
import { answer, openFaultServer } from '../reporting-api/fault-server.js';
import { endEveryBot, startBot } from './bot-process.js';

const folder = mkdtempSync(join(tmpdir(), 'rollcall-two-bots-'));
afterAll(() => {
  endEveryBot();
  rmSync(folder, { recursive: true, force: true });
});

it('a second bot on one SQLite file stands by, and takes over when the first is killed', async () => {
  const channels = Array.from({ length: 12 }, (_, i) => ({
    id: `C00TWO${10 + i}`,
    kind: 'public' as const,
    name: `two-${i}`,
    members: [ada, defaultSeed.bot.user],
  }));
  const seed = { ...defaultSeed, channels: [...defaultSeed.channels, ...channels] };
  const slack = await startLocalSlack({ rateLimits: 'off', seed });
  const service = await openFaultServer();
  service.behave(...Array.from({ length: 500 }, () => answer(records(3))));
  const path = join(folder, 'rollcall.db');
  const store = await openStore(path, Date.now);
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
    DATABASE_URL: `sqlite:${path}`,
  };
  const first = startBot(environment, folder);
  await first.waitFor(/^Rollcall ready$/m);
  const second = startBot(environment, folder);
  await second.waitFor(/^Standing by$/m);
  const due = Date.now() + 500;
  const ids = await Promise.all(
    channels.map(({ id: channel }) => store.digests.add({ ...settings, channel }, ada, due, Date.now())),
  );
  await expect.poll(() => slack.posts.length, { timeout: 20_000 }).toBeGreaterThan(0);
  expect(second.stdout()).not.toMatch(/Rollcall ready/);

  first.signal('SIGKILL');
  await second.waitFor(/^Rollcall ready$/m);
  const states = async () =>
    Promise.all(ids.map(async (id) => (await store.ledger.history(id, 1))[0]?.state ?? 'queued'));
  await expect
    .poll(async () => (await states()).filter((state) => state !== 'posted' && state !== 'unknown'), {
      timeout: 40_000,
    })
    .toEqual([]);
  const ended = await states();
  for (const [index, { id }] of channels.entries()) {
    const posts = slack.posts.filter(({ channel }) => channel === id).length;
    // Nobody knows of one that was being posted when the first bot was killed.
    if (ended[index] === 'posted') expect(posts, id).toBe(1);
    else expect(posts, id).toBeLessThanOrEqual(1);
  }
  second.signal('SIGTERM');
  expect(await second.ended).toBe(0);
  await store.close();
  await service.close();
  await slack.stop();
}, 80_000);

it('a bot that stands by ends at once when it is told to', async () => {
  const path = join(folder, 'other.db');
  const slack = await startLocalSlack({ rateLimits: 'off' });
  const environment = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    REPORTING_BASE_URL: 'http://127.0.0.1:9',
    REPORTING_API_TOKEN: 'a-token',
    DATABASE_URL: `sqlite:${path}`,
  };
  const first = startBot(environment, folder);
  await first.waitFor(/^Rollcall ready$/m);
  const second = startBot(environment, folder);
  await second.waitFor(/^Standing by$/m);
  second.signal('SIGTERM');
  expect(await second.ended).toBe(0);
  first.signal('SIGTERM');
  expect(await first.ended).toBe(0);
  await slack.stop();
}, 40_000);
