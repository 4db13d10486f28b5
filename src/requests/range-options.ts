import { calendarDay, formatIsoDay } from '../time/calendar.js';
import type { RangeRefusal } from './date-range.js';
import { type Problem, quoteTypedWord, replaceSpan } from './problem.js';
import { isInTheFuture, parseRangeWords, rangeAt } from './range-words.js';
import type { OptionsContext } from './request-options.js';
import { type OptionToken, readTokens, type TextSpan, type Token } from './tokens.js';

/** An option that takes a range, with the words that belong to it: `assigned:last 30 days`. */
export function rangeOption(
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

/**
 * Applies a range, typed alone or after `since:` or `assigned:`.
 *
 * @param target `assigned`: the range that `overdue` and `due` have besides that of due dates
 */
export function applyRange(
  words: readonly (TextSpan & { readonly text: string })[],
  context: OptionsContext,
  target: 'range' | 'assigned' = 'range',
): Problem | undefined {
  const { chosen: options, text } = context;
  const typed = words.map((word) => word.text).join(' ');
  // No plain range has this prefix.
  const key = target === 'range' ? typed : `assigned:${typed}`;
  if (options.typedRanges.has(key)) return undefined;
  const hasFuture = target === 'range' && context.report.range?.hasFuture;
  const span = { start: words[0]?.start ?? 0, end: words.at(-1)?.end ?? 0 };
  const word = quoteTypedWord(text.slice(span.start, span.end));
  const rangeProblem = (reason: RangeRefusal['reason'], suggestion?: string): Problem => ({
    kind: 'range',
    word,
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
    return { kind: 'two-ranges', word, other, corrected };
  }
  options[target] = range;
  options.typedRanges.add(key);
  return undefined;
}

/** What falls due later is not overdue yet: the correction asks for `due`. */
function asDue(range: string, { text, from, view }: OptionsContext): Pick<Problem, 'nearest' | 'corrected'> {
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
