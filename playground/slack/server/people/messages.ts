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

/** A command to try, as one person. */
export interface FirstCommand {
  readonly line: string;
  /** The channel where it is sent; absent: the channel of the welcome. */
  readonly channel?: string;
}

/** What the welcome says to one person. */
export interface Introduction {
  readonly user: string;
  /** Mrkdwn. */
  readonly text: string;
  readonly commands: readonly FirstCommand[];
}

/**
 * Posts the welcome message. The page shows each person the introduction that is for them, with its commands as buttons.
 * The ID of a button ends with the channel of its command.
 *
 * @param note the last line, in mrkdwn
 */
export function postWelcome(
  workspace: Workspace,
  introductions: readonly Introduction[],
  note: string,
): Message {
  const { openChannel } = workspace.seed;
  return recordMessage(workspace, {
    channel: openChannel,
    user: slackbot,
    text: 'Welcome to the playground.',
    blocks: [
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text:
            '*Welcome to the playground.* This is a Slack workspace on your machine, with the real bot ' +
            'and reports about made-up people.',
        },
      },
      ...introductions.flatMap(({ user, text, commands }) => [
        { type: 'section', block_id: `for ${user}`, text: { type: 'mrkdwn', text } },
        {
          type: 'actions',
          block_id: `commands for ${user}`,
          elements: commands.map(({ line, channel = openChannel }, index) => ({
            type: 'button',
            action_id: `run ${index} ${channel}`,
            text: { type: 'plain_text', text: line, emoji: false },
            value: line,
          })),
        },
      ]),
      { type: 'context', elements: [{ type: 'mrkdwn', text: note }] },
    ],
  });
}

/** The command of a button on the welcome message; undefined for other elements. */
export function welcomeCommand(message: Message, element: SlackObject): Required<FirstCommand> | undefined {
  if (message.user !== slackbot || typeof element.value !== 'string') return undefined;
  const channel = String(element.action_id).split(' ')[2] ?? message.channel;
  return element.value.startsWith('/') ? { line: element.value, channel } : undefined;
}

/** The user of Slack's own messages. */
export const slackbot = 'USLACKBOT';

export function postAsSlackbot(workspace: Workspace, channel: Channel, user: string, text: string): void {
  recordMessage(workspace, { channel: channel.id, user: slackbot, text, visibleTo: user });
}
