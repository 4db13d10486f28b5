import { fieldNamed, managerFlag, reportNamed } from '../../catalogue/index.js';
import { nameFields, nameReader, personKeyFields } from '../counting/person-fields.js';
import { noPerson, PersonKeys } from '../counting/person-keys.js';
import { fieldIndexes } from '../counting/report-figures.js';
import { dueListOf } from '../counting/rules.js';
import type { HashKey } from '../keyed-hash.js';
import type { KnownRows } from '../known-rows.js';
import type { RecordView } from '../record-view.js';
import type { Figure, FiguresPlan, FiguresReader } from '../result.js';
import { fieldsToCount, startCounting } from './count-report.js';
import { fieldsOfNewRows, NewRows, noNewRow } from './new-rows.js';
import { cellReader, fieldsOfRows, linkSourceOf, type RowCell, uncertainRank } from './rows.js';

/** How the rows of each manager's direct reports are counted apart. Plain data: it is sent to the thread that reads. */
export interface TeamsPlan {
  /** The file that gets what is found about each team. The caller deletes it. */
  readonly path: string;
  /** The figures, which are counted for each team alone. */
  readonly figures: FiguresPlan;
  /** Set where only new rows are wanted: the rows of each manager's last run, by address in lower case. */
  readonly newRows?: { readonly key: HashKey; readonly known: ReadonlyMap<string, Uint8Array> } | undefined;
}

/** An item of a direct report: an assignment, an enrolment, a result or a completion. */
interface TeamItem {
  readonly title: string;
  /** What the title can link to. */
  readonly link?: RowCell['link'];
  /** Days overdue, or until due in a list of what is due. Absent: the rows are not about due dates. */
  readonly days?: number;
  /** How it stands, where no days say it: `In progress, progress 40`. */
  readonly detail?: string;
}

export interface TeamMember {
  readonly name: string;
  /** All their rows that count, listed or not. */
  readonly rows: number;
  readonly items: readonly TeamItem[];
  /** Whose rows they are, for the record of what was sent. */
  readonly who: { readonly userid?: string | undefined; readonly email?: string | undefined };
}

/** What an answer has about the direct reports of one manager. Plain data. */
export interface TeamFindings {
  /** Direct reports with any row, whether it counts or not. */
  readonly people: number;
  /** Those with rows that count. */
  readonly concerned: number;
  /** Rows that count; where only new ones are wanted, those. */
  readonly rows: number;
  /** Rows that count, new or not. */
  readonly allRows: number;
  readonly figures: readonly Figure[];
  /** The first of those concerned, in the order of what matters. */
  readonly listed: readonly TeamMember[];
  /** True where new rows are wanted and no rows of an earlier run are known. */
  readonly isBaseline?: true;
  /** What the next run knows, in base64. */
  readonly knownRows?: string;
}

const maxMembers = 10;
const maxItems = 5;

/** Every flag that counting teams reads, each once. */
export function fieldsOfTeams({
  figures,
  newRows,
}: Pick<TeamsPlan, 'figures' | 'newRows'>): readonly string[] {
  const columns = [...titleFlags(figures), ...detailFlags(figures)];
  return [
    ...new Set([
      managerFlag,
      ...personKeyFields,
      ...nameFields,
      ...fieldsOfRows({ columns, limit: 0 }, figures),
      ...fieldsToCount(figures),
      ...(newRows ? fieldsOfNewRows(figures.report) : []),
    ]),
  ];
}

function titleFlags({ report: name }: FiguresPlan): readonly string[] {
  const report = reportNamed(name);
  return report.essentials.filter((flag) => linkSourceOf(report, flag));
}

/** The fields that say how an item stands, where no due dates do. */
function detailFlags(plan: FiguresPlan): readonly string[] {
  const report = reportNamed(plan.report);
  if (dueListOf(plan)) return [];
  return report.essentials.filter((flag) => {
    const { kind } = fieldNamed(report, flag);
    return kind === 'status' || kind === 'number';
  });
}

/** A row that counts, as long as the rows of its team are read. */
interface CountedRow {
  /** The number of its record among those of the team. */
  readonly record: number;
  readonly key: number;
  readonly order: number;
  readonly days: number;
  readonly isCertain: boolean;
  /** The number that `NewRows` gave it. */
  readonly number: number;
}

/**
 * Counts the rows of one team, which are read twice: the first time to count them and to find the first people, the second
 * time for the names and titles of these alone.
 */
export class TeamCounter {
  private readonly figures: FiguresReader;
  private readonly keys = new PersonKeys();
  private readonly newRows: NewRows | undefined;
  private readonly ids: Readonly<Record<(typeof personKeyFields)[number], number>>;
  private readonly rows: CountedRow[] = [];
  /** Rows that count, new or not, and those that may. */
  private certain = 0;
  private uncertain = 0;
  private hasNameless = false;
  private records = 0;

  constructor(
    private readonly plan: TeamsPlan,
    private readonly fields: readonly string[],
    private readonly known: KnownRows | undefined,
  ) {
    const { figures, newRows } = plan;
    this.figures = startCounting(figures, fields);
    this.ids = fieldIndexes(fields, personKeyFields);
    this.newRows = newRows && new NewRows(figures.report, newRows.key, known, fields);
  }

  add(record: RecordView): void {
    const { figures, keys, ids } = this;
    const at = this.records++;
    figures.add(record);
    const key = keys.keyOf(record, ids.userid, ids.email);
    if (key === noPerson) this.hasNameless = true;
    const number = this.newRows?.add(record, figures) ?? 0;
    const { lastRank, lastOrder: order, lastDays: days } = figures;
    if (Number.isNaN(lastRank)) return;
    const isCertain = Number.isInteger(lastRank);
    if (isCertain) this.certain++;
    else this.uncertain++;
    if (number !== noNewRow) this.rows.push({ record: at, key, order, days, isCertain, number });
  }

