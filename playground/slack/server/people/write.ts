import { recordMessage } from '../workspace/messages.js';
import type { Message } from '../workspace/records.js';
import { channelToWriteIn, NotPossible, personNamed, type Stage } from './stage.js';

/** A person posts a message; what they typed is dressed as Slack dresses it. */
export function postAs(
  stage: Stage,
  user: string,
  channelId: string,
  typed: string,
  threadTs?: string,
): Message {
  const { workspace } = stage.api;
  const channel = channelToWriteIn(stage, user, channelId);
  const person = personNamed(stage, user);
  if (channel.readOnly && person.kind !== 'admin')
    throw new NotPossible('Only admins can post in this channel.');
  const toApp = channel.kind === 'im' && channel.members.has(workspace.seed.bot.user);
  if (toApp && !stage.api.app.messagesTabWritable) throw new NotPossible('This app takes no messages.');
  if (typed.trim() === '') throw new NotPossible('The message is empty.');
  const parent = threadTs ? workspace.messages.get(channel.id)?.get(threadTs) : undefined;
  return recordMessage(workspace, {
    channel: channel.id,
    user,
    text: dress(stage, typed),
    ...(threadTs && { threadTs: parent?.threadTs ?? threadTs }),
  });
}

const dressed =
  /(?<link>https?:\/\/[^\s"']+)|(?<address>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)|(?<!\w)@(?<handle>[\w.-]*\w)|(?<![\w&])#(?<channel>[\w-]+)/g;

/** Escapes what formats, and turns `@handle`, `#channel`, addresses and links into Slack's own marks. */
export function dress({ api: { workspace } }: Stage, typed: string): string {
  const people = [...workspace.people.values()];
  const channels = [...workspace.channels.values()].filter((one) => one.kind === 'public');
  const escaped = typed.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replace(dressed, (whole: string, ...rest: unknown[]) => {
    const { link, address, handle, channel } = rest.at(-1) as Record<string, string | undefined>;
    if (link) return `<${link}>`;
    if (address) return `<mailto:${address}|${address}>`;
    if (handle) {
      const person = people.find((one) => one.handle === handle.toLowerCase());
      return person ? `<@${person.id}>` : whole;
    }
    const named = channels.find((one) => one.name === channel);
    return named ? `<#${named.id}|${named.name}>` : whole;
  });
}
