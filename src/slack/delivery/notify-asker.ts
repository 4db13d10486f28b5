import type { WebClient } from '@slack/web-api';
import type { Interrupted } from '../../store/requests/request-log.js';
import type { Store } from '../../store/store.js';
import type { Clock } from '../../time/clock.js';
import {
  fileNotSentAtStopMessage,
  notAnsweredAtStopMessage,
  unconfirmedAtStopMessage,
} from '../messages/notices.js';
import {
  type Conversation,
  type ConversationParts,
  type RequestContext,
  resolveConversation,
} from '../request-context.js';
import type { OutgoingMessage } from './post-message.js';

/**
 * Sends a message to one person alone, in the conversation where they asked: through the response URL while it is open,
 * else as an ephemeral message where both are members, else as a direct message. Never throws; false where no way
 * worked.
 *
 * @param client makes its calls once, with no retries of its own
 * @param onlyHere true for what makes no sense in the direct messages
 */
export async function notifyAsker(
  message: OutgoingMessage,
  asker: string,
  place: Conversation,
  client: WebClient,
  onlyHere = false,
): Promise<boolean> {
  if (place.responseUrl?.isOpen()) {
    const outcome = await place.responseUrl.toAsker(message);
    if (outcome.kind === 'posted') return true;
  }
  const content = { text: message.text, blocks: message.blocks && [...message.blocks] };
  const thread = { thread_ts: place.thread };
  if (place.kind === 'member') {
    const shown = client.chat.postEphemeral({ channel: place.channel, user: asker, ...thread, ...content });
    if (await succeeds(shown)) return true;
  }
  if (onlyHere) return false;
  const direct = place.kind === 'direct' ? { channel: place.channel, ...thread } : { channel: asker };
  return succeeds(
    client.chat.postMessage({ ...direct, ...content, unfurl_links: false, unfurl_media: false }),
  );
}

/**
 * Sends a message to one person alone, where they asked or pressed a button. Where the conversation cannot be looked
 * up, every way is tried in turn. Never throws; false where no way worked.
 */
export async function replyInContext(
  message: OutgoingMessage,
  asked: RequestContext,
  parts: ConversationParts & { readonly client: WebClient },
): Promise<boolean> {
  const { asker, responseUrl } = asked;
  // A response URL needs no look-up, and works where nothing else does.
  if (responseUrl?.isOpen() && (await responseUrl.toAsker(message)).kind === 'posted') return true;
  const place =
    asked.channel === asker
      ? directOf(asker)
      : await resolveConversation(asked, parts).catch(() => guessPlace(asked));
  const { responseUrl: _tried, ...rest } = place;
  if (await notifyAsker(message, asker, rest, parts.client)) return true;
  if (rest.kind !== 'direct') return false;
  return notifyAsker(message, asker, directOf(asker), parts.client);
}

/** Somebody's direct messages with the bot, which Slack finds by the person. */
function directOf(asker: string): Conversation {
  return { channel: asker, kind: 'elsewhere', personLevel: 'never' };
}

/** Where nobody knows whether the bot is a member, it tries as one. */
function guessPlace({ channel, thread }: RequestContext): Conversation {
  const kind = channel.startsWith('D') ? 'direct' : 'member';
  return { channel, thread, kind, personLevel: 'never' };
}

function succeeds(call: Promise<unknown>): Promise<boolean> {
  return call.then(
    () => true,
    () => false,
  );
}

/**
 * Tells everybody whose request was under way when the bot last ended what became of it, each once and in their direct
 * messages. What was on its way to Slack is unknown, and is not posted again. The end is written down before the message
 * is sent: rather one notice lost than two sent.
 */
export async function notifyInterrupted(
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
      const end = one.state === 'posting' ? store.ledger.markUnconfirmed : store.ledger.markFailed;
      if (!(await end(one.claim, { code: 'interrupted' }, clock.now()))) continue;
      const { text, blocks = [] } = messageFor(one);
      await client.chat.postMessage({ channel: one.entry.asker, text, blocks: [...blocks] });
    } catch (error) {
      log.warn(
        { err: error, requestId: one.entry.id },
        'Somebody could not be told that their request was interrupted',
      );
    }
  }
}

function messageFor({ entry, what, state }: Interrupted): OutgoingMessage {
  if (state === 'posting') return unconfirmedAtStopMessage(what, entry.id, entry.request);
  return what === 'file'
    ? fileNotSentAtStopMessage(entry.request)
    : notAnsweredAtStopMessage(entry.id, entry.request);
}
