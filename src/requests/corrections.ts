import { allReports, fieldOf, type Report } from '../catalogue/index.js';
import { cadenceWords } from './cadence-words.js';
import { nearest } from './nearest.js';
import {
  type Problem,
  type ProblemCause,
  quoteTypedWord,
  replaceStretch,
  withSuggestion,
} from './problem.js';
import { rangeAt, rangeNames } from './range-words.js';
import type { OptionsContext } from './request-options.js';
import {
  type Entry,
  type OptionToken,
  quoteEntry,
  readTokens,
  type Stretch,
  type Token,
  type WordToken,
  wordAt,
} from './tokens.js';
import { optionsOf, reportsWithOption, reportWord, reportWords, subcommands } from './vocabulary.js';

/** The problem of an option that the report does not have. */
export function unknownOption(token: OptionToken, context: OptionsContext): Problem {
  const { report } = context;
  const name = token.name.toLowerCase();
  const quoted = quoteTypedWord(context.text.slice(token.start, token.end));
  if (name === 'since') {
    const corrected = replaceStretch(context.text, token, '');
    return { kind: 'range', reason: 'no-range', report: report.name, word: quoted, corrected };
  }
  if (name === 'assigned') {
    const plainRange = report.range ? token.entries.map(({ text }) => text).join(',') : '';
    const corrected = replaceStretch(context.text, token, plainRange);
    return { kind: 'only-for-views', report: report.name, word: quoted, corrected };
  }
  // A colon alone would not tell people what is wrong.
  const word = name === '' ? quoted : quoteTypedWord(`${token.name}:`);
  const reports = reportsWithOption(name);
  if (reports.length > 0) {
    const corrected = replaceStretch(context.text, token, '');
    return { kind: 'not-for-report', word, report: report.name, reports, corrected };
  }
  const near = nearest(name.replace(/\s+/g, '_'), optionsOf(report, context.view).keys());
  const stretch = { start: token.start, end: token.nameEnd };
  return withSuggestion(
    { kind: 'unknown-option', report: report.name },
    word,
    near && `${near}:`,
    stretch,
    context,
  );
}

export function unknownField(entry: Entry, option: string, context: OptionsContext): Problem {
  const near = nearestField(entry.text.trim().replace(/[\s-]+/g, '_'), context.report);
  const cause: ProblemCause = { kind: 'unknown-field', option, report: context.report.name };
  return withSuggestion(cause, quoteTypedWord(entry.text), near, entry, context);
}

/**
 * The nearest field: the one that goes by the same label as another report's field of that name
 * (`user_metadata` is `assignee_metadata` for assignments); the one of that label; else the nearest name; else the
 * longest name that what was typed begins or ends with.
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
  return withSuggestion(cause, quoteTypedWord(entry.text), near, entry, context);
}

/** The problem of a state that the report does not have. */
export function unknownState(entry: Entry, context: OptionsContext): Problem {
  const { report } = context;
  const states = report.states.map(({ name }) => name);
  const near = nearest(entry.text.trim().replace(/[\s_]+/g, '-'), states);
  return withSuggestion(
    { kind: 'unknown-state', report: report.name },
    quoteTypedWord(entry.text),
    near,
    entry,
    context,
  );
}

/** The problem of an entry after a blank that looks like the next option: a value is missing, or a comma is too many. */
export function entryLikeAnOption(
  token: OptionToken,
  option: string,
  context: OptionsContext,
): Problem | undefined {
  const entry = token.entries.find(({ apart, quoted, text }) => apart && !quoted && looksLikeOption(text));
  if (!entry) return undefined;
  if (entry === token.entries[0]) return { kind: 'value-missing', word: option, option };
  const before = context.text.slice(token.start, entry.start).replace(/[\s,]+$/, '');
  const corrected = replaceStretch(context.text, { start: token.start, end: entry.start }, `${before} `);
  return { kind: 'option-after-comma', word: quoteTypedWord(entry.text), option, corrected };
}

