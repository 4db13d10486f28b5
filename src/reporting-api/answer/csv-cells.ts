import { copyBytes } from './copy-bytes.js';
import { Byte } from './json.js';
import { JsonWalk } from './json-walk.js';
import { KnownTexts, unquoted } from './known-texts.js';
import { hasEscapes, Kind, type ObjectReader } from './object-reader.js';
import { PlainText } from './plain-text.js';
import { isWhollyNumber } from './scalars.js';

/** 1 for a first byte that makes a spreadsheet run a text. */
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
 * Each method writes at a place in bytes that have room enough, and returns the place behind. A cell has at most two bytes
 * for each that was sent, and three more.
 */
export class Cells {
  private readonly text = new PlainText();
  private readonly names = new KnownTexts(unquoted);
  private readonly entries = new JsonWalk();
  private readonly members = new JsonWalk();
  /** Set when a cell holds an object as JSON, which may say anything about anybody. Whoever reads it clears it. */
  wroteObject = false;

  /** The value in a slot. An object whose members have slots of their own writes nothing: they are cells themselves. */
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

  /** The members that share a column, as one JSON object; nothing where there are none. */
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

  /** Appends the name or title of an object that holds nothing else but an id. False for any other object. */
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

/** A cell with a text that has no escapes, quoted and guarded as it needs. */
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
