import { distance } from 'fastest-levenshtein';
import { conditionFields } from '../catalogue/conditions.js';
import { allReports, fieldOf, type Report } from '../catalogue/index.js';
import { cadenceWords } from './cadence-words.js';
import { units, weekdayNames } from './calendar-words.js';
import { isFiller, stateMeant } from './filler-words.js';
import { nearest } from './nearest.js';
import { parseCondition } from './parse-condition.js';
import {
  leftOut,
  type Problem,
  type ProblemCause,
  quoteTypedWord,
  replaceSpan,
  withSuggestion,
} from './problem.js';
import { entryWithoutQuotes, isNotBefore } from './quote-corrections.js';
import { hasRangeForm, rangeNames } from './range-words.js';
import { fileFormats } from './request.js';
import type { OptionsContext } from './request-options.js';
import { compact } from './text.js';
import {
  type Entry,
  type OptionToken,
  signBefore,
  type TextSpan,
  type Token,
  type WordToken,
} from './tokens.js';
import {
  conditionFieldNamed,
  optionsOf,
  reportsWithConditionField,
  reportsWithOption,
} from './vocabulary.js';

export function unknownOption(token: OptionToken, context: OptionsContext): Problem {
  const { report } = context;
  const name = token.name.toLowerCase();
  if (name === 'since') {
    return leftOut({ kind: 'range', reason: 'no-range', report: report.name }, token, context.text);
  }
  if (name === 'assigned') return assignedElsewhere(token, context);
  const excluded = excludedOption(token, context);
  if (excluded) return excluded;
  // A colon alone would not tell people what is wrong.
  const text = name === '' ? context.text.slice(token.start, token.end) : `${token.name}:`;
  const without = replaceSpan(context.text, token, '');
  const meant = (cause: ProblemCause, option: string | undefined): Problem => ({
    ...withSuggestion(
      cause,
      { start: token.start, end: token.nameEnd, text },
      option && `${option}:`,
      context,
    ),
    without,
  });
  const reports = [...new Set([...reportsWithOption(name), ...reportsWithConditionField(name)])];
  if (reports.length > 0) {
    const cause = { kind: 'not-for-report', report: report.name, reports } as const;
    const own = ownTitleOption(name, report);
    return own === undefined
      ? { ...cause, word: quoteTypedWord(text), corrected: without }
      : meant(cause, own);
  }
  const near = titleWords.has(name)
    ? report.titleFilters[0]?.option
    : (shortOption(token, context) ?? nearest(name.replace(/\s+/g, '_'), optionNames(token, context)));
  return meant({ kind: 'unknown-option', report: report.name }, near);
}

/** A sign that means “not” before a word, as people type it elsewhere. No correction leaves it out. */
const notSign = /^(?:[!\uff01¬≠]=?|[-–−](?!\d))\s*/;

/** `!departments:Sales` and `-departments:Sales`: the sign stands after the colon. */
function excludedOption(token: OptionToken, context: OptionsContext): Problem | undefined {
  const { text, report } = context;
  const name = token.name.replace(notSign, '');
  if (name === token.name || name === '') return undefined;
  const value = text.slice(token.nameEnd, token.end).trim();
  const hasSign = token.entries.some((entry) => signBefore(entry, text) !== undefined);
  const isCondition = conditionFieldNamed(report, name) && value !== '' && !hasSign;
  const part = { start: token.start, end: token.end, text: `${token.name}:` };
  const near = isCondition ? `${name}:!${value}` : undefined;
  return withSuggestion({ kind: 'unknown-option', report: report.name }, part, near, context);
}

/** The names that can stand before a colon; those of conditions where the value is one. */
function optionNames({ entries }: OptionToken, { report, text }: OptionsContext): readonly string[] {
  const isCondition = entries.some((entry) => signBefore(entry, text) !== undefined);
  return compact(
    [...optionsOf(report).keys()],
    isCondition && conditionFields(report).map(({ name }) => name),
  );
}

/** The problem of `assigned:` in a request that looks at more than what is open: its plain range is enough. */
export function assignedElsewhere(token: OptionToken, { report, text }: OptionsContext): Problem {
  const plainRange = report.range ? token.entries.map((entry) => entry.text).join(',') : '';
  const word = quoteTypedWord(text.slice(token.start, token.end));
  const corrected = replaceSpan(text, token, plainRange);
  return { kind: 'only-for-open', report: report.name, word, corrected };
}

/** Words that people type instead of an option for titles. */
const titleWords: ReadonlySet<string> = new Set(['title', 'name', 'course', 'training', 'module', 'lesson']);

