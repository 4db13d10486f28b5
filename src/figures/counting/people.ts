import { truncateText } from '../format/text.js';
import type { RecordView } from '../record-view.js';
import type { PeopleToLookAt } from '../result.js';
import { type Contribution, placesOf } from './report-figures.js';

/** A slot holds a person's number plus one in these bits, and the same bits of the hash's high half in the others. */
const numberBits = 0x1fffff;

/** From so many people on there is room for all: memory that is not written to yet costs nothing, and copies do. */
const manyPeople = 65_536;

/**
 * Numbers the people it sees, by 64 bits each, until there are too many, and remembers which of them are marked. Two
 * people share all 64 bits once in ten million answers of two million people.
 */
export class DistinctPeople {
  private constructor(
    private readonly limit: number,
    /** Both halves of the hash of each person, in the order of their coming. */
    private hashes: Int32Array,
    private marks: Uint8Array,
    /** Where a hash leads; 0: free. At least twice as many as people. */
    private slots: Int32Array,
    private seen: number,
    private marked: number,
    private overflowed: boolean,
  ) {}

  /** @param limit how many are told apart, at most 2,000,000; beyond that only `full` says that there are more */
  static upTo(limit: number): DistinctPeople {
    const people = 512;
    const slots = new Int32Array(2 * people);
    return new DistinctPeople(limit, new Int32Array(2 * people), new Uint8Array(people), slots, 0, 0, false);
  }

  /** True once there were more than the limit: what was counted is "more than". */
  get full(): boolean {
    return this.overflowed;
  }

  get count(): number {
    return this.seen;
  }

  get markedCount(): number {
    return this.marked;
  }

  /** The number of the person with that hash, from 0 in the order of their coming; -1 once there are too many. */
  numberOf(high: number, low: number): number {
    if (this.overflowed) return -1;
    const { slots, hashes } = this;
    const last = slots.length - 1;
    let slot = low & last;
    for (let known = slots[slot] as number; known !== 0; known = slots[slot] as number) {
      // Most other people are told apart without a look at their hash, which is far away in memory.
      if (((known ^ high) & ~numberBits) === 0) {
        const number = (known & numberBits) - 1;
        if (hashes[2 * number] === high && hashes[2 * number + 1] === low) return number;
      }
      slot = (slot + 1) & last;
    }
    if (this.seen >= this.limit) return this.refuse();
    if (this.seen === this.marks.length) this.makeRoom();
    const number = this.seen++;
    this.hashes[2 * number] = high;
    this.hashes[2 * number + 1] = low;
    slots[slot] = (high & ~numberBits) | (number + 1);
    if (2 * this.seen > slots.length) this.addSlots();
    return number;
  }

  /** Marks the person of that number, if there is one. */
  mark(number: number): void {
    if (number < 0 || this.marks[number] === 1) return;
    this.marks[number] = 1;
    this.marked++;
  }

  isMarked(number: number): boolean {
    return this.marks[number] === 1;
  }

  copy(): DistinctPeople {
    const { limit, hashes, marks, slots, seen, marked, overflowed } = this;
    const copies = [withRoom(hashes, 2 * seen, hashes.length), marks.slice(), slots.slice()] as const;
    return new DistinctPeople(limit, ...copies, seen, marked, overflowed);
  }

  private refuse(): number {
    this.overflowed = true;
    this.hashes = new Int32Array(0);
    this.slots = new Int32Array(0);
    return -1;
  }

  private makeRoom(): void {
    const { seen, limit } = this;
    const people = seen < manyPeople ? 2 * seen : limit;
    const marks = new Uint8Array(people);
    marks.set(this.marks);
    this.marks = marks;
    this.hashes = withRoom(this.hashes, 2 * seen, 2 * people);
  }

  private addSlots(): void {
    const { hashes, seen } = this;
    const slots = new Int32Array(2 * this.slots.length);
    const last = slots.length - 1;
    for (let number = 0; number < seen; number++) {
      let slot = (hashes[2 * number + 1] as number) & last;
      while (slots[slot] !== 0) slot = (slot + 1) & last;
      slots[slot] = ((hashes[2 * number] as number) & ~numberBits) | (number + 1);
    }
    this.slots = slots;
  }
}

