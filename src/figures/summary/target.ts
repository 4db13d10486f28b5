import type { Target } from '../../requests/request.js';
import {
  hasPace,
  hasPassed,
  lastDayOf,
  weeksOfPace,
  weeksUntil,
  windowOfPace,
} from '../../requests/target.js';
import { compact } from '../../requests/text.js';
import { formatCount, formatDayAndMonth, formatPercent, formatPlural } from '../format/values.js';
import type { FigureValue } from '../result.js';
import type { ResultWithFigures } from './request.js';

/** How far the main rate is from its target, in words. */
export interface FormattedTarget {
  /** Without a full stop: `Target 95% by 31 Dec 2026: 13 points to go`. */
  readonly distance: string;
  /** A sentence or two: the pace needed, the pace kept and where it leads, or why it cannot be told. Absent: it has none. */
  readonly pace?: string | undefined;
  /** Dates that are missing. */
  readonly notes: readonly string[];
}

/** Below this, too little has happened to tell a pace. */
const minWeeks = 3;
const minPeople = 20;

/** Undefined without a target, and where nothing was counted. */
export function formatTargetOf(result: ResultWithFigures): FormattedTarget | undefined {
  const { request, figures, report, requestedAt, asker, range } = result;
  const { target } = request;
  if (!target || figures.counted === 0 || figures.tooFew !== undefined) return undefined;
  const value = figures.figures.find(({ id }) => id === report.mainRate)?.value;
  const title = `Target ${formatGoal(target)}`;
  if (value?.kind !== 'rate' || value.whole <= 0)
    return { distance: `${title}: there is no rate to compare with it here`, notes: [] };
  const { zone } = range ?? asker;
  const distance = `${title}: ${formatDistance(target, value, hasPassed(target, requestedAt, zone))}`;
  if (!hasPace(request) || !figures.pace || !range || isReached(target, value))
    return { distance, notes: [] };
  const window = windowOfPace(range, requestedAt);
  const weeksLeft = weeksUntil(target, requestedAt, zone) ?? 0;
  if (weeksLeft === 0) return { distance, notes: [] };
  const { recent, undated, people } = figures.pace;
  const needed = missingFor(target, value) / weeksLeft;
  const need = `It needs ${formatWeekly(needed, true)} completions a week until then`;
  const tooLittle = compact(
    window.weeks < minWeeks && 'the range began less than three weeks ago',
    people < minPeople && `fewer than ${minPeople} people are in it`,
  )[0];
  if (tooLittle !== undefined)
    return { distance, pace: `${need}. Too little to tell the pace: ${tooLittle}.`, notes: [] };
  const kept = recent / window.weeks;
  const when = window.weeks < weeksOfPace ? 'since the range began' : 'in the last four weeks';
  return {
    distance,
    pace: `${need}, and had ${formatWeekly(kept)} a week ${when}, which leads to ${formatLead(target, value, kept * weeksLeft)}.`,
    notes: compact(
      undated > 0 &&
        `${formatPlural(undated, ['completed row has', 'completed rows have'])} no date, so the pace may be higher.`,
    ),
  };
}

/** The distance in few words, for a line: `13 points to 95% by 31 Dec 2026`, `95% reached`. */
export function formatShortTarget(result: ResultWithFigures): string | undefined {
  const { request, figures, report, requestedAt, asker, range } = result;
  const { target } = request;
  const value = figures.figures.find(({ id }) => id === report.mainRate)?.value;
  if (!target || value?.kind !== 'rate' || value.whole <= 0) return undefined;
  const goal = formatGoal(target);
  if (isReached(target, value)) return `${target.percent}% reached`;
  const points = formatPoints((100 * value.part) / value.whole - target.percent);
  return hasPassed(target, requestedAt, (range ?? asker).zone)
    ? `${points} short of ${goal}`
    : `${points} to ${goal}`;
}

type Rate = Extract<FigureValue, { kind: 'rate' }>;

/** `95%`, `95% by 31 Dec 2026` */
function formatGoal(target: Target): string {
  const last = lastDayOf(target);
  const number = last && Math.round(last.getTime() / dayMs);
  return compact(
    `${target.percent}%`,
    number !== undefined && `by ${formatDayAndMonth(number)} ${last?.getFullYear()}`,
  ).join(' ');
}

const dayMs = 86_400_000;

/** Sums of fractions may be off by this. */
const rounding = 1e-9;

function isReached({ percent }: Target, { part, whole }: Rate): boolean {
  return 100 * part >= percent * whole - rounding * whole;
}

/** How many more rows have to be completed. */
function missingFor({ percent }: Target, { part, whole }: Rate): number {
  return Math.max(0, Math.ceil((percent * whole) / 100 - rounding * whole) - part);
}

function formatDistance(target: Target, rate: Rate, isOver: boolean): string {
  const points = (100 * rate.part) / rate.whole - target.percent;
  const isThere = isReached(target, rate);
  const above = Math.abs(points) < rounding ? '' : `, ${formatPoints(points)} above`;
  if (isOver) {
    return isThere
      ? `that day has passed, and it is reached${above}`
      : `that day has passed, ${formatPoints(points)} short`;
  }
  return isThere ? `reached${above}` : `${formatPoints(points)} to go`;
}

/** `13 points`, `0.4 points`, `under 0.1 points`: never nothing. */
function formatPoints(points: number): string {
  const size = Math.abs(points);
  if (size < 0.05) return 'under 0.1 points';
  return formatPlural(size < 10 ? Math.round(size * 10) / 10 : Math.round(size), ['point', 'points']);
}

/** A number a week. What is needed is rounded up, so that it is enough. */
function formatWeekly(number: number, isNeeded = false): string {
  const step = number < 10 ? 10 : 1;
  const round = isNeeded ? Math.ceil(number * step - rounding) : Math.round(number * step);
  return number > 0 && round === 0 ? 'under 0.1' : formatCount(round / step);
}

/** `91%, 4 points short`; more than all is all. */
function formatLead(target: Target, { part, whole }: Rate, more: number): string {
  const lead = { part: Math.min(whole, part + more), whole };
  const percent = formatPercent(lead.part, whole);
  if (isReached(target, { kind: 'rate', ...lead })) return `${percent}, enough for the target`;
  return `${percent}, ${formatPoints((100 * lead.part) / whole - target.percent)} short`;
}
