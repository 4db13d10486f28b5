/** A slot holds a person's number plus one in these bits; its other bits are those of the hash's high half. */
const numberBits = 0x1fffff;

/** From so many people on, room for the maximum is reserved at once: pages that are never written to cost no memory. */
const reserveFrom = 65_536;

/** What may be known of a person: a bit each of the two that a person has. */
export const PersonMark = { active: 1, signedIn: 2 } as const;
type PersonMark = (typeof PersonMark)[keyof typeof PersonMark];

/**
 * Numbers distinct people by 64-bit hashes, up to a maximum, and remembers which of them are marked. Two people share
 * all 64 bits once in ten million answers of two million people.
 */
export class DistinctPeople {
  private constructor(
    private readonly maxPeople: number,
    /** Both halves of each person's hash, by number. */
    private hashes: Int32Array,
    /** Four people in each byte. */
    private marks: Uint8Array,
    /** Hash table of numbers; 0: free. Only the first `slotCount`, a power of two, are in use. */
    private slots: Int32Array,
    private slotCount: number,
    private seen: number,
    private readonly marked: Map<PersonMark, number>,
    private overflowed: boolean,
  ) {}

  /** @param maxPeople the number of people that are counted, at most 2,000,000; `full` is true if there are more */
  static withLimit(maxPeople: number): DistinctPeople {
    const room = 512;
    const slots = new Int32Array(2 * room);
    const [hashes, marks] = [new Int32Array(2 * room), new Uint8Array(room / 4)];
    return new DistinctPeople(maxPeople, hashes, marks, slots, slots.length, 0, new Map(), false);
  }

  /** True once there were more than the maximum: what was counted is "more than". */
  get full(): boolean {
    return this.overflowed;
  }

  get count(): number {
    return this.seen;
  }

  /** How many people have that mark. */
  countMarked(mark: PersonMark): number {
    return this.marked.get(mark) ?? 0;
  }

  /** The person's number, from 0 in the order of first appearance; -1 once there are too many. */
  numberOf(high: number, low: number): number {
    if (this.overflowed) return -1;
    const { slots, hashes, slotCount } = this;
    let slot = firstSlot(low, slotCount);
    for (let known = slots[slot] as number; known !== 0; known = slots[slot] as number) {
      // Most other people are told apart without a look at their hash, which is far away in memory.
      if (((known ^ high) & ~numberBits) === 0) {
        const number = (known & numberBits) - 1;
        if (hashes[2 * number] === high && hashes[2 * number + 1] === low) return number;
      }
      slot = (slot + 1) & (slotCount - 1);
    }
    if (this.seen >= this.maxPeople) return this.overflow();
    if (2 * this.seen >= this.hashes.length) this.addRoom();
    const number = this.seen++;
    this.hashes[2 * number] = high;
    this.hashes[2 * number + 1] = low;
    slots[slot] = (high & ~numberBits) | (number + 1);
    if (this.seen > maxLoad * slotCount) this.addSlots();
    return number;
  }

  /** Marks the person of that number; does nothing for -1. */
  mark(number: number, mark: PersonMark): void {
    if (number < 0) return;
    if (this.isMarked(number, mark)) return;
    this.marks[number >> 2] = (this.marks[number >> 2] as number) | (mark << (2 * (number & 3)));
    this.marked.set(mark, this.countMarked(mark) + 1);
  }

  isMarked(number: number, mark: PersonMark): boolean {
    return (((this.marks[number >> 2] ?? 0) >> (2 * (number & 3))) & mark) !== 0;
  }

  copy(): DistinctPeople {
    const { maxPeople, hashes, marks, slots, slotCount, seen, marked, overflowed } = this;
    return new DistinctPeople(
      maxPeople,
      resized(hashes, 2 * seen, hashes.length),
      marks.slice(),
      resized(slots, slotCount, slots.length),
      slotCount,
      seen,
      new Map(marked),
      overflowed,
    );
  }

  private overflow(): number {
    this.overflowed = true;
    this.hashes = new Int32Array(0);
    this.slots = new Int32Array(0);
    return -1;
  }

  private addRoom(): void {
    const { seen, maxPeople } = this;
    const people = seen < reserveFrom ? 2 * seen : maxPeople;
    const marks = new Uint8Array(Math.ceil(people / 4));
    marks.set(this.marks);
    this.marks = marks;
    this.hashes = resized(this.hashes, 2 * seen, 2 * people);
  }

  private addSlots(): void {
    const { hashes, seen, maxPeople } = this;
    const slotCount = 2 * this.slotCount;
    if (slotCount <= this.slots.length) this.slots.fill(0, 0, this.slotCount);
    else this.slots = new Int32Array(seen < reserveFrom ? slotCount : slotsFor(maxPeople, slotCount));
    this.slotCount = slotCount;
    const { slots } = this;
    for (let number = 0; number < seen; number++) {
      let slot = firstSlot(hashes[2 * number + 1] as number, slotCount);
      while (slots[slot] !== 0) slot = (slot + 1) & (slotCount - 1);
      slots[slot] = ((hashes[2 * number] as number) & ~numberBits) | (number + 1);
    }
  }
}

