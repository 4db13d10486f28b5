import { hashText } from '../../../src/figures/hash.js';
import type { MemberView, RecordView } from '../../../src/figures/record-view.js';
import { PlainNumber, PlainObject, type PlainValue, parsePlainJson } from './plain-json.js';

/**
 * A simple `RecordView` over plain values: for tests of code that reads records, and to compare with the fast view.
 *
 * @param fields the flags in the order of the view's indexes
 * @param record a record as an object that JSON can hold, or as `parsePlainJson` gave it
 */
export function plainRecord(fields: readonly string[], record: object): RecordView {
  const plain = record instanceof PlainObject ? record : parsePlainJson(JSON.stringify(record));
  const values = fields.map((flag) => (plain instanceof PlainObject ? plain.get(flag) : undefined) ?? null);
  const value = (field: number) => values[field] ?? null;
  return {
    isMissing: (field) => isMissing(value(field)),
    isText: (field) => typeof value(field) === 'string',
    number: (field) => numberOf(value(field)),
    instant: (field) => instantOf(value(field)),
    isDayOnly: (field) => isDayOnly(value(field)),
    yesOrNo: (field) => yesOrNo(value(field)),
    text: (field) => textOf(value(field)),
    hashText: (field, inLowerCase) => {
      const text = textOf(value(field))?.trim();
      hashText((inLowerCase ? text?.toLowerCase() : text) ?? '');
      return text !== undefined;
    },
    entries: (field) => entriesOf(value(field)),
    rawList: () => undefined,
    member: (field, name) => memberView(value(field), name),
  };
}

function memberView(owner: PlainValue, name: string): MemberView {
  const value = (owner instanceof PlainObject ? owner.get(name) : undefined) ?? null;
  return {
    instant: () => instantOf(value),
    isDayOnly: () => isDayOnly(value),
    text: () => textOf(value),
  };
}

function isMissing(value: PlainValue): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.length === 0;
  return value === null || (value instanceof PlainObject && value.members.length === 0);
}

/** The text of a number or a trimmed text; undefined for other values. */
function scalarText(value: PlainValue): string | undefined {
  if (value instanceof PlainNumber) return value.text;
  return typeof value === 'string' ? value.trim() : undefined;
}

function numberOf(value: PlainValue): number {
  const text = scalarText(value) ?? '';
  const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : Number.NaN;
}

const isoText =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)? ?([Zz]|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?$/;

function instantOf(value: PlainValue): number {
  const text = scalarText(value) ?? '';
  const digits = value instanceof PlainNumber || /^-?\d+(?:\.\d+)?$/.test(text);
  if (digits) {
    const number = Number(text);
    if (!Number.isFinite(number)) return Number.NaN;
    return Math.trunc(Math.abs(number) < 100_000_000_000 ? number * 1000 : number);
  }
  const parts = isoText.exec(text);
  if (!parts) return Number.NaN;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((p) => Number(p ?? 0));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return Number.NaN;
  if (hour > 24 || minute > 59 || second > 60) return Number.NaN;
  if (hour === 24 && (minute > 0 || second > 0 || Number(parts[7] ?? 0) > 0)) return Number.NaN;
  const fraction = Math.floor(Number(`0.${(parts[7] ?? '').slice(0, 3) || 0}`) * 1000 + 1e-6);
  const offset = offsetMinutes(parts[8]);
  return date.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000 + fraction;
}

/** Minutes east of UTC; NaN for an offset that does not exist. */
function offsetMinutes(text: string | undefined): number {
  if (text === undefined || !/^[+-]/.test(text)) return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(':', '') || 0);
  if (hours > 23 || minutes > 59) return Number.NaN;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

function isDayOnly(value: PlainValue): boolean {
  return (
    typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value.trim()) && !Number.isNaN(instantOf(value))
  );
}

function yesOrNo(value: PlainValue): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = (scalarText(value) ?? '').toLowerCase();
  if (text === 'true' || text === 'yes') return true;
  if (text === 'false' || text === 'no') return false;
  const number = numberOf(value);
  return number === 1 ? true : number === 0 ? false : undefined;
}

/** The text of an object: its title, else its name, else its ID. */
function textOf(value: PlainValue): string | undefined {
  if (isMissing(value)) return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (value instanceof PlainNumber) return value.text;
  if (value instanceof PlainObject) {
    for (const name of ['title', 'name', 'id']) {
      const known = value.get(name) ?? null;
      const scalar = typeof known !== 'object' || known instanceof PlainNumber;
      if (scalar && !isMissing(known)) return textOf(known);
    }
    return undefined;
  }
  const entries = entriesOf(value);
  return entries.length > 0 ? entries.join('; ') : undefined;
}

function entriesOf(value: PlainValue): string[] {
  const all: readonly PlainValue[] = Array.isArray(value) ? value : [value];
  return all.map(textOf).filter((text) => text !== undefined);
}
