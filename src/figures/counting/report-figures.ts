import type { RecordView } from '../record-view.js';
import type { Comparison, FiguresPlan, FiguresResult, FigureValue } from '../result.js';
import type { CountedKind, CountedValues, Median } from './counted-values.js';
import type { CompletedBy } from './dates.js';
import type { DistinctPeople } from './distinct-people.js';
import type { MissingValues } from './missing-values.js';
import type { ValueSpread } from './statuses.js';
import type { Totals } from './totals.js';

/**
 * The rows that a figure is about. If small groups are protected and the rows have fewer people than SMALLEST_GROUP, the
 * figure is hidden.
 * - `all-rows`: all of the answer, before a view or states narrow it.
 * - `counted-rows`: the rows after that.
 * - `rows-with-median-value`: those that have a value of the report's median.
 * - `rowsOfSums`: those that add something to one of these sums.
 */
export type Denominator =
  | 'all-rows'
  | 'counted-rows'
  | 'rows-with-median-value'
  | { readonly rowsOfSums: readonly [number, ...number[]] };

/** What a value of a line is about. */
export interface AboutPeople {
  readonly denominator: Denominator;
  /** Rows of it that another figure tells apart from the rest, and that must not be too few either. */
  readonly alsoAbout?: Denominator;
  /** Fields that tell these rows apart: lines by one of them would tell what a hidden cell says. */
  readonly toldApartBy?: readonly string[];
  /** Set if the number of distinct people is in it. Where lines share people, it would tell how many. */
  readonly countsPeople?: true;
}

/** All denominators that decide whether a value is hidden. */
export function denominatorsOf({ denominator, alsoAbout }: AboutPeople): readonly Denominator[] {
  return alsoAbout === undefined ? [denominator] : [denominator, alsoAbout];
}

/** How a value is computed from a row of sums, and which rows it is about. */
export interface Formula extends AboutPeople {
  /** Set for sums of amounts. In a narrowed answer they are only about the people of the counted rows. */
  readonly addsAmounts?: true;
  /** Set for medians and distinct people, which are counted per group only where `by:` requests the breakdown. */
  readonly inGroupsOnRequest?: true;
  /** The value is unknown if no row has a readable value of any of these flags. */
  readonly needs?: readonly string[];
  readonly value: (row: CountedRow) => FigureValue;
}

export interface FigureRule extends Formula {
  readonly id: string;
  readonly label: string;
  readonly compared: Comparison;
  /** A shorter label for a column. */
  readonly heading?: string;
  /** True if the figure is shown for rows in these states of `only:`. Absent: it is shown for no states. */
  readonly appliesTo?: (states: ReadonlySet<string>) => boolean;
  /** Set for figures of narrowed answers alone. */
  readonly onlyInStates?: true;
}

/** A ranking of the report's own groups by the value that is shown. The first few are named in words. */
export interface HighlightRule extends Formula {
  readonly title: string;
  /** Negative if `a` comes before `b`. */
  readonly order: (a: CountedRow, b: CountedRow) => number;
  /** True for groups that may be named. */
  readonly includes: (row: CountedRow) => boolean;
}

/** The value of each group in the chart of a breakdown. */
interface BarsRule {
  readonly title: string;
  /** Set for bars that are shares: the lowest come first, and groups of few have none. */
  readonly share?: (row: CountedRow) => FigureValue;
  readonly series: readonly (AboutPeople & {
    readonly name: string;
    /** NaN for a group that has no value. It has no bar. */
    readonly value: (row: CountedRow) => number;
  })[];
}

/** How a report counts people: each once. Rows do not add to these sums. */
export interface PeopleRule {
  readonly sum: number;
  /** The sums for the numbers of people with all of these marks, of the first two bits of `PersonMark`. */
  readonly marked?: readonly { readonly marks: number; readonly sum: number }[];
  /** Set if the report's own table counts people as well as requested breakdowns. */
  readonly inEveryTable?: true;
  /** Set if people are counted in narrowed answers alone, and for the pace of a target. */
  readonly onlyInStates?: true;
}