/**
 * The table doubles, so that growth enters each person about once more on average. In an answer where most people are
 * new, a half-empty table ends most searches within three slots.
 */
const maxLoad = 0.5;

/** How many slots so many people take, where the table grows from that count. */
function slotsFor(people: number, from: number): number {
  let slotCount = from;
  while (people > maxLoad * slotCount) slotCount *= 2;
  return slotCount;
}

/** Where the search for a hash begins. The first bits of the hash say it. */
function firstSlot(low: number, slotCount: number): number {
  return low >>> (Math.clz32(slotCount) + 1);
}

/** A copy of the first `used` numbers, with room for `length`. */
function resized(numbers: Int32Array, used: number, length: number): Int32Array {
  const copy = new Int32Array(length);
  copy.set(numbers.subarray(0, Math.min(used, length)));
  return copy;
}

/** People in one block of `PeopleInRows`. */
const blockBits = 15;
const blockSize = 2 ** blockBits;

/** Rows up to this one fit into 16 bits with their two flags. */
const maxNarrowRow = 2 ** 14 - 2;

/**
 * Which people appeared in which rows, and in which of them they were marked. Nearly everybody appears in one row only,
 * so that row is kept in two or four bytes per person; the number of further rows is limited.
 */
export class PeopleInRows {
  private constructor(
    private readonly maxFurther: number,
    /**
     * Each person's first row plus one, four times, plus two where there are others, plus one where marked; 0: not seen.
     * In blocks, since growing one array would hold everything twice.
     */
    private blocks: (Uint16Array | Int32Array)[],
    private isWide: boolean,
    private people: number,
    /** Every further row of a person, `person * 2 ** 31 + row`, with its mark. */
    private further: Map<number, boolean>,
    private overflowed: boolean,
  ) {}

  /** @param maxFurther the number of further rows that are kept; `full` is true if people are missing */
  static withLimit(maxFurther: number): PeopleInRows {
    return new PeopleInRows(maxFurther, [], false, 0, new Map(), false);
  }

  get full(): boolean {
    return this.overflowed;
  }

  /**
   * @param person a number from 0; numbers are given in the order of first appearance
   * @param row a number from 0, below 2 ** 28
   */
  add(person: number, row: number, marked: boolean): void {
    if (row > maxNarrowRow && !this.isWide) this.widen();
    const block = this.blocks[person >> blockBits] ?? this.blockOf(person);
    const at = person & (blockSize - 1);
    if (person >= this.people) this.people = person + 1;
    const first = block[at] as number;
    if (first === 0) block[at] = 4 * (row + 1) + (marked ? 1 : 0);
    else if (first >> 2 === row + 1) block[at] = first | (marked ? 1 : 0);
    else if (this.addFurther(person, row, marked)) block[at] = first | 2;
  }

  /**
   * How many people appeared in each row and in no other, and how many of them were marked: two counts per row.
   *
   * @param rows how many rows there are
   */
  countsInOneRow(rows: number): Float64Array {
    const counts = new Float64Array(2 * rows);
    for (let person = 0; person < this.people; person++) {
      const first = this.firstRow(person);
      if (first === 0 || (first & 2) !== 0) continue;
      const at = 2 * ((first >> 2) - 1);
      counts[at] = (counts[at] as number) + 1;
      if ((first & 1) !== 0) counts[at + 1] = (counts[at + 1] as number) + 1;
    }
    return counts;
  }

  /** Calls with the rows and marks of each person who appeared in several rows. */
  forEachInSeveralRows(visit: (rows: readonly number[], marks: readonly boolean[]) => void): void {
    const keys = Float64Array.from(this.further.keys()).sort();
    for (let next = 0; next < keys.length; ) {
      const person = Math.floor((keys[next] as number) / rowSpan);
      const first = this.firstRow(person);
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
    const { maxFurther, blocks, isWide, people, further, overflowed } = this;
    const copies = blocks.map((block) => block.slice());
    return new PeopleInRows(maxFurther, copies, isWide, people, new Map(further), overflowed);
  }

  private firstRow(person: number): number {
    return this.blocks[person >> blockBits]?.[person & (blockSize - 1)] ?? 0;
  }

  /** False where there is no room for it. */
  private addFurther(person: number, row: number, marked: boolean): boolean {
    const key = person * rowSpan + row;
    const known = this.further.get(key);
    if (known === undefined && this.further.size >= this.maxFurther) {
      this.overflowed = true;
      return false;
    }
    if (known !== true && known !== marked) this.further.set(key, marked);
    return true;
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

const rowSpan = 2 ** 31;
