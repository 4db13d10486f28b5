import {
  allReports,
  fieldOf,
  memberOf,
  type Report,
  type ReportName,
  reportNamed,
} from '../../../catalogue/index.js';
import { ok, type Result, refused } from '../../../errors/result.js';
import { compact } from '../../../requests/compact.js';
import { resolveRange } from '../../../requests/date-range.js';
import { quoteTypedWord } from '../../../requests/problem.js';
import { rangeRefusalText } from '../../../requests/problem-messages.js';
import type { Asker, FilterChoice, ReportRequest } from '../../../requests/request.js';
import { entryRefersToAsker } from '../../../requests/request.js';
import {
  anyEntry,
  asksForOpen,
  type RangeOfRequest,
  rangesOf,
  reportForRequest,
} from '../../../requests/request-defaults.js';
import { validateEntry } from '../../../requests/tokens.js';
import type { WeekStart } from '../../../time/calendar.js';
import { validPurpose } from '../forms.js';
import type { FormValues, InputValue } from '../inputs.js';
import { pickedColumns } from './columns.js';
import { type BuilderFilter, entriesFromChips, filtersOfReport, maxLists } from './filters.js';
import {
  parseChosenRange,
  parseRange,
  rangeFromChoice,
  rangeInput,
  rangeInputName,
  takesAssigned,
} from './ranges.js';
import {
  type BuilderState,
  type Destination,
  entriesOf,
  type FilterEntries,
  type InputProblem,
  type InputProblems,
  inputNameOf,
  inputNames,
  inputProblem,
  noChoice,
  reportChoices,
  reportInForm,
  viewChoices,
  withReportChoices,
} from './state.js';
import { pickedTitles, titleOptionOf } from './which-rows.js';

/** The state of a builder that describes this request. The catalogue must have all its fields. */
export function stateFromRequest(request: ReportRequest): BuilderState {
  const report = reportNamed(request.report);
  const { view, range, assigned, showRows, file, purpose: fileFor, toMe } = request;
  const { dateField, sort, by, columns, states, titles } = request;
  const filters = request.filters.flatMap(({ object, member, entries }): [string, FilterEntries][] => {
    const known = memberOf(report, object, member);
    return known ? [[`${known.object.prefix}.${member}`, { entries, text: '' }]] : [];
  });
  return {
    report: request.report,
    view,
    range: parseChosenRange(range, reportForRequest(request)),
    assigned,
    ofReports: { [request.report]: { dateField, sort, by, columns, states, titles } },
    filters: Object.fromEntries(filters),
    showRows,
    file,
    fileFor,
    where: toMe ? 'me' : 'here',
    allFilters: false,
    lists: [],
    redrawn: {},
  };
}

const yesNoEntries = ['true', 'false', anyEntry];

/**
 * The state with the values of the form's inputs. Inputs that are not shown keep their values. So do inputs that the
 * form has replaced since, because the values come from the replaced ones.
 */
export function applyInputs(state: BuilderState, values: FormValues): BuilderState {
  const ranges = rangeInputName(reportInForm(state));
  let filled = state;
  for (const [blockId, value] of values) {
    const name = inputNameOf(blockId, state);
    if (name === undefined || (name.startsWith('range:') && name !== ranges)) continue;
    filled = applyInput(filled, name, value);
  }
  // The report comes last, because the values of the other inputs are for the report that was chosen before.
  const report = values.get(inputNames.report);
  return typeof report === 'string' ? withReport(filled, report) : filled;
}

function withReport(state: BuilderState, choice: string): BuilderState {
  const view = viewChoices.find((name) => name === choice);
  if (view) return { ...state, report: 'assignments', view };
  const report = allReports.find(({ name }) => name === choice);
  return report ? { ...state, report: report.name, view: undefined } : state;
}

/** What an input changes, by its name; by the first word of it where the name of a filter follows. */
const inputChanges: Readonly<
  Record<string, (value: Picked, state: BuilderState, filter: string) => Partial<BuilderState>>
