import { KnownEntries } from '../list-text.js';
import { type CountedKind, CountedValues } from './counted-values.js';
import type { ProtectedCells } from './few-people.js';
import { PeopleInRows } from './people-in-rows.js';
import { addSums } from './totals.js';

/** Maximum combinations of groups that records belong to, and maximum characters of their keys. */
const maxCells = 100_000;
const maxCharacters = 20_000_000;

/** Maximum different values for medians, and maximum further groups of people, over all groups. */
const maxValues = 200_000;
const maxFurtherRows = 500_000;

/** More values, or combinations of them, than a breakdown can have. */
export class TooManyValues extends Error {
  constructor(readonly limit: number) {
    super();
  }
}

/** The counts of one field's values. Their size is limited: beyond it, methods throw `TooManyValues`. */
export class Cells {
  /** Numbers of values, and of lists that arrived as one text. */
  readonly numbers = new Map<string | null, number>();
  readonly texts = new Map<string, number>();
  /** The cell of records with one number, by that number. */
  readonly alone: number[] = [];
  /** The numbers of each cell, by the cell. */
  readonly members: (readonly number[])[] = [];
  readonly whole = new KnownEntries();
  /** All of these by the cell. */
  readonly rows: RowsOfSums;
  readonly values: CountedValues;
  readonly people = new PeopleInRows(maxFurtherRows);
  /** Absent if small groups are not protected. */
  readonly protected: ProtectedCells | undefined;
  /** The cell of records with several numbers, by all their values. */
  private readonly several = new Map<string, number>();
  private characters = 0;

  constructor(
    private readonly maxNamed: number,
    sums: number,
    medianOf: CountedKind | undefined,
    cells: ProtectedCells | undefined,
  ) {
    this.protected = cells;
    this.rows = new RowsOfSums(sums);
    this.values = new CountedValues(maxValues, medianOf);
  }

  /** True if the cell of records with these keys exists. */
  knows(keys: readonly string[]): boolean {
    const only = keys[0] ?? null;
    return keys.length > 1 ? this.several.has(combined(keys)) : only === null || this.numbers.has(only);
  }

  /** The cell of records with these keys, which may be new. */
  of(keys: readonly string[]): number {
    if (keys.length < 2) return this.alike(keys[0] ?? null, this.numbers);
    const name = combined(keys);
    const known = this.several.get(name);
    if (known !== undefined) return known;
    const members = keys.map((key) => this.numberOf(key, this.numbers));
    this.several.set(name, this.members.length);
    this.characters += name.length;
    return this.start(members);
  }

  /** The cell of records with one key, or with one text that may be a list. */
  alike<Key extends string | null>(key: Key, among: Map<Key, number>): number {
    const number = this.numberOf(key, among);
    const known = this.alone[number];
    if (known !== undefined) return known;
    this.alone[number] = this.members.length;
    return this.start([number]);
  }

  /** @param keyOf the key of a person here for one of `later` */
  merge(later: Cells, people: Int32Array, keyOf = (key: number) => key): void {
    this.whole.merge(later.whole);
    const keys: (string | null)[] = [];
    for (const [key, number] of [...later.numbers, ...later.texts]) keys[number] = key;
    const texts = new Set(later.texts.values());
    const cells = later.members.map((members) => {
      const [first = 0] = members;
      if (texts.has(first)) return this.alike(keys[first] as string, this.texts);
      return this.of(members.flatMap((number) => keys[number] ?? []));
    });
    const cellOf = (cell: number) => cells[cell] as number;
    for (const [cell, own] of cells.entries()) this.rows.add(own, later.rows.row(cell));
    this.values.merge(later.values, cellOf);
    this.people.merge(later.people, (person) => people[person] as number, cellOf);
    if (later.protected) this.protected?.merge(later.protected, keyOf, cellOf);
  }

  private numberOf<Key extends string | null>(key: Key, among: Map<Key, number>): number {
    const known = among.get(key);
    if (known !== undefined) return known;
    const { numbers, texts, maxNamed } = this;
    const named = numbers.size - (numbers.has(null) ? 1 : 0);
    if (key !== null && (among as unknown) === numbers && named >= maxNamed)
      throw new TooManyValues(maxNamed);
    const number = numbers.size + texts.size;
    among.set(key, number);
    this.characters += key?.length ?? 0;
    return number;
  }

  private start(members: readonly number[]): number {
    if (this.members.length >= maxCells || this.characters + this.whole.characters > maxCharacters)
      throw new TooManyValues(maxCells);
    this.members.push(members);
    return this.rows.addRow();
  }
}

/** Names contain no control characters. In a long name's key, no comma follows it. */
function combined(keys: readonly string[]): string {
  return keys.join('\u0000,');
}

/** Rows of sums, one per cell, in one growing array. */
class RowsOfSums {
  private cells: Float64Array;
  private used = 0;

  constructor(private readonly width: number) {
    this.cells = new Float64Array(width * 16);
  }

  addRow(): number {
    if ((this.used + 1) * this.width > this.cells.length) {
      const grown = new Float64Array(this.cells.length * 2);
      grown.set(this.cells);
      this.cells = grown;
    }
    return this.used++;
  }

  add(row: number, sums: Float64Array): void {
    addSums(this.cells, sums, row * this.width);
  }

  row(row: number): Float64Array {
    return this.cells.subarray(row * this.width, (row + 1) * this.width);
  }

  /** A new row of zeros that belongs to no group. */
  emptyRow(): Float64Array {
    return new Float64Array(this.width);
  }
}
