import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt';
import { undress } from '../markup.js';
import { takeWords, understandIn } from '../dispatch-command.js';
import type { AskedIn } from '../where-asked.js';
import type { ListenerParts } from './context.js';

/** `@Rollcall …` in a channel or a thread: the same words as after `/report`. */
export function mention(parts: ListenerParts) {
  return async ({ event }: SlackEventMiddlewareArgs<'app_mention'> & AllMiddlewareArgs): Promise<void> => {
    const { user, channel, text, thread_ts: thread } = event;
    if (!user || 'bot_id' in event) return;
    const words = text.split(`<@${parts.botUserId}>`).slice(1).join(' ');
    await hear(words, { channel, asker: user, ...(thread ? { thread } : {}) }, parts);
  };
}

/** A direct message to the bot: the same words again. */
export function directMessage(parts: ListenerParts) {
  return async ({ event }: SlackEventMiddlewareArgs<'message'> & AllMiddlewareArgs): Promise<void> => {
    // Edits, deletions, files and what bots write are messages too, of a subtype; nobody asks with those.
    if (event.channel_type !== 'im' || event.subtype !== undefined || event.bot_id !== undefined) return;
    const { user, channel, text = '', thread_ts: thread } = event;
    const words = text.split(`<@${parts.botUserId}>`).join(' ');
    await hear(words, { channel, asker: user, ...(thread ? { thread } : {}) }, parts);
  };
}

async function hear(words: string, asked: AskedIn, parts: ListenerParts): Promise<void> {
  await takeWords(await understandIn(undress(words).trim(), asked.channel, parts), asked, parts);
}
