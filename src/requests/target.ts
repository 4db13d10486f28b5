import { addDays } from 'date-fns/addDays';
import { reportNamed } from '../catalogue/index.js';
import { ok, type Result, refused } from '../errors/failure.js';
import { type CalendarDay, startOfDay } from '../time/calendar.js';
import { hasDates, hasRangeForm, parseRangeWords } from './range-words.js';
import type { PartOfRequest, ResolvedRange, Target } from './request.js';

/** Why a text is no target. */
export type TargetRefusal =
  | 'not-a-percentage'
  /** More than 100 %, or nothing. */
  | 'out-of-reach'
  /** `0.95`, which may stand for 95 %. */
  | 'fraction'
  | 'not-a-date'
  /** `2026-02-30` */
  | 'no-such-date';

const targetForm = /^([+-]?\d{0,9}(?:\.\d{0,6})?)\s*(%|percent|pct)?\s*(?:(?:@|by\s)\s*(.*))?$/i;

/** Reads what stands after `target:`. `near`: the target that is meant. */
export function parseTarget(
  typed: string,
): Result<Target, { readonly reason: TargetRefusal; readonly near?: string }> {
  const withPoint = typed.trim().replace(/^(\d+),(\d+)/, '$1.$2');
  const [, number = '', sign, date] = targetForm.exec(withPoint) ?? [];
  if (!/\d/.test(number)) return refused({ reason: 'not-a-percentage' });
  const percent = Number(number);
  const by = date === undefined ? ok(undefined) : dateOf(date);
  const nearest = (value: number) => formatTarget({ percent: value, ...(by.ok && { by: by.value }) });
  if (percent <= 0 || percent > 100) return refused({ reason: 'out-of-reach' });
  if (percent < 1 && sign === undefined)
    return refused({ reason: 'fraction', near: nearest(Math.round(percent * 1e8) / 1e6) });
  if (!by.ok) return refused({ reason: by.refusal });
  // A decimal comma separates entries elsewhere, so the corrected command has a point.
  if (withPoint !== typed.trim()) return refused({ reason: 'not-a-percentage', near: nearest(percent) });
  return ok(by.value === undefined ? { percent } : { percent, by: by.value });
}

function dateOf(typed: string): Result<string, 'not-a-date' | 'no-such-date'> {
  const parsed = parseRangeWords(typed);
  if (!parsed.ok) return refused(hasRangeForm(typed) ? 'no-such-date' : 'not-a-date');
  const { words, meaning } = parsed.value;
  return meaning.kind === 'span' && meaning.unit !== undefined ? ok(words) : refused('not-a-date');
}

/** `95%@2026-12-31` */
export function formatTarget({ percent, by }: Target): string {
  return by === undefined ? `${percent}%` : `${percent}%@${by}`;
}

/** The last day of a target; undefined where it has no date. */
export function lastDayOf({ by }: Target): CalendarDay | undefined {
  const parsed = by === undefined ? undefined : parseRangeWords(by);
  return parsed?.ok && parsed.value.meaning.kind === 'span' ? parsed.value.meaning.last : undefined;
}

/** Where the last day of a target ends in a zone, in epoch seconds; undefined where it has no date. */
export function endOfTarget(target: Target, zone: string): number | undefined {
  const last = lastDayOf(target);
  return last && startOfDay(addDays(last, 1), zone);
}

/** True once the last day of a target is over in the zone. */
export function hasPassed(target: Target, nowMs: number, zone: string): boolean {
  const end = endOfTarget(target, zone);
  return end !== undefined && end * 1000 <= nowMs;
}

const weekSeconds = 7 * 24 * 60 * 60;

/** The pace that is kept is that of so many weeks. */
export const weeksOfPace = 4;

/**
 * True where a target has a pace: a date to reach, a rate of completed rows, and a range that is the same tomorrow. In
 * a range that moves on, completed rows drop out.
 */
export function hasPace({ report, target, range }: PartOfRequest): boolean {
  const isOfCompletions = reportNamed(report).mainRate === 'completion-rate';
  return target?.by !== undefined && isOfCompletions && range !== undefined && hasDates(range);
}

/**
 * The last four weeks, up to now, or what there is of them since the range began.
 *
 * @returns epoch seconds, `[since, until)`, and the number of weeks between them
 */
export function windowOfPace({ from }: Pick<ResolvedRange, 'from'>, nowMs: number) {
  const now = Math.floor(nowMs / 1000);
  const since = Math.max(now - weeksOfPace * weekSeconds, from);
  return { since, until: now + 1, weeks: (now - since) / weekSeconds };
}

/** The weeks from now until the end of a target; 0 once it has passed. Undefined without a date. */
export function weeksUntil(target: Target, nowMs: number, zone: string): number | undefined {
  const end = endOfTarget(target, zone);
  return end === undefined ? undefined : Math.max(0, end - nowMs / 1000) / weekSeconds;
}

/** Why a target cannot be asked for any more, and what to do; undefined where it can. */
export function passedTargetRefusal(
  target: Target | undefined,
  nowMs: number,
  zone: string,
): string | undefined {
  if (!target?.by || !hasPassed(target, nowMs, zone)) return undefined;
  return `The target's date, ${target.by}, has passed. Choose a later date, or leave it out.`;
}
