import { Byte } from './json.js';

/** Powers of ten that a double holds exactly. */
const powersOfTen = Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));

const wholeNumber = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;

/** True where the bytes are wholly a number, as a person or a spreadsheet writes it: `-5`, `+5`, `.5`, `5.`, `1e-7`. */
export function isWhollyNumber(bytes: Buffer, start: number, end: number): boolean {
  return wholeNumber.test(bytes.toString('latin1', start, end));
}

/** The number in the bytes; NaN for anything else, and for a number beyond the range of a double. */
export function numberIn(bytes: Buffer, start: number, end: number): number {
  let i = start;
  const negative = bytes[i] === Byte.minus;
  if (negative || bytes[i] === Byte.plus) i += 1;
  let value = 0;
  let digits = 0;
  let decimals = 0;
  let seenDot = false;
  for (; i < end; i += 1) {
    const byte = bytes[i] as number;
    if (byte >= Byte.zero && byte <= Byte.nine) {
      value = value * 10 + (byte - Byte.zero);
      digits += 1;
      if (seenDot) decimals += 1;
    } else if (byte === Byte.dot && !seenDot) {
      seenDot = true;
    } else {
      break;
    }
  }
  // Up to fifteen digits and their power of ten are exact doubles, and dividing two such rounds once: correctly.
  if (i === end && digits > 0 && digits <= 15) {
    const exact = value / (powersOfTen[decimals] as number);
    return negative ? -exact : exact;
  }
  if (!isWhollyNumber(bytes, start, end)) return Number.NaN;
  const number = Number(bytes.toString('latin1', start, end));
  return Number.isFinite(number) ? number : Number.NaN;
}

/** Of a date without a time, in bytes. */
export const dateLength = 10;

/** Numbers below are seconds since the epoch, others milliseconds. */
const firstMilliseconds = 100_000_000_000;
const day = 86_400_000;

/** A number of seconds or milliseconds since the epoch as whole milliseconds. */
export function instantOfNumber(number: number): number {
  return Math.trunc(Math.abs(number) < firstMilliseconds ? number * 1000 : number);
}

/**
 * Milliseconds since the epoch from text without blanks around it: ISO 8601 with any offset (none: UTC), a date alone
 * (midnight UTC), or digits. NaN for anything else. The most frequent forms have a fast path.
 */
export function instantIn(bytes: Buffer, start: number, end: number): number {
  const midnight = dateAt(bytes, start, end);
  if (Number.isNaN(midnight)) return instantOfDigits(bytes, start, end);
  const length = end - start;
  if (length === dateLength) return midnight;
  const separator = bytes[start + 10] as number;
  if (length >= 19 && (separator === 0x54 || separator === Byte.blank) && bytes[start + 16] === Byte.colon) {
    const hour = twoDigits(bytes, start + 11);
    const minute = twoDigits(bytes, start + 14);
    const second = twoDigits(bytes, start + 17);
    const exact = length === 19 || (length === 20 && bytes[start + 19] === 0x5a);
    if (exact && bytes[start + 13] === Byte.colon && hour >= 0 && hour < 24 && minute >= 0 && minute < 60) {
      if (second >= 0 && second < 60) return midnight + ((hour * 60 + minute) * 60 + second) * 1000;
    }
  }
  return midnight + timeIn(bytes.toString('latin1', start + 10, end));
}

/** True for a date without a time. */
export function isDate(bytes: Buffer, start: number, end: number): boolean {
  return end - start === dateLength && !Number.isNaN(dateAt(bytes, start, end));
}

/** Midnight UTC of a date at the beginning of the bytes; NaN where there is none. */
function dateAt(bytes: Buffer, start: number, end: number): number {
  if (end - start < 10 || bytes[start + 4] !== Byte.minus || bytes[start + 7] !== Byte.minus)
    return Number.NaN;
  const century = twoDigits(bytes, start);
  const yearOfCentury = twoDigits(bytes, start + 2);
  const month = twoDigits(bytes, start + 5);
  const dayOfMonth = twoDigits(bytes, start + 8);
  if (century < 0 || yearOfCentury < 0 || month < 1 || month > 12 || dayOfMonth < 1) return Number.NaN;
  const year = century * 100 + yearOfCentury;
  if (dayOfMonth > daysIn(year, month)) return Number.NaN;
  return daysSinceEpoch(year, month, dayOfMonth) * day;
}

