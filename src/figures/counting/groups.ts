import { type Field, fieldOf, reportNamed } from '../../catalogue/index.js';
import { mayBeList } from '../list-text.js';
import type { RecordView } from '../record-view.js';
import type { Breakdown, FiguresPlan, RowPerson } from '../result.js';
import { Cells, TooManyValues } from './cells.js';
import { ZoneDays } from './dates.js';
import { ProtectedCells } from './few-people.js';
import { groupKeysFor, periodsOf } from './group-keys.js';
import { type CountedPeople, GroupTotals } from './group-totals.js';
import { PeopleOfGroups } from './person-fields.js';
import type { Contribution, ReportFigures } from './report-figures.js';
import type { SmallGroups } from './small-groups.js';

/** A field with more values than this gets no breakdown. */
const maxGroups = 20_000;

/** Maximum short lists whose cell is cached by the list's JSON. */
const maxSpelledLists = 4_000;

/**
 * The same sums for each value of one field. Records with the same values share a cell. Cells are combined into groups
 * at the end, because only then it is known which texts are lists, and because people in several groups must count once.
 */
export class Grouping {
  /** True if `by:` requested it. Medians and distinct people are then counted per group as well. */
  readonly isRequested: boolean;
  readonly field: Field;
  private readonly index;
  private readonly countsPeople;
  /** The cell of each list by its JSON, because most lists are repeated. */
  private readonly spelledLists = new Map<string, number>();
  private readonly keys;
  private readonly isProtected;
  private readonly nothing;
  private readonly named: PeopleOfGroups | undefined;
  private cells: Cells | undefined;
  private hasSeveral = false;
  private tooMany = maxGroups;

  /** @param protection absent if small groups are not protected */
  constructor(
    { sums, people, medianOf }: ReportFigures,
    { report, zone, by, tellsPeople }: FiguresPlan,
    readonly flag: string,
    fields: readonly string[],
    protection: SmallGroups | undefined,
  ) {
    const field = fieldOf(reportNamed(report), flag);
    this.index = fields.indexOf(flag);
    if (!field || this.index < 0) throw new Error(`The report ${report} cannot be broken down by ${flag}`);
    this.field = field;
    this.isRequested = flag === by;
    this.countsPeople = people !== undefined && (this.isRequested || people.inEveryTable === true);
    this.keys = groupKeysFor(field, new ZoneDays(zone));
    this.isProtected = protection !== undefined;
    this.nothing = new Float64Array(Object.keys(sums).length);
    this.named =
      tellsPeople && this.isRequested && field.personLevel
        ? new PeopleOfGroups(fields, flag, maxGroups)
        : undefined;
    const isList = field.kind === 'list';
    const cells = protection && new ProtectedCells(protection.smallestGroup, protection.about, isList);
    this.cells = new Cells(maxGroups, Object.keys(sums).length, medianOf, cells);
  }

  /** The singular name of a group: `Department` for the field Departments. */
  get label(): string {
    return this.isList ? this.field.label.replace(/s$/, '') : this.field.label;
  }

  /** In which of its groups a record with several of them counts. Undefined: records have one. */
  get severalCount(): Breakdown['severalCount'] {
    if (!this.isList && !this.hasSeveral) return undefined;
    return this.isProtected ? 'in-the-first' : 'in-each';
  }

  /** @param person the number of the record's person; below 0: no one */
  add(record: RecordView, adds: Contribution, person: number): void {
    const { cells } = this;
    if (!cells) return;
    try {
      const cell = this.cellOf(record, cells);
      cells.rows.add(cell, adds.sums);
      this.named?.add(record);
      if (this.countsPeople && person >= 0) cells.people.add(person, cell, adds.marks);
      if (this.isRequested && !Number.isNaN(adds.medianValue)) cells.values.add(cell, adds.medianValue);
      cells.protected?.add(cell);
    } catch (error) {
      this.refuse(error);
    }
  }

  /** Counts the people of a record that is no row of the answer, for its line. */
  addBeside(record: RecordView): void {
    const { cells } = this;
    if (!cells) return;
    try {
      const cell = this.cellOf(record, cells);
      cells.rows.add(cell, this.nothing);
      cells.protected?.addBeside(cell);
    } catch (error) {
      this.refuse(error);
    }
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
    const first = (numbers: readonly number[]) => {
      const own = numbers.map((number) => alone[number] ?? 0);
      return (counted && enough?.(counted, own)) ?? 0;
    };
    const periodOf = this.field.kind === 'date' ? periodsOf(cells.numbers, first) : undefined;
    const groups = GroupTotals.of(cells, settled, this.countsPeople ? people : undefined, periodOf);
    return groups.named > maxGroups ? { moreThan: maxGroups } : groups;
  }

  merge(later: Grouping, people: Int32Array, keyOf?: (key: number) => number): void {
    this.hasSeveral ||= later.hasSeveral;
    if (later.named) this.named?.merge(later.named);
    try {
      if (!later.cells) throw new TooManyValues(later.tooMany);
      this.cells?.merge(later.cells, people, keyOf);
    } catch (error) {
      this.refuse(error);
    }
  }

  /** Whom the group with a label is about, where that is recorded. */
  whoIs(label: string | null): RowPerson | undefined {
    return this.named?.find(label);
  }

  private get isList(): boolean {
    return this.field.kind === 'list';
  }

  private cellOf(record: RecordView, cells: Cells): number {
    const spelled = record.rawList(this.index);
    if (spelled === undefined) return this.cellOfValue(record, cells);
    const known = this.spelledLists.get(spelled);
    if (known !== undefined) return known;
    const cell = this.cellOfValue(record, cells);
    if (this.spelledLists.size < maxSpelledLists) this.spelledLists.set(spelled, cell);
    return cell;
  }

  private cellOfValue(record: RecordView, cells: Cells): number {
    const { index, isList } = this;
    if (isList && record.isText(index)) {
      const text = record.text(index)?.trim() ?? '';
      if (mayBeList(text)) return cells.alike(text, cells.texts);
    }
    const keys = this.keys(record, index);
    if (isList && !cells.knows(keys)) cells.whole.add(record.entries(index));
    if (keys.length > 1) this.hasSeveral = true;
    return cells.of(keys);
  }

  /** Frees all memory if there are too many values, because a breakdown of only some would be wrong. */
  private refuse(error: unknown): void {
    if (!(error instanceof TooManyValues)) throw error;
    this.cells = undefined;
    this.tooMany = error.limit;
  }
}
