import { recordMessage } from '../workspace/messages.js';
import type { Message, Thing } from '../workspace/records.js';
import type { Workspace } from '../workspace/workspace.js';
import { slackbot } from './slackbot.js';

/** Greets whoever opens the page, with commands to click. */
export function postWelcome(workspace: Workspace, commands: readonly string[]): Message {
  return recordMessage(workspace, {
    channel: workspace.seed.openChannel,
    user: slackbot,
    text: `Welcome. Try ${commands.join(', ')}.`,
    blocks: [
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text:
            '*Welcome to the playground.* This is a Slack workspace on your own machine, with the real bot in it ' +
            'and made-up people in its reports. Press one of these, or type a command below.',
        },
      },
      {
        type: 'actions',
        elements: commands.map((command, index) => ({
          type: 'button',
          action_id: `run_${index}`,
          text: { type: 'plain_text', text: command, emoji: false },
          value: command,
        })),
      },
      {
        type: 'context',
        elements: [
          {
            type: 'mrkdwn',
            text:
              'The inspector shows what the bot asks and answers. The clock can be moved on. ' +
              'Switch people to see what others see.',
          },
        ],
      },
    ],
  });
}

/** The command on a button of the welcome; nothing for any other element. */
export function commandOnWelcome(message: Message, element: Thing): string | undefined {
  const isOurs = message.user === slackbot && typeof element.value === 'string';
  return isOurs && String(element.value).startsWith('/') ? String(element.value) : undefined;
}