  /** Ends the first reading. */
  finish(): ReadTeam {
    const { figures, keys, newRows, plan, fields } = this;
    const countsUncertain = figures.isCounted(uncertainRank);
    const result = figures.finish();
    const found = newRows?.finish(figures);
    const isNews = found?.result.count === undefined ? () => true : firstOfEach(found.numberOf);
    const members = new Map<number, { readonly rows: CountedRow[]; best: number }>();
    let count = 0;
    for (const row of this.rows) {
      if (!(row.isCertain || countsUncertain) || !isNews(row.number)) continue;
      const person = keys.personOf(row.key);
      const member = members.get(person) ?? { rows: [], best: Number.POSITIVE_INFINITY };
      members.set(person, member);
      member.rows.push(row);
      member.best = Math.min(member.best, row.order);
      count++;
    }
    const first = [...members.values()].sort((a, b) => a.best - b.best || b.rows.length - a.rows.length);
    let people = this.hasNameless ? 1 : 0;
    for (let key = 1; key <= keys.count; key++) if (keys.personOf(key) === key) people++;
    return new ReadTeam(plan.figures, fields, first.slice(0, maxMembers), {
      people,
      concerned: members.size,
      rows: count,
      allRows: this.certain + (countsUncertain ? this.uncertain : 0),
      figures: result.figures,
      ...(found && {
        ...(this.known === undefined && { isBaseline: true as const }),
        knownRows: Buffer.from(found.result.rows).toString('base64'),
      }),
    });
  }
}

/** True for a row that is new, and for the first of equal ones alone. */
function firstOfEach(numberOf: (row: number) => number): (row: number) => boolean {
  const seen = new Set([0]);
  return (row) => {
    const number = numberOf(row);
    const isFirst = !seen.has(number);
    seen.add(number);
    return isFirst;
  };
}

/** A team that is counted. The second reading adds the names and titles of its first people. */
export class ReadTeam {
  /** By the number of the record: the listed member, and the place of the item. */
  private readonly wanted = new Map<number, { readonly member: number; readonly item: number }>();
  private readonly names: string[] = [];
  private readonly items: TeamItem[][] = [];
  private readonly people: TeamMember['who'][] = [];
  private readonly ids: Readonly<Record<(typeof personKeyFields)[number], number>>;
  private readonly nameOf: (record: RecordView) => string;
  private readonly titles: readonly ((record: RecordView) => RowCell)[];
  private readonly details: readonly {
    readonly label: string;
    readonly read: (record: RecordView) => RowCell;
  }[];
  private records = 0;

  constructor(
    plan: FiguresPlan,
    fields: readonly string[],
    private readonly first: readonly { readonly rows: readonly CountedRow[]; readonly best: number }[],
    readonly counted: Omit<TeamFindings, 'listed'>,
  ) {
    const report = reportNamed(plan.report);
    this.ids = fieldIndexes(fields, personKeyFields);
    this.nameOf = nameReader(fields);
    this.titles = titleFlags(plan).map((flag) => cellReader(report, flag, fields, plan.zone));
    this.details = detailFlags(plan).map((flag) => {
      const { kind, label } = fieldNamed(report, flag);
      const named = kind === 'number' ? `${label.toLowerCase()} ` : '';
      return { label: named, read: cellReader(report, flag, fields, plan.zone) };
    });
    first.forEach(({ rows }, member) => {
      const inOrder = rows.toSorted((a, b) => a.order - b.order).slice(0, maxItems);
      this.items.push([]);
      inOrder.forEach(({ record }, item) => {
        this.wanted.set(record, { member, item });
      });
    });
  }

  /** False where the second reading has nothing to add. */
  get needsNames(): boolean {
    return this.wanted.size > 0;
  }

  /** Reads the records of the team again, in the same order. */
  add(record: RecordView): void {
    const at = this.records++;
    const wanted = this.wanted.get(at);
    if (!wanted) return;
    const { member, item } = wanted;
    this.names[member] ??= this.nameOf(record);
    this.people[member] ??= { userid: record.text(this.ids.userid), email: record.text(this.ids.email) };
    const items = this.items[member] as TeamItem[];
    items[item] = this.itemOf(record, this.first[member]?.rows.find((row) => row.record === at)?.days);
  }

  finish(): TeamFindings {
    const listed = this.first
      .map(({ rows, best }, member) => ({
        best,
        member: {
          name: this.names[member] ?? '',
          rows: rows.length,
          items: this.items[member] ?? [],
          who: this.people[member] ?? {},
        },
      }))
      .sort((a, b) => a.best - b.best || byName.compare(a.member.name, b.member.name));
    return { ...this.counted, listed: listed.map(({ member }) => member) };
  }

  private itemOf(record: RecordView, days = Number.NaN): TeamItem {
    const title = this.titles.map((read) => read(record)).find(({ text }) => text !== '');
    const detail = this.details
      .map(({ label, read }) => ({ label, text: read(record).text }))
      .filter(({ text }) => text !== '')
      .map(({ label, text }) => `${label}${text}`)
      .join(', ');
    return {
      title: title?.text ?? '',
      ...(title?.link && { link: title.link }),
      ...(!Number.isNaN(days) && { days }),
      ...(detail !== '' && { detail }),
    };
  }
}

const byName = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
