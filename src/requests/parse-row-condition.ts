import type { ConditionField } from '../catalogue/conditions.js';
import { hasForeignSign, withPlainSigns } from './plain-signs.js';
import {
  leftOut,
  type Problem,
  type ProblemCause,
  quoteTypedWord,
  replaceSpan,
  withSuggestion,
} from './problem.js';
import { hasRangeForm, parseRangeWords } from './range-words.js';
import { acceptsAny, anyEntry, fileFormats } from './request.js';
import type { OptionsContext } from './request-options.js';
import {
  type ConditionSign,
  isComparison,
  maxConditions,
  type RowCondition,
  type RowConditionRefusal,
} from './row-conditions.js';
import { type Entry, type OptionToken, signBefore } from './tokens.js';
import { conditionFieldNamed, optionsOf } from './vocabulary.js';

const canonicalSigns: ReadonlyMap<string, ConditionSign> = new Map([
  ['!', '!'],
  ['!=', '!'],
  ['=', '='],
  ['==', '='],
  ['>', '>'],
  ['>=', '>='],
  ['=>', '>='],
  ['≥', '>='],
  ['<', '<'],
  ['<=', '<='],
  ['=<', '<='],
  ['≤', '<='],
]);

function isWord(entry: Entry | undefined, ...words: readonly string[]): boolean {
  return entry !== undefined && !entry.quoted && words.includes(entry.text.toLowerCase());
}

/** True for an option whose value is, or tries to be, a condition on rows. Its report may lack the field. */
export function isRowCondition(
  token: OptionToken,
  { report, text }: Pick<OptionsContext, 'report' | 'text'>,
): boolean {
  const meaning = optionsOf(report).get(token.name.toLowerCase());
  if (meaning && meaning.kind !== 'filter' && meaning.kind !== 'title') return false;
  const field = conditionFieldNamed(report, token.name);
  if (!meaning) return field !== undefined || isMetadata(token.name, { report });
  const [first] = token.entries;
  if (token.entries.some((entry) => signBefore(entry, text) !== undefined || hasForeignSign(entry, text)))
    return true;
  if (meaning.kind === 'filter' && acceptsAny(meaning.object.name, meaning.member.name)) {
    return isWord(first, 'none');
  }
  return token.entries.some((entry) => isWord(entry, 'none', anyEntry));
}

/** True for the name of metadata without a key. */
function isMetadata(name: string, { report }: Pick<OptionsContext, 'report'>): boolean {
  return report.fields.some(({ flag, kind }) => kind === 'metadata' && flag === name.toLowerCase());
}

/** Adds the conditions of an option, or returns its problem. Only where `isRowCondition`. */
export function applyRowCondition(token: OptionToken, context: OptionsContext): Problem | undefined {
  const { report, chosen } = context;
  const field = conditionFieldNamed(report, token.name);
  const option = `${token.name.toLowerCase()}:`;
  if (!field) {
    const reason = isMetadata(token.name, context) ? 'key-missing' : 'no-field';
    return leftOut({ kind: 'condition', option, reason }, token, context.text);
  }
  const read = readCondition(token, field, option, context);
  if ('kind' in read) return read;
  chosen.conditions.push({ condition: read, token });
  return chosen.conditions.length > maxConditions
    ? leftOut({ kind: 'condition', option, reason: 'too-many' }, token, context.text)
    : undefined;
}

