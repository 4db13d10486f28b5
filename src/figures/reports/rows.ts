import {
  type Field,
  fieldNamed,
  fieldOf,
  type Report,
  reportNamed,
  type TitleOption,
} from '../../catalogue/index.js';
import { displayText } from '../../requests/text.js';
import { FirstEntries } from '../counting/first-entries.js';
import type { FoundRows } from '../counting/found-rows.js';
import { formatFieldValue } from '../counting/only-row.js';
import { nameFields, nameReader, rowPersonReader } from '../counting/person-fields.js';
import { dueListOf } from '../counting/rules.js';
import { formatRowDate } from '../format/values.js';
import type { RecordView } from '../record-view.js';
import type { FiguresPlan, FiguresReader, PeopleToLookAt } from '../result.js';

/** Which rows to list. Plain data: it is sent to the thread that reads. */
export interface RowsPlan {
  /** Flags, in order. */
  readonly columns: readonly string[];
  /**
   * True for columns that no one chose. They are put in the order of what people look for: the person, the title, the
   * days and dates, then the rest. Columns without a value are left out.
   */
  readonly isForReading?: boolean;
  /** The most rows that are listed. */
  readonly limit: number;
  /** True where it is recorded whose rows they are. Needs `personKeyFields`. */
  readonly tellsPeople?: boolean;
}

/** A column of listed rows: a field, the person, or the days overdue or until due. */
interface RowColumn {
  /** Absent for the person and the days. */
  readonly flag?: string;
  readonly label: string;
  readonly isDays?: boolean;
}

/** One value in words. Dates are in the asker's zone; the text is empty where the record gives no value. */
export interface RowCell {
  readonly text: string;
  /** Set for numbers: what the column can be sorted by. */
  readonly number?: number;
  /** The thing that the cell is the title of, to link to. */
  readonly link?: { readonly option: TitleOption; readonly id: string };
}

/** Who it is of: as of `PeopleToLookAt`. */
interface ListedRow extends Pick<PeopleToLookAt['listed'][number], 'who' | 'numbers'> {
  readonly cells: readonly RowCell[];
}

/** The first rows of an answer, in the order of what matters. Person-level in every report about learners. */
export interface ListedRows {
  readonly columns: readonly RowColumn[];
  /** So many of the first columns stay where there is not enough room; absent: all. */
  readonly minColumns?: number;
  /** How many rows there are in all, listed or not. */
  readonly total: number;
  /** Their cells are in the order of the columns. */
  readonly listed: readonly ListedRow[];
}

/** Every flag that listing the rows reads, each once. */
export function fieldsOfRows({ columns }: RowsPlan, plan: FiguresPlan): readonly string[] {
  const report = reportNamed(plan.report);
  const identifiers = columns.flatMap((flag) => linkSourceOf(report, flag)?.idFlag ?? []);
  const names = dueListOf(plan) || columns.some(isName) ? nameFields : [];
  return [...new Set([...columns, ...identifiers, ...names])];
}

const maxTextLength = 200;

const daysLabels = { overdue: 'Days overdue', open: 'Days overdue', due: 'Days until due' } as const;

/** The column of `lastDays` in a file; undefined where the rows are not about due dates. */
export function daysFieldOf(plan: FiguresPlan): Field | undefined {
  const list = dueListOf(plan);
  if (!list) return undefined;
  const flag = list === 'overdue' ? 'days_overdue' : 'days_until_due';
  return { flag, label: daysLabels[list], group: 'Assignment', kind: 'number', personLevel: false };
}

/** Any rank of a record that may turn out at the end not to be counted. */
export const uncertainRank = 0.5;

/** So many more rows are stored where only new ones are listed: a few turn out at the end to be known, or equal. */
const maxMistaken = 100;

interface StoredRow extends ListedRow {
  /** The number that `NewRows` gave it. */
  readonly number: number;
}

/** Stores the first rows of an answer while its records stream past, in constant memory. */
export class RowCollector {
  private readonly columns: readonly ReadColumn[];
  private readonly nameOf: ((record: RecordView) => string) | undefined;
  private readonly whoOf: ReturnType<typeof rowPersonReader> | undefined;
  private readonly list;

  /** In order, by name where rows have an equal one. Some may turn out at the end not to be counted. */
  private readonly first: FirstEntries<StoredRow>;
  /** The same without those. */
  private readonly firstCertain: FirstEntries<StoredRow>;

  /**
   * @param fields every flag that the reading was opened with, those of `fieldsOfRows` among them
   * @param areNew true where only new rows are listed
   */
  constructor(
    private readonly rows: RowsPlan,
    plan: FiguresPlan,
    fields: readonly string[],
    areNew = false,
  ) {
    const report = reportNamed(plan.report);
    const limit = areNew ? rows.limit + maxMistaken : rows.limit;
    this.first = new FirstEntries(limit, true);
    this.firstCertain = new FirstEntries(limit, true);
    this.list = dueListOf(plan);
    this.whoOf = rows.tellsPeople ? rowPersonReader(fields) : undefined;
    this.nameOf = this.list && nameReader(fields);
    this.columns = columnsOf(rows, report, this.list).map((column) => {
      if (column === 'days') return { label: daysLabels[this.list ?? 'open'], isDays: true, read: daysCell };
      if (column === 'person') return { label: 'Person', read: personReader(fields) };
      const { label } = fieldNamed(report, column);
      return { flag: column, label, read: cellReader(report, column, fields, plan.zone) };
    });
  }

