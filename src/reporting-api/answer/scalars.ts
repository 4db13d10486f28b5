import { Byte, skipDigits } from './json.js';

/** Powers of ten that a double holds exactly. */
const powersOfTen = Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));

/** True where the bytes are wholly a number, as a person or a spreadsheet writes it: `-5`, `+5`, `.5`, `5.`, `1e-7`. */
export function isWhollyNumber(bytes: Buffer, start: number, end: number): boolean {
  let i = start;
  if (bytes[i] === Byte.minus || bytes[i] === Byte.plus) i += 1;
  const whole = i;
  i = Math.min(end, skipDigits(bytes, i));
  let digits = i - whole;
  if (i < end && bytes[i] === Byte.dot) {
    const fraction = i + 1;
    i = Math.min(end, skipDigits(bytes, fraction));
    digits += i - fraction;
  }
  if (digits <= 0) return false;
  if (i < end && ((bytes[i] as number) | 0x20) === 0x65) {
    i += 1;
    if (bytes[i] === Byte.minus || bytes[i] === Byte.plus) i += 1;
    const exponent = i;
    i = Math.min(end, skipDigits(bytes, i));
    if (i <= exponent) return false;
  }
  return i === end;
}

/** The number that the bytes wholly are; NaN for anything else, and for one beyond what a double holds. */
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
