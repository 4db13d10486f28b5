import { commandPayload } from '../delivery/payloads.js';
import { ApiError, describeApiError, isJsonObject } from '../web-api/method.js';
import {
  announceArchive,
  announceDeletion,
  announceDeparture,
  announceJoin,
  announceLeave,
  announceShare,
} from '../workspace/messages.js';
import type { Channel } from '../workspace/records.js';
import { directMessage, reportRefusal } from '../workspace/workspace.js';
import {
  findPerson,
  findVisibleChannel,
  findWritableChannel,
  NotAllowed,
  type PeopleContext,
} from './context.js';
import { postAsSlackbot } from './messages.js';

/** A person runs a slash command of the app or of Slack. Resolves after the bot's acknowledgement. */
export async function runCommandAs(
  context: PeopleContext,
  user: string,
  channelId: string,
  line: string,
): Promise<void> {
  const [, command = '', text = ''] = /^\s*(\/\S+)\s?([\s\S]*)$/.exec(line) ?? [];
  if (await runBuiltInCommand(context, user, channelId, command, text.trim())) return;
  const channel = findWritableChannel(context, user, channelId);
  if (!context.api.app.commands.some((one) => one.command === command.toLowerCase()))
    throw new NotAllowed(`${command} is not a command. To send it as a message, start with a space.`);
  const { workspace, triggers } = context.api;
  const answerable = { channel: channel.id, user };
  const result = await context.delivery.deliver(
    'slash_commands',
    commandPayload(workspace, {
      person: findPerson(context, user),
      channel,
      command: command.toLowerCase(),
      text: text.trim(),
      responseUrl: context.responseUrls.issue(answerable, 'commands'),
      trigger: triggers.issue(user),
    }),
  );
  if (!result.ok)
    postAsSlackbot(workspace, channel, user, `${command} failed with the error "${result.error}"`);
  else if (isJsonObject(result.answer)) postAcknowledgement(context, answerable, result.answer);
}

/** Posts the content of an acknowledgement, as for a `response_url`. */
function postAcknowledgement(
  context: PeopleContext,
  to: { channel: string; user: string },
  content: Parameters<PeopleContext['responseUrls']['post']>[1],
) {
  try {
    context.responseUrls.post(to, content);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    reportRefusal(context.api.workspace, {
      method: 'answer to a slash command',
      error: error.error,
      sentence: describeApiError(error),
      rules: error.rules,
      ...to,
    });
  }
}

/** Runs a command of Slack itself. Returns false for any other command. */
async function runBuiltInCommand(
  context: PeopleContext,
  user: string,
  channel: string,
  command: string,
  text: string,
): Promise<boolean> {
  const mentionedPerson = () => {
    const handle = text.replace(/^@/, '').toLowerCase();
    const person = [...context.api.workspace.people.values()].find((one) => one.handle === handle);
    if (!person) throw new NotAllowed(`Nobody here is called ${text || 'that'}.`);
    return person.id;
  };
  switch (command.toLowerCase()) {
    case '/invite':
      inviteTo(context, user, channel, mentionedPerson());
      return true;
    case '/remove':
    case '/kick':
      removeFrom(context, user, channel, mentionedPerson());
      return true;
    case '/join':
      joinChannel(context, user, channel);
      return true;
    case '/leave':
      leaveChannel(context, user, channel);
      return true;
    case '/archive':
      archiveChannel(context, user, channel, true);
      return true;
    default:
      return false;
  }
}

export function joinChannel(context: PeopleContext, user: string, id: string): void {
  const channel = requireOpen(findVisibleChannel(context, user, id));
  if (!channel.members.has(user)) announceJoin(context.api.workspace, channel, user);
}

export function leaveChannel(context: PeopleContext, user: string, id: string): void {
  const channel = requireNotDirectMessage(findVisibleChannel(context, user, id));
  if (channel.members.has(user)) announceLeave(context.api.workspace, channel, user);
}

/** Deactivates a person's account. */
export function leaveWorkspace(context: PeopleContext, user: string): void {
  announceDeparture(context.api.workspace, findPerson(context, user));
}

/** A member invites a person or the bot. */
export function inviteTo(context: PeopleContext, user: string, id: string, invited: string): void {
  const channel = requireOpen(requireNotDirectMessage(findVisibleChannel(context, user, id)));
  if (!channel.members.has(user)) throw new NotAllowed('Join the channel first.');
  findPerson(context, invited);
  if (channel.members.has(invited)) throw new NotAllowed('They are already in the channel.');
  announceJoin(context.api.workspace, channel, invited);
}

export function removeFrom(context: PeopleContext, user: string, id: string, removed: string): void {
  const channel = requireNotDirectMessage(findVisibleChannel(context, user, id));
  if (!channel.members.has(removed)) throw new NotAllowed('They are not in the channel.');
  announceLeave(context.api.workspace, channel, removed);
}

export function archiveChannel(context: PeopleContext, user: string, id: string, archived: boolean): void {
  const channel = requireNotDirectMessage(findVisibleChannel(context, user, id));
  if (channel.archived !== archived) announceArchive(context.api.workspace, channel, user, archived);
}

export function deleteChannel(context: PeopleContext, user: string, id: string): void {
  announceDeletion(context.api.workspace, requireNotDirectMessage(findVisibleChannel(context, user, id)));
}

export function shareChannel(context: PeopleContext, user: string, id: string, shared: boolean): void {
  announceShare(
    context.api.workspace,
    requireNotDirectMessage(findVisibleChannel(context, user, id)),
    shared,
  );
}

export function openDirectMessage(context: PeopleContext, user: string, other: string): Channel {
  findPerson(context, other);
  if (other === user) throw new NotAllowed('That is you.');
  return directMessage(context.api.workspace, user, other);
}

function requireOpen(channel: Channel): Channel {
  if (channel.archived) throw new NotAllowed('This channel is archived.');
  return channel;
}

function requireNotDirectMessage(channel: Channel): Channel {
  if (channel.kind === 'im') throw new NotAllowed('This is a direct message.');
  return channel;
}
