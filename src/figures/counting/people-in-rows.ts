import { firstSlot, isCrowded, slotsFor } from './slot-counts.js';

/** People in one block of `PeopleInRows`. */
const blockBits = 15;
const blockSize = 2 ** blockBits;

/** Rows up to this one fit into 16 bits with their flags. */
const maxNarrowRow = 2 ** 13 - 2;

/** How many combinations of marks there are. Two bits hold one. */
export const combinationsOfMarks = 4;

/** Set beside the marks of a first row where there are further ones. */
const hasFurther = combinationsOfMarks;

/**
 * Which people appeared in which rows, and with which marks. Nearly everyone appears in one row only, so that row takes
 * two or four bytes per person; the number of further rows is limited.
 */
export class PeopleInRows {
  /**
   * Each person's first row plus one, eight times, plus four where there are others, plus the marks; 0: not seen.
   * In blocks, since growing one array would hold everything twice.
   */
  private blocks: (Uint16Array | Int32Array)[] = [];
  private isWide = false;
  private people = 0;
  private overflowed = false;
  private readonly further;

  /** @param maxFurther the number of further rows that are stored; `full` is true if people are missing */
  constructor(maxFurther: number) {
    this.further = new FurtherRows(maxFurther);
  }

  get full(): boolean {
    return this.overflowed;
  }

  /**
   * @param person a number from 0; numbers are given in the order of first appearance
   * @param row a number from 0, below 2 ** 27
   * @param marks two bits, which are added to those of the person in that row
   */
  add(person: number, row: number, marks: number): void {
    if (row > maxNarrowRow && !this.isWide) this.widen();
    const block = this.blocks[person >> blockBits] ?? this.blockOf(person);
    const at = person & (blockSize - 1);
    if (person >= this.people) this.people = person + 1;
    const first = block[at] as number;
    if (first === 0) block[at] = 8 * (row + 1) + marks;
    else if (first >> 3 === row + 1) block[at] = first | marks;
    else if (this.further.add(person, row, marks)) block[at] = first | hasFurther;
    else this.overflowed = true;
  }

  /**
   * How many people appeared in each row and in no other, by their marks: a count for each combination, per row.
   */
  countsInOneRow(rows: number): Float64Array {
    const counts = new Float64Array(combinationsOfMarks * rows);
    for (let person = 0; person < this.people; person++) {
      const first = this.firstRow(person);
      if (first === 0 || (first & hasFurther) !== 0) continue;
      const at = combinationsOfMarks * ((first >> 3) - 1) + marksOf(first);
      counts[at] = (counts[at] as number) + 1;
    }
    return counts;
  }

  /** Calls with the rows and marks of each person who appeared in several rows. */
  forEachInSeveralRows(visit: (rows: readonly number[], marks: readonly number[]) => void): void {
    const entries = this.further.sorted();
    for (let next = 0; next < entries.length; ) {
      const person = personOf(entries[next] as number);
      const first = this.firstRow(person);
      const rows = [(first >> 3) - 1];
      const marks = [marksOf(first)];
      for (; next < entries.length && personOf(entries[next] as number) === person; next++) {
        rows.push(rowOf(entries[next] as number));
        marks.push(marksOf(entries[next] as number));
      }
      visit(rows, marks);
    }
  }

  /** Calls with each person and each of their rows. */
  forEach(visit: (person: number, row: number, marks: number) => void): void {
    for (let person = 0; person < this.people; person++) {
      const first = this.firstRow(person);
      if (first !== 0) visit(person, (first >> 3) - 1, marksOf(first));
    }
    this.further.forEach(visit);
  }

  /**
   * @param personOf the person here for one of `later`; below 0: no one
   * @param rowOf the row here for one of `later`
   */
  merge(later: PeopleInRows, personOf: (person: number) => number, rowOf: (row: number) => number): void {
    later.forEach((person, row, marks) => {
      const own = personOf(person);
      if (own >= 0) this.add(own, rowOf(row), marks);
    });
    this.overflowed ||= later.overflowed;
  }