/** The title option of a report, for that of another one: `tracks content:GDPR`. */
function ownTitleOption(name: string, report: Report): string | undefined {
  const isTitle = allReports.some(({ titleFilters }) => titleFilters.some(({ option }) => option === name));
  return isTitle ? report.titleFilters[0]?.option : undefined;
}

export function unknownField(entry: Entry, option: string, context: OptionsContext): Problem {
  const typed = entry.text.trim();
  const cause = { kind: 'unknown-field', option, report: context.report.name } as const;
  const next = wordAfter(entry, context);
  // `fields:first name`
  const joined = next && fieldOf(context.report, `${typed}_${next.text}`.toLowerCase());
  if (joined) return withSuggestion(cause, { start: entry.start, end: next.end }, joined.flag, context);
  const near = notSign.test(typed) ? undefined : nearestField(typed.replace(/[\s-]+/g, '_'), context.report);
  return withSuggestion(cause, entry, near, context);
}

/**
 * The nearest field. In this order:
 * 1. the field with the label that another report gives to this name: `user_metadata` is `assignee_metadata` for
 *    assignments;
 * 2. the field with this label;
 * 3. the nearest name;
 * 4. the longest name at the start or the end of the typed text.
 */
function nearestField(typed: string, { fields }: Report): string | undefined {
  const flag = typed.toLowerCase();
  const labelElsewhere = allReports.flatMap((report) => fieldOf(report, flag) ?? [])[0]?.label;
  const label = labelElsewhere ?? typed.replaceAll('_', ' ');
  const sameLabel = fields.find((field) => field.label.toLowerCase() === label.toLowerCase());
  const flags = fields.map((field) => field.flag);
  return (
    sameLabel?.flag ??
    nearest(typed, flags) ??
    flags
      .filter((known) => flag.startsWith(`${known}_`) || flag.endsWith(`_${known}`))
      .sort((a, b) => b.length - a.length)[0]
  );
}

export function unknownChoice(
  entry: Entry,
  option: string,
  choices: readonly string[],
  context: OptionsContext,
): Problem {
  const cause = { kind: 'unknown-choice', option, choices, report: context.report.name } as const;
  const near = choices.length === 1 ? choices[0] : nearest(entry.text.replace(/[\s-]+/g, '_'), choices);
  return withSuggestion(cause, entry, near, context);
}

/** The plain word after an entry without quotes, which may belong to it. */
function wordAfter({ quoted, end }: Entry, { text, until }: OptionsContext, ends = /(?=[\s,]|$)/) {
  const form = new RegExp(`^[ \\t]+([^\\s:,"]+)${ends.source}`);
  const found = form.exec(quoted ? '' : text.slice(end, until));
  return found?.[1] === undefined ? undefined : { text: found[1], end: end + found[0].length };
}

/** The problem of a state that the report does not have. The words after it may belong to it: `only:not completed`. */
export function unknownState(entry: Entry, context: OptionsContext): Problem {
  const { report } = context;
  const cause = { kind: 'unknown-state', report: report.name } as const;
  const next = wordAfter(entry, context, /(?![^\s])/);
  const joined = next && stateMeant(`${entry.text} ${next.text}`, report);
  if (joined) return withSuggestion(cause, { start: entry.start, end: next.end }, joined, context);
  const typed = entry.text.trim();
  if (notSign.test(typed))
    return withSuggestion(cause, entry, stateMeant(typed.replace(notSign, 'not-'), report), context);
  const states = report.states.map(({ name }) => name);
  const near = stateMeant(typed, report) ?? nearest(typed.replace(/[\s_]+/g, '-'), states);
  return withSuggestion(cause, entry, near, context);
}

