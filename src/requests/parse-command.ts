import type { ReportName } from '../catalogue/index.js';
import { ok, type Result, refused } from '../errors/failure.js';
import type { Cadence } from '../schedule/cadence.js';
import { isDailyAtMost } from '../schedule/next-runs.js';
import type { AlertCondition } from './alert-condition.js';
import { cadenceWord } from './cadence-words.js';
import { correctAllWords } from './correct-all-words.js';
import { anyReport, nearestReport, unknownFirstWord, unknownReport } from './corrections.js';
import { type AuditRequest, parseAudit } from './parse-audit.js';
import { parseCadence, scheduleMissing } from './parse-cadence.js';
import { parseCondition } from './parse-condition.js';
import { namedReportAt, type ParsedRequest, parseRequest, type TypedOptions } from './parse-request.js';
import { hasSeveralLines, linesIn, parseScorecard } from './parse-scorecard.js';
import { signsPutRight } from './plain-signs.js';
import { leftOut, type Problem, quoteTypedWord, replaceSpan } from './problem.js';
import type { ReportRequest, RequestView } from './request.js';
import { findSavedName, possibleSavedName, validateSavedName } from './saved-names.js';
import { readTokens, type WordToken, wordAt } from './tokens.js';
import { commandWord, type Subcommand } from './vocabulary.js';

export type Command =
  | { readonly kind: 'builder' }
  | { readonly kind: 'help'; readonly report?: ReportName; readonly view?: RequestView }
  | { readonly kind: 'run'; readonly request: ReportRequest }
  /** Run a saved report with the typed options on top of it: see `applyToSaved`. */
  | { readonly kind: 'saved'; readonly name: string; readonly onTop: TypedOptions }
  | { readonly kind: 'list' }
  | { readonly kind: 'access' }
  | { readonly kind: 'record' }
  | { readonly kind: 'audit'; readonly audit: AuditRequest }
  | { readonly kind: 'save'; readonly name: string; readonly request: ReportRequest }
  | ScheduleCommand;

export interface ScheduleCommand {
  readonly kind: 'schedule';
  readonly what: ParsedRequest | { readonly name: string; readonly onTop: TypedOptions };
  /** Makes it an alert. */
  readonly when?: AlertCondition | undefined;
  /** The condition, as typed. */
  readonly whenTyped?: string;
  readonly cadence: Cadence;
  /** The typed zone, by its current IANA name. Absent: the owner's. */
  readonly zone?: string;
  /** The cadence and its zone, as typed. */
  readonly cadenceTyped: string;
}

/** Facts that parsing depends on besides the text. */
export interface CommandContext {
  /** Names of the saved reports that can be run here, as they are stored. */
  readonly savedNames: readonly string[];
}

type CommandRead = Result<Command, Problem>;

/** Reads the words after `/report`. A copied `/report` before them is ignored. Callers strip Slack's markup first. */
export function parseCommand(typed: string, context: CommandContext): CommandRead {
  const text = withoutCommand(typed);
  const read = readCommand(text, context);
  if (read.ok) return read;
  const problem = correctAllWords(text, read.refusal, (corrected) => readCommand(corrected, context));
  const asSchedule = readCommand(`schedule ${text}`, context);
  if (asSchedule.ok && asSchedule.value.kind === 'schedule') {
    return refused(scheduleMissing(text, asSchedule.value.cadenceTyped));
  }
  return refused(signsPutRight(text, problem, (plain) => readCommand(plain, context).ok));
}

function readCommand(text: string, context: CommandContext): CommandRead {
  const first = wordAt(text, 0);
  if (!first) return ok({ kind: 'builder' });
  const named = namedReportAt(text, 0);
  if (named) {
    const read = parseRequest(named.request, { text, from: named.end, until: text.length });
    return read.ok ? ok({ kind: 'run', request: read.value.request }) : read;
  }
  const subcommand = commandWord(first.text);
  if (subcommand) return parseSubcommand(subcommand, text, first.end, context);
  const saved = findSavedName(text, 0, context.savedNames);
  if (saved) {
    return ok({ kind: 'saved', name: saved.name, onTop: { text, from: saved.end, until: text.length } });
  }
  return refused(unknownFirstWord(text, context.savedNames));
}

