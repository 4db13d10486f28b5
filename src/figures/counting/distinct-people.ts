import { hashed, hashText } from './hashed-text.js';

/**
 * Knows which people it has seen, by 64 bits each, until there are too many. Two people share all 64 bits once in
 * ten million answers of two million people.
 */
export class DistinctPeople {
  private constructor(
    private readonly limit: number,
    /** Two 32-bit halves per slot, both 0: free. */
    private slots: Int32Array,
    private seen: number,
    private overflowed: boolean,
  ) {}

  /** @param limit how many are told apart; beyond that only `full` says that there are more */
  static upTo(limit: number): DistinctPeople {
    return new DistinctPeople(limit, new Int32Array(2 * 1024), 0, false);
  }

  /** True once there were more than the limit: what was counted is "more than". */
  get full(): boolean {
    return this.overflowed;
  }

  /** True when that person was not there yet in that row. */
  isNew(person: string, row: number): boolean {
    if (this.overflowed) return false;
    hashText(person, row);
    const slot = this.slotOf(hashed.high, hashed.low);
    if (this.slots[slot] !== 0 || this.slots[slot + 1] !== 0) return false;
    if (this.seen >= this.limit) {
      this.overflowed = true;
      this.slots = new Int32Array(0);
      return false;
    }
    this.slots[slot] = hashed.high;
    this.slots[slot + 1] = hashed.low;
    this.seen++;
    // Three quarters full at most: 4 bytes a half, two halves a slot, 34 MB for two million people.
    if (this.seen * 8 > this.slots.length * 3) this.grow();
    return true;
  }

  copy(): DistinctPeople {
    return new DistinctPeople(this.limit, this.slots.slice(), this.seen, this.overflowed);
  }

  /** The place of that hash, or the free one where it belongs. */
  private slotOf(high: number, low: number): number {
    const { slots } = this;
    const last = slots.length - 1;
    let slot = (low << 1) & last;
    while (
      (slots[slot] !== 0 || slots[slot + 1] !== 0) &&
      (slots[slot] !== high || slots[slot + 1] !== low)
    ) {
      slot = (slot + 2) & last;
    }
    return slot;
  }

  private grow(): void {
    const before = this.slots;
    this.slots = new Int32Array(before.length * 2);
    for (let at = 0; at < before.length; at += 2) {
      const high = before[at] ?? 0;
      const low = before[at + 1] ?? 0;
      if (high === 0 && low === 0) continue;
      const slot = this.slotOf(high, low);
      this.slots[slot] = high;
      this.slots[slot + 1] = low;
    }
  }
}
