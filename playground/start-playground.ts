import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Log, loadBot } from './bot.js';
import { createMovableClock, type MovableClock } from './movable-clock.js';
import {
  type RunningReportingService,
  startReportingService,
} from './reporting-service/reporting-service.js';
import { startRecordingProxy } from './slack/server/inspector.js';
import { type LocalSlack, startLocalSlack } from './slack/server/local-slack.js';
import { postWelcome } from './slack/server/people/messages.js';
import { ada, noah } from './slack/server/workspace/seed.js';

export interface PlaygroundOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly log: Log;
  readonly clock?: MovableClock;
  /** Number of people in the made-up organization. */
  readonly learners?: number;
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

/** The buttons of the welcome message. */
const firstCommands = [
  '/report engagement last-week',
  '/report overdue',
  '/report completions last-week csv',
] as const;

/** Starts the Reporting Service, the local Slack and the bot, and connects them. */
export async function startPlayground(options: PlaygroundOptions): Promise<Playground> {
  const { log, signal } = options;
  const { startApp, slackManifest, BadConfig, configFrom } = await loadBot();
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
      manifest: slackManifest(),
      pageFolder: options.pageFolder,
      onUnexpected: (error) => log.error({ err: error }, 'The local Slack failed'),
    });
    opened.push(slack.stop);
    throwIfAborted();
    const service = await startReportingService({
      now: () => clock.now(),
      learners: options.learners,
    });
    opened.push(service.stop);
    throwIfAborted();
    await setManagerEmails(slack, service);
    const proxy = await startRecordingProxy(service.url, slack.inspector);
    opened.push(proxy.stop);
    const folder = await mkdtemp(join(tmpdir(), 'rollcall-playground-'));
    opened.push(() => rm(folder, { recursive: true, force: true }));
    const config = configFrom(botVariables(slack, proxy.url, service.token, folder), () => {
      throw new Error('The playground sets no variables that name files.');
    });
    if (!config.ok) throw new BadConfig(config.refusal);
    const app = await startApp(config.value, { clock, log, signal });
    opened.push(app.stop);
    throwIfAborted();
    await slack.waitForBot();
    postWelcome(slack.workspace, firstCommands);
    return { url: slack.url, slack, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The environment of the bot. */
function botVariables(slack: LocalSlack, serviceUrl: string, serviceToken: string, folder: string) {
  return {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    REPORTING_BASE_URL: serviceUrl,
    REPORTING_API_TOKEN: serviceToken,
    // Nobody shares this service, so a low limit would only slow down the demo.
    REPORTING_REQUESTS_PER_MINUTE: '600',
    DATABASE_URL: `sqlite:${join(folder, 'rollcall.db')}`,
    ROLLCALL_ADMINS: ada.id,
    PERSON_LEVEL_CHANNELS: '*',
    DEFAULT_ACCESS: 'everything',
    SMALLEST_GROUP: '1',
    OPERATIONS_PORT: '',
  };
}

/** Gives two people the email addresses of managers in the made-up organization, so that `manager_email:me` finds records. */
async function setManagerEmails(slack: LocalSlack, service: RunningReportingService) {
  const { people } = slack.workspace;
  const until = Math.floor(slack.clock.now() / 1000);
  const from = until - 28 * 86_400;
  const response = await fetch(`${service.url}/api/v1/reports/user-engagement/${from}/${until}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: service.token },
    body: JSON.stringify({ manager_email: true }),
  });
  const records = (await response.json()) as readonly { readonly manager_email?: unknown }[];
  const reports = new Map<string, number>();
  for (const { manager_email: address } of records)
    if (typeof address === 'string') reports.set(address, (reports.get(address) ?? 0) + 1);
  const largestFirst = [...reports].sort(([, one], [, other]) => other - one).map(([address]) => address);
  for (const [index, person] of [ada, noah].entries())
    people.set(person.id, { ...person, email: largestFirst[index] ?? person.email });
}
