import { lastHash } from '../hash.js';
import { firstSlot, isCrowded, mostSlots, slotsFor } from './slot-counts.js';

/** A slot holds a person's number plus one in these bits; its other bits are those of the hash's high half. */
const numberBits = 0x1fffff;

/** People in one block: 64 KB of hashes. Blocks are never moved, since growing one array would hold everything twice. */
const blockBits = 13;
const blockSize = 2 ** blockBits;

/** From this many people on, the last table is reserved at once, because unused pages cost no memory. */
const reserveFrom = 65_536;

/** The marks of a person, one bit each. Of groups, only the first two are stored (`PeopleInRows`). */
export const PersonMark = { active: 1, member: 2, signedIn: 4 } as const;

/** How many combinations of marks there are. Four bits hold one. */
const combinations = 16;

/**
 * Numbers distinct people by 64-bit hashes, up to a maximum, and remembers which of them are marked. Two people share
 * all 64 bits once in ten million answers of two million people.
 *
 * A person takes 8 bytes for the hash, 5 to 11 bytes for the slot that finds it, and half a byte for the marks. Two million
 * people take 25 MB.
 */
export class DistinctPeople {
  /** Hash table of numbers; 0: free. Only the first `slotCount` are in use; none before `fillSlots`. */
  private slots = new Int32Array(0);
  private slotCount = 0;
  /** Both halves of each person's hash, by number. */
  private readonly hashes: Int32Array[] = [];
  /** Blocks of as many people, two in each byte. */
  private readonly marks: Uint8Array[] = [];
  private seen = 0;
  /** The number of people with exactly these marks; that of people without any is not stored. */
  private readonly withMarks = new Int32Array(combinations);
  private overflowed = false;

  /** @param maxPeople the number of people that are counted, at most 2,000,000; `full` is true if there are more */
  constructor(private readonly maxPeople: number) {}

  /** True if there were more than the maximum. The count then means "more than". */
  get full(): boolean {
    return this.overflowed;
  }

  get count(): number {
    return this.seen;
  }

  /** The number of people with all of these marks. */
  countMarked(marks: number): number {
    return this.withMarks.reduce((sum, many, own) => ((own & marks) === marks ? sum + many : sum), 0);
  }

  /** The person's number, from 0 in the order of first appearance; -1 once there are too many. */
  numberOf(high: number, low: number): number {
    if (this.slotCount === 0) {
      if (this.overflowed) return -1;
      this.fillSlots();
    }
    const { slots, hashes, slotCount } = this;
    let slot = firstSlot(low, slotCount);
    for (let known = slots[slot] as number; known !== 0; known = slots[slot] as number) {
      // Most other people differ in these bits, so their hash, which is far away in memory, is not read.
      if (((known ^ high) & ~numberBits) === 0) {
        const number = (known & numberBits) - 1;
        const block = hashes[number >> blockBits] as Int32Array;
        const at = 2 * (number & (blockSize - 1));
        if (block[at] === high && block[at + 1] === low) return number;
      }
      slot += 1;
      if (slot === slotCount) slot = 0;
    }
    if (this.seen >= this.maxPeople) return this.overflow();
    const number = this.seen++;
    const block = hashes[number >> blockBits] ?? this.addBlock();
    const at = 2 * (number & (blockSize - 1));
    block[at] = high;
    block[at + 1] = low;
    slots[slot] = (high & ~numberBits) | (number + 1);
    if (isCrowded(this.seen, slotCount, this.maxPeople)) this.fillSlots();
    return number;
  }

  /** Makes the hash of the person of that number the last hash. */
  readHash(number: number): void {
    const block = this.hashes[number >> blockBits] as Int32Array;
    const at = 2 * (number & (blockSize - 1));
    lastHash.high = block[at] as number;
    lastHash.low = block[at + 1] as number;
  }

  /** Adds marks to the person of that number; does nothing for -1. */
  mark(number: number, marks: number): void {
    const block = this.marks[number >> blockBits];
    const known = this.marksOf(number);
    if (!block || (known & marks) === marks) return;
    const { withMarks } = this;
    const at = (number & (blockSize - 1)) >> 1;
    block[at] = (block[at] as number) | (marks << (4 * (number & 1)));
    if (known !== 0) withMarks[known] = (withMarks[known] as number) - 1;
    withMarks[known | marks] = (withMarks[known | marks] as number) + 1;
  }

  isMarked(number: number, mark: number): boolean {
    return (this.marksOf(number) & mark) !== 0;
  }

  /** @returns by the number of a person of `later`: the number here; -1 once there are too many */
  merge(later: DistinctPeople): Int32Array {
    const numbers = new Int32Array(later.seen);
    for (let number = 0; number < later.seen; number++) {
      const block = later.hashes[number >> blockBits] as Int32Array;
      const at = 2 * (number & (blockSize - 1));
      const own = this.numberOf(block[at] as number, block[at + 1] as number);
      this.mark(own, later.marksOf(number));
      numbers[number] = own;
    }
    if (later.overflowed) this.overflow();
    return numbers;
  }

  private marksOf(number: number): number {
    const bits = this.marks[number >> blockBits]?.[(number & (blockSize - 1)) >> 1] ?? 0;
    return (bits >> (4 * (number & 1))) & (combinations - 1);
  }

  private overflow(): number {
    this.overflowed = true;
    this.slots = new Int32Array(0);
    this.slotCount = 0;
    return -1;
  }

  private addBlock(): Int32Array {
    const block = new Int32Array(2 * blockSize);
    this.hashes.push(block);
    this.marks.push(new Uint8Array(blockSize / 2));
    return block;
  }

  /** Enters all people into more slots, in place where possible: two tables at once would be the most memory of all. */
  private fillSlots(): void {
    const { hashes, seen, maxPeople } = this;
    const slotCount = slotsFor(seen, maxPeople);
    if (slotCount <= this.slots.length) this.slots.fill(0, 0, this.slotCount);
    else this.slots = new Int32Array(seen < reserveFrom ? slotCount : mostSlots(maxPeople));
    this.slotCount = slotCount;
    const { slots } = this;
    for (let number = 0; number < seen; number++) {
      const block = hashes[number >> blockBits] as Int32Array;
      const at = 2 * (number & (blockSize - 1));
      let slot = firstSlot(block[at + 1] as number, slotCount);
      while (slots[slot] !== 0) slot = slot + 1 === slotCount ? 0 : slot + 1;
      slots[slot] = ((block[at] as number) & ~numberBits) | (number + 1);
    }
  }
}
