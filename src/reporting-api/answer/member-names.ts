import { Incomplete, Mark, markOf, skipString, unexpected } from './json.js';
import type { Scanner } from './scanner.js';

/** Names beyond are found by their text. */
const poolBytes = 16 * 1024;

/** The number of all names above the limit. */
export const Unnumbered = 0;

/**
 * Numbers member names from 1, in the order of their first appearance, and finds a name's number by its bytes. Records
 * of one answer nearly always have the same members in the same order. So a name is first compared with the one that
 * followed last time, and looked up only if they differ.
 */
export class MemberNames {
  /** Offset after the closing quote of the name found last. */
  end = 0;
  private readonly numbers = new Map<string, number>();
  private readonly names: string[] = [''];
  /** The bytes of name n, its closing quote included, lie in `pool` from `starts[n]` to `starts[n + 1]`. */
  readonly pool: Buffer;
  readonly starts: Int32Array;
  /** The name that followed name n the last time. */
  readonly followers: Int32Array;
  /** Numbers by the hash of their name, in the next free entry. */
  readonly table: Int32Array;

  /** @param countForLoops one word, where the compiled loops read `count` */
  constructor(
    readonly maxNames: number,
    scanner: Scanner,
    private readonly countForLoops: Int32Array,
  ) {
    this.starts = scanner.words(maxNames + 2);
    this.followers = scanner.words(maxNames + 1);
    this.table = scanner.words(2 ** Math.ceil(Math.log2(4 * maxNames + 4)));
    const { buffer, byteOffset, length } = scanner.bytes(poolBytes);
    this.pool = Buffer.from(buffer, byteOffset, length);
    this.appendToPool(unmatchable);
    this.starts[1] = unmatchable.length;
  }

  get count(): number {
    return this.names.length - 1;
  }

  nameOf(number: number): string {
    return this.names[number] ?? '';
  }

  /** The number of a name; `Unnumbered` where it has none. */
  known(name: string): number {
    return this.numbers.get(name) ?? Unnumbered;
  }

  /** The number of a name, new or known; `Unnumbered` when there are too many. */
  numberOf(name: string): number {
    const known = this.numbers.get(name);
    if (known !== undefined) return known;
    const number = this.names.length;
    if (number > this.maxNames) return Unnumbered;
    this.names.push(name);
    this.numbers.set(name, number);
    this.countForLoops[0] = this.count;
    this.appendToPool(isItsOwnSpelling(name) ? Buffer.from(`${name}"`) : unmatchable);
    return number;
  }

  /**
   * The number of the name whose first byte is at `at`, or `Incomplete`. Sets `end`.
   *
   * @param previous the number of the name before it in the same object; `Unnumbered` for the first
   */
  find(bytes: Buffer, at: number, end: number, previous: number): number {
    const likely = this.followers[previous] as number;
    const { pool } = this;
    const stop = this.starts[likely + 1] as number;
    let i = at;
    let p = this.starts[likely] as number;
    while (p < stop && pool[p] === bytes[i]) {
      p += 1;
      i += 1;
    }
    if (p === stop) {
      this.end = i;
      return likely;
    }
    const number = this.lookUp(bytes, at, end);
    if (number > Unnumbered) this.followers[previous] = number;
    return number;
  }

  private lookUp(bytes: Buffer, at: number, end: number): number {
    let hash = 0;
    let i = at;
    for (;;) {
      const byte = bytes[i] as number;
      const mark = markOf[byte] as number;
      if (mark > Mark.separator) {
        if (mark === Mark.control) return unexpected(i, end);
        if (mark === Mark.backslash) return this.lookUpEscaped(bytes, at, end);
        break;
      }
      hash = (Math.imul(hash, 31) + byte) | 0;
      i += 1;
    }
    this.end = i + 1;
    const mask = this.table.length - 1;
    let index = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const number = this.table[index] as number;
      if (number === 0) break;
      if (this.isSpelled(number, bytes, at, i + 1)) return number;
      index = (index + 1) & mask;
    }
    const number = this.numberOf(bytes.toString('utf8', at, i));
    if (number !== Unnumbered) this.table[index] = number;
    return number;
  }

  private isSpelled(number: number, bytes: Buffer, at: number, end: number): boolean {
    const start = this.starts[number] as number;
    if ((this.starts[number + 1] as number) - start !== end - at) return false;
    return this.pool.compare(bytes, at, end, start, start + end - at) === 0;
  }

  private lookUpEscaped(bytes: Buffer, at: number, end: number): number {
    const behind = skipString(bytes, at, end);
    if (behind === Incomplete) return Incomplete;
    this.end = behind;
    return this.numberOf(JSON.parse(bytes.toString('utf8', at - 1, behind)));
  }

  private appendToPool(spelled: Buffer): void {
    const number = this.names.length - 1;
    const start = this.starts[number] as number;
    // One byte stays free for each name to come.
    const fits = start + spelled.length + this.maxNames - number <= poolBytes;
    const kept = fits ? spelled : unmatchable;
    kept.copy(this.pool, start);
    this.starts[number + 1] = start + kept.length;
  }
}

/** A byte that never occurs in well-formed UTF-8. */
const unmatchable = Buffer.from([0xff]);

/** True if the name needs no escapes in JSON, so that its bytes can be compared. */
function isItsOwnSpelling(name: string): boolean {
  const bytes = Buffer.from(name);
  return bytes.every((byte) => (markOf[byte] as number) <= Mark.separator) && bytes.toString() === name;
}
