import { describe, expect, test } from 'vitest';
import { validateBlocks } from '../../../../../playground/slack/server/validator/validate.js';
import * as make from './samples.js';

const { cell, chars, fewest, longest, many, most, mrkdwn } = make;
const rich = { type: 'rich_text', elements: [] };
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
];

describe('tables and charts', () => {
  test.each(rules)('%s', (_name, good, bad, said) => {
    expect(make.codes(validateBlocks([good]))).toEqual([]);
    expect(make.codes(validateBlocks([bad]))).toContain(said);
  });

  test('a data table may hold 20,000 characters, but then no message holds it', () => {
    const holding = (text: string) => ({ ...make.dataTable(2, 1), rows: [[cell('x')], [cell(text)]] });
    expect(make.codes(validateBlocks([holding(chars(19_999))]))).toEqual(['msg_blocks_too_long /blocks']);
    expect(make.codes(validateBlocks([holding(chars(20_000))]))).toContain('too_long /blocks');
  });
});
