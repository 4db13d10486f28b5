import { dayIn, daysFrom } from './row.js';

/** A record as plain values. */
export type Values = Readonly<Record<string, unknown>>;

/** `unread`: the value is missing, or cannot be read. */
type Outcome = 'met' | 'failed' | 'unread';

/** A condition, judged on the plain values of a row. */
export interface NaiveCondition {
  /** As typed after the report. */
  readonly words: string;
  readonly field: string;
  readonly judge: (row: Values) => Outcome;
  /** The same without one of its entries, for each entry; none where it has one. */
  readonly without: readonly ((row: Values) => Outcome)[];
}

/** When and where a question is asked. */
export interface Asked {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly zone: string;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  return typeof value === 'object' && Object.keys(value).length === 0;
}

const isDay = (value: unknown) => typeof value === 'string' && /^\s*\d{4}-\d\d-\d\d\s*$/.test(value);

/** Milliseconds of a value with a time; NaN where it is none. */
function momentOf(value: unknown): number {
  const text = typeof value === 'string' ? value.trim() : value;
  const number = typeof text === 'number' || /^\d+$/.test(String(text)) ? Number(text) : Number.NaN;
  if (Number.isNaN(number)) return Date.parse(String(text));
  return number < 1e11 ? number * 1000 : number;
}

/** The calendar day of a value in the zone; undefined where it is no date. */
export function dayOf(value: unknown, zone: string): string | undefined {
  const ms = momentOf(value);
  if (Number.isNaN(ms)) return undefined;
  return isDay(value) ? String(value).trim() : dayIn(zone, { ms, wholeDay: false });
}

/** A number, which a text may be too, also with a percent sign. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const text = typeof value === 'string' ? value.trim() : '';
  return /^-?\d+(\.\d+)?( ?%)?$/.test(text) ? Number(text.replace('%', '')) : undefined;
}

/** Whole days from a due date to now. */
export function daysSince(value: unknown, { now, zone }: Asked): number | undefined {
  const due = dayOf(value, zone);
  if (due === undefined) return undefined;
  if (isDay(value)) return daysFrom(due, dayIn(zone, { ms: now, wholeDay: false }));
  return Math.floor((now - momentOf(value)) / 86_400_000);
}

function namesIn(value: unknown): readonly string[] {
  if (isEmpty(value)) return [];
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value === 'object') return Object.values(value as object).flatMap(namesIn);
  const text = String(value).trim().toLowerCase();
  return [text, ...text.split(/[;,]/).map((part) => part.trim())].filter((name) => name !== '');
}

export const compare: Readonly<Record<string, (a: number | string, b: number | string) => boolean>> = {
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '=': (a, b) => a === b,
};

export function ofNumber(
  name: string,
  field: string,
  read: (row: Values) => number | undefined,
  sign: string,
  limit: number,
): NaiveCondition {
  const judge = (row: Values): Outcome => {
    const value = read(row);
    if (value === undefined) return 'unread';
    return compare[sign]?.(value, limit) ? 'met' : 'failed';
  };
  return { words: `${name}:${sign}${limit}`, field, judge, without: [] };
}

/** The first and the last day of ranges as they are on 20 November 2026, written by hand. */
const daysOfRange: Readonly<Record<string, readonly [string, string]>> = {
  'this-year': ['2026-01-01', '2026-12-31'],
  'last-30-days': ['2026-10-21', '2026-11-19'],
  '2026-11-20': ['2026-11-20', '2026-11-20'],
  '2026-Q3': ['2026-07-01', '2026-09-30'],
  '2026-03-29': ['2026-03-29', '2026-03-29'],
  'since:2026-11': ['2026-11-01', '9999-12-31'],
};

export const knownRanges = Object.keys(daysOfRange);

