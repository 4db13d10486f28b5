import type { Report, ReportName, TitleOption } from '../../../catalogue/index.js';
import type { FileFormat, RequestView, TitleChoice } from '../../../requests/request.js';
import { reportForRequest } from '../../../requests/request-defaults.js';
import type { InputValue } from '../inputs.js';

/**
 * Everything that somebody has chosen and typed in the builder, valid or not. Plain data that survives JSON. It also
 * keeps what belongs to other reports, so that switching reports loses nothing.
 *
 * Drafts outlive updates of Rollcall, so the names of members and the values must stay readable.
 */
export interface BuilderState {
  readonly report: ReportName;
  /** For assignments only. */
  readonly view?: RequestView;
  readonly range: ChosenRange;
  readonly ofReports: Readonly<Partial<Record<ReportName, ReportChoices>>>;
  /** By filter name, such as `user.departments`. */
  readonly filters: Readonly<Record<string, FilterEntries>>;
  /** The range of the assigned date for `overdue` and `due`, as typed. Empty: since 1 January of last year. */
  readonly assigned?: string;
  readonly showRows?: true;
  readonly file?: FileFormat;
  /** What the file is for, as typed. */
  readonly fileFor?: string;
  readonly where: Destination;
  readonly channel?: string;
  /** True if the form shows the common filters, in use or not. */
  readonly filtersOpen?: boolean;
  /** True if the form shows the less common filters too. */
  readonly allFilters: boolean;
  /** The names of filters that have an input for a list too. */
  readonly lists: readonly string[];
  /** How often the form replaced an input to overwrite its value, by the input's name. */
  readonly redrawn: Readonly<Record<string, number>>;
}

/** Where the answer goes: to the conversation of the builder, to a chosen channel, or to the asker. */
export type Destination = 'here' | 'channel' | 'me';

export interface ChosenRange {
  /** `usual`: the report's default. `dates`: two days. `words`: typed. Any other value is a range, such as `last-week`. */
  readonly choice: string;
  /** `2026-03-01` */
  readonly firstDay?: string;
  readonly lastDay?: string;
  /** As typed. */
  readonly words: string;
}

/** The choices that each report has for itself. */
export interface ReportChoices {
  readonly dateField?: string;
  readonly sort?: string;
  readonly by?: string;
  /** Absent: the report's Essentials. */
  readonly columns?: readonly string[];
  /** Absent: rows in any state. */
  readonly states?: readonly string[];
  /** Absent: any content, track, assessment or workshop. */
  readonly titles?: readonly TitleChoice[];
}

export interface FilterEntries {
  /** In the order in which they were chosen. */
  readonly entries: readonly string[];
  /** As typed, one entry per line. */
  readonly text: string;
  /** The latest suggested entries that are too long for the value of an option. Their options hold a hash. */
  readonly offered?: readonly string[];
}

const noEntries: FilterEntries = { entries: [], text: '' };

export function reportChoices({ report, ofReports }: BuilderState): ReportChoices {
  return ofReports[report] ?? {};
}

/** The current report, with the range that it has for the current choices. */
export function reportInForm(state: BuilderState): Report {
  const { dateField, states } = reportChoices(state);
  const { report, view } = state;
  return reportForRequest({ report, view, dateField, states });
}

/** The state with other choices for a report. `undefined` removes a choice. */
export function withReportChoices(
  state: BuilderState,
  changes: ReportChoices,
  report: ReportName = state.report,
): BuilderState {
  const choices = { ...state.ofReports[report], ...changes };
  return { ...state, ofReports: { ...state.ofReports, [report]: choices } };
}

export function entriesOf({ filters }: BuilderState, name: string): FilterEntries {
  return filters[name] ?? noEntries;
}

/** A builder that somebody has open. Plain data that outlives a restart. */
export interface BuilderDraft {
  readonly state: BuilderState;
  /** The name of its `BuilderPurpose`, such as `run`. */
  readonly purpose: string;
  /** The values of inputs that belong to purposes, by input name. */
  readonly extra: Readonly<Record<string, InputValue>>;
  /** Sentences above the form, such as which fields of a saved request no longer exist. */
  readonly remarks: readonly string[];
  /** Slack's time of the latest action whose values it has, in seconds. */
  readonly knownAt?: number;
  /** Absent if it was opened outside a conversation. */
  readonly here?: BuilderConversation;
}

/** The conversation of a builder, as it was when the builder was opened. */
export interface BuilderConversation {
  readonly channel: string;
  readonly thread?: string;
  /** See `Conversation.kind`. */
  readonly kind: 'direct' | 'member' | 'elsewhere';
  /** True if answers that name people may be posted there. */
  readonly mayNamePeople: boolean;
  /** The response URL, for conversations that Rollcall is not in. */
  readonly answerUrl?: string;
  readonly at: number;
}

/**
 * The names of the builder's inputs. Slack keeps the value of an input with the same name when the form is updated. So
 * the name of an input contains the report if its choices depend on the report.
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
  states: (report: ReportName) => `states:${report}`,
  titles: (option: TitleOption, report: ReportName) => `titles-${option}:${report}`,
  assigned: 'assigned',
  rows: 'rows',
  file: 'file',
  fileFor: 'file-for',
  where: 'where',
  channel: 'channel',
  /** Which filters have an input for a list. */
  lists: (report: ReportName) => `lists:${report}`,
  /** The chosen entries of a filter. */
  entries: (filter: string) => `entries:${filter}`,
  /** Its entries as a list, one per line. */
  list: (filter: string) => `list:${filter}`,
  yesNo: (filter: string) => `yes-no:${filter}`,
} as const;

/** The option for "nothing chosen". Not every Slack client can clear a menu. */
export const noChoice = 'none';

/** The block ID of an input. It changes each time the form has to overwrite the input's value. */
export function blockIdOf(name: string, { redrawn }: BuilderState): string {
  const times = redrawn[name] ?? 0;
  return times === 0 ? name : `${name}#${times}`;
}

/** The name of the input with a block ID. Undefined if the block has been replaced since. */
export function inputNameOf(blockId: string, state: BuilderState): string | undefined {
  const name = blockId.replace(/#\d+$/, '');
  return blockIdOf(name, state) === blockId ? name : undefined;
}

/** The state in which the form overwrites the value of an input. */
export function withRedraw(state: BuilderState, name: string): BuilderState {
  return { ...state, redrawn: { ...state.redrawn, [name]: (state.redrawn[name] ?? 0) + 1 } };
}

/** Why the value of an input is invalid. The form shows the sentence under the input. */
export interface InputProblem {
  /** The input's name. */
  readonly input: string;
  readonly sentence: string;
}

/** Why a form is refused: one or more problems. */
export type InputProblems = readonly InputProblem[];

export function inputProblem(input: string, sentence: string): InputProblems {
  return [{ input, sentence }];
}

/** The options for views of the assignments in the menu of reports. */
export const viewChoices: readonly RequestView[] = ['overdue', 'due'];
