import { App } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { SlackConfig } from '../../config/config.js';
import { isFailure } from '../../errors/failure.js';
import type { Inbox, SeenDeliveries } from '../../store/requests/inbox.js';
import { type Deadline, stopDeadline } from '../../time/clock.js';
import { boltLog, type OnSlackError, slackClients, slackErrorCode } from '../delivery/clients.js';
import { createEventFilter, type EventFilterParts } from './deliveries.js';
import { type HandleRequest, httpTransport } from './http.js';
import { createDeliveryDeduplication, inboxDeliveries } from './inbox.js';
import { socketTransport } from './socket.js';
import { fetchIdentity, orAborted, retryDelayMs, type Sleep } from './transport.js';

interface ConnectionParts
  extends Pick<EventFilterParts, 'find' | 'hasOthers' | 'clock' | 'log' | 'onAcknowledged'> {
  readonly seenDeliveries: SeenDeliveries;
  readonly inbox: Inbox;
  /** `isLost`: true once others may take this process for ended. */
  readonly membership: { readonly isLost: boolean };
  /** In real time, even if the bot's clock is moved. */
  readonly sleep: Sleep;
  readonly onSlackError?: OnSlackError;
  /** Ends the wait for Slack while Slack cannot be reached. */
  readonly signal?: AbortSignal;
  /** Handles requests of assistants to the workspace; absent: there are none. */
  readonly forAssistants?: ((teamId: string) => HandleRequest) | undefined;
}

/** The sockets close this many milliseconds before the deadline of a stop. They take up to one second. */
const socketCloseMs = 1700;
/** Waiting ends this many milliseconds before the deadline, because the database must still be closed. */
const databaseCloseMs = 300;

/**
 * Identifies the bot, and prepares a connection over HTTP or through two sockets.
 *
 * @throws `slack-token-refused` for the bot token
 */
export async function connectToSlack(config: SlackConfig, parts: ConnectionParts) {
  const { log, sleep, signal } = parts;
  const clients = slackClients(config, log, parts.onSlackError ?? (() => {}));
  try {
    const identity = await waitForIdentity(clients.reading, parts);
    const duplicates = await createDeliveryDeduplication(parts.seenDeliveries, parts.clock, log);
    const { apiUrl, transport: way } = config;
    const transport =
      way.mode === 'http'
        ? httpTransport(way, log, { forAssistants: parts.forAssistants?.(identity.teamId) })
        : socketTransport({ ...clients, apiUrl, appToken: way.appToken, sleep, log });
    const inbox = inboxDeliveries(parts.inbox, parts.membership, log);
    const eventFilter = createEventFilter({
      ...parts,
      teamId: identity.teamId,
      duplicates,
      inbox,
      acknowledgeOtherwise: transport.acknowledge,
    });
    // It has no listeners, and calls nothing: Bolt's receivers pass deliveries to the filter.
    const logger = boltLog(log, 'error');
    const app = new App({
      receiver: transport.receiver,
      authorize: async () => ({}),
      convoStore: false,
      logger,
    });
    app.processEvent = eventFilter.pass;
    return {
      ...identity,
      listen: eventFilter.listen,
      clients,
      inbox,
      takeOver: eventFilter.takeOver,
      /** Resolves when commands can be answered. @throws `slack-token-refused` for the app token, `cannot-listen` */
      start: () => orAborted(transport.open(app), signal),
      /**
       * Accepts no more deliveries, waits for running listeners and `others`, and closes every socket. If Slack does not
       * reply in time, its open calls are aborted early enough for their callers to save that.
       */
      async stop(deadline: Deadline = stopDeadline(), others: Promise<unknown> = Promise.resolve()) {
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
      state: transport.state,
    };
  } catch (error) {
    await clients.close();
    throw error;
  }
}

export type SlackConnection = Awaited<ReturnType<typeof connectToSlack>>;

/** Gets the bot's identity, and retries while Slack cannot be reached. @throws `slack-token-refused` */
async function waitForIdentity(client: WebClient, { log, sleep, signal }: ConnectionParts) {
  for (let failures = 0; ; failures += 1) {
    signal?.throwIfAborted();
    try {
      return await orAborted(fetchIdentity(client), signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (isFailure(error, 'slack-token-refused')) throw error;
      const wait = retryDelayMs(failures + 1, error);
      log.warn({ reason: slackErrorCode(error), retryInMs: wait }, 'Slack cannot be reached; trying again');
      await sleep(wait, signal);
    }
  }
}
