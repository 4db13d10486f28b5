import websocket from '@fastify/websocket';
import fastify from 'fastify';
import type { Clock } from '../../bot.js';
import { createMovableClock, type MovableClock } from '../../movable-clock.js';
import { type AppManifest, appFrom, type InstalledApp, plainApp, subscriptionFor } from './app-manifest.js';
import {
  createDelivery,
  type DeliveryResult,
  type EnvelopeType,
  signedHttp,
  type Transport,
  verifyRequestUrl,
} from './delivery/delivery.js';
import { sendWorkspaceEvents } from './delivery/events.js';
import { serveResponseUrls } from './delivery/response-urls.js';
import { serveSocketMode } from './delivery/socket-mode.js';
import { createFaults, type Faults } from './faults.js';
import { createInspector, type Inspector } from './inspector.js';
import type { ProcessControl } from './page/page-actions.js';
import { rejectForeignHosts, servePage, servePageSocket } from './page/page-server.js';
import { type Assistant, createAssistant } from './people/assistant.js';
import type { PeopleContext } from './people/context.js';
import { createScript, type Script } from './script/script.js';
import { serveFiles } from './web-api/files.js';
import type { Api } from './web-api/method.js';
import { createRateLimits } from './web-api/rate-limits.js';
import { createTokens, serveWebApi, type Tokens } from './web-api/serve.js';
import type { SlackObject } from './workspace/records.js';
import { defaultSeed, type Seed } from './workspace/seed.js';
import { openUploads } from './workspace/uploads.js';
import { createTriggers, createViews } from './workspace/views.js';
import { createWorkspace, type Workspace } from './workspace/workspace.js';

export interface LocalSlackOptions {
  /** 0, the default: any free port of the loopback interface. */
  readonly port?: number;
  readonly clock?: MovableClock;
  readonly seed?: Seed;
  readonly botToken?: string;
  readonly appToken?: string;
  readonly signingSecret?: string;
  /** The app's manifest. Default: an app with every feature. */
  readonly manifest?: AppManifest;
  /** Overrides of the manifest. */
  readonly app?: Partial<InstalledApp>;
  /** Multiplies Slack's rate limits; `off` disables them. Default 1. */
  readonly rateLimits?: number | 'off';
  /** Posts per minute in the whole workspace; each channel still takes one per second. Default: Slack's limit. */
  readonly postsPerMinute?: number;
  /** Milliseconds that the bot has to acknowledge, and that a trigger is valid. Default 3000 each. */
  readonly ackMs?: number;
  readonly triggerMs?: number;
  /** Milliseconds before each retry of an event. Default: 0, one minute, five minutes. */
  readonly eventRetryDelays?: readonly number[];
  /** Seconds after which Slack renews a Socket Mode connection. Default: five hours. */
  readonly connectionSeconds?: number;
  /** Folder of the built page, served at `/`. */
  readonly pageFolder?: string;
  /** Called with unexpected errors. */
  readonly onUnexpected?: (error: unknown) => void;
}

/**
 * A Slack workspace on this machine. A real bot uses it by Web API, Socket Mode, signed HTTP, `response_url` and
 * uploads, and it validates every payload. People use it through the browser page, tests through this interface:
 *
 *     const slack = await startLocalSlack({ rateLimits: 'off' });
 *     // SLACK_API_URL=slack.apiUrl SLACK_BOT_TOKEN=slack.botToken SLACK_APP_TOKEN=slack.appToken
 *     await slack.waitForBot();
 *     const ada = slack.as('ada');
 *     await ada.command('/report engagement last-week', '#learning');
 *     const summary = await slack.waitForMessage('#learning', (message) => message.says('Engagement'));
 *     await ada.click(summary, 'CSV');
 *     await slack.stop();
 *
 * For signed HTTP start the bot first and call `slack.deliverTo('http://127.0.0.1:3000/slack/events')`.
 */
export interface LocalSlack extends Script {
  /** `http://127.0.0.1:4321` */
  readonly url: string;
  /** For `SLACK_API_URL`: `http://127.0.0.1:4321/api/` */
  readonly apiUrl: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
  readonly clock: MovableClock;
  readonly workspace: Workspace;
  readonly inspector: Inspector;
  /** Makes calls of the bot fail. */
  readonly faults: Faults;
  readonly tokens: Pick<Tokens, 'revoke'>;
  /** Delivers by signed HTTP to this URL instead of Socket Mode, after Slack's URL verification. */
  deliverTo(requestUrl: string): Promise<void>;
  /** Renews the bot's connections, as Slack does every few hours. See `SocketMode.renew`. */
  renewConnections(count?: number, warnMs?: number): void;
  /** Slackbot uses the tools of the app at this address. */
  connectAssistant(url: string): void;
  /** Pages that are opened from now on show these processes of the bot. */
  showProcesses(control: ProcessControl): void;
  /** Number of Socket Mode connections that can receive now. */
  connections(): number;
  /** Sends the bot any payload, for tests of unusual ones, such as payloads of another team. */
  deliver(type: EnvelopeType, payload: SlackObject): Promise<DeliveryResult>;
  stop(): Promise<void>;
}