  private firstRow(person: number): number {
    return this.blocks[person >> blockBits]?.[person & (blockSize - 1)] ?? 0;
  }

  private blockOf(person: number): Uint16Array | Int32Array {
    const { blocks, isWide } = this;
    while (blocks.length <= person >> blockBits) {
      blocks.push(isWide ? new Int32Array(blockSize) : new Uint16Array(blockSize));
    }
    return blocks[person >> blockBits] as Uint16Array | Int32Array;
  }

  private widen(): void {
    this.isWide = true;
    this.blocks = this.blocks.map((block) => Int32Array.from(block));
  }
}

/**
 * The values of each person in one array: those of person `p` begin at `starts[p]` and end before `starts[p + 1]`.
 *
 * @param forEach visits each person and one of their values, twice in the same order
 */
export function valuesByPerson(
  people: number,
  forEach: (visit: (person: number, value: number) => void) => void,
) {
  const starts = new Int32Array(people + 1);
  forEach((person) => {
    starts[person + 1] = (starts[person + 1] as number) + 1;
  });
  for (let person = 0; person < people; person++)
    starts[person + 1] = (starts[person + 1] as number) + (starts[person] as number);
  const values = new Int32Array(starts[people] as number);
  const next = starts.slice();
  forEach((person, value) => {
    const at = next[person] as number;
    next[person] = at + 1;
    values[at] = value;
  });
  return { starts, values };
}

const rowSpan = 2 ** 27;

/** A multiple of four for each row of a person, never 0. The marks are added to it. */
function entryOf(person: number, row: number): number {
  return combinationsOfMarks * (person * rowSpan + row + 1);
}

function personOf(entry: number): number {
  return Math.floor((entry / combinationsOfMarks - 1) / rowSpan);
}

function rowOf(entry: number): number {
  return (Math.floor(entry / combinationsOfMarks) - 1) % rowSpan;
}

function marksOf(number: number): number {
  return number % combinationsOfMarks;
}

/** Further rows of people, with their marks, up to a limit: 9 to 23 bytes each, where a `Map` takes about 60. */
class FurtherRows {
  /** Hash table of entries; 0: free. */
  private slots: Float64Array;
  private count = 0;

  constructor(private readonly limit: number) {
    this.slots = new Float64Array(slotsFor(0, limit));
  }

  /** False if there is no room for it. */
  add(person: number, row: number, marks: number): boolean {
    const entry = entryOf(person, row);
    const slot = this.slotOf(entry);
    const known = this.slots[slot] as number;
    if (known !== 0) {
      this.slots[slot] = entry + (marksOf(known) | marks);
      return true;
    }
    if (this.count >= this.limit) return false;
    this.count++;
    this.slots[slot] = entry + marks;
    if (isCrowded(this.count, this.slots.length, this.limit)) this.addSlots();
    return true;
  }

  forEach(visit: (person: number, row: number, marks: number) => void): void {
    for (const entry of this.slots) if (entry !== 0) visit(personOf(entry), rowOf(entry), marksOf(entry));
  }

  /** By person, then by row. */
  sorted(): Float64Array {
    return this.slots.filter((entry) => entry !== 0).sort();
  }

  private addSlots(): void {
    const entries = this.slots.filter((entry) => entry !== 0);
    this.slots = new Float64Array(slotsFor(this.count, this.limit));
    for (const entry of entries) this.slots[this.slotOf(entry - marksOf(entry))] = entry;
  }

  /** The slot of the entry, with any marks, or the free slot for it. */
  private slotOf(entry: number): number {
    const { slots } = this;
    const mixed = Math.imul((entry / rowSpan) ^ Math.imul(entry >>> 2, 0x85ebca6b), 0x9e3779b1);
    let slot = firstSlot(mixed ^ (mixed >>> 15), slots.length);
    for (;;) {
      const known = slots[slot] as number;
      if (known === 0 || (known >= entry && known < entry + combinationsOfMarks)) return slot;
      slot = slot + 1 === slots.length ? 0 : slot + 1;
    }
  }
}
