import { cadenceWord } from './cadence-words.js';
import type { Command, CommandContext } from './command.js';
import { parseCadence } from './parse-cadence.js';
import { namedReportAt, parseRequest, wordAt } from './parse-request.js';
import { isProblem, type Problem, quotable } from './problem.js';
import { checkSavedName, savedNameAt } from './saved-names.js';
import { readTokens } from './tokens.js';
import { unknownReport } from './unknown-first-word.js';

/** `save <name>: <report> …` */
export function parseSave(text: string, from: number): Command {
  const colon = text.indexOf(':', from);
  const typed = text.slice(from, colon < 0 ? text.length : colon);
  if (colon < 0 || typed.trim() === '') return problem({ kind: 'save-form', word: quotable(typed.trim()) });
  const checked = checkSavedName(typed);
  if ('refused' in checked) {
    return problem({ kind: 'saved-name', word: quotable(typed.trim()), refused: checked.refused });
  }
  const named = namedReportAt(text, colon + 1);
  if (!named) return reportExpected(text, colon + 1, 'save-form');
  const read = parseRequest(text, named);
  return isProblem(read) ? problem(read) : { kind: 'save', name: checked.name, request: read.request };
}

/** `schedule <report or saved name> [range] [option…] <cadence> [zone]` */
export function parseSchedule(text: string, from: number, context: CommandContext): Command {
  const named = namedReportAt(text, from);
  const start = wordAt(text, from)?.start ?? text.length;
  const saved = named ? undefined : savedNameAt(text, start, context.savedNames);
  const end = named?.end ?? saved?.end;
  if (end === undefined) return reportExpected(text, from, 'schedule-form');
  const until = cadenceFrom(text, end);
  const read = named && parseRequest(text, named, { until, scheduled: true });
  if (read && isProblem(read)) return problem(read);
  const cadenceTyped = text.slice(until).trim();
  if (cadenceTyped === '') return problem({ kind: 'cadence-missing', word: quotable(text.slice(start)) });
  const often = parseCadence(text, until);
  if (isProblem(often)) return problem(often);
  if (read) return { kind: 'schedule', what: read, ...often, cadenceTyped };
  if (!saved) return reportExpected(text, from, 'schedule-form');
  const what = { name: saved.name, onTop: { text, from: end, until } };
  return { kind: 'schedule', what, ...often, cadenceTyped };
}

/** Where the cadence begins: with the first of its words that stands alone. */
function cadenceFrom(text: string, from: number): number {
  const found = readTokens(text, from).find(
    (token) => token.kind === 'word' && cadenceWord(token.text) !== undefined,
  );
  return found?.start ?? text.length;
}

function reportExpected(text: string, from: number, form: 'save-form' | 'schedule-form'): Command {
  const word = wordAt(text, from);
  return problem(word ? unknownReport(text, word) : { kind: form, word: quotable(text) });
}

function problem(found: Problem): Command {
  return { kind: 'problem', problem: found };
}