/** True if the saved names of the channel can change the meaning of the words. Reports and most subcommands mean the same anywhere. */
export function dependsOnSavedNames(typed: string): boolean {
  const text = withoutCommand(typed);
  const first = wordAt(text, 0);
  if (!first || namedReportAt(text, 0)) return false;
  const subcommand = commandWord(first.text);
  if (subcommand === 'save') return text.includes(';');
  return subcommand === undefined || subcommand === 'schedule';
}

/** Whether a command opens the form or shows help: it starts no run and no post. */
export function opensHelpOrForm(typed: string): boolean {
  const first = wordAt(withoutCommand(typed), 0);
  return !first || first.text.toLowerCase() === 'help';
}

/** The words without a `/report` that was copied too. */
export function withoutCommand(typed: string): string {
  return typed.trim().replace(/^\/report(?:\s+|$)/i, '');
}

function parseSubcommand(word: Subcommand, text: string, from: number, context: CommandContext): CommandRead {
  switch (word) {
    case 'save':
      return parseSave(text, from, context.savedNames);
    case 'schedule':
      return parseSchedule(text, from, context);
    case 'help':
      return parseHelp(text, from);
    case 'audit': {
      const audit = parseAudit(text, from);
      return audit.ok ? ok({ kind: 'audit', audit: audit.value }) : audit;
    }
    case 'overdue':
    case 'due':
      throw new Error(`${word} is read as a report`);
    default: {
      const more = wordAt(text, from);
      return more ? refused(tooManyWords(more.text, word)) : ok({ kind: word });
    }
  }
}

function parseHelp(text: string, from: number): CommandRead {
  const about = wordAt(text, from);
  if (!about) return ok({ kind: 'help' });
  const named = namedReportAt(text, from);
  if (!named) return refused(unknownReport(text, about));
  const { report, view } = named.request;
  const more = wordAt(text, about.end);
  return more
    ? refused(tooManyWords(more.text, `help ${view ?? report}`))
    : ok({ kind: 'help', report, view });
}

function tooManyWords(word: string, after: string): Problem {
  return { kind: 'words-too-many', word: quoteTypedWord(word), after, corrected: after };
}

/** `save <name>: <report> …`, or several of these and names of saved reports, with semicolons between them. */
function parseSave(text: string, from: number, savedNames: readonly string[]): CommandRead {
  const colon = text.indexOf(':', from);
  const typed = text.slice(from, colon < 0 ? text.length : colon);
  const word = quoteTypedWord(typed.trim());
  if (colon < 0 || typed.trim() === '') {
    const corrected = withColon(text, from);
    const without = namedReportAt(text, from) && text.slice(from);
    return refused({ kind: 'save-form', word, corrected, without });
  }
  const name = validateSavedName(typed);
  if (!name.ok) {
    const possible = possibleSavedName(typed);
    const corrected = possible && `save ${possible}: ${text.slice(colon + 1).trim()}`;
    return refused({ kind: 'saved-name', word, reason: name.refusal, nearest: possible, corrected });
  }
  if (hasSeveralLines(text, colon + 1)) {
    const read = parseScorecard(text, colon + 1, name.value, savedNames);
    if (read.ok) return ok({ kind: 'save', name: name.value, request: read.value });
    const corrected = namedReportAt(text, colon + 1) ? undefined : withColon(text, from, colon);
    return corrected === undefined ? read : refused({ kind: 'save-form', word, corrected });
  }
  const [only] = linesIn(text, colon + 1);
  // A semicolon after the only line separates nothing.
  const until = only?.end ?? text.length;
  const named = namedReportAt(text.slice(0, until), colon + 1);
  const corrected = named ? undefined : withColon(text, from, colon);
  if (corrected !== undefined) return refused({ kind: 'save-form', word, corrected });
  if (!named) return reportExpected(text, colon + 1, 'save-form');
  const read = parseRequest(named.request, { text, from: named.end, until });
  return read.ok ? ok({ kind: 'save', name: name.value, request: read.value.request }) : read;
}

