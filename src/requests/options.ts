import { fieldOf, type TitleOption } from '../catalogue/index.js';
import { ok, type Result, refused } from '../errors/failure.js';
import { parseKeepDays } from '../schedule/keep-days.js';
import { problemOfCombination } from './option-combinations.js';
import {
  entryLikeAnOption,
  secondValue,
  unknownChoice,
  unknownField,
  unknownOption,
  unknownState,
  unknownWord,
  valueMissing,
} from './option-corrections.js';
import { applyOverOption, overOption } from './over-options.js';
import { applyRowCondition, isRowCondition } from './parse-row-condition.js';
import { leftOut, type Problem, quoteTypedWord, replaceSpan, withSuggestion } from './problem.js';
import { parsePurpose } from './purpose.js';
import { openQuote } from './quote-corrections.js';
import { applyRange, rangeOption } from './range-option.js';
import { rangeAt } from './range-words.js';
import { acceptsAny, anyEntry, fileFormats } from './request.js';
import type { OptionsContext, OptionsSource, RequestOptions } from './request-options.js';
import { applyTarget, targetOption } from './target-option.js';
import { type Entry, type OptionToken, readTokens, type Token } from './tokens.js';
import { type FilterOption, type OptionMeaning, optionsOf, qualifiedName } from './vocabulary.js';

/** Parses a range and options, up to the first problem. */
export function readOptions(source: OptionsSource): Result<RequestOptions, Problem> {
  const chosen: RequestOptions = {
    byAssignedDate: false,
    typedRanges: new Set(),
    columns: new Set(),
    states: new Set(),
    titles: [],
    filters: new Map(),
    conditions: [],
    toMe: false,
    skipEmpty: false,
  };
  const context = { ...source, chosen };
  const tokens = readTokens(source.text, source.from, source.until);
  for (let index = 0; index < tokens.length; ) {
    const taken = applyNextToken(tokens, index, context);
    if (typeof taken !== 'number') return refused(taken);
    index += taken;
  }
  const problem = problemOfCombination(tokens, context);
  return problem ? refused(problem) : ok(chosen);
}

/** Applies the token at an index. Returns how many tokens it consumed, or the problem. */
function applyNextToken(tokens: readonly Token[], index: number, context: OptionsContext): number | Problem {
  const { chosen, scheduled, text } = context;
  const token = tokens[index];
  if (!token) return 1;
  if (token.kind === 'open-quote') return openQuote(token, context);
  if (token.kind === 'option') {
    const { token: option, count } = rangeOption(tokens, index, context.report) ??
      targetOption(tokens, index) ??
      overOption(tokens, index) ?? { token, count: 1 };
    return applyOption(option, context) ?? count;
  }
  const range = rangeAt(tokens, index, chosen.typedRanges);
  if (range) return applyRange(range, context) ?? range.tokens;
  const word = token.text.toLowerCase();
  const format = fileFormats.find((one) => one === word);
  if (format) {
    const { file: other = format } = chosen;
    if (other !== word) return leftOut({ kind: 'two-files', other }, token, text);
    chosen.file = format;
  } else if (word === 'rows') chosen.showRows = true;
  else if (word === 'skip-empty' && scheduled) chosen.skipEmpty = true;
  else if (word === 'replace' && scheduled) chosen.replace = true;
  else return unknownWord(tokens, index, context);
  return 1;
}

const yesOrNo = new Map(Object.entries({ yes: 'true', no: 'false', true: 'true', false: 'false' }));

function applyOption(token: OptionToken, context: OptionsContext): Problem | undefined {
  const name = token.name.toLowerCase();
  if (name === 'keep') return applyKeep(token, context);
  if (isRowCondition(token, context)) return applyRowCondition(token, context);
  const meaning = optionsOf(context.report).get(name);
  if (!meaning) return unknownOption(token, context);
  const option = `${name}:`;
  const [first, second] = token.entries;
  if (!first) return valueMissing(token, option, context);
  const likeAnOption = entryLikeAnOption(token, option, context);
  if (likeAnOption) return likeAnOption;
  if (meaning.kind === 'title') return applyTitles(meaning.option, token, context);
  if (meaning.kind === 'purpose') return applyPurpose(token, context);
  if (meaning.kind === 'over' || meaning.kind === 'figure' || meaning.kind === 'against')
    return applyOverOption(meaning.kind, token, context);
  if (meaning.kind === 'target') return applyTarget(token, context);
  const withComma = token.entries.find(({ text }) => text.includes(','));
  if (withComma) return withSuggestion({ kind: 'comma-in-entry', option }, withComma, undefined, context);
  if (meaning.kind === 'filter' && meaning.member.kind !== 'yes-no') {
    const entries = entriesFor(meaning, context);
    for (const { text } of token.entries) entries.add(text);
    return undefined;
  }
  if (meaning.kind === 'fields') return applyColumns(token, context);
  if (meaning.kind === 'only') return applyStates(token, context);
  if (second) return secondValue(second, token, context);
  return applyValue(meaning, first, token, context);
}

/** `keep:7d`. A number without its letter is refused with a correction. */
function applyKeep(token: OptionToken, context: OptionsContext): Problem | undefined {
  const { text, scheduled } = context;
  if (!scheduled) return leftOut({ kind: 'only-when-scheduled' }, token, text);
  const [first, second] = token.entries;
  if (!first) return valueMissing(token, 'keep:', context);
  if (second) return secondValue(second, token, context);
  const typed = first.text.toLowerCase();
  const days = typed.endsWith('d') ? parseKeepDays(typed.slice(0, -1)) : undefined;
  if (days === undefined) {
    const number = parseKeepDays(/^\d+/.exec(typed)?.[0] ?? '');
    const near = number === undefined ? undefined : `${number}d`;
    return withSuggestion({ kind: 'keep-days' }, first, near, context);
  }
  return chooseOnce('keepDays', days, first, token, context);
}

