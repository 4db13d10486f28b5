import { type FilterMember, type FilterObject, fieldOf, type TitleOption } from '../catalogue/index.js';
import { ok, type Result, refused } from '../errors/result.js';
import { parseKeepDays } from '../schedule/keep-days.js';
import {
  assignedElsewhere,
  unknownChoice,
  unknownField,
  unknownOption,
  unknownState,
  unknownWord,
} from './option-corrections.js';
import { type Problem, quoteTypedWord, replaceSpan, withSuggestion } from './problem.js';
import { parsePurpose } from './purpose.js';
import { applyRange, rangeOption } from './range-options.js';
import { rangeAt } from './range-words.js';
import { acceptsAny, anyEntry, asksForOpen, reportForRequest } from './request-defaults.js';
import { emptyOptions, type OptionsContext, type RequestOptions } from './request-options.js';
import { type Entry, type OptionToken, readTokens, type Token } from './tokens.js';
import {
  entryLikeAnOption,
  entryWithComma,
  entryWithCondition,
  openQuote,
  secondValue,
  twoFiles,
  valueMissing,
} from './value-problems.js';
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

/** Checks what depends on several options, which may come in any order. */
function validateCombination(
  options: RequestOptions,
  tokens: readonly Token[],
  context: OptionsContext,
): Problem | undefined {
  const { view, text } = context;
  const report = context.report.name;
  const states = options.states.size > 0 ? [...options.states] : context.states;
  if (!asksForOpen({ report, view, states })) {
    const problem = onlyForOpen(tokens, context);
    if (problem) return problem;
  }
  const isByAssignedDate = options.byAssignedDate || options.assigned !== undefined;
  const namesAnother =
    options.dateField === 'assigned_date'
      ? view !== undefined && options.range !== undefined
      : options.dateField !== undefined;
  if (isByAssignedDate && namesAnother) {
    const on = optionTokens(tokens, 'on')[0];
    if (!on) throw new Error('A date field without on:');
    const word = quoteTypedWord(text.slice(on.start, on.end));
    return { kind: 'two-dates', word, corrected: replaceSpan(text, on, '') };
  }
  const dateField = options.dateField ?? context.dateField;
  return reportForRequest({ report, view, dateField }).range?.hasFuture
    ? undefined
    : options.futureRangeProblem;
}

function optionTokens(tokens: readonly Token[], ...names: readonly string[]): readonly OptionToken[] {
  return tokens.filter(
    (token): token is OptionToken => token.kind === 'option' && names.includes(token.name.toLowerCase()),
  );
}

/** `assigned:` and `suspended:any`, which other requests refuse. */
function onlyForOpen(tokens: readonly Token[], context: OptionsContext): Problem | undefined {
  const index = tokens.findIndex((token) => optionTokens([token], 'assigned').length > 0);
  const assigned = rangeOption(tokens, index)?.token;
  if (assigned) return assignedElsewhere(assigned, context);
  for (const token of optionTokens(tokens, 'suspended', 'user.suspended')) {
    const any = token.entries.find(({ text }) => text.toLowerCase() === anyEntry);
    if (any) return unknownChoice(any, `${token.name.toLowerCase()}:`, ['yes', 'no'], context);
  }
  return undefined;
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
    return refused(openQuote(token, context));
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
  if (word === 'csv' || word === 'xlsx') {
    const { file: other = word } = options;
    if (other !== word) return refused(twoFiles(token, other, context));
    options.file = word;
  } else if (word === 'rows') options.showRows = true;
  else if (word === 'skip-empty' && context.scheduled) options.skipEmpty = true;
  else if (word === 'replace' && context.scheduled) options.replace = true;
  else return refused(unknownWord(tokens, index, context));
  return ok(1);
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
  if (name === 'keep') return applyKeep(token, options, context);
  const meaning = optionsOf(context.report).get(name);
  if (!meaning) return unknownOption(token, context);
  const option = `${name}:`;
  const [first, second] = token.entries;
  if (!first) return valueMissing(token, option, context);
  const likeAnOption = entryLikeAnOption(token, option, context);
  if (likeAnOption) return likeAnOption;
  if (meaning.kind === 'title') return applyTitles(meaning.option, token, options);
  if (meaning.kind === 'purpose') return applyPurpose(token, options, context);
  const withComma = entryWithComma(token, option, context);
  if (withComma) return withComma;
  const condition = meaning.kind === 'filter' && entryWithCondition(token, option, context);
  if (condition) return condition;
  if (meaning.kind === 'filter' && meaning.member.kind !== 'yes-no') {
    const entries = entriesFor(options, meaning.object, meaning.member);
    for (const { text } of token.entries) entries.add(text);
    return undefined;
  }
  if (meaning.kind === 'fields') return applyColumns(token, options, context);
  if (meaning.kind === 'only') return applyStates(token, options, context);
  if (second) return secondValue(second, option, token, context);
  return applyValue(meaning, first, token, options, context);
}

