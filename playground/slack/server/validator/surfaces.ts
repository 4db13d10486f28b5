import { plainBlocks, specialBlocks } from './blocks.js';
import {
  byType,
  type Check,
  isObject,
  lengthOf,
  list,
  only,
  type PayloadObject,
  type ReportViolation,
} from './checks.js';
import { chartBlocks, tableBlocks } from './data-blocks.js';

interface LocatedBlock {
  readonly block: PayloadObject;
  readonly pointer: string;
}

/** Rules about the whole payload: unique IDs, counts and sums. */
export function validateWholePayload(
  blocks: readonly unknown[],
  pointer: string,
  surface: SurfaceName,
  report: ReportViolation,
): void {
  const found = blocksWithin(blocks, pointer);
  checkCount(found, pointer, surface, report);
  checkBlockIds(found, report);
  for (const one of found) checkActionIds(one, report);
  checkFocus(found, surface, report);
  checkOnlyInModals(found, surface, report);
  if (surface === 'message') checkMessage(found, pointer, report);
}

/** The blocks in order. Blocks inside a container follow it. */
function blocksWithin(blocks: readonly unknown[], pointer: string): readonly LocatedBlock[] {
  return blocks.flatMap((block, index) => {
    if (!isObject(block)) return [];
    const here = { block, pointer: `${pointer}/${index}` };
    const inside = Array.isArray(block.child_blocks) ? block.child_blocks : [];
    return [here, ...blocksWithin(inside, `${here.pointer}/child_blocks`)];
  });
}

/** Blocks inside containers count too; Slack does not document this. */
function checkCount(
  found: readonly LocatedBlock[],
  pointer: string,
  surface: SurfaceName,
  report: ReportViolation,
) {
  const most = maxBlocksOn(surface);
  const onTop = found.filter((one) => !one.pointer.includes('/child_blocks/')).length;
  if (onTop <= most && found.length > most)
    report({ code: 'too_many', message: `no more than ${most} items allowed`, pointer });
}

function checkBlockIds(found: readonly LocatedBlock[], report: ReportViolation) {
  const seen = new Set<unknown>();
  for (const { block, pointer } of found) {
    if (block.block_id === undefined || block.type === 'markdown') continue;
    if (seen.has(block.block_id))
      report({ code: 'not_unique', message: 'block_id must be unique', pointer: `${pointer}/block_id` });
    seen.add(block.block_id);
  }
}

function checkActionIds({ block, pointer }: LocatedBlock, report: ReportViolation) {
  const seen = new Set<unknown>();
  for (const element of elementsOf(block, pointer)) {
    const id = element.block.action_id;
    if (id === undefined) continue;
    if (seen.has(id))
      report({
        code: 'not_unique',
        message: 'action_id must be unique within its block',
        pointer: `${element.pointer}/action_id`,
      });
    seen.add(id);
  }
}

/** The elements of a block. */
function elementsOf(block: PayloadObject, pointer: string): readonly LocatedBlock[] {
  const lists = [
    ['elements', block.elements],
    ['actions', block.actions],
  ] as const;
  const singles = [
    ['element', block.element],
    ['accessory', block.accessory],
  ] as const;
  return [
    ...singles.flatMap(([name, one]) =>
      isObject(one) ? [{ block: one, pointer: `${pointer}/${name}` }] : [],
    ),
    ...lists.flatMap(([name, many]) =>
      Array.isArray(many)
        ? many.flatMap((one, index) =>
            isObject(one) ? [{ block: one, pointer: `${pointer}/${name}/${index}` }] : [],
          )
        : [],
    ),
  ];
}

function checkFocus(found: readonly LocatedBlock[], surface: SurfaceName, report: ReportViolation) {
  if (surface === 'message') return;
  const focused = found
    .flatMap(({ block, pointer }) => elementsOf(block, pointer))
    .filter((element) => element.block.focus_on_load === true);
  for (const { pointer } of focused.slice(1))
    report({
      code: 'too_many',
      message: 'only one element may have it',
      pointer: `${pointer}/focus_on_load`,
    });
}

function checkOnlyInModals(found: readonly LocatedBlock[], surface: SurfaceName, report: ReportViolation) {
  for (const { block, pointer } of found)
    for (const element of elementsOf(block, pointer)) {
      const inModalInput = surface === 'modal' && block.type === 'input';
      if (element.block.response_url_enabled !== undefined && !inModalInput)
        report({
          code: 'not_allowed_here',
          message: 'only in an input block of a modal',
          pointer: `${element.pointer}/response_url_enabled`,
        });
      // file_input needs the scope files:read, which the app lacks.
      if (element.block.type === 'file_input')
        report({
          code: 'not_allowed_here',
          message:
            surface === 'modal'
              ? 'needs the scope files:read'
              : 'unsupported type: file_input outside a modal',
          pointer: element.pointer,
        });
    }
}

function checkMessage(found: readonly LocatedBlock[], pointer: string, report: ReportViolation) {
  const ofType = (type: string) => found.filter((one) => one.block.type === type);
  const refuseMore = (type: string, most: number, code: string) => {
    for (const { pointer } of ofType(type).slice(most))
      report({
        code,
        message: `no more than ${most} ${type} block${most === 1 ? '' : 's'} allowed`,
        pointer,
      });
  };
  const refuseLonger = (type: string, most: number, part: string) => {
    const sum = ofType(type).reduce((total, one) => total + readableLength(one.block[part]), 0);
    if (sum > most)
      report({
        code: 'too_long',
        message: `${type} blocks must be less than ${most + 1} characters together`,
        pointer,
      });
  };
  refuseMore('table', 1, 'only_one_table_allowed');
  refuseMore('data_visualization', 2, 'too_many');
  refuseLonger('table', 10_000, 'rows');
  refuseLonger('data_table', 20_000, 'rows');
  refuseLonger('markdown', 12_000, 'text');
}

/** Members with IDs, URLs and codes, which are not readable text. */
const ignoredMembers = new Set([
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

/** Number of readable characters in a payload, including table cells and chart labels. */
export function readableLength(value: unknown): number {
  if (typeof value === 'string') return lengthOf(value);
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + readableLength(item), 0);
  if (!isObject(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [name, member]) =>
      typeof member === 'string' && ignoredMembers.has(name) ? sum : sum + readableLength(member),
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

/** If sources disagree about a surface, the block is not allowed there. */
const blocksBySurface: Readonly<Record<SurfaceName, Readonly<Record<string, Check>>>> = {
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

const maxBlocks: Readonly<Record<SurfaceName, number>> = { message: 50, modal: 100, home: 100 };

/** Validates each block of a list. `validateWholePayload` has the rules across blocks. */
export function blocksOn(surface: SurfaceName): Check {
  return list(
    byType(() => blocksBySurface[surface]),
    { max: maxBlocks[surface] },
  );
}

function maxBlocksOn(surface: SurfaceName): number {
  return maxBlocks[surface];
}
