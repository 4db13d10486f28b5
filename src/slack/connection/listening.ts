import { App, type AppOptions, type ReceiverEvent } from '@slack/bolt';
import type { Log } from '../../logger.js';

/** Bolt's own ways to register a listener. */
export type Listening = Pick<App, 'command' | 'event' | 'action' | 'view' | 'shortcut' | 'options'>;

export interface ListeningApps {
  readonly listening: Listening;
  /** Hands a delivery to those who listen to its kind. */
  processEvent(event: ReceiverEvent): Promise<void>;
}

type Kind = keyof Listening;

/**
 * One app of Bolt for each kind of delivery. Bolt asks every listener of an app about every delivery, which with thirty
 * of them takes longer than all the rest of acknowledging a command.
 */
export function listeningApps(options: AppOptions, log: Log): ListeningApps {
  const app = (): App => {
    const made = new App({ ...options, receiver: { init() {}, async start() {}, async stop() {} } });
    // Listeners say themselves what went wrong; this is for what they did not foresee.
    made.error(async (error) => log.error({ err: error }, 'A listener failed'));
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
  return {
    listening: {
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
      await apps[kind].processEvent({ ...event, ack });
      // A button of an older version, which nobody hears any more, is not the fault of whoever presses it.
      if (!isAcknowledged && kind !== 'event' && kind !== 'command') await event.ack();
    },
  };
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
