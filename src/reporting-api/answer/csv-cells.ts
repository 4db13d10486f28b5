import { Byte, hasEscapes, hexDigit, JsonWalk, Kind, skipBlanks, skipString } from './json.js';
import type { ObjectReader } from './object-reader.js';
import { isWhollyNumber, KnownTexts, unquoted } from './scalars.js';

/** 1 for a first byte that makes a spreadsheet run the text as a formula. */
const runs = new Uint8Array(256);
for (const byte of [Byte.equals, Byte.plus, Byte.minus, Byte.at, Byte.tab, Byte.carriageReturn])
  runs[byte] = 1;

/** 1 for a byte that makes a cell need quotes. */
const needsQuotes = new Uint8Array(256);
for (const byte of [Byte.comma, Byte.quote, Byte.carriageReturn, Byte.lineFeed]) needsQuotes[byte] = 1;

/**
 * Writes values as cells of a CSV, by these rules: numbers as sent; `true` and `false`; null, missing and empty text as
 * nothing; lists joined with `; `, where an object that holds only an id and a name or title is that name; any other
 * object as JSON without blanks. Text that a spreadsheet would run gets an apostrophe before it, unless it is wholly a
 * number. Quoting is that of RFC 4180.
 *
 * Each method writes at an offset into a buffer with enough room, and returns the offset after the cell. A cell has at
 * most two bytes for each byte received, and three more.
 */
export class Cells {
  private readonly text = new PlainText();
  private readonly names = new KnownTexts(unquoted);
  private readonly entries = new JsonWalk();
  private readonly members = new JsonWalk();
  /** Set when a cell holds an object as JSON, which may contain personal data. The reader of the flag clears it. */
  wroteObject = false;

  /** Writes the value of a slot. Writes nothing for an object whose members have their own cells. */
  writeSlot(out: Buffer, at: number, reader: ObjectReader, slot: number): number {
    const kind = reader.kind[slot] as number;
    if (kind <= Kind.null || kind === Kind.object) return at;
    const { bytes } = reader;
    const start = reader.start[slot] as number;
    const end = reader.end[slot] as number;
    if (kind <= Kind.number) return copyBytes(out, at, bytes, start, end);
    if (kind === Kind.text || kind === Kind.textWithComma) {
      if (runs[bytes[start] as number] === 1) return writeText(out, at, bytes, start, end);
      if (kind === Kind.text) return copyBytes(out, at, bytes, start, end);
      out[at] = Byte.quote;
      const behind = copyBytes(out, at + 1, bytes, start, end);
      out[behind] = Byte.quote;
      return behind + 1;
    }
    this.text.restart(2 * (end - start));
    this.append(bytes, kind, start, end);
    return writeText(out, at, this.text.bytes, 0, this.text.length);
  }

  /** Writes the members that share a column as one JSON object; nothing if there are none. */
  writeOthers(out: Buffer, at: number, reader: ObjectReader): number {
    const { bytes, others } = reader;
    if (others.length === 0) return at;
    this.wroteObject = true;
    const first = others[0] as number;
    const { text } = this;
    text.restart(2 * ((others.at(-1) as number) - first) + 16);
    for (let i = 0; i < others.length; i += 4) {
      const [nameStart, nameEnd, start, end] = others.slice(i, i + 4) as [number, number, number, number];
      text.put(i === 0 ? Byte.openBrace : Byte.comma);
      text.requote(bytes, nameStart - 1, nameEnd + 1);
      text.put(Byte.colon);
      text.compact(bytes, start, end);
    }
    text.put(Byte.closeBrace);
    return writeText(out, at, text.bytes, 0, text.length);
  }

  private append(bytes: Buffer, kind: number, start: number, end: number): void {
    if (kind === Kind.list) this.appendList(bytes, start);
    else if (kind === Kind.json) this.appendJson(bytes, start, end);
    else if (hasEscapes(kind)) this.text.unescape(bytes, start, end);
    else if (kind !== Kind.null) this.text.copy(bytes, start, end);
  }

  private appendJson(bytes: Buffer, start: number, end: number): void {
    this.text.compact(bytes, start, end);
    this.wroteObject = true;
  }

  private appendList(bytes: Buffer, start: number): void {
    const { text, entries } = this;
    entries.enter(bytes, start);
    for (let first = true; entries.nextEntry(); first = false) {
      if (!first) {
        text.put(Byte.semicolon);
        text.put(Byte.blank);
      }
      if (entries.kind === Kind.list) this.appendJson(bytes, entries.start, entries.end);
      else if (entries.kind !== Kind.json || !this.appendName(bytes, entries.start)) {
        this.append(bytes, entries.kind, entries.start, entries.end);
      }
    }
  }

  /** Appends the name or title of an object that has only that and an id. False for any other object. */
  private appendName(bytes: Buffer, start: number): boolean {
    const { members } = this;
    let [names, ids, kind, nameStart, nameEnd] = [0, 0, 0, 0, 0];
    for (members.enter(bytes, start); members.nextMember(); ) {
      if (members.kind === Kind.list || members.kind === Kind.json) return false;
      const member = this.names.textOf(bytes, members.nameStart, members.nameEnd);
      if (member === 'name' || member === 'title') {
        names += 1;
        kind = members.kind;
        nameStart = members.start;
        nameEnd = members.end;
      } else if (member === 'id' || member.endsWith('_id')) {
        ids += 1;
      } else {
        return false;
      }
    }
    if (names !== 1 || ids > 1 || kind === Kind.null || nameStart === nameEnd) return false;
    this.append(bytes, kind, nameStart, nameEnd);
    return true;
  }
}

