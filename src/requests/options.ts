import { type FilterMember, type FilterObject, fieldOf, type Report } from '../catalogue/index.js';
import { ok, type Result, refused } from '../errors/result.js';
import { calendarDay, formatIsoDay } from '../time/calendar.js';
import { entryLikeAnOption, unknownChoice, unknownField, unknownOption, unknownWord } from './corrections.js';
import type { RangeRefusal } from './date-range.js';
import { type Problem, quoteTypedWord, replaceStretch } from './problem.js';
import { isInTheFuture, parseRangeWords, rangeAt } from './range-words.js';
import { acceptsAny, anyEntry, reportForRequest } from './report-for.js';
import { type Entry, type OptionToken, readTokens, type Stretch, type Token } from './tokens.js';
import { type OptionMeaning, optionsOf, qualifiedName } from './vocabulary.js';

/** Parses a range and options, up to the first problem. */
export function readOptions(context: OptionsContext): Result<RequestOptions, Problem> {
  const tokens = readTokens(context.text, context.from, context.until);
  const options = emptyOptions();
  for (let index = 0; index < tokens.length; ) {
    const taken = applyNextToken(tokens, index, options, context);
    if (!taken.ok) return taken;
    index += taken.value;
  }
  const problem = validateCombination(options, tokens, context);
  return problem ? refused(problem) : ok(options);
}

/** What shows only when everything was read: the date that a range goes by may be typed after it. */
function validateCombination(
  options: RequestOptions,
  tokens: readonly Token[],
  context: OptionsContext,
): Problem | undefined {
  const { overdueOnly } = context;
  if (options.byAssignedDate && options.dateField !== undefined && options.dateField !== 'assigned_date') {
    const on = tokens.find((token) => token.kind === 'option' && token.name.toLowerCase() === 'on');
    if (!on) throw new Error('A date field without on:');
    const word = quoteTypedWord(context.text.slice(on.start, on.end));
    return { kind: 'two-dates', word, corrected: replaceStretch(context.text, on, '') };
  }
  const dateField = options.dateField ?? context.dateField;
  const report = reportForRequest({
    report: context.report.name,
    overdueOnly,
    dateField,
  });
  return report.range?.hasFuture ? undefined : options.futureRangeProblem;
}

/** An option that takes a range, with the words that belong to it: `assigned:last 30 days`. */
function rangeOption(
  tokens: readonly Token[],
  index: number,
): { readonly token: OptionToken; readonly count: number } | undefined {
  const token = tokens[index];
  if (token?.kind !== 'option' || !/^(?:since|assigned)$/i.test(token.name)) return undefined;
  const [entry, second] = token.entries;
  if (!entry || second) return undefined;
  const range = rangeAt([{ kind: 'word', ...entry }, ...tokens.slice(index + 1)], 0);
  const last = range.at(-1);
  if (!last || range.length === 1) return { token, count: 1 };
  const text = range.map((word) => word.text).join(' ');
  return {
    token: { ...token, end: last.end, entries: [{ ...entry, text, end: last.end }] },
    count: range.length,
  };
}

/** Applies the token at an index. Returns how many tokens it consumed, or the problem. */
function applyNextToken(
  tokens: readonly Token[],
  index: number,
  options: RequestOptions,
  context: OptionsContext,
): Result<number, Problem> {
  const token = tokens[index];
  if (!token) return ok(1);
  if (token.kind === 'open-quote') {
    const word = quoteTypedWord(context.text.slice(token.start, context.until));
    return refused({ kind: 'quote-not-closed', word });
  }
  if (token.kind === 'option') {
    const { token: option, count } = rangeOption(tokens, index) ?? { token, count: 1 };
    const problem = applyOption(option, options, context);
    return problem ? refused(problem) : ok(count);
  }
  const range = rangeAt(tokens, index, options.typedRanges);
  if (range.length > 0) {
    const problem = applyRange(range, options, context);
    return problem ? refused(problem) : ok(range.length);
  }
  const word = token.text.toLowerCase();
  if (word === 'csv') options.csv = true;
  else if (word === 'skip-empty' && context.scheduled) options.skipEmpty = true;
  else return refused(unknownWord(tokens, index, context));
  return ok(1);
}

/**
 * A range as a person typed it, for a sentence that refuses it.
 *
 * @param typed the whole command
 * @param words the range in its canonical words, which are returned where nothing typed means them
 */
