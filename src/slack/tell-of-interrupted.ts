import type { WebClient } from '@slack/web-api';
import type { Clock } from '../clock.js';
import type { Ask } from '../store/asks.js';
import type { Store } from '../store/store.js';
import { interruptedMessage } from './views/notices.js';

/**
 * Tells everybody whose question was still running when the bot last ended that there will be no answer, each once and
 * in their direct messages. An ask counts as told before the message is sent: rather one notice lost than two sent.
 */
export async function tellOfInterrupted(
  interrupted: readonly Ask[],
  parts: {
    readonly store: Pick<Store, 'asks'>;
    /** Makes its calls once, with no retries of its own. */
    readonly client: WebClient;
    readonly clock: Clock;
    readonly log: { warn(details: object, message: string): void };
  },
): Promise<void> {
  for (const ask of interrupted) {
    const outcome = { state: 'failed', errorCode: 'interrupted' } as const;
    if (!(await parts.store.asks.finish(ask.id, outcome, parts.clock.now()))) continue;
    const { text, blocks = [] } = interruptedMessage(ask.id, ask.request);
    try {
      await parts.client.chat.postMessage({ channel: ask.asker, text, blocks: [...blocks] });
    } catch (error) {
      parts.log.warn(
        { err: error, ask: ask.id },
        'Somebody could not be told that their question was interrupted',
      );
    }
  }
}
