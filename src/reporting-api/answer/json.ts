/** The kind of value in a slot. Kinds of text differ in how they are written. */
export const Kind = {
  absent: 0,
  null: 1,
  false: 2,
  true: 3,
  number: 4,
  list: 5,
  /** An object in a field of the record, whose members have slots of their own. */
  object: 6,
  /** An object anywhere else. */
  json: 7,
  /** Text whose bytes are its characters. */
  text: 8,
  textWithSeparator: 9,
  /** Text with escapes, with or without commas. */
  textWithEscape: 10,
  textWithBoth: 11,
} as const;

export function hasEscapes(kind: number): boolean {
  return kind === Kind.textWithEscape || kind === Kind.textWithBoth;
}
/**
 * JSON's grammar over bytes. Each function takes the offset of a value's first byte and returns the offset after its
 * last, or `Incomplete` if the bytes end first. It creates no values.
 *
 * The bytes are well-formed UTF-8, followed by a zero (at `end`). Zero is never valid in JSON, so every loop stops
 * there and needs no check for the end.
 */
export const Incomplete = -1;

/** How deep objects and arrays may be nested in a record, the record itself included. */
export const maxNesting = 512;

/** A failure inside a record. The caller knows the record's number and makes an error of it. */
export class MalformedJson extends Error {}
export class TooDeep extends Error {}

