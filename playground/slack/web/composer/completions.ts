import type { PageAction, PageChannel, PageCommand, PageUser } from '../../server/page-protocol.js';
import { isSelectable } from '../connection/workspace.js';

/** One line of the list that opens while somebody types. */
export interface Completion {
  readonly id: string;
  /** Put in place of what was typed. */
  readonly insert: string;
  readonly title: string;
  readonly detail: string;
}

export interface CompletionList {
  /** Where in the text the typed beginning starts. */
  readonly from: number;
  readonly completions: readonly Completion[];
}

/** Slack's own commands that the playground knows besides those of the bot. */
export const builtInCommands: readonly PageCommand[] = [
  { command: '/invite', description: 'Add somebody to this channel', usageHint: '@somebody' },
  { command: '/remove', description: 'Take somebody out of this channel', usageHint: '@somebody' },
  { command: '/leave', description: 'Leave this channel', usageHint: '' },
];

interface CompletionSources {
  readonly commands: readonly PageCommand[];
  readonly users: Iterable<PageUser>;
  readonly channels: Iterable<PageChannel>;
}

const maxCompletions = 8;

/** What may be meant by the text before the caret: a command at its very beginning, `@somebody`, `#channel`. */
export function completionsFor(
  text: string,
  caret: number,
  sources: CompletionSources,
): CompletionList | undefined {
  const before = text.slice(0, caret);
  const command = /^\/\S*$/.exec(before);
  if (command) {
    return list(
      0,
      sources.commands.filter((item) => item.command.startsWith(before.toLowerCase())).map(commandCompletion),
    );
  }
  const mention = /(?:^|\s)([@#])([\p{L}\p{N}._-]*)$/u.exec(before);
  if (!mention) return undefined;
  const [, sign, typed = ''] = mention;
  const from = before.length - typed.length - 1;
  const matches = (...names: string[]) =>
    names.some((name) => name.toLowerCase().includes(typed.toLowerCase()));
  return sign === '@'
    ? list(
        from,
        [...sources.users]
          .filter((user) => isSelectable(user) && matches(user.handle, user.name))
          .map(userCompletion),
      )
    : list(
        from,
        [...sources.channels]
          .filter((channel) => isChannel(channel) && matches(channel.name))
          .map(channelCompletion),
      );
}

function list(from: number, completions: readonly Completion[]): CompletionList | undefined {
  return completions.length === 0 ? undefined : { from, completions: completions.slice(0, maxCompletions) };
}

function commandCompletion(command: PageCommand): Completion {
  return {
    id: command.command,
    insert: `${command.command} `,
    title: `${command.command} ${command.usageHint}`.trim(),
    detail: command.description,
  };
}

function userCompletion(user: PageUser): Completion {
  return { id: user.id, insert: `@${user.handle} `, title: user.name, detail: `@${user.handle}` };
}

function channelCompletion(channel: PageChannel): Completion {
  return { id: channel.id, insert: `#${channel.name} `, title: `#${channel.name}`, detail: channel.topic };
}

function isChannel(channel: PageChannel): boolean {
  return channel.kind === 'public' || channel.kind === 'private';
}

/** The hint for the command that a text begins with, once a blank follows it; undefined when there is none. */
export function usageHint(text: string, commands: readonly PageCommand[]): PageCommand | undefined {
  const command = /^(\/\S+)\s/.exec(text)?.[1]?.toLowerCase();
  return commands.find((item) => item.command === command && item.usageHint !== '');
}

/** What a typed text asks for; a string is a sentence to the one who typed it. */
export function pageActionForText(
  text: string,
  { channel, threadTs }: { readonly channel: string; readonly threadTs?: string | undefined },
): PageAction | string {
  const line = text.trim();
  // A blank before the slash sends it as a message, as in Slack.
  if (!text.startsWith('/')) {
    return { type: 'post', channel, text: line, ...(threadTs === undefined ? {} : { threadTs }) };
  }
  if (threadTs !== undefined) {
    return 'Slack has no slash commands in threads. Mention the bot instead, with the same words.';
  }
  return { type: 'command', channel, line };
}
