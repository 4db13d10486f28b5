import type { PageAction, PageChannel, PageCommand, PageUser } from '../../server/page-protocol.js';
import { isSelectable } from '../connection/workspace.js';

/** A suggestion while typing. */
export interface Completion {
  readonly id: string;
  /** Replaces the typed text. */
  readonly insert: string;
  readonly title: string;
  readonly detail: string;
}

export interface CompletionList {
  /** Start of the replaced text. */
  readonly from: number;
  readonly completions: readonly Completion[];
}

/** Commands of Slack itself that the playground supports. */
export const builtInCommands: readonly PageCommand[] = [
  { command: '/invite', description: 'Add someone to this channel', usageHint: '@name' },
  { command: '/remove', description: 'Remove someone from this channel', usageHint: '@name' },
  { command: '/leave', description: 'Leave this channel', usageHint: '' },
];

interface CompletionSources {
  readonly commands: readonly PageCommand[];
  readonly users: Iterable<PageUser>;
  readonly channels: Iterable<PageChannel>;
}

const maxCompletions = 8;

/** Suggestions for the text before the caret: a command at its start, `@handle`, `#channel`. */
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

/** The usage hint of the command at the start of a text, once a space follows it; undefined if there is none. */
export function usageHint(text: string, commands: readonly PageCommand[]): PageCommand | undefined {
  const command = /^(\/\S+)\s/.exec(text)?.[1]?.toLowerCase();
  return commands.find((item) => item.command === command && item.usageHint !== '');
}

/** The action for a typed text; undefined for a command in a thread, where Slack has no commands. */
export function pageActionForText(
  text: string,
  { channel, threadTs }: { readonly channel: string; readonly threadTs?: string | undefined },
): PageAction | undefined {
  const line = text.trim();
  // A space before the slash sends it as a message, as in Slack.
  if (!text.startsWith('/')) {
    return { type: 'post', channel, text: line, threadTs };
  }
  return threadTs === undefined ? { type: 'command', channel, line } : undefined;
}
