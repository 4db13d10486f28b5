import type { Chart, FiguresResult } from '../result.js';
import { distinctTexts, truncateText } from './text.js';
import { formatCount } from './values.js';

/** The most bars of a chart, or pairs of bars. A line has more points, which are in order of time. */
const maxBars = 5;

/** Fewer bars than this say no more than a line in words. */
const minBars = 3;

const maxNameLength = 60;

/** Longer titles are cut before the number of bars. */
const maxTitleLength = 50;

/** The chart of an answer. A chart with too few bars is one line of numbers instead. */
export interface FormattedVisual {
  /** Absent if the line is enough. */
  readonly chart?: Chart | undefined;
  /** `Overdue by content: Fire safety 24, First aid 3`: the chart in words. */
  readonly line: string;
}

/** Undefined where there is nothing to compare. */
export function formatVisual({ chart }: Pick<FiguresResult, 'chart'>): FormattedVisual | undefined {
  if (!chart) return undefined;
  const shown = firstBars(chart);
  const filled = shown.categories.filter((_, i) => shown.series.some(({ values }) => (values[i] ?? 0) !== 0));
  const isShare = shown.title.includes(percentTitle);
  if (filled.length === 0)
    return isShare ? { line: `${shown.title.replace(percentTitle, '')}: 0% in each` } : undefined;
  const line = formatLine(shown);
  return filled.length < minBars ? { line } : { chart: shown, line };
}

/** The chart with as many bars as it may have. Its title says which they are, of how many in all. */
function firstBars(chart: Chart): Chart {
  const { title, shape, categories, series, some } = chart;
  const most = shape === 'line' ? categories.length : Math.min(maxBars, categories.length);
  const all = some?.of ?? categories.length;
  if (all <= most) return chart;
  const which = `, ${some?.which ?? 'top'} ${most} of ${formatCount(all)}`;
  return {
    ...chart,
    title: `${truncateText(title, maxTitleLength - which.length)}${which}`,
    categories: categories.slice(0, most),
    series: series.map(({ name, values }) => ({ name, values: values.slice(0, most) })),
  };
}

const percentTitle = ' (%)';

function formatLine({ title, categories, series }: Chart): string {
  const isShare = title.includes(percentTitle);
  const unit = isShare ? '%' : '';
  const [only] = series;
  const names = distinctTexts(categories, maxNameLength);
  const points = names.flatMap((name, i) => {
    const values = series.map(({ values }) => values[i] ?? 0);
    // A share of 0 is one of the lowest.
    if (!isShare && values.every((value) => value === 0)) return [];
    if (series.length < 2) return [`${name} ${formatCount(only?.values[i] ?? 0)}${unit}`];
    const each = series.map(
      ({ name: of }, at) => `${of.toLowerCase()} ${formatCount(values[at] ?? 0)}${unit}`,
    );
    return [`${name}: ${each.join(', ')}`];
  });
  return `${title.replace(percentTitle, '')}: ${points.join(series.length < 2 ? ', ' : '; ')}`;
}
