import { fieldOf } from '../reports/catalogue/index.js';
import { type Asked, entriesFor, type OptionsPlace } from './asked.js';
import { nearest } from './nearest.js';
import { type OptionMeaning, optionsOf, reportsWithOption } from './option-names.js';
import { type Problem, type ProblemCause, quotable, withReplaced } from './problem.js';
import { takeRange } from './take-range.js';
import type { Entry, OptionToken, Stretch } from './tokens.js';

const yesOrNo: ReadonlyMap<string, string> = new Map([
  ['yes', 'true'],
  ['no', 'false'],
  ['true', 'true'],
  ['false', 'false'],
]);

/** Takes one option into what was asked, or says what is wrong with it. */
export function applyOption(token: OptionToken, asked: Asked, place: OptionsPlace): Problem | undefined {
  const name = token.name.toLowerCase();
  const meaning = optionsOf(place.report).get(name);
  if (!meaning) return unknownOption(token, place);
  const option = `${name}:`;
  if (token.entries.length === 0) return { kind: 'value-missing', word: option, option };
  const swallowed = token.entries.find((entry) => entry.apart && !entry.quoted && looksLikeOption(entry));
  if (swallowed) return optionAmongEntries(token, swallowed, option, place);
  const comma = token.entries.find(({ text }) => text.includes(','));
  if (comma) return { kind: 'comma-in-entry', word: quotable(comma.text), option };
  if (meaning.kind === 'filter' && meaning.member.kind !== 'yes-no') {
    const entries = entriesFor(asked, meaning.object, meaning.member);
    for (const { text } of token.entries) entries.add(text);
    return undefined;
  }
  if (meaning.kind === 'fields') return takeColumns(token, asked, place);
  const [entry, second] = token.entries;
  if (!entry || second) return { kind: 'one-value', word: quotable(second?.text ?? ''), option };
  return takeSingle(meaning, entry, option, asked, place, token);
}

function takeColumns(token: OptionToken, asked: Asked, place: OptionsPlace): Problem | undefined {
  for (const entry of token.entries) {
    const field = fieldOf(place.report, entry.text.toLowerCase());
    if (!field) return unknownField(entry, 'fields:', place);
    asked.columns.add(field.flag);
  }
  return undefined;
}

function takeSingle(
  meaning: OptionMeaning,
  entry: Entry,
  option: string,
  asked: Asked,
  place: OptionsPlace,
  token: OptionToken,
): Problem | undefined {
  const { report } = place;
  const value = entry.text.toLowerCase();
  const secondTime: Problem = { kind: 'one-value', word: quotable(entry.text), option };
  switch (meaning.kind) {
    case 'since':
      return takeRange([{ text: `since:${entry.text}`, start: token.start, end: token.end }], asked, place);
    case 'filter': {
      const chosen = yesOrNo.get(value);
      if (!chosen) return unknownChoice(entry, option, ['yes', 'no'], place);
      const entries = entriesFor(asked, meaning.object, meaning.member);
      if (entries.size > 0) return secondTime;
      entries.add(chosen);
      return undefined;
    }
    case 'by':
      if (!fieldOf(report, value)) return unknownField(entry, option, place);
      if (asked.by !== undefined && asked.by !== value) return secondTime;
      asked.by = value;
      return undefined;
    case 'on': {
      const choices = (report.dateField?.choices ?? []).map(({ flag }) => flag);
      if (!choices.includes(value)) return unknownChoice(entry, option, choices, place);
      if (asked.dateField !== undefined && asked.dateField !== value) return secondTime;
      asked.dateField = value;
      return undefined;
    }
    case 'sort':
      if (!report.sorts.includes(value)) return unknownChoice(entry, option, report.sorts, place);
      if (asked.sort !== undefined && asked.sort !== value) return secondTime;
      asked.sort = value;
      return undefined;
    default:
      if (value !== 'me') return unknownChoice(entry, option, ['me'], place);
      asked.toMe = true;
      return undefined;
  }
}

function unknownOption(token: OptionToken, place: OptionsPlace): Problem {
  const { report } = place;
  const name = token.name.toLowerCase();
  const word = quotable(`${token.name}:`);
  if (name === 'since') {
    const corrected = withReplaced(place.text, token, '');
    return { kind: 'range', refused: 'no-range', report: report.name, word, corrected };
  }
  const reports = reportsWithOption(name);
  if (reports.length > 0) {
    const corrected = withReplaced(place.text, token, '');
    return { kind: 'not-for-report', word, report: report.name, reports, corrected };
  }
  const near = nearest(name.replace(/\s+/g, '_'), optionsOf(report).keys());
  const stretch = { start: token.start, end: token.nameEnd };
  return withNearest(
    { kind: 'unknown-option', report: report.name },
    word,
    near && `${near}:`,
    stretch,
    place,
  );
}

function unknownField(entry: Entry, option: string, place: OptionsPlace): Problem {
  const flags = place.report.fields.map(({ flag }) => flag);
  const near = nearest(entry.text.replace(/[\s-]+/g, '_'), flags);
  const cause: ProblemCause = { kind: 'unknown-field', option, report: place.report.name };
  return withNearest(cause, quotable(entry.text), near, entry, place);
}

function unknownChoice(
  entry: Entry,
  option: string,
  choices: readonly string[],
  place: OptionsPlace,
): Problem {
  const cause = { kind: 'unknown-choice', option, choices, report: place.report.name } as const;
  const near = choices.length === 1 ? choices[0] : nearest(entry.text.replace(/[\s-]+/g, '_'), choices);
  return withNearest(cause, quotable(entry.text), near, entry, place);
}

export function withNearest(
  cause: ProblemCause,
  word: string,
  near: string | undefined,
  stretch: Stretch,
  place: { readonly text: string },
): Problem {
  if (near === undefined) return { ...cause, word };
  return { ...cause, word, nearest: near, corrected: withReplaced(place.text, stretch, near) };
}

/** True for an entry such as `fields:email`, which after a blank is rather the next option than an entry. */
function looksLikeOption(entry: Entry): boolean {
  const colon = entry.text.indexOf(':');
  return colon > 0 && reportsWithOption(entry.text.slice(0, colon).toLowerCase()).length > 0;
}

function optionAmongEntries(token: OptionToken, entry: Entry, option: string, place: OptionsPlace): Problem {
  if (entry === token.entries[0]) return { kind: 'value-missing', word: option, option };
  const before = place.text.slice(token.start, entry.start).replace(/[\s,]+$/, '');
  const corrected = withReplaced(place.text, { start: token.start, end: entry.start }, `${before} `);
  return { kind: 'option-after-comma', word: quotable(entry.text), option, corrected };
}
