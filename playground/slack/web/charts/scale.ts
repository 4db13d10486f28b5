import type { CartesianChart } from '../blocks/page-block.js';

/** Where everything of a chart with two axes goes, in pixels. */
export interface CartesianLayout {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly axis: Axis;
  /** Width of one category's share of the chart. */
  readonly band: number;
  /** The categories' names stand aslant when not even two lines of each fit side by side. */
  readonly slanted: boolean;
  /** The lines of each category's name. */
  readonly lines: readonly (readonly string[])[];
}

/** Few categories need little height, so that an answer and its buttons fit on a screen. */
const plotHeights = { few: 84, many: 160 } as const;
const fewCategories = 7;

export function layOut(chart: CartesianChart, width: number): CartesianLayout {
  const { categories, x_label, y_label } = chart.axis_config;
  const axis = roundAxis(chart.series.flatMap((series) => series.data.map((point) => point.value)));
  const right = width - 10;
  const ofTicks = Math.max(...axis.ticks.map((tick) => estimateTextWidth(formatTick(tick)))) + 14;
  const short = shortened(categories);
  const longest = Math.max(0, ...short.map((name) => estimateTextWidth(name)));
  const room = (right - ofTicks) / Math.max(1, categories.length) - 6;
  const wrapped = categories.map((category) => inTwoLines(category, room));
  const flat = wrapped.every((parts) => parts.every((part) => estimateTextWidth(part) <= room));
  const lines = flat ? wrapped : short.map((name) => [name]);
  // A slanted name reaches to the left of its category, the first one beyond the axis.
  const left = flat ? ofTicks : Math.max(ofTicks, longest * 0.82 - room / 2);
  const labelHeight = flat
    ? 9 + 13 * Math.max(1, ...lines.map((parts) => parts.length))
    : longest * 0.58 + 18;
  const top = y_label ? 30 : 14;
  const bottom = top + (categories.length > fewCategories ? plotHeights.many : plotHeights.few);
  return {
    width,
    height: bottom + labelHeight + (x_label ? 20 : 0),
    left,
    right,
    top,
    bottom,
    axis,
    band: (right - left) / Math.max(1, categories.length),
    slanted: !flat,
    lines,
  };
}

const maxSlantedCharacters = 14;

/** Names that stand aslant, cut where they still differ. Long ones would take more height than the bars. */
function shortened(names: readonly string[]): readonly string[] {
  const short = names.map((name) =>
    name.length > maxSlantedCharacters ? `${name.slice(0, maxSlantedCharacters - 1).trimEnd()}…` : name,
  );
  return new Set(short).size === names.length ? short : names;
}

/** A name that is too long for one line, parted at the blank that makes the two lines most alike. */
function inTwoLines(name: string, room: number): string[] {
  if (estimateTextWidth(name) <= room) return [name];
  const middle = name.length / 2;
  const blanks = [...name.matchAll(/ /g)].map((match) => match.index);
  const best = blanks.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0];
  return best === undefined ? [name] : [name.slice(0, best), name.slice(best + 1)];
}

/** The middle of a category's band. */
export function middleOf(index: number, layout: CartesianLayout): number {
  return layout.left + layout.band * (index + 0.5);
}

/** An axis: its ends and the values worth a line across the chart, all in the data's own unit. */
export interface Axis {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
}

/** An axis over the values with round ticks, about `count` of them. It always includes zero, so that lengths are comparable. */
export function roundAxis(values: readonly number[], count = 4): Axis {
  const least = Math.min(0, ...values);
  const greatest = Math.max(0, ...values);
  // Differences this small are rounding noise, so the axis treats the values as equal.
  const most = greatest - least > 1e-9 ? greatest : least + 1;
  const step = roundStep((most - least) / count, values.every(Number.isInteger));
  const low = Math.floor(least / step) * step;
  const high = Math.ceil(most / step) * step;
  const steps = Math.round((high - low) / step);
  const ticks = Array.from({ length: steps + 1 }, (_, index) => Number((low + index * step).toPrecision(12)));
  return { low, high, ticks };
}

/** The nearest of 1, 2, 2.5, 5 and their tenfolds that is not smaller; a whole one where the values count things. */
function roundStep(rough: number, whole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const steps = [1, 2, 2.5, 5, 10].map((factor) => factor * power);
  const fits = steps.find((step) => rough <= step * 1.0001 && (!whole || Number.isInteger(step)));
  return fits ?? Math.max(1, 10 * power);
}

/** Maps a value to pixels between two ends. */
export function scaleToPixels(value: number, axis: Axis, bottom: number, top: number): number {
  return bottom + ((value - axis.low) / (axis.high - axis.low)) * (top - bottom);
}

const exact = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 });

export function formatValue(value: number): string {
  return exact.format(value);
}

export function formatTick(value: number): string {
  return Math.abs(value) >= 10_000 ? compact.format(value) : exact.format(value);
}

/** Approximate width of a label in pixels, to decide whether labels fit. */
export function estimateTextWidth(text: string, fontSize = 11): number {
  return [...text].length * fontSize * 0.56;
}

/** SVG path of a slice between two fractions of the circle, clockwise from the top, around the origin. */
export function slicePath(from: number, to: number, radius: number, hole: number): string {
  if (to - from >= 0.99999) {
    return `${ring(radius, 1)} ${ring(hole, 0)}`;
  }
  const large = to - from > 0.5 ? 1 : 0;
  return [
    `M ${at(from, radius)}`,
    `A ${radius} ${radius} 0 ${large} 1 ${at(to, radius)}`,
    `L ${at(to, hole)}`,
    `A ${hole} ${hole} 0 ${large} 0 ${at(from, hole)}`,
    'Z',
  ].join(' ');
}

function ring(radius: number, sweep: 0 | 1): string {
  return `M 0 ${-radius} A ${radius} ${radius} 0 1 ${sweep} 0 ${radius} A ${radius} ${radius} 0 1 ${sweep} 0 ${-radius} Z`;
}

function at(fraction: number, radius: number): string {
  const angle = fraction * 2 * Math.PI;
  return `${round(Math.sin(angle) * radius)} ${round(-Math.cos(angle) * radius)}`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
