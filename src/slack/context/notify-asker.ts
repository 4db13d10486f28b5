import type { WebClient } from '@slack/web-api';
import { codeOf, isFailure } from '../../errors/failure.js';
import type { LogOf } from '../../logging/logger.js';
import { type OutgoingMessage, sendMessage } from '../delivery/post-message.js';
import {
  type Conversation,
  type ConversationParts,
  type RequestContext,
  resolveConversation,
} from './request-context.js';

/**
 * Sends a message to one person alone, in the conversation of their request: through the response URL while it is open,
 * as an ephemeral message if the bot is a member, or as a direct message. Never throws; false if no way worked.
 *
 * @param client makes each call once, without retries
 * @param onlyHere true for messages that make no sense in direct messages
 */
export async function notifyAsker(
  message: OutgoingMessage,
  asker: string,
  conversation: Conversation,
  client: WebClient,
  onlyHere = false,
): Promise<boolean> {
  if (conversation.responseUrl?.isOpen()) {
    const outcome = await conversation.responseUrl.toAsker(message);
    if (outcome.kind === 'posted') return true;
  }
  const { channel, kind, thread } = conversation;
  if (kind === 'member') {
    const { text, blocks } = message;
    const shown = client.chat.postEphemeral({
      channel,
      user: asker,
      thread_ts: thread,
      text,
      blocks: blocks && [...blocks],
    });
    if (await succeeds(shown)) return true;
  }
  if (onlyHere) return false;
  return succeeds(sendMessage(message, kind === 'direct' ? { channel, thread } : { channel: asker }, client));
}

/**
 * Sends a message to one person alone, in the conversation of their request or button. If the conversation cannot be
 * looked up, tries each way in turn. Never throws; false if no way worked.
 */
export async function replyInContext(
  message: OutgoingMessage,
  context: RequestContext & { readonly conversation?: Conversation | undefined },
  parts: ConversationParts & { readonly client: WebClient },
): Promise<boolean> {
  const { asker, responseUrl } = context;
  // A response URL needs no look-up, and works where the bot is not a member.
  if (responseUrl?.isOpen() && (await responseUrl.toAsker(message)).kind === 'posted') return true;
  const conversation =
    context.conversation ??
    (context.channel === asker
      ? directConversation(asker)
      : await resolveConversation(context, parts).catch(() => guessConversation(context)));
  const { responseUrl: _tried, ...rest } = conversation;
  if (await notifyAsker(message, asker, rest, parts.client)) return true;
  if (rest.kind !== 'direct') return false;
  return notifyAsker(message, asker, directConversation(asker), parts.client);
}

/** A person's direct messages with the bot. Slack finds them by the user ID. */
function directConversation(asker: string): Conversation {
  return { channel: asker, kind: 'elsewhere', personLevel: 'never' };
}

/** If the look-up failed, the bot tries as a member. */
function guessConversation({ channel, thread }: RequestContext): Conversation {
  const kind = channel.startsWith('D') ? 'direct' : 'member';
  return { channel, thread, kind, personLevel: 'never' };
}

export function succeeds(call: Promise<unknown>): Promise<boolean> {
  return call.then(
    () => true,
    () => false,
  );
}

/** The service ignored the filter for a team, so its answer is not used. Operators search for this line. */
const rowsOutsideScope = 'The Reporting Service returned records of other people, so the answer was refused';

/** @param known the level of failures that are expected now and then */
export function logFailure(
  error: unknown,
  details: { readonly requestId: string; readonly report: string },
  sentence: string,
  log: LogOf<'info' | 'warn' | 'error'>,
  known: 'info' | 'warn' = 'warn',
): void {
  const code = codeOf(error);
  if (isFailure(error, 'rows-outside-scope')) log.error({ ...details, code }, rowsOutsideScope);
  else if (!isFailure(error) || isFailure(error, 'database-unusable'))
    log.error({ err: error, ...details }, sentence);
  else log[known]({ ...details, code }, sentence);
}
