import type { Report, ReportName } from '../../../catalogue/index.js';
import { reportForRequest } from '../../../requests/report-for.js';

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

const noEntries: ChosenEntries = { entries: [], text: '' };

/** What was chosen for the report that is chosen now. */
export function reportChoices({ report, ofReports }: BuilderState): ChosenForReport {
  return ofReports[report] ?? {};
}

/** The report that is chosen now, with the range that it takes as the form stands. */
export function reportInForm(state: BuilderState): Report {
  const { dateField } = reportChoices(state);
  const { report, overdueOnly } = state;
  return reportForRequest({ report, overdueOnly, dateField });
}

/** The same state with something else chosen for the report that is chosen now; `undefined` takes a choice back. */
export function withReportChoices(
  state: BuilderState,
  changes: ChosenForReport,
  report: ReportName = state.report,
): BuilderState {
  const choices = { ...state.ofReports[report], ...changes };
  return { ...state, ofReports: { ...state.ofReports, [report]: choices } };
}

export function entriesOf({ filters }: BuilderState, name: string): ChosenEntries {
  return filters[name] ?? noEntries;
}

/** A builder that somebody has open. Plain data: it outlives a restart of the bot. */
export interface BuilderDraft {
  readonly state: BuilderState;
  /** The name of what submitting it does: `run`. */
  readonly purpose: string;
  /** What stands in the inputs that belong to purposes, by their names. */
  readonly extra: Readonly<Record<string, InputValue>>;
  /** Sentences over the form, such as what of an older request is not there any more. */
  readonly remarks: readonly string[];
  /** Slack's time of the newest press or choice that it knows of, in seconds. */
  readonly knownAt?: number;
  /** Absent where it was opened from no conversation. */
  readonly here?: OpenedIn;
}

/** The conversation that a builder was opened in, as it was then. */
export interface OpenedIn {
  readonly channel: string;
  readonly thread?: string;
  /** As with a place: the direct messages with the bot, a channel that the bot is in, anywhere else. */
  readonly kind: 'direct' | 'member' | 'elsewhere';
  /** True where an answer that names people may stand. */
  readonly mayNamePeople: boolean;
  /** Slack's way back, where the bot has no other one. */
  readonly answerUrl?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What an input holds: a text, an ID or a date; several of them in their order; null: nothing. */
export type InputValue = string | readonly string[] | null;

/** What the inputs of the builder hold, by their names. Inputs that are not there are not shown. */
export type FormValues = ReadonlyMap<string, InputValue>;

/**
 * The names of the builder's inputs. An input whose choices differ between reports carries the report's name: a form
 * that is drawn anew keeps what stands in an input of the same name.
 */
export const inputNames = {
  report: 'report',
  range: (of: string) => `range:${of}`,
  firstDay: 'first-day',
  lastDay: 'last-day',
  rangeWords: 'range-words',
  dateField: (report: ReportName) => `on:${report}`,
  sort: (report: ReportName) => `sort:${report}`,
  by: (report: ReportName) => `by:${report}`,
  columns: (report: ReportName) => `columns:${report}`,
  csv: 'csv',
  where: 'where',
  channel: 'channel',
  /** Which filters can be written as lists. */
  lists: (report: ReportName) => `lists:${report}`,
  /** The chosen entries of a filter. */
  entries: (filter: string) => `entries:${filter}`,
  /** Its entries as a list, one a line. */
  list: (filter: string) => `list:${filter}`,
  yesNo: (filter: string) => `yes-no:${filter}`,
} as const;

/** What stands for "nothing chosen" among choices, since a choice once made cannot be emptied everywhere. */
export const noChoice = 'none';

/** The name of an input as it is drawn: a new one each time that it is drawn over what stood in it. */
export function blockIdOf(name: string, { redrawn }: BuilderState): string {
  const times = redrawn[name] ?? 0;
  return times === 0 ? name : `${name}#${times}`;
}

/** The input's own name, from the one it was drawn under; undefined where that drawing is an older one. */
export function inputNameOf(drawn: string, state: BuilderState): string | undefined {
  const name = drawn.replace(/#\d+$/, '');
  return blockIdOf(name, state) === drawn ? name : undefined;
}

/** The state with an input to be drawn over what stands in it. */
export function withRedraw(state: BuilderState, name: string): BuilderState {
  return { ...state, redrawn: { ...state.redrawn, [name]: (state.redrawn[name] ?? 0) + 1 } };
}

/** Something that cannot be as it is, said under the input that it is about. */
export interface InputProblem {
  /** The input's name. */
  readonly input: string;
  readonly sentence: string;
}

/** What a validation refuses a form with: at least one problem. */
export type InputProblems = readonly InputProblem[];

export function inputProblem(input: string, sentence: string): InputProblems {
  return [{ input, sentence }];
}

/** Stands among the reports for the assignments that are overdue. */
export const overdueChoice = 'overdue';
