import type { ReportName } from '../catalogue/index.js';
import type { CadenceRefusal } from './cadence-tokens.js';
import type { CadenceWord } from './cadence-words.js';
import type { RangeRefusal } from './date-range.js';
import type { SavedNameError } from './saved-names.js';
import type { Stretch } from './tokens.js';

/** What could not be understood, or must not be. Nothing of the command is run. */
export type Problem = ProblemCause & {
  /** The word as typed, cut short, without characters that would hide or turn the text around it. */
  readonly word: string;
  /** The nearest valid word for its place. */
  readonly nearest?: string;
  /** The corrected command after `/report `, ready to run or to copy. It may be as long as the typed text. */
  readonly corrected?: string;
  /** While a command is put right: the command without this word, where the word has no correction. */
  readonly without?: string;
  /** Other words that are wrong, as typed. */
  readonly also?: readonly string[];
  /** What was understood of the command, as a command: to fill the form with. `schedule` may lack how often. */
  readonly understood?: string;
};

export type ProblemCause =
  | { readonly kind: 'unknown-report' }
  /** A word that a command can do without, such as `please`. */
  | { readonly kind: 'filler' }
  /** A range or an option came first. */
  | { readonly kind: 'report-missing' }
  | { readonly kind: 'unknown-word'; readonly report: ReportName }
  | { readonly kind: 'unknown-option'; readonly report: ReportName }
  /** An option of other reports, which `reports` lists. */
  | { readonly kind: 'not-for-report'; readonly report: ReportName; readonly reports: readonly ReportName[] }
  /** A state in `only:` that the report does not have. */
  | { readonly kind: 'unknown-state'; readonly report: ReportName }
  /** `assigned:` where a plain range is enough. */
  | { readonly kind: 'only-for-views'; readonly report: ReportName }
  /** Both kinds of files. */
  | { readonly kind: 'two-files'; readonly other: string }
  /** `assigned:` together with another date in `on:`. */
  | { readonly kind: 'two-dates' }
  /** An option's name without its colon. */
  | { readonly kind: 'colon-missing' }
  | { readonly kind: 'unknown-field'; readonly option: string; readonly report: ReportName }
  /** One of a few values was expected; `choices` lists them. */
  | {
      readonly kind: 'unknown-choice';
      readonly option: string;
      readonly choices: readonly string[];
      readonly report: ReportName;
    }
  | { readonly kind: 'value-missing'; readonly option: string }
  /** Several values, one after the other or in two places, for an option that takes one. */
  | { readonly kind: 'one-value'; readonly option: string }
  | { readonly kind: 'comma-in-entry'; readonly option: string }
  /** An entry after a comma looks like the next option. */
  | { readonly kind: 'option-after-comma'; readonly option: string }
  /** A blank in an entry that is not in quotes, as it seems. */
  | { readonly kind: 'quotes-missing'; readonly option: string }
  | { readonly kind: 'quote-not-closed' }
  | { readonly kind: 'two-ranges'; readonly other: string }
  | { readonly kind: 'range'; readonly reason: RangeRefusal['reason']; readonly report: ReportName }
  | { readonly kind: 'only-when-scheduled' }
  /** Not a number of days that a digest's messages can stay. */
  | { readonly kind: 'keep-days' }
  | { readonly kind: 'words-too-many'; readonly after: string }
  | { readonly kind: 'save-form' }
  | { readonly kind: 'saved-name'; readonly reason: SavedNameError }
  | { readonly kind: 'schedule-form' }
  /** What follows `audit` is neither a person, a channel, a report nor a range, or there are two. */
  | { readonly kind: 'audit-form' }
  | { readonly kind: 'cadence-missing' }
  /** What is wrong with how often, and the word that it begins with. */
  | { readonly kind: 'cadence'; readonly reason: CadenceRefusal; readonly begins: CadenceWord };

const MAX_QUOTED_LENGTH = 80;

/** A word from a person's text, for a sentence: at most 80 characters, with nothing in it that acts on a text. */
export function quoteTypedWord(word: string): string {
  const characters = [...word.slice(0, 2 * MAX_QUOTED_LENGTH + 1)];
  const cut = characters.length > MAX_QUOTED_LENGTH;
  const kept = cut ? `${characters.slice(0, MAX_QUOTED_LENGTH - 1).join('')}…` : characters.join('');
  return kept.replace(/\s+/g, ' ').replace(/\p{C}/gu, '\ufffd');
}

/** The text with one stretch of it replaced. */
export function replaceStretch(text: string, { start, end }: Stretch, replacement: string): string {
  const before = text.slice(0, start);
  const after = text.slice(end);
  return (
    replacement === '' ? `${before.trimEnd()} ${after.trimStart()}` : before + replacement + after
  ).trim();
}

/** The text without a word or an entry, and without the comma beside it; without the option of an only entry. */
export function withoutStretch(text: string, { start, end }: Stretch): string {
  const lengthOf = (found: RegExpExecArray | null) => found?.[0].length ?? 0;
  const before = text.slice(0, start);
  const comma = lengthOf(/,\s*$/.exec(before));
  const after = comma > 0 ? 0 : lengthOf(/^\s*,\s*/.exec(text.slice(end)));
  if (after > 0) return text.slice(0, start) + text.slice(end + after);
  const option = comma > 0 ? 0 : lengthOf(/[^\s:"“”„‟]+:\s*$/.exec(before));
  return replaceStretch(text, { start: start - comma - option, end }, '');
}

/** A problem with the nearest valid word, if there is one, put in place of what was typed. */
export function withSuggestion(
  cause: ProblemCause,
  word: string,
  near: string | undefined,
  stretch: Stretch,
  source: { readonly text: string },
): Problem {
  const without = withoutStretch(source.text, stretch);
  if (near === undefined) return { ...cause, word, without };
  return { ...cause, word, nearest: near, corrected: replaceStretch(source.text, stretch, near), without };
}
