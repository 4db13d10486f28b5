import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt';
import { undress } from '../../../language/index.js';
import { adminPage } from '../../admin-pages.js';
import { takeAsk } from '../../take-ask.js';
import { tellAsker } from '../../tell-asker.js';
import { understand } from '../../understand.js';
import { offerBuilder } from '../../views/builder/offer-builder.js';
import { type AskedIn, whereAsked } from '../../where-asked.js';
import type { ListenerParts } from '../parts.js';

/** `@Rollcall …` in a channel or a thread: the same words as after `/report`. */
export function mention(parts: ListenerParts) {
  return async ({ event }: SlackEventMiddlewareArgs<'app_mention'> & AllMiddlewareArgs): Promise<void> => {
    const { user, channel, text, thread_ts: thread } = event;
    if (!user || 'bot_id' in event) return;
    const words = text.split(`<@${parts.botUserId}>`).slice(1).join(' ');
    await takeWords(words, { channel, asker: user, ...(thread ? { thread } : {}) }, parts);
  };
}

/** A direct message to the bot: the same words again. */
export function directMessage(parts: ListenerParts) {
  return async ({ event }: SlackEventMiddlewareArgs<'message'> & AllMiddlewareArgs): Promise<void> => {
    // Edits, deletions, files and what bots write are messages too, of a subtype; nobody asks with those.
    if (event.channel_type !== 'im' || event.subtype !== undefined || event.bot_id !== undefined) return;
    const { user, channel, text = '', thread_ts: thread } = event;
    const words = text.split(`<@${parts.botUserId}>`).join(' ');
    await takeWords(words, { channel, asker: user, ...(thread ? { thread } : {}) }, parts);
  };
}

async function takeWords(words: string, asked: AskedIn, parts: ListenerParts): Promise<void> {
  const understood = understand(undress(words).trim());
  if (understood.kind === 'run') return takeAsk({ ...asked, ...understood }, parts);
  if (understood.kind !== 'reply' && understood.kind !== 'builder') {
    return adminPage(understood.kind, asked, parts);
  }
  // A message gives no leave to open a form; a button under the reply does.
  const message = understood.kind === 'builder' ? offerBuilder : understood.message;
  await tellAsker(message, asked.asker, await whereAsked(asked, parts), parts.client);
}
