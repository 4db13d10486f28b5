import { fieldOf } from '../catalogue/index.js';
import { type Asked, entriesFor, type OptionsPlace } from './asked.js';
import { entryLikeAnOption, unknownChoice, unknownField, unknownOption } from './corrections.js';
import { type OptionMeaning, optionsOf } from './option-names.js';
import { type Problem, quotable } from './problem.js';
import { anyEntry, takesAny } from './report-for.js';
import { takeRange } from './take-range.js';
import type { Entry, OptionToken } from './tokens.js';

const yesOrNo: ReadonlyMap<string, string> = new Map([
  ['yes', 'true'],
  ['no', 'false'],
  ['true', 'true'],
  ['false', 'false'],
]);

/** Takes one option into what was asked, or says what is wrong with it. */
export function applyOption(token: OptionToken, asked: Asked, place: OptionsPlace): Problem | undefined {
  const name = token.name.toLowerCase();
  const meaning = optionsOf(place.report, place.overdueOnly).get(name);
  if (!meaning) return unknownOption(token, place);
  const option = `${name}:`;
  const [first, second] = token.entries;
  if (!first) return { kind: 'value-missing', word: option, option };
  const wrong = entryLikeAnOption(token, option, place) ?? entryWithComma(token, option);
  if (wrong) return wrong;
  if (meaning.kind === 'filter' && meaning.member.kind !== 'yes-no') {
    const entries = entriesFor(asked, meaning.object, meaning.member);
    for (const { text } of token.entries) entries.add(text);
    return undefined;
  }
  if (meaning.kind === 'fields') return takeColumns(token, asked, place);
  if (second) return { kind: 'one-value', word: quotable(second.text), option };
  return takeValue(meaning, first, token, asked, place);
}

function entryWithComma(token: OptionToken, option: string): Problem | undefined {
  const entry = token.entries.find(({ text }) => text.includes(','));
  return entry && { kind: 'comma-in-entry', word: quotable(entry.text), option };
}

function takeColumns(token: OptionToken, asked: Asked, place: OptionsPlace): Problem | undefined {
  for (const entry of token.entries) {
    const field = fieldOf(place.report, entry.text.toLowerCase());
    if (!field) return unknownField(entry, 'fields:', place);
    asked.columns.add(field.flag);
  }
  return undefined;
}

/** Takes the value of an option that has one alone. */
function takeValue(
  meaning: OptionMeaning,
  entry: Entry,
  token: OptionToken,
  asked: Asked,
  place: OptionsPlace,
): Problem | undefined {
  const { report } = place;
  const option = `${token.name.toLowerCase()}:`;
  const value = entry.text.toLowerCase();
  const chooseFrom = (choices: readonly string[], what: 'dateField' | 'sort') =>
    choices.includes(value) ? takeOnce(what) : unknownChoice(entry, option, choices, place);
  const takeOnce = (what: 'dateField' | 'sort' | 'by'): Problem | undefined => {
    if (asked[what] !== undefined && asked[what] !== value) return secondValue(entry, option);
    asked[what] = value;
    return undefined;
  };
  switch (meaning.kind) {
    case 'since':
      return takeRange([{ text: `since:${entry.text}`, start: token.start, end: token.end }], asked, place);
    case 'assigned':
      asked.byAssignedDate = true;
      return takeRange([{ text: entry.text, start: token.start, end: token.end }], asked, place);
    case 'by':
      return fieldOf(report, value) ? takeOnce('by') : unknownField(entry, option, place);
    case 'on':
      return chooseFrom(report.dateField?.choices.map(({ flag }) => flag) ?? [], 'dateField');
    case 'sort':
      return chooseFrom(report.sorts, 'sort');
    case 'filter': {
      const canBeAny = place.overdueOnly && takesAny(meaning.object.name, meaning.member.name);
      const chosen = canBeAny && value === anyEntry ? anyEntry : yesOrNo.get(value);
      const choices = canBeAny ? ['yes', 'no', anyEntry] : ['yes', 'no'];
      if (!chosen) return unknownChoice(entry, option, choices, place);
      const entries = entriesFor(asked, meaning.object, meaning.member);
      if (entries.size > 0) return secondValue(entry, option);
      entries.add(chosen);
      return undefined;
    }
    default:
      if (value !== 'me') return unknownChoice(entry, option, ['me'], place);
      asked.toMe = true;
      return undefined;
  }
}

function secondValue(entry: Entry, option: string): Problem {
  return { kind: 'one-value', word: quotable(entry.text), option };
}
