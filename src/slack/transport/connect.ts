import { App, type AppOptions, type ReceiverEvent } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { SlackConfig } from '../../config/variables.js';
import type { Log } from '../../logging/logger.js';
import type { SeenEnvelopes } from '../../store/slack/seen-deliveries.js';
import { type Deadline, stopDeadline } from '../../time/clock.js';
import { boltLog, type OnSlackError, type SlackClients, slackClients, slackErrorCode } from './clients.js';
import { rememberDeliveries } from './duplicates.js';
import { createEventFilter } from './event-filter.js';
import { httpTransport } from './http.js';
import { type Listening, listeningApps } from './listening.js';
import { socketTransport } from './socket.js';
import {
  aborted,
  type ConnectionState,
  retryDelay,
  SlackTokenRefused,
  type Sleep,
  type Transport,
} from './transport.js';

export type { Listening } from './listening.js';
export type { ConnectionState } from './transport.js';

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
  readonly listening: Listening;
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
const closingMs = 1700;
/** How long before it nobody is waited for any more, in milliseconds: the database has yet to be closed. */
const lastWritesMs = 300;

/**
 * Finds out whose token this is, and gets ready to be reached: over HTTP, or through two sockets.
 *
 * @throws SlackTokenRefused for the bot token
 */
export async function connectToSlack(config: SlackConfig, parts: ConnectionParts): Promise<SlackConnection> {
  const { log, sleep, signal } = parts;
  const clients = slackClients(config, log, parts.onSlackError ?? (() => {}));
  try {
    const identity = await whoAmI(clients.reading, log, sleep, signal);
    const duplicates = await rememberDeliveries(parts.seenEnvelopes, parts.now, log);
    const door = doorFor(config, clients, parts);
    const { acknowledge: acknowledgeElsewhere, state } = door;
    const gate = createEventFilter({ teamId: identity.teamId, duplicates, acknowledgeElsewhere, log });
    const options = boltOptions(config, identity, clients, log);
    const { listening, processEvent } = listeningApps(options, log);
    const app = new GatedApp({ ...options, receiver: door.receiver }, (event) =>
      gate.pass(event, processEvent),
    );
    return {
      ...identity,
      listening,
      clients,
      start: () => aborted(door.open(app), signal),
      async stop(deadline = stopDeadline(), others = Promise.resolve()) {
        gate.close();
        const finished = Promise.allSettled([gate.idle(), others]);
        const inTime = deadline.waitFor(finished, closingMs);
        await door.close(inTime);
        if (!(await inTime)) log.warn('Slack did not answer while Rollcall was stopping');
        await clients.close();
        await deadline.waitFor(finished, lastWritesMs);
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
class GatedApp extends App {
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

function doorFor(
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
    authorize: async () => ({ botToken, botUserId, ...(botId ? { botId } : {}) }),
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
export async function whoAmI(
  client: WebClient,
  log: Log,
  sleep: Sleep,
  signal?: AbortSignal,
): Promise<SlackIdentity> {
  for (let failures = 0; ; failures += 1) {
    signal?.throwIfAborted();
    try {
      return await askOnce(client);
    } catch (error) {
      if (error instanceof SlackTokenRefused) throw error;
      const wait = retryDelay(failures + 1, error);
      log.warn(
        { reason: slackErrorCode(error), retryInMs: wait },
        'Slack cannot be reached yet; Rollcall will try again',
      );
      await sleep(wait, signal);
    }
  }
}

/** @throws SlackTokenRefused, or what the client throws where Slack cannot be reached */
export async function askOnce(client: WebClient): Promise<SlackIdentity> {
  const answer = await client.auth.test().catch((error: unknown) => {
    throw isRefusal(error) ? new SlackTokenRefused('SLACK_BOT_TOKEN', slackErrorCode(error)) : error;
  });
  const { team_id: teamId, user_id: botUserId, bot_id: botId, url, response_metadata: metadata } = answer;
  if (!teamId || !botUserId) throw new SlackTokenRefused('SLACK_BOT_TOKEN', 'not_a_bot_token');
  return {
    teamId,
    botUserId,
    ...(botId ? { botId } : {}),
    workspaceUrl: url ?? '',
    scopes: metadata?.scopes ?? [],
  };
}

/** True when Slack answered, and its answer will be the same the next time. */
export function isRefusal(error: unknown): boolean {
  return (
    error instanceof Error &&
    'data' in error &&
    !['ratelimited', 'internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'].includes(
      slackErrorCode(error),
    )
  );
}
