import { type Field, fieldOf, reportNamed } from '../../reports/catalogue/index.js';
import type { RecordView } from '../../reports/record-view.js';
import type { FiguresPlan } from '../plan.js';
import type { Contribution } from './contribution.js';
import { CountedRow } from './counted-row.js';
import { CountedValues } from './counted-values.js';
import { DistinctPeople } from './distinct-people.js';
import { type GroupKeys, groupKeysFor, labelOfKey } from './group-keys.js';
import { RowsOfSums } from './rows-of-sums.js';
import { ZoneDays } from './zone-days.js';

/** Beyond so many values a field is not broken down by. */
export const mostGroups = 20_000;

/** Different values for medians, and people, over all groups together. */
const mostValues = 200_000;
const mostPeople = 500_000;

/** One group as it was counted. */
export interface Group {
  /** null: the records that give no value. */
  readonly label: string | null;
  readonly row: CountedRow;
  /** Its row's number, to ask for its median with. */
  readonly number: number;
}

export interface GroupingPlan {
  readonly flag: string;
  readonly place: number;
  /** True when it was asked for with `by:`: then medians and distinct people are counted per group too. */
  readonly asked: boolean;
  readonly people?: number;
  readonly sums: number;
}

/** The same sums, once for each value of one field. */
export class Grouping {
  private constructor(
    readonly plan: GroupingPlan,
    readonly field: Field,
    private readonly keys: GroupKeys,
    private readonly index: Map<string | null, number>,
    private rows: RowsOfSums | undefined,
    readonly values: CountedValues,
    readonly people: DistinctPeople,
    private several: boolean,
  ) {}

  static start(plan: GroupingPlan, { report, zone }: FiguresPlan): Grouping {
    const field = fieldOf(reportNamed(report), plan.flag);
    if (!field) throw new Error(`The report ${report} has no field ${plan.flag} to break down by`);
    const keys = groupKeysFor(field, new ZoneDays(zone));
    const people = DistinctPeople.upTo(mostPeople);
    const values = CountedValues.upTo(mostValues);
    return new Grouping(plan, field, keys, new Map(), RowsOfSums.of(plan.sums), values, people, false);
  }

  /** What one group is: `Department`, of the field Departments. */
  get label(): string {
    return this.field.kind === 'list' ? this.field.label.replace(/s$/, '') : this.field.label;
  }

  /** True once there were more values than can be told apart. */
  get refused(): boolean {
    return this.rows === undefined;
  }

  /** True when a record may count in several groups. */
  get countsEachEntry(): boolean {
    return this.field.kind === 'list' || this.several;
  }

  add(record: RecordView, adds: Contribution): void {
    if (!this.rows) return;
    const keys = this.keys(record, this.plan.place);
    if (keys.length > 1) this.several = true;
    if (keys.length === 0) this.addTo(null, adds);
    else for (let i = 0; i < keys.length; i++) this.addTo(keys[i] ?? '', adds);
  }

  /** @param settled what becomes of a row's sums now that all records were seen */
  groups(settled: (sums: Float64Array) => Float64Array): Group[] {
    const { rows } = this;
    if (!rows) return [];
    return [...this.index].map(([key, number]) => ({
      label: key === null ? null : labelOfKey(key),
      row: new CountedRow(settled(rows.row(number))),
      number,
    }));
  }

  copy(): Grouping {
    const { plan, field, keys, index, rows, values, people, several } = this;
    const copies = [new Map(index), rows?.copy(), values.copy(), people.copy()] as const;
    return new Grouping(plan, field, keys, ...copies, several);
  }

  private addTo(key: string | null, adds: Contribution): void {
    const { rows, plan } = this;
    if (!rows) return;
    const row = this.index.get(key) ?? this.startRow(key, rows);
    if (row < 0) return;
    rows.add(row, adds.sums);
    if (!plan.asked) return;
    if (!Number.isNaN(adds.measured)) this.values.add(row, adds.measured);
    if (plan.people === undefined || adds.person === undefined) return;
    if (this.people.isNew(adds.person, row)) rows.increment(row, plan.people);
  }

  /** The new row's number; below 0 when there would be too many. */
  private startRow(key: string | null, rows: RowsOfSums): number {
    if (key !== null && this.index.size - (this.index.has(null) ? 1 : 0) >= mostGroups) return this.refuse();
    const row = rows.addRow();
    this.index.set(key, row);
    return row;
  }

  /** Lets go of everything: a breakdown of some of the values would be wrong. */
  private refuse(): number {
    this.rows = undefined;
    this.index.clear();
    return -1;
  }
}
