import { ok, type Result, refused } from '../errors/failure.js';
import type { AlertComparison, AlertCondition, ConditionRefusal } from './alert-condition.js';
import { cadenceWords } from './cadence-words.js';
import { isFiller } from './filler-words.js';
import { nearest } from './nearest.js';
import { isOptionOrRange } from './parse-cadence.js';
import { leftOut, type Problem, quoteTypedWord, replaceSpan, withSuggestion } from './problem.js';
import { fileFormats } from './request.js';
import type { TextSpan } from './tokens.js';

const comparisons: ReadonlyMap<string, AlertComparison> = new Map([
  ['>', '>'],
  ['above', '>'],
  ['over', '>'],
  ['more than', '>'],
  ['>=', '>='],
  ['≥', '>='],
  ['at least', '>='],
  ['<', '<'],
  ['below', '<'],
  ['under', '<'],
  ['less than', '<'],
  ['fewer than', '<'],
  ['<=', '<='],
  ['≤', '<='],
  ['at most', '<='],
]);

const signs = '[<>=≥≤≠!~]+';
const words = [...comparisons.keys()].filter((word) => /^[a-z]/.test(word)).join('|');
const comparisonForm = new RegExp(
  `${signs}|(?<!\\S)(?:(?:is|are)\\s+)?(${words.replaceAll(' ', '\\s+')})(?!\\S)`,
  'iu',
);

/** Larger numbers would be written with an exponent, which is not read back. */
const valueForm = /^([+-]?\d{1,12}(?:\.\d{1,6})?)\s*(%?)$/;

/** A number or a percentage as typed after a comparison: `50`, `80%`. Undefined for anything else. */
export function parseThresholdValue(
  typed: string,
): { readonly value: number; readonly isPercent: boolean } | undefined {
  const [, number, sign] = valueForm.exec(typed.trim()) ?? [];
  // Not minus 0, which JSON does not keep.
  return number === undefined ? undefined : { value: Number(number) + 0, isPercent: sign === '%' };
}

/**
 * Reads the words between `when` and how often: `overdue > 50`, `changed`, `new-rows`. Corrections contain the whole text.
 *
 * @param when the span of the word `when`
 * @param until where the words of how often begin
 */
export function parseCondition(text: string, when: TextSpan, until: number): Result<AlertCondition, Problem> {
  const typed = new ConditionSource(text, when, until);
  const { start, end } = typed;
  if (start === end) return typed.refuse('condition-missing', when);
  const said = text.slice(start, end);
  const plain = /^(changed|new[-_\s]?rows)(?![^\s,;.])/i.exec(said)?.[0];
  if (plain !== undefined) {
    const kind = /^c/i.test(plain) ? 'changed' : 'new-rows';
    return typed.endsAfter(start + plain.length, { kind });
  }
  const comparison = comparisonForm.exec(said);
  if (!comparison) {
    const near = plainMeant(said);
    return typed.refuse(near === undefined ? 'comparison-missing' : 'not-a-condition', { start, end }, near);
  }
  return readThreshold(typed, said.slice(0, comparison.index), {
    word: comparison[1] ?? comparison[0],
    start: start + comparison.index,
    end: start + comparison.index + comparison[0].length,
  });
}

/** `changes`, `new ones`: a condition without a comparison, mistyped. */
function plainMeant(said: string): string | undefined {
  if (/\bchang/i.test(said)) return 'changed';
  if (/\bnew\b/i.test(said)) return 'new-rows';
  return /\d/.test(said) ? undefined : nearest(said, ['changed', 'new-rows']);
}

function readThreshold(
  typed: ConditionSource,
  before: string,
  compared: TextSpan & { readonly word: string },
): Result<AlertCondition, Problem> {
  const { text, start, end } = typed;
  const figure = figureIn(before);
  const sign = compared.word.toLowerCase().replace(/\s+/g, ' ');
  const comparison = comparisons.get(sign);
  if (figure === '') {
    const near = comparison && turnedRound(text.slice(compared.end, end), comparison);
    return typed.refuse('figure-missing', { start, end }, near);
  }
  if (!comparison) return typed.refuse('not-a-comparison', compared, signMeant(sign));
  const value = spanOf(/\S+(?:\s+(?:%|percent|pct)(?!\S))?/iy, text, compared.end, end);
  if (!value) return typed.refuse('value-missing', { start, end });
  const read = parseThresholdValue(text.slice(value.start, value.end));
  if (!read) {
    const meant = valueMeant(typed, value, figure);
    return typed.refuse('not-a-value', meant?.span ?? value, meant?.value);
  }
  return typed.endsAfter(value.end, { kind: 'threshold', figure, comparison, ...read }, figure);
}

