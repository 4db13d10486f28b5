import type { Report } from '../catalogue/index.js';
import { calendarDay, formatIsoDay } from '../time/calendar.js';
import type { RangeRefusal } from './date-range.js';
import { type Problem, quoteTypedWord, replaceSpan } from './problem.js';
import { isInTheFuture, parseRangeWords, rangeAt } from './range-words.js';
import type { OptionsContext } from './request-options.js';
import { readTokens, type TextSpan, type Token } from './tokens.js';
import { conditionFieldNamed } from './vocabulary.js';

/** An option that takes a range, with the words that belong to it: `assigned:last 30 days`. */
export function rangeOption(tokens: readonly Token[], index: number, report?: Report) {
  const token = tokens[index];
  if (token?.kind !== 'option') return undefined;
  const isDate = () => report && conditionFieldNamed(report, token.name)?.kind === 'date';
  if (!/^(?:since|assigned)$/i.test(token.name) && !isDate()) return undefined;
  const [entry, second] = token.entries;
  if (!entry || second) return undefined;
  const range = rangeAt([{ kind: 'word', ...entry }, ...tokens.slice(index + 1)], 0);
  if (!range || range.tokens === 1) return { token, count: 1 };
  const { text, end } = range;
  return { token: { ...token, end, entries: [{ ...entry, text, end }] }, count: range.tokens };
}

/**
 * Applies a range, typed alone or after `since:` or `assigned:`.
 *
 * @param target `assigned`: the range that `overdue` and `due` have besides that of due dates
 */
export function applyRange(
  { text: typed, ...span }: TextSpan & { readonly text: string },
  context: OptionsContext,
  target: 'range' | 'assigned' = 'range',
): Problem | undefined {
  const { chosen: options, text } = context;
  // No plain range has this prefix.
  const key = target === 'range' ? typed : `assigned:${typed}`;
  if (options.typedRanges.has(key)) return undefined;
  const hasFuture = target === 'range' && context.report.range?.hasFuture;
  const typedWord = () => quoteTypedWord(text.slice(span.start, span.end));
  const rangeProblem = (reason: RangeRefusal['reason'], suggestion?: string): Problem => ({
    kind: 'range',
    word: typedWord(),
    reason,
    report: context.report.name,
    corrected: suggestion === undefined ? undefined : replaceSpan(text, span, suggestion),
    without: replaceSpan(text, span, ''),
    nearest: suggestion || undefined,
  });
  if (!context.report.range) return rangeProblem('no-range', '');
  const parsed = parseRangeWords(typed);
  if (!parsed.ok) {
    const suggestion = parsed.refusal === 'not-a-range' ? undefined : possibleRange(typed);
    return rangeProblem(parsed.refusal, suggestion);
  }
  const { words: range, meaning } = parsed.value;
  if (isInTheFuture(meaning) && !hasFuture) {
    // `on:` may follow, with a date that has a future.
    const dates = context.view ? [] : (context.report.dateField?.choices ?? []);
    if (!dates.some(({ canBeFuture }) => canBeFuture)) {
      const refused = rangeProblem('future');
      return target === 'range' ? { ...refused, ...asDue(range, context) } : refused;
    }
    options.futureRangeProblem = rangeProblem('future');
  }
  const other = options[target];
  if (other !== undefined && other !== range) {
    const corrected = replaceSpan(text, span, '');
    return { kind: 'two-ranges', word: typedWord(), other, corrected };
  }
  options[target] = range;
  options.rangeSpan ??= span;
  options.typedRanges.add(key);
  return undefined;
}

/** What falls due later is not overdue yet: the correction asks for `due`. */
function asDue(range: string, { text, from, view }: OptionsContext) {
  const named = text.slice(0, from).replace(/overdue(?=\s*$)/i, 'due');
  if (view !== 'overdue' || named.length === from) return {};
  return { nearest: `due ${range}`, corrected: named + text.slice(from) };
}

/** The nearest valid range: with swapped ends, the last day of the month, or a count of one. */
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

/**
 * A range as a person typed it, for a sentence that refuses it.
 *
 * @param words the range in its canonical words, which are quoted where nothing typed means them
 * @param typed the whole command, if any
 */
export function quoteTypedRange(words: string, typed = ''): string {
  const tokens = readTokens(typed, 0);
  for (const [index, token] of tokens.entries()) {
    const option = rangeOption(tokens, index)?.token;
    const range = option ? { ...option, text: option.entries[0]?.text } : rangeAt(tokens, index);
    const prefix = /^since$/i.test(option?.name ?? '') ? 'since:' : '';
    const parsed = parseRangeWords(prefix + (range?.text ?? ''));
    if (parsed.ok && parsed.value.words === words)
      return quoteTypedWord(typed.slice(token.start, range?.end));
  }
  return quoteTypedWord(words);
}
