import {
  Byte,
  Incomplete,
  Kind,
  Mark,
  markOf,
  skipBlanks,
  skipEscape,
  skipLiteral,
  skipNested,
  skipNumber,
  skipValue,
  unexpected,
} from './json.js';
import { MemberNames, Unnumbered } from './member-names.js';
import { Loop, Scanner } from './scanner.js';

/** Members of one nested field with their own columns. The others share one column. */
const maxMembers = 500;
/** Members of a record that are skipped. Their names are cached to skip them fast. */
const maxUnrequested = 256;

/** Words of a reader's state that change, by their index in the class `Reader` of `assembly/scanner.ts`. */
const State = { names: 13, members: 14, filled: 15 } as const;

/**
 * Reads an object's members into slots, one per member name, with the offsets and the kind of its value. It allocates
 * nothing, so a million records leave no garbage. Its content is valid until the next object is read. If a member comes
 * twice, the last one counts, as with `JSON.parse`.
 *
 * The offsets of text exclude its quotes.
 */
export class ObjectReader {
  readonly names: MemberNames;
  /** By the name's number. */
  readonly kind: Uint8Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** Readers of the objects under the requested names. */
  readonly nested: (ObjectReader | undefined)[] = [];
  /** The bytes that the slots point into. */
  bytes: Buffer = Buffer.alloc(0);
  /** Numbers of the members of this object in the order they came. */
  readonly order: Int32Array;
  /** Members above `maxMembers`: four offsets each, the start and end of name and value. */
  readonly others: number[] = [];
  /** Numbers of the names under which `nested` readers were filled for this object: the first `filledCount`. */
  readonly filled: Int32Array;
  /** True if the compiled loops reach its slots. */
  readonly isReached: boolean;
  /** Addresses of nested readers that the compiled loops reach. */
  private readonly nestedAt;
  private readonly state;
  private readPlainly = false;

  private constructor(
    private readonly requested: number,
    maxNames: number,
    private readonly level: number,
    readonly scanner: Scanner,
  ) {
    this.state = scanner.words(16);
    this.names = new MemberNames(maxNames, scanner, this.state.subarray(State.names, State.names + 1));
    this.kind = scanner.bytes(maxNames + 1);
    this.start = scanner.words(maxNames + 1);
    this.end = scanner.words(maxNames + 1);
    this.order = scanner.words(maxNames + 1);
    this.nestedAt = scanner.words(requested + 1);
    this.filled = scanner.words(requested + 1);
    const { starts, followers, table, pool } = this.names;
    const parts = [this.kind, this.start, this.end, this.order, this.nestedAt, this.filled];
    const all = [...parts, starts, followers, table, pool];
    this.isReached = [this.state, ...all].every((part) => scanner.has(part));
    this.state.set([...all.map(({ byteOffset }) => byteOffset), table.length - 1, requested, level]);
  }

  get members(): number {
    return this.state[State.members] as number;
  }

  private set members(count: number) {
    this.state[State.members] = count;
  }

  get filledCount(): number {
    return this.state[State.filled] as number;
  }

  private set filledCount(count: number) {
    this.state[State.filled] = count;
  }

  /** A reader of records. The slot of `flags[f]` is `f + 1`. Other members are checked and skipped. */
  static ofRecords(flags: readonly string[], scanner = Scanner.create()): ObjectReader {
    const reader = new ObjectReader(flags.length, flags.length + maxUnrequested, 1, scanner);
    for (const flag of flags) reader.names.numberOf(flag);
    return reader;
  }

  /** Clears the object read last. */
  clear(): void {
    this.kind.fill(Kind.absent, 0, this.names.count + 1);
    this.members = 0;
    if (this.others.length > 0) this.others.length = 0;
    for (let i = 0; i < this.filledCount; i += 1) this.nested[this.filled[i] as number]?.clear();
    this.filledCount = 0;
  }

  /** Reads an object, from the byte after its brace. Returns the offset after it, or `Incomplete`. */
  read(bytes: Buffer, at: number, end: number): number {
    if (this.bytes !== bytes) this.setBytes(bytes);
    const { loops, input } = this.scanner;
    if (loops && this.isReached && bytes === input) {
      // The loop does not know of everything that was read without it.
      if (this.readPlainly) this.clear();
      this.readPlainly = false;
      const behind = loops.read(this.state.byteOffset, at, end);
      if (behind === Loop.incomplete) return Incomplete;
      if (behind !== Loop.unusual) return behind;
    }
    this.readPlainly = true;
    return this.readMembers(bytes, at, end);
  }

