import type { KnownBlock } from '@slack/types';
import type { SlackBlock } from '../../server/page-protocol.js';
import type { DataVisualizationBlock } from '../charts/chart-block.js';

/** The blocks as the page draws them. */
export type PageBlock = KnownBlock | DataVisualizationBlock;

/** The server lets only blocks through that have Slack's shape, so this is the one place that takes their word. */
export function pageBlocks(blocks: readonly SlackBlock[]): readonly PageBlock[] {
  return blocks as unknown as readonly PageBlock[];
}
