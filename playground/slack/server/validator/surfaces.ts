import { plainBlocks, specialBlocks } from './blocks.js';
import {
  byType,
  type Check,
  isObject,
  lengthOf,
  list,
  only,
  type PayloadObject,
  type ReportRule,
} from './checks.js';
import { chartBlocks, tableBlocks } from './data-blocks.js';

interface Found {
  readonly block: PayloadObject;
  readonly at: string;
}

/** Rules that blocks can only break together: names that must differ, and counts and sums over the whole payload. */
export function validateWholePayload(
  blocks: readonly unknown[],
  at: string,
  surface: SurfaceName,
  say: ReportRule,
): void {
  const found = blocksWithin(blocks, at);
  checkCount(found, at, surface, say);
  checkBlockIds(found, say);
  for (const one of found) checkActionIds(one, say);
  checkFocus(found, surface, say);
  checkOnlyInModals(found, surface, say);
  if (surface === 'message') checkMessage(found, at, say);
}

/** The blocks in order, those inside containers after their container. */
function blocksWithin(blocks: readonly unknown[], at: string): readonly Found[] {
  return blocks.flatMap((block, index) => {
    if (!isObject(block)) return [];
    const here = { block, at: `${at}/${index}` };
    const inside = Array.isArray(block.child_blocks) ? block.child_blocks : [];
    return [here, ...blocksWithin(inside, `${here.at}/child_blocks`)];
  });
}

/** Slack does not say whether blocks inside containers count; here they do. */
function checkCount(found: readonly Found[], at: string, surface: SurfaceName, say: ReportRule) {
  const most = maxBlocksOn(surface);
  const onTop = found.filter((one) => !one.at.includes('/child_blocks/')).length;
  if (onTop <= most && found.length > most)
    say({ code: 'too_many', message: `no more than ${most} items allowed`, pointer: at });
}

function checkBlockIds(found: readonly Found[], say: ReportRule) {
  const seen = new Set<unknown>();
  for (const { block, at } of found) {
    if (block.block_id === undefined || block.type === 'markdown') continue;
    if (seen.has(block.block_id))
      say({ code: 'not_unique', message: 'block_id must be unique', pointer: `${at}/block_id` });
    seen.add(block.block_id);
  }
}

function checkActionIds({ block, at }: Found, say: ReportRule) {
  const seen = new Set<unknown>();
  for (const element of elementsOf(block, at)) {
    const id = element.block.action_id;
    if (id === undefined) continue;
    if (seen.has(id))
      say({
        code: 'not_unique',
        message: 'action_id must be unique within its block',
        pointer: `${element.at}/action_id`,
      });
    seen.add(id);
  }
}

/** The elements that a block holds, wherever it holds them. */
function elementsOf(block: PayloadObject, at: string): readonly Found[] {
  const lists = [
    ['elements', block.elements],
    ['actions', block.actions],
  ] as const;
  const singles = [
    ['element', block.element],
    ['accessory', block.accessory],
  ] as const;
  return [
    ...singles.flatMap(([name, one]) => (isObject(one) ? [{ block: one, at: `${at}/${name}` }] : [])),
    ...lists.flatMap(([name, many]) =>
      Array.isArray(many)
        ? many.flatMap((one, index) => (isObject(one) ? [{ block: one, at: `${at}/${name}/${index}` }] : []))
        : [],
    ),
  ];
}

function checkFocus(found: readonly Found[], surface: SurfaceName, say: ReportRule) {
  if (surface === 'message') return;
  const focused = found
    .flatMap(({ block, at }) => elementsOf(block, at))
    .filter((element) => element.block.focus_on_load === true);
  for (const { at } of focused.slice(1))
    say({ code: 'too_many', message: 'only one element may have it', pointer: `${at}/focus_on_load` });
}

function checkOnlyInModals(found: readonly Found[], surface: SurfaceName, say: ReportRule) {
  for (const { block, at } of found)
    for (const element of elementsOf(block, at)) {
      const inModalInput = surface === 'modal' && block.type === 'input';
      if (element.block.response_url_enabled !== undefined && !inModalInput)
        say({
          code: 'not_allowed_here',
          message: 'only in an input block of a modal',
          pointer: `${element.at}/response_url_enabled`,
        });
      // The app has not got the scope files:read, which a file_input needs.
      if (element.block.type === 'file_input')
        say({
          code: 'not_allowed_here',
          message:
            surface === 'modal'
              ? 'needs the scope files:read'
              : 'unsupported type: file_input outside a modal',
          pointer: element.at,
        });
    }
}

function checkMessage(found: readonly Found[], at: string, say: ReportRule) {
  const ofType = (type: string) => found.filter((one) => one.block.type === type);
  const refuseMore = (type: string, most: number, code: string) => {
    for (const { at: pointer } of ofType(type).slice(most))
      say({ code, message: `no more than ${most} ${type} block${most === 1 ? '' : 's'} allowed`, pointer });
  };
  const refuseLonger = (type: string, most: number, part: string) => {
    const sum = ofType(type).reduce((total, one) => total + readableLength(one.block[part]), 0);
    if (sum > most)
      say({
        code: 'too_long',
        message: `${type} blocks must be less than ${most + 1} characters together`,
        pointer: at,
      });
  };
  refuseMore('table', 1, 'only_one_table_allowed');
  refuseMore('data_visualization', 2, 'too_many');
  refuseLonger('table', 10_000, 'rows');
  refuseLonger('data_table', 20_000, 'rows');
  refuseLonger('markdown', 12_000, 'text');
}

/** Members that hold names, addresses and codes, which nobody reads. */
const unread = new Set([
  'type',
  'block_id',
  'action_id',
  'value',
  'url',
  'image_url',
  'style',
  'level',
  'width',
  'align',
  'format',
  'initial_date',
  'initial_time',
  'task_id',
  'status',
  'icon',
]);

/** Characters of all the text that people read in a payload, table cells and chart labels included. */
export function readableLength(value: unknown): number {
  if (typeof value === 'string') return lengthOf(value);
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + readableLength(item), 0);
  if (!isObject(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [name, member]) =>
      typeof member === 'string' && unread.has(name) ? sum : sum + readableLength(member),
    0,
  );
}

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

function maxBlocksOn(surface: SurfaceName): number {
  return mostBlocks[surface];
}
