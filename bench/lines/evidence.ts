import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres } from '../../playground/processes/postgres.js';
import { startCountingService } from '../answers/counting-service.js';
import { ownerId } from '../digests/company.js';
import type { Bench, BenchLine } from '../harness/line.js';
import { atMost, type Measured } from '../harness/measured.js';
import { startSide } from '../harness/side-process.js';
import type { BotJob, BotState, Files, WorkspaceAddress, WorkspaceJob } from '../sides/digest-jobs.js';
import { settings } from './digests.js';

const rows = 1_000_000;
const runs = 3;
const timeoutMs = 300_000;

/** What others feel of it. */
export const evidence: BenchLine = {
  name: 'evidence',
  title: `Evidence of ${rows.toLocaleString('en')} rows, made and posted by the whole bot, on both databases`,
  async run(bench) {
    const service = await startCountingService(rows, 0, 'repeated');
    const postgres = await startPostgres();
    try {
      const sqlite = `sqlite:${join(bench.folder, 'evidence.db')}`;
      return [
        await longestStall(bench, 'SQLite', service.url, sqlite),
        await longestStall(bench, 'PostgreSQL', service.url, postgres.url),
      ];
    } finally {
      await postgres.stop();
      service.stop();
    }
  },
};

async function longestStall(
  bench: Bench,
  kind: string,
  serviceUrl: string,
  databaseUrl: string,
): Promise<Measured> {
  const workspace = await startSide<WorkspaceJob>('workspace');
  const bot = await startSide<BotJob>('rollcall-whole');
  const idle = await startSide<'how'>('idle');
  try {
    const job = { channels: 1, owners: 1, postsPerMinute: 60 };
    const address = (await workspace.run(job)).outcome as WorkspaceAddress;
    const access = { ROLLCALL_ADMINS: ownerId(0, 1), DEFAULT_ACCESS: 'everything' };
    await bot.run({
      environment: { ...settings(address, serviceUrl, databaseUrl), ...access },
      postsPerSecond: 1,
    });
    const atRest = ((await bot.run('how')).outcome as BotState).megabytes;
    const stalls: number[] = [];
    for (let run = 1; run <= runs; run += 1) {
      await Promise.all([bot.run('how'), idle.run('how')]);
      const begun = performance.now();
      const command = '/report engagement last-month evidence purpose:"Audit" to:me';
      await workspace.run({ command, press: [] });
      let posted: Files;
      do {
        await wait(250);
        if (performance.now() - begun > timeoutMs) throw new Error('No evidence was posted in time');
        posted = (await workspace.run('files')).outcome as Files;
      } while (posted.count < run);
      const [ofBot, ofMachine] = await Promise.all([bot.run('how'), idle.run('how')]);
      const { longestStall: stall, megabytes } = ofBot.outcome as BotState;
      stalls.push(stall);
      bench.say(
        `${kind}, run ${run}: ${posted.lastName} of ${(posted.lastSize / 2 ** 20).toFixed(0)} MB after ${((performance.now() - begun) / 1000).toFixed(1)} s; longest stall ${stall.toFixed(1)} ms, of a process that does nothing ${(ofMachine.outcome as number).toFixed(1)} ms; ${(megabytes - atRest).toFixed(0)} MB more`,
      );
    }
    return atMost(`${kind}, longest stall of the event loop`, stalls, { limit: 20, unit: 'ms' });
  } finally {
    for (const side of [idle, bot, workspace]) await side.stop();
  }
}
