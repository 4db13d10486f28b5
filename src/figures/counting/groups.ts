import { type Field, fieldOf, reportNamed } from '../../catalogue/index.js';
import { KnownEntries, mayBeList } from '../list-text.js';
import type { RecordView } from '../record-view.js';
import type { Breakdown, FiguresPlan } from '../result.js';
import { type CountedKind, CountedValues } from './counted-values.js';
import { ZoneDays } from './dates.js';
import { type PersonOfRecord, ProtectedCells } from './few-people.js';
import { type GroupKeys, groupKeysFor, periodsOf } from './group-keys.js';
import { type Cells, type CountedPeople, GroupTotals, RowsOfSums } from './group-totals.js';
import { PeopleInRows } from './people-in-rows.js';
import type { Contribution } from './report-figures.js';

/** A field with more values than this gets no breakdown. */
const maxGroups = 20_000;

/** Maximum combinations of groups that records belong to, and maximum characters of their keys. */
const maxCells = 100_000;
const maxCharacters = 20_000_000;

/** Maximum short lists whose cell is cached by the list's JSON. */
const maxSpelledLists = 4_000;

/** Maximum different values for medians, and maximum further groups of people, over all groups. */
const maxValues = 200_000;
const maxFurtherRows = 500_000;

export interface GroupingPlan {
  readonly flag: string;
  readonly index: number;
  /** True if `by:` requested it. Medians and distinct people are then counted per group as well. */
  readonly isRequested: boolean;
  /** True when people are counted per group. */
  readonly countsPeople: boolean;
  readonly sums: number;
  readonly medianOf?: CountedKind | undefined;
  /** The protection of small groups; absent if they are not protected. */
  readonly protection?: { readonly smallestGroup: number; readonly about: PersonOfRecord } | undefined;
}

/**
 * The same sums for each value of one field. Records with the same values share a cell. Cells are combined into groups
 * at the end, because only then it is known which texts are lists, and because people in several groups must count once.
 */
export class Grouping {
  /** The cell of each list by its JSON, because most lists are repeated. */
  private readonly spelledLists = new Map<string, number>();
  readonly field: Field;
  private readonly keys: GroupKeys;
  private cells: Cells | undefined;
  private characters = 0;
  private hasSeveral = false;
  private tooMany = maxGroups;

  constructor(
    readonly plan: GroupingPlan,
    { report, zone }: FiguresPlan,
  ) {
    const field = fieldOf(reportNamed(report), plan.flag);
    if (!field) throw new Error(`The report ${report} has no field ${plan.flag} to break down by`);
    this.field = field;
    this.keys = groupKeysFor(field, new ZoneDays(zone));
    this.cells = {
      numbers: new Map(),
      texts: new Map(),
      alone: [],
      several: new Map(),
      members: [],
      whole: new KnownEntries(),
      rows: new RowsOfSums(plan.sums),
      values: new CountedValues(maxValues, plan.medianOf),
      people: new PeopleInRows(maxFurtherRows),
      protected:
        plan.protection &&
        new ProtectedCells(plan.protection.smallestGroup, plan.protection.about, field.kind === 'list'),
    };
  }

  /** The singular name of a group: `Department` for the field Departments. */
  get label(): string {
    return this.field.kind === 'list' ? this.field.label.replace(/s$/, '') : this.field.label;
  }

  /** In which of its groups a record with several of them counts. Undefined: records have one. */
  get severalCount(): Breakdown['severalCount'] {
    if (this.field.kind !== 'list' && !this.hasSeveral) return undefined;
    return this.plan.protection ? 'in-the-first' : 'in-each';
  }

  /** @param person the number of the record's person; below 0: nobody */
  add(record: RecordView, adds: Contribution, person: number): void {
    const { cells, plan } = this;
    if (!cells) return;
    const cell = this.cellOf(record, cells);
    if (cell < 0) return;
    cells.rows.add(cell, adds.sums);
    if (plan.countsPeople && person >= 0) cells.people.add(person, cell, adds.marks);
    if (plan.isRequested && !Number.isNaN(adds.medianValue)) cells.values.add(cell, adds.medianValue);
    cells.protected?.add(cell);
  }