export async function startLocalSlack(options: LocalSlackOptions = {}): Promise<LocalSlack> {
  const clock = options.clock ?? createMovableClock();
  const seed = options.seed ?? defaultSeed;
  const botToken = options.botToken ?? 'xoxb-local-bot-token';
  const appToken = options.appToken ?? 'xapp-1-local-app-token';
  const signingSecret = options.signingSecret ?? 'local-signing-secret';
  const ackMs = options.ackMs ?? 3000;
  const app = { ...(options.manifest ? appFrom(options.manifest) : plainApp), ...options.app };
  let origin = '';
  let processes: ProcessControl | undefined;
  let assistant: Assistant | undefined;

  const workspace = createWorkspace(seed, clock satisfies Clock);
  const inspector = createInspector(() => clock.now());
  const faults = createFaults();
  const tokens = createTokens(botToken, appToken);
  const server = fastify({ forceCloseConnections: true, bodyLimit: 8 * 1024 * 1024 });
  rejectForeignHosts(server);
  await server.register(websocket);
  const onUnexpected = options.onUnexpected ?? (() => {});
  server.setErrorHandler((error, _request, reply) => {
    onUnexpected(error);
    return reply.code(500).send({ ok: false, error: 'internal_error' });
  });
  // Each route parses its own body, because Slack answers unreadable bodies differently per route.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

  const socketMode = serveSocketMode(server, {
    appId: seed.bot.appId,
    ackMs,
    connectionSeconds: options.connectionSeconds ?? 5 * 3600,
  });
  const api: Api = {
    workspace,
    views: createViews(workspace),
    uploads: openUploads(workspace),
    triggers: createTriggers(options.triggerMs ?? 3000),
    origin: () => origin,
    newSocketUrl: (debug) => socketMode.newUrl(origin, debug),
    app,
    scopes: new Set(app.scopes),
  };
  let transport: Transport = socketMode;
  let overHttp = false;
  const delivery = createDelivery({
    transport: () => transport,
    inspector,
    retryDelays: options.eventRetryDelays ?? [0, 60_000, 300_000],
    subscribed: (event) => app.events.includes(subscriptionFor(event)),
  });
  const limits = createRateLimits(options.rateLimits ?? 1, { postsPerMinute: options.postsPerMinute });
  serveWebApi(server, { api, tokens, limits, faults, inspector });
  serveFiles(server, { api, faults, inspector });
  const responseUrls = serveResponseUrls(server, { workspace, origin: () => origin, faults, inspector });
  const context: PeopleContext = { api, delivery, responseUrls };
  const stopEvents = sendWorkspaceEvents(api, delivery);
  servePageSocket(server, {
    context,
    clock,
    inspector,
    renewConnections: () => socketMode.renew(),
    processes: () => processes,
    assistant: () => assistant,
    botConnected: () => overHttp || socketMode.connections() > 0,
    onBotChange: (listener) => socketMode.onChange(listener),
    firstPerson: seed.people[0]?.id ?? seed.bot.user,
    onUnexpected,
  });
  if (options.pageFolder) await servePage(server, options.pageFolder);

  async function stop() {
    stopEvents();
    delivery.stop();
    socketMode.stop();
    await server.close();
    await api.uploads.stop();
  }
  try {
    origin = await server.listen({ host: '127.0.0.1', port: options.port ?? 0 });
  } catch (error) {
    await stop();
    throw error;
  }

  return {
    ...createScript(context, () => socketMode.connections()),
    url: origin,
    apiUrl: `${origin}/api/`,
    botToken,
    appToken,
    signingSecret,
    clock,
    workspace,
    inspector,
    faults,
    tokens,
    async deliverTo(requestUrl) {
      const http = { url: requestUrl, signingSecret, ackMs };
      await verifyRequestUrl(http);
      transport = signedHttp(http);
      overHttp = true;
    },
    connectAssistant(address) {
      assistant = createAssistant({ url: address, signingSecret, teamId: seed.team.id, inspector });
    },
    showProcesses(control) {
      processes = control;
    },
    renewConnections: (count, warnMs) => socketMode.renew(count, warnMs),
    connections: () => socketMode.connections(),
    deliver: (type, payload) => transport.send({ type, payload }),
    stop,
  };
}
