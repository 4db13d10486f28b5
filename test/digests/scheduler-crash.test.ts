import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startBot, startReadyBot } from '../journeys/bot-process.js';
import { endEveryProcess } from '../process.js';
import { isFull } from '../property-runs.js';
import { startCrashTest } from './crash.js';

/** In full by `npm run test:crash`, which can be told how often. */
const kills = Number(process.env.CRASH_KILLS ?? (isFull ? 300 : 6));

const folder = mkdtempSync(join(tmpdir(), 'rollcall-crash-'));
const path = join(folder, 'rollcall.db');

afterAll(async () => {
  await endEveryProcess();
  rmSync(folder, { recursive: true, force: true });
});

it(
  `loses no digest and sends none twice, however often it is killed (${kills} times)`,
  async () => {
    const test = await startCrashTest(path);
    const environment = test.environment(path);
    for (let kill = 0; kill < kills; kill += 1) {
      await test.plan(kill);
      // From its very first moment to well after everything is usually over.
      const bot = kill % 4 === 3 ? startBot(environment, folder) : await startReadyBot(environment, folder);
      await new Promise((resolve) => setTimeout(resolve, Math.random() ** 2 * 1200));
      bot.signal('SIGKILL');
      await bot.ended;
    }
    const last = await startReadyBot(environment, folder);
    await test.allEnd(60_000 + kills * 1000);
    const counts = await test.verify();
    if (kills > 6) process.stdout.write(`${kills} kills: ${JSON.stringify(counts)}\n`);
    last.signal('SIGTERM');
    expect(await last.ended).toBe(0);
    await test.close();
  },
  kills * 20_000 + 120_000,
);