function looksLikeOption(text: string): boolean {
  const colon = text.indexOf(':');
  const name = text.slice(0, colon).toLowerCase();
  return colon > 0 && (name === 'assigned' || reportsWithOption(name).length > 0);
}

/** The problem of a command that begins with neither a report, a subcommand nor a saved name. */
export function unknownFirstWord(text: string, savedNames: readonly string[]): Problem {
  const tokens = readTokens(text, 0);
  const [first] = tokens;
  if (!first || first.kind === 'open-quote') return { kind: 'quote-not-closed', word: quoteTypedWord(text) };
  const range = rangeAt(tokens, 0);
  if (first.kind === 'option' || range.length > 0) {
    return reportMissing(text, tokens, { start: first.start, end: range.at(-1)?.end ?? first.end });
  }
  const second = tokens[1]?.kind === 'word' ? tokens[1] : undefined;
  const joined = second && reportWord(`${first.text}-${second.text}`);
  if (joined) return unknownStretch(text, { start: first.start, end: second.end }, joined);
  const valid = [...reportWords(), ...subcommands.map(({ word }) => word)];
  const near = nearest(first.text, valid);
  return near ? unknownStretch(text, first, near) : unknownName(text, first, savedNames);
}

/** The problem of a word where a report is expected. */
export function unknownReport(text: string, word: Stretch & { readonly text: string }): Problem {
  return unknownStretch(text, word, nearest(word.text, reportWords()));
}

function unknownStretch(text: string, stretch: Stretch, near: string | undefined): Problem {
  const word = quoteTypedWord(text.slice(stretch.start, stretch.end));
  return withSuggestion({ kind: 'unknown-report' }, word, near, stretch, { text });
}

/** A saved name of several words is held against as many words of the text. */
function unknownName(text: string, first: Stretch, savedNames: readonly string[]): Problem {
  const lengths = [...new Set(savedNames.map(wordCount))].sort((a, b) => b - a);
  for (const length of lengths) {
    const stretch = wordsFrom(text, length);
    const names = savedNames.filter((name) => wordCount(name) === length);
    const near = nearest(text.slice(stretch.start, stretch.end), names);
    if (near !== undefined) return unknownStretch(text, stretch, near);
  }
  return unknownStretch(text, first, undefined);
}

function wordCount(name: string): number {
  return name.split(/\s+/).length;
}

function wordsFrom(text: string, count: number): Stretch {
  let end = 0;
  for (let words = 0; words < count; words += 1) end = wordAt(text, end)?.end ?? end;
  return { start: 0, end };
}

/** `last-week engagement`: the report goes first. */
function reportMissing(text: string, tokens: readonly Token[], stretch: Stretch): Problem {
  const word = quoteTypedWord(text.slice(stretch.start, stretch.end));
  for (const token of tokens) {
    const report = token.kind === 'word' ? reportWord(token.text) : undefined;
    if (!report) continue;
    return { kind: 'report-missing', word, corrected: `${report} ${replaceStretch(text, token, '')}` };
  }
  return { kind: 'report-missing', word };
}

/** The problem of a word after the report that is neither a range nor an option. */
export function unknownWord(tokens: readonly Token[], index: number, context: OptionsContext): Problem {
  const words = nextWords(tokens, index);
  const [first] = words;
  if (!first) throw new Error('Only a word can be an unknown word');
  const typed = first.text.toLowerCase();
  if (typed === 'skip-empty' || typed === 'replace') {
    const corrected = replaceStretch(context.text, first, '');
    return { kind: 'only-when-scheduled', word: quoteTypedWord(first.text), corrected };
  }
  if (optionsOf(context.report, context.view).has(typed)) return colonMissing(first, words[1], context);
  const phrase = /^(?:last|this|next)$/.test(typed) ? rangePhrase(words) : [first];
  const stretch = { start: first.start, end: phrase.at(-1)?.end ?? first.end };
  const phraseTyped = phrase.map(({ text }) => text).join('-');
  const near = nearest(phraseTyped, wordsValidAfter(context, phraseTyped));
  const unquoted = near === undefined ? entryWithoutQuotes(tokens, index, words, context) : undefined;
  if (unquoted) return unquoted;
  const cause = { kind: 'unknown-word', report: context.report.name } as const;
  return withSuggestion(
    cause,
    quoteTypedWord(context.text.slice(stretch.start, stretch.end)),
    near,
    stretch,
    context,
  );
}

