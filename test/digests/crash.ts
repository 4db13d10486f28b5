import { expect } from 'vitest';
import { type LocalSlack, startLocalSlack } from '../../playground/slack/server/local-slack.js';
import { defaultSeed } from '../../playground/slack/server/workspace/seed.js';
import type { DigestRun } from '../../src/digests/digest.js';
import { plainRequest } from '../../src/requests/request.js';
import { isPostgresUrl } from '../../src/store/database/location.js';
import { openStore } from '../../src/store/store.js';
import { botSettings } from '../journeys/bot-process.js';
import { answer, type FaultServer, openFaultServer } from '../reporting-api/fault-server.js';
import { recordKey } from '../store/fresh-folder.js';
import { ada, records } from './test-workspace.js';

type Refusal = LocalSlack['refusals'][number];

const perRound = 4;

/** Enough channels, so that few posts wait for the rate limit of their channel. */
const channels = Array.from({ length: 60 }, (_, i) => ({
  id: `C00CRASH${10 + i}`,
  kind: 'public' as const,
  name: `crash-${i}`,
  members: [ada, defaultSeed.bot.user],
}));

/** One channel for each request by hand. */
const byHand = Array.from({ length: 400 }, (_, i) => ({
  id: `C00HAND${1000 + i}`,
  kind: 'public' as const,
  name: `by-hand-${i}`,
  members: [ada, defaultSeed.bot.user],
}));

/** A request by hand. */
interface Asked {
  readonly channel: string;
  /** A text in its answer and in messages to its asker. */
  readonly mark: string;
  /** Resolves to true if Slack got an acknowledgement. */
  readonly isAcknowledged: Promise<boolean>;
}

interface Planned {
  readonly digest: string;
  /** A text that only its message has. */
  readonly mark: string;
  readonly csv: boolean;
}

/** How many deliveries a bot acknowledged within the last seconds without having saved them. */
export function acknowledgedUnsaved(stdout: string): number {
  const lines = stdout.split('\n').filter((line) => line.includes('acknowledged before it was saved'));
  return lines.filter((line) => Date.parse(JSON.parse(line).time) > Date.now() - 5_000).length;
}

/** A workspace and a service for bots that crash, with digests to deliver. */
export interface CrashTest {
  readonly slack: LocalSlack;
  /** The settings of a bot with that database. */
  environment(database: string): Record<string, string>;
  /** Adds digests that are due now and not again soon, and requests a report by hand. */
  plan(round: number): Promise<void>;
  /** Resolves when every digest is delivered or unconfirmed. */
  allEnd(timeoutMs: number): Promise<void>;
  /**
   * Checks that each digest was posted once, or at most once if it is unconfirmed. Each acknowledged request by hand was
   * answered once, or its asker was notified.
   *
   * @param maxLost acknowledged requests by hand that were not saved when their process was killed
   */
  verify(maxLost?: number): Promise<{
    readonly delivered: number;
    readonly unknown: number;
    readonly fileUnknown: number;
    readonly answered: number;
    readonly notified: number;
    readonly lost: number;
  }>;
  close(): Promise<void>;
}