/** Writes a text without escapes as a cell, with quotes and an apostrophe where needed. */
export function writeText(out: Buffer, at: number, bytes: Buffer, start: number, end: number): number {
  if (start === end) return at;
  const guarded = runs[bytes[start] as number] === 1 && !isWhollyNumber(bytes, start, end);
  let quoted = false;
  for (let i = start; i < end && !quoted; i += 1) quoted = needsQuotes[bytes[i] as number] === 1;
  let behind = at;
  if (quoted) out[behind++] = Byte.quote;
  if (guarded) out[behind++] = Byte.apostrophe;
  if (!quoted) return copyBytes(out, behind, bytes, start, end);
  for (let i = start; i < end; i += 1) {
    const byte = bytes[i] as number;
    out[behind++] = byte;
    if (byte === Byte.quote) out[behind++] = Byte.quote;
  }
  out[behind++] = Byte.quote;
  return behind;
}

/** A text under construction, as UTF-8 bytes in a reused buffer. */
class PlainText {
  bytes = Buffer.alloc(4096);
  length = 0;

  /** Clears it and reserves room for that many bytes. */
  restart(room: number): void {
    if (this.bytes.length < room) this.bytes = Buffer.allocUnsafe(room);
    this.length = 0;
  }

  put(byte: number): void {
    this.bytes[this.length] = byte;
    this.length += 1;
  }

  /** Appends bytes unchanged. */
  copy(bytes: Buffer, start: number, end: number): void {
    this.length = copyBytes(this.bytes, this.length, bytes, start, end);
  }

  write(text: string): void {
    this.length += this.bytes.write(text, this.length);
  }

  /** Appends the text of a JSON string, from the bytes between its quotes. It is never longer than they are. */
  unescape(bytes: Buffer, start: number, end: number): void {
    let i = start;
    while (i < end) {
      const byte = bytes[i] as number;
      if (byte !== Byte.backslash) {
        this.put(byte);
        i += 1;
      } else if (bytes[i + 1] !== 0x75) {
        this.put(shortEscapes[bytes[i + 1] as number] as number);
        i += 2;
      } else {
        const unit = codeUnit(bytes, i);
        const next =
          unit >= 0xd800 && unit < 0xdc00 && bytes[i + 6] === Byte.backslash ? codeUnit(bytes, i + 6) : 0;
        const pair = next >= 0xdc00 && next < 0xe000;
        this.putCharacter(pair ? 0x10000 + ((unit - 0xd800) << 10) + (next - 0xdc00) : unit);
        i += pair ? 12 : 6;
      }
    }
  }

  /** Appends a valid JSON value without blanks: numbers as received, text with as few escapes as possible. */
  compact(bytes: Buffer, start: number, end: number): void {
    let i = skipBlanks(bytes, start);
    while (i < end) {
      if (bytes[i] === Byte.quote) {
        const behind = skipString(bytes, i + 1, end);
        this.requote(bytes, i, behind);
        i = behind;
      } else {
        this.put(bytes[i] as number);
        i += 1;
      }
      i = skipBlanks(bytes, i);
    }
  }

  /** Appends a JSON string with its quotes. It is never longer than what was received. */
  requote(bytes: Buffer, start: number, end: number): void {
    let i = start;
    while (i < end && bytes[i] !== Byte.backslash) i += 1;
    if (i === end) this.copy(bytes, start, end);
    else this.write(JSON.stringify(JSON.parse(bytes.toString('utf8', start, end))));
  }

  /** A lone surrogate is not a character and becomes U+FFFD. */
  private putCharacter(sent: number): void {
    const code = sent >= 0xd800 && sent < 0xe000 ? 0xfffd : sent;
    if (code < 0x80) this.put(code);
    else if (code < 0x800) this.put(0xc0 | (code >> 6));
    else if (code < 0x10000) this.put(0xe0 | (code >> 12));
    else this.put(0xf0 | (code >> 18));
    if (code >= 0x10000) this.put(0x80 | ((code >> 12) & 0x3f));
    if (code >= 0x800) this.put(0x80 | ((code >> 6) & 0x3f));
    if (code >= 0x80) this.put(0x80 | (code & 0x3f));
  }
}

const shortEscapes = new Uint8Array(256);
for (const [letter, text] of Object.entries({
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  '\\': '\\',
  '/': '/',
})) {
  shortEscapes[letter.charCodeAt(0)] = text.charCodeAt(0);
}

/** The number in `\u1234`, from its backslash; -1 for another escape. */
function codeUnit(bytes: Buffer, at: number): number {
  if (bytes[at + 1] !== 0x75) return -1;
  let unit = 0;
  for (let i = at + 2; i < at + 6; i += 1) unit = (unit << 4) | hexDigit(bytes[i] as number);
  return unit;
}

/** Longer runs are copied by `Buffer.copy`, which takes longer to start. */
const longRun = 96;

/** Copies bytes and returns the offset after them. */
function copyBytes(out: Buffer, at: number, bytes: Buffer, start: number, end: number): number {
  const behind = at + end - start;
  if (end - start > longRun) {
    bytes.copy(out, at, start, end);
    return behind;
  }
  let from = start;
  let to = at;
  while (to < behind) {
    out[to] = bytes[from] as number;
    to += 1;
    from += 1;
  }
  return behind;
}
