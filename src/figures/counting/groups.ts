import { type Field, fieldOf, reportNamed } from '../../catalogue/index.js';
import { KnownEntries, mayBeList } from '../list-text.js';
import type { RecordView } from '../record-view.js';
import type { FiguresPlan } from '../result.js';
import { CountedValues } from './counted-values.js';
import { ZoneDays } from './dates.js';
import { FewPeople, type PersonOfRecord } from './few-people.js';
import { type GroupKeys, GroupTotals, groupKeysFor } from './group-totals.js';
import { PeopleInRows } from './people-in-rows.js';
import type { Contribution } from './report-figures.js';

/** A field with more values than this gets no breakdown. */
const maxGroups = 20_000;

/** Different combinations of groups that records belong to, and the characters that tell them apart. */
const maxCells = 100_000;
const maxCharacters = 20_000_000;

/** Different short lists whose cell is remembered by the list's JSON. */
const maxSpelledLists = 4_000;

/** Different values for medians, and further groups of people, over all groups together. */
const maxValues = 200_000;
const maxFurtherRows = 500_000;

export interface GroupingPlan {
  readonly flag: string;
  readonly index: number;
  /** True when `by:` requested it: then medians and distinct people are counted per group too. */
  readonly isRequested: boolean;
  /** True when people are counted per group. */
  readonly countsPeople: boolean;
  readonly sums: number;
  /** Of small groups; absent where they are not protected. */
  readonly protection?: { readonly smallestGroup: number; readonly denominators: number } | undefined;
}

/** What is counted of one field's values: bounded, and copied before an answer that may have to be read again. */
export interface Cells {
  /** The number of each value, and of each list that came as a text of several entries, in one count. */
  readonly numbers: Map<string | null, number>;
  readonly texts: Map<string, number>;
  /** The cell of the records that belong to one number alone, by that number. */
  readonly alone: number[];
  /** The cell of those that belong to several at once, by all their values. */
  readonly several: Map<string, number>;
  /** The numbers of each cell, by the cell. */
  readonly members: (readonly number[])[];
  readonly whole: KnownEntries;
  /** All of these by the cell. */
  readonly rows: RowsOfSums;
  readonly values: CountedValues;
  readonly people: PeopleInRows;
  /** Absent where small groups are not protected. */
  readonly protected?: ProtectedCells | undefined;
}

/** What the protection of small groups has to know of cells. */
export interface ProtectedCells {
  readonly smallestGroup: number;
  /** How many denominators there are. */
  readonly denominators: number;
  /** By `cell * denominators + denominator`. */
  readonly few: FewPeople;
  /** Records by the cell, before they are narrowed. */
  readonly records: number[];
}

/**
 * The same sums, once for each value of one field. Records that belong to the same values share a cell, and groups are
 * made of cells at the end: only then is known which texts are lists, and who is in several groups counts once in all
 * of them together.
 */
export class Grouping {
  /** The cell of each list that came in the same JSON before: most lists come again and again. */
  private readonly spelledLists = new Map<string, number>();

  private constructor(
    readonly plan: GroupingPlan,
    readonly field: Field,
    private readonly keys: GroupKeys,
    private cells: Cells | undefined,
    private characters: number,
    private hasSeveral: boolean,
    private tooMany: number,
  ) {}

  static start(plan: GroupingPlan, { report, zone }: FiguresPlan): Grouping {
    const field = fieldOf(reportNamed(report), plan.flag);
    if (!field) throw new Error(`The report ${report} has no field ${plan.flag} to break down by`);
    const cells: Cells = {
      numbers: new Map(),
      texts: new Map(),
      alone: [],
      several: new Map(),
      members: [],
      whole: KnownEntries.empty(),
      rows: RowsOfSums.of(plan.sums),
      values: CountedValues.withLimit(maxValues),
      people: PeopleInRows.withLimit(maxFurtherRows),
      protected: plan.protection && {
        ...plan.protection,
        few: FewPeople.withLimit(plan.protection.smallestGroup),
        records: [],
      },
    };
    return new Grouping(plan, field, groupKeysFor(field, new ZoneDays(zone)), cells, 0, false, maxGroups);
  }

  /** What one group is: `Department`, of the field Departments. */
  get label(): string {
    return this.field.kind === 'list' ? this.field.label.replace(/s$/, '') : this.field.label;
  }

  /** True when a record may count in several groups. */
  get countsEachEntry(): boolean {
    return this.field.kind === 'list' || this.hasSeveral;
  }

  /**
   * @param person the number of the person it is about, where there is one; below 0: nobody
   * @param about needed where small groups are protected
   */
  add(record: RecordView, adds: Contribution, person: number, about: PersonOfRecord | undefined): void {
    const { cells, plan } = this;
    if (!cells) return;
    const cell = this.cellOf(record, cells);
    if (cell < 0) return;
    cells.rows.add(cell, adds.sums);
    if (plan.countsPeople && person >= 0) cells.people.add(person, cell, adds.active);
    if (plan.isRequested && !Number.isNaN(adds.medianValue)) cells.values.add(cell, adds.medianValue);
    if (!cells.protected || !about) return;
    const { few, records, denominators } = cells.protected;
    records[cell] = (records[cell] ?? 0) + 1;
    for (let i = 0; i < denominators; i++)
      if (about.isIn[i] === 1) few.add(cell * denominators + i, about.person);
  }

