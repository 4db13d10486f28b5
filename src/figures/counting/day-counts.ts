import { formatDayAndMonth, formatMonth } from '../format/values.js';
import type { Chart } from '../result.js';
import { dayMs, dayOfDateOnly } from './dates.js';

/** Maximum different days: more than a century. */
const maxDays = 40_000;

/** A chart has room for this many points. */
const maxPoints = 20;

export class DayCounts {
  private readonly counts = new Map<number, number>();

  /** @param day days since 1 January 1970 */
  add(day: number, count = 1): void {
    const known = this.counts.get(day);
    if (known === undefined && this.counts.size >= maxDays) return;
    this.counts.set(day, (known ?? 0) + count);
  }

  merge({ counts }: DayCounts): void {
    for (const [day, count] of counts) this.add(day, count);
  }

  /**
   * Points over time by day, week, month or year: the finest step that fits into a chart. No points if fewer than two.
   *
   * @param range the requested days, both ends included; the chart covers all of them when every day lies inside
   */
  chart(
    title: string,
    name: string,
    range: readonly [first: number, last: number] | undefined,
  ): Chart | undefined {
    const days = [...this.counts.keys()].sort((a, b) => a - b);
    const [[earliest], latest] = [days, days.at(-1)];
    if (earliest === undefined || latest === undefined) return undefined;
    const [first, last] = range && range[0] <= earliest && latest <= range[1] ? range : [earliest, latest];
    const step = steps.find(({ keyOf }) => keysBetween(first, last, keyOf).length <= maxPoints);
    if (!step) return undefined;
    const keys = keysBetween(first, last, step.keyOf);
    if (keys.length < 2) return undefined;
    const sums = new Map(keys.map((key): [number, number] => [key, 0]));
    for (const [day, count] of this.counts) {
      const key = step.keyOf(day);
      sums.set(key, (sums.get(key) ?? 0) + count);
    }
    // A range that begins within a week has only the rest of that week.
    const begin = range?.[0] === first ? first : Number.NEGATIVE_INFINITY;
    return {
      title: `${title} ${step.words}`,
      shape: 'line',
      categories: keys.map((key) => step.label(Math.max(key, begin))),
      series: [{ name, values: keys.map((key) => sums.get(key) ?? 0) }],
      inTable: false,
    };
  }
}

interface Step {
  readonly words: string;
  /** The day that stands for the whole step. */
  readonly keyOf: (day: number) => number;
  readonly label: (key: number) => string;
}

const steps: readonly Step[] = [
  { words: 'by day', keyOf: (day) => day, label: formatDayAndMonth },
  {
    words: 'by week',
    // 1 January 1970 was a Thursday.
    keyOf: (day) => day - ((((day + 3) % 7) + 7) % 7),
    label: (day) => `from ${formatDayAndMonth(day)}`,
  },
  {
    words: 'by month',
    keyOf: (day) => firstOf(day, (date) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)),
    label: formatMonth,
  },
  {
    words: 'by year',
    keyOf: (day) => firstOf(day, (date) => Date.UTC(date.getUTCFullYear(), 0, 1)),
    label: (day) => String(new Date(day * dayMs).getUTCFullYear()),
  },
];

function firstOf(day: number, first: (date: Date) => number): number {
  return dayOfDateOnly(first(new Date(day * dayMs)));
}

/** The keys of all days between, each once. Stops soon after the maximum of a chart. */
function keysBetween(first: number, last: number, keyOf: (day: number) => number): number[] {
  const keys: number[] = [];
  for (let day = first; day <= last && keys.length <= maxPoints; day++) {
    const key = keyOf(day);
    if (keys.at(-1) !== key) keys.push(key);
  }
  return keys;
}
