/**
 * One operation as SQL. Its statement is read row by row while the answer is sent, and whatever decides about a row
 * beside the range of the driving index stands in `shown`, never in `where`: a row that is not shown still comes back,
 * as null, so that no step of the statement lasts longer than one row, whatever the filters leave out.
 *
 * Parameters: `@from`, `@until` (for what has happened: no later than now) and `@now`.
 */
export interface OperationSql {
  /** Flag by flag, an argument for `json_object`. */
  readonly columns: Readonly<Record<string, string>>;
  /** The orders it can be read in, by `range_target`; the first is its own. */
  readonly readings: Readonly<Record<string, Reading>>;
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
}