  /**
   * The groups, now that all records were seen; where there are too many, more than how many.
   *
   * @param settled what becomes of sums now
   */
  finish(
    settled: (sums: Float64Array) => Float64Array,
    people?: { readonly sum: number; readonly activeSum?: number; readonly full: boolean },
  ): GroupTotals | { readonly moreThan: number } {
    const { cells } = this;
    if (!cells) return { moreThan: this.tooMany };
    const groups = GroupTotals.of(cells, settled, this.plan.countsPeople ? people : undefined);
    return groups.named > maxGroups ? { moreThan: maxGroups } : groups;
  }

  copy(): Grouping {
    const { plan, field, keys, cells, characters, hasSeveral, tooMany } = this;
    const copied: Cells | undefined = cells && {
      numbers: new Map(cells.numbers),
      texts: new Map(cells.texts),
      alone: [...cells.alone],
      several: new Map(cells.several),
      members: [...cells.members],
      whole: cells.whole.copy(),
      rows: cells.rows.copy(),
      values: cells.values.copy(),
      people: cells.people.copy(),
      protected: cells.protected && {
        ...cells.protected,
        few: cells.protected.few.copy(),
        records: [...cells.protected.records],
      },
    };
    return new Grouping(plan, field, keys, copied, characters, hasSeveral, tooMany);
  }

  /** The cell of a record, a new one where need be; below 0 when there would be too many. */
  private cellOf(record: RecordView, cells: Cells): number {
    const spelled = record.rawList(this.plan.index);
    if (spelled === undefined) return this.cellOfValue(record, cells);
    const known = this.spelledLists.get(spelled);
    if (known !== undefined) return known;
    const cell = this.cellOfValue(record, cells);
    if (this.spelledLists.size < maxSpelledLists) this.spelledLists.set(spelled, cell);
    return cell;
  }

  private cellOfValue(record: RecordView, cells: Cells): number {
    const { index } = this.plan;
    const isList = this.field.kind === 'list';
    if (isList && record.isText(index)) {
      const text = record.text(index)?.trim() ?? '';
      if (mayBeList(text)) return this.cellAlone(this.numberOf(text, cells.texts, cells), cells);
    }
    const keys = this.keys(record, index);
    if (keys.length > 1) return this.cellOfSeveral(record, keys, cells);
    const key = keys[0] ?? null;
    if (isList && key !== null && !cells.numbers.has(key)) cells.whole.add(record.entries(index));
    return this.cellAlone(this.numberOf(key, cells.numbers, cells), cells);
  }

  private cellOfSeveral(record: RecordView, keys: readonly string[], cells: Cells): number {
    this.hasSeveral = true;
    // A control character that names do not hold; before the hash of a long name no comma follows it.
    const combined = keys.join('\u0000,');
    const known = cells.several.get(combined);
    if (known !== undefined) return known;
    if (this.field.kind === 'list') cells.whole.add(record.entries(this.plan.index));
    const members = keys.map((key) => this.numberOf(key, cells.numbers, cells));
    if (members.some((number) => number < 0)) return -1;
    cells.several.set(combined, cells.members.length);
    this.characters += combined.length;
    return this.startCell(members, cells);
  }

  private cellAlone(number: number, cells: Cells): number {
    if (number < 0) return -1;
    const known = cells.alone[number];
    if (known !== undefined) return known;
    cells.alone[number] = cells.members.length;
    return this.startCell([number], cells);
  }

  private numberOf<Key extends string | null>(key: Key, among: Map<Key, number>, cells: Cells): number {
    const known = among.get(key);
    if (known !== undefined) return known;
    const named = cells.numbers.size - (cells.numbers.has(null) ? 1 : 0);
    if (key !== null && (among as unknown) === cells.numbers && named >= maxGroups)
      return this.refuse(maxGroups);
    const number = cells.numbers.size + cells.texts.size;
    among.set(key, number);
    this.characters += key?.length ?? 0;
    return number;
  }

  private startCell(members: readonly number[], cells: Cells): number {
    if (cells.members.length >= maxCells || this.characters + cells.whole.characters > maxCharacters)
      return this.refuse(maxCells);
    cells.members.push(members);
    return cells.rows.addRow();
  }

  /** Lets go of everything: a breakdown of some of the values would be wrong. */
  private refuse(moreThan: number): number {
    this.cells = undefined;
    this.tooMany = moreThan;
    return -1;
  }
}

/** Rows of numbers that only ever grow by addition: one row per group, in one growing stretch of memory. */
class RowsOfSums {
  private constructor(
    private readonly width: number,
    private cells: Float64Array,
    private used: number,
  ) {}

  static of(width: number): RowsOfSums {
    return new RowsOfSums(width, new Float64Array(width * 16), 0);
  }

  /** The number of the new row. */
  addRow(): number {
    if ((this.used + 1) * this.width > this.cells.length) {
      const grown = new Float64Array(this.cells.length * 2);
      grown.set(this.cells);
      this.cells = grown;
    }
    return this.used++;
  }

  add(row: number, sums: Float64Array): void {
    const { cells } = this;
    let at = row * this.width;
    for (let i = 0; i < sums.length; i++, at++) cells[at] = (cells[at] ?? 0) + (sums[i] ?? 0);
  }

  row(row: number): Float64Array {
    return this.cells.subarray(row * this.width, (row + 1) * this.width);
  }

  /** A new row of zeros, outside the rows of groups. */
  emptyRow(): Float64Array {
    return new Float64Array(this.width);
  }

  copy(): RowsOfSums {
    return new RowsOfSums(this.width, this.cells.slice(), this.used);
  }
}
