import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure, type Log, loadBot } from './bot.js';
import { createMovableClock, type MovableClock } from './movable-clock.js';
import {
  approvedChannels,
  cast,
  introductions,
  managers,
  seed,
  showNotes,
  welcomeNote,
} from './people-to-try.js';
import { type Faults, noFaults } from './reporting-service/faults.js';
import { startReportingService } from './reporting-service/reporting-service.js';
import { startRecordingProxy } from './slack/server/inspector.js';
import { type LocalSlack, startLocalSlack } from './slack/server/local-slack.js';
import { postWelcome } from './slack/server/people/messages.js';
import { ada } from './slack/server/workspace/seed.js';

export interface PlaygroundOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly log: Log;
  readonly clock?: MovableClock;
  /** Number of people in the made-up organization. */
  readonly people?: number;
  /** True: answers of the Reporting Service take their time, so that progress and Cancel are seen. */
  readonly slow?: boolean;
  /** Processes of the bot. More than one use a PostgreSQL of their own. */
  readonly processes?: number;
  /** Folder of the built page. */
  readonly pageFolder: string;
  /** Cancels the start. The start then closes everything it opened, and rejects. */
  readonly signal?: AbortSignal;
}

export interface Playground {
  /** URL of the page. */
  readonly url: string;
  readonly slack: LocalSlack;
  stop(): Promise<void>;
}

/** Progress appears after three seconds. With 20,000 people, an answer then shows how its records come. */
const slowAnswers: Pick<Faults, 'latencyMs' | 'recordsPerSecond'> = {
  latencyMs: 5000,
  recordsPerSecond: 4000,
};

/** Starts the Reporting Service, the local Slack and the bot, and connects them. */
export async function startPlayground(options: PlaygroundOptions): Promise<Playground> {
  const { log, signal } = options;
  const { startApp, slackManifest, configFrom, openStore } = await loadBot();
  const clock = options.clock ?? createMovableClock();
  const opened: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of opened.splice(0).reverse()) await close();
  };
  const throwIfAborted = () => signal?.throwIfAborted();
  try {
    throwIfAborted();
    // The port comes first, so that a port in use is reported at once.
    const slack = await startLocalSlack({
      port: options.port,
      clock,
      seed,
      manifest: slackManifest(),
      pageFolder: options.pageFolder,
      onUnexpected: (error) => log.error({ err: error }, 'The local Slack failed'),
    });
    opened.push(slack.stop);
    throwIfAborted();
    const service = await startReportingService({
      now: () => clock.now(),
      learners: options.people,
      cast,
      faults: options.slow ? { ...noFaults(), ...slowAnswers } : noFaults(),
      inBackground: true,
      onFailure: (error) => log.error({ err: error }, 'The Reporting Service failed'),
      signal,
    });
    opened.push(service.stop);
    throwIfAborted();
    const proxy = await startRecordingProxy(service.url, slack.inspector);
    opened.push(proxy.stop);
    const folder = await mkdtemp(join(tmpdir(), 'rollcall-playground-'));
    opened.push(() => rm(folder, { recursive: true, force: true }));
    const count = options.processes ?? 1;
    const database = count > 1 ? await openPostgres(opened) : `sqlite:${join(folder, 'rollcall.db')}`;
    const variables = botVariables(slack, proxy.url, service.token, database);
    const config = configFrom({
      environment: variables,
      readFile() {
        throw new Error('The playground sets no variables that name files.');
      },
    });
    if (!config.ok) throw new Failure('bad-config', { problems: config.refusal });
    const store = await openStore(config.value.database, () => clock.now(), {
      recordKey: config.value.recordKey,
    });
    // biome-ignore lint/correctness/useHookAtTopLevel: this is the store, not a React hook.
    await store.useWorkspace(slack.workspace.seed.team.id);
    const managersRule = { subject: { kind: 'group', id: managers }, level: 'team' } as const;
    await store.accessRules.set(managersRule, { by: ada.id, at: clock.now() });
    await store.close();
    if (count > 1) {
      const { startBotProcesses } = await import('./processes/bot-processes.js');
      const processes = await startBotProcesses(count, variables, clock, (text) =>
        process.stderr.write(text),
      );
      opened.push(processes.stop);
      slack.showProcesses(processes);
    } else {
      const tools = await openPort();
      opened.push(tools.stop);
      const { signingSecret } = slack;
      const assistants = { signingSecret, publicUrl: tools.url };
      const app = await startApp(config.value, { clock, log, signal, assistants });
      opened.push(app.stop);
      tools.handle(app.handleAssistant);
      slack.connectAssistant(`${tools.url}/mcp`);
    }
    throwIfAborted();
    await slack.waitForBot();
    showNotes(slack);
    postWelcome(slack.workspace, introductions, welcomeNote);
    return { url: slack.url, slack, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A port of its own for the tools of the bot, which Slack reaches through sockets otherwise. */
async function openPort() {
  let handler: RequestListener = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => handler(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    handle(given: RequestListener | undefined) {
      if (given) handler = given;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Starts a PostgreSQL, and gives its address. */
async function openPostgres(opened: (() => Promise<unknown>)[]): Promise<string> {
  const { startPostgres } = await import('./processes/postgres.js');
  const { url, stop } = await startPostgres();
  opened.push(stop);
  return url;
}

/** Titles lead there, as they would to the pages of a learning platform. Nothing answers at this address. */
const learningLinks = ['content', 'track', 'assessment', 'workshop'].map(
  (kind) => `https://learning.example/${kind}s/{${kind}_id}`,
);

/** The environment of the bot. */
function botVariables(slack: LocalSlack, serviceUrl: string, serviceToken: string, database: string) {
  return {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    REPORTING_BASE_URL: serviceUrl,
    REPORTING_API_TOKEN: serviceToken,
    // Nobody shares this service, so a low limit would only slow down the demo.
    REPORTING_REQUESTS_PER_MINUTE: '600',
    DATABASE_URL: database,
    RECORD_KEY: randomBytes(32).toString('hex'),
    ROLLCALL_ADMINS: ada.id,
    PERSON_LEVEL_CHANNELS: approvedChannels.join(','),
    DEFAULT_ACCESS: 'totals',
    DEFAULT_TIMEZONE: ada.zone,
    LEARNING_LINK: learningLinks.join(' '),
    OPERATIONS_PORT: '',
  };
}
