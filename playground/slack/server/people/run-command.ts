import { commandPayload } from '../delivery/payloads.js';
import { isThing } from '../web-api/arguments.js';
import { Refusal } from '../web-api/refusal.js';
import { sentenceFor } from '../web-api/words-for-refusals.js';
import { refuse } from '../workspace/workspace.js';
import { archiveChannel, inviteTo, joinChannel, leaveChannel, removeFrom } from './membership.js';
import { sayAsSlackbot } from './slackbot.js';
import { channelToWriteIn, NotPossible, personNamed, type Stage } from './stage.js';

/** A person runs a slash command: one of the app's, or one of Slack's own. Resolves when the bot has acknowledged. */
export async function runCommandAs(
  stage: Stage,
  user: string,
  channelId: string,
  line: string,
): Promise<void> {
  const [, command = '', text = ''] = /^\s*(\/\S+)\s?([\s\S]*)$/.exec(line) ?? [];
  if (await runOwnCommand(stage, user, channelId, command, text.trim())) return;
  const channel = channelToWriteIn(stage, user, channelId);
  if (!stage.api.app.commands.some((one) => one.command === command.toLowerCase()))
    throw new NotPossible(`${command} is not a command here. Begin with a blank to send it as a message.`);
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
  else if (isThing(receipt.answer)) answerBeside(stage, answerable, receipt.answer);
}

/** What an acknowledgement carried is posted like an answer through the `response_url`. */
function answerBeside(
  stage: Stage,
  to: { channel: string; user: string },
  content: Parameters<Stage['responseUrls']['answer']>[1],
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
  stage: Stage,
  user: string,
  channel: string,
  command: string,
  text: string,
): Promise<boolean> {
  const named = () => {
    const handle = text.replace(/^@/, '').toLowerCase();
    const person = [...stage.api.workspace.people.values()].find((one) => one.handle === handle);
    if (!person) throw new NotPossible(`There is nobody called ${text || 'that'}.`);
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
