import type { AllMiddlewareArgs, SlackCommandMiddlewareArgs } from '@slack/bolt';
import { replyInContext } from '../delivery/notify-asker.js';
import { responseUrl } from '../delivery/response-url.js';
import { dispatchCommand, immediateReply, parseInChannel } from '../dispatch-command.js';
import { notice } from '../messages/notices.js';
import { openBuilder } from '../modals/builder/open.js';
import { deadlineFrom } from '../modals/modal.js';
import type { RequestContext } from '../request-context.js';
import { isTakenOver, receivedAtMs } from '../transport/listener-apps.js';
import { readTypedText } from '../typed-text.js';
import type { ListenerParts } from './context.js';

/**
 * Handles `/report …`. Over HTTP the acknowledgement carries help and problems. Over a socket they are sent separately,
 * because an acknowledgement can be lost while the connection is renewed.
 */
export function reportCommand(parts: ListenerParts) {
  return async ({
    command: slash,
    ack,
    context: delivery,
  }: SlackCommandMiddlewareArgs & AllMiddlewareArgs): Promise<void> => {
    const read = readTypedText(slash.text);
    const typed = read.ok ? read.value : undefined;
    const context: RequestContext = {
      asker: slash.user_id,
      channel: slash.channel_id,
      responseUrl: responseUrl(slash.response_url, parts.send),
      responseAddress: slash.response_url,
      triggerId: slash.trigger_id,
      typed,
    };
    // Deliveries of another process are already acknowledged.
    const mayReplyAtOnce = parts.repliesInAcknowledgements && delivery[isTakenOver] !== true;
    if (!read.ok) {
      await ack(mayReplyAtOnce ? { response_type: 'ephemeral', text: read.refusal } : undefined);
      return mayReplyAtOnce ? undefined : void (await replyInContext(notice(read.refusal), context, parts));
    }
    const command = await parseInChannel(read.value, slash.channel_id, parts);
    const reply = mayReplyAtOnce
      ? await immediateReply(command, context, deadlineFrom(delivery[receivedAtMs]), parts)
      : undefined;
    if (reply) {
      const { text, blocks } = reply;
      return ack({ response_type: 'ephemeral', text, blocks: blocks && [...blocks] });
    }
    await ack();
    const open = () => openBuilder(slash.trigger_id, { asker: slash.user_id, from: context }, parts);
    await dispatchCommand(command, context, parts, open);
  };
}
