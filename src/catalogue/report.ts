import type { Field } from './field.js';
import type { FilterObject } from './filter.js';

export type ReportName =
  | 'assignments'
  | 'tracks'
  | 'completions'
  | 'assessments'
  | 'engagement'
  | 'workshops';

export interface ReportRange {
  /** The range in words that holds when none is typed. */
  readonly byDefault: string;
  /** True where the report has a future: `tomorrow`, `next-week`, and `this-…` as whole units. */
  readonly hasFuture: boolean;
  /** True when longer ranges may be asked window by window and joined, since its rows add up. */
  readonly addsUp: boolean;
}

export interface ReportDateField {
  /** The `range_target` sent when none is typed; absent: none is sent. */
  readonly byDefault?: string;
  /** Every value that `on:` takes, each with the words that the title uses for it. */
  readonly choices: readonly DateChoice[];
}

export interface DateChoice {
  readonly flag: string;
  /** Lower case, fits after "by": `assigned date`. */
  readonly words: string;
  /** True for a date that can lie ahead: ranges by it may begin in the future. */
  readonly ahead?: true;
}

/** One of the six reports, as data: everything that can be asked of it. */
export interface Report {
  /** The short name people type. */
  readonly name: ReportName;
  /** The service's own name, also the last part of its path. */
  readonly operation: string;
  readonly title: string;
  /** One line for help: what it answers. */
  readonly answers: string;
  /** Words for its rows: one and many. */
  readonly rowWords: readonly [one: string, many: string];
  readonly fields: readonly Field[];
  /** The columns of the CSV when none are chosen. */
  readonly essentials: readonly string[];
  readonly filters: readonly FilterObject[];
  /** Absent: the report has no range. */
  readonly range?: ReportRange;
  /** Absent: the report takes no `on:`. */
  readonly dateField?: ReportDateField;
  /** What `sort:` takes; empty: the report cannot be sorted. */
  readonly sorts: readonly string[];
  /** Commands for help, each complete after `/report `. */
  readonly examples: readonly string[];
}
