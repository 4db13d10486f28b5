import type { ReportName, TitleOption } from '../catalogue/index.js';

/** Entries for one member of one filter object, in the order typed. Never empty. */
export interface FilterChoice {
  /** `user_filter`, `track_filter`, … */
  readonly object: string;
  /** `departments`, `archived`, … */
  readonly member: string;
  /** As typed, without blanks at the ends. Yes/no members have one entry: `true`, `false`, or `any` (see `acceptsAny`). */
  readonly entries: readonly string[];
}

/** A command that narrows assignments, beside the report itself. */
export type RequestView = 'overdue' | 'due';

export type FileFormat = 'csv' | 'xlsx';

/** One thing learnt, chosen by its title. */
export interface TitleChoice {
  readonly option: TitleOption;
  /** As typed; once found, the full title. */
  readonly text: string;
  /** The service's identifier, once found. A request runs only if all its titles have one. */
  readonly id?: string;
}

/**
 * A report to run, in the terms of the catalogue. Commands, the builder, digests and the command line make requests.
 * Relative things stay relative: the range is words, and `me` in an e-mail member is the asker of each run.
 * Plain data that survives JSON.
 */
export interface ReportRequest {
  readonly report: ReportName;
  /**
   * `overdue`: assignments that are past due and not completed, most overdue first. `due`: those that are due in the
   * range and not completed, the soonest first. Absent: every row.
   */
  readonly view?: RequestView;
  /**
   * A range in its canonical words (`last-week`, `2026-03-01..2026-03-31`); absent: the default of the report or view.
   * For `overdue` and `due` it is about due dates, unless `dateField` names another date: `overdue last-week` is what
   * fell due last week and is still open.
   */
  readonly range?: string;
  /** Only for `overdue` and `due`: the range of the assigned date; absent: since 1 January of last year. */
  readonly assigned?: string;
  /** What `only:` chose, in the order of the catalogue, each once. Never empty. */
  readonly states?: readonly string[];
  /** What `content:`, `track:`, `assessment:` and `workshop:` chose, in the order typed. Never empty. */
  readonly titles?: readonly TitleChoice[];
  /** What `on:` chose; absent: the report's own default. */
  readonly dateField?: string;
  readonly sort?: string;
  /** What `fields:` chose, in that order, each once; absent: the report's Essentials. */
  readonly columns?: readonly string[];
  /** In the order of the catalogue, each member at most once. */
  readonly filters: readonly FilterChoice[];
  readonly by?: string;
  /** Show the rows in the answer. `columns` without a file shows them too. */
  readonly showRows?: true;
  /** The file that comes with the answer. */
  readonly file?: FileFormat;
  /** What the file is for, as the record of access stores it. It changes nothing of the answer. */
  readonly purpose?: string;
  /** Answer in a direct message to the asker. */
  readonly toMe: boolean;
}

/** What some rules need of a request. */
export type PartOfRequest = Pick<ReportRequest, 'report'> & Partial<ReportRequest>;

/** A request for a report with its defaults. */
export function plainRequest(report: ReportName): ReportRequest {
  return { report, filters: [], toMe: false };
}

/** True if the answer shows rows: they were asked for, or columns were and no file has them. */
export function showsRows({ showRows, columns, file }: Partial<ReportRequest>): boolean {
  return showRows === true || (columns !== undefined && file === undefined);
}

/** True if the figures count only some of the records: a view or `only:` narrows them. */
export function narrows({ view, states }: Partial<ReportRequest>): boolean {
  return view !== undefined || states !== undefined;
}

export interface Asker {
  /** A Slack user ID, or a name for the command line. */
  readonly id: string;
  /** IANA zone. */
  readonly zone: string;
  /** Present when Slack gives it. Replaces `me` in `manager_email:me`. */
  readonly email?: string;
}

/** True if a request contains `me`. It then needs an asker with an e-mail address. */
export function refersToAsker(request: ReportRequest): boolean {
  return request.filters.some(({ member, entries }) =>
    entries.some((entry) => entryRefersToAsker(member, entry)),
  );
}

/** True for the members whose entry `me` means the asker of each run. */
export function acceptsMe(member: string): boolean {
  return member === 'manager_email' || member === 'email';
}

export function entryRefersToAsker(member: string, entry: string): boolean {
  return acceptsMe(member) && entry.toLowerCase() === 'me';
}

/** A range with nothing left relative. */
export interface ResolvedRange {
  /** Its canonical words, `last-week`. */
  readonly words: string;
  /** The IANA zone it was resolved in. */
  readonly zone: string;
  /** Inclusive, epoch seconds. */
  readonly from: number;
  /** Exclusive, epoch seconds. */
  readonly until: number;
  /** First and last day in the zone, `2026-11-09`; the last one is the day of the last second inside. */
  readonly firstDay: string;
  readonly lastDay: string;
}
