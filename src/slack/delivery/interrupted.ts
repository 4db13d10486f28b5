import type { WebClient } from '@slack/web-api';
import type { Membership } from '../../store/membership.js';
import type { Interrupted } from '../../store/requests/request-log.js';
import type { Store } from '../../store/store.js';
import type { Clock } from '../../time/clock.js';
import {
  fileNotSentAtStopMessage,
  notAnsweredAtStopMessage,
  unconfirmedAtStopMessage,
} from '../messages/notices.js';
import { type OutgoingMessage, sendMessage } from './post-message.js';

interface InterruptedParts {
  readonly store: Pick<Store, 'requestLog' | 'ledger' | 'queryTurns'>;
  readonly membership: Pick<Membership, 'hasEnded'>;
  /** Work that another process continues is not ended here. */
  readonly takeOvers: { check(): Promise<void> };
  /** Makes each call once, without retries. */
  readonly client: WebClient;
  readonly clock: Clock;
  readonly log: { warn(details: object, message: string): void };
}

const checkIntervalMs = 2_000;

/**
 * Ends the work of ended processes, now and every two seconds. Only the leader calls it. Returns a function that stops
 * it.
 */
export function watchEndedProcesses(parts: InterruptedParts): () => Promise<void> {
  let checking = Promise.resolve();
  const check = () => {
    checking = checking
      .then(() => endInterrupted(parts))
      .catch((err: unknown) => parts.log.warn({ err }, 'Could not check for processes that have ended'));
  };
  check();
  const timer = setInterval(check, checkIntervalMs);
  return async () => {
    clearInterval(timer);
    await checking;
  };
}

async function endInterrupted(parts: InterruptedParts): Promise<void> {
  const { store, membership, takeOvers } = parts;
  await takeOvers.check();
  const ended = new Map<string, boolean>();
  const hasEnded = async (process: string) => {
    const known = ended.get(process) ?? (await membership.hasEnded(process));
    ended.set(process, known);
    return known;
  };
  for (const post of await store.requestLog.interrupted()) {
    if (post.process === undefined || (await hasEnded(post.process))) await notifyInterrupted([post], parts);
  }
  for (const process of await store.queryTurns.holders()) {
    if (await hasEnded(process)) await store.queryTurns.endAllOf(process);
  }
}

/**
 * Ends each post that was unfinished when its process ended, and tells its asker in a direct message. A post that was
 * being sent is unconfirmed, and is not repeated. The end is saved before the message is sent, because a lost message is
 * better than two. For details, the take-over of their press notifies the person who pressed.
 */
export async function notifyInterrupted(
  interrupted: readonly Interrupted[],
  parts: Pick<InterruptedParts, 'client' | 'clock' | 'log'> & { readonly store: Pick<Store, 'ledger'> },
): Promise<void> {
  const { store, client, clock, log } = parts;
  for (const post of interrupted) {
    try {
      const end = post.state === 'posting' ? store.ledger.markUnconfirmed : store.ledger.markFailed;
      if (!(await end(post.claim, { code: 'interrupted' }, clock.now()))) continue;
      if (post.what === 'details') continue;
      await sendMessage(messageFor(post, post.what), { channel: post.entry.asker }, client);
    } catch (error) {
      log.warn(
        { err: error, requestId: post.entry.id },
        'The message about an interrupted request could not be sent',
      );
    }
  }
}

function messageFor({ entry, state }: Interrupted, what: 'answer' | 'file'): OutgoingMessage {
  if (state === 'posting') return unconfirmedAtStopMessage(what, entry.id, entry.request);
  return what === 'file'
    ? fileNotSentAtStopMessage(entry.request)
    : notAnsweredAtStopMessage(entry.id, entry.request);
}
