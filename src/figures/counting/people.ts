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
    /** Where a hash leads: the person's number plus one; 0: free. At least twice as many as people. */
    private slots: Int32Array,
    private seen: number,
    private marked: number,
    private overflowed: boolean,
  ) {}

  /** @param limit how many are told apart; beyond that only `full` says that there are more */
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
    for (let known = slots[slot] as number; known > 0; known = slots[slot] as number) {
      if (hashes[2 * known - 2] === high && hashes[2 * known - 1] === low) return known - 1;
      slot = (slot + 1) & last;
    }
    if (this.seen >= this.limit) return this.refuse();
    const number = this.seen++;
    hashes[2 * number] = high;
    hashes[2 * number + 1] = low;
    slots[slot] = number + 1;
    if (this.seen === this.marks.length) this.grow();
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
    const copies = [hashes.slice(), marks.slice(), slots.slice()] as const;
    return new DistinctPeople(limit, ...copies, seen, marked, overflowed);
  }

  private refuse(): number {
    this.overflowed = true;
    this.hashes = new Int32Array(0);
    this.slots = new Int32Array(0);
    return -1;
  }

  private grow(): void {
    const people = 2 * this.marks.length;
    const marks = new Uint8Array(people);
    marks.set(this.marks);
    const hashes = new Int32Array(2 * people);
    hashes.set(this.hashes);
    const slots = new Int32Array(2 * people);
    const last = slots.length - 1;
    for (let number = 0; number < this.seen; number++) {
      let slot = (hashes[2 * number + 1] as number) & last;
      while (slots[slot] !== 0) slot = (slot + 1) & last;
      slots[slot] = number + 1;
    }
    this.marks = marks;
    this.hashes = hashes;
    this.slots = slots;
  }
}