/** @param location the database, for `openStore` */
export async function startCrashTest(location: string): Promise<CrashTest> {
  const slack = await startLocalSlack({
    rateLimits: 'off',
    seed: { ...defaultSeed, channels: [...defaultSeed.channels, ...channels, ...byHand] },
  });
  const service: FaultServer = await openFaultServer();
  service.always(answer(records(3)));
  // Slow enough for a crash between a call and its answer.
  const forEver = { times: Number.POSITIVE_INFINITY };
  slack.faults.set('chat.postMessage', { kind: 'slow', milliseconds: 60 }, forEver);
  slack.faults.set('files.completeUploadExternal', { kind: 'slow', milliseconds: 60 }, forEver);
  const planned: Planned[] = [];
  const asked: Asked[] = [];

  function ask(): void {
    const channel = byHand[asked.length];
    if (!channel) return;
    const mark = `Hand${asked.length}x`;
    const command = {
      command: '/report',
      text: `engagement last-week departments:${mark}`,
      user_id: ada,
      team_id: defaultSeed.team.id,
      channel_id: channel.id,
      trigger_id: '1.2',
      // Nothing listens there, so messages use the Web API.
      response_url: 'http://127.0.0.1:9/replies',
    };
    const delivered = slack.deliver('slash_commands', command).then(
      ({ ok }) => ok,
      () => false,
    );
    asked.push({ channel: channel.name, mark, isAcknowledged: delivered });
  }

  /** The messages about a request by hand. */
  function outcomeOf({ channel, mark }: Asked) {
    const here = slack.messages(`#${channel}`);
    const shown = here.filter(({ visibleTo, text }) => visibleTo === undefined && text.includes(mark));
    return {
      answers: shown.filter(({ text }) => !text.startsWith('Running ')).length,
      failures: here.filter(({ visibleTo }) => visibleTo !== undefined).length,
      restarts: slack
        .messages('@ada')
        .map(({ text }) => text)
        .filter((text) => text.startsWith('I restarted') && text.includes(mark)),
    };
  }

  async function verifyAsked(maxLost: number) {
    const counts = { answered: 0, notified: 0, lost: 0 };
    for (const one of asked) {
      const isAcknowledged = await one.isAcknowledged;
      const isKnown = () => {
        const { answers, failures, restarts } = outcomeOf(one);
        return answers + failures + restarts.length > 0;
      };
      if (isAcknowledged)
        await slack.waitFor(isKnown, 30_000, `an outcome of ${one.mark}`).catch((error: unknown) => {
          counts.lost += 1;
          if (counts.lost > maxLost) throw error;
        });
      const { answers, restarts } = outcomeOf(one);
      expect(answers, one.mark).toBeLessThanOrEqual(1);
      expect(restarts.length, one.mark).toBeLessThanOrEqual(1);
      // The answer may have arrived before the crash.
      if (answers === 1 && restarts.length === 1) expect(restarts[0]).toMatch(/^I restarted while sending/);
      if (answers === 1) counts.answered += 1;
      else if (restarts.length === 1) counts.notified += 1;
    }
    return counts;
  }

  async function runs(): Promise<readonly DigestRun[]> {
    const store = await openStore(location, Date.now, isPostgresUrl(location) ? { recordKey } : {});
    const found: DigestRun[] = [];
    for (const { digest } of planned) {
      const [run, ...more] = await store.ledger.history(digest, 5);
      expect(more).toEqual([]);
      if (run) found.push(run);
    }
    await store.close();
    return found;
  }

  return {
    slack,
    environment: (database) => ({
      ...botSettings(slack, service, database),
      REPORTING_PARALLEL: '8',
      PERSON_LEVEL_CHANNELS: '*',
    }),

    async plan(round) {
      ask();
      const store = await openStore(location, Date.now, isPostgresUrl(location) ? { recordKey } : {});
      for (let i = 0; i < perRound; i += 1) {
        const channel = `C00CRASH${10 + ((round * perRound + i) % channels.length)}`;
        const mark = `Mark${round}x${i}x`;
        const csv = i % 2 === 1;
        // A request that names people needs a look-up of its channel, and Slack allows few of these a minute.
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
        const digest = await store.digests.add(settings, ada, Date.now() - 500, Date.now());
        planned.push({ digest, mark, csv });
      }
      await store.close();
    },

    async allEnd(timeout) {
      const waiting = async () => (await runs()).filter((run) => !isOver(run));
      await expect.poll(waiting, { timeout, interval: 1000 }).toEqual([]);
      expect(await runs()).toHaveLength(planned.length);
    },

    async verify(maxLost = 0) {
      const ended = await runs();
      const counts = { delivered: 0, unknown: 0, fileUnknown: 0, ...(await verifyAsked(maxLost)) };
      for (const [i, { mark, csv }] of planned.entries()) {
        const run = ended[i];
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
        } else {
          counts.unknown += 1;
          expect(posts.length, what).toBeLessThanOrEqual(1);
          expect(files, what).toHaveLength(0);
        }
      }
      // The owner is asked about every unconfirmed post.
      if (counts.unknown + counts.fileUnknown > 0) await slack.waitForMessage('@ada', 'is unconfirmed');
      // A bot may be killed right after Slack deleted its progress message. Another one deletes it again.
      const isRepeatedDeletion = ({ method, error }: Refusal) =>
        method === 'chat.delete' && error === 'message_not_found';
      expect(slack.refusals.filter((refusal) => !isRepeatedDeletion(refusal))).toEqual([]);
      expect(counts.delivered).toBeGreaterThan(0);
      return counts;
    },

    async close() {
      await service.close();
      await slack.stop();
    },
  };
}

function isOver({ state, fileState }: DigestRun): boolean {
  return ['posted', 'unknown'].includes(state) && !['queued', 'running', 'posting'].includes(fileState);
}
