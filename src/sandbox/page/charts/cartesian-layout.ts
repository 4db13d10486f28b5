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
  /** Labels stand aslant when they don't fit side by side. */
  readonly slanted: boolean;
}

const plotHeight = 180;

export function layOut(chart: CartesianChart, width: number): CartesianLayout {
  const { categories, x_label, y_label } = chart.axis_config;
  const axis = roundAxis(chart.series.flatMap((series) => series.data.map((point) => point.value)));
  const left = Math.max(...axis.ticks.map((tick) => roughTextWidth(writeTick(tick)))) + 14;
  const right = width - 10;
  const band = (right - left) / Math.max(1, categories.length);
  const longest = Math.max(0, ...categories.map((category) => roughTextWidth(category)));
  const slanted = longest > band - 6;
  const labelHeight = slanted ? Math.min(96, longest * 0.6 + 16) : 22;
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
    band,
    slanted,
  };
}

/** The middle of a category's band. */
export function middleOf(index: number, layout: CartesianLayout): number {
  return layout.left + layout.band * (index + 0.5);
}