/** The figures of one report as a table of rules. Each report has a file of `src/figures/reports`. */
export interface ReportFigures {
  /** The indexes of its sums, by name. */
  readonly sums: Readonly<Record<string, number>>;
  /** The sum that counts rows, or people if a row is a person. */
  readonly rows: number;
  /** The sum of how many people a group has, where they are counted, else of its rows: groups of few are not ranked. */
  readonly size: number;
  /** The sums of rows completed in the range of a pace, and of completed rows without a date. */
  readonly pace?: { readonly recent: number; readonly undated: number };
  /** What its median is of; absent: values. */
  readonly medianOf?: CountedKind;
  /** Set if the report counts distinct people. */
  readonly people?: PeopleRule | undefined;
  /** The field of the report's own table, if `by:` names none. */
  readonly groupedBy: string;
  /** The fields that a listed row shows besides the name: its title, and a number. Absent: no people are listed. */
  readonly listed?: { readonly title?: string; readonly points?: string };
  rules(plan: FiguresPlan): readonly FigureRule[];
  /** The order of the groups, the end that matters first. It tells about the people of the bars: negative if `a` comes before `b`. */
  readonly order: HighlightRule['order'];
  readonly highlights: readonly HighlightRule[];
  readonly bars: BarsRule;
  /** Set if the report's own chart shows a spread, which the protection of small groups does not change. */
  readonly chartIsSpread?: true;
  /** Set if the order, highlights and bars of narrowed answers are those of all rows. */
  readonly keepsOrder?: true;
  /** States besides the open ones that describe a row as it is now. */
  readonly statesOfNow?: readonly string[];
  /** The flags that it reads, besides those of people that are counted, and of breakdowns. */
  fields(plan: FiguresPlan): readonly string[];
  counter(plan: FiguresPlan, fields: readonly string[]): RecordCounter;
}

/** Reads records one by one. */
export interface RecordCounter {
  /** What it counts beside the sums. Of two parts of an answer, these are added. */
  readonly parts: {
    readonly missing: MissingValues;
    /** The statuses or types of the counted records. */
    readonly spread?: ValueSpread;
    readonly completedBy?: CompletedBy | undefined;
    readonly [other: string]: Totals | undefined;
  };
  /** Writes the record's contribution into `into`, which is clear. False if the record is not counted. */
  read(record: RecordView, into: Contribution): boolean;
  /**
   * Called for each counted record with its person.
   *
   * @param number the person's number among `people`; -1 for no one, or if there are too many people
   */
  notePerson?(record: RecordView, adds: Contribution, number: number, people: DistinctPeople): void;
  /** Chooses between sums that were counted in two ways, at the end. */
  finalizeSums?(sums: Float64Array): void;
  /** False if the values turned out to have another scale than assumed. */
  assumptionHolds?(): boolean;
  /** What is found beside the sums: days, the next sessions, people to follow up, notes. */
  finish(
    total: CountedRow,
    values: CountedValues,
    people: DistinctPeople,
  ): Partial<Pick<FiguresResult, 'chart' | 'people' | 'upcoming' | 'notes' | 'different'>>;
}

/** The index of each flag among the fields of the read plan. */
export function fieldIndexes<Flag extends string>(
  fields: readonly string[],
  flags: readonly Flag[],
): Readonly<Record<Flag, number>> {
  const indexes = {} as Record<Flag, number>;
  for (const flag of flags) {
    const index = fields.indexOf(flag);
    if (index < 0) throw new Error(`The query lacks the field ${flag}`);
    indexes[flag] = index;
  }
  return indexes;
}

/** The contribution of one record to the figures. One object is reused for all records, so that reading allocates nothing. */
export class Contribution {
  /** The amounts for each of the report's sums. */
  readonly sums: Float64Array;
  /** True for a record that the figures count. */
  isCounted = false;
  /** An integer for the median; NaN: none. */
  medianValue = Number.NaN;
  /** Its rank among the counted records, the lowest first; NaN: the order of the answer. */
  rank = Number.NaN;
  /** Its order among listed rows, the lowest first; NaN: that of its rank. */
  order = Number.NaN;
  /**
   * Days overdue or until due, if rows are listed by their due date; otherwise NaN. In a list of days until due, what is
   * overdue has minus its days overdue: minus 0 for less than a day.
   */
  days = Number.NaN;
  /** True if it names a person and people are counted. The hash identifies the person. */
  hasPerson = false;
  personHigh = 0;
  personLow = 0;
  /** The marks that it gives the person, of the first two bits of `PersonMark`. */
  marks = 0;

  constructor(sums: number) {
    this.sums = new Float64Array(sums);
  }

  clear(): void {
    this.sums.fill(0);
    this.isCounted = false;
    this.medianValue = Number.NaN;
    this.rank = Number.NaN;
    this.order = Number.NaN;
    this.days = Number.NaN;
    this.hasPerson = false;
    this.marks = 0;
  }
}

/** The sums of one group or of the answer, for the rules of figures. */
export class CountedRow {
  constructor(
    private readonly sums: Float64Array,
    /** Absent for several groups together, where it is unknown. */
    readonly median?: Median | undefined,
    /** True if there were more people than were counted; absent if people are unknown. */
    readonly morePeople?: boolean | undefined,
  ) {}

  /** True if nothing was counted. */
  get isEmpty(): boolean {
    return this.sums.every((sum) => sum === 0);
  }

  sum(which: number): number {
    return this.sums[which] ?? 0;
  }

  sumOf(several: readonly number[]): number {
    return several.reduce((total, which) => total + this.sum(which), 0);
  }

  withMedian(median: Median | undefined): CountedRow {
    return new CountedRow(this.sums, median, this.morePeople);
  }
}