  private setBytes(bytes: Buffer): void {
    this.bytes = bytes;
    for (const reader of this.nested) reader?.setBytes(bytes);
  }

  private readMembers(bytes: Buffer, at: number, end: number): number {
    this.clear();
    const { names, kind: kinds, start: starts, end: ends, order } = this;
    let i = at;
    let number = Unnumbered as number;
    if ((bytes[i] as number) <= Byte.blank) i = skipBlanks(bytes, i);
    if (bytes[i] === Byte.closeBrace) return i + 1;
    members: for (;;) {
      if (bytes[i] !== Byte.quote) break;
      const nameAt = i + 1;
      number = names.find(bytes, nameAt, end, number);
      if (number === Incomplete) return Incomplete;
      const nameEnd = names.end - 1;
      i = nameEnd + 1;
      if (bytes[i] !== Byte.colon) {
        i = skipBlanks(bytes, i);
        if (bytes[i] !== Byte.colon) break;
      }
      i += 1;
      let byte = bytes[i] as number;
      if (byte <= Byte.blank) {
        i = skipBlanks(bytes, i);
        byte = bytes[i] as number;
      }
      let start = i;
      let kind: number;
      let stop: number;
      if (byte === Byte.quote) {
        kind = Kind.text;
        start = i + 1;
        i = start;
        for (;;) {
          const mark = markOf[bytes[i] as number] as number;
          if (mark === 0) {
            i += 1;
          } else if (mark === Mark.quote) {
            break;
          } else if (mark === Mark.separator) {
            kind |= Kind.textWithSeparator;
            i += 1;
          } else if (mark === Mark.backslash) {
            kind |= Kind.textWithEscape;
            i = skipEscape(bytes, i, end);
            if (i === Incomplete) return Incomplete;
          } else {
            break members;
          }
        }
        stop = i;
        i += 1;
      } else {
        if (byte <= Byte.nine) {
          kind = Kind.number;
          i = skipNumber(bytes, i, end);
        } else if (byte === Byte.openBrace) {
          kind =
            this.level === 1 && number <= this.requested && number !== Unnumbered ? Kind.object : Kind.json;
          i =
            kind === Kind.json
              ? skipValue(bytes, i, end, this.level)
              : this.readNested(number, bytes, i + 1, end);
        } else if (byte === Byte.openBracket) {
          kind = Kind.list;
          i = skipNested(bytes, i + 1, end, this.level + 1, Byte.closeBracket);
        } else {
          if (byte === 0x6e) kind = Kind.null;
          else kind = byte === 0x74 ? Kind.true : Kind.false;
          i = skipLiteral(bytes, i, end);
        }
        if (i === Incomplete) return Incomplete;
        stop = i;
      }
      if (number === Unnumbered) {
        if (this.level > 1) this.others.push(nameAt, nameEnd, start, stop);
      } else {
        if (kinds[number] === Kind.absent) {
          order[this.members] = number;
          this.members += 1;
        } else if (kind !== Kind.object) {
          this.nested[number]?.clear();
        }
        kinds[number] = kind;
        starts[number] = start;
        ends[number] = stop;
      }
      byte = bytes[i] as number;
      if (byte <= Byte.blank) {
        i = skipBlanks(bytes, i);
        byte = bytes[i] as number;
      }
      if (byte === Byte.comma) {
        i += 1;
        if (bytes[i] !== Byte.quote) i = skipBlanks(bytes, i);
      } else if (byte === Byte.closeBrace) {
        return i + 1;
      } else {
        break;
      }
    }
    // All errors leave here: an exit that the engine has not seen would make it recompile the function.
    return unexpected(i, end);
  }

  private readNested(number: number, bytes: Buffer, at: number, end: number): number {
    let reader = this.nested[number];
    if (!reader) {
      reader = new ObjectReader(0, maxMembers, this.level + 1, this.scanner);
      reader.bytes = bytes;
      this.nested[number] = reader;
      if (reader.isReached) this.nestedAt[number] = reader.state.byteOffset;
    }
    this.filled[this.filledCount] = number;
    this.filledCount += 1;
    return reader.readMembers(bytes, at, end);
  }
}
