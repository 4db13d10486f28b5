import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, it, type TestContext } from 'vitest';
import { startLocalSlack } from '../../playground/slack/server/local-slack.js';
import { defaultSeed } from '../../playground/slack/server/workspace/seed.js';
import { openStore } from '../../src/store/store.js';
import { ada, dueOnce, records } from '../digests/test-workspace.js';
import { endEveryProcess } from '../process.js';
import { answer, openFaultServer, pieces } from '../reporting-api/fault-server.js';
import { botSettings, eventsUrl, type Mode, startBot, startReadyBot } from './bot-process.js';
import { openHangingProxy } from './hanging-proxy.js';

afterAll(endEveryProcess);

/** What one test stops in the midst of, with settings for bots on it. All of it ends with the test. */
async function openSurroundings(onTestFinished: TestContext['onTestFinished']) {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-stopping-'));
  const slack = await startLocalSlack({ rateLimits: 'off' });
  const service = await openFaultServer();
  const proxy = await openHangingProxy();
  onTestFinished(async () => {
    await proxy.close();
    await slack.stop();
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const path = join(folder, 'rollcall.db');
  const environment = (mode: Mode): Record<string, string> => ({
    ...botSettings(slack, service, path, mode),
    REPORTING_PARALLEL: '4',
  });

  async function startAndConnect(mode: Mode, more: Record<string, string> = {}) {
    const bot = await startReadyBot({ ...environment(mode), ...more }, folder);
    if (mode === 'socket') await slack.waitForBot();
    else await slack.deliverTo(await eventsUrl(bot));
    return bot;
  }

  return { folder, slack, service, proxy, path, environment, startAndConnect };
}

// Side by side, since most of their time is waiting for a deadline.
describe.concurrent('a stop while Slack hangs', () => {
  it.for(['socket', 'http'] as const)(
    'takes less than five seconds, and loses nothing (%s)',
    { timeout: 60_000 },
    async (mode, { expect, onTestFinished }) => {
      const { slack, service, proxy, path, startAndConnect } = await openSurroundings(onTestFinished);
      service.behave(answer(records(3)), answer(records(3)));
      slack.faults.set('chat.postMessage', { kind: 'done, then silent' });
      const store = await openStore(path, Date.now);
      await store.useWorkspace(defaultSeed.team.id);
      const digest = await store.digests.add(dueOnce(), ada, Date.now() + 500, Date.now());
      const bot = await startAndConnect(mode, {
        HTTP_PROXY: proxy.url,
        HTTPS_PROXY: proxy.url,
        NO_PROXY: `127.0.0.1:${service.port}`,
      });
      const state = async () => (await store.ledger.history(digest, 1))[0]?.state;
      await expect.poll(state).toBe('posting');
      await expect.poll(() => slack.posts.length).toBe(1);

      const asked = service.seen.length;
      service.behave(pieces('[{"sessions":1}'), pieces('[{"sessions":1}'));
      await slack.as('ada').command('/report engagement yesterday', '#learning');
      await service.reached(asked + 1);
      proxy.hang();

      const began = performance.now();
      bot.signal('SIGTERM');
      setTimeout(() => bot.signal('SIGTERM'), 200);
      setTimeout(() => bot.signal('SIGINT'), 1000);
      expect(await bot.ended).toBe(0);
      expect(performance.now() - began).toBeLessThan(5000);
      expect(bot.stdout().match(/Rollcall is stopping/g)).toHaveLength(1);
      expect(bot.stderr()).toBe('');
      // Nobody can know whether it arrived: its owner is asked after the next start, and it is not posted again.
      expect(await state()).toBe('unknown');

      const again = await startAndConnect(mode);
      const told = (words: string) => slack.messages('@ada').filter((message) => message.says(words));
      await slack.waitForMessage('@ada', (message) => message.says('/report engagement yesterday'));
      await slack.waitForMessage('@ada', (message) => message.says('is unconfirmed'));
      again.signal('SIGTERM');
      expect(await again.ended).toBe(0);
      expect(told('/report engagement yesterday')).toHaveLength(1);
      await store.close();
    },
  );

  it('ends in time too while Rollcall is starting', { timeout: 30_000 }, async ({
    expect,
    onTestFinished,
  }) => {
    const { folder, proxy, environment } = await openSurroundings(onTestFinished);
    proxy.hang();
    const bot = startBot({ ...environment('socket'), HTTP_PROXY: proxy.url, OPERATIONS_PORT: '0' }, folder);
    await bot.waitFor(/healthz/);
    const began = performance.now();
    bot.signal('SIGTERM');
    bot.signal('SIGTERM');
    expect(await bot.ended).toBe(0);
    expect(performance.now() - began).toBeLessThan(5000);
    expect(bot.stdout()).not.toContain('Rollcall ready');
  });
});
