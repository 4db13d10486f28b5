import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import { onTestFinished } from 'vitest';
import { createMovableClock, type MovableClock } from '../../playground/movable-clock.js';
import { type LocalSlack, startLocalSlack } from '../../playground/slack/server/local-slack.js';
import { defaultSeed, type Seed } from '../../playground/slack/server/workspace/seed.js';
import { configFrom } from '../../src/config/config.js';
import type { Digest, DigestRun, DigestSettings } from '../../src/digests/digest.js';
import { startCounting } from '../../src/figures/reports/count-report.js';
import { createLogger } from '../../src/logging/logger.js';
import { AnswerStream } from '../../src/reporting-api/answer/read-answer.js';
import { createLocalReader } from '../../src/reporting-api/answer-reader.js';
import { openReportingApi } from '../../src/reporting-api/client.js';
import { shareAnswers } from '../../src/reporting-api/shared-answers.js';
import { plainRequest } from '../../src/requests/request.js';
import type { ReportSource } from '../../src/runner/ports.js';
import type { DigestParts } from '../../src/scheduler/ports.js';
import { digestScheduler, type Scheduler } from '../../src/scheduler/scheduler.js';
import { recentAnswersOf } from '../../src/slack/answers/answer-run.js';
import type { ListenerParts } from '../../src/slack/answers/context.js';
import { slackClients } from '../../src/slack/delivery/clients.js';
import { refusedBlocks } from '../../src/slack/delivery/post-message.js';
import { openAnswerFiles, shareFile } from '../../src/slack/delivery/upload.js';
import { digestPoster, type PosterParts } from '../../src/slack/digests/poster.js';
import { channelsOf, membershipsOf } from '../../src/slack/directory/channels.js';
import { peopleOf } from '../../src/slack/directory/people.js';
import type { BuilderDraft } from '../../src/slack/forms/draft.js';
import { openStore, type Store } from '../../src/store/store.js';
import { botSettings } from '../journeys/bot-process.js';
import { answer, type Behaviour, type FaultServer, openFaultServer } from '../reporting-api/fault-server.js';

/** Everybody may request everything, because these tests are not about levels of access. */
const accessForAll: Pick<ListenerParts['access'], 'accessOf'> = {
  accessOf: async () => ({ level: 'everything' }),
};

export const hour = 3_600_000;
export const learning = 'C00LEARN01';
export const ada = 'U00ADA0001';
export const noah = 'U00NOAH001';

export type WorkspaceParts = DigestParts &
  PosterParts &
  Pick<ListenerParts, 'files'> & { readonly store: Store<BuilderDraft> };

/** Parts with a poster that uses them. */
export function withSlack(parts: Omit<WorkspaceParts, 'poster'>): WorkspaceParts {
  return { ...parts, poster: digestPoster(parts) };
}

/** A Friday, 11:20 in Berlin. The digests run every hour at :00, so a test may move its clock by some minutes. */
const usualNow = Date.parse('2026-11-20T10:20:00Z');

/** A local Slack, a service with configurable answers, a database, and a scheduler that is not started. */
export interface DigestTestWorkspace {
  readonly slack: LocalSlack;
  readonly service: FaultServer;
  readonly clock: MovableClock;
  readonly store: Store<BuilderDraft>;
  /** Path of the database. */
  readonly path: string;
  readonly parts: WorkspaceParts;
  /** The source without shared answers: every query reaches the service. */
  readonly unshared: ReportSource;
  readonly scheduler: Scheduler;
  /** Adds a digest. By default it is due now. */
  digest(changes?: Partial<DigestSettings>, nextDue?: number): Promise<Digest>;
  /** Waits until the newest run of a digest matches. */
  run(digest: Digest, wanted: (run: DigestRun) => boolean, withinMs?: number): Promise<DigestRun>;
  /** Advances the monotonic clock, which measures waits. The wall clock stays. */
  wait(milliseconds: number): void;
  /** The bot's posts in a channel, without those in threads. */
  posts(channel: string): LocalSlack['posts'];
}

export const records = (count: number) =>
  JSON.stringify(Array.from({ length: count }, (_, i) => ({ sessions: 1 + i, email: `p${i}@example.com` })));

export const settings: DigestSettings = {
  channel: learning,
  owner: ada,
  request: { ...plainRequest('engagement'), range: 'last-week' },
  schedule: { cadence: { kind: 'hourly', minute: 0 }, zone: 'Europe/Berlin', firstDay: '2026-11-20' },
  skipEmpty: false,
};

/** The settings of a digest that is not due again for a week. The others are due again when the next hour begins. */
export function dueOnce(): DigestSettings {
  const day = new Date().getUTCDate() < 15 ? 26 : 8;
  return {
    ...settings,
    schedule: { ...settings.schedule, cadence: { kind: 'monthly', day, time: '12:00' } },
  };
}

