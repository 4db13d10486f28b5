import type { FieldKind } from '../../catalogue/index.js';
import { dayMs, isInCalendar, ZoneDays } from '../../figures/counting/dates.js';
import { CellWriter, copyBytes } from './cell-text.js';
import { Byte, hexDigit, Kind } from './json.js';
import type { ObjectReader } from './object-reader.js';
import { isWhollyNumber } from './scalars.js';
import { Values } from './values.js';

/**
 * The marks of rows on their way into a workbook. They are control characters, which the text of a cell never holds:
 * XML forbids them, so they are written as escapes.
 */
export const Mark = { endOfRow: 0x1e, betweenCells: 0x1f } as const;

/** The first byte of a cell: its type. Empty cells have none. */
export const CellType = {
  text: 0x74,
  number: 0x6e,
  yesOrNo: 0x62,
  /** A day as its serial number. */
  day: 0x64,
  /** A day and a time as a serial number. */
  moment: 0x6d,
} as const;

/** Excel's limit of a cell, in UTF-16 units. */
const maxCellCharacters = 32_767;

/** Excel keeps 15 digits of a number. */
const maxDigits = 15;

/** The numbers that Excel can hold besides 0. */
const smallestNumber = 2.2250738585072014e-308;
const largestNumber = 9.99999999999999e307;

/** Serial numbers count days. This is 1 January 1970. */
const epochSerial = 25_569;
/** Excel takes 1900 for a leap year, so earlier days are a day off. */
const firstSerial = epochSerial + Date.parse('1900-03-01') / dayMs;
const endOfSerials = epochSerial + Date.parse('9999-12-31') / dayMs + 1;

/**
 * Writes values as typed cells, from which `workbook.ts` makes the sheet of a workbook: numbers, except those that
 * Excel would change; true and false; dates of date fields, in the zone; anything else as text, by `CellText`. The text
 * is escaped for XML.
 */
export class SheetCells extends CellWriter {
  readonly separator = Mark.betweenCells;
  private readonly values = new Values();
  private readonly days;

  /** @param zone the IANA zone in which times are shown */
  constructor(zone: string) {
    super();
    this.days = new ZoneDays(zone);
  }

  /** `&` becomes five bytes. A date of one digit becomes a serial number of sixteen. */
  roomFor(recordBytes: number, cells: number): number {
    return 5 * recordBytes + 32 * cells + 16;
  }

  writeSlot(out: Buffer, at: number, reader: ObjectReader, slot: number, meaning: FieldKind): number {
    const kind = reader.kind[slot] as number;
    if (kind <= Kind.null || kind === Kind.object) return at;
    const { bytes } = reader;
    const start = reader.start[slot] as number;
    const end = reader.end[slot] as number;
    if (kind === Kind.true || kind === Kind.false) return writeYesOrNo(out, at, kind === Kind.true);
    const isScalar = kind === Kind.number || kind >= Kind.text;
    if (isScalar && meaning === 'date') {
      const behind = this.writeDate(out, at, bytes, kind, start, end);
      if (behind > at) return behind;
    }
    if (kind === Kind.number) {
      return isExact(bytes, start, end)
        ? writeTyped(out, at, CellType.number, bytes, start, end)
        : this.writeText(out, at, bytes, start, end);
    }
    if (kind >= Kind.text && meaning === 'number' && isPlainNumber(bytes, start, end)) {
      return writeTyped(out, at, CellType.number, bytes, start, end);
    }
    if (kind >= Kind.text && meaning === 'yes-no') {
      const word = yesOrNoIn(bytes, start, end);
      if (word !== undefined) return writeYesOrNo(out, at, word);
    }
    if (kind === Kind.text || kind === Kind.textWithSeparator) {
      return this.writeText(out, at, bytes, start, end);
    }
    const text = this.ofValue(bytes, kind, start, end);
    return this.writeText(out, at, text.bytes, 0, text.length);
  }

  writeNumber(out: Buffer, at: number, number: number): number {
    out[at] = CellType.number;
    return at + 1 + out.write(String(number), at + 1);
  }

  endRow(out: Buffer, at: number): number {
    out[at] = Mark.endOfRow;
    return at + 1;
  }

  /** Writes nothing where no date can be read, or none that Excel can hold. */
  private writeDate(
    out: Buffer,
    at: number,
    bytes: Buffer,
    kind: number,
    start: number,
    end: number,
  ): number {
    const value = { bytes, kind, start, end };
    const instant = this.values.instant(value);
    if (!isInCalendar(instant)) return at;
    const isDay = this.values.isDayOnly(value);
    const wallTime = isDay ? instant : this.days.wallTimeOf(instant);
    const serial = epochSerial + wallTime / dayMs;
    if (serial < firstSerial || serial >= endOfSerials) return at;
    out[at] = isDay ? CellType.day : CellType.moment;
    return at + 1 + out.write(String(Number(serial.toPrecision(maxDigits))), at + 1);
  }

  writeText(out: Buffer, at: number, bytes: Buffer, start: number, end: number): number {
    if (start === end) return at;
    const last = end - start > maxCellCharacters ? endOfCell(bytes, start, end) : end;
    if (last < end) this.cutCells += 1;
    out[at] = CellType.text;
    return escapeXml(out, at + 1, bytes, start, last);
  }
}

