import { App, type AppOptions, type ReceiverEvent, UnknownError } from '@slack/bolt';
import type { Log } from '../../logging/logger.js';

/** The kinds of deliveries that Bolt tells apart. */
export type Kind = 'command' | 'event' | 'action' | 'view' | 'shortcut' | 'options';

/** A delivery whose listener threw. */
export interface ListenerFailure {
  readonly error: unknown;
  readonly kind: Kind;
  readonly body: ReceiverEvent['body'];
  /** Absent where the delivery is acknowledged already. */
  readonly ack?: ReceiverEvent['ack'];
}

/** Answers the person whose delivery failed. */
export type OnListenerFailure = (failure: ListenerFailure) => Promise<void>;

/** Bolt's own ways to register a listener. */
export interface Listening extends Pick<App, Kind> {
  /** Registers what is called whenever a listener throws, whichever it is. */
  onFailure(handler: OnListenerFailure): void;
}

/** The member of a listener's `context` that says when its delivery arrived, in milliseconds of `performance.now()`. */
export const receivedAtMs = 'receivedAtMs';

export interface ListeningApps {
  readonly listening: Listening;
  /** Hands a delivery to those who listen to its kind. */
  processEvent(event: ReceiverEvent): Promise<void>;
}

/**
 * One app of Bolt for each kind of delivery. Bolt asks every listener of an app about every delivery, which with thirty
 * of them takes longer than all the rest of acknowledging a command.
 */
export function listeningApps(options: AppOptions, log: Log): ListeningApps {
  const app = (): App => {
    const made = new App({ ...options, receiver: { init() {}, async start() {}, async stop() {} } });
    // The error is handled where the delivery, and whether it is acknowledged, is known.
    made.error(async (error) => {
      throw error;
    });
    return made;
  };
  const apps: Record<Kind, App> = {
    command: app(),
    event: app(),
    action: app(),
    view: app(),
    shortcut: app(),
    options: app(),
  };
  let onFailure: OnListenerFailure = async ({ error }) => log.error({ err: error }, 'A listener failed');
  return {
    listening: {
      onFailure(handler) {
        onFailure = handler;
      },
      command: bound(apps.command, 'command'),
      event: bound(apps.event, 'event'),
      action: bound(apps.action, 'action'),
      view: bound(apps.view, 'view'),
      shortcut: bound(apps.shortcut, 'shortcut'),
      options: bound(apps.options, 'options'),
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
        const failure = { error: thrownBy(error), kind, body, ...(isAcknowledged ? {} : { ack }) };
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
function thrownBy(error: unknown): unknown {
  return error instanceof UnknownError ? error.original : error;
}

/** The method with all of its overloads, for use without its app. */
function bound<Name extends Kind>(app: App, name: Name): App[Name] {
  const method: (...words: never[]) => void = app[name];
  return method.bind(app) as App[Name];
}

/** The kind, by the rules that Bolt goes by. */
function kindOf({ event, command, name, actions, type }: ReceiverEvent['body']): Kind {
  if (event !== undefined) return 'event';
  if (command !== undefined) return 'command';
  if (name !== undefined || type === 'block_suggestion') return 'options';
  if (actions !== undefined) return 'action';
  if (type === 'shortcut' || type === 'message_action') return 'shortcut';
  if (type === 'view_submission' || type === 'view_closed') return 'view';
  // Bolt says in the log that it knows no such kind.
  return 'event';
}
