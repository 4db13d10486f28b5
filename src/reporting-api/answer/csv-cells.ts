import { CellWriter, copyBytes } from './cell-text.js';
import { Byte, Kind } from './json.js';
import type { ObjectReader } from './object-reader.js';
import { isWhollyNumber } from './scalars.js';

/** 1 for a first byte that may make a spreadsheet run the text as a formula. */
const mayRun = new Uint8Array(256);
for (const byte of [
  Byte.equals,
  Byte.plus,
  Byte.minus,
  Byte.at,
  Byte.tab,
  Byte.carriageReturn,
  Byte.lineFeed,
])
  mayRun[byte] = 1;

/** The bytes of the full-width signs of plus, minus, equals and at (U+FF0B, U+FF0D, U+FF1D, U+FF20). */
const wideForms = { first: 0xef, second: 0xbc, third: [0x8b, 0x8d, 0x9d, 0xa0] } as const;
mayRun[wideForms.first] = 1;

/** 1 for a byte that makes a cell need quotes. */
const needsQuotes = new Uint8Array(256);
for (const byte of [Byte.comma, Byte.semicolon, Byte.quote, Byte.carriageReturn, Byte.lineFeed])
  needsQuotes[byte] = 1;

/**
 * Writes values as cells of a CSV, by these rules: numbers as sent; `true` and `false`; other values as `CellText`
 * says. Text that a spreadsheet would run gets an apostrophe before it, unless it is wholly a number. Quoting is that of
 * RFC 4180, also for semicolons, which some spreadsheets read as the end of a cell.
 */
export class CsvCells extends CellWriter {
  readonly separator = Byte.comma;

  /** A byte becomes at most two bytes. Each cell adds at most quotes, an apostrophe and a comma; days add digits. */
  roomFor(recordBytes: number, cells: number): number {
    return 2 * recordBytes + 4 * cells + 32;
  }

  writeSlot(out: Buffer, at: number, reader: ObjectReader, slot: number): number {
    const kind = reader.kind[slot] as number;
    if (kind <= Kind.null || kind === Kind.object) return at;
    const { bytes } = reader;
    const start = reader.start[slot] as number;
    const end = reader.end[slot] as number;
    if (kind <= Kind.number) return copyBytes(out, at, bytes, start, end);
    if (kind === Kind.text || kind === Kind.textWithSeparator) {
      if (mayRun[bytes[start] as number] === 1) return writeText(out, at, bytes, start, end);
      if (kind === Kind.text) return copyBytes(out, at, bytes, start, end);
      out[at] = Byte.quote;
      const behind = copyBytes(out, at + 1, bytes, start, end);
      out[behind] = Byte.quote;
      return behind + 1;
    }
    const text = this.ofValue(bytes, kind, start, end);
    return writeText(out, at, text.bytes, 0, text.length);
  }

  writeText = writeText;

  writeNumber(out: Buffer, at: number, number: number): number {
    return at + out.write(String(number), at);
  }

  endRow(out: Buffer, at: number, isEmpty: boolean): number {
    let behind = at;
    // Most CSV readers skip an empty line.
    if (isEmpty) {
      out[behind++] = Byte.quote;
      out[behind++] = Byte.quote;
    }
    out[behind++] = Byte.carriageReturn;
    out[behind++] = Byte.lineFeed;
    return behind;
  }
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** The byte order mark and the line of headings. */
export function csvHeader(headings: readonly string[]): Buffer {
  const texts = headings.map((heading) => Buffer.from(heading));
  const room = texts.reduce((sum, { length }) => sum + 2 * length + 4, byteOrderMark.length + 2);
  const header = Buffer.alloc(room);
  let at = byteOrderMark.copy(header);
  texts.forEach((text, index) => {
    if (index > 0) header[at++] = Byte.comma;
    at = writeText(header, at, text, 0, text.length);
  });
  header[at++] = Byte.carriageReturn;
  header[at++] = Byte.lineFeed;
  return header.subarray(0, at);
}

/** Writes a text without escapes as a cell, with quotes and an apostrophe where needed. */
function writeText(out: Buffer, at: number, bytes: Buffer, start: number, end: number): number {
  if (start === end) return at;
  const guarded = runsAsFormula(bytes, start, end);
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

function runsAsFormula(bytes: Buffer, start: number, end: number): boolean {
  const first = bytes[start] as number;
  if (mayRun[first] !== 1) return false;
  const { second, third } = wideForms;
  if (first === wideForms.first) {
    return end - start >= 3 && bytes[start + 1] === second && third.some((byte) => byte === bytes[start + 2]);
  }
  return !isWhollyNumber(bytes, start, end);
}