/** The whole value is one text, commas included. */
function applyPurpose(token: OptionToken, context: OptionsContext): Problem | undefined {
  const { text } = context;
  const [first] = token.entries;
  const typed = token.entries.map((entry) => entry.text).join(', ');
  const purpose = parsePurpose(typed);
  if (!purpose.ok) {
    if (purpose.refusal === 'empty') return valueMissing(token, 'purpose:', context);
    const without = replaceSpan(text, token, '');
    return { kind: 'purpose-too-long', word: quoteTypedWord(typed), without };
  }
  return first && chooseOnce('purpose', purpose.value, first, token, context);
}

/** Chooses one value. Another one in a second place is a problem. */
function chooseOnce<Name extends 'dateField' | 'sort' | 'by' | 'purpose' | 'keepDays'>(
  name: Name,
  value: NonNullable<RequestOptions[Name]>,
  entry: Entry,
  token: OptionToken,
  context: OptionsContext,
): Problem | undefined {
  const { chosen } = context;
  if (chosen[name] !== undefined && chosen[name] !== value) return secondValue(entry, token, context);
  chosen[name] = value;
  return undefined;
}

function applyColumns(token: OptionToken, context: OptionsContext): Problem | undefined {
  for (const entry of token.entries) {
    const field = fieldOf(context.report, entry.text.toLowerCase());
    if (!field) return unknownField(entry, 'fields:', context);
    context.chosen.columns.add(field.flag);
  }
  return undefined;
}

function applyStates(token: OptionToken, context: OptionsContext): Problem | undefined {
  for (const entry of token.entries) {
    const state = context.report.states.find(({ name }) => name === entry.text.toLowerCase());
    if (!state) return unknownState(entry, context);
    context.chosen.states.add(state.name);
  }
  return undefined;
}

/** A title in quotes may have commas, because only its identifier goes to the service. */
function applyTitles(option: TitleOption, token: OptionToken, { chosen }: OptionsContext): undefined {
  for (const { text } of token.entries) {
    const isKnown = chosen.titles.some((title) => title.option === option && title.text === text);
    if (!isKnown) chosen.titles.push({ option, text });
  }
}

function applyValue(
  meaning: OptionMeaning,
  entry: Entry,
  token: OptionToken,
  context: OptionsContext,
): Problem | undefined {
  const { report, chosen } = context;
  const option = `${token.name.toLowerCase()}:`;
  const value = entry.text.toLowerCase();
  const choose = (name: 'dateField' | 'sort' | 'by') => chooseOnce(name, value, entry, token, context);
  const chooseFrom = (choices: readonly string[], name: 'dateField' | 'sort') =>
    choices.includes(value) ? choose(name) : unknownChoice(entry, option, choices, context);
  switch (meaning.kind) {
    case 'since':
      return applyRange({ ...token, text: `since:${entry.text}` }, context);
    case 'assigned':
      if (!context.view) chosen.byAssignedDate = true;
      return applyRange({ ...token, text: entry.text }, context, context.view ? 'assigned' : 'range');
    case 'by':
      return fieldOf(report, value) ? choose('by') : unknownField(entry, option, context);
    case 'on':
      return chooseFrom(datesFor(context), 'dateField');
    case 'sort':
      return chooseFrom(report.sorts, 'sort');
    case 'filter': {
      const canBeAny = report.name === 'assignments' && acceptsAny(meaning.object.name, meaning.member.name);
      const stored = canBeAny && value === anyEntry ? anyEntry : yesOrNo.get(value);
      const choices = canBeAny ? ['yes', 'no', anyEntry] : ['yes', 'no'];
      if (!stored) return unknownChoice(entry, option, choices, context);
      const entries = entriesFor(meaning, context);
      if (entries.size > 0) return secondValue(entry, token, context);
      entries.add(stored);
      return undefined;
    }
    default:
      return applyTo(value, entry, token, context);
  }
}

/** `to:me`, or `to:managers` of a digest. */
function applyTo(
  value: string,
  entry: Entry,
  token: OptionToken,
  context: OptionsContext,
): Problem | undefined {
  const { chosen, scheduled, text } = context;
  if (value === 'managers' && !scheduled) return leftOut({ kind: 'only-when-scheduled' }, token, text);
  if (value !== 'me' && value !== 'managers') {
    return unknownChoice(entry, 'to:', scheduled ? ['me', 'managers'] : ['me'], context);
  }
  if (value === 'me' ? chosen.toManagers : chosen.toMe)
    return leftOut({ kind: 'managers', reason: 'to-me' }, token, text);
  if (value === 'me') chosen.toMe = true;
  else chosen.toManagers = true;
  return undefined;
}

/** The values of `on:`. The range of `due` is always about due dates. */
function datesFor({ report, view }: OptionsContext): readonly string[] {
  const choices = report.dateField?.choices ?? [];
  return choices.filter(({ canBeFuture }) => view !== 'due' || canBeFuture).map(({ flag }) => flag);
}

function entriesFor({ object, member }: FilterOption, { chosen }: OptionsContext): Set<string> {
  const name = qualifiedName(object, member);
  const entries = chosen.filters.get(name) ?? new Set();
  chosen.filters.set(name, entries);
  return entries;
}