> = {
  range: ({ single }, { range }) => ({ range: { ...range, choice: single ?? 'usual' } }),
  [inputNames.firstDay]: ({ single }, { range }) => ({ range: { ...range, firstDay: single } }),
  [inputNames.lastDay]: ({ single }, { range }) => ({ range: { ...range, lastDay: single } }),
  [inputNames.rangeWords]: ({ single }, { range }) => ({ range: { ...range, words: single ?? '' } }),
  [inputNames.assigned]: ({ single }) => ({ assigned: single }),
  [inputNames.rows]: ({ single }) => ({ showRows: single === 'yes' ? true : undefined }),
  [inputNames.fileFor]: ({ single }) => ({ fileFor: single }),
  [inputNames.file]: ({ single }) => ({ file: single === 'csv' || single === 'xlsx' ? single : undefined }),
  [inputNames.where]: ({ single }) => (isDestination(single) ? { where: single } : {}),
  [inputNames.channel]: ({ single }) => ({ channel: single }),
  entries({ several }, state, filter) {
    const { entries: before, offered = [], ...rest } = entriesOf(state, filter);
    return withFilter(state, filter, {
      ...rest,
      entries: entriesFromChips(several, before, offered),
      offered,
    });
  },
  list: ({ single }, state, filter) =>
    withFilter(state, filter, { ...entriesOf(state, filter), text: single ?? '' }),
  'yes-no': ({ single = '' }, state, filter) =>
    withFilter(state, filter, { entries: yesNoEntries.includes(single) ? [single] : [], text: '' }),
};

/** What was chosen: one value, or any number of them. */
interface Picked {
  readonly single: string | undefined;
  readonly several: readonly string[];
}

function applyInput(state: BuilderState, name: string, value: InputValue): BuilderState {
  const single = typeof value === 'string' ? value : undefined;
  const several = value === null ? [] : [value].flat();
  const [kind = '', about = ''] = splitAt(name, ':');
  const change = inputChanges[kind];
  if (change) return { ...state, ...change({ single, several }, state, about) };
  const report = allReports.find((known) => known.name === about);
  return report ? applyReportInput(state, kind, report, single, several) : state;
}

function withFilter({ filters }: BuilderState, filter: string, entries: FilterEntries) {
  return { filters: { ...filters, [filter]: entries } };
}

function applyReportInput(
  state: BuilderState,
  kind: string,
  report: Report,
  single: string | undefined,
  several: readonly string[],
): BuilderState {
  const chosen = single === noChoice ? undefined : single;
  const choose = (what: 'dateField' | 'sort' | 'by', choices: readonly string[]) =>
    withReportChoices(state, { [what]: choices.find((choice) => choice === chosen) }, report.name);
  switch (kind) {
    case 'on':
      return choose('dateField', report.dateField?.choices.map(({ flag }) => flag) ?? []);
    case 'sort':
      return choose('sort', report.sorts);
    case 'by':
      return choose('by', chosen !== undefined && fieldOf(report, chosen) ? [chosen] : []);
    case 'columns': {
      const before = columnsOf(state, report.name);
      return withReportChoices(state, { columns: pickedColumns(several, before, report) }, report.name);
    }
    case 'lists':
      return withLists(state, report, several);
    case 'states': {
      const states = report.states.map((known) => known.name).filter((known) => several.includes(known));
      return withReportChoices(state, { states: orAbsent(states) }, report.name);
    }
    default: {
      const option = titleOptionOf(kind);
      if (!option) return state;
      const titles = orAbsent(pickedTitles(state, report, option, several));
      return withReportChoices(state, { titles }, report.name);
    }
  }
}

function orAbsent<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length > 0 ? items : undefined;
}

function columnsOf(state: BuilderState, report: ReportName): readonly string[] | undefined {
  return reportChoices({ ...state, report }).columns;
}

/** Filters of other reports keep their lists. */
function withLists(state: BuilderState, report: Report, names: readonly string[]): BuilderState {
  const own = filtersOfReport(report).map(({ name }) => name);
  const others = state.lists.filter((name) => !own.includes(name));
  return { ...state, lists: [...others, ...own.filter((name) => names.includes(name)).slice(0, maxLists)] };
}

function isDestination(choice: string | undefined): choice is Destination {
  return choice === 'here' || choice === 'channel' || choice === 'me';
}

