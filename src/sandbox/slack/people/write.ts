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
  if (typed.trim() === '') throw new NotPossible('The message is empty.');
  const parent = threadTs ? workspace.messages.get(channel.id)?.get(threadTs) : undefined;
  return recordMessage(workspace, {
    channel: channel.id,
    user,
    text: dress(stage, typed),
    ...(threadTs && { threadTs: parent?.threadTs ?? threadTs }),
  });
}

/** Escapes what formats, and turns `@handle`, `#channel`, addresses and links into Slack's own marks. */
export function dress({ api: { workspace } }: Stage, typed: string): string {
  const escaped = typed.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const people = [...workspace.people.values()];
  const channels = [...workspace.channels.values()].filter((one) => one.kind === 'public');
  return escaped
    .replace(/https?:\/\/[^\s"']+/g, (link) => `<${link}>`)
    .replace(/(?<![\w<:/.])[\w.+-]+@[\w-]+(\.[\w-]+)+/g, (address) => `<mailto:${address}|${address}>`)
    .replace(/(?<![\w<:|])@([\w.-]*\w)/g, (whole, handle: string) => {
      const person = people.find((one) => one.handle === handle.toLowerCase());
      return person ? `<@${person.id}>` : whole;
    })
    .replace(/(?<![\w<&])#([\w-]+)/g, (whole, name: string) => {
      const channel = channels.find((one) => one.name === name);
      return channel ? `<#${channel.id}|${channel.name}>` : whole;
    });
}