export function rangeAsTyped(typed: string, words: string): string {
  const tokens = readTokens(typed, 0);
  for (const [index, token] of tokens.entries()) {
    const option = rangeOption(tokens, index)?.token;
    const entry = option?.entries[0]?.text ?? '';
    const range = option ? [] : rangeAt(tokens, index);
    const text = option
      ? `${/^since$/i.test(option.name) ? 'since:' : ''}${entry}`
      : range.map((word) => word.text).join(' ');
    const parsed = parseRangeWords(text);
    if (parsed.ok && parsed.value.words === words) {
      return typed.slice(token.start, option?.end ?? range.at(-1)?.end);
    }
  }
  return words;
}

const yesOrNo: ReadonlyMap<string, string> = new Map([
  ['yes', 'true'],
  ['no', 'false'],
  ['true', 'true'],
  ['false', 'false'],
]);

/** Applies one option, or returns what is wrong with it. */
function applyOption(
  token: OptionToken,
  options: RequestOptions,
  context: OptionsContext,
): Problem | undefined {
  const name = token.name.toLowerCase();
  const meaning = optionsOf(context.report, context.overdueOnly).get(name);
  if (!meaning) return unknownOption(token, context);
  const option = `${name}:`;
  const [first, second] = token.entries;
  if (!first) return { kind: 'value-missing', word: option, option };
  const wrong = entryLikeAnOption(token, option, context) ?? entryWithComma(token, option);
  if (wrong) return wrong;
  if (meaning.kind === 'filter' && meaning.member.kind !== 'yes-no') {
    const entries = entriesFor(options, meaning.object, meaning.member);
    for (const { text } of token.entries) entries.add(text);
    return undefined;
  }
  if (meaning.kind === 'fields') return applyColumns(token, options, context);
  if (second) return { kind: 'one-value', word: quoteTypedWord(second.text), option };
  return applyValue(meaning, first, token, options, context);
}

function entryWithComma(token: OptionToken, option: string): Problem | undefined {
  const entry = token.entries.find(({ text }) => text.includes(','));
  return entry && { kind: 'comma-in-entry', word: quoteTypedWord(entry.text), option };
}

function applyColumns(
  token: OptionToken,
  options: RequestOptions,
  context: OptionsContext,
): Problem | undefined {
  for (const entry of token.entries) {
    const field = fieldOf(context.report, entry.text.toLowerCase());
    if (!field) return unknownField(entry, 'fields:', context);
    options.columns.add(field.flag);
  }
  return undefined;
}

/** Takes the value of an option that has one alone. */
function applyValue(
  meaning: OptionMeaning,
  entry: Entry,
  token: OptionToken,
  options: RequestOptions,
  context: OptionsContext,
): Problem | undefined {
  const { report } = context;
  const option = `${token.name.toLowerCase()}:`;
  const value = entry.text.toLowerCase();
  const chooseFrom = (choices: readonly string[], what: 'dateField' | 'sort') =>
    choices.includes(value) ? takeOnce(what) : unknownChoice(entry, option, choices, context);
  const takeOnce = (what: 'dateField' | 'sort' | 'by'): Problem | undefined => {
    if (options[what] !== undefined && options[what] !== value) return secondValue(entry, option);
    options[what] = value;
    return undefined;
  };
  switch (meaning.kind) {
    case 'since':
      return applyRange(
        [{ text: `since:${entry.text}`, start: token.start, end: token.end }],
        options,
        context,
      );
    case 'assigned':
      options.byAssignedDate = true;
      return applyRange([{ text: entry.text, start: token.start, end: token.end }], options, context);
    case 'by':
      return fieldOf(report, value) ? takeOnce('by') : unknownField(entry, option, context);
    case 'on':
      return chooseFrom(report.dateField?.choices.map(({ flag }) => flag) ?? [], 'dateField');
    case 'sort':
      return chooseFrom(report.sorts, 'sort');
    case 'filter': {
      const canBeAny = context.overdueOnly && acceptsAny(meaning.object.name, meaning.member.name);
      const chosen = canBeAny && value === anyEntry ? anyEntry : yesOrNo.get(value);
      const choices = canBeAny ? ['yes', 'no', anyEntry] : ['yes', 'no'];
      if (!chosen) return unknownChoice(entry, option, choices, context);
      const entries = entriesFor(options, meaning.object, meaning.member);
      if (entries.size > 0) return secondValue(entry, option);
      entries.add(chosen);
      return undefined;
    }
    default:
      if (value !== 'me') return unknownChoice(entry, option, ['me'], context);
      options.toMe = true;
      return undefined;
  }
}

function secondValue(entry: Entry, option: string): Problem {
  return { kind: 'one-value', word: quoteTypedWord(entry.text), option };
}