function splitAt(text: string, separator: string): readonly string[] {
  const index = text.indexOf(separator);
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

/** The request that the form describes, or the problems of its inputs. */
export function requestFromState(state: BuilderState): Result<ReportRequest, InputProblems> {
  const report = reportInForm(state);
  const range = rangeFromChoice(state.range, report);
  const assigned = assignedIn(state);
  const filters = filtersIn(state, report);
  const purpose = purposeIn(state);
  const problems = compact(
    !range.ok && range.refusal,
    !assigned.ok && assigned.refusal,
    filters.problems,
    !purpose.ok && purpose.refusal,
  );
  if (!range.ok || !assigned.ok || !purpose.ok || problems.length > 0) return refused(problems);
  const { dateField, sort, by, columns, states, titles } = reportChoices(state);
  return ok({
    report: state.report,
    view: state.view,
    range: range.value,
    assigned: assigned.value,
    states,
    titles,
    // The range of `due` is about due dates, whatever the report's own range was about before.
    dateField: state.view === 'due' ? undefined : dateField,
    sort,
    columns: columns?.length ? columns : undefined,
    filters: filters.choices,
    by,
    showRows: state.showRows,
    file: state.file,
    purpose: purpose.value,
    toMe: state.where === 'me',
  });
}

/** What the file is for. Whether one is needed is decided when the form is submitted. */
function purposeIn({ fileFor = '' }: BuilderState): Result<string | undefined, InputProblems> {
  if (fileFor.trim() === '') return ok(undefined);
  const purpose = validPurpose(fileFor);
  return purpose.ok ? purpose : refused(inputProblem(inputNames.fileFor, purpose.refusal));
}

/** The range of the assigned date, where that of the request is about due dates. */
function assignedIn(state: BuilderState): Result<string | undefined, InputProblems> {
  const typed = state.assigned?.trim() ?? '';
  if (!takesAssigned(state) || typed === '') return ok(undefined);
  return parseRange(typed, reportForRequest({ report: state.report, view: 'overdue' }), inputNames.assigned);
}

function filtersIn(state: BuilderState, report: Report) {
  const isOpen = asksForOpen({ ...state, states: reportChoices(state).states });
  const choices: FilterChoice[] = [];
  const problems: InputProblem[] = [];
  for (const filter of filtersOfReport(report)) {
    const { entries, problems: invalid } = readEntries(filter, state);
    problems.push(...invalid);
    if (entries.length === 0) continue;
    // "Either" is a choice for open assignments only. For other requests it is the default.
    if (!isOpen && filter.member.kind === 'yes-no' && entries.includes(anyEntry)) continue;
    choices.push({ object: filter.object.name, member: filter.member.name, entries });
  }
  return { choices, problems };
}

/** The chosen entries, then those of the list, without duplicates. */
function readEntries({ name }: BuilderFilter, state: BuilderState) {
  const { entries: chosen, text } = entriesOf(state, name);
  const listed = state.lists.includes(name) ? text.split(/\r?\n/) : [];
  const entries = new Set<string>();
  const problems: InputProblem[] = [];
  const add = (text: string, input: string) => {
    const checked = validateEntry(text);
    if (checked.ok) entries.add(checked.value);
    else if (checked.refusal === 'comma') problems.push({ input, sentence: commaProblem(text) });
  };
  for (const entry of chosen) add(entry, inputNames.entries(name));
  for (const line of listed) add(line, inputNames.list(name));
  return { entries: [...entries], problems: problems.slice(0, 1) };
}

function commaProblem(entry: string): string {
  return `“${quoteTypedWord(entry)}” contains a comma, which separates entries. Remove the comma, or enter two entries.`;
}

/**
 * Why this person cannot run the request now: the range is empty or in the future, or a filter contains `me` and Slack
 * does not share the person's email address.
 *
 * @param now milliseconds since the epoch
 */
export function runProblems(
  state: BuilderState,
  request: ReportRequest,
  asker: Asker,
  now: number,
  weekStart: WeekStart,
): InputProblems {
  const { shown, queried } = rangesOf(request);
  const problemOf = (range: RangeOfRequest | undefined, input: string): InputProblems => {
    const resolved = range && resolveRange(range.words, range.report, now, asker.zone, weekStart);
    if (!resolved || resolved.ok) return [];
    return inputProblem(input, rangeRefusalText(resolved.refusal.reason, request.report));
  };
  const isAssigned = queried === shown && request.assigned !== undefined;
  return compact(
    shown && !isAssigned && problemOf(shown, rangeInput(state.range, shown.report)),
    !(queried === shown && !isAssigned) && problemOf(queried, inputNames.assigned),
    !asker.email && problemsWithoutEmail(state, request),
  );
}

function problemsWithoutEmail(state: BuilderState, request: ReportRequest): InputProblems {
  const report = reportNamed(request.report);
  return request.filters.flatMap(({ object, member, entries }) => {
    const prefix = report.filters.find(({ name }) => name === object)?.prefix;
    if (!entries.some((entry) => entryRefersToAsker(member, entry))) return [];
    const name = `${prefix}.${member}`;
    const chosen = entriesOf(state, name).entries.some((entry) => entryRefersToAsker(member, entry));
    const input = chosen ? inputNames.entries(name) : inputNames.list(name);
    const sentence =
      'Slack does not share your email address, so “me” matches nobody. Enter the address instead.';
    return [{ input, sentence }];
  });
}
