import {
  fieldOf,
  type Report,
  type ReportName,
  reportNamed,
  sixReports,
} from '../reports/catalogue/index.js';
import { entriesFromChips } from './chips.js';
import { columnsPicked } from './columns.js';
import { type BuilderFilter, filtersOfReport } from './filters.js';
import {
  drawnAnew,
  type FilledIn,
  type InputValue,
  inputNames,
  nameIfCurrent,
  noChoice,
} from './input-names.js';
import { type BuilderState, entriesOf, ofReport, type Where, withOfReport } from './state.js';

/** Stands among the offered entries for "write it as a list", where what was typed is too long for a choice. */
export const asListChoice = 'list:';

/** Stands among the reports for the assignments that are overdue. */
export const overdueChoice = 'overdue';

/**
 * The state with what stands in the inputs now. Inputs that are not shown keep what they held, and so does one that has
 * been drawn anew since, which whoever filled it in had not seen.
 */
export function fillIn(state: BuilderState, filledIn: FilledIn): BuilderState {
  let filled = state;
  for (const [drawn, value] of filledIn) {
    const name = nameIfCurrent(drawn, state);
    if (name !== undefined) filled = fillOne(filled, name, value);
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
      return about === state.report
        ? { ...state, range: { ...state.range, choice: single ?? 'usual' } }
        : state;
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
      const entries = single === 'true' || single === 'false' ? [single] : [];
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
  return { ...state, lists: [...others, ...own.filter((name) => names.includes(name))] };
}

function withEntries(state: BuilderState, filter: string, values: readonly string[]): BuilderState {
  const before = entriesOf(state, filter);
  const entries = entriesFromChips(
    values.filter((value) => value !== asListChoice),
    before.entries,
  );
  const filters = { ...state.filters, [filter]: { ...before, entries } };
  return values.includes(asListChoice) ? writtenAsList({ ...state, filters }, filter) : { ...state, filters };
}

/** What was too long for a choice becomes a line of the list. */
function writtenAsList(state: BuilderState, filter: string): BuilderState {
  const { tooLong, ...before } = entriesOf(state, filter);
  const text = [before.text, tooLong ?? ''].filter((part) => part !== '').join('\n');
  const lists = state.lists.includes(filter) ? state.lists : [...state.lists, filter];
  const filters = { ...state.filters, [filter]: { ...before, text } };
  const redrawn = [inputNames.entries(filter), inputNames.list(filter)].reduce(drawnAnew, {
    ...state,
    filters,
    lists,
  });
  return sixReports.map(({ name }) => inputNames.lists(name)).reduce(drawnAnew, redrawn);
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

/** A filter by the name of one of its inputs, among those of the report that is chosen now. */
export function filterOfInput(drawn: string, state: BuilderState): BuilderFilter | undefined {
  const [, name] = splitAt(drawn.replace(/#\d+$/, ''), ':');
  return filtersOfReport(reportNamed(state.report)).find((filter) => filter.name === name);
}

/** The state with what was typed for a filter where there was no room for it. */
export function withTooLong(state: BuilderState, filter: string, typed: string): BuilderState {
  const filters = { ...state.filters, [filter]: { ...entriesOf(state, filter), tooLong: typed } };
  return { ...state, filters };
}
