import type { CartesianChart } from './chart-block.js';
import { type Axis, roughTextWidth, roundAxis, writeTick } from './scale.js';

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

const plotHeight = 180;

export function layOut(chart: CartesianChart, width: number): CartesianLayout {
  const { categories, x_label, y_label } = chart.axis_config;
  const axis = roundAxis(chart.series.flatMap((series) => series.data.map((point) => point.value)));
  const right = width - 10;
  const ofTicks = Math.max(...axis.ticks.map((tick) => roughTextWidth(writeTick(tick)))) + 14;
  const longest = Math.max(0, ...categories.map((category) => roughTextWidth(category)));
  const room = (right - ofTicks) / Math.max(1, categories.length) - 6;
  const wrapped = categories.map((category) => inTwoLines(category, room));
  const flat = wrapped.every((parts) => parts.every((part) => roughTextWidth(part) <= room));
  const lines = flat ? wrapped : categories.map((category) => [category]);
  // A slanted name reaches to the left of its category, the first one beyond the axis.
  const left = flat ? ofTicks : Math.max(ofTicks, longest * 0.82 - room / 2);
  const labelHeight = flat
    ? 9 + 13 * Math.max(1, ...lines.map((parts) => parts.length))
    : longest * 0.58 + 18;
  const top = y_label ? 30 : 14;
  const bottom = top + plotHeight;
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

/** A name that is too long for one line, parted at the blank that makes the two lines most alike. */
function inTwoLines(name: string, room: number): string[] {
  if (roughTextWidth(name) <= room) return [name];
  const middle = name.length / 2;
  const blanks = [...name.matchAll(/ /g)].map((match) => match.index);
  const best = blanks.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0];
  return best === undefined ? [name] : [name.slice(0, best), name.slice(best + 1)];
}

/** The middle of a category's band. */
export function middleOf(index: number, layout: CartesianLayout): number {
  return layout.left + layout.band * (index + 0.5);
}
