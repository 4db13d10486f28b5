import { App, type AppOptions, type ReceiverEvent, UnknownError } from '@slack/bolt';
import type { Log } from '../../logging/logger.js';

/** The kinds of deliveries that Bolt tells apart. */
export type DeliveryKind = 'command' | 'event' | 'action' | 'view' | 'shortcut' | 'options';

/** A delivery whose listener threw. */
export interface ListenerFailure {
  readonly error: unknown;
  readonly kind: DeliveryKind;
  readonly body: ReceiverEvent['body'];
  /** Absent where the delivery is acknowledged already. */
  readonly ack?: ReceiverEvent['ack'];
}

/** Answers the person whose delivery failed. */
export type OnListenerFailure = (failure: ListenerFailure) => Promise<void>;

/** Bolt's own ways to register a listener. */
export interface ListenerApp extends Pick<App, DeliveryKind> {
  /** Registers what is called whenever a listener throws, whichever it is. */
  onFailure(handler: OnListenerFailure): void;
}

/** The member of a listener's `context` that says when its delivery arrived, in milliseconds of `performance.now()`. */
export const receivedAtMs = 'receivedAtMs';

export interface ListenerApps {
  readonly listenerApp: ListenerApp;
  /** Hands a delivery to those who listen to its kind. */
  processEvent(event: ReceiverEvent): Promise<void>;
}

/**
 * One app of Bolt for each kind of delivery. Bolt asks every listener of an app about every delivery, which with thirty
 * of them takes longer than all the rest of acknowledging a command.
 */
export function createListenerApps(options: AppOptions, log: Log): ListenerApps {
  const app = (): App => {
    const made = new App({ ...options, receiver: { init() {}, async start() {}, async stop() {} } });
    // The error is handled where the delivery, and whether it is acknowledged, is known.
    made.error(async (error) => {
      throw error;
    });
    return made;
  };
  const apps: Record<DeliveryKind, App> = {
    command: app(),
    event: app(),
    action: app(),
    view: app(),
    shortcut: app(),
    options: app(),
  };
  let onFailure: OnListenerFailure = async ({ error }) => log.error({ err: error }, 'A listener failed');
  return {
    listenerApp: {
      onFailure(handler) {
        onFailure = handler;
      },
      command: boundMethod(apps.command, 'command'),
      event: boundMethod(apps.event, 'event'),
      action: boundMethod(apps.action, 'action'),
      view: boundMethod(apps.view, 'view'),
      shortcut: boundMethod(apps.shortcut, 'shortcut'),
      options: boundMethod(apps.options, 'options'),
    },
    async processEvent(event) {
      const kind = kindOf(event.body);
      let isAcknowledged = false;
      const ack: ReceiverEvent['ack'] = async (answer) => {
        isAcknowledged = true;
        return event.ack(answer);
      };
      const customProperties = { ...event.customProperties, [receivedAtMs]: performance.now() };
      try {
        await apps[kind].processEvent({ ...event, ack, customProperties });
      } catch (error) {
        const { body } = event;
        const failure = { error: originalError(error), kind, body, ack: isAcknowledged ? undefined : ack };
        await onFailure(failure).catch((second: unknown) => {
          log.error({ err: second, first: error }, 'Nobody could be told that a listener failed');
        });
      }
      // A button of an older version, which nobody hears any more, is not the fault of whoever presses it.
      if (!isAcknowledged && kind !== 'event' && kind !== 'command') await event.ack();
    },
  };
}

/** What a listener threw, without Bolt's wrapping. */
function originalError(error: unknown): unknown {
  return error instanceof UnknownError ? error.original : error;
}

/** The method with all of its overloads, for use without its app. */
function boundMethod<Name extends DeliveryKind>(app: App, name: Name): App[Name] {
  const method: (...words: never[]) => void = app[name];
  return method.bind(app) as App[Name];
}

/** The kind, by the rules that Bolt goes by. */
function kindOf({ event, command, name, actions, type }: ReceiverEvent['body']): DeliveryKind {
  if (event !== undefined) return 'event';
  if (command !== undefined) return 'command';
  if (name !== undefined || type === 'block_suggestion') return 'options';
  if (actions !== undefined) return 'action';
  if (type === 'shortcut' || type === 'message_action') return 'shortcut';
  if (type === 'view_submission' || type === 'view_closed') return 'view';
  // Bolt says in the log that it knows no such kind.
  return 'event';
}
