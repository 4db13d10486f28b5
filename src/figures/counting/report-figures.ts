import type { RecordView } from '../record-view.js';
import type { Comparison, FiguresPlan, FiguresResult, FigureUnit, FigureValue } from '../result.js';
import type { CountedValues, Median } from './counted-values.js';
import type { DistinctPeople } from './distinct-people.js';

/**
 * The rows that a figure is about. Fewer people than SMALLEST_GROUP in them hide it where small groups are protected.
 * - `all-rows`: all of the answer, before a view or states narrow it.
 * - `counted-rows`: those that are left then.
 * - `rows-with-median-value`: those that have a value of the report's median.
 * - `rowsOfSums`: those that add something to one of these sums.
 */
export type Denominator =
  | 'all-rows'
  | 'counted-rows'
  | 'rows-with-median-value'
  | { readonly rowsOfSums: readonly [number, ...number[]] };

/** One key figure: how it is made of a row of sums. */
export interface FigureRule {
  readonly id: string;
  readonly label: string;
  readonly denominator: Denominator;
  readonly compared: Comparison;
  /** A shorter label for a column. */
  readonly heading?: string;
  /** True if the figure is shown for rows in these states of `only:`. Absent: it is shown for no states. */
  readonly appliesTo?: (states: ReadonlySet<string>) => boolean;
  /** Set for sums of amounts. In a narrowed answer they are about the people of the counted rows alone. */
  readonly addsAmounts?: true;
  /** Set for medians and distinct people, which are counted per group only where `by:` requests the breakdown. */
  readonly inGroupsOnRequest?: true;
  /** Where no row gave a readable value of any of these flags, nothing can be known of it. */
  readonly needs?: readonly string[];
  readonly value: (row: CountedRow) => FigureValue;
}

/** A ranking of the report's own groups, of which the first few are named in words. */
export interface HighlightRule {
  readonly title: string;
  /** Of the value that is shown. */
  readonly denominator: Denominator;
  /** As of a figure: without them, nothing can be ranked. */
  readonly needs?: readonly string[];
  /** Negative where `a` goes before `b`. */
  readonly order: (a: CountedRow, b: CountedRow) => number;
  /** Which groups may be named at all. */
  readonly includes: (row: CountedRow) => boolean;
  readonly value: (row: CountedRow) => FigureValue;
}

/** What the chart of a breakdown shows of each group. */
interface BarsRule {
  readonly title: string;
  readonly series: readonly {
    readonly name: string;
    readonly denominator: Denominator;
    readonly value: (row: CountedRow) => number;
  }[];
}

/** How a report counts people: each once, in however many rows. Their rows add nothing to these sums themselves. */
interface PeopleRule {
  /** The sum that holds how many they are. */
  readonly sum: number;
  /** The sum that holds how many of them some row shows as active. */
  readonly activeSum?: number;
  /** Set where the report's own table counts them too, not only a requested breakdown. */
  readonly inEveryTable?: true;
}

/** Everything that one report's figures are. One file each. */
export interface ReportFigures {
  /** How many sums a record adds to. */
  readonly sums: number;
  /** Set where the report counts distinct people. */
  readonly people?: PeopleRule;
  /** The field of the report's own table, when `by:` names none. */
  readonly groupedBy: string;
  rules(plan: FiguresPlan): readonly FigureRule[];
  /** The order of the groups: negative where `a` goes before `b`. */
  readonly order: (a: CountedRow, b: CountedRow) => number;
  readonly highlights: readonly HighlightRule[];
  readonly bars: BarsRule;
  /** Set where the report's own chart shows a spread, which small groups leave as it is. */
  readonly chartIsSpread?: true;
  /** The flags it reads, besides those of breakdowns. */
  fields(plan: FiguresPlan): readonly string[];
  counter(plan: FiguresPlan, fields: readonly string[]): RecordCounter;
}

/** What only this report counts, beside its sums: spreads, days, the next sessions, the people to look at. */
export type ReportFindings = Partial<
  Pick<FiguresResult, 'spreads' | 'chart' | 'people' | 'upcoming' | 'notes' | 'different' | 'recounted'>