/** Applies a range, typed alone or after `since:`. */
function applyRange(
  words: readonly (Stretch & { readonly text: string })[],
  options: RequestOptions,
  context: OptionsContext,
): Problem | undefined {
  const typed = words.map(({ text }) => text).join(' ');
  if (options.typedRanges.has(typed)) return undefined;
  const stretch = { start: words[0]?.start ?? 0, end: words.at(-1)?.end ?? 0 };
  const word = quoteTypedWord(context.text.slice(stretch.start, stretch.end));
  const rangeProblem = (reason: RangeRefusal['reason'], suggestion?: string): Problem => ({
    kind: 'range',
    word,
    reason,
    report: context.report.name,
    corrected: suggestion === undefined ? undefined : replaceStretch(context.text, stretch, suggestion),
    nearest: suggestion || undefined,
  });
  if (!context.report.range) return rangeProblem('no-range', '');
  const parsed = parseRangeWords(typed);
  if (!parsed.ok) {
    const suggestion = parsed.refusal === 'not-a-range' ? undefined : possibleRange(typed);
    return rangeProblem(parsed.refusal, suggestion);
  }
  const { words: range, meaning } = parsed.value;
  if (isInTheFuture(meaning) && !context.report.range.hasFuture) {
    // The date that the range goes by may be typed after it.
    const dates = context.overdueOnly ? [] : (context.report.dateField?.choices ?? []);
    if (!dates.some(({ canBeFuture }) => canBeFuture)) return rangeProblem('future');
    options.futureRangeProblem = rangeProblem('future');
  }
  if (options.range !== undefined && options.range !== range) {
    const corrected = replaceStretch(context.text, stretch, '');
    return { kind: 'two-ranges', word, other: options.range, corrected };
  }
  options.range = range;
  options.typedRanges.add(typed);
  return undefined;
}

/** A valid range for an impossible one: ends swapped, the last day of the month, or a count of one. */
function possibleRange(typed: string): string | undefined {
  const words = typed.trim().toLowerCase().replace(/\s+/g, '-');
  const ends = words.split(/-?\.\.-?/);
  const swapped = [...ends].reverse().join('..');
  const shortened = words.replace(/(\d{4})-(\d{2})-(\d{2})/g, lastDayOfItsMonth);
  const single = words.replace(/^(last|next)-0+(?=\D|$)/, '$1-1');
  for (const suggestion of [swapped, shortened, single]) {
    const parsed = parseRangeWords(suggestion);
    if (parsed.ok) return parsed.value.words;
  }
  return undefined;
}

function lastDayOfItsMonth(date: string, year: string, month: string, dayOfMonth: string): string {
  for (let last = Math.min(Number(dayOfMonth), 31); last > 27; last -= 1) {
    const day = calendarDay(Number(year), Number(month), last);
    if (day) return formatIsoDay(day);
  }
  return date;
}

/** The entries of a member so far. */
function entriesFor(options: RequestOptions, object: FilterObject, member: FilterMember): Set<string> {
  const name = qualifiedName(object, member);
  const entries = options.filters.get(name) ?? new Set();
  options.filters.set(name, entries);
  return entries;
}

/** The range and options of a command, collected token by token. */
export interface RequestOptions {
  range?: string;
  /** True where `assigned:` set the range. */
  byAssignedDate: boolean;
  /** Why the range cannot be, unless it goes by a date that can lie ahead. */
  futureRangeProblem?: Problem;
  /** How the range was typed, each way once: a range typed a thousand times is read once. */
  readonly typedRanges: Set<string>;
  dateField?: string;
  sort?: string;
  by?: string;
  readonly columns: Set<string>;
  /** Entries by the member's name in full, `user.departments`. */
  readonly filters: Map<string, Set<string>>;
  csv: boolean;
  toMe: boolean;
  skipEmpty: boolean;
}

/** The text that holds the options, and the report they are for. */
export interface OptionsContext {
  readonly text: string;
  readonly from: number;
  readonly until: number;
  /** With the range that the request takes before its own words change that: see `reportFor`. */
  readonly report: Report;
  readonly overdueOnly: boolean;
  /** The date field of the saved request that the words lie on top of. */
  readonly dateField?: string | undefined;
  /** True in `schedule`, where `skip-empty` has a meaning. */
  readonly scheduled: boolean;
}

function emptyOptions(): RequestOptions {
  return {
    byAssignedDate: false,
    typedRanges: new Set(),
    columns: new Set(),
    filters: new Map(),
    csv: false,
    toMe: false,
    skipEmpty: false,
  };
}