/** @param ranges several with `!` alone */
export function ofDate(field: string, sign: string, ranges: readonly string[], zone: string): NaiveCondition {
  const judgeBy =
    (chosen: readonly string[]) =>
    (row: Values): Outcome => {
      const value = dayOf(row[field], zone);
      if (value === undefined) return sign === '!' ? 'met' : 'unread';
      const spans = chosen.map((words) => daysOfRange[words] ?? ['', '']);
      const isIn = spans.some(([first, last]) => value >= first && value <= last);
      if (sign === '') return isIn ? 'met' : 'failed';
      if (sign === '!') return isIn ? 'failed' : 'met';
      const [first, last] = spans[0] ?? ['', ''];
      return compare[sign]?.(value, sign === '>' || sign === '<=' ? last : first) ? 'met' : 'failed';
    };
  return {
    words: `${field}:${sign}${ranges.join(',')}`,
    field,
    judge: judgeBy(ranges),
    without: leaveOneOut(ranges).map(judgeBy),
  };
}

/**
 * @param sign `!` or `=`
 * @param read the values that a row holds
 */
export function ofNames(
  field: string,
  sign: string,
  chosen: readonly string[],
  read = (row: Values): unknown => row[field],
): NaiveCondition {
  const judgeBy =
    (names: readonly string[]) =>
    (row: Values): Outcome => {
      const held = namesIn(read(row));
      if (held.length === 0) return sign === '!' ? 'met' : 'unread';
      const isHeld = names.some((name) => held.includes(name.toLowerCase()));
      return isHeld === (sign === '=') ? 'met' : 'failed';
    };
  return {
    words: `${field}:${sign}${chosen.map((name) => `"${name}"`).join(',')}`,
    field,
    judge: judgeBy(chosen),
    without: leaveOneOut(chosen).map(judgeBy),
  };
}

/** @param word `yes` or `no` */
export function ofYesNo(field: string, sign: string, word: string): NaiveCondition {
  const said = (value: unknown) => {
    if (['true', 'yes', '1'].includes(String(value).toLowerCase())) return 'yes';
    return ['false', 'no', '0'].includes(String(value).toLowerCase()) ? 'no' : undefined;
  };
  return { ...ofNames(field, sign, [word], (row) => said(row[field])), words: `${field}:${sign}${word}` };
}

/**
 * @param word `none` or `any`
 * @param read the values that a row holds, of which any is enough
 */
export function ofEmptiness(
  field: string,
  word: string,
  read = (row: Values): readonly unknown[] => [row[field]],
): NaiveCondition {
  const judge = (row: Values): Outcome => (read(row).every(isEmpty) === (word === 'none') ? 'met' : 'failed');
  return { words: `${field}:${word}`, field, judge, without: [] };
}

function leaveOneOut<Entry>(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  return entries.length < 2 ? [] : entries.map((_, out) => entries.filter((_, i) => i !== out));
}

export function meetsAll(row: Values, conditions: readonly Pick<NaiveCondition, 'judge'>[]): boolean {
  return conditions.every(({ judge }) => judge(row) === 'met');
}

/** By field: the rows that a missing value alone keeps out. */
export function unreadRows<Row extends Values>(
  rows: readonly Row[],
  conditions: readonly NaiveCondition[],
): ReadonlyMap<string, readonly Row[]> {
  const judged = rows.map((row) => conditions.map(({ judge }) => judge(row)));
  const fields = [...new Set(conditions.map(({ field }) => field))];
  return new Map(
    fields.map((field) => [
      field,
      rows.filter((_, i) => {
        const outcomes = judged[i] ?? [];
        return (
          outcomes.every((outcome) => outcome !== 'failed') &&
          outcomes.some((outcome, at) => outcome === 'unread' && conditions[at]?.field === field)
        );
      }),
    ]),
  );
}

/** The rows between a question and each neighbour: without a condition, or without an entry of one. */
export function rowsBetween<Row extends Values>(
  rows: readonly Row[],
  conditions: readonly NaiveCondition[],
): readonly (readonly Row[])[] {
  const neighbours = conditions.flatMap((one, at) => {
    const others = conditions.filter((_, i) => i !== at);
    return [others, ...one.without.map((judge) => [...others, { judge }])];
  });
  return neighbours.map((neighbour) =>
    rows.filter((row) => meetsAll(row, neighbour) !== meetsAll(row, conditions)),
  );
}
