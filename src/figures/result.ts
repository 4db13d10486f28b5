import type { ReportName } from '../catalogue/index.js';
import type { OverUnit } from '../requests/over-time.js';
import type { ReportRequest, ResolvedRange } from '../requests/request.js';
import type { BesideRow, ConditionsPlan } from './conditions-plan.js';
import type { NeighbourFilter } from './neighbours.js';
import type { RecordView } from './record-view.js';

/**
 * Figures of ended units are kept for a month. Raise it with each change of what a figure counts, so that old ones are not
 * shown beside new ones.
 */
export const figuresVersion = 1;

/** The figures to count in an answer. Plain data. */
export interface FiguresPlan {
  readonly report: ReportName;
  /** Count only overdue records, or records that are due and not completed. Absent: every record. */
  readonly view?: ReportRequest['view'];
  /** Count only records in one of these states; with a view, those of its records. Absent: in any state or none. */
  readonly states?: ReportRequest['states'];
  /** The range of due dates to look at, which `due` always has. Due dates without a time count by its days. */
  readonly dueRange?: Pick<ResolvedRange, 'from' | 'until' | 'firstDay' | 'lastDay'>;
  readonly by?: string;
  /** Whether the progress of tracks comes as fractions of 1, where more than these records told. Absent: they tell. */
  readonly hasFractions?: boolean;
  /** True if the request says whether suspended people count. */
  readonly filtersSuspended?: boolean | undefined;
  /** Make a short list of people to follow up. Person-level: only for direct messages. */
  readonly people: boolean;
  /** True where it is recorded who is listed. Needs `personKeyFields`. */
  readonly tellsPeople?: boolean | undefined;
  /** Only the key figures that later answers are compared with, from the fewest fields. */
  readonly figuresOnly?: boolean;
  /** True if the range selects rows by assigned date, so that a later period had less time. */
  readonly byAssignedDate?: boolean;
  /** Count only completions before this instant, in milliseconds since the epoch. */
  readonly asOf?: number;
  /** The current time for due dates, in milliseconds since the epoch. */
  readonly now: number;
  /** No figure is about fewer people; 1: no limit. */
  readonly smallestGroup: number;
  /** True if filters narrow the answer: no one then looks the same as too few people. */
  readonly isFiltered?: boolean;
  /** The conditions that rows were let in by, in a protected question too; absent: none. */
  readonly conditions?: ConditionsPlan | undefined;
  /** True where the request is about what changes while time passes, so that nothing earlier compares. */
  readonly isOfNow?: true | undefined;
  /** The filters of a protected question; absent: its neighbours are not looked at. */
  readonly neighbours?: readonly NeighbourFilter[] | undefined;
  /** The asker's IANA zone: a due date without a time ends with its day there. */
  readonly zone: string;
  /** The requested range in epoch seconds, `[from, until)`, up to now: for figures per day and charts over time. */
  readonly range?: { readonly from: number; readonly until: number };
  /** Count the rows completed in this range apart, for the pace of a target. Days without a time count by its days. */
  readonly paceRange?: FiguresPlan['dueRange'];
  /** Count the rows of each unit apart; absent: all together. */
  readonly units?: UnitsPlan | undefined;
  /** Sketch the people of the answer, so that it can be compared with other answers. */
  readonly sketchesPeople?: true | undefined;
  /** The days that figures per day are divided by; absent: those of the range. */
  readonly days?: number | undefined;
}

/** Halves of the hashes of a row's user ID and of its address, without a key; 0: it has none. */
export type RowPerson = readonly [number, number, number, number];
/** How the rows of one answer are counted by unit. */
export interface UnitsPlan {
  /** The flag of the date that tells the unit of a row, or `completion`: the objects that hold its completion. */
  readonly date: string;
  /** The oldest first. */
  readonly each: readonly UnitPlan[];
}

/** One unit, in epoch seconds, `[from, until)`. */
export interface UnitPlan extends Pick<ResolvedRange, 'from' | 'until' | 'firstDay' | 'lastDay'> {
  /** Count only completions before this instant, in milliseconds since the epoch. */
  readonly asOf?: number | undefined;
}

