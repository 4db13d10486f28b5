import { hashAscii, hashText } from '../../figures/hash.js';
import { Byte, hasEscapes, JsonWalk, Kind, skipBlanks } from './json.js';
import {
  dateLength,
  instantIn,
  instantOfNumber,
  isDate,
  maxCachedLength,
  numberIn,
  spelled,
  TextCache,
  unquoted,
} from './scalars.js';

/** The position and kind of a value. The position of text excludes its quotes. */
export interface Value {
  readonly bytes: Buffer;
  readonly kind: number;
  readonly start: number;
  readonly end: number;
}

/** Converts a value of any type from its bytes, by the rules of `RecordView`. */
export class Values {
  private readonly texts = new TextCache(unquoted);
  private readonly lists = new TextCache(spelled);
  /** The text that `trim` found, when it had to be decoded. */
  private decoded = Buffer.alloc(0);
  private trimmedStart = 0;
  private trimmedEnd = 0;

  /** The text of a JSON string, from the bytes between its quotes; of any other scalar, its JSON. */
  textAt(bytes: Buffer, start: number, end: number): string {
    return this.texts.textOf(bytes, start, end);
  }

  isMissing(value: Value): boolean {
    const { bytes, kind, start, end } = value;
    if (kind >= Kind.text) {
      const first = bytes[start] as number;
      if (start < end && first > Byte.blank && first < 0x80 && first !== Byte.backslash) return false;
      return this.textAt(bytes, start, end).trim() === '';
    }
    if (kind >= Kind.list) return skipBlanks(bytes, start + 1) === end - 1;
    return kind <= Kind.null;
  }

  number(value: Value): number {
    const { bytes, kind, start, end } = value;
    if (kind === Kind.number) return numberIn(bytes, start, end);
    if (kind < Kind.text) return Number.NaN;
    const trimmed = this.trim(value);
    return numberIn(trimmed, this.trimmedStart, this.trimmedEnd);
  }

  instant(value: Value): number {
    const { bytes, kind, start, end } = value;
    if (kind === Kind.number) return instantOfNumber(numberIn(bytes, start, end));
    if (kind < Kind.text) return Number.NaN;
    const trimmed = this.trim(value);
    return instantIn(trimmed, this.trimmedStart, this.trimmedEnd);
  }

  isDayOnly(value: Value): boolean {
    const { bytes, kind, start, end } = value;
    if (kind < Kind.text) return false;
    const [first, last] = [bytes[start] as number, bytes[end - 1] as number];
    const isTrimmed = first > Byte.blank && last > Byte.blank && (first | last) < 0x80;
    if (isTrimmed && end - start !== dateLength && !hasEscapes(kind)) return false;
    const trimmed = this.trim(value);
    return isDate(trimmed, this.trimmedStart, this.trimmedEnd);
  }

  yesOrNo(value: Value): boolean | undefined {
    const { bytes, kind, start, end } = value;
    if (kind === Kind.true || kind === Kind.false) return kind === Kind.true;
    if (kind >= Kind.text) {
      const word = this.textAt(bytes, start, end).trim().toLowerCase();
      if (word === 'true' || word === 'yes') return true;
      if (word === 'false' || word === 'no') return false;
    }
    const number = this.number(value);
    if (number === 1) return true;
    return number === 0 ? false : undefined;
  }

  text(value: Value): string | undefined {
    const { bytes, kind, start, end } = value;
    if (this.isMissing(value)) return undefined;
    if (kind >= Kind.text || kind === Kind.number) return this.textAt(bytes, start, end);
    if (kind === Kind.true || kind === Kind.false) return kind === Kind.true ? 'true' : 'false';
    if (kind !== Kind.list) return this.objectText(value);
    const entries = this.entries(value);
    return entries.length > 0 ? entries.join('; ') : undefined;
  }

  hashText(value: Value, inLowerCase: boolean): boolean {
    const { bytes, kind, start, end } = value;
    // A value that begins with a non-blank character is not missing, and needs decoding only if it has escapes.
    const isPlain =
      kind >= Kind.text && !hasEscapes(kind) && start < end && (bytes[start] as number) > Byte.blank;
    let last = end;
    while (isPlain && bytes[last - 1] === Byte.blank) last -= 1;
    if (isPlain && hashAscii(bytes, start, last, inLowerCase)) return true;
    const text = this.text(value)?.trim();
    if (text === undefined) return false;
    hashText(inLowerCase ? text.toLowerCase() : text);
    return true;
  }

  rawList({ bytes, kind, start, end }: Value): string | undefined {
    return kind === Kind.list && end - start <= maxCachedLength
      ? this.lists.textOf(bytes, start, end)
      : undefined;
  }

  entries(value: Value): readonly string[] {
    const { bytes, kind, start } = value;
    if (kind !== Kind.list) {
      const text = this.text(value);
      return text === undefined ? [] : [text];
    }
    const found: string[] = [];
    const walk = new JsonWalk();
    walk.enter(bytes, start);
    while (walk.nextEntry()) {
      const text = this.text(walk);
      if (text !== undefined) found.push(text);
    }
    return found;
  }

  /** An object is represented by its title, else its name, else its id. Its other members may be private. */
  private objectText({ bytes, start }: Value): string | undefined {
    const known: { title?: string | undefined; name?: string | undefined; id?: string | undefined } = {};
    const walk = new JsonWalk();
    walk.enter(bytes, start);
    while (walk.nextMember()) {
      const name = this.textAt(bytes, walk.nameStart, walk.nameEnd);
      if (name !== 'title' && name !== 'name' && name !== 'id') continue;
      const nested = walk.kind === Kind.list || walk.kind === Kind.json;
      known[name] = nested ? undefined : this.text(walk);
    }
    return known.title ?? known.name ?? known.id;
  }

  /** Trims text. Returns the bytes, and sets the offsets of the text in them. */
  private trim(value: Value): Buffer {
    const { bytes, kind, start, end } = value;
    let first = start;
    let last = end - 1;
    while (first <= last && bytes[first] === Byte.blank) first += 1;
    while (last >= first && bytes[last] === Byte.blank) last -= 1;
    const plain =
      !hasEscapes(kind) && first <= last && ((bytes[first] as number) | (bytes[last] as number)) < 0x80;
    if (plain || first > last) {
      this.trimmedStart = first;
      this.trimmedEnd = last + 1;
      return bytes;
    }
    this.decoded = Buffer.from(this.textAt(bytes, start, end).trim());
    this.trimmedStart = 0;
    this.trimmedEnd = this.decoded.length;
    return this.decoded;
  }
}