/** `Completion rate` as the ID that it may be: `completion-rate`. */
function figureIn(typed: string): string {
  const words = typed.replace(/["“”„‟]/g, ' ').trim();
  return words.replace(/[\s_]+/g, '-').toLowerCase();
}

/** `50 overdue`, after “more than”: the condition with its figure first. */
function turnedRound(rest: string, comparison: AlertComparison): string | undefined {
  const [, value, figure] = /^\s*(\S+)\s+(?:(?:are|is)\s+)?([a-z][a-z_\s-]{1,40})$/i.exec(rest) ?? [];
  if (value === undefined || figure === undefined || !parseThresholdValue(value)) return undefined;
  return `${figureIn(figure)} ${comparison} ${value}`;
}

/** The comparison that `=>` or `=<` stands for. */
function signMeant(sign: string): string | undefined {
  return { '=>': '>=', '=<': '<=', '>>': '>', '<<': '<' }[sign];
}

/** `1,000`, `0,5`, `.5`, `50,`, `80 percent`, `50people`: the number that is meant, and the words that say it. */
function valueMeant({ text, end }: ConditionSource, span: TextSpan, figure: string) {
  const typed = text.slice(span.start, span.end);
  const [, number = '', unit = ''] = /^([+-]?[\d.,]*\d)\s*(%|[a-z]*)[,;.]*$/iu.exec(typed) ?? [];
  const plain = /^\d{1,3}(?:,\d{3})+$/.test(number) ? number.replaceAll(',', '') : number.replace(',', '.');
  const isPercent = /^(?:%|percent|pct)$/i.test(unit);
  if (unit !== '' && !isPercent && !isUnitOf(figure, unit)) return undefined;
  const value = `${plain.startsWith('.') ? '0' : ''}${plain}${isPercent ? '%' : ''}`;
  return parseThresholdValue(value) && { value, span: { start: span.start, end: Math.min(span.end, end) } };
}

/** True where a word after the number says nothing more than the figure does. */
function isUnitOf(figure: string, unit: string): boolean {
  if (/^h(?:ours?|rs?)?$/i.test(unit)) return /(?:^|-)time$/.test(figure);
  if (/^d(?:ays?)?$/i.test(unit)) return /(?:^|-)days(?:-|$)/.test(figure);
  return /^(?:people|persons?|rows?|assignments?|enrolments?|results?|sessions?|completions?|points?|seats?)$/i.test(
    unit,
  );
}

class ConditionSource {
  /** The span of the condition and what follows it, without blanks at its ends. */
  readonly start: number;
  readonly end: number;

  constructor(
    readonly text: string,
    readonly when: TextSpan,
    until: number,
  ) {
    const said = text.slice(when.end, until);
    this.start = when.end + (said.length - said.trimStart().length);
    this.end = Math.max(this.start, when.end + said.trimEnd().length);
    if (said.trim() === '') this.start = this.end;
  }

  refuse(reason: ConditionRefusal, span: TextSpan, near?: string): Result<AlertCondition, Problem> {
    const { text, when, end } = this;
    const problem = withSuggestion({ kind: 'when', reason }, span, near, this);
    // What is left of a condition is none, so the search for further problems goes on without all of it.
    return refused({ ...problem, without: replaceSpan(text, { start: when.start, end }, '') });
  }

  /** The condition, if nothing follows it. */
  endsAfter(at: number, condition: AlertCondition, figure = ''): Result<AlertCondition, Problem> {
    const { text, when, end } = this;
    const rest = { start: at + (text.slice(at, end).length - text.slice(at, end).trimStart().length), end };
    if (rest.start >= end) return ok(condition);
    const said = text.slice(rest.start, end);
    const [first = '', second] = said.split(/\s+/);
    if (/^skip-empty$/i.test(first)) {
      const word = { start: rest.start, end: rest.start + first.length };
      return refused(leftOut({ kind: 'when', reason: 'skip-empty' }, word, text));
    }
    if (isOptionOrRange(first, second)) {
      const before = text.slice(0, when.start);
      const corrected = `${before}${said} ${text.slice(when.start, at)}${text.slice(end)}`;
      return refused({ kind: 'when', reason: 'options-after', word: quoteTypedWord(said), corrected });
    }
    if (second !== undefined && /^(?:and|or|&|,|but|when)$/i.test(first))
      return this.refuseRest('one-condition', rest);
    const word = { start: rest.start, end: rest.start + first.length };
    if (/^[,;.]+$/.test(first) || isFiller(first)) return refused(leftOut({ kind: 'filler' }, word, text));
    if (isUnitOf(figure, first)) return refused(leftOut({ kind: 'when', reason: 'unit' }, word, text));
    return this.refuseRest('words-after', word, nearest(first, [...cadenceWords, ...optionWords]));
  }

  private refuseRest(reason: ConditionRefusal, span: TextSpan, near?: string) {
    return refused(withSuggestion({ kind: 'when', reason }, span, near, this));
  }
}

/** Options without a colon. Typed here, they are moved before `when` once they are spelled right. */
const optionWords = [...fileFormats, 'rows', 'replace'];

/** The next match of a sticky form after blanks, up to an end. */
function spanOf(form: RegExp, text: string, from: number, until: number): TextSpan | undefined {
  const said = text.slice(0, until);
  form.lastIndex = from + said.slice(from).search(/\S|$/);
  const start = form.lastIndex;
  return form.test(said) ? { start, end: form.lastIndex } : undefined;
}
