import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { startPostgres } from '../../playground/processes/postgres.js';
import { startReadyBot } from '../journeys/bot-process.js';
import { endEveryProcess, type StartedProcess } from '../process.js';
import { isFull } from '../property-runs.js';
import { freshFolder, sqlOn } from '../store/fresh-folder.js';
import { openNetwork } from '../store/network.js';
import { acknowledgedUnsaved, startCrashTest } from './crash.js';

/** In full by `npm run test:crash`, which can be told how often. */
const rounds = Number(process.env.CRASH_KILLS ?? (isFull ? 300 : 8));

const folder = freshFolder();
afterAll(endEveryProcess);

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Longer than others wait for a process that does not come back. */
const longerThanAReturn = 13_500;

/** A run that failed twice is tried again after a minute, and then after two more. */
const allEndMs = 300_000;

/** A server that restarts is away for less than processes have to come back. */
const restartMs = 4_000;

/** PostgreSQL ends all sessions when one of its processes is killed, and recovers as after a power cut. */
async function crash(location: string): Promise<void> {
  const [killed, other] = [new pg.Client(location), new pg.Client(location)];
  for (const client of [killed, other]) {
    client.on('error', () => {});
    await client.connect();
  }
  const { rows } = await killed.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  // Until the server notices, it takes new connections, and ends them with all others.
  const ended = new Promise((resolve) => other.once('end', resolve));
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
  await ended;
  const works = () => sqlOn(location, 'SELECT 1 AS one').catch(() => []);
  await expect.poll(works).toHaveLength(1);
}

it.skipIf(process.env.TEST_POSTGRES_URL !== undefined)(
  `three processes lose no digest and send none twice, whatever happens to them (${rounds} times)`,
  async () => {
    // Its crashes would break the connections of other tests.
    const server = await startPostgres();
    const location = server.url;
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
    const counts = { kill: 0, cut: 0, crash: 0, restart: 0, freezeAndHold: 0 };
    let maxLost = 0;
    const kinds = ['kill', 'cut', 'crash', 'freezeAndHold', 'kill', 'crash', 'cut', 'restart'] as const;
    for (let round = 0; round < rounds; round += 1) {
      await test.plan(round);
      await pause(Math.random() ** 2 * 1500);
      const index = round % 3;
      const next = (index + 1) % 3;
      const kind = kinds[round % kinds.length] ?? 'kill';
      counts[kind] += 1;
      // Broken connections end nobody: of one process, of all when the server crashes, and of all while it restarts.
      if (kind === 'cut') networks[index]?.cut();
      if (kind === 'crash') await crash(location);
      if (kind === 'restart') {
        for (const network of networks) network.down(true);
        await pause(restartMs);
        for (const network of networks) network.down(false);
      }
      // These end a process, and its supervisor starts it again.
      if (kind === 'kill') bots[index]?.signal('SIGKILL');
      if (kind === 'freezeAndHold') {
        bots[index]?.signal('SIGSTOP');
        networks[next]?.hold(true);
        await pause(longerThanAReturn);
        bots[index]?.signal('SIGCONT');
        await bots[next]?.ended;
        networks[next]?.hold(false);
        await start(next);
      }
      if (kind !== 'kill' && kind !== 'freezeAndHold') continue;
      await bots[index]?.ended;
      // The only ones that may be lost. A process that wakes up or is cut off tells their people.
      if (kind === 'kill') maxLost += acknowledgedUnsaved(bots[index]?.stdout() ?? '');
      await start(index);
    }
    await test.allEnd(allEndMs + rounds * 1000);
    const outcome = await test.verify(maxLost);
    expect(outcome.answered).toBeGreaterThan(0);
    if (rounds > 8) process.stdout.write(`${JSON.stringify(counts)}: ${JSON.stringify(outcome)}\n`);
    for (const bot of bots) bot?.signal('SIGTERM');
    expect(await Promise.all(bots.map((bot) => bot?.ended))).toEqual([0, 0, 0]);
    for (const network of networks) network.close();
    await test.close();
    await server.stop();
  },
  rounds * 30_000 + allEndMs + 180_000,
);
