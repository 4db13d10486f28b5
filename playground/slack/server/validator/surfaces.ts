import { chartBlocks } from './chart.js';
import { byType, type Check, list, only } from './checks.js';
import { plainBlocks } from './plain-blocks.js';
import { specialBlocks } from './special-blocks.js';
import { tableBlocks } from './tables.js';

export type SurfaceName = 'message' | 'modal' | 'home';

const all: Readonly<Record<string, Check>> = {
  ...plainBlocks,
  ...specialBlocks,
  ...tableBlocks,
  ...chartBlocks,
};

const everywhere = [
  'actions',
  'context',
  'divider',
  'header',
  'image',
  'input',
  'rich_text',
  'section',
  'video',
];

/** Where sources disagree about a surface, the block is allowed only where none of them doubts it. */
const onSurface: Readonly<Record<SurfaceName, Readonly<Record<string, Check>>>> = {
  message: only(
    all,
    ...everywhere,
    'card',
    'carousel',
    'container',
    'context_actions',
    'data_table',
    'data_visualization',
    'file',
    'markdown',
    'plan',
    'table',
    'task_card',
  ),
  modal: only(all, ...everywhere, 'alert'),
  home: only(all, ...everywhere, 'card', 'carousel', 'container'),
};

const mostBlocks: Readonly<Record<SurfaceName, number>> = { message: 50, modal: 100, home: 100 };

/** Checks a list of blocks, each in itself. What they break together is in `together.ts`. */
export function blocksOn(surface: SurfaceName): Check {
  return list(
    byType(() => onSurface[surface]),
    { max: mostBlocks[surface] },
  );
}

export function mostBlocksOn(surface: SurfaceName): number {
  return mostBlocks[surface];
}
