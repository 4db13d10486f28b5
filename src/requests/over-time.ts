import { ok, type Result, refused } from '../errors/failure.js';
import type { CalendarUnit } from '../time/calendar.js';

/** A unit that figures can be shown by. */
export type OverUnit = Exclude<CalendarUnit, 'year'>;

/** The last ended units that an answer shows one by one. */
export interface OverTime {
  readonly unit: OverUnit;
  readonly count: number;
}

/** One unit is no line, and a chart has room for this many points. */
export const minUnits = 2;
export const maxUnits = 20;

export const overUnits: readonly OverUnit[] = ['day', 'week', 'month', 'quarter'];

/** The options of answers over time. `against:` goes without `over:` too. */
export const overOptions = ['over', 'figure', 'against'] as const;

export type OverOption = (typeof overOptions)[number];

/** Why a value of `over:` is none, with the nearest one that is. */
interface OverRefusal {
  readonly reason: 'not-units' | 'count';
  readonly near: string | undefined;
}

/** Parses `12w`, in any case. */
export function parseOver(typed: string): Result<OverTime, OverRefusal> {
  const words = typed
    .trim()
    .toLowerCase()
    .replace(/^last[-\s]*/, '');
  const [, digits, letters = ''] = /^(\d{1,9})[-\s]*([a-z]*)$/.exec(words) ?? [];
  const unit = unitOf(letters);
  const count = Number(digits);
  if (digits === undefined || (letters !== '' && !unit && !/^y(?:ears?)?$/.test(letters)))
    return refused({ reason: 'not-units', near: undefined });
  if (!unit) {
    // Twelve of nothing are weeks, and years are quarters.
    const near: OverTime = letters === '' ? { unit: 'week', count } : { unit: 'quarter', count: count * 4 };
    return refused({ reason: 'not-units', near: formatOver(withinLimits(near)) });
  }
  const over = { unit, count };
  if (count < minUnits || count > maxUnits)
    return refused({ reason: 'count', near: formatOver(withinLimits(over)) });
  return typed.trim().toLowerCase() === formatOver(over)
    ? ok(over)
    : refused({ reason: 'not-units', near: formatOver(over) });
}

function unitOf(letters: string): OverUnit | undefined {
  return overUnits.find((unit) => letters === unit.charAt(0) || letters === unit || letters === `${unit}s`);
}

function withinLimits({ unit, count }: OverTime): OverTime {
  return { unit, count: Math.min(Math.max(count, minUnits), maxUnits) };
}

/** `12w` */
export function formatOver({ unit, count }: OverTime): string {
  return `${count}${unit.charAt(0)}`;
}

/** The units of a request's `over:`. @throws Error for words that are no units, which no request has */
export function unitsOf(over: string): OverTime {
  const parsed = parseOver(over);
  if (!parsed.ok) throw new Error(`There are no units ${over}`);
  return parsed.value;
}

/**
 * The range of all units together.
 *
 * @param isCohort true where rows are selected by assigned date: the newest unit has then been over for as long as it lasted
 */
export function rangeOfUnits({ unit, count }: OverTime, isCohort: boolean): string {
  return isCohort ? `${count}-${unit}s-before-last` : `last-${count}-${unit}s`;
}
