import { failure } from './failure-entry.js';

/** Why a level does not allow a request. */
export type AccessRefusal =
  | { readonly kind: 'nothing'; readonly admins?: readonly string[] | undefined }
  /** The level allows totals only, and the request wants more. */
  | {
      readonly kind: 'totals-only';
      /** One at least. */
      readonly wants: readonly PersonLevelPart[];
      /** True if the level is `team`, but the reader has no confirmed address. */
      readonly noAddress: boolean;
      /** True where the reader may ask for their own records instead, with `email:me`. */
      readonly mayAskForSelf: boolean;
    }
  /** Another person's team was requested. */
  | { readonly kind: 'other-team' }
  /** Evidence comes in direct messages alone. */
  | { readonly kind: 'evidence-place' }
  /** The level allows the rows of the reader alone, and evidence needs a wider one. */
  | { readonly kind: 'evidence-level' }
  /** Conditions on these members of nested objects, which no admin has released: `content_metadata.cost_center`. */
  | { readonly kind: 'not-released'; readonly fields: readonly [string, ...string[]] }
  /** An assistant asked for more than totals, which only `send_rows` sends, to the person's direct messages. */
  | { readonly kind: 'assistant' }
  /** A digest for managers holds rows of everybody. */
  | { readonly kind: 'not-everything' };

