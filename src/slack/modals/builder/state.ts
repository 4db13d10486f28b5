import type { Report, ReportName } from '../../../catalogue/index.js';
import { reportFor } from '../../../requests/report-for.js';

/**
 * Everything that somebody has chosen and typed in the builder so far, right or wrong. Plain data, and JSON keeps it
 * whole. What does not belong to the report chosen now is kept too: coming back to a report finds it as it was left.
 */
export interface BuilderState {
  readonly report: ReportName;
  /** Cut to what is overdue: for assignments only. */
  readonly overdueOnly: boolean;
  readonly range: ChosenRange;
  readonly ofReports: Readonly<Partial<Record<ReportName, ChosenForReport>>>;
  /** By the member's name in full, `user.departments`. */
  readonly filters: Readonly<Record<string, ChosenEntries>>;
  readonly csv: boolean;
  readonly where: Where;
  /** The ID of the channel that was chosen, if one was. */
  readonly channel?: string;
  /** True when the less common filters are shown too. */
  readonly allFilters: boolean;
  /** Filters whose entries can also be written as a list, by their names in full. */
  readonly lists: readonly string[];
  /** How often an input was drawn anew over what stood in it, by its name. */
  readonly redrawn: Readonly<Record<string, number>>;
}

/** Where the answer goes: to the place that the builder was opened from, to a chosen channel, to the asker alone. */
export type Where = 'here' | 'channel' | 'me';

export interface ChosenRange {
  /** `usual`: the report's own; `dates`: from a day to a day; `words`: as written; else range words, `last-week`. */
  readonly choice: string;
  /** `2026-03-01` */
  readonly firstDay?: string;
  readonly lastDay?: string;
  /** As written. */
  readonly words: string;
}

/** What can be chosen for one report only. */
export interface ChosenForReport {
  readonly dateField?: string;
  readonly sort?: string;
  readonly by?: string;
  /** Absent: the report's Essentials. */
  readonly columns?: readonly string[];
}

export interface ChosenEntries {
  /** In the order they were chosen. */
  readonly entries: readonly string[];
  /** As written, one entry a line. */
  readonly text: string;
  /** The last texts that were offered as they were typed, under a mark, since a choice has no room for them. */
  readonly offered?: readonly string[];
}

export const nothingChosen: ChosenEntries = { entries: [], text: '' };

/** What was chosen for the report that is chosen now. */
export function ofReport({ report, ofReports }: BuilderState): ChosenForReport {
  return ofReports[report] ?? {};
}

/** The report that is chosen now, with the range that it takes as the form stands. */
export function reportInForm(state: BuilderState): Report {
  const { dateField } = ofReport(state);
  const { report, overdueOnly } = state;
  return reportFor({ report, overdueOnly, ...(dateField === undefined ? {} : { dateField }) });
}

/** The same state with something else chosen for the report that is chosen now; `undefined` takes a choice back. */
export function withOfReport(
  state: BuilderState,
  changes: { readonly [Choice in keyof ChosenForReport]?: ChosenForReport[Choice] | undefined },
  report: ReportName = state.report,
): BuilderState {
  const changed = { ...state.ofReports[report], ...changes };
  const kept: ChosenForReport = Object.fromEntries(
    Object.entries(changed).filter(([, choice]) => choice !== undefined),
  );
  return { ...state, ofReports: { ...state.ofReports, [report]: kept } };
}

export function entriesOf({ filters }: BuilderState, name: string): ChosenEntries {
  return filters[name] ?? nothingChosen;
}
