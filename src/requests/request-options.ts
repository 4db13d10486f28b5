import type { Report } from '../catalogue/index.js';
import type { Problem } from './problem.js';
import type { FileFormat, ReportRequest, RequestView, Target, TitleChoice } from './request.js';
import type { RowCondition } from './row-conditions.js';
import type { OptionToken, TextSpan } from './tokens.js';

/** The range and options of a command, collected token by token. */
export interface RequestOptions {
  range?: string;
  /** True where `assigned:` set the range of a report, which only open states allow. */
  byAssignedDate: boolean;
  /** Why the range cannot be, unless it goes by a date that can lie ahead. */
  futureRangeProblem?: Problem;
  /** How the range was typed, each way once: a range typed a thousand times is read once. */
  readonly typedRanges: Set<string>;
  /** Where the range was typed; absent: it was not. */
  rangeSpan?: TextSpan;
  /** Canonical: `12w`. */
  over?: string;
  figure?: string;
  against?: 'last-year';
  /** What `assigned:` chose for `overdue` and `due`, whose range is about due dates. */
  assigned?: string;
  dateField?: string;
  sort?: string;
  by?: string;
  readonly columns: Set<string>;
  /** The states of `only:`. */
  readonly states: Set<string>;
  readonly titles: TitleChoice[];
  /** Entries by the member's name in full, `user.departments`. */
  readonly filters: Map<string, Set<string>>;
  /** Conditions on rows, each with the option that made it. */
  readonly conditions: { readonly condition: RowCondition; readonly token: OptionToken }[];
  showRows?: true;
  file?: FileFormat;
  purpose?: string;
  target?: Target;
  toMe: boolean;
  /** A digest that goes to each manager. */
  toManagers?: true;
  skipEmpty: boolean;
  replace?: true;
  keepDays?: number;
}

/** The text that holds the options, and the report they are for. */
export interface OptionsSource {
  readonly text: string;
  readonly from: number;
  readonly until: number;
  /** As `reportForRequest` gives it before the words are read. */
  readonly report: Report;
  readonly view?: RequestView | undefined;
  /** The date field and the states of the saved request that the words are added to. */
  readonly dateField?: string | undefined;
  readonly states?: readonly string[] | undefined;
  /** The saved request that the words are added to; absent: there is none. */
  readonly saved?: ReportRequest | undefined;
  /** True in `schedule`, where `skip-empty`, `replace` and `keep:` have a meaning. */
  readonly scheduled: boolean;
}

export interface OptionsContext extends OptionsSource {
  /** What was read so far. */
  readonly chosen: RequestOptions;
}
