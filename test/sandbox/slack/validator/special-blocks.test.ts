import { describe, expect, test } from 'vitest';
import { validateBlocks } from '../../../../src/sandbox/slack/validator/validate.js';
import * as make from './samples.js';

const { button, cell, chars, fewest, longest, many, most, mrkdwn, plain, section } = make;
const rich = { type: 'rich_text', elements: [] };
const container = (more: object = {}) => ({
  type: 'container',
  title: plain('x'),
  child_blocks: [section()],
  ...more,
});
const card = (more: object) => ({ type: 'card', ...more });
const taskCard = (more: object = {}) => ({
  type: 'task_card',
  task_id: '1',
  title: 'x',
  status: 'pending',
  ...more,
});
const icon = (index: number, more: object = {}) => ({
  type: 'icon_button',
  action_id: `a${index}`,
  icon: 'trash',
  text: plain('x'),
  ...more,
});
const inContextActions = (...elements: object[]) => ({ type: 'context_actions', elements });
const oneCell = (value: object) => ({ type: 'table', rows: [[value]] });
const rawNumber = (more: object = {}) => ({ type: 'raw_number', value: 0, text: '0', ...more });
const settings = (...column_settings: unknown[]) => make.table(1, 1, { column_settings });
const dataTable = (more: object, columns = 1) => make.dataTable(2, columns, more);
const pie = (more: object) => make.pie([make.segment(1, more)]);
const line = (labels: string[], name = 'S') => ({ name, data: make.points(labels) });
const names = (count: number) => many(count, (index) => `C${index}`);
const chart = '/blocks/0/chart';

