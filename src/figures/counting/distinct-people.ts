import { hashed, hashText } from './hashed-text.js';

/**
 * Numbers the people it sees, by 64 bits each, until there are too many, and remembers which of them are marked. Two
 * people share all 64 bits once in ten million answers of two million people.
 */
export class DistinctPeople {
  private constructor(
    private readonly limit: number,
    /** Three to a slot: both halves of the hash, and the person's number plus one; 0 there: free. */
    private slots: Int32Array,
    /** A power of two, less one. */
    private lastSlot: number,
    private marks: Uint8Array,
    private seen: number,
    private marked: number,
    private overflowed: boolean,
  ) {}

  /** @param limit how many are told apart; beyond that only `full` says that there are more */
  static upTo(limit: number): DistinctPeople {
    return new DistinctPeople(limit, new Int32Array(3 * 1024), 1023, new Uint8Array(768), 0, 0, false);
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

  /** The number of that person, from 0 in the order of their coming; -1 once there are too many. */
  numberOf(person: string): number {
    if (this.overflowed) return -1;
    hashText(person, 0);
    const { high, low } = hashed;
    const at = this.slotOf(high, low);
    const known = this.slots[at + 2] as number;
    if (known > 0) return known - 1;
    if (this.seen >= this.limit) {
      this.overflowed = true;
      this.slots = new Int32Array(0);
      return -1;
    }
    this.slots[at] = high;
    this.slots[at + 1] = low;
    this.slots[at + 2] = ++this.seen;
    // Three quarters full at most: 12 bytes a slot, 50 MB for two million people.
    if (this.seen * 4 > this.lastSlot * 3) this.grow();
    return this.seen - 1;
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
    const { limit, slots, lastSlot, marks, seen, marked, overflowed } = this;
    return new DistinctPeople(limit, slots.slice(), lastSlot, marks.slice(), seen, marked, overflowed);
  }

  /** Where that hash stands, or the free slot where it belongs. */
  private slotOf(high: number, low: number): number {
    const { slots, lastSlot } = this;
    let slot = low & lastSlot;
    for (;;) {
      const at = slot * 3;
      if (slots[at + 2] === 0 || (slots[at] === high && slots[at + 1] === low)) return at;
      slot = (slot + 1) & lastSlot;
    }
  }

  private grow(): void {
    const before = this.slots;
    this.lastSlot = this.lastSlot * 2 + 1;
    this.slots = new Int32Array(before.length * 2);
    for (let at = 0; at < before.length; at += 3) {
      const number = before[at + 2] as number;
      if (number === 0) continue;
      const [high, low] = [before[at] as number, before[at + 1] as number];
      const to = this.slotOf(high, low);
      this.slots[to] = high;
      this.slots[to + 1] = low;
      this.slots[to + 2] = number;
    }
    const marks = new Uint8Array((this.lastSlot * 3) / 4 + 2);
    marks.set(this.marks);
    this.marks = marks;
  }
}