function withRoom(numbers: Int32Array, used: number, room: number): Int32Array {
  const copy = new Int32Array(room);
  copy.set(numbers.subarray(0, Math.min(used, room)));
  return copy;
}

/**
 * Which people came up in which rows, by their numbers, and in which of them they were marked. Nearly everybody comes
 * up in one row only, so that is kept in four bytes a person; the further rows are limited.
 */
export class PeopleInRows {
  private constructor(
    private readonly limit: number,
    /** Each person's first row plus one, four times, plus two where there are others, plus one where marked; 0: not seen. */
    private firstRows: Int32Array,
    private people: number,
    /** Every further row of a person, `person * 2 ** 31 + row`, with its mark. */
    private further: Map<number, boolean>,
    private overflowed: boolean,
  ) {}

  /** @param limit how many further rows are kept; beyond that `full` says that people are missing */
  static upTo(limit: number): PeopleInRows {
    return new PeopleInRows(limit, new Int32Array(1024), 0, new Map(), false);
  }

  get full(): boolean {
    return this.overflowed;
  }

  /**
   * @param person a number from 0; numbers are given in the order of people's coming
   * @param row a number from 0, below 2 ** 28
   */
  add(person: number, row: number, marked: boolean): void {
    if (person >= this.firstRows.length) this.grow(person);
    if (person >= this.people) this.people = person + 1;
    const first = this.firstRows[person] as number;
    if (first === 0) this.firstRows[person] = 4 * (row + 1) + (marked ? 1 : 0);
    else if (first >> 2 !== row + 1) this.addFurther(person, row, marked);
    else if (marked) this.firstRows[person] = first | 1;
  }

  /**
   * How many people came up in each row and in no other, and how many of them were marked: two counts a row.
   *
   * @param rows how many rows there are
   */
  countsInOneRow(rows: number): Float64Array {
    const counts = new Float64Array(2 * rows);
    for (let person = 0; person < this.people; person++) {
      const first = this.firstRows[person] as number;
      if (first === 0 || (first & 2) !== 0) continue;
      const at = 2 * ((first >> 2) - 1);
      counts[at] = (counts[at] as number) + 1;
      if ((first & 1) !== 0) counts[at + 1] = (counts[at + 1] as number) + 1;
    }
    return counts;
  }

  /** Calls with the rows and marks of each person who came up in several rows. */
  forEachInSeveralRows(visit: (rows: readonly number[], marks: readonly boolean[]) => void): void {
    const keys = Float64Array.from(this.further.keys()).sort();
    for (let next = 0; next < keys.length; ) {
      const person = Math.floor((keys[next] as number) / rowSpan);
      const first = this.firstRows[person] as number;
      const rows = [(first >> 2) - 1];
      const marks = [(first & 1) === 1];
      for (; next < keys.length; next++) {
        const key = keys[next] as number;
        if (Math.floor(key / rowSpan) !== person) break;
        rows.push(key % rowSpan);
        marks.push(this.further.get(key) === true);
      }
      visit(rows, marks);
    }
  }

  copy(): PeopleInRows {
    const { limit, firstRows, people, further, overflowed } = this;
    return new PeopleInRows(limit, firstRows.slice(), people, new Map(further), overflowed);
  }

  private addFurther(person: number, row: number, marked: boolean): void {
    const key = person * rowSpan + row;
    const known = this.further.get(key);
    if (known === true || known === marked) return;
    if (known === undefined && this.further.size >= this.limit) {
      this.overflowed = true;
      return;
    }
    this.further.set(key, marked);
    this.firstRows[person] = (this.firstRows[person] as number) | 2;
  }

  private grow(person: number): void {
    const firstRows = new Int32Array(Math.max(this.firstRows.length * 2, person + 1));
    firstRows.set(this.firstRows);
    this.firstRows = firstRows;
  }
}

const rowSpan = 2 ** 31;

const keyFlags = ['userid', 'email'] as const;

/** The flags that people are told apart by. */
export const personKeyFields: readonly string[] = keyFlags;

