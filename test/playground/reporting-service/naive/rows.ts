import type { Assignment, Content, Instance, Person } from './tables.js';

/** A row of a report before it is cut to what was asked for. */
export interface NaiveRow {
  /** Every flag of the report. */
  readonly values: Record<string, unknown>;
  /** What a date field says about it; null: it has none. */
  readonly dates: Readonly<Record<string, number | null>>;
  /** What decides the order by each date field, most important first. */
  readonly order: Readonly<Record<string, readonly number[]>>;
  readonly learner?: Person | undefined;
  readonly content?: Content | undefined;
  readonly assignment?: Assignment | undefined;
  readonly instance?: Instance | undefined;
}
