import { afterAll, expect, it } from 'vitest';
import { startReadyBot } from '../journeys/bot-process.js';
import { endEveryProcess, type StartedProcess } from '../process.js';
import { isFull } from '../property-runs.js';
import { freshFolder } from '../store/fresh-folder.js';
import { openNetwork } from '../store/network.js';
import { startCrashTest } from './crash.js';

/** In full by `npm run test:crash`, which can be told how often. */
const rounds = Number(process.env.CRASH_KILLS ?? (isFull ? 300 : 8));

const folder = freshFolder();
afterAll(endEveryProcess);

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Longer than PostgreSQL keeps the session of a process that says nothing. */
const longerThanASession = 13_000;

it(
  `three processes lose no digest and send none twice, whatever happens to them (${rounds} times)`,
  async () => {
    const location = folder.database();
    const test = await startCrashTest(location);
    const port = Number(new URL(location).port);
    const networks = await Promise.all([1, 2, 3].map(() => openNetwork(port)));
    const bots: StartedProcess[] = [];
    const start = async (index: number) => {
      const url = new URL(location);
      url.port = String(networks[index]?.port);
      bots[index] = await startReadyBot(test.environment(url.href), folder.path('.'));
    };
    await Promise.all([0, 1, 2].map(start));
    const counts = { kill: 0, cut: 0, freezeAndHold: 0 };
    for (let round = 0; round < rounds; round += 1) {
      await test.plan(round);
      await pause(Math.random() ** 2 * 1500);
      const index = round % 3;
      const next = (index + 1) % 3;
      // Each of them ends the process: its supervisor starts it again. Freezing and holding take long, so they are rare.
      const kind = round % 8 === 3 ? 'freezeAndHold' : round % 3 === 1 ? 'cut' : 'kill';
      counts[kind] += 1;
      if (kind === 'cut') networks[index]?.cut();
      if (kind === 'kill') bots[index]?.signal('SIGKILL');
      if (kind === 'freezeAndHold') {
        bots[index]?.signal('SIGSTOP');
        networks[next]?.hold(true);
        await pause(longerThanASession);
        bots[index]?.signal('SIGCONT');
        await bots[next]?.ended;
        networks[next]?.hold(false);
        await start(next);
      }
      await bots[index]?.ended;
      await start(index);
    }
    await test.allEnd(60_000 + rounds * 1000);
    const outcome = await test.verify();
    expect(outcome.answered).toBeGreaterThan(0);
    if (rounds > 8) process.stdout.write(`${JSON.stringify(counts)}: ${JSON.stringify(outcome)}\n`);
    for (const bot of bots) bot?.signal('SIGTERM');
    expect(await Promise.all(bots.map((bot) => bot?.ended))).toEqual([0, 0, 0]);
    for (const network of networks) network.close();
    await test.close();
  },
  rounds * 30_000 + 180_000,
);