/** Counts records as they arrive, in constant memory. */
export interface FiguresReader {
  add(record: RecordView): void;
  /** Takes note of a record that the conditions keep out. */
  addBeside(record: RecordView, beside: BesideRow): void;
  /**
   * The rank of the record that was added last; the lowest comes first. NaN if it is not counted. Reports without an
   * order of their own use the order of the answer.
   */
  readonly lastRank: number;
  /** The order of that record among listed rows, the lowest first. Rows of equal order are sorted by name. */
  readonly lastOrder: number;
  /** Days overdue of that record, or days until due in a list of due records; NaN if it has none. */
  readonly lastDays: number;
  /**
   * Whether the record of a rank is counted, after the last record. Later records can show that it is not. Its rank is
   * then not an integer.
   */
  isCounted(rank: number): boolean;
  /** Counts the next part of the answer apart, so that it can be dropped and read again. Ranks continue. */
  startPart(): FiguresReader;
  /** Adds the part that `startPart` gave last. The sum of the parts is the same as the count of the whole. */
  merge(part: FiguresReader): void;
  finish(): FiguresResult;
}

export type FigureUnit = 'days' | 'points' | 'percent' | 'rating' | 'attempts';

/** A value with the numbers that it was computed from, so that messages can show both. */
export type FigureValue =
  | { readonly kind: 'count'; readonly count: number }
  /** Distinct people; `moreThan`: there were more than can be counted. */
  | { readonly kind: 'people'; readonly count: number; readonly moreThan: boolean }
  /** `part / whole`; no value if `whole` is 0. */
  | { readonly kind: 'rate'; readonly part: number; readonly whole: number }
  /** `sum / over`, where `over` is the number or the weight of the values; no value if it is 0. */
  | { readonly kind: 'average'; readonly sum: number; readonly over: number; readonly unit: FigureUnit }
  /** No value if `over` is 0. With `over` and without a value, the median of times is not reached. */
  | {
      readonly kind: 'median';
      readonly value: number | null;
      readonly over: number;
      readonly unit: FigureUnit;
    }
  | { readonly kind: 'duration'; readonly seconds: number }
  | { readonly kind: 'per-day'; readonly count: number; readonly days: number }
  | { readonly kind: 'amount'; readonly amount: number; readonly unit: FigureUnit }
  /** Unknown, such as the distinct people of several groups together. */
  | { readonly kind: 'unknown' }
  /** About too few people, or hides a value that is. */
  | { readonly kind: 'too-few' };

/**
 * The figure of an earlier time that a figure is compared with:
 * - `period-before`: the period before.
 * - `equal-age`: the period before; if the range selects by assigned date, counted at the same age.
 * - `last-run`: the last run of the same request, as it describes a state now.
 * - `nothing`: it shows no change, because its value at the same age is unknown.
 */
export type Comparison = 'period-before' | 'equal-age' | 'last-run' | 'nothing';

export interface Figure {
  /** Stable within its report: `active-people`. Changes are matched by it. */
  readonly id: string;
  readonly label: string;
  readonly value: FigureValue;
  readonly compared: Comparison;
}

/** Rows for each value of a field, most frequent first. */
export interface Spread {
  readonly title: string;
  readonly entries: readonly { readonly label: string; readonly count: number }[];
  /** Rows with values beyond those listed. */
  readonly others: number;
}

/** The top entries of a ranking, in words: `Most overdue: Fire safety (34), First aid (12)`. */
export interface Highlight {
  readonly title: string;
  readonly entries: readonly { readonly label: string; readonly value: FigureValue }[];
}

/** A chart as data, with full labels. */
export interface Chart {
  readonly title: string;
  readonly shape: 'bar' | 'line' | 'area';
  readonly categories: readonly string[];
  /** One value per category. */
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
  /** True if the breakdown's table shows its numbers. Otherwise they are written beside the chart. */
  readonly inTable: boolean;
  /** Of groups in order: which of how many may be left of them. */
  readonly some?: { readonly which: 'top' | 'lowest' | 'latest'; readonly of: number };
}

