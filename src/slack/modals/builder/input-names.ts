import type { ReportName } from '../../../catalogue/index.js';
import type { BuilderState } from './state.js';

/** What an input holds: a text, an ID or a date; several of them in their order; null: nothing. */
export type InputValue = string | readonly string[] | null;

/** What the inputs of the builder hold, by their names. Inputs that are not there are not shown. */
export type FilledIn = ReadonlyMap<string, InputValue>;

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
export function drawnName(name: string, { redrawn }: BuilderState): string {
  const times = redrawn[name] ?? 0;
  return times === 0 ? name : `${name}#${times}`;
}

/** The input's own name, from the one it was drawn under; undefined where that drawing is an older one. */
export function nameIfCurrent(drawn: string, state: BuilderState): string | undefined {
  const name = drawn.replace(/#\d+$/, '');
  return drawnName(name, state) === drawn ? name : undefined;
}

/** The state with an input to be drawn over what stands in it. */
export function drawnAnew(state: BuilderState, name: string): BuilderState {
  return { ...state, redrawn: { ...state.redrawn, [name]: (state.redrawn[name] ?? 0) + 1 } };
}