export const Byte = {
  tab: 0x09,
  lineFeed: 0x0a,
  carriageReturn: 0x0d,
  blank: 0x20,
  quote: 0x22,
  apostrophe: 0x27,
  plus: 0x2b,
  comma: 0x2c,
  minus: 0x2d,
  dot: 0x2e,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  semicolon: 0x3b,
  equals: 0x3d,
  at: 0x40,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const;

/** The class of a byte inside a string: 0 for ordinary bytes, else one of these. */
export const Mark = { separator: 1, quote: 2, backslash: 3, control: 4 } as const;
export const markOf = new Uint8Array(256);
markOf.fill(Mark.control, 0, 0x20);
markOf[Byte.comma] = Mark.separator;
markOf[Byte.semicolon] = Mark.separator;
markOf[Byte.quote] = Mark.quote;
markOf[Byte.backslash] = Mark.backslash;

const shortEscapes = new Set(Buffer.from('"\\/bfnrt'));
const literals = { t: Buffer.from('true'), f: Buffer.from('false'), n: Buffer.from('null') };

/** Past the blanks that JSON allows between its marks. */
export function skipBlanks(bytes: Buffer, at: number): number {
  let i = at;
  for (;;) {
    const byte = bytes[i];
    if (byte !== Byte.blank && byte !== Byte.lineFeed && byte !== Byte.carriageReturn && byte !== Byte.tab) {
      return i;
    }
    i += 1;
  }
}

/** For an invalid byte: either the bytes have ended, or this is not JSON. */
export function unexpected(at: number, end: number): typeof Incomplete {
  if (at >= end) return Incomplete;
  throw new MalformedJson();
}

/** Past a string, from the byte behind its opening quote. */
export function skipString(bytes: Buffer, at: number, end: number): number {
  let i = at;
  for (;;) {
    const mark = markOf[bytes[i] as number];
    if (mark === 0 || mark === Mark.separator) i += 1;
    else if (mark === Mark.quote) return i + 1;
    else if (mark === Mark.control) return unexpected(i, end);
    else {
      i = skipEscape(bytes, i, end);
      if (i === Incomplete) return Incomplete;
    }
  }
}

/** Past an escape, from its backslash. */
export function skipEscape(bytes: Buffer, at: number, end: number): number {
  const letter = bytes[at + 1] as number;
  if (shortEscapes.has(letter)) return at + 2;
  if (letter !== 0x75) return unexpected(at + 1, end);
  for (let i = at + 2; i < at + 6; i += 1) {
    if (hexDigit(bytes[i] as number) < 0) return unexpected(i, end);
  }
  return at + 6;
}

/** The value of a hexadecimal digit; -1 for any other byte. */
export function hexDigit(byte: number): number {
  if (byte >= Byte.zero && byte <= Byte.nine) return byte - Byte.zero;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** Past a number, from its sign or first digit. One that touches the end may go on, so it is incomplete. */
export function skipNumber(bytes: Buffer, at: number, end: number): number {
  let i = bytes[at] === Byte.minus ? at + 1 : at;
  let digitsFrom = i;
  i = bytes[i] === Byte.zero ? i + 1 : skipDigits(bytes, i);
  if (i > digitsFrom && bytes[i] === Byte.dot) {
    digitsFrom = i + 1;
    i = skipDigits(bytes, digitsFrom);
  }
  if (i > digitsFrom && ((bytes[i] as number) | 0x20) === 0x65) {
    digitsFrom = bytes[i + 1] === Byte.plus || bytes[i + 1] === Byte.minus ? i + 2 : i + 1;
    i = skipDigits(bytes, digitsFrom);
  }
  if (i > digitsFrom && i < end) return i;
  return i >= end ? Incomplete : unexpected(i, end);
}

function skipDigits(bytes: Buffer, at: number): number {
  let i = at;
  while ((bytes[i] as number) >= Byte.zero && (bytes[i] as number) <= Byte.nine) i += 1;
  return i;
}

function literalFrom(first: number | undefined): Buffer {
  if (first === 0x74) return literals.t;
  return first === 0x66 ? literals.f : literals.n;
}

/** Past `true`, `false` or `null`, from its first letter. */
export function skipLiteral(bytes: Buffer, at: number, end: number): number {
  const word = literalFrom(bytes[at]);
  let length = 0;
  while (length < word.length && bytes[at + length] === word[length]) length += 1;
  const behind = at + length;
  return length === word.length ? behind : unexpected(behind, end);
}

/** Past any value. `level` is its depth in objects and arrays. */
export function skipValue(bytes: Buffer, at: number, end: number, level: number): number {
  const byte = bytes[at] as number;
  if (byte === Byte.quote) return skipString(bytes, at + 1, end);
  if (byte === Byte.openBrace) return skipNested(bytes, at + 1, end, level + 1, Byte.closeBrace);
  if (byte === Byte.openBracket) return skipNested(bytes, at + 1, end, level + 1, Byte.closeBracket);
  if (byte === Byte.minus || (byte >= Byte.zero && byte <= Byte.nine)) return skipNumber(bytes, at, end);
  return skipLiteral(bytes, at, end);
}

/** Past an object or array, from the byte behind its brace or bracket. `close` is the byte that ends it. */
export function skipNested(bytes: Buffer, at: number, end: number, level: number, close: number): number {
  if (level > maxNesting) throw new TooDeep();
  let i = skipBlanks(bytes, at);
  if (bytes[i] === close) return i + 1;
  for (;;) {
    if (close === Byte.closeBrace) {
      if (bytes[i] !== Byte.quote) return unexpected(i, end);
      i = skipString(bytes, i + 1, end);
      if (i === Incomplete) return Incomplete;
      i = skipBlanks(bytes, i);
      if (bytes[i] !== Byte.colon) return unexpected(i, end);
      i = skipBlanks(bytes, i + 1);
    }
    i = skipValue(bytes, i, end, level);
    if (i === Incomplete) return Incomplete;
    i = skipBlanks(bytes, i);
    if (bytes[i] === close) return i + 1;
    if (bytes[i] !== Byte.comma) return unexpected(i, end);
    i = skipBlanks(bytes, i + 1);
  }
}

/** The kind of value that begins at a byte of valid JSON. For text it returns the most general kind. */
function kindAt(bytes: Buffer, at: number): number {
  switch (bytes[at]) {
    case Byte.quote:
      return Kind.textWithBoth;
    case Byte.openBrace:
      return Kind.json;
    case Byte.openBracket:
      return Kind.list;
    case 0x74:
      return Kind.true;
    case 0x66:
      return Kind.false;
    case 0x6e:
      return Kind.null;
    default:
      return Kind.number;
  }
}

/** Walks over the entries of a valid array or the members of a valid object, one `next()` each. */
export class JsonWalk {
  /** The member's name, between its quotes. */
  nameStart = 0;
  nameEnd = 0;
  /** The value, between its quotes where it is text. */
  kind = 0;
  start = 0;
  end = 0;
  bytes: Buffer = nothing;
  private at = 0;

  /** @param start the index of the opening brace or bracket */
  enter(bytes: Buffer, start: number): void {
    this.bytes = bytes;
    this.at = start + 1;
  }

  nextEntry(): boolean {
    const at = this.nextPlace();
    if (at === 0) return false;
    this.takeValue(at);
    return true;
  }

  nextMember(): boolean {
    const at = this.nextPlace();
    if (at === 0) return false;
    const { bytes } = this;
    const behindName = skipString(bytes, at + 1, bytes.length);
    this.nameStart = at + 1;
    this.nameEnd = behindName - 1;
    this.takeValue(skipBlanks(bytes, skipBlanks(bytes, behindName) + 1));
    return true;
  }

  /** Where the next entry or member begins; 0 behind the last. */
  private nextPlace(): number {
    const at = skipBlanks(this.bytes, this.at);
    const byte = this.bytes[at];
    if (byte === Byte.closeBrace || byte === Byte.closeBracket) return 0;
    return byte === Byte.comma ? skipBlanks(this.bytes, at + 1) : at;
  }

  private takeValue(at: number): void {
    const quotes = this.bytes[at] === Byte.quote ? 1 : 0;
    this.kind = kindAt(this.bytes, at);
    this.at = skipValue(this.bytes, at, this.bytes.length, 0);
    this.start = at + quotes;
    this.end = this.at - quotes;
  }
}

const nothing = Buffer.alloc(0);