/** The problem of a word after the report that is neither a range nor an option. */
export function unknownWord(tokens: readonly Token[], index: number, context: OptionsContext): Problem {
  const words = nextWords(tokens, index);
  const [first] = words;
  if (!first) throw new Error('Only a word can be an unknown word');
  const typed = first.text.toLowerCase();
  if (typed === 'skip-empty' || typed === 'replace') {
    return leftOut({ kind: 'only-when-scheduled' }, first, context.text);
  }
  const condition = typed === 'when' && conditionFrom(first, context);
  if (condition) return leftOut({ kind: 'only-when-scheduled' }, condition, context.text);
  if (optionsOf(context.report).has(typed)) return colonMissing(first, words[1], context);
  if (isFiller(typed)) {
    const problem = leftOut({ kind: 'filler' }, first, context.text);
    return { ...problem, corrected: andMeansComma(tokens, index, context) ?? problem.corrected };
  }
  const state = stateWithoutOption(words, context);
  if (state) return state;
  const phrase = /^(?:last|this|next)$/.test(typed) ? rangePhrase(words) : [first];
  const span = { start: first.start, end: phrase.at(-1)?.end ?? first.end };
  const phraseTyped = phrase.map(({ text }) => text).join('-');
  const joined = colonWithin(first, context, true);
  if (joined) return joined;
  const isOther = (word: string) => wordsValidAfter(context, word).includes(word.toLowerCase());
  const negated =
    isNotBefore(tokens[index - 1]) && entryWithoutQuotes(tokens, index, first, context, isOther);
  if (negated) return negated;
  const bare = phraseTyped.replace(/[.,;:!?…]+$/, '');
  const ownRange = bare !== phraseTyped && hasRangeForm(bare) ? bare : undefined;
  const near =
    isWeekday(typed) && !context.scheduled
      ? undefined
      : (ownRange ??
        otherWords.get(phraseTyped.toLowerCase()) ??
        nearest(phraseTyped, wordsValidAfter(context, phraseTyped)));
  const other =
    near === undefined
      ? (colonWithin(first, context, false) ?? entryWithoutQuotes(tokens, index, first, context, isOther))
      : undefined;
  return other ?? withSuggestion({ kind: 'unknown-word', report: context.report.name }, span, near, context);
}

/** No slip: “monday” is near to “today”, but means a day of its own. */
function isWeekday(typed: string): boolean {
  return weekdayNames.includes(typed.replace(/s$/, ''));
}

/** `departments:Sales and HR` has two entries. */
function andMeansComma(
  tokens: readonly Token[],
  index: number,
  { text }: OptionsContext,
): string | undefined {
  const [before, word, next] = tokens.slice(Math.max(0, index - 1), index + 2);
  const joins = word?.kind === 'word' && /^(?:and|or|&|\+)$/i.test(word.text);
  if (!joins || before?.kind !== 'option' || next?.kind !== 'word') return undefined;
  return replaceSpan(text, { start: before.end, end: next.start }, ',');
}

/** `when` with the condition after it, where nothing is scheduled. Undefined for other words: they may be a sentence. */
function conditionFrom(when: WordToken, { text, until }: OptionsContext): TextSpan | undefined {
  const read = parseCondition(text, when, until);
  return read.ok ? { start: when.start, end: until } : undefined;
}

/** `last 30 dys` is one phrase, `this weak` too. */
function rangePhrase(words: readonly WordToken[]) {
  return words.slice(0, /^\d+$/.test(words[1]?.text ?? '') ? 3 : 2);
}

/** Words that people type for files, rows and days. */
const otherWords = new Map(
  Object.entries({
    excel: 'xlsx',
    spreadsheet: 'xlsx',
    file: 'csv',
    table: 'rows',
    proof: 'evidence',
    'last-day': 'yesterday',
    'this-day': 'today',
    'next-day': 'tomorrow',
  }),
);

/** Every word that can follow a report, ranges with the number that was typed among them. */
function wordsValidAfter(context: OptionsContext, typed: string) {
  return compact(
    rangesLike(typed, context.report),
    [...fileFormats, 'rows', 'to:me'],
    [...optionsOf(context.report).keys()].map((name) => `${name}:`),
    context.scheduled && ['skip-empty', 'replace', 'keep:', ...cadenceWords],
  );
}

function rangesLike(typed: string, { range }: Report): readonly string[] {
  if (!range) return [];
  const count = /\d{1,4}/.exec(typed)?.[0] ?? '';
  const counted = units.map((unit) => `last-${count}-${unit}s`);
  const padded = /^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?$/.exec(typed)?.slice(1).filter(Boolean);
  const date = padded?.map((part) => part.padStart(2, '0')).join('-');
  const isCounted = Number(count) > 0;
  const ranges = compact(
    date,
    rangeNames(range.hasFuture),
    isCounted && counted,
    isCounted && range.hasFuture && `next-${count}-days`,
  );
  // What is to come is never corrected to what was.
  const [direction = ''] = /^(?:last|this|next)-/i.exec(typed) ?? [];
  return ranges.filter((words) => words.startsWith(direction.toLowerCase()));
}

function nextWords(tokens: readonly Token[], index: number) {
  const words: WordToken[] = [];
  for (const token of tokens.slice(index, index + 3)) {
    if (token.kind !== 'word') break;
    words.push(token);
  }
  return words;
}

function colonMissing(name: WordToken, value: WordToken | undefined, context: OptionsContext): Problem {
  const { text, until } = context;
  const option = `${name.text.toLowerCase()}:`;
  const cause = { kind: 'colon-missing' } as const;
  const colonFollows = text.slice(name.end, until).trimStart().startsWith(':');
  const end = colonFollows ? text.indexOf(':', name.end) + 1 : value?.start;
  if (end !== undefined) return withSuggestion(cause, { ...name, end }, option, context);
  return { ...cause, word: quoteTypedWord(name.text), nearest: option, without: replaceSpan(text, name, '') };
}

