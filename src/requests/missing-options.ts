import { distance } from 'fastest-levenshtein';
import { fieldOf } from '../catalogue/index.js';
import { stateMeant } from './filler-words.js';
import { type Problem, quoteTypedWord, replaceSpan, withSuggestion } from './problem.js';
import type { OptionsContext } from './request-options.js';
import type { OptionToken, WordToken } from './tokens.js';
import { optionsOf } from './vocabulary.js';

export function colonMissing(
  name: WordToken,
  value: WordToken | undefined,
  context: OptionsContext,
): Problem {
  const { text, until } = context;
  const option = `${name.text.toLowerCase()}:`;
  const cause = { kind: 'colon-missing' } as const;
  const colonFollows = text.slice(name.end, until).trimStart().startsWith(':');
  const end = colonFollows ? text.indexOf(':', name.end) + 1 : value?.start;
  if (end !== undefined) return withSuggestion(cause, { ...name, end }, option, context);
  return { ...cause, word: quoteTypedWord(name.text), nearest: option, without: replaceSpan(text, name, '') };
}

/** `onlyoverdue` or `departments=Sales`, with the colon after the longest name that it begins with. */
export function colonWithin(word: WordToken, context: OptionsContext, isShort: boolean): Problem | undefined {
  const typed = word.text.toLowerCase();
  const [name] = [...optionsOf(context.report).keys()]
    .filter((name) => typed.startsWith(name) && typed.length > name.length)
    .filter((name) => isShort === name.length <= 2)
    .filter((name) => !isShort || takes(name, typed.slice(name.length), context))
    .sort((a, b) => b.length - a.length);
  if (name === undefined) return undefined;
  const near = `${name}:${word.text.slice(name.length).replace(/^=/, '')}`;
  return withSuggestion({ kind: 'unknown-word', report: context.report.name }, word, near, context);
}

/** `tracks stalled`, `assignments not started`, and `assignments due next-week`. */
export function stateWithoutOption(
  words: readonly WordToken[],
  context: OptionsContext,
): Problem | undefined {
  const { report, text, from } = context;
  const cause = { kind: 'unknown-word', report: report.name } as const;
  for (const phrase of [words.slice(0, 2), words.slice(0, 1)]) {
    const [first] = phrase;
    const last = phrase.at(-1);
    if (!first || !last) continue;
    const typed = phrase.map((word) => word.text).join(' ');
    if (typed.toLowerCase() === 'due' && report.name === 'assignments' && !context.view) {
      const after = replaceSpan(text, first, '');
      const name = text.slice(0, from).search(/\S+\s*$/);
      const corrected = `${after.slice(0, name)}due${after.slice(from)}`;
      return { ...cause, word: quoteTypedWord(typed), nearest: corrected, corrected };
    }
    const state = stateMeant(typed, report);
    if (!state) continue;
    const part = { start: first.start, end: last.end, text: typed };
    return withSuggestion(cause, part, `only:${state}`, context);
  }
  return undefined;
}

/** `o:me` or `y:departments`: too short to be near to a name, so the value tells. */
export function shortOption({ name, entries }: OptionToken, context: OptionsContext): string | undefined {
  const [value] = entries;
  if (name.length > 2 || !value) return undefined;
  return ['to', 'on', 'by'].find(
    (option) => distance(name.toLowerCase(), option) <= 1 && takes(option, value.text, context),
  );
}

function takes(option: string, typed: string, { report }: OptionsContext): boolean {
  const value = typed.toLowerCase();
  if (option === 'to') return value === 'me';
  if (option === 'by') return fieldOf(report, value) !== undefined;
  return report.dateField?.choices.some(({ flag }) => flag === value) ?? false;
}
