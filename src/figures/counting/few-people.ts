import type { BesideRow } from '../conditions-plan.js';
import type { EntryNeighbours } from '../neighbours.js';
import type { RecordView } from '../record-view.js';
import { PeopleInRows } from './people-in-rows.js';
import { personKeyFields } from './person-fields.js';
import { noPerson, PersonKeys } from './person-keys.js';
import { type Contribution, type Denominator, fieldIndexes } from './report-figures.js';

/** A set stores so many keys for each person of the limit. */
const keysPerPerson = 3;

/**
 * Counts distinct people of many sets, each up to a limit, to decide whether a set has too few. Whose key it is turns
 * out after the last row, so a set stores more keys than the limit. A set of more keys than that counts those alone.
 */
export class FewPeople {
  private readonly sets: (number[] | undefined)[] = [];

  constructor(private readonly limit: number) {}

  add(set: number, key: number): void {
    const kept = this.sets[set];
    if (kept === undefined) this.sets[set] = [key];
    else if (!this.isFull(kept) && !kept.includes(key)) kept.push(key);
  }

  /** The number of different people in a set; at most the limit. */
  countIn(set: number, keys: PersonKeys): number {
    const people = new Set<number>();
    this.collect(set, keys, people);
    return people.size;
  }

  /** Puts the people of a set into `together`, until that holds as many as the limit. */
  collect(set: number, keys: PersonKeys, together: Set<number>): void {
    const kept = this.sets[set] ?? [];
    // Where people could not be told apart to the end, a few keys may be of one person.
    const some = keys.full && !this.isFull(kept) ? kept.slice(0, 1) : kept;
    for (const key of some) {
      if (together.size >= this.limit) return;
      together.add(keys.personOf(key));
    }
  }

  /** @param setOf the set here for one of `later` */
  merge(later: FewPeople, keyOf: (key: number) => number, setOf = (set: number) => set): void {
    later.sets.forEach((kept, set) => {
      for (const key of kept ?? []) this.add(setOf(set), keyOf(key));
    });
  }

  private isFull(kept: readonly number[]): boolean {
    return kept.length >= keysPerPerson * this.limit;
  }
}

/** The person of the current record, and the record's denominators. One object is reused for all records. */
export class PersonOfRecord {
  person = noPerson;
  /**
   * 1 for each denominator that the record is in, then for each entry of a filter that alone lets it in, and then for each
   * neighbour without a condition that lets it in.
   */
  readonly isIn: Uint8Array;
  readonly keys = new PersonKeys();
  private readonly index;

  constructor(
    readonly denominators: readonly Denominator[],
    fields: readonly string[],
    private readonly entries: EntryNeighbours,
    /** The neighbours without a condition, of which the answer holds no rows. */
    private readonly besideSets: number,
  ) {
    this.isIn = new Uint8Array(denominators.length + entries.entries + besideSets);
    this.index = fieldIndexes(fields, personKeyFields);
  }

  /** @param adds the record's contribution to the figures; clear if the record is not counted */
  read(record: RecordView, adds: Contribution): void {
    this.person = this.keys.keyOf(record, this.index.userid, this.index.email);
    this.denominators.forEach((denominator, i) => {
      this.isIn[i] = isInDenominator(denominator, adds) ? 1 : 0;
    });
    this.entries.read(record, this.isIn, this.denominators.length);
    // An earlier record may have been beside the answer.
    if (this.besideSets > 0) this.isIn.fill(0, this.isIn.length - this.besideSets);
  }

  /** Reads a record that the conditions keep out. */
  readBeside(record: RecordView, { neighbours }: BesideRow): void {
    this.person = this.keys.keyOf(record, this.index.userid, this.index.email);
    this.isIn.fill(0);
    this.isIn.set(neighbours, this.isIn.length - this.besideSets);
  }
}

function isInDenominator(denominator: Denominator, { sums, medianValue, isCounted }: Contribution): boolean {
  if (denominator === 'all-rows') return true;
  if (denominator === 'counted-rows') return isCounted;
  if (denominator === 'rows-with-median-value') return !Number.isNaN(medianValue);
  return denominator.rowsOfSums.some((sum) => sums[sum] !== 0);
}

/** The same denominator has the same key. */
export function denominatorKey(denominator: Denominator): string {
  return typeof denominator === 'string' ? denominator : denominator.rowsOfSums.join();
}

/** Everybody's groups are needed for the protection of small groups. */
const maxRows = 2_000_000;

/** The people and rows of each cell of a breakdown, by the sets that a record is in. */
export class ProtectedCells {
  /** The cells of the keys of all people. Absent for fields of one value a row. */
  readonly people: PeopleInRows | undefined;
  private readonly few;
  private readonly rows: number[] = [];

  constructor(
    limit: number,
    private readonly about: PersonOfRecord,
    isList: boolean,
  ) {
    this.few = new FewPeople(limit);
    this.people = isList ? new PeopleInRows(maxRows) : undefined;
  }

  get keys(): PersonKeys {
    return this.about.keys;
  }

  /** Counts the record that was read last. */
  add(cell: number): void {
    this.people?.add(Math.max(this.about.person, noPerson), cell, 0);
    this.addBeside(cell);
  }

  /** The same for a record that is no row of the answer. */
  addBeside(cell: number): void {
    const { person, isIn } = this.about;
    for (let i = 0; i < isIn.length; i++) {
      if (isIn[i] !== 1) continue;
      const set = cell * isIn.length + i;
      this.few.add(set, person);
      this.rows[set] = (this.rows[set] ?? 0) + 1;
    }
  }

  merge(later: ProtectedCells, keyOf: (key: number) => number, cellOf: (cell: number) => number): void {
    const { length } = this.about.isIn;
    const setOf = (set: number) => cellOf(Math.floor(set / length)) * length + (set % length);
    this.few.merge(later.few, keyOf, setOf);
    later.rows.forEach((rows, set) => {
      this.rows[setOf(set)] = (this.rows[setOf(set)] ?? 0) + rows;
    });
    if (later.people) this.people?.merge(later.people, (key) => Math.max(keyOf(key), noPerson), cellOf);
  }

  /** Puts the people of a cell in one set into `together`, until that holds as many as the limit. */
  collect(cell: number, set: number, together: Set<number>): void {
    this.few.collect(cell * this.about.isIn.length + set, this.keys, together);
  }

  rowsOf(cell: number, set: number): number {
    return this.rows[cell * this.about.isIn.length + set] ?? 0;
  }
}
