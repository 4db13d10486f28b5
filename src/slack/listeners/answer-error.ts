import type { BlockAction } from '@slack/bolt';
import type { ListenerParts } from '../answers/context.js';
import { replyInContext, succeeds } from '../context/notify-asker.js';
import { contextOf, type RequestContext, responseUrl } from '../context/request-context.js';
import { messageView, rejectionResponse, type ShownModal, showInModal } from '../forms/modal.js';
import { refusedHome } from '../home/home.js';
import { describeFailure } from '../messages/failures.js';
import { notice } from '../messages/notices.js';
import type { Delivery } from '../transport/delivery.js';

interface ListenerFailure extends Pick<Delivery, 'kind' | 'body' | 'requestId'> {
  readonly error: unknown;
  /** Absent if the delivery is already acknowledged, by this process or the one that had it before. */
  readonly ack?: Delivery['ack'] | undefined;
}

/** The members of Slack's payloads that name the person and the place. */
interface Payload {
  readonly user?: { readonly id: string };
  readonly user_id?: string;
  readonly channel_id?: string;
  readonly response_url?: string;
  readonly trigger_id?: string;
  readonly view?: ShownModal | { readonly type: 'home' };
  readonly event?: {
    readonly type: string;
    readonly user?: string;
    readonly channel?: string;
    readonly channel_type?: string;
    readonly thread_ts?: string;
    readonly subtype?: string;
    readonly bot_id?: string;
    readonly tab?: string;
  };
}

/**
 * Tells people that their command, button, form or message failed, where they are: in the form, in the thread, or in
 * the channel for them alone. The log has the error with the ID that they see.
 */
export function answerError(parts: ListenerParts): (failure: ListenerFailure) => Promise<void> {
  return async ({ error, kind, body, ack, requestId: id }) => {
    parts.log.error({ err: error, id, kind }, 'A listener failed');
    const { sentence } = describeFailure(error, id);
    const payload: Payload = body;
    const { view, trigger_id, event } = payload;
    const user = payload.user?.id ?? payload.user_id ?? '';
    const reply = (context: RequestContext) => replyInContext(notice(sentence), context, parts);
    const inDirectMessages = { channel: user, asker: user };

    /** Opens a modal with a message. Returns false if the trigger has expired. */
    const openMessage = async () =>
      trigger_id !== undefined &&
      succeeds(parts.interactive.views.open({ trigger_id, view: messageView('Rollcall', sentence) }));

    /** Only messages to the bot and the Home tab need a reply; other events do not. */
    const answerEvent = async () => {
      const { type, user, channel, thread_ts: thread } = event ?? {};
      if (!event || !user || event.bot_id !== undefined) return true;
      if (type === 'app_home_opened' && event.tab === 'home')
        return succeeds(parts.interactive.views.publish({ user_id: user, view: refusedHome(sentence) }));
      const isDirect = type === 'message' && event.channel_type === 'im' && event.subtype === undefined;
      return !channel || !(isDirect || type === 'app_mention') || reply({ channel, asker: user, thread });
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
          const { channel_id: channel = user, response_url: url } = payload;
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
