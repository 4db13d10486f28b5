import type { ReportName } from '../catalogue/index.js';
import type { ReportRequest, ResolvedRange } from '../requests/request.js';
import type { RecordView } from './record-view.js';

/** The figures to count in an answer. Plain data. */
export interface FiguresPlan {
  readonly report: ReportName;
  /** Count only what is overdue, or what is due in `dueRange`. Absent: every record. */
  readonly view?: ReportRequest['view'];
  /** Count only records in one of these states; with a view, those of its records. Absent: in any state or none. */
  readonly states?: ReportRequest['states'];
  /** The range of due dates that `due` looks at. Due dates without a time count by its days. */
  readonly dueRange?: Pick<ResolvedRange, 'from' | 'until' | 'firstDay' | 'lastDay'>;
  /** The field of the breakdown. */
  readonly by?: string;
  /** Keep a short list of the people to look at. Person-level: only for direct messages. */
  readonly people: boolean;
  /** The key figures alone, of the fewest fields: all that a later answer is compared with. */
  readonly figuresOnly?: boolean;
  /** True where the range selects rows by when they were assigned, so that a later period had less time. */
  readonly byAssignedDate?: boolean;
  /** Count completions as they stood at this instant, milliseconds since the epoch, by their dates. */
  readonly asOf?: number;
  /** Milliseconds since the epoch: what "now" is for due dates. */
  readonly now: number;
  /** No figure is about fewer people; 1: no limit. */
  readonly smallestGroup: number;
  /** The asker's IANA zone: a due date without a time ends with its day there. */
  readonly zone: string;
  /** The requested range in epoch seconds, `[from, until)`: for what is counted per day. */
  readonly range?: { readonly from: number; readonly until: number };
}

/** Counts records as they arrive, in constant memory. */
export interface FiguresReader {
  add(record: RecordView): void;
  /**
   * The rank of the record that was added last; the lowest comes first. NaN if it is not counted. Reports without an
   * order of their own use the order of the answer.
   */
  readonly lastRank: number;
  /** The order of that record among listed rows, the lowest first. Rows of equal order are sorted by name. */
  readonly lastOrder: number;
  /** Days overdue, or in a list of what is due days until then, of that record; NaN where it has none. */
  readonly lastDays: number;
  /**
   * Whether the record of a rank is counted, once all records were read. Later records can show that one is not: its rank
   * is no integer.
   */
  isCounted(rank: number): boolean;
  /** An independent copy of everything counted so far, to go back to when an answer has to be read again. */
  copy(): FiguresReader;
  finish(): FiguresResult;
}

/** The unit of an average or a median. */
export type FigureUnit = 'days' | 'points' | 'percent' | 'rating' | 'attempts';

/** A value together with what it was counted from, so that both can be shown. */
export type FigureValue =
  | { readonly kind: 'count'; readonly count: number }
  /** Distinct people; `moreThan`: there were too many to go on counting. */
  | { readonly kind: 'people'; readonly count: number; readonly moreThan: boolean }
  /** `part / whole`; no value where `whole` is 0. */
  | { readonly kind: 'rate'; readonly part: number; readonly whole: number }
  /** `sum / over`, where `over` is how many values (or how much weight) went in; no value where it is 0. */
  | { readonly kind: 'average'; readonly sum: number; readonly over: number; readonly unit: FigureUnit }
  | {
      readonly kind: 'median';
      readonly value: number | null;
      readonly over: number;
      readonly unit: FigureUnit;
    }
  | { readonly kind: 'duration'; readonly seconds: number }
  /** A count over a number of days. */
  | { readonly kind: 'per-day'; readonly count: number; readonly days: number }
  /** One plain amount, of one row. */
  | { readonly kind: 'amount'; readonly amount: number; readonly unit: FigureUnit }
  /** Not known, such as the distinct people of several groups together. */
  | { readonly kind: 'unknown' };

/**
 * What a figure is compared with:
 * - `period-before`: the period before, whatever the age of its rows.
 * - `equal-age`: the period before; where the range selects by assigned date, recounted at equal age.
 * - `last-run`: the last run of the same request, as it describes a state now.
 * - `nothing`: it carries no change, as its value at equal age is unknown.
 */
export type Comparison = 'period-before' | 'equal-age' | 'last-run' | 'nothing';

/** One key figure of a report. */
export interface Figure {
  /** Stable within its report, `active-people`: what changes are found by. */
  readonly id: string;
  readonly label: string;
  readonly value: FigureValue;
  readonly compared: Comparison;
}

/** How the rows spread over the values of one field, most frequent first. */
export interface Spread {
  readonly title: string;
  readonly entries: readonly { readonly label: string; readonly count: number }[];
  /** Rows with values beyond those listed. */
  readonly others: number;
}

/** The few best of something, in words: `Most overdue: Fire safety (34), First aid (12)`. */
export interface Highlight {
  readonly title: string;
  readonly entries: readonly { readonly label: string; readonly value: FigureValue }[];
}