const rules: readonly make.Rule[] = [
  most('table rows', 100, (count) => make.table(count, 1), '/blocks/0/rows'),
  fewest('table rows', 1, (count) => make.table(count, 1), '/blocks/0/rows'),
  most('cells of a row', 20, (count) => make.table(1, count), '/blocks/0/rows/0'),
  fewest('cells of a row', 1, (count) => make.table(1, count), '/blocks/0/rows/0'),
  longest('table characters', 10_000, (text) => oneCell(cell(text)), '/blocks'),
  ['in a cell', oneCell(rawNumber()), oneCell(mrkdwn('x')), 'not_allowed_here /blocks/0/rows/0/0'],
  ['text of a cell', oneCell(rich), oneCell(cell('')), 'too_short /blocks/0/rows/0/0/text'],
  [
    'number of a cell',
    oneCell(rawNumber()),
    oneCell(rawNumber({ value: '0' })),
    'wrong_type /blocks/0/rows/0/0/value',
  ],
  [
    'number needs text',
    oneCell(rawNumber()),
    oneCell(rawNumber({ text: undefined })),
    'missing /blocks/0/rows/0/0',
  ],
  most('column settings', 20, (count) => settings(...many(count, () => ({}))), '/blocks/0/column_settings'),
  [
    'alignment',
    settings({ align: 'right' }),
    settings({ align: 'middle' }),
    'not_one_of /blocks/0/column_settings/0/align',
  ],
  ['no null among settings', settings({}), settings(null), 'wrong_type /blocks/0/column_settings/0'],
  most('data table rows', 201, (count) => make.dataTable(count, 1), '/blocks/0/rows'),
  fewest('data table rows', 2, (count) => make.dataTable(count, 1), '/blocks/0/rows'),
  most('data table columns', 20, (count) => make.dataTable(2, count), '/blocks/0/rows/0'),
  [
    'even rows',
    dataTable({}),
    dataTable({ rows: [make.row(2), make.row(1)] }),
    'uneven_rows /blocks/0/rows/1',
  ],
  [
    'header row',
    dataTable({}),
    dataTable({ rows: [[rich], make.row(1)] }),
    'not_allowed_here /blocks/0/rows/0/0',
  ],
  ['caption', dataTable({}), dataTable({ caption: '' }), 'too_short /blocks/0/caption'],
  ['caption is needed', dataTable({}), dataTable({ caption: undefined }), 'missing /blocks/0'],
  [
    'page, largest',
    dataTable({ page_size: 100 }),
    dataTable({ page_size: 101 }),
    'too_large /blocks/0/page_size',
  ],
  [
    'page, smallest',
    dataTable({ page_size: 1 }),
    dataTable({ page_size: 0 }),
    'too_small /blocks/0/page_size',
  ],
  [
    'row header',
    dataTable({ row_header_column_index: 1 }, 2),
    dataTable({ row_header_column_index: 2 }, 2),
    'too_large /blocks/0/row_header_column_index',
  ],
  longest('chart title', 50, (title) => make.pie([make.segment(1)], { title }), '/blocks/0/title'),
  ['chart kind', pie({}), make.pie([], { chart: { type: 'radar' } }), `not_allowed_here ${chart}`],
  most('segments', 6, (count) => make.pie(many(count, (index) => make.segment(index))), `${chart}/segments`),
  fewest(
    'segments',
    1,
    (count) => make.pie(many(count, (index) => make.segment(index))),
    `${chart}/segments`,
  ),
  longest('segment label', 20, (label) => pie({ label }), `${chart}/segments/0/label`),
  ['segment value', pie({ value: 0.01 }), pie({ value: 0 }), `too_small ${chart}/segments/0/value`],
  ['a number in a chart', pie({ value: 1 }), pie({ value: '1' }), `wrong_type ${chart}/segments/0/value`],
  most(
    'series',
    6,
    (count) =>
      make.bars(
        names(count).map((name) => line(['A'], name)),
        ['A'],
      ),
    `${chart}/series`,
  ),
  most('points', 20, (count) => make.bars([line(names(count))], names(count)), `${chart}/series/0/data`),
  most(
    'categories',
    20,
    (count) => make.bars([line(names(count))], names(count)),
    `${chart}/axis_config/categories`,
  ),
  longest('category', 20, (text) => make.bars([line([text])], [text]), `${chart}/axis_config/categories/0`),
  longest('series name', 20, (text) => make.bars([line(['A'], text)], ['A']), `${chart}/series/0/name`),
  longest(
    'axis label',
    50,
    (text) => make.bars([line(['A'])], ['A'], { y_label: text }),
    `${chart}/axis_config/y_label`,
  ),
  [
    'series names differ',
    make.bars([line(['A'], 'S'), line(['A'], 'T')], ['A']),
    make.bars([line(['A'], 'S'), line(['A'], 'S')], ['A']),
    `not_unique ${chart}/series/1/name`,
  ],
  [
    'a point for each category',
    make.bars([line(['B', 'A'])], ['A', 'B']),
    make.bars([line(['A'])], ['A', 'B']),
    `points_do_not_fit ${chart}/series/0/data`,
  ],
  [
    'points of these categories',
    make.bars([line(['A', 'B'])], ['A', 'B']),
    make.bars([line(['A', 'C'])], ['A', 'B']),
    `points_do_not_fit ${chart}/series/0/data`,
  ],
  [
    'categories differ',
    make.bars([line(['A', 'B'])], ['A', 'B']),
    make.bars([line(['A', 'A'])], ['A', 'A']),
    `not_unique ${chart}/axis_config/categories`,
  ],
  most(
    'container',
    10,
    (count) => container({ child_blocks: many(count, () => section()) }),
    '/blocks/0/child_blocks',
  ),
  [
    'in a container',
    container(),
    container({ child_blocks: [container()] }),
    'not_allowed_here /blocks/0/child_blocks/0',
  ],
  longest('container title', 150, (text) => container({ title: plain(text) }), '/blocks/0/title/text'),
  longest(
    'container subtitle',
    150,
    (text) => container({ subtitle: mrkdwn(text) }),
    '/blocks/0/subtitle/text',
  ),
  ['container needs a title', container(), container({ title: undefined }), 'missing /blocks/0'],
  [
    'collapsed needs collapsible',
    container({ is_collapsible: true, default_collapsed: true }),
    container({ default_collapsed: true }),
    'missing /blocks/0/default_collapsed',
  ],
  [
    'container width',
    container({ width: 'full' }),
    container({ width: 'huge' }),
    'not_one_of /blocks/0/width',
  ],
  most(
    'card actions',
    2,
    (count) => card({ actions: many(count, (index) => button(index)) }),
    '/blocks/0/actions',
  ),
  longest('card body', 200, (text) => card({ body: mrkdwn(text) }), '/blocks/0/body/text'),
  longest('card title', 150, (text) => card({ title: mrkdwn(text) }), '/blocks/0/title/text'),
  ['card needs something', card({ body: mrkdwn('x') }), card({ subtitle: mrkdwn('x') }), 'missing /blocks/0'],
  most(
    'carousel',
    10,
    (count) => ({ type: 'carousel', elements: many(count, () => card({ body: plain('x') })) }),
    '/blocks/0/elements',
  ),
  most(
    'context actions',
    5,
    (count) => inContextActions(...many(count, (index) => icon(index))),
    '/blocks/0/elements',
  ),
  [
    'in context actions',
    inContextActions(icon(1)),
    inContextActions(button(1)),
    'not_allowed_here /blocks/0/elements/0',
  ],
  [
    'icons',
    inContextActions(icon(1)),
    inContextActions(icon(1, { icon: 'star' })),
    'not_one_of /blocks/0/elements/0/icon',
  ],
  ['task state', taskCard(), taskCard({ status: 'done' }), 'not_one_of /blocks/0/status'],
  ['task needs a state', taskCard(), taskCard({ status: undefined }), 'missing /blocks/0'],
  [
    'in a plan',
    { type: 'plan', title: 'x', tasks: [taskCard()] },
    { type: 'plan', title: 'x', tasks: [section()] },
    'not_allowed_here /blocks/0/tasks/0',
  ],
  [
    'no file block',
    section(),
    { type: 'file', source: 'remote', external_id: '1' },
    'not_allowed_here /blocks/0',
  ],
];

describe('tables, charts and the newer blocks', () => {
  test.each(rules)('%s', (_name, good, bad, said) => {
    expect(make.codes(validateBlocks([good]))).toEqual([]);
    expect(make.codes(validateBlocks([bad]))).toContain(said);
  });

  test('a video is refused, since the app has no unfurl domain', () => {
    const video = {
      type: 'video',
      title: plain('x'),
      alt_text: 'x',
      video_url: 'https://x.test/v',
      thumbnail_url: 'https://x.test/t',
    };
    expect(make.codes(validateBlocks([video]))).toEqual(['not_allowed_here /blocks/0/video_url']);
  });

  test('a data table may hold 20,000 characters, but then no message holds it', () => {
    const holding = (text: string) => ({ ...make.dataTable(2, 1), rows: [[cell('x')], [cell(text)]] });
    expect(make.codes(validateBlocks([holding(chars(19_999))]))).toEqual(['msg_blocks_too_long /blocks']);
    expect(make.codes(validateBlocks([holding(chars(20_000))]))).toContain('too_long /blocks');
  });
});
