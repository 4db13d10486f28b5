import { randomUUID } from 'node:crypto';
import { describeMessage } from '../web-api/messages.js';
import type { Channel, Message, Person, SlackObject } from '../workspace/records.js';
import type { Workspace } from '../workspace/workspace.js';

/** Payloads in Slack's format. They omit the members that Slack omits. */

const verificationToken = 'local-verification';

export function commonMembers(workspace: Workspace) {
  const { team, bot } = workspace.seed;
  return {
    token: verificationToken,
    api_app_id: bot.appId,
    team: { id: team.id, domain: team.domain },
    enterprise: null,
    is_enterprise_install: false,
  };
}

export function personPayload(person: Person): SlackObject {
  return { id: person.id, username: person.handle, name: person.handle, team_id: person.team };
}

export function channelPayload(channel: Channel): SlackObject {
  return { id: channel.id, name: nameForBot(channel) };
}

/** The name of a channel in payloads. */
function nameForBot(channel: Channel): string {
  if (channel.kind === 'im') return 'directmessage';
  return channel.kind === 'private' ? 'privategroup' : channel.name;
}

export function commandPayload(
  workspace: Workspace,
  command: {
    person: Person;
    channel: Channel;
    command: string;
    text: string;
    responseUrl: string;
    trigger: string;
  },
): SlackObject {
  const { team, bot } = workspace.seed;
  return {
    token: verificationToken,
    team_id: team.id,
    team_domain: team.domain,
    channel_id: command.channel.id,
    channel_name: nameForBot(command.channel),
    user_id: command.person.id,
    user_name: command.person.handle,
    command: command.command,
    text: command.text,
    api_app_id: bot.appId,
    is_enterprise_install: 'false',
    response_url: command.responseUrl,
    trigger_id: command.trigger,
  };
}

export function eventPayload(workspace: Workspace, event: SlackObject, channel?: Channel): SlackObject {
  const { team, bot } = workspace.seed;
  return {
    token: verificationToken,
    team_id: team.id,
    context_team_id: team.id,
    context_enterprise_id: null,
    api_app_id: bot.appId,
    event,
    type: 'event_callback',
    event_id: `Ev${randomUUID().replaceAll('-', '').slice(0, 12).toUpperCase()}`,
    event_time: Math.floor(workspace.clock.now() / 1000),
    authorizations: [
      {
        enterprise_id: null,
        team_id: team.id,
        user_id: bot.user,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: channel?.shared ?? false,
  };
}

/** The members of a payload that identify the message of an element. */
export function messagePayload(
  workspace: Workspace,
  message: Message,
  channel: Channel,
  origin: string,
): SlackObject {
  return {
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: channel.id,
      is_ephemeral: message.visibleTo !== undefined,
      thread_ts: message.threadTs,
    },
    channel: channelPayload(channel),
    // For an ephemeral message, Slack sends only its `ts`.
    message: message.visibleTo === undefined ? describeMessage(workspace, message, origin) : undefined,
  };
}
