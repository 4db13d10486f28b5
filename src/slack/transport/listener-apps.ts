import { App, type AppOptions, type ReceiverEvent, UnknownError } from '@slack/bolt';
import { type TakenOver, withLogId } from '../../logging/log-id.js';
import type { Log } from '../../logging/logger.js';
import { randomId } from '../../store/database.js';
import type { Route, Router } from '../router.js';
import { type Delivery, type DeliveryKind, kindOf } from './delivery.js';

/** A delivery whose listener threw. */
export interface ListenerFailure {
  readonly error: unknown;
  readonly kind: DeliveryKind;
  readonly body: ReceiverEvent['body'];
  /** Absent if the delivery is already acknowledged, by this process or the one that had it before. */
  readonly ack?: ReceiverEvent['ack'];
}

/** Replies to the person whose delivery failed. */
export type OnListenerFailure = (failure: ListenerFailure) => Promise<void>;

/** Bolt's methods to register listeners. */
export interface ListenerApp extends Pick<App, Exclude<DeliveryKind, 'action' | 'view'>> {
  /** Finds the row of a delivery. */
  readonly find: Router['find'];
  /** Handles deliveries that have a row. */
  route(handle: Router['handle']): void;
  /** Registers a handler for errors of all listeners. */
  onFailure(handler: OnListenerFailure): void;
}

/** The member of a listener's `context` that is true if another process had the delivery in hand before. */
export const isTakenOver = 'isTakenOver';

/** Slack has delivered it before, to this process or another one. Its listener ends without doing anything. */
export class DeliveryRepeated extends Error {}

/** The member of a listener's `context` with the arrival time, in milliseconds of `performance.now()`. */
export const receivedAtMs = 'receivedAtMs';

export interface ListenerApps {
  readonly listenerApp: ListenerApp;
  /**
   * Passes a delivery to the listeners of its kind.
   *
   * @param before where another process had it in hand: the ID that its request has in the request log
   */
  processEvent(event: ReceiverEvent, before?: TakenOver & { readonly request: string }): Promise<void>;
}

/**
 * One Bolt app for each kind of delivery. Bolt passes every delivery to every listener of an app. With thirty
 * listeners, that takes longer than the rest of an acknowledgement.
 */
export function createListenerApps(options: AppOptions, find: Router['find'], log: Log): ListenerApps {
  const app = (): App => {
    const boltApp = new App({ ...options, receiver: { init() {}, async start() {}, async stop() {} } });
    // The caller handles the error, because it knows the delivery and whether it is acknowledged.
    boltApp.error(async (error) => {
      throw error;
    });
    return boltApp;
  };
  const apps: Record<Exclude<DeliveryKind, 'action' | 'view'>, App> = {
    command: app(),
    event: app(),
    shortcut: app(),
    options: app(),
  };
  let onFailure: OnListenerFailure = async ({ error }) => log.error({ err: error }, 'A listener failed');
  let handle: (delivery: Delivery, route: Route) => Promise<void> = async () => {};
  return {
    listenerApp: {
      onFailure(handler) {
        onFailure = handler;
      },
      find,
      route(handler) {
        handle = handler;
      },
      command: boundMethod(apps.command, 'command'),
      event: boundMethod(apps.event, 'event'),
      shortcut: boundMethod(apps.shortcut, 'shortcut'),
      options: boundMethod(apps.options, 'options'),
    },
    processEvent(event, before) {
      const requestId = before?.request ?? randomId();
      const pass = async () => {
        const kind = kindOf(event.body);
        let isAcknowledged = before !== undefined;
        const ack: ReceiverEvent['ack'] = async (answer) => {
          isAcknowledged = true;
          return event.ack(answer);
        };
        const arrivedAtMs = performance.now();
        const customProperties = {
          ...event.customProperties,
          [receivedAtMs]: arrivedAtMs,
          [isTakenOver]: before !== undefined,
        };
        try {
          const { body } = event;
          const route = find(body);
          if (route)
            await handle({ kind, body, ack, requestId, takenOver: before, receivedAtMs: arrivedAtMs }, route);
          else if (kind !== 'action' && kind !== 'view')
            await apps[kind].processEvent({ ...event, ack, customProperties });
        } catch (error) {
          if (originalError(error) instanceof DeliveryRepeated) return;
          const { body } = event;
          const failure = { error: originalError(error), kind, body, ack: isAcknowledged ? undefined : ack };
          await onFailure(failure).catch((second: unknown) => {
            log.error(
              { err: second, first: error },
              'The failure of a listener could not be reported to the person',
            );
          });
        }
        // Old messages may have buttons that no longer have a listener.
        if (!isAcknowledged && kind !== 'event' && kind !== 'command') await event.ack();
      };
      return withLogId(requestId, pass, before);
    },
  };
}

/** The error of a listener, without Bolt's wrapping. */
function originalError(error: unknown): unknown {
  return error instanceof UnknownError ? error.original : error;
}

/** The method with all its overloads, bound to its app. */
function boundMethod<Name extends Exclude<DeliveryKind, 'action' | 'view'>>(app: App, name: Name): App[Name] {
  const method: (...words: never[]) => void = app[name];
  return method.bind(app) as App[Name];
}
