import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { DigestSettings } from '../../src/digests/digest.js';
import { plainRequest } from '../../src/requests/request.js';
import { startCountingService } from '../answers/counting-service.js';
import { teams } from '../answers/records.js';
import { channelId, ownerId } from '../digests/company.js';
import { makeDatabase } from '../digests/fill.js';
import type { BenchLine } from '../harness/line.js';
import { atMost, ratioAtLeast } from '../harness/measured.js';
import { startSide } from '../harness/side-process.js';
import { median } from '../harness/statistics.js';
import type {
  Acknowledgements,
  BotJob,
  BotState,
  Posts,
  WorkspaceAddress,
  WorkspaceJob,
} from '../sides/digest-jobs.js';
import { flat, settings, watch } from './digests.js';
import { same } from './readings.js';

const rows = 200_000;
/** Five times what Slack takes. */
const postsPerSecond = 25;
/** So that the line stays short, the first messages tell the rate. */
const sample = 2_000;
const idleSeconds = 5;

const owner = ownerId(0, 1);
const digest: DigestSettings = {
  channel: channelId(0),
  owner,
  request: { ...plainRequest('assignments'), view: 'overdue' },
  schedule: {
    cadence: { kind: 'weekly', days: ['mon'], time: '09:00' },
    zone: 'UTC',
    firstDay: '2026-11-20',
  },
  skipEmpty: false,
  audience: 'managers',
  approvedBy: owner,
};

/** A digest for every manager, sent by hand, so that all of them are one wave. */
export const managers: BenchLine = {
  name: 'managers',
  title: `A digest for ${teams.managers.toLocaleString('en')} managers with ${rows.toLocaleString('en')} rows, and a Slack that takes ${postsPerSecond} posts a second`,
  async run(bench) {
    const path = join(bench.folder, 'managers.db');
    await makeDatabase(path, digest);
    const service = await startCountingService(rows, 0, 'teams');
    const workspace = await startSide<WorkspaceJob>('workspace');
    const bot = await startSide<BotJob>('rollcall-whole');
    const idle = await startSide<'how'>('idle');
    try {
      const job = { channels: 1, owners: teams.managers, postsPerMinute: postsPerSecond * 60 };
      const address = (await workspace.run(job)).outcome as WorkspaceAddress;
      const access = { ROLLCALL_ADMINS: owner, DEFAULT_ACCESS: 'team' };
      const environment = { ...settings(address, service.url, `sqlite:${path}`), ...access };
      await bot.run({ environment, postsPerSecond });

      const acknowledged = async () => (await workspace.run('acknowledgements')).outcome as Acknowledgements;
      await acknowledged();
      await wait(idleSeconds * 1000);
      const before = await acknowledged();
      const atRest = ((await bot.run('how')).outcome as BotState).megabytes;

      await workspace.run({ command: '/report list', press: ['Send now'] });
      const begun = Date.now();
      const states = await watch(bench, { count: sample, postsPerSecond }, workspace, bot, idle);
      const meanwhile = await acknowledged();
      const posts = (await workspace.run('posts')).outcome as Posts;
      const peak = (await bot.memory()).peak;
      // The list of people takes 13 of the 15 pages that are read in a minute, and the start has read it too.
      bench.say(`the first message after ${((posts.first - begun) / 1000).toFixed(1)} s`);
      same('The managers who got a message', posts.channels, posts.count);
      same('How often the service was asked', [...service.queries.values()].join(), '1');

      const seconds = (posts.last - posts.first) / 1000;
      const theirs = (posts.count - 1) / postsPerSecond;
      const sending = states.slice(-Math.ceil(seconds));
      const medians = [median([...before]), median([...meanwhile])] as const;
      bench.say(
        `${meanwhile.length} commands were acknowledged in ${medians[1].toFixed(1)} ms, the slowest in ${Math.max(...meanwhile).toFixed(0)} ms; ${medians[0].toFixed(1)} ms before`,
      );
      return [
        ratioAtLeast('Rate, of what Slack takes', [{ theirs, ours: seconds }], { atLeast: 0.9 }),
        atMost('Memory above idle', [peak - atRest], { limit: 300, unit: 'MB' }),
        flat(sending),
        atMost('Acknowledgement of others, compared with before', [medians[1] / medians[0]], {
          limit: 2,
          unit: 'times',
        }),
      ];
    } finally {
      for (const side of [idle, bot, workspace]) await side.stop();
      service.stop();
    }
  },
};