/** `onlyoverdue` or `departments=Sales`, with the colon after the longest name that it begins with. */
function colonWithin(word: WordToken, context: OptionsContext, isShort: boolean): Problem | undefined {
  const typed = word.text.toLowerCase();
  const [name] = [...optionsOf(context.report).keys()]
    .filter((name) => typed.startsWith(name) && typed.length > name.length)
    .filter((name) => isShort === name.length <= 2)
    // `overdue` is no `over:due`.
    .filter((name) => name !== 'over' || /^=?\d/.test(typed.slice(name.length)))
    .filter((name) => !isShort || takes(name, typed.slice(name.length), context))
    .sort((a, b) => b.length - a.length);
  if (name === undefined) return undefined;
  const near = `${name}:${word.text.slice(name.length).replace(/^=/, '')}`;
  return withSuggestion({ kind: 'unknown-word', report: context.report.name }, word, near, context);
}

/** `tracks stalled`, `assignments not started`, and `assignments due next-week`. */
function stateWithoutOption(words: readonly WordToken[], context: OptionsContext): Problem | undefined {
  const { report, text, from } = context;
  const cause = { kind: 'unknown-word', report: report.name } as const;
  for (const phrase of [words.slice(0, 2), words.slice(0, 1)]) {
    const [first] = phrase;
    const last = phrase.at(-1);
    if (!first || !last) continue;
    const typed = phrase.map((word) => word.text).join(' ');
    if (typed.toLowerCase() === 'due' && report.name === 'assignments' && !context.view) {
      const after = replaceSpan(text, first, '');
      const name = text.slice(0, from).search(/\S+\s*$/);
      const corrected = `${after.slice(0, name)}due${after.slice(from)}`;
      return { ...cause, word: quoteTypedWord(typed), nearest: corrected, corrected };
    }
    const state = stateMeant(typed, report);
    if (!state) continue;
    const part = { start: first.start, end: last.end, text: typed };
    return withSuggestion(cause, part, `only:${state}`, context);
  }
  return undefined;
}

/** `o:me` or `y:departments`: too short to be near to a name, so the value tells. */
function shortOption({ name, entries }: OptionToken, context: OptionsContext): string | undefined {
  const [value] = entries;
  if (name.length > 2 || !value) return undefined;
  return ['to', 'on', 'by'].find(
    (option) => distance(name.toLowerCase(), option) <= 1 && takes(option, value.text, context),
  );
}

function takes(option: string, typed: string, { report }: OptionsContext): boolean {
  const value = typed.toLowerCase();
  if (option === 'to') return value === 'me';
  if (option === 'by') return fieldOf(report, value) !== undefined;
  return report.dateField?.choices.some(({ flag }) => flag === value) ?? false;
}

/** The problem of a value that comes second, in the option or in another place. */
export function secondValue(entry: Entry, token: OptionToken, { text }: OptionsContext): Problem {
  const option = `${token.name.toLowerCase()}:`;
  const before = token.entries[token.entries.indexOf(entry) - 1];
  const without = replaceSpan(text, before ? { start: before.end, end: token.end } : token, '');
  return { kind: 'one-value', word: quoteTypedWord(entry.text), option, without };
}

/** The problem of an entry after a blank that looks like the next option: a value is missing, or a comma is too many. */
export function entryLikeAnOption(
  token: OptionToken,
  option: string,
  context: OptionsContext,
): Problem | undefined {
  const entry = token.entries.find(({ apart, quoted, text }) => apart && !quoted && looksLikeOption(text));
  if (!entry) return undefined;
  if (entry === token.entries[0]) return valueMissing(token, option, context);
  const before = context.text.slice(token.start, entry.start).replace(/[\s,]+$/, '');
  const corrected = replaceSpan(context.text, { start: token.start, end: entry.start }, `${before} `);
  return { kind: 'option-after-comma', word: quoteTypedWord(entry.text), option, corrected };
}

/** The problem of an option without a value. What follows its colon is kept, where it looks like the next option. */
export function valueMissing(token: OptionToken, option: string, { text }: OptionsContext): Problem {
  const end = token.entries[0]?.start ?? token.end;
  const without = replaceSpan(text, { start: token.start, end }, token.entries.length > 0 ? ' ' : '');
  return { kind: 'value-missing', word: option, option, without };
}

function looksLikeOption(text: string): boolean {
  const colon = text.indexOf(':');
  const name = text.slice(0, colon).toLowerCase();
  return colon > 0 && reportsWithOption(name).length > 0;
}