/** A chart as data, with nothing cut or drawn. */
export interface Chart {
  readonly title: string;
  readonly shape: 'bar' | 'line';
  readonly categories: readonly string[];
  /** One value per category. */
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
  /** True when the breakdown's table shows its numbers. Otherwise they are written beside the chart. */
  readonly inTable: boolean;
}

/** Every key figure once per group. */
export interface Breakdown {
  readonly kind: 'groups';
  /** The flag that the groups are the values of. */
  readonly by: string;
  /** What one group is, `Department`. */
  readonly label: string;
  /** True when `by:` requested it, false for the report's own table. */
  readonly isRequested: boolean;
  /** True for a field that may hold several entries: a record counts in each of its own. */
  readonly countsEachEntry: boolean;
  readonly columns: readonly { readonly id: string; readonly label: string }[];
  /** The first of the groups in the report's order. */
  readonly rows: readonly BreakdownRow[];
  /** For each place from 0: the groups from there on together, where what is in several of them counts once. */
  readonly tails: readonly BreakdownTail[];
}

export interface BreakdownTail {
  readonly groups: number;
  /** In the order of the columns. */
  readonly values: readonly FigureValue[];
}

export interface BreakdownRow {
  /** null for the records that give no value. */
  readonly label: string | null;
  /** How many small groups the line joins; absent for a group of its own. */
  readonly joined?: number | undefined;
  /** In the order of the columns. */
  readonly values: readonly FigureValue[];
}

/** A field of too many values to be broken down by. */
export interface RefusedBreakdown {
  readonly kind: 'refused';
  readonly by: string;
  readonly label: string;
  readonly isRequested: boolean;
  /** More values than this were found. */
  readonly moreThan: number;
}

/** The people to look at: person-level, for direct messages only. */
export interface PeopleToLookAt {
  /** `due`: the soonest of what is due, with the days until then. `counted`: the first rows of a narrowed answer. */
  readonly why: 'most-overdue' | 'stalled' | 'never-signed-in' | 'due' | 'counted';
  /** Of `counted`: the states that the rows are in, `Not completed`. */
  readonly title?: string;
  /** How many there are in all, listed or not. */
  readonly rows: number;
  readonly listed: readonly {
    readonly name: string;
    /** What it is about, a content's or a track's title. */
    readonly about?: string;
    readonly value?: FigureValue;
  }[];
}

/** The next sessions that still have room. */
export interface UpcomingSession {
  readonly title: string;
  /** Its start in words, in the asker's zone. */
  readonly when: string;
  readonly free: number;
  readonly offered: number;
}

/** What was counted: plain data, bounded in size whatever the answer's. */
export interface FiguresResult {
  readonly report: ReportName;
  /** Set where fewer people than this match, but some. Then nothing else is: no figures, and 0 records. */
  readonly tooFew?: number | undefined;
  /** Records of the answer. */
  readonly records: number;
  /** Those of them that the figures count: fewer where a view or states narrow them. */
  readonly counted: number;
  readonly figures: readonly Figure[];
  readonly spreads: readonly Spread[];
  readonly highlights: readonly Highlight[];
  readonly upcoming: readonly UpcomingSession[];
  /** How many different people were counted, where each row should be a person of its own. */
  readonly different?: FigureValue;
  readonly chart?: Chart;
  readonly breakdown?: Breakdown | RefusedBreakdown;
  readonly people?: PeopleToLookAt;
  /** The values of the only row counted, where there is just one. Person-level ones only where people are listed. */
  readonly onlyRow?: readonly {
    readonly flag: string;
    readonly text: string;
    readonly personLevel: boolean;
  }[];
  readonly notes: readonly Note[];
  /** Where completions were recounted as of an instant: the rows completed by now, and those of them without a date. */
  readonly recounted?: { readonly completed: number; readonly undated: number };
}

/** A note for readers of the figures, as data. `formatNote` writes the sentence. */
export type Note =
  /** Rows whose field was missing, among those that should have it. `field` in words: `due date`. */
  | { readonly kind: 'missing'; readonly field: string; readonly rows: number; readonly of: number }
  /** Rows whose field held something that could not be read. */
  | { readonly kind: 'unreadable'; readonly field: string; readonly rows: number; readonly of: number }
  | { readonly kind: 'fact'; readonly fact: NotedFact; readonly rows: number }
  /** Figures or a breakdown that were left out, because they would be about fewer people. */
  | { readonly kind: 'small-groups'; readonly leftOut: 'figures' | 'breakdown'; readonly people: number };

export type NotedFact =
  | 'engagement-may-list-only-active'
  | 'inactive-people-may-be-missing'
  | 'nobody-named'
  | 'nobody-named-counts'
  | 'completed-without-date'
  | 'completed-before-assigned'
  | 'too-many-values-for-a-median'
  | 'progress-came-as-fractions'
  | 'no-day-of-completion'
  | 'attendance-may-come-late';

/** A note with this fact, if any rows have it. */
export function factIfAny(fact: NotedFact, rows: number): Note[] {
  return rows > 0 ? [{ kind: 'fact', fact, rows }] : [];
}