function readCondition(
  token: OptionToken,
  field: ConditionField,
  option: string,
  context: OptionsContext,
): RowCondition | Problem {
  const { text } = context;
  const { id, kind, name } = field;
  const [first] = token.entries;
  const cause = (reason: RowConditionRefusal): ProblemCause => ({ kind: 'condition', option, reason, field });
  if (!first) return valueMissing(token, '', field, option, context);
  const typedSign = signBefore(first, text);
  const [, ...others] = token.entries;
  const signed = others.find((entry) => signBefore(entry, text) !== undefined);
  if (signed) {
    const entries = token.entries.map((entry) =>
      text.slice(entry.start, entry.end).slice(signBefore(entry, text)?.length),
    );
    const corrected = `${token.name}:${signBefore(signed, text)}${entries.join(',')}`;
    const near = typedSign || signBefore(signed, text) !== '!' ? undefined : corrected;
    const same = typedSign === signBefore(signed, text) && typedSign === '!' ? corrected : near;
    return withSuggestion(cause('sign-first'), token, same, context);
  }
  if (typedSign === undefined) {
    if (others.length === 0 && isWord(first, 'none', anyEntry)) {
      return { field: id, sign: isWord(first, 'none') ? 'none' : 'any', values: [] };
    }
    if (token.entries.some((entry) => isWord(entry, 'none', anyEntry))) {
      return withSuggestion(cause('alone'), token, undefined, context);
    }
  }
  const sign = canonicalSigns.get(typedSign ?? '=') ?? '=';
  const value = (typedSign === undefined ? first.text : first.text.slice(typedSign.length)).trim();
  if (value === '') return valueMissing(token, typedSign ?? '', field, option, context);
  if (hasForeignSign(first, text)) {
    const near = withPlainSigns(text.slice(token.start, token.end));
    return withSuggestion(cause('sign-missing'), token, near, context);
  }
  if (typedSign === undefined && kind !== 'date') {
    const near = `${name}:=${text.slice(token.nameEnd, token.end).trim()}`;
    // Another sign, such as a wide one, is no value.
    const isValue = 'value' in canonicalValue(value, field, '=');
    return withSuggestion(cause('sign-missing'), token, isValue ? near : undefined, context);
  }
  const values = [value, ...others.map((entry) => entry.text)];
  const compares = isComparison(sign);
  if (others.length === 0 && !first.quoted && /^(?:none|any)$/i.test(value) && !compares) {
    return {
      field: id,
      sign: (value.toLowerCase() === 'none') === (sign === '=') ? 'none' : 'any',
      values: [],
    };
  }
  const isOrdered = kind === 'number' || kind === 'date';
  if (compares && !isOrdered && !(isNumber(value) && (kind === 'text' || kind === 'any'))) {
    const reason = kind === 'yes-no' ? 'not-yes-or-no' : 'no-order';
    return withSuggestion(cause(reason), token, undefined, context);
  }
  if (values.length > 1 && (compares || (isOrdered && sign === '='))) {
    // Three digits after a comma may be thousands: then nobody knows what is meant.
    const [whole = '', decimals = '', more] = values;
    const isDecimal =
      kind === 'number' && /^\d+$/.test(whole) && /^\d{1,2}$/.test(decimals) && more === undefined;
    const near = isDecimal ? `${name}:${typedSign ?? ''}${values.join('.')}` : undefined;
    return withSuggestion(cause('one-value'), token, near, context);
  }
  const read: string[] = [];
  for (const typed of values) {
    const one = canonicalValue(typed, field, sign);
    if ('reason' in one) {
      const near =
        one.near &&
        `${name}:${typedSign ?? ''}${values.map((all) => (all === typed ? one.near : all)).join(',')}`;
      return withSuggestion(cause(one.reason), { ...token, text: typed }, near, context);
    }
    read.push(one.value);
  }
  return { field: id, sign, values: [...new Set(read)] };
}

/** Numbers as rows have them: with a point, without a sign for percent. */
function isNumber(typed: string): boolean {
  return /^[+-]?\d{1,15}(?:\.\d{1,10})?$/.test(typed);
}

type Read =
  | { readonly value: string }
  | { readonly reason: RowConditionRefusal; readonly near?: string | undefined };

/** @param typed without its sign */
export function canonicalValue(
  typed: string,
  { kind }: Pick<ConditionField, 'kind'>,
  sign: ConditionSign,
): Read {
  const compares = isComparison(sign);
  if (kind === 'number' || (compares && kind !== 'date')) {
    if (isNumber(typed)) return { value: String(Number(typed)) };
    const withZero = typed.replace(/^[+-]?(?=\.\d)/, (sign) => `${sign}0`);
    const [, near] = /^[^\d+-]*([+-]?\d{1,15}(?:\.\d{1,10})?)\D*$/.exec(withZero) ?? [];
    return { reason: 'not-a-number', near };
  }
  if (kind === 'yes-no') {
    const value = yesOrNo.get(typed.toLowerCase());
    return value === undefined ? { reason: 'not-yes-or-no' } : { value };
  }
  if (kind !== 'date') return { value: typed };
  const range = parseRangeWords(typed);
  // What begins on a day has no end to compare with.
  if (range.ok && (range.value.meaning.kind !== 'since' || sign === '=')) return { value: range.value.words };
  const [, day] = /^(\d{4}-\d{2}-\d{2})[t ]/i.exec(typed) ?? [];
  if (day !== undefined && parseRangeWords(day).ok) return { reason: 'date-with-time', near: day };
  return { reason: 'not-a-date' };
}

const yesOrNo = new Map(Object.entries({ yes: 'true', no: 'false', true: 'true', false: 'false' }));

/** A shell takes `<60` away, and Slack may put a blank between the sign and its value. */
function valueMissing(
  token: OptionToken,
  sign: string,
  field: ConditionField,
  option: string,
  context: OptionsContext,
): Problem {
  const { text, until } = context;
  const cause = { kind: 'condition', option, reason: 'value-missing', field } as const;
  const [blanks, value = ''] = /^\s+([^\s:,]+)(?=\s|$)/.exec(text.slice(token.end, until)) ?? [];
  const span = { start: token.start, end: token.end + (blanks?.length ?? 0) };
  const isValue = 'value' in canonicalValue(value, field, canonicalSigns.get(sign) ?? '=');
  if (sign !== '' && blanks !== undefined && isValue && !isWordOfItsOwn(value)) {
    const corrected = `${text.slice(token.start, token.end)}${value}`;
    const problem = withSuggestion(cause, span, corrected, context);
    return { ...problem, word: quoteTypedWord(text.slice(token.start, token.end)) };
  }
  const without = replaceSpan(text, token, '');
  return { ...cause, word: quoteTypedWord(text.slice(token.start, token.end)), without };
}

/** True for a word that says something without an option before it. */
function isWordOfItsOwn(word: string): boolean {
  const plain = word.toLowerCase();
  return plain === 'rows' || fileFormats.some((format) => format === plain) || hasRangeForm(plain);
}
