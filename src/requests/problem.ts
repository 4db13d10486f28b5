import { distance } from 'fastest-levenshtein';
import type { ReportName } from '../catalogue/index.js';
import type { CadenceWord } from './cadence-words.js';
import type { RangeRefusal } from './date-range.js';
import type { CadenceRefusal } from './parse-cadence.js';
import type { SavedNameRefusal } from './saved-names.js';
import type { Stretch } from './tokens.js';

/** What could not be understood, or must not be. Nothing of the command is run. */
export type Problem = ProblemCause & {
  /** The word as typed, cut short, without characters that would hide or turn the text around it. */
  readonly word: string;
  /** The nearest valid word for its place. */
  readonly nearest?: string;
  /** The whole command after `/report `, put right, ready to run or to copy. As long as the text that was typed. */
  readonly corrected?: string;
};

export type ProblemCause =
  | { readonly kind: 'unknown-report' }
  /** A range or an option came first. */
  | { readonly kind: 'report-missing' }
  | { readonly kind: 'unknown-word'; readonly report: ReportName }
  | { readonly kind: 'unknown-option'; readonly report: ReportName }
  /** An option of other reports, which `reports` lists. */
  | { readonly kind: 'not-for-report'; readonly report: ReportName; readonly reports: readonly ReportName[] }
  /** `assigned:` where a range alone says what is meant. */
  | { readonly kind: 'only-for-overdue'; readonly report: ReportName }
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
  /** After a comma stands what looks like the next option. */
  | { readonly kind: 'option-after-comma'; readonly option: string }
  /** A blank in an entry that is not in quotes, as it seems. */
  | { readonly kind: 'quotes-missing'; readonly option: string }
  | { readonly kind: 'quote-not-closed' }
  | { readonly kind: 'two-ranges'; readonly other: string }
  | { readonly kind: 'range'; readonly refused: RangeRefusal['refused']; readonly report: ReportName }
  | { readonly kind: 'only-when-scheduled' }
  | { readonly kind: 'words-too-many'; readonly after: string }
  | { readonly kind: 'save-form' }
  | { readonly kind: 'saved-name'; readonly refused: SavedNameRefusal }
  | { readonly kind: 'schedule-form' }
  | { readonly kind: 'cadence-missing' }
  /** What is wrong with how often, and the word that it begins with. */
  | { readonly kind: 'cadence'; readonly refused: CadenceRefusal; readonly begins: CadenceWord };

export function isProblem(result: object): result is Problem {
  return 'word' in result && 'kind' in result;
}

const LONGEST_QUOTED_WORD = 80;

/** A word from a person's text, for a sentence: at most 80 characters, with nothing in it that acts on a text. */
export function quotable(word: string): string {
  const characters = [...word.slice(0, 2 * LONGEST_QUOTED_WORD + 1)];
  const cut = characters.length > LONGEST_QUOTED_WORD;
  const kept = cut ? `${characters.slice(0, LONGEST_QUOTED_WORD - 1).join('')}…` : characters.join('');
  return kept.replace(/\s+/g, ' ').replace(/\p{C}/gu, '\ufffd');
}

/** The text with one stretch of it said differently. */
export function withReplaced(text: string, { start, end }: Stretch, replacement: string): string {
  const before = text.slice(0, start);
  const after = text.slice(end);
  return (
    replacement === '' ? `${before.trimEnd()} ${after.trimStart()}` : before + replacement + after
  ).trim();
}

/** A problem with the nearest valid word, if there is one, put in place of what was typed. */
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

/** Nobody mistypes a valid word into one longer than this. */
const LONGEST_TYPO = 60;

/**
 * The valid word that was probably meant: one letter off, or two that changed places; else one that begins with what was typed; else at most
 * two letters or a third of them off; else one of which it is a part, as `week` of `this-week` or `completed_date` of
 * `assessment_completed_date`. Case does not count.
 */
export function nearest(typed: string, valid: Iterable<string>): string | undefined {
  const word = typed.toLowerCase();
  if (word === '' || word.length > LONGEST_TYPO) return undefined;
  let best: { readonly word: string; readonly rank: number } | undefined;
  for (const candidate of valid) {
    const rank = rankOf(word, candidate.toLowerCase());
    if (rank !== undefined && rank < (best?.rank ?? Number.POSITIVE_INFINITY))
      best = { word: candidate, rank };
  }
  return best?.word;
}

/** Lower is nearer; undefined: not near at all. */
function rankOf(word: string, candidate: string): number | undefined {
  const off = distance(word, candidate);
  if (off <= 1 && off < word.length) return off;
  if (off === 2 && sameLetters(word, candidate)) return 1;
  if (word.length >= 3 && candidate.startsWith(word)) return 2 + candidate.length / 100;
  const allowed = Math.max(word.length >= 4 ? 2 : 1, Math.floor(Math.max(word.length, candidate.length) / 3));
  if (off <= allowed && off < word.length) return 2 + off;
  return word.length >= 3 && isPartOf(word, candidate) ? 100 : undefined;
}

/** True for whole words of a name, one or several: `week` or `completed_date`. */
function isPartOf(word: string, name: string): boolean {
  const inOneSpelling = (text: string) => `_${text.replace(/[-.:\s]/g, '_')}_`;
  return inOneSpelling(name).includes(inOneSpelling(word));
}

function sameLetters(word: string, candidate: string): boolean {
  return [...word].sort().join('') === [...candidate].sort().join('');
}
