import type { Command, CommandContext } from './command.js';
import { commandWord, reportWord, type Subcommand } from './first-words.js';
import { namedReportAt, parseRequest, wordAt } from './parse-request.js';
import { parseSave, parseSchedule } from './parse-saving.js';
import { isProblem, type Problem, quotable } from './problem.js';
import { savedNameAt } from './saved-names.js';
import { unknownFirstWord, unknownReport } from './unknown-first-word.js';

/**
 * Reads the words after `/report`. They are plain text: whoever has them from Slack undresses them first. A `/report`
 * that was copied along is passed over.
 */
export function parseCommand(typed: string, context: CommandContext): Command {
  const text = withoutCommand(typed);
  const first = wordAt(text, 0);
  if (!first) return { kind: 'builder' };
  const named = namedReportAt(text, 0);
  if (named) {
    const read = parseRequest(text, named);
    return isProblem(read) ? { kind: 'problem', problem: read } : { kind: 'run', request: read.request };
  }
  const subcommand = commandWord(first.text);
  if (subcommand) return parseSubcommand(subcommand, text, first.end, context);
  const saved = savedNameAt(text, 0, context.savedNames);
  if (saved) {
    return { kind: 'saved', name: saved.name, onTop: { text, from: saved.end, until: text.length } };
  }
  return { kind: 'problem', problem: unknownFirstWord(text, context.savedNames) };
}

/** Whether the names saved in a channel decide what words mean: reports and most subcommands mean the same anywhere. */
export function dependsOnSavedNames(typed: string): boolean {
  const text = withoutCommand(typed);
  const first = wordAt(text, 0);
  if (!first || namedReportAt(text, 0)) return false;
  const subcommand = commandWord(first.text);
  return subcommand === undefined || subcommand === 'schedule';
}

function withoutCommand(typed: string): string {
  return typed.trim().replace(/^\/report(?:\s+|$)/i, '');
}

function parseSubcommand(word: Subcommand, text: string, from: number, context: CommandContext): Command {
  switch (word) {
    case 'save':
      return parseSave(text, from);
    case 'schedule':
      return parseSchedule(text, from, context);
    case 'help':
      return parseHelp(text, from);
    case 'overdue':
      throw new Error('overdue is read as a report');
    default: {
      const more = wordAt(text, from);
      return more ? { kind: 'problem', problem: tooManyWords(more.text, word) } : { kind: word };
    }
  }
}

function parseHelp(text: string, from: number): Command {
  const about = wordAt(text, from);
  if (!about) return { kind: 'help' };
  const report = reportWord(about.text);
  if (!report) return { kind: 'problem', problem: unknownReport(text, about) };
  const more = wordAt(text, about.end);
  return more
    ? { kind: 'problem', problem: tooManyWords(more.text, `help ${report}`) }
    : { kind: 'help', report };
}

function tooManyWords(word: string, after: string): Problem {
  return { kind: 'words-too-many', word: quotable(word), after, corrected: after };
}