  /**
   * The groups after the last record; if there are too many, the exceeded limit.
   *
   * @param settled turns sums into final ones
   * @param enough of cells: the place of the first one up to which they are about enough people
   */
  finish(
    settled: (sums: Float64Array) => Float64Array,
    people?: CountedPeople,
    enough?: (counted: ProtectedCells, cells: readonly number[]) => number,
  ): GroupTotals | { readonly moreThan: number } {
    const { cells } = this;
    if (!cells) return { moreThan: this.tooMany };
    const { alone, protected: counted } = cells;
    const first = (numbers: readonly number[]) =>
      enough && counted
        ? enough(
            counted,
            numbers.map((number) => alone[number] ?? 0),
          )
        : 0;
    const periodOf = this.field.kind === 'date' ? periodsOf(cells.numbers, first) : undefined;
    const groups = GroupTotals.of(cells, settled, this.plan.countsPeople ? people : undefined, periodOf);
    return groups.named > maxGroups ? { moreThan: maxGroups } : groups;
  }

  /**
   * @param people by the number of a person of `later`: the number here
   * @param keyOf the key of a person here for one of `later`
   */
  merge(later: Grouping, people: Int32Array, keyOf = (key: number) => key): void {
    const { cells } = this;
    if (!later.cells) this.refuse(later.tooMany);
    if (!cells || !later.cells) return;
    this.hasSeveral ||= later.hasSeveral;
    cells.whole.merge(later.cells.whole);
    const cellsHere = this.cellsOf(later.cells, cells);
    if (!cellsHere) return;
    const cellOf = (cell: number) => cellsHere[cell] as number;
    for (const [cell, own] of cellsHere.entries()) cells.rows.add(own, later.cells.rows.row(cell));
    cells.values.merge(later.cells.values, cellOf);
    cells.people.merge(later.cells.people, (person) => people[person] as number, cellOf);
    if (later.cells.protected) cells.protected?.merge(later.cells.protected, keyOf, cellOf);
  }

  /** The cell here for each cell of a later part; undefined if there would be too many. */
  private cellsOf(later: Cells, cells: Cells): number[] | undefined {
    const keys: (string | null)[] = [];
    for (const [key, number] of [...later.numbers, ...later.texts]) keys[number] = key;
    const texts = new Set(later.texts.values());
    const found: number[] = [];
    for (const members of later.members) {
      const named = members.map((number) => keys[number] as string);
      const [only = null] = named;
      const among: Map<string | null, number> = texts.has(members[0] ?? 0) ? cells.texts : cells.numbers;
      const cell =
        named.length > 1
          ? this.cellOfSeveral(named, cells)
          : this.cellAlone(this.numberOf(only, among, cells), cells);
      if (cell < 0) return undefined;
      found.push(cell);
    }
    return found;
  }

  /** The cell of a record, which may be new; below 0 if there would be too many. */
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
    if (keys.length > 1) return this.cellOfSeveral(keys, cells, record);
    const key = keys[0] ?? null;
    if (isList && key !== null && !cells.numbers.has(key)) cells.whole.add(record.entries(index));
    return this.cellAlone(this.numberOf(key, cells.numbers, cells), cells);
  }

  private cellOfSeveral(keys: readonly string[], cells: Cells, record?: RecordView): number {
    this.hasSeveral = true;
    // Names contain no control characters. In a long name's key, no comma follows it.
    const combined = keys.join('\u0000,');
    const known = cells.several.get(combined);
    if (known !== undefined) return known;
    if (record && this.field.kind === 'list') cells.whole.add(record.entries(this.plan.index));
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

  /** Frees all memory, because a breakdown of only some values would be wrong. */
  private refuse(moreThan: number): number {
    this.cells = undefined;
    this.tooMany = moreThan;
    return -1;
  }
}