/** The two digits at a place as a number; -1 where they are none. */
function twoDigits(bytes: Buffer, at: number): number {
  const tens = (bytes[at] as number) - Byte.zero;
  const ones = (bytes[at + 1] as number) - Byte.zero;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Days from 1 March to the first of each month. Years begin in March here, so that leap days come last. */
const daysBefore = [Number.NaN, 306, 337, 0, 31, 61, 92, 122, 153, 184, 214, 245, 275];

/** Days from 1970-01-01 in the Gregorian calendar. */
function daysSinceEpoch(year: number, month: number, dayOfMonth: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const century = Math.floor(marchYear / 100);
  const leapDays = (marchYear >> 2) - century + (century >> 2);
  return marchYear * 365 + leapDays + (daysBefore[month] as number) + dayOfMonth - 1 - 719_468;
}

const timeText =
  /^[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)? ?(?:[Zz]|UTC|GMT|([+-])(\d\d)(?::?(\d\d))?)?$/;

/** Milliseconds since midnight UTC from a time with its separator and offset; NaN for anything else. */
function timeIn(text: string): number {
  const parts = timeText.exec(text);
  if (!parts) return Number.NaN;
  const number = (part: number) => Number(parts[part] ?? 0);
  const [hour, minute, second] = [number(1), number(2), number(3)];
  const thousandths = Number((parts[4] ?? '').slice(0, 3).padEnd(3, '0'));
  if (hour > 24 || minute > 59 || second > 60 || number(6) > 23 || number(7) > 59) return Number.NaN;
  if (hour === 24 && (minute > 0 || second > 0 || number(4) > 0)) return Number.NaN;
  const east = (parts[5] === '-' ? -1 : 1) * (number(6) * 60 + number(7));
  return ((hour * 60 + minute - east) * 60 + second) * 1000 + thousandths;
}

const digitsOfInstant = /^-?\d+(?:\.\d+)?$/;

function instantOfDigits(bytes: Buffer, start: number, end: number): number {
  const isNumber = digitsOfInstant.test(bytes.toString('latin1', start, end));
  return isNumber ? instantOfNumber(numberIn(bytes, start, end)) : Number.NaN;
}

const places = 2048;
/** Longer texts rarely repeat. */
export const maxCachedLength = 64;

/**
 * Decodes bytes into text, with a cache: records repeat their departments, titles and states, and the names in their
 * objects.
 */
export class TextCache {
  private readonly texts: string[] = new Array(places).fill('');
  /** The bytes of the text in slot s begin at `s * maxCachedLength`. */
  private readonly spelled = Buffer.alloc(places * maxCachedLength);
  private readonly lengths = new Uint8Array(places);

  /** @param decode decodes bytes that are not cached */
  constructor(private readonly decode: (bytes: Buffer, start: number, end: number) => string) {}

  textOf(bytes: Buffer, start: number, end: number): string {
    const length = end - start;
    if (length === 0) return '';
    if (length > maxCachedLength) return this.decode(bytes, start, end);
    let hash = length;
    for (let i = start; i < end; i += 1) hash = (Math.imul(hash, 31) + (bytes[i] as number)) | 0;
    const place = (hash ^ (hash >>> 13)) & (places - 1);
    const from = place * maxCachedLength;
    const { spelled } = this;
    if (this.lengths[place] === length) {
      let i = 0;
      while (i < length && spelled[from + i] === bytes[start + i]) i += 1;
      if (i === length) return this.texts[place] as string;
    }
    const text = this.decode(bytes, start, end);
    this.texts[place] = text;
    this.lengths[place] = length;
    bytes.copy(spelled, from, start, end);
    return text;
  }
}

/** JSON as received. */
export function spelled(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('utf8', start, end);
}

/** The text of a JSON string that is known to be valid, from the bytes between its quotes. */
export function unquoted(bytes: Buffer, start: number, end: number): string {
  const raw = bytes.toString('utf8', start, end);
  return raw.includes('\\') ? JSON.parse(`"${raw}"`) : raw;
}
