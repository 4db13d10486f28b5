import { fieldOf, type Report, type ReportName, sixReports } from '../../../catalogue/index.js';
import { anyEntry } from '../../../requests/report-for.js';
import { entriesFromChips } from './chips.js';
import { columnsPicked } from './columns.js';
import { filtersOfReport, mostLists } from './filters.js';
import { type FilledIn, type InputValue, inputNames, nameIfCurrent, noChoice } from './input-names.js';
import { rangeInputName } from './ranges.js';
import { type BuilderState, entriesOf, ofReport, reportInForm, type Where, withOfReport } from './state.js';

/** Stands among the reports for the assignments that are overdue. */
export const overdueChoice = 'overdue';

const yesNoEntries = ['true', 'false', anyEntry];

/**
 * The state with what stands in the inputs now. Inputs that are not shown keep what they held, and so does one that has
 * been drawn anew since, which whoever filled it in had not seen.
 */
export function fillIn(state: BuilderState, filledIn: FilledIn): BuilderState {
  const ranges = rangeInputName(reportInForm(state));
  let filled = state;
  for (const [drawn, value] of filledIn) {
    const name = nameIfCurrent(drawn, state);
    if (name === undefined || (name.startsWith('range:') && name !== ranges)) continue;
    filled = fillOne(filled, name, value);
  }
  // Last, since the other inputs were filled in for the report that was chosen before.
  const report = filledIn.get(inputNames.report);
  return typeof report === 'string' ? withReport(filled, report) : filled;
}

function withReport(state: BuilderState, choice: string): BuilderState {
  if (choice === overdueChoice) return { ...state, report: 'assignments', overdueOnly: true };
  const report = sixReports.find(({ name }) => name === choice);
  return report ? { ...state, report: report.name, overdueOnly: false } : state;
}

function fillOne(state: BuilderState, name: string, value: InputValue): BuilderState {
  const single = typeof value === 'string' ? value : undefined;
  const several = value === null ? [] : [value].flat();
  const [kind = '', about = ''] = splitAt(name, ':');
  switch (kind) {
    case 'range':
      return { ...state, range: { ...state.range, choice: single ?? 'usual' } };
    case inputNames.firstDay:
      return { ...state, range: withDay(state, 'firstDay', single) };
    case inputNames.lastDay:
      return { ...state, range: withDay(state, 'lastDay', single) };
    case inputNames.rangeWords:
      return { ...state, range: { ...state.range, words: single ?? '' } };
    case inputNames.csv:
      return { ...state, csv: single === 'yes' };
    case inputNames.where:
      return isWhere(single) ? { ...state, where: single } : state;
    case inputNames.channel:
      return withChannel(state, single);
    case 'entries':
      return withEntries(state, about, several);
    case 'list':
      return {
        ...state,
        filters: { ...state.filters, [about]: { ...entriesOf(state, about), text: single ?? '' } },
      };
    case 'yes-no': {
      const entries = single !== undefined && yesNoEntries.includes(single) ? [single] : [];
      return { ...state, filters: { ...state.filters, [about]: { entries, text: '' } } };
    }
    default: {
      const report = sixReports.find((known) => known.name === about);
      return report ? fillForReport(state, kind, report, single, several) : state;
    }
  }
}

function fillForReport(
  state: BuilderState,
  kind: string,
  report: Report,
  single: string | undefined,
  several: readonly string[],
): BuilderState {
  const chosen = single === noChoice ? undefined : single;
  const choose = (what: 'dateField' | 'sort' | 'by', choices: readonly string[]) =>
    withOfReport(state, { [what]: choices.find((choice) => choice === chosen) }, report.name);
  switch (kind) {
    case 'on':
      return choose('dateField', report.dateField?.choices.map(({ flag }) => flag) ?? []);
    case 'sort':
      return choose('sort', report.sorts);
    case 'by':
      return choose('by', chosen !== undefined && fieldOf(report, chosen) ? [chosen] : []);
    case 'columns': {
      const before = columnsOf(state, report.name);
      return withOfReport(state, { columns: columnsPicked(several, before, report) }, report.name);
    }
    case 'lists':
      return withLists(state, report, several);
    default:
      return state;
  }
}

function columnsOf(state: BuilderState, report: ReportName): readonly string[] | undefined {
  return ofReport({ ...state, report }).columns;
}

/** Lists of filters that this report does not have stay as they are. */
function withLists(state: BuilderState, report: Report, names: readonly string[]): BuilderState {
  const own = filtersOfReport(report).map(({ name }) => name);
  const others = state.lists.filter((name) => !own.includes(name));
  return { ...state, lists: [...others, ...own.filter((name) => names.includes(name)).slice(0, mostLists)] };
}

function withEntries(state: BuilderState, filter: string, values: readonly string[]): BuilderState {
  const { entries: before, offered = [], ...rest } = entriesOf(state, filter);
  const entries = entriesFromChips(values, before, offered);
  return { ...state, filters: { ...state.filters, [filter]: { ...rest, entries, offered } } };
}

function withDay({ range }: BuilderState, which: 'firstDay' | 'lastDay', day: string | undefined) {
  const { [which]: _before, ...rest } = range;
  return { ...rest, ...(day === undefined ? {} : { [which]: day }) };
}

function withChannel(state: BuilderState, channel: string | undefined): BuilderState {
  const { channel: _before, ...rest } = state;
  return { ...rest, ...(channel === undefined ? {} : { channel }) };
}

function isWhere(choice: string | undefined): choice is Where {
  return choice === 'here' || choice === 'channel' || choice === 'me';
}

function splitAt(text: string, mark: string): readonly string[] {
  const place = text.indexOf(mark);
  return place < 0 ? [text] : [text.slice(0, place), text.slice(place + 1)];
}
