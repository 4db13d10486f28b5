import { App, type AppOptions, type ReceiverEvent } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { SlackConfig } from '../../config/variables.js';
import type { Log } from '../../logging/logger.js';
import type { SeenEnvelopes } from '../../store/slack/seen-deliveries.js';
import { type Deadline, stopDeadline } from '../../time/clock.js';
import {
  boltLog,
  isPermanentError,
  type OnSlackError,
  type SlackClients,
  slackClients,
  slackErrorCode,
} from './clients.js';
import { createDeliveryDeduplication } from './delivery-deduplication.js';
import { createEventFilter } from './event-filter.js';
import { httpTransport } from './http.js';
import { createListenerApps, type ListenerApp } from './listener-apps.js';
import { socketTransport } from './socket.js';
import {
  type ConnectionState,
  orAborted,
  retryDelayMs,
  SlackTokenRefused,
  type Sleep,
  type Transport,
} from './transport.js';

export type { ListenerApp } from './listener-apps.js';

export interface ConnectionParts {
  readonly log: Log;
  readonly seenEnvelopes: SeenEnvelopes;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** In real time, also where the program's clock can be moved. */
  readonly sleep: Sleep;
  readonly onSlackError?: OnSlackError;
  /** Ends the wait for a Slack that cannot be reached. */
  readonly signal?: AbortSignal;
}

/** The bot's place in one workspace. */
export interface SlackConnection extends SlackIdentity {
  /** To register listeners on, before the start. */
  readonly listenerApp: ListenerApp;
  readonly clients: SlackClients;
  /**
   * Resolves when commands can be answered.
   *
   * @throws SlackTokenRefused for the app token
   * @throws CannotListen
   */
  start(): Promise<void>;
  /**
   * Takes nothing more, lets the listeners that run and `others` finish, and closes every socket. A Slack that does not
   * answer is not waited for: its open calls are broken off in time for whoever made them to write that down.
   */
  stop(deadline?: Deadline, others?: Promise<unknown>): Promise<void>;
  state(): ConnectionState;
}

/** How long before the deadline of a stop the sockets are closed, in milliseconds. They take up to one second. */
const socketCloseMs = 1700;
/** How long before it nobody is waited for any more, in milliseconds: the database has yet to be closed. */
const databaseCloseMs = 300;

/**
 * Finds out whose token this is, and gets ready to be reached: over HTTP, or through two sockets.
 *
 * @throws SlackTokenRefused for the bot token
 */
export async function connectToSlack(config: SlackConfig, parts: ConnectionParts): Promise<SlackConnection> {
  const { log, sleep, signal } = parts;
  const clients = slackClients(config, log, parts.onSlackError ?? (() => {}));
  try {
    const identity = await waitForIdentity(clients.reading, log, sleep, signal);
    const duplicates = await createDeliveryDeduplication(parts.seenEnvelopes, parts.now, log);
    const transport = createTransport(config, clients, parts);
    const { acknowledge: acknowledgeOtherwise, state } = transport;
    const eventFilter = createEventFilter({ teamId: identity.teamId, duplicates, acknowledgeOtherwise, log });
    const options = boltOptions(config, identity, clients, log);
    const { listenerApp, processEvent } = createListenerApps(options, log);
    const app = new FilteredApp({ ...options, receiver: transport.receiver }, (event) =>
      eventFilter.pass(event, processEvent),
    );
    return {
      ...identity,
      listenerApp,
      clients,
      start: () => orAborted(transport.open(app), signal),
      async stop(deadline = stopDeadline(), others = Promise.resolve()) {
        eventFilter.close();
        const finished = Promise.allSettled([eventFilter.idle(), others]);
        const inTime = deadline.waitFor(finished, socketCloseMs);
        await transport.close(inTime);
        if (!(await inTime)) log.warn('Slack did not answer while Rollcall was stopping');
        await clients.close();
        await deadline.waitFor(finished, databaseCloseMs);
        await duplicates.stop();
      },
      state,
    };
  } catch (error) {
    await clients.close();
    throw error;
  }
}

/** What receivers hand deliveries to. It has no listeners of its own. */
class FilteredApp extends App {
  constructor(
    options: AppOptions,
    private readonly pass: (event: ReceiverEvent) => Promise<void>,
  ) {
    super(options);
  }

  override processEvent(event: ReceiverEvent): Promise<void> {
    return this.pass(event);
  }
}

function createTransport(
  { transport, apiUrl }: SlackConfig,
  clients: SlackClients,
  { log, sleep }: ConnectionParts,
): Transport {
  return transport.mode === 'http'
    ? httpTransport(transport, log)
    : socketTransport({ appToken: transport.appToken, apiUrl, clients, log, sleep });
}

function boltOptions(
  { botToken, apiUrl }: SlackConfig,
  { botId, botUserId }: SlackIdentity,
  { fetch }: SlackClients,
  log: Log,
): AppOptions {
  return {
    // Bolt's own way asks Slack once more, and cannot say what is wrong with a token.
    authorize: async () => ({ botToken, botUserId, botId }),
    convoStore: false,
    ignoreSelf: true,
    logger: boltLog(log, 'error'),
    clientOptions: {
      slackApiUrl: apiUrl,
      fetch,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
    },
  };
}

/** Who the bot is in Slack. */
export interface SlackIdentity {
  readonly teamId: string;
  readonly botUserId: string;
  /** Absent where Slack leaves it out. */
  readonly botId?: string;
  /** The workspace's address, `https://example.slack.com/`. */
  readonly workspaceUrl: string;
  /** The scopes of the token, where Slack tells them. */
  readonly scopes: readonly string[];
}

/**
 * Asks Slack whose token this is, for as long as it takes while Slack cannot be reached.
 *
 * @throws SlackTokenRefused
 */
async function waitForIdentity(
  client: WebClient,
  log: Log,
  sleep: Sleep,
  signal?: AbortSignal,
): Promise<SlackIdentity> {
  for (let failures = 0; ; failures += 1) {
    signal?.throwIfAborted();
    try {
      return await fetchIdentity(client);
    } catch (error) {
      if (error instanceof SlackTokenRefused) throw error;
      const wait = retryDelayMs(failures + 1, error);
      log.warn(
        { reason: slackErrorCode(error), retryInMs: wait },
        'Slack cannot be reached yet; Rollcall will try again',
      );
      await sleep(wait, signal);
    }
  }
}

/** @throws SlackTokenRefused, or what the client throws where Slack cannot be reached */
export async function fetchIdentity(client: WebClient): Promise<SlackIdentity> {
  const answer = await client.auth.test().catch((error: unknown) => {
    throw isPermanentError(error) ? new SlackTokenRefused('SLACK_BOT_TOKEN', slackErrorCode(error)) : error;
  });
  const { team_id: teamId, user_id: botUserId, bot_id: botId, url, response_metadata: metadata } = answer;
  if (!teamId || !botUserId) throw new SlackTokenRefused('SLACK_BOT_TOKEN', 'not_a_bot_token');
  return {
    teamId,
    botUserId,
    botId,
    workspaceUrl: url ?? '',
    scopes: metadata?.scopes ?? [],
  };
}