  /**
   * Takes the record that the figures have just counted, if they have.
   *
   * @param number that `NewRows` gave it
   */
  add(record: RecordView, { lastRank, lastOrder: order, lastDays }: FiguresReader, number = 0): void {
    const { first, firstCertain, nameOf, columns } = this;
    if (Number.isNaN(lastRank)) return;
    const isFirst = first.count(order);
    const isFirstCertain = Number.isInteger(lastRank) && firstCertain.count(order);
    if (!isFirst && !isFirstCertain) return;
    const name = nameOf?.(record) ?? '';
    const who = this.whoOf && { who: this.whoOf(record) };
    const row = { cells: columns.map(({ read }) => read(record, lastDays)), number, ...who };
    if (isFirst) first.add(order, row, name);
    if (isFirstCertain) firstCertain.add(order, row, name);
  }

  /** Adds the rows of the next part of the answer. */
  merge({ first, firstCertain }: RowCollector): void {
    this.first.merge(first);
    this.firstCertain.merge(firstCertain);
  }

  /**
   * Also the rows of few people: who may read rows may read those, even where the summary has no figures about them.
   *
   * @param found the new rows, where only those are listed
   */
  finish(reader: FiguresReader, found?: FoundRows): ListedRows {
    const { isForReading, limit } = this.rows;
    const { total: added, all } = reader.isCounted(uncertainRank) ? this.first : this.firstCertain;
    const count = found?.result.count;
    const total = count ?? added;
    const some = (found && count !== undefined ? onlyNew(all, found) : all).slice(0, limit);
    const columns = this.columns.map(({ read: _read, ...column }) => column);
    const hasValue = columns.map(
      (_, at) => !isForReading || some.length === 0 || some.some(({ cells }) => cells[at]?.text !== ''),
    );
    const shown = columns.filter((_, at) => hasValue[at]);
    return {
      columns: shown,
      minColumns: isForReading ? minColumns : undefined,
      total,
      listed: some.map(({ cells, who }) => ({
        cells: cells.filter((_, at) => hasValue[at]),
        ...(who && { who }),
      })),
    };
  }
}

/** Of equal rows the first one. */
function onlyNew(rows: readonly StoredRow[], { numberOf }: FoundRows): readonly StoredRow[] {
  const listed = new Set([0]);
  return rows.filter((row) => {
    const number = numberOf(row.number);
    const isFirst = !listed.has(number);
    listed.add(number);
    return isFirst;
  });
}

interface ReadColumn extends RowColumn {
  readonly read: (record: RecordView, days: number) => RowCell;
}

/** The person, the title, and the days or a date. */
const minColumns = 3;

const isName = (flag: string) => flag === 'first_name' || flag === 'last_name';

/** The columns in order: flags, the person, and the days where the rows are about due dates. */
function columnsOf(
  { columns, isForReading }: RowsPlan,
  report: Report,
  list: ReturnType<typeof dueListOf>,
): readonly string[] {
  const days = list ? ['days'] : [];
  if (!isForReading) return [...days, ...columns];
  const person = columns.some(isName) ? ['person'] : [];
  const all = [...person, ...days, ...columns.filter((flag) => !isName(flag))];
  return all.toSorted((a, b) => readingRank(a, report, list) - readingRank(b, report, list));
}

/** What people look for first has the lowest rank. */
function readingRank(column: string, report: Report, list: ReturnType<typeof dueListOf>): number {
  if (column === 'person') return 0;
  if (column === 'days') return 2;
  if (linkSourceOf(report, column)) return 1;
  const { kind } = fieldNamed(report, column);
  if (kind === 'date') return list && column === 'due_date' ? 3 : 4;
  return fieldsOfLearners.has(column) ? 6 : 5;
}

/** They say more about the person, who is in the first column. */
const fieldsOfLearners: ReadonlySet<string> = new Set(['email', 'departments']);

function personReader(fields: readonly string[]): ReadColumn['read'] {
  const nameOf = nameReader(fields);
  return (record) => ({ text: displayText(nameOf(record), maxTextLength) });
}

function daysCell(_record: RecordView, days: number): RowCell {
  return Number.isNaN(days) ? { text: '' } : { text: String(days), number: days };
}

export function cellReader(
  report: Report,
  flag: string,
  fields: readonly string[],
  zone: string,
): (record: RecordView) => RowCell {
  const field = fieldNamed(report, flag);
  const index = fields.indexOf(flag);
  const link = linkReader(report, flag, fields);
  const formatDate = (instant: number, dayOnly: boolean) =>
    formatRowDate(instant, dayOnly ? 'UTC' : zone, !dayOnly);
  return (record) => {
    const text = formatFieldValue(record, index, field, formatDate);
    const number = field.kind === 'number' ? record.number(index) : Number.NaN;
    return {
      text: text === undefined ? '' : displayText(text, maxTextLength),
      number: Number.isNaN(number) ? undefined : number,
      link: link?.(record),
    };
  };
}

/** The source of a title's identifier; undefined for a field without titles. */
export function linkSourceOf({ titleFilters }: Report, flag: string) {
  const all = titleFilters.flatMap(({ option, sources }) =>
    // `member` is set where the identifier is a member of the objects under the flag.
    sources.map(({ field, member, title }) => ({ option, title, idFlag: field, member })),
  );
  return all.find(({ title, idFlag, member }) => flag === (member === undefined ? title : idFlag));
}

function linkReader(
  report: Report,
  flag: string,
  fields: readonly string[],
): ((record: RecordView) => RowCell['link']) | undefined {
  const source = linkSourceOf(report, flag);
  if (!source || fieldOf(report, source.idFlag) === undefined) return undefined;
  const { option, idFlag, member } = source;
  const index = fields.indexOf(idFlag);
  return (record) => {
    const id = (member === undefined ? record.text(index) : record.member(index, member).text())?.trim();
    return id ? { option, id } : undefined;
  };
}
