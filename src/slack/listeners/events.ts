import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt';
import { dispatchCommand, parseInChannel } from '../dispatch-command.js';
import { stripSlackMarkup } from '../markup.js';
import type { RequestContext } from '../request-context.js';
import type { ListenerApp } from '../transport/connect.js';
import type { ListenerParts } from './context.js';

/** `@Rollcall …` in a channel or a thread: the same words as after `/report`. */
export function mention(parts: ListenerParts) {
  return async ({ event }: SlackEventMiddlewareArgs<'app_mention'> & AllMiddlewareArgs): Promise<void> => {
    const { user, channel, text, thread_ts: thread } = event;
    if (!user || 'bot_id' in event) return;
    const words = text.split(`<@${parts.botUserId}>`).slice(1).join(' ');
    await answerWords(words, { channel, asker: user, thread }, parts);
  };
}

/** A direct message to the bot: the same words again. */
export function directMessage(parts: ListenerParts) {
  return async ({ event }: SlackEventMiddlewareArgs<'message'> & AllMiddlewareArgs): Promise<void> => {
    // Edits, deletions, files and what bots write are messages too, of a subtype; nobody asks with those.
    if (event.channel_type !== 'im' || event.subtype !== undefined || event.bot_id !== undefined) return;
    const { user, channel, text = '', thread_ts: thread } = event;
    const words = text.split(`<@${parts.botUserId}>`).join(' ');
    await answerWords(words, { channel, asker: user, thread }, parts);
  };
}

async function answerWords(words: string, from: RequestContext, parts: ListenerParts): Promise<void> {
  const typed = stripSlackMarkup(words).trim();
  const command = await parseInChannel(typed, from.channel, parts);
  await dispatchCommand(command, { ...from, typed }, parts);
}

/** Somebody opens the app: its Home tab is drawn as things are now. */
export function homeOpened(parts: ListenerParts) {
  return async ({
    event,
  }: SlackEventMiddlewareArgs<'app_home_opened'> & AllMiddlewareArgs): Promise<void> => {
    if (event.tab === 'home') await parts.home.show(event.user);
  };
}

/** What Slack reports when a channel, or who is in it, is not what it was. */
const channelEvents = [
  'channel_left',
  'channel_archive',
  'channel_unarchive',
  'channel_deleted',
  'channel_shared',
  'channel_unshared',
  'group_left',
  'group_archive',
  'group_unarchive',
  'group_deleted',
] as const;

/** Forgets what was remembered of a channel or a person as soon as Slack says that it changed. */
export function registerCacheInvalidation(
  app: ListenerApp,
  { channels, people, memberships }: Pick<ListenerParts, 'channels' | 'people' | 'memberships'>,
): void {
  for (const name of channelEvents) {
    app.event(name, async ({ event }) => {
      channels.forget(event.channel);
      memberships.forget(event.channel);
    });
  }
  for (const name of ['member_joined_channel', 'member_left_channel'] as const) {
    app.event(name, async ({ event }) => {
      channels.forget(event.channel);
      memberships.forget(event.channel, event.user);
    });
  }
  app.event('user_change', async ({ event }) => people.forget(event.user.id));
}
