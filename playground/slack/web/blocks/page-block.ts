import type { KnownBlock } from '@slack/types';
import type { SlackBlock } from '../../server/page-protocol.js';

/** A block that the page renders. */
export type PageBlock = KnownBlock | DataVisualizationBlock;

/** The server has validated the blocks, so this cast is safe. */
export function pageBlocks(blocks: readonly SlackBlock[]): readonly PageBlock[] {
  return blocks as unknown as readonly PageBlock[];
}

/** The `data_visualization` block, which @slack/types doesn't have yet. */
export interface DataVisualizationBlock {
  type: 'data_visualization';
  block_id?: string;
  title: string;
  chart: PieChart | CartesianChart;
}

export interface PieChart {
  type: 'pie';
  segments: { label: string; value: number }[];
}

export interface CartesianChart {
  type: 'bar' | 'line' | 'area';
  series: Series[];
  axis_config: { categories: string[]; x_label?: string; y_label?: string };
}

export interface Series {
  name: string;
  data: { label: string; value: number }[];
}

/** The value of a series at a category; undefined if the series has none. */
export function valueAt(series: Series, category: string): number | undefined {
  return series.data.find((point) => point.label === category)?.value;
}
