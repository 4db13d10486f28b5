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
  const option = `${name.text.toLowerCase()}:`;
  const colonFollows = context.text.slice(name.end, context.until).trimStart().startsWith(':');
  const word = quoteTypedWord(name.text);
  if (colonFollows) {
    const span = { start: name.start, end: context.text.indexOf(':', name.end) + 1 };
    return withSuggestion({ kind: 'colon-missing' }, word, option, span, context);
  }
  if (!value) {
    const without = replaceSpan(context.text, name, '');
    return { kind: 'colon-missing', word, nearest: option, without };
  }
  return withSuggestion(
    { kind: 'colon-missing' },
    word,
    option,
    { start: name.start, end: value.start },
    context,
  );
}

/** `onlyoverdue` or `departments=Sales`, with the colon after the longest name that it begins with. */
export function colonWithin(
  { text, start, end }: WordToken,
  context: OptionsContext,
  { isShort }: { readonly isShort: boolean },
): Problem | undefined {
  const typed = text.toLowerCase();
  const [name] = [...optionsOf(context.report).keys()]
    .filter((name) => typed.startsWith(name) && typed.length > name.length)
    .filter((name) => isShort === name.length <= 2)
    .filter((name) => !isShort || takes(name, typed.slice(name.length), context))
    .sort((a, b) => b.length - a.length);
  if (name === undefined) return undefined;
  const near = `${name}:${text.slice(name.length).replace(/^=/, '')}`;
  const word = quoteTypedWord(text);
  return withSuggestion(
    { kind: 'unknown-word', report: context.report.name },
    word,
    near,
    { start, end },
    context,
  );
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
    const span = { start: first.start, end: last.end };
    return withSuggestion(cause, quoteTypedWord(typed), `only:${state}`, span, context);
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
