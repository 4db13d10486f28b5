import { lastHash } from '../hash.js';
import { type HashKey, rehashWith } from '../keyed-hash.js';
import {
  encodeKnownRows,
  hasRow,
  type KnownRows,
  namelessPart,
  perKnownRow,
  personOf,
} from '../known-rows.js';
import { noPerson, type PersonKeys } from './person-keys.js';

/** What an answer gives for the next run. */
export interface NewRowsResult {
  /** How many different rows are new; absent where none were known, or what was known cannot be read. */
  readonly count?: number | undefined;
  /** Every row that the figures count, as keyed hashes: what the next run knows. */
  readonly rows: Uint8Array;
}

export interface FoundRows {
  readonly result: NewRowsResult;
  /** The number of a new row, from 1 on: equal rows have the same. 0: it is known, or not counted. */
  numberOf(row: number): number;
}

/** The numbers of a row: its key twice, plus 1 where it may not count; the hash of its item; its occurrence. */
export const perRow = 4;

interface ReadRows {
  readonly keys: PersonKeys;
  readonly secret: HashKey;
  readonly known: KnownRows | undefined;
  readonly rows: Int32Array;
  /** Whether rows count that may not. */
  readonly countsUncertain: boolean;
}

/** Sorts the rows of a whole answer by person and item, and compares them with the known ones. */
export function findRows(read: ReadRows): FoundRows {
  const { known, rows } = read;
  const { rowsOf, people } = rowsByPerson(read);
  const compare = (a: number, b: number) =>
    at(rows, perRow * a + 1) - at(rows, perRow * b + 1) ||
    at(rows, perRow * a + 2) - at(rows, perRow * b + 2) ||
    at(rows, perRow * a + 3) - at(rows, perRow * b + 3);
  const different = new Int32Array((perKnownRow * rows.length) / perRow);
  const ends = new Int32Array(people.count);
  const numbers = new Int32Array(rows.length / perRow);
  let kept = 0;
  let found = 0;
  for (let person = 0; person < people.count; person++) {
    const own = rowsOf(person);
    if (own.length > 1) own.sort(compare);
    const knownPeople = people.knownOf(person);
    let last = -1;
    for (const row of own) {
      if (last >= 0 && compare(last, row) === 0) {
        numbers[row] = at(numbers, last);
        continue;
      }
      last = row;
      const high = at(rows, perRow * row + 1);
      const low = at(rows, perRow * row + 2);
      const occurrence = at(rows, perRow * row + 3);
      different[perKnownRow * kept] = high;
      different[perKnownRow * kept + 1] = low;
      different[perKnownRow * kept + 2] = occurrence;
      kept++;
      if (!known || !knownPeople.some((other) => hasRow(known, other, high, low, occurrence)))
        numbers[row] = ++found;
    }
    ends[person] = kept;
  }
  const { names, personOfName } = people;
  return {
    result: {
      count: known && found,
      rows: encodeKnownRows({ names, personOfName, ends, rows: different.subarray(0, perKnownRow * kept) }),
    },
    numberOf: (row) => at(numbers, row),
  };
}

/** The rows that count, by the numbers of their people. */
function rowsByPerson(read: ReadRows) {
  const { keys, rows, countsUncertain } = read;
  const size = rows.length / perRow;
  const isCounted = (row: number) => countsUncertain || (at(rows, perRow * row) & 1) === 0;
  const personAt = (row: number) => keys.personOf(at(rows, perRow * row) >> 1);
  const many = new Int32Array(keys.count + 1);
  for (let row = 0; row < size; row++) {
    if (!isCounted(row)) continue;
    const person = personAt(row);
    many[person] = at(many, person) + 1;
  }
  const people = new PeopleByHash(read, (person) => at(many, person) > 0);
  const starts = new Int32Array(people.count + 1);
  many.forEach((rowsOfPerson, person) => {
    if (rowsOfPerson > 0) starts[people.numberOf(person) + 1] = rowsOfPerson;
  });
  for (let number = 1; number <= people.count; number++)
    starts[number] = at(starts, number) + at(starts, number - 1);
  const next = starts.slice();
  const inOrder = new Uint32Array(at(starts, people.count));
  for (let row = 0; row < size; row++) {
    if (!isCounted(row)) continue;
    const person = people.numberOf(personAt(row));
    inOrder[at(next, person)] = row;
    next[person] = at(next, person) + 1;
  }
  return { people, rowsOf: (person: number) => inOrder.subarray(starts[person], starts[person + 1]) };
}

/** Numbers the people of an answer in the order of the hashes of their names. Rows that name no person come last. */
class PeopleByHash {
  /** How many people there are. */
  readonly count: number;
  readonly names: Int32Array;
  readonly personOfName: Int32Array;
  /** By the person's key. */
  private readonly numbers: Int32Array;
  /** By number: a known person with one of their names, or -1, and where several people were joined, the others. */
  private readonly known: Int32Array;
  private readonly othersKnown = new Map<number, number[]>();

  constructor({ keys, secret, known }: ReadRows, hasRows: (person: number) => boolean) {
    const hashes = new Int32Array(2 * (keys.count + 1));
    const wanted = new Uint32Array(keys.count);
    let names = 0;
    for (let key = 1; key <= keys.count; key++) {
      if (!hasRows(keys.personOf(key))) continue;
      keys.readHash(key);
      rehashWith(secret);
      hashes[2 * key] = lastHash.high;
      hashes[2 * key + 1] = lastHash.low;
      wanted[names++] = key;
    }
    const sorted = wanted
      .subarray(0, names)
      .sort((a, b) => at(hashes, 2 * a) - at(hashes, 2 * b) || at(hashes, 2 * a + 1) - at(hashes, 2 * b + 1));
    this.names = new Int32Array(2 * names);
    this.personOfName = new Int32Array(names);
    this.numbers = new Int32Array(keys.count + 1).fill(-1);
    this.known = new Int32Array(keys.count + 1).fill(-1);
    let count = 0;
    sorted.forEach((key, name) => {
      const person = keys.personOf(key);
      if (at(this.numbers, person) < 0) this.numbers[person] = count++;
      const number = at(this.numbers, person);
      const [high, low] = [at(hashes, 2 * key), at(hashes, 2 * key + 1)];
      this.names[2 * name] = high;
      this.names[2 * name + 1] = low;
      this.personOfName[name] = number;
      if (known) this.addKnown(number, personOf(known, high, low));
    });
    if (hasRows(noPerson)) {
      if (known) this.addKnown(count, namelessPart(known));
      this.numbers[noPerson] = count++;
    }
    this.count = count;
  }

  numberOf(person: number): number {
    return at(this.numbers, person);
  }

  /** The known people with one of the person's names. */
  knownOf(number: number): readonly number[] {
    const first = at(this.known, number);
    return first < 0 ? [] : [first, ...(this.othersKnown.get(number) ?? [])];
  }

  private addKnown(number: number, person: number): void {
    const first = at(this.known, number);
    if (first < 0) this.known[number] = person;
    else if (person >= 0 && person !== first)
      this.othersKnown.set(number, [...(this.othersKnown.get(number) ?? []), person]);
  }
}

function at(numbers: Int32Array | Uint32Array, index: number): number {
  return numbers[index] as number;
}
