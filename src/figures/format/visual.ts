import { fieldOf, reportNamed } from '../../catalogue/index.js';
import type { Breakdown, Chart, FiguresResult } from '../result.js';
import { displayText } from './text.js';
import { formatCount } from './values.js';

/** The most bars of a chart. A line has more points, which are in order of time. */
const maxBars = 5;

/** Fewer bars than this say no more than a line in words. */
const minBars = 3;

/** Longer names are cut. */
const maxNameLength = 60;

/** The chart of an answer. A chart with too few bars is one line of numbers instead. */
export interface FormattedVisual {
  /** Absent if the line is enough. */
  readonly chart?: Chart | undefined;
  /** `Overdue by content: Fire safety 24, First aid 3`: the chart in words. */
  readonly line: string;
}

/** Undefined where there is nothing to compare. */
export function formatVisual({ chart, breakdown, report }: FiguresResult): FormattedVisual | undefined {
  if (!chart) return undefined;
  const groups = chart.inTable && breakdown?.kind === 'groups' ? breakdown : undefined;
  const isByDay = groups !== undefined && fieldOf(reportNamed(report), groups.by)?.kind === 'date';
  const shown = isByDay ? { ...chart, shape: 'line' as const } : firstBars(chart, groups && linesOf(groups));
  const filled = shown.categories.filter((_, i) => shown.series.some(({ values }) => (values[i] ?? 0) !== 0));
  if (filled.length === 0) return undefined;
  const line = formatLine(shown);
  return filled.length < minBars ? { line } : { chart: shown, line };
}

/** How many lines a breakdown has. Groups that share a line are one. */
function linesOf({ rows, tails }: Breakdown): number | undefined {
  const together = rows.reduce((sum, { joined = 1 }) => sum + joined - 1, 0);
  return tails[0] && tails[0].groups - together;
}

/** The chart with as many bars as it may have. Its title says how many there are in all. */
function firstBars(chart: Chart, all = chart.categories.length): Chart {
  const { title, shape, categories, series } = chart;
  if (shape === 'line' || all <= maxBars) return chart;
  return {
    ...chart,
    title: `${title}, ${Math.min(maxBars, categories.length)} of ${formatCount(all)}`,
    categories: categories.slice(0, maxBars),
    series: series.map(({ name, values }) => ({ name, values: values.slice(0, maxBars) })),
  };
}

const percentTitle = ' (%)';

function formatLine({ title, categories, series }: Chart): string {
  const unit = title.includes(percentTitle) ? '%' : '';
  const [only] = series;
  const points = categories.flatMap((category, i) => {
    const values = series.map(({ values }) => values[i] ?? 0);
    if (values.every((value) => value === 0)) return [];
    const name = displayText(category, maxNameLength);
    if (series.length < 2) return [`${name} ${formatCount(only?.values[i] ?? 0)}${unit}`];
    const each = series.map(
      ({ name: of }, at) => `${of.toLowerCase()} ${formatCount(values[at] ?? 0)}${unit}`,
    );
    return [`${name}: ${each.join(', ')}`];
  });
  return `${title.replace(percentTitle, '')}: ${points.join(series.length < 2 ? ', ' : '; ')}`;
}
