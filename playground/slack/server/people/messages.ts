import { recordMessage } from '../workspace/messages.js';
import type { Channel, Message, SlackObject } from '../workspace/records.js';
import type { Workspace } from '../workspace/workspace.js';
import { findPerson, findWritableChannel, NotAllowed, type PeopleContext } from './context.js';

/** A person posts a message. Typed text is formatted as Slack does. */
export function postAs(
  context: PeopleContext,
  user: string,
  channelId: string,
  typed: string,
  threadTs?: string,
): Message {
  const { workspace } = context.api;
  const channel = findWritableChannel(context, user, channelId);
  const person = findPerson(context, user);
  if (channel.readOnly && person.kind !== 'admin')
    throw new NotAllowed('Only admins can post in this channel.');
  const toApp = channel.kind === 'im' && channel.members.has(workspace.seed.bot.user);
  if (toApp && !context.api.app.messagesTabWritable)
    throw new NotAllowed('This app does not accept messages.');
  if (typed.trim() === '') throw new NotAllowed('The message is empty.');
  const parent = threadTs ? workspace.messages.get(channel.id)?.get(threadTs) : undefined;
  return recordMessage(workspace, {
    channel: channel.id,
    user,
    text: formatTypedText(context, typed),
    threadTs: threadTs ? (parent?.threadTs ?? threadTs) : undefined,
  });
}

const markup =
  /(?<link>https?:\/\/[^\s"']+)|(?<address>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)|(?<!\w)@(?<handle>[\w.-]*\w)|(?<![\w&])#(?<channel>[\w-]+)/g;

/** Escapes typed text, and turns `@handle`, `#channel`, email addresses and links into Slack's markup. */
function formatTypedText({ api: { workspace } }: PeopleContext, typed: string): string {
  const people = [...workspace.people.values()];
  const channels = [...workspace.channels.values()].filter((one) => one.kind === 'public');
  const escaped = typed.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replace(markup, (whole: string, ...rest: unknown[]) => {
    const { link, address, handle, channel } = rest.at(-1) as Record<string, string | undefined>;
    if (link) return `<${link}>`;
    if (address) return `<mailto:${address}|${address}>`;
    if (handle) {
      const person = people.find((one) => one.handle === handle.toLowerCase());
      return person ? `<@${person.id}>` : whole;
    }
    const mentioned = channels.find((one) => one.name === channel);
    return mentioned ? `<#${mentioned.id}|${mentioned.name}>` : whole;
  });
}

/** Posts the welcome message, with commands as buttons. */
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
            '*Welcome to the playground.* This is a Slack workspace on your machine, with the real bot ' +
            'and reports about made-up people. Press a button, or type a command below.',
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
              'The inspector shows the bot’s requests and answers. You can move the clock. ' +
              'Switch users to see what others see.',
          },
        ],
      },
    ],
  });
}

/** The command of a button on the welcome message; undefined for other elements. */
export function welcomeCommand(message: Message, element: SlackObject): string | undefined {
  const isOurs = message.user === slackbot && typeof element.value === 'string';
  return isOurs && String(element.value).startsWith('/') ? String(element.value) : undefined;
}

/** The user of Slack's own messages. */
export const slackbot = 'USLACKBOT';

export function postAsSlackbot(workspace: Workspace, channel: Channel, user: string, text: string): void {
  recordMessage(workspace, { channel: channel.id, user: slackbot, text, visibleTo: user });
}
