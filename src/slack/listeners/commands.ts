import type { AllMiddlewareArgs, SlackCommandMiddlewareArgs, SlashCommand } from '@slack/bolt';
import { responseUrl } from '../delivery/response-url.js';
import { dispatchCommand, parseInChannel } from '../dispatch-command.js';
import { stripSlackMarkup } from '../markup.js';
import { openBuilder } from '../modals/builder/open.js';
import type { ListenerParts } from './context.js';

/**
 * `/report …`: acknowledged at once. What the words alone are enough for goes out with the acknowledgement over HTTP;
 * over a socket it goes its own way, since a connection that is being renewed may lose an acknowledgement.
 */
export function reportCommand(parts: ListenerParts) {
  return async ({ command, ack }: SlackCommandMiddlewareArgs & AllMiddlewareArgs): Promise<void> => {
    const understood = await parseInChannel(stripSlackMarkup(command.text).trim(), command.channel_id, parts);
    if (understood.kind === 'reply' && parts.repliesInAcknowledgements) {
      const { text, blocks } = understood.message;
      await ack({ response_type: 'ephemeral', text, ...(blocks ? { blocks: [...blocks] } : {}) });
      return;
    }
    await ack();
    const back = responseUrl(command.response_url, parts.send);
    const asked = { channel: command.channel_id, asker: command.user_id, responseUrl: back };
    const openForm = () => openBuilder({ ...doorOf(command), from: asked }, parts);
    await dispatchCommand(understood, asked, parts, openForm);
  };
}

function doorOf({ trigger_id, user_id, response_url }: SlashCommand) {
  return { triggerId: trigger_id, asker: user_id, answerUrl: response_url };
}
