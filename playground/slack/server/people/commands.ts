import { commandPayload } from '../delivery/payloads.js';
import { isJsonObject, Refusal, sentenceFor } from '../web-api/method.js';
import {
  announceArchive,
  announceDeletion,
  announceDeparture,
  announceJoin,
  announceLeave,
  announceShare,
} from '../workspace/messages.js';
import type { Channel } from '../workspace/records.js';
import { directMessage, refuse } from '../workspace/workspace.js';
import { channelSeenBy, channelToWriteIn, NotAllowed, type PeopleContext, personNamed } from './context.js';
import { sayAsSlackbot } from './messages.js';

/** A person runs a slash command: one of the app's, or one of Slack's own. Resolves when the bot has acknowledged. */
export async function runCommandAs(
  stage: PeopleContext,
  user: string,
  channelId: string,
  line: string,
): Promise<void> {
  const [, command = '', text = ''] = /^\s*(\/\S+)\s?([\s\S]*)$/.exec(line) ?? [];
  if (await runOwnCommand(stage, user, channelId, command, text.trim())) return;
  const channel = channelToWriteIn(stage, user, channelId);
  if (!stage.api.app.commands.some((one) => one.command === command.toLowerCase()))
    throw new NotAllowed(`${command} is not a command here. Begin with a blank to send it as a message.`);
  const { workspace, triggers } = stage.api;
  const answerable = { channel: channel.id, user };
  const receipt = await stage.courier.deliver(
    'slash_commands',
    commandPayload(workspace, {
      person: personNamed(stage, user),
      channel,
      command: command.toLowerCase(),
      text: text.trim(),
      responseUrl: stage.responseUrls.issue(answerable, 'commands'),
      trigger: triggers.issue(user),
    }),
  );
  if (!receipt.ok)
    sayAsSlackbot(workspace, channel, user, `${command} failed with the error "${receipt.error}"`);
  else if (isJsonObject(receipt.answer)) answerBeside(stage, answerable, receipt.answer);
}

/** What an acknowledgement carried is posted like an answer through the `response_url`. */
function answerBeside(
  stage: PeopleContext,
  to: { channel: string; user: string },
  content: Parameters<PeopleContext['responseUrls']['answer']>[1],
) {
  try {
    stage.responseUrls.answer(to, content);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refuse(stage.api.workspace, {
      method: 'answer to a slash command',
      error: error.error,
      sentence: sentenceFor(error),
      rules: error.rules,
      ...to,
    });
  }
}

/** Slack's own commands, as far as they matter here. True when it was one of them. */
async function runOwnCommand(
  stage: PeopleContext,
  user: string,
  channel: string,
  command: string,
  text: string,
): Promise<boolean> {
  const named = () => {
    const handle = text.replace(/^@/, '').toLowerCase();
    const person = [...stage.api.workspace.people.values()].find((one) => one.handle === handle);
    if (!person) throw new NotAllowed(`There is nobody called ${text || 'that'}.`);
    return person.id;
  };
  switch (command.toLowerCase()) {
    case '/invite':
      inviteTo(stage, user, channel, named());
      return true;
    case '/remove':
    case '/kick':
      removeFrom(stage, user, channel, named());
      return true;
    case '/join':
      joinChannel(stage, user, channel);
      return true;
    case '/leave':
      leaveChannel(stage, user, channel);
      return true;
    case '/archive':
      archiveChannel(stage, user, channel, true);
      return true;
    default:
      return false;
  }
}

export function joinChannel(stage: PeopleContext, user: string, id: string): void {
  const channel = openChannel(channelSeenBy(stage, user, id));
  if (!channel.members.has(user)) announceJoin(stage.api.workspace, channel, user);
}

export function leaveChannel(stage: PeopleContext, user: string, id: string): void {
  const channel = noDirectMessage(channelSeenBy(stage, user, id));
  if (channel.members.has(user)) announceLeave(stage.api.workspace, channel, user);
}

/** Somebody's account is deactivated. */
export function leaveWorkspace(stage: PeopleContext, user: string): void {
  announceDeparture(stage.api.workspace, personNamed(stage, user));
}

/** Somebody in the channel invites another, perhaps the bot. */
export function inviteTo(stage: PeopleContext, user: string, id: string, invited: string): void {
  const channel = openChannel(noDirectMessage(channelSeenBy(stage, user, id)));
  if (!channel.members.has(user)) throw new NotAllowed('Join the channel first.');
  personNamed(stage, invited);
  if (channel.members.has(invited)) throw new NotAllowed('They are in the channel already.');
  announceJoin(stage.api.workspace, channel, invited);
}

export function removeFrom(stage: PeopleContext, user: string, id: string, removed: string): void {
  const channel = noDirectMessage(channelSeenBy(stage, user, id));
  if (!channel.members.has(removed)) throw new NotAllowed('They are not in the channel.');
  announceLeave(stage.api.workspace, channel, removed);
}

export function archiveChannel(stage: PeopleContext, user: string, id: string, archived: boolean): void {
  const channel = noDirectMessage(channelSeenBy(stage, user, id));
  if (channel.archived !== archived) announceArchive(stage.api.workspace, channel, user, archived);
}

export function deleteChannel(stage: PeopleContext, user: string, id: string): void {
  announceDeletion(stage.api.workspace, noDirectMessage(channelSeenBy(stage, user, id)));
}

export function shareChannel(stage: PeopleContext, user: string, id: string, shared: boolean): void {
  announceShare(stage.api.workspace, noDirectMessage(channelSeenBy(stage, user, id)), shared);
}

export function openDirectMessage(stage: PeopleContext, user: string, other: string): Channel {
  personNamed(stage, other);
  if (other === user) throw new NotAllowed('That is you.');
  return directMessage(stage.api.workspace, user, other);
}

function openChannel(channel: Channel): Channel {
  if (channel.archived) throw new NotAllowed('This channel is archived.');
  return channel;
}

function noDirectMessage(channel: Channel): Channel {
  if (channel.kind === 'im') throw new NotAllowed('This is a direct message.');
  return channel;
}
