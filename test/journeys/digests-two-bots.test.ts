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

it('two bots on one database deliver each digest once', async () => {
  const channels = Array.from({ length: 24 }, (_, i) => ({
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
  const bots = [startBot(environment, folder), startBot(environment, folder)];
  for (const bot of bots) await bot.waitFor(/^Rollcall ready$/m);
  const due = Date.now() + 500;
  const ids = await Promise.all(
    channels.map(({ id: channel }) => store.digests.add({ ...settings, channel }, ada, due, Date.now())),
  );
  const states = async () =>
    Promise.all(ids.map(async (id) => (await store.ledger.history(id, 1))[0]?.state ?? 'not yet'));
  await expect
    .poll(async () => (await states()).filter((state) => state === 'posted').length, { timeout: 40_000 })
    .toBe(ids.length);
  for (const { id } of channels) {
    expect(slack.posts.filter(({ channel }) => channel === id)).toHaveLength(1);
  }
  for (const bot of bots) bot.signal('SIGTERM');
  expect(await Promise.all(bots.map(({ ended }) => ended))).toEqual([0, 0]);
  await store.close();
  await service.close();
  await slack.stop();
}, 80_000);