/** `last 30 dys` is one phrase, `this weak` too. */
function rangePhrase(words: readonly WordToken[]): readonly WordToken[] {
  return words.slice(0, /^\d+$/.test(words[1]?.text ?? '') ? 3 : 2);
}

/** Every word that can follow a report, ranges with the number that was typed among them. */
function wordsValidAfter(context: OptionsContext, typed: string): readonly string[] {
  const options = [
    'csv',
    'xlsx',
    'rows',
    ...[...optionsOf(context.report, context.view).keys()].map((name) => `${name}:`),
  ];
  return [
    ...rangesLike(typed, context.report),
    ...options,
    ...(context.scheduled ? ['skip-empty', 'replace', 'keep:', ...cadenceWords] : []),
  ];
}

function rangesLike(typed: string, { range }: Report): readonly string[] {
  if (!range) return [];
  const count = /\d{1,4}/.exec(typed)?.[0] ?? '';
  const counted = ['days', 'weeks', 'months', 'quarters', 'years'].map((unit) => `last-${count}-${unit}`);
  const padded = /^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?$/.exec(typed)?.slice(1).filter(Boolean);
  const date = padded?.map((part) => part.padStart(2, '0')).join('-');
  return [
    ...(date ? [date] : []),
    ...rangeNames(range.hasFuture),
    ...(count && Number(count) > 0 ? [...counted, ...(range.hasFuture ? [`next-${count}-days`] : [])] : []),
  ];
}

function colonMissing(name: WordToken, value: WordToken | undefined, context: OptionsContext): Problem {
  const option = `${name.text.toLowerCase()}:`;
  const colonFollows = context.text.slice(name.end, context.until).trimStart().startsWith(':');
  const word = quoteTypedWord(name.text);
  if (colonFollows) {
    const stretch = { start: name.start, end: context.text.indexOf(':', name.end) + 1 };
    return withSuggestion({ kind: 'colon-missing' }, word, option, stretch, context);
  }
  if (!value) return { kind: 'colon-missing', word, nearest: option };
  return withSuggestion(
    { kind: 'colon-missing' },
    word,
    option,
    { start: name.start, end: value.start },
    context,
  );
}

/** After `departments:Field`, the word `Operations` is probably the rest of the entry. */
function entryWithoutQuotes(
  tokens: readonly Token[],
  index: number,
  words: readonly WordToken[],
  context: OptionsContext,
): Problem | undefined {
  const before = tokens[index - 1];
  const [word] = words;
  const entry = before?.kind === 'option' ? before.entries.at(-1) : undefined;
  if (before?.kind !== 'option' || !entry || entry.quoted || !word) return undefined;
  const stretch: Stretch = { start: entry.start, end: word.end };
  const quoted = quoteEntry(`${entry.text} ${word.text}`);
  return {
    kind: 'quotes-missing',
    word: quoteTypedWord(word.text),
    option: `${before.name.toLowerCase()}:`,
    nearest: quoteTypedWord(quoted),
    corrected: replaceStretch(context.text, stretch, quoted),
  };
}

function nextWords(tokens: readonly Token[], index: number): readonly WordToken[] {
  const words: WordToken[] = [];
  for (const token of tokens.slice(index, index + 3)) {
    if (token.kind !== 'word') break;
    words.push(token);
  }
  return words;
}
