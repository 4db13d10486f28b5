import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startLocalSlack } from '../../playground/slack/server/local-slack.js';
import { defaultSeed } from '../../playground/slack/server/workspace/seed.js';
import type { DigestRun } from '../../src/digests/digest.js';
import { plainRequest } from '../../src/requests/request.js';
import { openStore } from '../../src/store/store.js';
import { type BotProcess, endEveryBot, startBot } from '../journeys/bot-process.js';
import { isFull } from '../property-runs.js';
import { answer, openFaultServer } from '../reporting-api/fault-server.js';
import { ada, records } from './test-workspace.js';

/** In full by `npm run test:crash`, which can be told how often. */
const kills = Number(process.env.CRASH_KILLS ?? (isFull ? 300 : 6));
const perRound = 4;

/** So many that few have to wait for the pace of a channel. */
const channels = Array.from({ length: 60 }, (_, i) => ({
  id: `C00CRASH${10 + i}`,
  kind: 'public' as const,
  name: `crash-${i}`,
  members: [ada, defaultSeed.bot.user],
}));
const folder = mkdtempSync(join(tmpdir(), 'rollcall-crash-'));
const path = join(folder, 'rollcall.db');

afterAll(() => {
  endEveryBot();
  rmSync(folder, { recursive: true, force: true });
});

interface Planned {
  readonly digest: string;
  /** Stands in its message, and in no other. */
  readonly mark: string;
  readonly csv: boolean;
}

/** Digests that are due when the bot starts, and not again soon. */
async function plan(round: number): Promise<readonly Planned[]> {
  const store = await openStore(path, Date.now);
  const planned: Planned[] = [];
  for (let i = 0; i < perRound; i += 1) {
    const channel = `C00CRASH${10 + ((round * perRound + i) % channels.length)}`;
    const mark = `Mark${round}x${i}x`;
    const csv = i % 2 === 1;
    // Before what names people is shown, Slack is asked about its channel, which it says of few a minute.
    const columns = round % 10 === 0 ? {} : { columns: ['departments', 'sessions'] };
    const filters = [{ object: 'user_filter', member: 'departments', entries: [mark] }];
    const settings = {
      channel,
      owner: ada,
      request: {
        ...plainRequest('engagement'),
        range: 'last-week',
        filters,
        file: csv ? ('csv' as const) : undefined,
        ...columns,
      },
      schedule: {
        cadence: { kind: 'quarterly', day: 1, time: '09:00' },
        zone: 'Europe/Berlin',
        firstDay: '2026-01-01',
      },
      skipEmpty: false,
    } as const;
    planned.push({ digest: await store.digests.add(settings, ada, Date.now() - 500, Date.now()), mark, csv });
  }
  await store.close();
  return planned;
}

async function allRuns(planned: readonly Planned[]) {
  const store = await openStore(path, Date.now);
  const runs: DigestRun[] = [];
  for (const { digest } of planned) {
    const [run, ...more] = await store.ledger.history(digest, 5);
    expect(more).toEqual([]);
    if (run) runs.push(run);
  }
  await store.close();
  return runs;
}

const isOver = ({ state, fileState }: DigestRun) =>
  ['posted', 'unknown'].includes(state) && !['queued', 'running', 'posting'].includes(fileState);

it(
  `loses no digest and sends none twice, however often it is killed (${kills} times)`,
  async () => {
    const slack = await startLocalSlack({
      rateLimits: 'off',
      seed: { ...defaultSeed, channels: [...defaultSeed.channels, ...channels] },
    });
    const service = await openFaultServer();
    service.behave(...Array.from({ length: 50 * kills }, () => answer(records(3))));
    // Time enough for a kill between asking Slack and hearing from it.
    const forEver = { times: Number.POSITIVE_INFINITY };
    slack.faults.set('chat.postMessage', { kind: 'slow', milliseconds: 60 }, forEver);
    slack.faults.set('files.completeUploadExternal', { kind: 'slow', milliseconds: 60 }, forEver);
    const environment = {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: slack.apiUrl,
      REPORTING_BASE_URL: service.url,
      REPORTING_API_TOKEN: 'a-token',
      DEFAULT_ACCESS: 'everything',
      SMALLEST_GROUP: '1',
      REPORTING_REQUESTS_PER_MINUTE: '60000',
      REPORTING_PARALLEL: '8',
      PERSON_LEVEL_CHANNELS: '*',
      DATABASE_URL: `sqlite:${path}`,
    };
    const start = async (): Promise<BotProcess> => {
      const bot = startBot(environment, folder);
      await bot.waitFor(/^Rollcall ready$/m);
      return bot;
    };

    const planned: Planned[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      planned.push(...(await plan(kill)));
      // From its very first moment to well after everything is usually over.
      const bot = kill % 4 === 3 ? startBot(environment, folder) : await start();
      await new Promise((resolve) => setTimeout(resolve, Math.random() ** 2 * 1200));
      bot.signal('SIGKILL');
      await bot.ended;
    }
    const last = await start();
    await expect
      .poll(async () => (await allRuns(planned)).filter(isOver).length, {
        timeout: 60_000 + kills * 1000,
        interval: 1000,
      })
      .toBe(planned.length);
    const runs = await allRuns(planned);
    const counts = { delivered: 0, unknown: 0, fileUnknown: 0 };
    const inDoubt: string[] = [];
    for (const [i, { mark, csv }] of planned.entries()) {
      const run = runs[i];
      if (!run) throw new Error(`The run of ${mark} is lost`);
      const inChannels = slack.posts.filter(({ channel }) => channel.startsWith('C00CRASH'));
      const posts = inChannels.filter(({ text, threadTs }) => !threadTs && text.includes(mark));
      const files = inChannels.filter(
        ({ files, threadTs }) => files.length > 0 && posts.some(({ ts }) => ts === threadTs),
      );
      const what = `${mark} ${JSON.stringify(run)}`;
      if (run.state === 'posted') {
        counts.delivered += 1;
        expect(posts, what).toHaveLength(1);
        expect(run.message?.ts, what).toBe(posts[0]?.ts);
        const possible = run.fileState === 'unknown' ? [0, 1] : [csv ? 1 : 0];
        expect(possible, what).toContain(files.length);
        if (run.fileState === 'unknown') counts.fileUnknown += 1;
        if (run.fileState === 'unknown') inDoubt.push(run.id);
      } else {
        counts.unknown += 1;
        expect(posts.length, what).toBeLessThanOrEqual(1);
        expect(files, what).toHaveLength(0);
        inDoubt.push(run.id);
      }
    }
    // Its owner is asked about every one that nobody can know about.
    if (inDoubt.length > 0) await slack.waitForMessage('@ada', 'is unconfirmed', 20_000);
    expect(slack.refusals).toEqual([]);
    expect(counts.delivered).toBeGreaterThan(0);
    if (kills > 6) process.stdout.write(`${kills} kills: ${JSON.stringify(counts)}\n`);
    last.signal('SIGTERM');
    expect(await last.ended).toBe(0);
    await service.close();
    await slack.stop();
  },
  kills * 20_000 + 120_000,
);
