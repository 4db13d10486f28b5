import type { WebClient } from '@slack/web-api';
import type { Interrupted } from '../../store/requests/request-log.js';
import type { Store } from '../../store/store.js';
import type { Clock } from '../../time/clock.js';
import { interruptedFileMessage, interruptedMessage, perhapsPostedBeforeStop } from '../messages/notices.js';
import type { OutgoingMessage } from './outgoing-message.js';

/**
 * Tells everybody whose request was under way when the bot last ended what became of it, each once and in their direct
 * messages. What was on its way to Slack is unknown, and is not posted again. The end is written down before the message
 * is sent: rather one notice lost than two sent.
 */
export async function tellOfInterrupted(
  interrupted: readonly Interrupted[],
  parts: {
    readonly store: Pick<Store, 'ledger'>;
    /** Makes its calls once, with no retries of its own. */
    readonly client: WebClient;
    readonly clock: Clock;
    readonly log: { warn(details: object, message: string): void };
  },
): Promise<void> {
  const { store, client, clock, log } = parts;
  for (const one of interrupted) {
    try {
      const end = one.state === 'posting' ? store.ledger.unknown : store.ledger.failed;
      if (!(await end(one.held, { code: 'interrupted' }, clock.now()))) continue;
      const { text, blocks = [] } = messageFor(one);
      await client.chat.postMessage({ channel: one.ask.asker, text, blocks: [...blocks] });
    } catch (error) {
      log.warn(
        { err: error, ask: one.ask.id },
        'Somebody could not be told that their request was interrupted',
      );
    }
  }
}

function messageFor({ ask, what, state }: Interrupted): OutgoingMessage {
  if (state === 'posting') return perhapsPostedBeforeStop(what, ask.id, ask.request);
  return what === 'file' ? interruptedFileMessage(ask.request) : interruptedMessage(ask.id, ask.request);
}
