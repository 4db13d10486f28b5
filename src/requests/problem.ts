import type { ConditionField } from '../catalogue/conditions.js';
import type { ReportName } from '../catalogue/index.js';
import type { ConditionRefusal } from './alert-condition.js';
import type { CadenceRefusal, CadenceWord } from './cadence-words.js';
import type { RangeRefusal } from './date-range.js';
import type { EmptyView, RequestView } from './request.js';
import type { RowConditionRefusal } from './row-conditions.js';
import type { SavedNameError } from './saved-names.js';
import type { TargetRefusal } from './target.js';
import type { ManagersRefusal } from './to-managers.js';
import type { TextSpan } from './tokens.js';

/** Why a line of a scorecard is refused. */
export type ScorecardRefusal =
  | 'too-many-lines'
  /** `Team pulse last-month` */
  | 'words-after-name'
  /** `overdue csv` */
  | 'not-in-a-line'
  /** On top of a saved scorecard: all words but `to:me`. */
  | 'words-on-top';

/** Why a command was refused. Nothing of it is run. */
export type Problem = ProblemCause & {
  /** The word as typed, cut short, without characters that would hide or turn the text around it. */
  readonly word: string;
  /** The nearest valid word. */
  readonly nearest?: string;
  /** The corrected command after `/report `, ready to run or to copy. It may be as long as the typed text. */
  readonly corrected?: string;
  /** The command without this word, for the search for further problems. */
  readonly without?: string;
  /** Other words that are wrong, as typed. */
  readonly otherWords?: readonly string[];
  /** The part of the command that was understood, to fill the form with. `schedule` may lack its cadence. */
  readonly understood?: string;
};

export type ProblemCause =
  | {
      readonly kind:
        | 'unknown-report'
        /** A word without meaning, such as `please`. */
        | 'filler'
        /** A range or an option came first. */
        | 'report-missing'
        /** `assigned:` together with another date in `on:`. */
        | 'two-dates'
        /** An option's name without its colon. */
        | 'colon-missing'
        | 'quote-not-closed'
        /** Signs or quotes that look like those of commands, such as a full-width colon. */
        | 'other-signs'
        | 'only-when-scheduled'
        /** Not a number of days that a digest's messages can stay. */
        | 'keep-days'
        | 'purpose-too-long'
        /** `figure:` without `over:`. */
        | 'figure-alone'
        | 'save-form'
        | 'schedule-form'
        /** How often, without `schedule`: `engagement weekly mon 9`. */
        | 'schedule-missing'
        /** Evidence of a request without a range: its report has none, or none was typed. */
        | 'evidence-no-range'
        | 'evidence-range-missing'
        /** After `audit`, something that is no person, channel, report or range, or two of one kind. */
        | 'audit-form'
        | 'cadence-missing';
    }
  | {
      readonly kind:
        | 'unknown-word'
        | 'unknown-option'
        /** A state in `only:` that the report does not have. */
        | 'unknown-state'
        /** `assigned:` where a plain range is enough. */
        | 'only-for-open';
      readonly report: ReportName;
    }
  | {
      readonly kind:
        | 'value-missing'
        /** Several values, one after the other or in two places, for an option that takes one. */
        | 'one-value'
        | 'comma-in-entry'
        /** An entry after a comma looks like the next option. */
        | 'option-after-comma'
        /** An entry with a blank that is probably missing its quotes. */
        | 'quotes-missing';
      readonly option: string;
    }
  /** A value of `over:` that is no number of units, or too few or many of them. */
  | { readonly kind: 'over'; readonly reason: 'not-units' | 'count' }
  /** What `over:` leaves no room for. `what` in words. */
  | { readonly kind: 'beside-over'; readonly over: string; readonly what: string }
  /** `over:` or `against:` for what is open now. */
  | { readonly kind: 'no-past'; readonly option: string }
  /** A condition on rows. `other`: what it contradicts, as typed. */
  | {
      readonly kind: 'condition';
      readonly option: string;
      readonly reason: RowConditionRefusal;
      readonly field?: ConditionField | undefined;
      readonly other?: string | undefined;
    }
  /** States in `only:` that no row of a view is in. */
  | { readonly kind: 'empty-view'; readonly reason: EmptyView; readonly view: RequestView }
  /** Both kinds of files, or two ranges. */
  | { readonly kind: 'two-files' | 'two-ranges'; readonly other: string }
  | { readonly kind: 'unknown-field'; readonly option: string; readonly report: ReportName }
  /** One of a few values was expected; `choices` lists them. */
  | {
      readonly kind: 'unknown-choice';
      readonly option: string;
      readonly choices: readonly string[];
      readonly report: ReportName;
    }
  /** An option of other reports, which `reports` lists. */
  | { readonly kind: 'not-for-report'; readonly report: ReportName; readonly reports: readonly ReportName[] }
  | { readonly kind: 'range'; readonly reason: RangeRefusal['reason']; readonly report: ReportName }
  | { readonly kind: 'words-too-many'; readonly after: string }
  | { readonly kind: 'saved-name'; readonly reason: SavedNameError }
  /** A line of a scorecard. */
  | { readonly kind: 'scorecard'; readonly reason: ScorecardRefusal }
  | { readonly kind: 'target'; readonly reason: TargetRefusal | 'no-rate' }
  /** What `to:managers` does not go with. */
  | { readonly kind: 'managers'; readonly reason: ManagersRefusal }
  /** The condition of an alert. */
  | { readonly kind: 'when'; readonly reason: ConditionRefusal }
  /** The reason, and the first word of the cadence. */
  | { readonly kind: 'cadence'; readonly reason: CadenceRefusal; readonly begins: CadenceWord };

