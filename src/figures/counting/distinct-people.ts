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
