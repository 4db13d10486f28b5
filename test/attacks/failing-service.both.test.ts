import { afterAll, describe, expect, it } from 'vitest';
import { records } from '../digests/test-workspace.js';
import { eventsUrl, startHostedBot } from '../journeys/bot-process.js';
import { openSeveralBots } from '../journeys/several-bots.js';
import { endEveryProcess } from '../process.js';
import { answer, status } from '../reporting-api/fault-server.js';
import { freshFolder } from '../store/fresh-folder.js';

const folder = freshFolder();
afterAll(endEveryProcess);

const retryAfterSeconds = 60;

describe('one report that fails', () => {
  it.for(['socket', 'http'] as const)(
    'with Retry-After holds up nobody else (%s)',
    { timeout: 150_000 },
    async (mode) => {
      const bots = await openSeveralBots(folder.database(), folder.path('.'), { start: startHostedBot });
      const { slack, service, answerStates } = bots;
      const headers = { 'retry-after': String(retryAfterSeconds) };
      service.always((...call) => {
        const isTracks = service.seen.at(-1)?.path.includes('track-status') ?? false;
        return (isTracks ? status(503, {}, headers) : answer(records(3)))(...call);
      });
      const bot = await bots.start({ REPORTING_PARALLEL: '1' }, mode);
      if (mode === 'http') await slack.deliverTo(await eventsUrl(bot));
      const began = performance.now();
      await slack.as('noah').command('/report tracks', '#shared-work');
      await service.reached(1);
      await bot.waitFor(/"failure":"service-broken"/);
      for (let n = 1; n <= 4; n += 1)
        await slack.as('ada').command(`/report workshops last-${n}-days`, '#shared-work');
      await expect
        .poll(async () => (await answerStates()).toSorted(), { timeout: 50_000 })
        .toEqual(['posted', 'posted', 'posted', 'posted', 'running']);
      expect(performance.now() - began).toBeLessThan(retryAfterSeconds * 1000);
      expect(service.seen.filter(({ path }) => path.includes('track-status'))).toHaveLength(1);
      await bots.close();
    },
  );
});