/** `keep:7d`. A number without its letter is refused with a correction. */
function applyKeep(
  token: OptionToken,
  options: RequestOptions,
  context: OptionsContext,
): Problem | undefined {
  const { text, scheduled } = context;
  if (!scheduled) {
    const word = quoteTypedWord(text.slice(token.start, token.end));
    return { kind: 'only-when-scheduled', word, corrected: replaceSpan(text, token, '') };
  }
  const [first, second] = token.entries;
  if (!first) return valueMissing(token, 'keep:', context);
  if (second) return secondValue(second, 'keep:', token, context);
  const typed = first.text.toLowerCase();
  const days = typed.endsWith('d') ? parseKeepDays(typed.slice(0, -1)) : undefined;
  if (days === undefined) {
    const number = parseKeepDays(/^\d+/.exec(typed)?.[0] ?? '');
    return withSuggestion(
      { kind: 'keep-days' },
      quoteTypedWord(first.text),
      number === undefined ? undefined : `${number}d`,
      first,
      context,
    );
  }
  if (options.keepDays !== undefined && options.keepDays !== days) {
    return secondValue(first, 'keep:', token, context);
  }
  options.keepDays = days;
  return undefined;
}

/** The whole value is one text, commas included. */
function applyPurpose(
  token: OptionToken,
  options: RequestOptions,
  context: OptionsContext,
): Problem | undefined {
  const typed = token.entries.map(({ text }) => text).join(', ');
  const purpose = parsePurpose(typed);
  if (!purpose.ok) {
    if (purpose.refusal === 'empty') return valueMissing(token, 'purpose:', context);
    const without = replaceSpan(context.text, token, '');
    return { kind: 'purpose-too-long', word: quoteTypedWord(typed), without };
  }
  if (options.purpose !== undefined && options.purpose !== purpose.value) {
    const [first] = token.entries;
    return first && secondValue(first, 'purpose:', token, context);
  }
  options.purpose = purpose.value;
  return undefined;
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

function applyStates(
  token: OptionToken,
  options: RequestOptions,
  context: OptionsContext,
): Problem | undefined {
  for (const entry of token.entries) {
    const state = context.report.states.find(({ name }) => name === entry.text.toLowerCase());
    if (!state) return unknownState(entry, context);
    options.states.add(state.name);
  }
  return undefined;
}

/** A title in quotes may have commas, because only its identifier goes to the service. */
function applyTitles(option: TitleOption, token: OptionToken, { titles }: RequestOptions): undefined {
  for (const { text } of token.entries) {
    if (!titles.some((title) => title.option === option && title.text === text))
      titles.push({ option, text });
  }
}

/** Applies an option that takes one value. */
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
    if (options[what] !== undefined && options[what] !== value) {
      return secondValue(entry, option, token, context);
    }
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
    case 'assigned': {
      const words = [{ text: entry.text, start: token.start, end: token.end }];
      if (context.view) return applyRange(words, options, context, 'assigned');
      options.byAssignedDate = true;
      return applyRange(words, options, context);
    }
    case 'by':
      return fieldOf(report, value) ? takeOnce('by') : unknownField(entry, option, context);
    case 'on':
      return chooseFrom(datesFor(context), 'dateField');
    case 'sort':
      return chooseFrom(report.sorts, 'sort');
    case 'filter': {
      const canBeAny = report.name === 'assignments' && acceptsAny(meaning.object.name, meaning.member.name);
      const chosen = canBeAny && value === anyEntry ? anyEntry : yesOrNo.get(value);
      const choices = canBeAny ? ['yes', 'no', anyEntry] : ['yes', 'no'];
      if (!chosen) return unknownChoice(entry, option, choices, context);
      const entries = entriesFor(options, meaning.object, meaning.member);
      if (entries.size > 0) return secondValue(entry, option, token, context);
      entries.add(chosen);
      return undefined;
    }
    default:
      if (value !== 'me') return unknownChoice(entry, option, ['me'], context);
      options.toMe = true;
      return undefined;
  }
}

/** The values of `on:`. The range of `due` is always about due dates. */
function datesFor({ report, view }: OptionsContext): readonly string[] {
  const choices = report.dateField?.choices ?? [];
  return choices.filter(({ canBeFuture }) => view !== 'due' || canBeFuture).map(({ flag }) => flag);
}

/** The entries of a member so far. */
function entriesFor(options: RequestOptions, object: FilterObject, member: FilterMember): Set<string> {
  const name = qualifiedName(object, member);
  const entries = options.filters.get(name) ?? new Set();
  options.filters.set(name, entries);
  return entries;
}
