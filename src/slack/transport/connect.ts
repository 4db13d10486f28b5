import { App, type Receiver, type ReceiverEvent } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { SlackConfig } from '../../config/variables.js';
import type { Log } from '../../logging/logger.js';
import type { Inbox, TakenDelivery } from '../../store/slack/inbox.js';
import type { SeenEnvelopes } from '../../store/slack/seen-deliveries.js';
import { type Deadline, stopDeadline } from '../../time/clock.js';
import { boltLog, type OnSlackError, type SlackClients, slackClients, slackErrorCode } from './clients.js';
import type { Delivery } from './delivery.js';
import { createDeliveryDeduplication } from './delivery-deduplication.js';
import { createEventFilter } from './event-filter.js';
import { httpTransport } from './http.js';
import { type DeliveriesInHand, deliveriesInHand } from './inbox.js';
import { socketTransport } from './socket.js';
import {
  type ConnectionState,
  fetchIdentity,
  orAborted,
  retryDelayMs,
  type SlackIdentity,
  SlackTokenRefused,
  type Sleep,
  type Transport,
} from './transport.js';

export interface ConnectionParts {
  readonly log: Log;
  readonly seenEnvelopes: SeenEnvelopes;
  readonly inbox: Inbox;
  /** True for deliveries that stay in the inbox until their work has ended. */
  readonly isKept: (body: ReceiverEvent['body']) => boolean;
  /** True once others may take this process for ended. */
  readonly isLost?: () => boolean;
  /** True if another process can go on with the work of this one. */
  readonly hasOthers?: () => Promise<boolean>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** In real time, even if the bot's clock is moved. */
  readonly sleep: Sleep;
  readonly onSlackError?: OnSlackError;
  /** Called with the milliseconds from the arrival of a delivery to its acknowledgement. */
  readonly onAcknowledged?: (milliseconds: number) => void;
  /** Ends the wait for Slack while Slack cannot be reached. */
  readonly signal?: AbortSignal;
}

/** The bot's connection to one workspace. */
export interface SlackConnection extends SlackIdentity {
  /** Sets what handles deliveries, before the start. It must not throw. */
  listen(handler: (delivery: Delivery) => Promise<void>): void;
  readonly clients: SlackClients;
  readonly inbox: DeliveriesInHand;
  /** Runs a delivery that a process had in hand which has ended. */
  takeOver(delivery: TakenDelivery): Promise<void>;
  /**
   * Resolves when commands can be answered.
   *
   * @throws SlackTokenRefused for the app token
   * @throws CannotListen
   */
  start(): Promise<void>;
  /**
   * Accepts no more deliveries, waits for running listeners and `others`, and closes every socket. If Slack does not
   * reply in time, its open calls are aborted early enough for their callers to save that.
   */
  stop(deadline?: Deadline, others?: Promise<unknown>): Promise<void>;
  state(): ConnectionState;
}

/** The sockets close this many milliseconds before the deadline of a stop. They take up to one second. */
const socketCloseMs = 1700;
/** Waiting ends this many milliseconds before the deadline, because the database must still be closed. */
const databaseCloseMs = 300;

/**
 * Identifies the bot, and prepares a connection over HTTP or through two sockets.
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
    let handle: (delivery: Delivery) => Promise<void> = async () => {};
    const inbox = deliveriesInHand({
      store: parts.inbox,
      log,
      isLost: parts.isLost ?? (() => false),
    });
    const eventFilter = createEventFilter({
      teamId: identity.teamId,
      duplicates,
      inbox,
      isKept: parts.isKept,
      hasOthers: parts.hasOthers ?? (async () => false),
      handle: (delivery) => handle(delivery),
      now: parts.now,
      acknowledgeOtherwise,
      log,
      onAcknowledged: parts.onAcknowledged,
    });
    const app = new FilteredApp(transport.receiver, eventFilter.pass, log);
    return {
      ...identity,
      listen(handler) {
        handle = handler;
      },
      clients,
      inbox,
      takeOver: eventFilter.takeOver,
      start: () => orAborted(transport.open(app), signal),
      async stop(deadline = stopDeadline(), others = Promise.resolve()) {
        eventFilter.close();
        const finished = Promise.allSettled([eventFilter.idle(), others]);
        const inTime = deadline.waitFor(finished, socketCloseMs);
        await transport.close(inTime);
        if (!(await inTime)) log.warn('Slack did not reply in time while Rollcall was stopping');
        await clients.close();
        await deadline.waitFor(finished, databaseCloseMs);
        await duplicates.stop();
        await inbox.stop();
      },
      state,
    };
  } catch (error) {
    await clients.close();
    throw error;
  }
}

/** What Bolt's receivers pass deliveries to. It has no listeners, and calls nothing. */
class FilteredApp extends App {
  constructor(
    receiver: Receiver,
    private readonly pass: (event: ReceiverEvent) => Promise<void>,
    log: Log,
  ) {
    super({ receiver, authorize: async () => ({}), convoStore: false, logger: boltLog(log, 'error') });
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

/**
 * Gets the bot's identity, and retries while Slack cannot be reached.
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
      return await orAborted(fetchIdentity(client), signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof SlackTokenRefused) throw error;
      const wait = retryDelayMs(failures + 1, error);
      log.warn({ reason: slackErrorCode(error), retryInMs: wait }, 'Slack cannot be reached; trying again');
      await sleep(wait, signal);
    }
  }
}