/** Every key figure for each group. */
export interface Breakdown {
  readonly kind: 'groups';
  /** The flag whose values are the groups. */
  readonly by: string;
  /** The singular name of a group: `Department`. */
  readonly label: string;
  /** True if `by:` requested it, false for the report's own table. */
  readonly isRequested: boolean;
  /** For a field with several values: whether a record counts in the line of each, or of the first alone. */
  readonly severalCount?: 'in-each' | 'in-the-first' | undefined;
  readonly columns: readonly { readonly id: string; readonly label: string }[];
  /** The first of the groups in the report's order. */
  readonly rows: readonly BreakdownRow[];
  /** For each index: the groups from there to the end as one row, in which each record counts once. */
  readonly tails: readonly BreakdownTail[];
}

export interface BreakdownTail {
  readonly groups: number;
  /** In the order of the columns. */
  readonly values: readonly FigureValue[];
}

export interface BreakdownRow {
  /** null for records without a value. */
  readonly label: string | null;
  /** The number of small groups that the line joins; absent for a single group. */
  readonly joined?: number | undefined;
  /** In the order of the columns. */
  readonly values: readonly FigureValue[];
  /** With `tellsPeople`: whom the group is about, if it is one person. `numbers`: those of the record. */
  readonly who?: RowPerson | undefined;
  readonly numbers?: readonly number[] | undefined;
}

/** A field with too many values for a breakdown. */
export interface RefusedBreakdown {
  readonly kind: 'refused';
  readonly by: string;
  readonly label: string;
  readonly isRequested: boolean;
  readonly moreThan: number;
}