/** Puts into a contribution who it is about, by the user ID, else the address. False where the record names nobody. */
export function personKeyReader(
  fields: readonly string[],
): (record: RecordView, into: Contribution) => boolean {
  const { userid, email } = placesOf(fields, keyFlags);
  return (record, into) => {
    into.hasPerson = record.hashText(userid, false) || record.hashText(email, true);
    into.personHigh = hashed.high;
    into.personLow = hashed.low;
    return into.hasPerson;
  };
}

const nameFlags = ['first_name', 'last_name', 'email'] as const;

/** The flags that a person's name is made of. */
export const nameFields: readonly string[] = nameFlags;

/** So much of a name is kept. */
const longestName = 120;

/** Says who a record is about: the name, else the address. */
export function nameReader(fields: readonly string[]): (record: RecordView) => string {
  const place = placesOf(fields, nameFlags);
  return (record) => {
    const names = [record.text(place.first_name), record.text(place.last_name)];
    const name = names
      .map((part) => part?.trim())
      .filter(Boolean)
      .join(' ');
    return truncateText(name || record.text(place.email)?.trim() || 'Somebody without a name', longestName);
  };
}

type Listed = PeopleToLookAt['listed'][number];

/** So many are listed. */
const mostListed = 10;

/** The first few by some measure, the largest first, and how many there were in all. */
export class PeopleList {
  private constructor(
    private readonly measures: number[],
    private readonly listed: Listed[],
    private rows: number,
  ) {}

  static empty(): PeopleList {
    return new PeopleList([], [], 0);
  }

  /** Counts one more; true when it belongs among the listed, and `list` is to be called. */
  counts(measure: number): boolean {
    this.rows++;
    return this.listed.length < mostListed || measure > (this.measures.at(-1) ?? Number.NEGATIVE_INFINITY);
  }

  list(measure: number, person: Listed): void {
    const before = this.measures.findIndex((other) => other < measure);
    const at = before < 0 ? this.measures.length : before;
    this.measures.splice(at, 0, measure);
    this.listed.splice(at, 0, person);
    this.measures.length = Math.min(this.measures.length, mostListed);
    this.listed.length = Math.min(this.listed.length, mostListed);
  }

  copy(): PeopleList {
    return new PeopleList([...this.measures], [...this.listed], this.rows);
  }

  finish(why: PeopleToLookAt['why']): PeopleToLookAt {
    return { why, rows: this.rows, listed: [...this.listed] };
  }
}

/** Two 32-bit halves of a 64-bit hash, read after each `hashText` and `hashAscii`. */
export const hashed = { high: 0, low: 0 };

const start = { high: 0xdeadbeef | 0, low: 0x41c6ce57 };

/** Hashes text into `hashed`, in one pass and without allocating. */
export function hashText(text: string): void {
  let { high, low } = start;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x85ebca77);
    low = Math.imul(low ^ unit, 0xc2b2ae3d);
    // Rotated, so that what stood early in the text reaches the low bits too.
    high = (high << 13) | (high >>> 19);
    low = (low << 17) | (low >>> 15);
  }
  finish(high, low, text.length);
}

/**
 * Hashes text that is all ASCII from its bytes, into the same as `hashText` does. False where a byte is not ASCII: then
 * nothing is hashed.
 */
export function hashAscii(bytes: Uint8Array, from: number, end: number, inLowerCase: boolean): boolean {
  let { high, low } = start;
  for (let i = from; i < end; i++) {
    let unit = bytes[i] as number;
    if (unit >= 0x80) return false;
    // A to Z.
    if (inLowerCase && unit >= 0x41 && unit <= 0x5a) unit |= 0x20;
    high = Math.imul(high ^ unit, 0x85ebca77);
    low = Math.imul(low ^ unit, 0xc2b2ae3d);
    high = (high << 13) | (high >>> 19);
    low = (low << 17) | (low >>> 15);
  }
  finish(high, low, end - from);
  return true;
}

function finish(high: number, low: number, length: number): void {
  hashed.high = avalanche(high ^ Math.imul(low, 0x27d4eb2f) ^ length);
  hashed.low = avalanche(low ^ Math.imul(high, 0x165667b1));
}

/** Spreads each bit over all of them, as MurmurHash3 ends. */
function avalanche(bits: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