/** Kinds of problems with a known word that cannot stand where it does, or that has too much beside it. */
const ofKnownWords: ReadonlySet<ProblemCause['kind']> = new Set([
  'two-dates',
  'two-files',
  'two-ranges',
  'only-for-open',
  'only-when-scheduled',
  'figure-alone',
  'beside-over',
  'no-past',
  'target',
  'empty-view',
  'managers',
  'evidence-no-range',
]);

/** True where the word is known, so that “I don't understand” would be wrong. */
export function isOfKnownWord({ kind }: Pick<Problem, 'kind'>): boolean {
  return ofKnownWords.has(kind);
}

const maxQuotedLength = 80;

/** A typed word for a sentence: at most 80 characters, without control characters. */
export function quoteTypedWord(word: string): string {
  const characters = [...word.slice(0, 2 * maxQuotedLength + 1)];
  const cut = characters.length > maxQuotedLength;
  const kept = cut ? `${characters.slice(0, maxQuotedLength - 1).join('')}…` : characters.join('');
  return kept.replace(/\s+/g, ' ').replace(/\p{C}/gu, '\ufffd');
}

export function replaceSpan(text: string, { start, end }: TextSpan, replacement: string): string {
  const before = text.slice(0, start);
  const after = text.slice(end);
  return (
    replacement === '' ? `${before.trimEnd()} ${after.trimStart()}` : before + replacement + after
  ).trim();
}

/** The text without a word or an entry and the comma beside it. Without its option, if it is the only entry. */
function withoutSpan(text: string, { start, end }: TextSpan): string {
  const lengthOf = (found: RegExpExecArray | null) => found?.[0].length ?? 0;
  const before = text.slice(0, start);
  const comma = lengthOf(/,\s*$/.exec(before));
  const after = comma > 0 ? 0 : lengthOf(/^\s*,\s*/.exec(text.slice(end)));
  if (after > 0) return text.slice(0, start) + text.slice(end + after);
  const option = comma > 0 ? 0 : lengthOf(/[^\s:"“”„‟]+:\s*$/.exec(before));
  return replaceSpan(text, { start: start - comma - option, end }, '');
}

/** A part of a text, with what it says if that is not what stands there: an entry has no quotes. */
export interface TypedPart extends TextSpan {
  readonly text?: string;
}

function wordOf({ start, end, text: said }: TypedPart, text: string): string {
  return quoteTypedWord(said ?? text.slice(start, end));
}

/** The problem of a part that a correction leaves out. */
export function leftOut(cause: ProblemCause, part: TypedPart, text: string): Problem {
  return { ...cause, word: wordOf(part, text), corrected: replaceSpan(text, part, '') };
}

/** A problem with a correction, if there is a near valid word. */
export function withSuggestion(
  cause: ProblemCause,
  part: TypedPart,
  near: string | undefined,
  { text }: { readonly text: string },
): Problem {
  const word = wordOf(part, text);
  const without = withoutSpan(text, part);
  if (near === undefined) return { ...cause, word, without };
  return { ...cause, word, nearest: near, corrected: replaceSpan(text, part, near), without };
}