export interface TestWorkspaceOptions {
  readonly admins?: readonly string[];
  /** Absent: everybody may ask everything. */
  readonly access?: typeof accessForAll;
  /** Absent: the usual people. */
  readonly people?: Seed['people'];
  /** Absent: small groups are not protected. */
  readonly smallestGroup?: number;
  /** The service's default behaviour. */
  readonly usual?: Behaviour;
  /** Public channels beside the usual ones, with Ada and the bot: `C00MORE100`, `C00MORE101` and so on. */
  readonly channels?: number;
  /** The initial time, in milliseconds since the epoch. Absent: a Friday, 11:20 in Berlin. */
  readonly now?: number;
  /** Creates the database at that path. Absent: the store creates an empty one. */
  readonly database?: (path: string) => void;
}

/** Opens a workspace for one test, and closes it afterwards. */
export async function openTestWorkspace(options: TestWorkspaceOptions = {}): Promise<DigestTestWorkspace> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-digests-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const clock = createMovableClock();
  clock.moveBy((options.now ?? usualNow) - Date.now());
  const slack = await startLocalSlack({
    rateLimits: 'off',
    seed: seedWith(options.channels ?? 0, options.people),
  });
  onTestFinished(() => slack.stop());
  const service = await openFaultServer();
  onTestFinished(() => service.close());
  const path = join(folder, 'rollcall.db');
  service.always(options.usual ?? answer(records(3)));
  const config = configFrom({
    environment: {
      ...botSettings(slack, service, path),
      REPORTING_PARALLEL: '8',
      REPORTING_TIMEOUT_SECONDS: '5',
    },
    readFile: () => '',
  });
  if (!config.ok) throw new Error('The settings of the test are wrong');
  const log = createLogger({ level: 'error', forPeople: false, destination: { write: () => {} } });
  const clients = slackClients(config.value.slack, log, () => {});
  onTestFinished(() => clients.close());
  // Reads in this thread, because each workspace would start its own thread.
  const dispatcher = new Agent();
  onTestFinished(() => dispatcher.destroy());
  const reader = createLocalReader((plan) => new AnswerStream(plan, startCounting), dispatcher);
  const api = openReportingApi(config.value.reporting, { log, reader });
  onTestFinished(() => api.close());
  options.database?.(path);
  const store = await openStore<BuilderDraft>(path, clock.now);
  onTestFinished(() => store.close());
  const files = await openAnswerFiles(join(folder, 'answers'));
  let waitedMs = 0;
  const monotonic = () => performance.now() + waitedMs;
  const shared = shareAnswers(api.source, { now: clock.now, wasAnybodyErased: async () => false, log });
  onTestFinished(() => shared.close());
  const people = peopleOf(clients.reading, { teamId: 'T00LEARN01' }, monotonic);
  const parts = withSlack({
    worker: 'a-process',
    workspaceUrl: 'https://lindgren.slack.com/',
    learningLinks: {},
    source: shared.source,
    weekStart: 'monday',
    defaultZone: 'UTC',
    store,
    client: clients.posting,
    share: shareFile(clients.posting, clients.dispatcher),
    people,
    directory: people,
    channels: channelsOf(clients.reading, monotonic, async () => {}),
    memberships: membershipsOf(clients.reading, monotonic),
    files,
    refused: refusedBlocks(monotonic),
    recentAnswers: recentAnswersOf(),
    admins: async () => options.admins ?? [],
    personLevelChannels: [],
    access: options.access ?? accessForAll,
    smallestGroup: options.smallestGroup ?? 1,
    clock,
    monotonic,
    log,
    postsPerSecond: 100,
    channelPostIntervalMs: 20,
    pollIntervalMs: 20,
  });
  const scheduler = digestScheduler(parts);
  api.onAnswer(scheduler.serviceAnswered);
  onTestFinished(() => scheduler.stop());

  return {
    slack,
    service,
    clock,
    store,
    path,
    parts,
    unshared: api.source,
    scheduler,
    async digest(changes = {}, nextDue = clock.now() - 1000) {
      const id = await store.digests.add({ ...settings, ...changes }, ada, nextDue, clock.now());
      const digest = await store.digests.find(id);
      if (!digest) throw new Error('The digest is not there');
      return digest;
    },
    async run(digest, wanted, withinMs = 8000) {
      const until = performance.now() + withinMs;
      for (;;) {
        const [run] = await store.ledger.history(digest.id, 1);
        if (run && wanted(run)) return run;
        if (performance.now() > until) throw new Error(`The run is ${JSON.stringify(run)}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    wait(milliseconds) {
      waitedMs += milliseconds;
    },
    posts: (channel) => slack.posts.filter((post) => post.channel === channel && !post.threadTs),
  };
}

export const moreChannel = (n: number) => `C00MORE${100 + n}`;

function seedWith(channels: number, people: Seed['people'] = defaultSeed.people): Seed {
  const more = Array.from({ length: channels }, (_, n) => ({
    id: moreChannel(n),
    kind: 'public' as const,
    name: `more-${n}`,
    members: [ada, defaultSeed.bot.user],
  }));
  return { ...defaultSeed, people, channels: [...defaultSeed.channels, ...more] };
}