> & {
  /** Flags of numbers that no row gave a readable value of, though each should have. */
  readonly unread?: readonly string[];
};

/** Reads records one by one. */
export interface RecordCounter {
  /** Puts what the record adds into `into`, which is clear. False: it is not among those counted. */
  read(record: RecordView, into: Contribution): boolean;
  /**
   * Told of each counted record who it is about.
   *
   * @param number the person's number among `people`; -1 for nobody, or where there are too many people
   */
  notePerson?(record: RecordView, adds: Contribution, number: number, people: DistinctPeople): void;
  copy(): RecordCounter;
  /** What is known only at the end about sums counted in two ways: puts the right ones in place. */
  finalizeSums?(sums: Float64Array): void;
  /** False once the values turned out to have another scale than assumed. */
  readonly assumptionHolds?: boolean;
  finish(total: CountedRow, values: CountedValues, people: DistinctPeople): ReportFindings;
}

/** The place of each flag among the fields that a reading was opened with. */
export function fieldIndexes<Flag extends string>(
  fields: readonly string[],
  flags: readonly Flag[],
): Readonly<Record<Flag, number>> {
  const indexes = {} as Record<Flag, number>;
  for (const flag of flags) {
    const index = fields.indexOf(flag);
    if (index < 0) throw new Error(`The figures need the field ${flag}, which the query lacks`);
    indexes[flag] = index;
  }
  return indexes;
}

/** What one record adds to the figures. One is kept and filled anew for each record, so that reading allocates nothing. */
export class Contribution {
  /** What it adds to each of the report's sums. */
  readonly sums: Float64Array;
  /** True for a record that the figures count. */
  isCounted = false;
  /** An integer whose median is counted; NaN: it has none. */
  medianValue = Number.NaN;
  /** Its rank among the counted records, the lowest first; NaN: they are in the order of the answer. */
  rank = Number.NaN;
  /** Its order among listed rows, the lowest first; NaN: that of its rank. */
  order = Number.NaN;
  /** Days overdue or until due, where rows are listed by their due date; NaN elsewhere. */
  days = Number.NaN;
  /** True where it names a person and people are counted. The hash identifies the person. */
  hasPerson = false;
  personHigh = 0;
  personLow = 0;
  /** True when it shows that person as active. */
  active = false;

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
    this.active = false;
  }
}

/** The sums of one group, or of the answer, as the rules for figures read them. */
export class CountedRow {
  constructor(
    private readonly sums: Float64Array,
    /** Absent where it is not known: for several groups together. */
    readonly median?: Median | undefined,
    /** Whether there were more people than were counted; absent where people are not known. */
    readonly morePeople?: boolean | undefined,
  ) {}

  /** True where nothing was counted. */
  get isEmpty(): boolean {
    return this.sums.every((sum) => sum === 0);
  }

  sum(which: number): number {
    return this.sums[which] ?? 0;
  }

  withMedian(median: Median | undefined): CountedRow {
    return new CountedRow(this.sums, median, this.morePeople);
  }
}

export function count(many: number): FigureValue {
  return { kind: 'count', count: many };
}

export function rate(part: number, whole: number): FigureValue {
  return { kind: 'rate', part, whole };
}

export function average(sum: number, over: number, unit: FigureUnit): FigureValue {
  return { kind: 'average', sum, over, unit };
}

/** Distinct people, counted in that sum. */
export function distinctPeople(row: CountedRow, sum: number): FigureValue {
  if (row.morePeople === undefined) return { kind: 'unknown' };
  return { kind: 'people', count: row.sum(sum), moreThan: row.morePeople };
}

/** @param per how many counted steps make one unit: 10 where tenths were counted */
export function median(row: CountedRow, unit: FigureUnit, per = 1): FigureValue {
  if (!row.median) return { kind: 'unknown' };
  const { value, over } = row.median;
  return { kind: 'median', value: value === null ? null : value / per, over, unit };
}