/** `save Weekly engagement last-week`, with the colon before the report. */
function withColon(text: string, from: number, until = text.length): string | undefined {
  const name = wordAt(text, from);
  for (let word = name && wordAt(text, name.end); word && word.start < until; word = wordAt(text, word.end)) {
    const isReport = namedReportAt(text, word.start) ?? nearestReport(word.text);
    if (isReport) return `save ${text.slice(from, word.start).trim()}: ${text.slice(word.start)}`;
  }
  return undefined;
}

/** `schedule <report or saved name> [range] [option…] [when <condition>] <cadence> [zone]` */
function parseSchedule(text: string, from: number, context: CommandContext): CommandRead {
  const start = wordAt(text, from)?.start ?? text.length;
  const named = namedReportAt(text, from) ?? findSavedName(text, start, context.savedNames);
  if (!named) return reportExpected(text, from, 'schedule-form');
  const { cadenceFrom, when } = partsAfter(text, named.end);
  const onTop = { text, from: named.end, until: when?.start ?? cadenceFrom };
  const what =
    'request' in named ? parseRequest(named.request, onTop, true) : ok({ name: named.name, onTop });
  if (!what.ok) return what;
  const condition = when && parseCondition(text, when, cadenceFrom);
  if (condition && !condition.ok) return condition;
  const skipEmpty = when && plainWords(text, onTop.from, onTop.until).find(isWord('skip-empty'));
  if (skipEmpty) return refused(leftOut({ kind: 'when', reason: 'skip-empty' }, skipEmpty, text));
  const isForManagers = 'request' in what.value && what.value.audience === 'managers';
  if (isForManagers && condition && condition.value.kind !== 'new-rows') {
    const span = { start: when.end, end: cadenceFrom };
    const corrected = replaceSpan(text, span, ' new-rows ');
    const word = quoteTypedWord(text.slice(when.end, cadenceFrom).trim());
    return refused({ kind: 'managers', reason: 'condition', word, corrected });
  }
  const cadenceTyped = text.slice(cadenceFrom).trim();
  if (cadenceTyped === '') {
    return refused({ kind: 'cadence-missing', word: quoteTypedWord(text.slice(start)) });
  }
  const cadence = parseCadence(text, cadenceFrom);
  if (!cadence.ok) return cadence;
  if (isForManagers && !isDailyAtMost(cadence.value.cadence)) {
    const [word, understood] = [quoteTypedWord(cadenceTyped), text.slice(0, cadenceFrom).trim()];
    return refused({ kind: 'managers', reason: 'cadence', word, understood });
  }
  const alert = condition && { when: condition.value, whenTyped: text.slice(when.end, cadenceFrom).trim() };
  return ok({ kind: 'schedule', what: what.value, ...alert, ...cadence.value, cadenceTyped });
}

/** The word `when`, and where the words of how often begin. A `when` after those is a problem of theirs. */
function partsAfter(text: string, from: number) {
  const words = plainWords(text, from);
  const isOfCadence = (word: WordToken) => cadenceWord(word.text) !== undefined;
  const cadence = words.find(isOfCadence);
  const when = words.slice(0, cadence && words.indexOf(cadence)).find(isWord('when'));
  return { cadenceFrom: cadence?.start ?? text.length, when };
}

function plainWords(text: string, from: number, until?: number): readonly WordToken[] {
  return readTokens(text, from, until).filter((token) => token.kind === 'word');
}

function isWord(word: string) {
  return (token: WordToken) => token.text.toLowerCase() === word;
}

function reportExpected(text: string, from: number, form: 'save-form' | 'schedule-form'): CommandRead {
  const word = wordAt(text, from);
  return refused(
    word
      ? unknownReport(text, word)
      : { kind: form, word: quoteTypedWord(text), without: `${text} ${anyReport}` },
  );
}
