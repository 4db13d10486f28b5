import { Byte } from './json-bytes.js';
import { JsonWalk } from './json-walk.js';
import { KnownTexts } from './known-texts.js';
import { isWhollyNumber } from './numbers.js';
import { hasEscapes, Kind, type ObjectReader } from './object-reader.js';
import { PlainText } from './plain-text.js';
import type { Value } from './values.js';

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
 * Each method writes at a place in bytes that have room enough, `mostCellBytes`, and returns the place behind.
 */
export class Cells {
  private readonly text = new PlainText();
  private readonly names = new KnownTexts();
  /** Set when a cell holds an object as JSON, which may say anything about anybody. Whoever reads it clears it. */
  wroteObject = false;

  /** The value in a slot. An object whose members have slots of their own writes nothing: they are cells themselves. */
  writeSlot(out: Buffer, at: number, reader: ObjectReader, slot: number): number {
    const kind = reader.kind[slot] as number;
    if (kind <= Kind.null || kind === Kind.object) return at;
    const { bytes } = reader;
    const start = reader.start[slot] as number;
    const end = reader.end[slot] as number;
    if (kind === Kind.number) return copyBytes(out, at, bytes, start, end);
    if (kind === Kind.text || kind === Kind.textWithComma) {
      if (runs[bytes[start] as number] === 1) return writeText(out, at, bytes, start, end);
      if (kind === Kind.text) return copyBytes(out, at, bytes, start, end);
      out[at] = Byte.quote;
      const behind = copyBytes(out, at + 1, bytes, start, end);
      out[behind] = Byte.quote;
      return behind + 1;
    }
    this.text.restart(2 * (end - start));
    this.append({ bytes, kind, start, end });
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

  private append(value: Value): void {
    const { text } = this;
    const { bytes, kind, start, end } = value;
    if (kind === Kind.list) this.appendList(value);
    else if (kind === Kind.json) this.appendJson(value);
    else if (hasEscapes(kind)) text.unescape(bytes, start, end);
    else if (kind !== Kind.null) text.copy(bytes, start, end);
  }

  private appendJson({ bytes, start, end }: Value): void {
    this.text.compact(bytes, start, end);
    this.wroteObject = true;
  }

  private appendList({ bytes, start }: Value): void {
    const { text } = this;
    const walk = new JsonWalk(bytes, start);
    for (let first = true; walk.nextEntry(); first = false) {
      if (!first) text.write('; ');
      if (walk.kind === Kind.list) this.appendJson(walk);
      else if (walk.kind === Kind.json) this.append(this.nameIn(walk) ?? walk);
      else this.append(walk);
    }
  }

  /** The name or title of an object that holds nothing else but its id. */
  private nameIn(object: Value): Value | undefined {
    let name: Value | undefined;
    let members = 0;
    let ids = 0;
    const walk = new JsonWalk(object.bytes, object.start);
    while (walk.nextMember()) {
      if (walk.kind === Kind.list || walk.kind === Kind.json) return undefined;
      members += 1;
      const member = this.names.textOf(walk.bytes, walk.nameStart, walk.nameEnd);
      if (member === 'id' || member.endsWith('_id')) ids += 1;
      else if (member !== 'name' && member !== 'title') return undefined;
      else name = { bytes: walk.bytes, kind: walk.kind, start: walk.start, end: walk.end };
    }
    if (!name || members - ids !== 1 || ids > 1 || name.kind === Kind.null || name.start === name.end)
      return undefined;
    return name;
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

/** Longer runs of bytes are copied by the machine's own copy, which takes longer to begin. */
const longRun = 96;

function copyBytes(out: Buffer, at: number, bytes: Buffer, start: number, end: number): number {
  const behind = at + end - start;
  if (end - start > longRun) {
    bytes.copy(out, at, start, end);
    return behind;
  }
  let i = start;
  let to = at;
  while (to < behind) {
    out[to] = bytes[i] as number;
    to += 1;
    i += 1;
  }
  return behind;
}
