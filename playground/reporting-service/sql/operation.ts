/**
 * One operation as SQL. Its statement is read row by row while the answer is sent, and whatever decides about a row
 * beside the range of the driving index stands in `shown`, never in `where`, and what a row lacks is joined from the
 * left: a row that is not shown still comes back, as null, so that no step of the statement lasts longer than one row,
 * whatever the filters leave out.
 *
 * Parameters: `@from`, `@until` (no later than now), `@planned` (the same, however late) and `@now`.
 */
export interface OperationSql {
  /** Flag by flag, an argument for `json_object`. */
  readonly columns: Readonly<Record<string, string>>;
  /** The orders it can be read in, by `range_target`. */
  readonly readings: Readonly<Record<string, Reading>>;
  /** The reading where the body names none. */
  readonly own: string;
  /** Only where answers can be sorted. */
  readonly sorting?: Sorting;
}

export interface Sorting {
  /** What decides the order, by `sort_by`, where that is no column or a column would be the longer way. */
  readonly keys: Readonly<Record<string, string>>;
  /** What tells rows apart: the id of what makes a row. */
  readonly id: string;
  /** The tables again, read in the order of the ids in the JSON list `@ids`. */
  readonly from: string;
}

export interface Reading {
  /** Tables in the order in which they are read. */
  readonly from: string;
  /** The range, on what drives the statement; absent: everything. */
  readonly where?: string;
  /** What decides about a row beside the range and the filters. */
  readonly shown?: string;
  /** An order that the driving index has, so that nothing is sorted. */
  readonly order: string;
  /** Every `sort_by` that this order is already. */
  readonly sortedBy?: readonly string[];
}

/** An instant in the range that was asked for, of something that has happened. */
export const inRange = (instant: string) => `${instant} >= @from AND ${instant} < @until`;

/** An instant in the range that was asked for, of something that may only be planned. */
export const inPlannedRange = (instant: string) => `${instant} >= @from AND ${instant} < @planned`;
