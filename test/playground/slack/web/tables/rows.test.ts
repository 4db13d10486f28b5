import { describe, expect, it } from 'vitest';
import {
  type Cell,
  csvRows,
  isNumeric,
  nextOrder,
  sortRows,
} from '../../../../../playground/slack/web/tables/rows.js';

const words = (text: string): Cell => ({ type: 'raw_text', text });
const number = (value: number, text = String(value)): Cell => ({ type: 'raw_number', value, text });
const rich = (text: string): Cell => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
});

const rows: Cell[][] = [
  [words('Sales'), number(9, '9'), words('9')],
  [words('engineering'), number(10, '10'), words('10')],
  [rich('Field'), number(-1, '−1'), words('x')],
];
const firstColumn = (sorted: readonly Cell[][]) => sorted.map((row) => rows.indexOf(row));

describe('sorting a table', () => {
  it('sorts numbers by value, and columns with text by text', () => {
    expect(isNumeric(rows, 1)).toBe(true);
    expect(isNumeric(rows, 2)).toBe(false);
    expect(firstColumn(sortRows(rows, { column: 1, direction: 'ascending' }))).toEqual([2, 0, 1]);
    expect(firstColumn(sortRows(rows, { column: 2, direction: 'ascending' }))).toEqual([1, 0, 2]);
    expect(firstColumn(sortRows(rows, { column: 0, direction: 'descending' }))).toEqual([0, 2, 1]);
  });

  it('goes ascending, descending and back to the bot’s order', () => {
    const up = nextOrder(undefined, 1);
    const down = nextOrder(up, 1);
    expect([up?.direction, down?.direction, nextOrder(down, 1)]).toEqual([
      'ascending',
      'descending',
      undefined,
    ]);
    expect(nextOrder(down, 0)).toEqual({ column: 0, direction: 'ascending' });
    expect(sortRows(rows, undefined)).toBe(rows);
  });
});

describe('a CSV preview', () => {
  it('reads quotes, line breaks and the byte order mark', () => {
    expect(csvRows('\uFEFFName,Note\r\n"Ada ""A""","two\r\nlines"\r\n', 10, true)).toEqual({
      rows: [
        ['Name', 'Note'],
        ['Ada "A"', 'two\r\nlines'],
      ],
      more: false,
    });
  });

  it('stops at the maximum, and reports more rows', () => {
    const text = ['h', ...Array.from({ length: 9 }, (_, index) => `${index}`)].join('\r\n');
    expect(csvRows(text, 3, true)).toEqual({ rows: [['h'], ['0'], ['1']], more: true });
    expect(csvRows(text, 10, true)).toMatchObject({ more: false });
  });

  it('leaves out a last row that may be cut off', () => {
    expect(csvRows('h,i\r\n1,2\r\n3,"ha', 10, false)).toEqual({ rows: [['h', 'i']], more: true });
    expect(csvRows('h,i\r\n1,2\r\n3,4', 10, false).rows.at(-1)).toEqual(['1', '2']);
  });
});