/** The people to follow up: person-level, only for direct messages. */
export interface PeopleToLookAt {
  /** `due`: the rows that are due soonest, with the days until then. `counted`: the first rows of a narrowed answer. */
  readonly why: 'most-overdue' | 'stalled' | 'never-signed-in' | 'due' | 'counted';
  /** Of `counted`: the states of the rows, `Not completed`. */
  readonly title?: string;
  /** The number of all rows, listed or not. */
  readonly rows: number;
  readonly listed: readonly {
    readonly name: string;
    /** The title of its content or track. */
    readonly about?: string;
    readonly value?: FigureValue;
    /** Set with `tellsPeople`. */
    readonly who?: RowPerson | undefined;
    /** The numbers that the record has for that person. */
    readonly numbers?: readonly number[] | undefined;
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

/** The people of an answer in constant size, as combined hashes: by user ID, by address, and by both. `isFull`: some are missing. */
export interface PeopleSketch {
  readonly ids: Int32Array;
  readonly addresses: Int32Array;
  readonly people: Int32Array;
  readonly isFull?: true;
}

/** The counted figures. Plain data of limited size. */
export interface FiguresResult {
  readonly report: ReportName;
  /** Set if fewer people than this match, or differ from a neighbour. There are then no figures, and 0 records. */
  readonly tooFew?: number | undefined;
  readonly records: number;
  /** Records that the figures count: fewer if a view or states narrow them. */
  readonly counted: number;
  readonly figures: readonly Figure[];
  readonly spreads: readonly Spread[];
  readonly highlights: readonly Highlight[];
  readonly upcoming: readonly UpcomingSession[];
  /** The number of different people, if each row should be a different person. */
  readonly different?: FigureValue;
  readonly chart?: Chart;
  readonly breakdown?: Breakdown | RefusedBreakdown;
  readonly people?: PeopleToLookAt;
  /** The values of the counted row, if there is only one. Person-level values are included only if people are listed. */
  readonly onlyRow?: readonly {
    readonly flag: string;
    readonly text: string;
    readonly personLevel: boolean;
  }[];
  /** The person of that row, as of listed people. */
  readonly onlyPerson?: Pick<PeopleToLookAt['listed'][number], 'who' | 'numbers'> | undefined;
  readonly notes: readonly Note[];
  /** The figures of each unit of the plan, and how many rows are in none. */
  readonly units?: readonly FiguresResult[];
  readonly unplaced?: number;
  /** Set for answers over time. All other figures are then those of the newest unit. */
  readonly overTime?: OverTimeFigures;
  /**
   * Set where people are left out of all answers. `list` tells their lists apart; `people` is how many were left out of
   * this answer, where its reader may know.
   */
  readonly leftOut?: { readonly list: number; readonly people?: number | undefined };
  /** The people of the answer. It is compared with others and then dropped. */
  readonly sketch?: PeopleSketch | undefined;
  /** Of a target's pace: the rows completed in its range, all completed ones without a date, and different people. */
  readonly pace?: { readonly recent: number; readonly undated: number; readonly people: number } | undefined;
  /** Where completions were recounted as of an instant: the rows completed by now, and those of them without a date. */
  readonly recounted?: { readonly completed: number; readonly undated: number };
}

/** The figures of several units, one by one. Plain data of limited size. */
export interface OverTimeFigures {
  readonly unit: OverUnit;
  /** The ID of the figure that is drawn. */
  readonly figure: string;
  /** The figures that have a past. */
  readonly columns: readonly { readonly id: string; readonly label: string }[];
  /** The oldest first. */
  readonly units: readonly UnitLine[];
  /** The same units a year before, in the same order; absent: they were not asked for. */
  readonly yearBefore?: readonly UnitValues[];
  /** The labels of figures that describe a state now. */
  readonly ofNow: readonly string[];
  /** The labels of figures that grow with the age of a row, where the age of rows is unknown. */
  readonly ofAge: readonly string[];
  /** True where each unit is counted as it stood one unit after its end. */
  readonly isCohort: boolean;
  /** When the oldest of them was read, in milliseconds since the epoch, where some were kept; absent: all with the answer. */
  readonly readAt?: number | undefined;
}

export interface UnitLine extends UnitValues {
  readonly range: ResolvedRange;
}

export interface UnitValues {
  /** Why it has no figures: too few people, completions without a date, or no such day. */
  readonly gap?: 'too-few' | 'undated' | 'no-such-day' | undefined;
  /** In the order of the columns. */
  readonly values: readonly FigureValue[];
}

/** What a result without any figures has. */
export const nothingCounted = {
  records: 0,
  counted: 0,
  figures: [],
  spreads: [],
  highlights: [],
  upcoming: [],
  notes: [],
} as const;

/** A note for readers of the figures, as data. `formatNote` writes the sentence. */
export type Note =
  /** Rows whose field was missing, among those that should have it. `field` in words: `due date`. */
  | { readonly kind: 'missing'; readonly field: string; readonly rows: number; readonly of: number }
  /** Rows whose field held something that could not be read. */
  | { readonly kind: 'unreadable'; readonly field: string; readonly rows: number; readonly of: number }
  | { readonly kind: 'fact'; readonly fact: NotedFact; readonly rows: number }
  /**
   * Rows that a condition kept out because their value was missing or could not be read. `rows` is absent where it may be
   * about too few people. `field` as people read it: `Score`.
   */
  | { readonly kind: 'condition'; readonly field: string; readonly rows?: number | undefined }
  /** What was left out, because it would be about fewer people. */
  | { readonly kind: 'small-groups'; readonly leftOut: LeftOut; readonly people: number };

/**
 * What the protection of small groups leaves out:
 * - `figures`: key figures, with their columns.
 * - `columns`: columns whose key figure is shown.
 * - `cells`: some cells of columns.
 * - `shared-people`: the number of people, of lines that share people.
 * - `breakdown`: no group is left to join. The others leave it out too: too many people or values to protect them, and
 *   several values of a field that is no list.
 */
export type LeftOut =
  | 'figures'
  | 'columns'
  | 'cells'
  | 'shared-people'
  | 'breakdown'
  | 'breakdown-too-large'
  | 'breakdown-of-several-values';

export type NotedFact =
  | 'engagement-may-list-only-active'
  | 'inactive-people-may-be-missing'
  | 'no-person-named'
  | 'no-person-named-counts'
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
