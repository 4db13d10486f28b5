import type { BlockAction } from '@slack/bolt';
import type { ListenerParts } from '../answers/context.js';
import { replyInContext, succeeds } from '../context/notify-asker.js';
import { contextOf, type RequestContext, responseUrl } from '../context/request-context.js';
import { messageView, rejectionResponse, showInModal } from '../forms/modal.js';
import { refusedHome } from '../home/home.js';
import { describeFailure } from '../messages/failures.js';
import { notice } from '../messages/notices.js';
import type { Delivery } from '../transport/deliveries.js';

interface ListenerFailure extends Pick<Delivery, 'kind' | 'body' | 'requestId'> {
  readonly error: unknown;
  /** Absent if the delivery is already acknowledged, by this process or the one that had it before. */
  readonly ack?: Delivery['ack'] | undefined;
}

/** True for a message to the bot: a mention, or what a person writes in direct messages. */
export function isForBot({ event }: Delivery['body']): boolean {
  const { type, user, bot_id: bot, subtype, channel_type: channel } = event;
  const isTo = type === 'app_mention' || channel === 'im';
  return isTo && typeof user === 'string' && bot === undefined && subtype === undefined;
}

/**
 * Tells people that their command, button, form or message failed, where they are: in the form, in the thread, or in
 * the channel for them alone. The log has the error with the ID that they see.
 */
export function answerError(parts: ListenerParts): (failure: ListenerFailure) => Promise<void> {
  return async ({ error, kind, body, ack, requestId: id }) => {
    parts.log.error({ err: error, id, kind }, 'A listener failed');
    const { sentence } = describeFailure(error, id);
    const { view, trigger_id, event } = body;
    const user: string = body.user?.id ?? body.user_id ?? event?.user ?? '';
    const reply = (context: RequestContext) => replyInContext(notice(sentence), context, parts);
    const inDirectMessages = { channel: user, asker: user };

    /** Opens a modal with a message. Returns false if the trigger has expired. */
    const openMessage = async () =>
      trigger_id !== undefined &&
      succeeds(parts.interactive.views.open({ trigger_id, view: messageView('Rollcall', sentence) }));

    /** Only messages to the bot and the Home tab need a reply; other events do not. */
    const answerEvent = async () => {
      if (event.type === 'app_home_opened' && event.tab === 'home')
        return succeeds(parts.client.views.publish({ user_id: user, view: refusedHome(sentence) }));
      return !isForBot(body) || reply({ channel: event.channel, asker: user, thread: event.thread_ts });
    };

    /** Returns false if no message reached the person. */
    const answer = async () => {
      switch (kind) {
        case 'options':
          // Slack shows nothing here but options.
          await ack?.({ options: [] });
          return true;
        case 'view':
          if (!ack || view?.type !== 'modal') return reply(inDirectMessages);
          await ack(rejectionResponse(view, [{ sentence }]));
          return true;
        case 'command': {
          await ack?.();
          const { channel_id: channel = user, response_url: url } = body;
          return reply({ channel, asker: user, responseUrl: url ? responseUrl(url, parts.send) : undefined });
        }
        case 'shortcut':
          await ack?.();
          return (await openMessage()) || reply(inDirectMessages);
        case 'action':
          await ack?.();
          if (view?.type === 'modal' && (await showInModal(view, sentence, parts))) return true;
          if (view?.type === 'home' && (await openMessage())) return true;
          return reply(contextOf(body as BlockAction, parts) ?? inDirectMessages);
        case 'event':
          return answerEvent();
      }
    };

    if (!(await answer())) parts.log.warn({ id }, 'The message about a failure could not be delivered');
  };
}