function writeTyped(
  out: Buffer,
  at: number,
  type: number,
  bytes: Buffer,
  start: number,
  end: number,
): number {
  out[at] = type;
  return copyBytes(out, at + 1, bytes, start, end);
}

function writeYesOrNo(out: Buffer, at: number, yes: boolean): number {
  out[at] = CellType.yesOrNo;
  out[at + 1] = yes ? Byte.zero + 1 : Byte.zero;
  return at + 2;
}

/** True for a number of JSON's grammar that Excel keeps as it is. */
function isExact(bytes: Buffer, start: number, end: number): boolean {
  let digits = 0;
  let i = start;
  for (; i < end; i += 1) {
    const byte = bytes[i] as number;
    if (byte === Byte.minus || byte === Byte.dot) continue;
    if (byte < Byte.zero || byte > Byte.nine) break;
    if (digits > 0 || byte !== Byte.zero) digits += 1;
  }
  if (digits > maxDigits) return false;
  if (digits === 0 || (i === end && end - start < 100)) return true;
  const number = Math.abs(Number(bytes.toString('latin1', start, end)));
  return number >= smallestNumber && number <= largestNumber;
}

/** True for text that is such a number. Text with a plus sign or zeros in front was written so on purpose. */
function isPlainNumber(bytes: Buffer, start: number, end: number): boolean {
  const first = bytes[start] === Byte.minus ? start + 1 : start;
  const byte = bytes[first] as number;
  if (first >= end || byte < Byte.zero || byte > Byte.nine || bytes[end - 1] === Byte.dot) return false;
  const next = first + 1 < end ? (bytes[first + 1] as number) : Byte.dot;
  if (byte === Byte.zero && next >= Byte.zero && next <= Byte.nine) return false;
  return isWhollyNumber(bytes, start, end) && isExact(bytes, start, end);
}

function yesOrNoIn(bytes: Buffer, start: number, end: number): boolean | undefined {
  if (end - start < 4 || end - start > 5) return undefined;
  const word = bytes.toString('latin1', start, end).toLowerCase();
  if (word === 'true') return true;
  return word === 'false' ? false : undefined;
}

/** Where the text of a cell has to end so that Excel takes it. Characters stay whole. */
function endOfCell(bytes: Buffer, start: number, end: number): number {
  let units = 0;
  for (let i = start; i < end; i += 1) {
    const byte = bytes[i] as number;
    // Bytes that continue a character count nothing.
    if ((byte & 0xc0) === 0x80) continue;
    units += byte >= 0xf0 ? 2 : 1;
    if (units > maxCellCharacters) return i;
  }
  return end;
}

/** For each byte what it needs: 0: nothing, 1: a look at what follows, 2: an entity, 3: Excel's escape. */
const needs = new Uint8Array(256);
needs.fill(3, 0, 0x20);
needs[Byte.tab] = 0;
needs[Byte.lineFeed] = 0;
const ampersand = 0x26;
const lessThan = 0x3c;
const greaterThan = 0x3e;
const underscore = 0x5f;
/** The first byte of U+FFFE and U+FFFF, which XML forbids. */
const lastOfPlane = 0xef;
for (const byte of [ampersand, lessThan, greaterThan, Byte.carriageReturn]) needs[byte] = 2;
needs[underscore] = 1;
needs[lastOfPlane] = 1;

const entities = new Map([
  [ampersand, '&amp;'],
  [lessThan, '&lt;'],
  [greaterThan, '&gt;'],
  // A reader of XML takes a bare one for a line feed.
  [Byte.carriageReturn, '&#13;'],
]);

/**
 * Writes text for XML. Characters that XML forbids become `_x0001_`, as Excel itself writes them. Text that looks like
 * such an escape gets one for its underscore.
 */
export function escapeXml(out: Buffer, at: number, bytes: Buffer, start: number, end: number): number {
  let behind = at;
  for (let i = start; i < end; i += 1) {
    const byte = bytes[i] as number;
    const need = needs[byte] as number;
    if (need === 0) out[behind++] = byte;
    else if (need === 2) behind += out.write(entities.get(byte) ?? '', behind, 'latin1');
    else if (need === 3) behind += out.write(excelEscape(byte), behind, 'latin1');
    else if (byte === underscore && looksEscaped(bytes, i, end))
      behind += out.write(excelEscape(underscore), behind, 'latin1');
    else if (
      byte === lastOfPlane &&
      bytes[i + 1] === 0xbf &&
      (bytes[i + 2] as number) >= 0xbe &&
      i + 2 < end
    ) {
      behind += out.write(excelEscape(0xff40 + (bytes[i + 2] as number)), behind, 'latin1');
      i += 2;
    } else out[behind++] = byte;
  }
  return behind;
}

function excelEscape(code: number): string {
  return `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`;
}

/** True where the text goes on like `_x0041_`. */
function looksEscaped(bytes: Buffer, at: number, end: number): boolean {
  if (at + 7 > end || bytes[at + 1] !== 0x78 || bytes[at + 6] !== underscore) return false;
  for (let i = at + 2; i < at + 6; i += 1) if (hexDigit(bytes[i] as number) < 0) return false;
  return true;
}
