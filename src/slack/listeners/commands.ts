import type { SlashCommand } from '@slack/bolt';
import { opensHelpOrForm } from '../../requests/parse-command.js';
import { replyInContext } from '../delivery/notify-asker.js';
import { responseUrl } from '../delivery/response-url.js';
import { dispatchCommand, immediateReply, parseInChannel } from '../dispatch-command.js';
import { stripSlackMarkup } from '../markup.js';
import { notice } from '../messages/notices.js';
import { deadlineFrom } from '../modals/modal.js';
import type { UncheckedContext } from '../request-context.js';
import type { Route } from '../router.js';
import { readTypedText } from '../typed-text.js';

/**
 * Handles `/report …`. Over HTTP the acknowledgement carries help and problems. Over a socket they are sent separately,
 * because an acknowledgement can be lost while the connection is renewed.
 */
const report: Route['handle'] = async ({ body, ack, requestId, takenOver, receivedAtMs }, { parts }) => {
  const slash = body as SlashCommand;
  const read = readTypedText(slash.text);
  const typed = read.ok ? read.value : undefined;
  const context: UncheckedContext = {
    asker: slash.user_id,
    channel: slash.channel_id,
    responseUrl: responseUrl(slash.response_url, parts.send),
    responseAddress: slash.response_url,
    triggerId: slash.trigger_id,
    typed,
    requestId,
    takenOver,
  };
  // Deliveries of another process are already acknowledged.
  const mayReplyAtOnce = parts.repliesInAcknowledgements && !takenOver;
  if (!read.ok) {
    await ack(mayReplyAtOnce ? { response_type: 'ephemeral', text: read.refusal } : undefined);
    return mayReplyAtOnce ? undefined : void (await replyInContext(notice(read.refusal), context, parts));
  }
  const command = await parseInChannel(read.value, slash.channel_id, parts);
  const reply = mayReplyAtOnce
    ? await immediateReply(command, context, deadlineFrom(receivedAtMs), parts)
    : undefined;
  if (reply) {
    const { text, blocks } = reply;
    return ack({ response_type: 'ephemeral', text, blocks: blocks && [...blocks] });
  }
  await ack();
  await dispatchCommand(command, context, parts);
};

/** Each command has its needs in `src/slack/dispatch-command.ts`. Help and the form end with the acknowledgement. */
export const commandRoutes = (): readonly Route[] => [
  {
    kind: 'command',
    id: '/report',
    needs: [],
    opens: undefined,
    isKept: ({ text }) => !opensHelpOrForm(stripSlackMarkup(text ?? '')),
    handle: report,
  },
];
