import type { FieldKind } from '../../catalogue/index.js';
import { Byte, hasEscapes, hexDigit, JsonWalk, Kind, skipBlanks, skipString } from './json.js';
import type { ObjectReader } from './object-reader.js';
import { TextCache, unquoted } from './scalars.js';

/**
 * The text of values that are not one plain run of bytes, the same for every format of file: text with escapes; lists
 * joined with `; `, where an object that holds only an id and a name or title is that name; any other object as JSON
 * without blanks. Null, missing and empty text are nothing.
 */
class CellText {
  readonly text = new PlainText();
  /** Set when a text holds an object as JSON, which may contain personal data. The reader of the flag clears it. */
  wroteObject = false;
  private readonly names = new TextCache(unquoted);
  private readonly entries = new JsonWalk();
  private readonly members = new JsonWalk();

  /** The text of a value. It is valid until the next one is made. */
  ofValue(bytes: Buffer, kind: number, start: number, end: number): PlainText {
    this.text.restart(2 * (end - start));
    this.append(bytes, kind, start, end);
    return this.text;
  }

  /** The members that share a column, of which there is at least one, as one JSON object. */
  ofOthers({ bytes, others }: ObjectReader): PlainText {
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
    return text;
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

/**
 * Writes the values of a row as cells of one format. Each method writes at an offset into a buffer with enough room, and
 * returns the offset after what it wrote.
 */
export abstract class CellWriter extends CellText {
  /** The byte between two cells. */
  abstract readonly separator: number;
  /** Cells whose text was cut. */
  cutCells = 0;

  /** The bytes that a row takes at most. */
  abstract roomFor(recordBytes: number, cells: number): number;
  /** Writes the value of a slot. Writes nothing for an object whose members have their own cells. */
  abstract writeSlot(out: Buffer, at: number, reader: ObjectReader, slot: number, meaning: FieldKind): number;
  abstract writeNumber(out: Buffer, at: number, number: number): number;
  /** Writes text without escapes. */
  abstract writeText(out: Buffer, at: number, bytes: Buffer, start: number, end: number): number;
  /** @param isEmpty true for a row with one cell, which is empty */
  abstract endRow(out: Buffer, at: number, isEmpty: boolean): number;

  /** Writes the members that share a column as one JSON object; nothing if there are none. */
  writeOthers(out: Buffer, at: number, reader: ObjectReader): number {
    if (reader.others.length === 0) return at;
    const text = this.ofOthers(reader);
    return this.writeText(out, at, text.bytes, 0, text.length);
  }
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
export function copyBytes(out: Buffer, at: number, bytes: Buffer, start: number, end: number): number {
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