/** A part of a request that makes it person-level. Refusals name it. */
export type PersonLevelPart = 'file' | 'rows' | 'columns' | 'breakdown' | 'filter';
/** Failures that a request causes, or the rights of whoever made it. */
export const requestFailures = {
  cancelled: failure({
    scope: 'asker',
    canRetry: true,
    reason: 'Cancelled. Nothing was posted.',
    others: 'It was cancelled.',
  }),
  stopped: failure({
    scope: 'asker',
    canRetry: true,
    reason: 'I was stopped while this was running, so nothing was posted.',
    advice: 'Try again in a minute.',
    others: 'I was stopped while it was running.',
  }),
  /** `because`: why there is no such range now, and what to do. */
  'range-refused': failure<{ readonly words: string; readonly because: string }>({
    scope: 'asker',
    reason: ({ words, because }, { asTyped }) => `I can't use “${asTyped(words)}”. ${because}`,
    others: 'Its range cannot be used.',
  }),
  /** A line of a scorecard shows no figures. */
  'line-refused': failure<{ readonly because: string }>({
    scope: 'asker',
    reason: ({ because }) => because,
    others: 'A line of it shows no figures.',
  }),
  /** `because`: that the date of its target has passed, and what to do. */
  'target-passed': failure<{ readonly because: string }>({
    scope: 'asker',
    reason: ({ because }) => because,
    others: 'The date of its target has passed.',
  }),
  /**
   * The range is longer than the service accepts, and the report's figures cannot be added up over several ranges.
   * `days` is rounded up to a tenth of a day.
   */
  'range-too-long': failure<{
    readonly operation: string;
    readonly days: number;
    readonly maximumDays: number;
  }>({
    scope: 'asker',
    log: ({ operation, days, maximumDays }) =>
      `A range of ${days} days for ${operation}: the service accepts at most ${maximumDays}`,
    reason: ({ days, maximumDays }) =>
      `That range has ${formatDays(days)}, and this report allows at most ${formatDays(maximumDays)}, because its figures do not add up over several ranges. Choose a shorter one.`,
    others: 'Its range is longer than this report allows.',
  }),
  /** A name in a filter for which the operator's list has no identifier. `nearest`: the most similar names first. */
  'unknown-name': failure<{
    /** The name of the filter object on the wire, and of its member. */
    readonly object: string;
    readonly member: string;
    readonly entry: string;
    readonly nearest: readonly string[];
  }>({
    scope: 'asker',
    log: ({ object, member }) => `No identifier is known for an entry of ${object}.${member}`,
    reason: ({ entry, member, nearest }) =>
      `“${entry}” is not in the list of names for ${member}. ${nearest.length > 0 ? `Did you mean ${nearest.join(', ')}?` : 'Check the spelling.'}`,
    quotesFilters: true,
    others: 'A name in its filters is not in the list of names.',
  }),
  'asker-has-no-address': failure({
    scope: 'asker',
    reason: "“me” needs its owner's email address, and I don't know it. Type the address instead.",
    asker: "“me” needs your email address, and I don't know it. Type the address instead.",
    others: "“me” needs its owner's email address, and I don't know it.",
  }),
  /** `managers`: in words. `isOwn`: it is the asker's own team alone. */
  'empty-team': failure<{ readonly managers: string; readonly isOwn: boolean }>({
    scope: 'asker',
    reason: ({ managers, isOwn }) =>
      `Nobody reports to ${managers} in the Reporting Service, so there is no team to show. ${isOwn ? 'Your learning account may have another address than your Slack profile.' : 'Check the address.'}`,
    quotesFilters: ({ isOwn }) => !isOwn,
    others: 'Nobody reports to the manager whose team it is about.',
  }),
  'title-undecided': failure<{ readonly title: string }>({
    scope: 'asker',
    reason: ({ title }) => `“${title}” names no single title. Run it again, and choose one.`,
    quotesFilters: true,
    others: 'A title in it fits several items.',
  }),
  'person-erased': failure({
    scope: 'asker',
    reason: 'A filter of this report named a person whose data was erased.',
    advice: 'Change the filter.',
    others: 'A filter named a person whose data was erased. Change the filters to run it again.',
  }),
  /** The answer does not fit into a sheet of Excel. `limit`: what there is too much of. */
  'too-large-for-excel': failure<{ readonly limit: 'rows' | 'bytes' }>({
    scope: 'asker',
    log: ({ limit }) => `The answer has more ${limit} than a sheet of Excel takes`,
    reason: ({ limit }) => `The answer ${excelLimits[limit]}. Choose a CSV as its file.`,
    asker: ({ limit }) => `The answer ${excelLimits[limit]}. Get it as a CSV instead.`,
    others: 'The answer is too large for Excel. A CSV has no such limit.',
  }),
  /** An alert on new rows compares the rows of two runs. `maximum`: the most that it can. */
  'too-many-rows-to-compare': failure<{ readonly maximum: number }>({
    scope: 'asker',
    log: ({ maximum }) => `The answer has more than ${maximum} rows, too many to compare with the last run`,
    reason: ({ maximum }) =>
      `This report has more than ${maximum.toLocaleString('en')} rows, too many to tell which are new. Add filters or choose a shorter range.`,
    others: 'It has too many rows to tell which are new.',
  }),
  /** The readers of an alert may not get it any more, or its figure is gone. `sentence`: why, and the way out. */
  'alert-refused': failure<{ readonly sentence: string }>({
    scope: 'asker',
    isNotPosted: true,
    log: 'The condition of an alert is not possible any more',
    reason: ({ sentence }) => sentence,
    others: 'Its condition is not possible any more.',
  }),
  /** There is no such answer over time, or no year before to compare with. `sentence`: why, and the way out. */
  'over-time-refused': failure<{ readonly sentence: string }>({
    scope: 'asker',
    isNotPosted: true,
    log: 'An answer over time has no such figure',
    reason: ({ sentence }) => sentence,
    others: 'Its figure has no past.',
  }),
  'access-refused': failure<{
    readonly refusal: AccessRefusal;
    readonly level?: 'everything' | 'team' | 'totals' | 'nothing';
    /** For the asker alone: it says what the level allows. */
    readonly sentence: string;
    /** For the owner of a digest. */
    readonly reason?: string;
  }>({
    scope: 'asker',
    isNotPosted: true,
    log: ({ refusal }) => `The level of access does not allow this: ${refusal.kind}`,
    asker: ({ sentence }) => sentence,
    reason: ({ reason }) => reason ?? 'The level of access does not allow this request.',
    others: 'Its owner’s access level does not allow it.',
  }),
  /** `sentence`: why, for the asker. */
  'asker-refused': failure<{ readonly sentence: string }>({
    scope: 'asker',
    asker: ({ sentence }) => sentence,
    reason: 'The person who asked may no longer ask for reports.',
  }),
  /** A digest for managers reaches more of them than its owner may decide alone. */
  'managers-not-approved': failure<{ readonly readers: number; readonly most: number }>({
    scope: 'asker',
    isNotPosted: true,
    log: ({ readers }) => `A digest would reach ${readers} managers, and no admin has confirmed that`,
    reason: ({ readers, most }) =>
      `It now reaches ${readers} managers, and more than ${most} need the word of an admin. Edit it and confirm it again.`,
    others: 'It reaches more managers than its owner may decide alone.',
  }),
  /** The rights where the answer goes have changed. The next attempt makes it again. */
  'access-changed': failure({
    scope: 'asker',
    isNotPosted: true,
    canRetry: true,
    reason: 'The access rules changed while this was running, so nothing was posted.',
    advice: 'Try again.',
    others: 'The access rules changed while the report was made.',
  }),
  /** The data of the asker, or of a person in a filter, was erased, so the run ends. */
  'data-erased': failure({
    scope: 'asker',
    reason: 'Data was erased while this was running, so nothing was posted.',
    advice: 'You can ask again.',
    others: 'The data of the person who asked was erased meanwhile.',
  }),
} as const;

const excelLimits = {
  rows: 'has more than 1,048,575 rows, the limit of Excel',
  bytes: 'is too large for Excel',
} as const;
function formatDays(count: number): string {
  return count === 1 ? '1 day' : `${count} days`;
}
