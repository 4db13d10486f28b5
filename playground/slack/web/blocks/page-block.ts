import type { KnownBlock } from '@slack/types';
import type { SlackBlock } from '../../server/page-protocol.js';

/** The blocks as the page draws them. */
export type PageBlock = KnownBlock | DataVisualizationBlock;

/** The server lets only blocks through that have Slack's shape, so this is the one place that takes their word. */
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

/** The value of a series at a category, which its points name by label; undefined where the series has none. */
export function valueAt(series: Series, category: string): number | undefined {
  return series.data.find((point) => point.label === category)?.value;
}
