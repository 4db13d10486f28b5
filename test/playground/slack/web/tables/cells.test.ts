import { describe, expect, it } from 'vitest';
import {
  type Cell,
  isNumeric,
  nextOrder,
  sortRows,
} from '../../../../../playground/slack/web/tables/cells.js';

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
  it('sorts a column of numbers by value, one with any text by its words', () => {
    expect(isNumeric(rows, 1)).toBe(true);
    expect(isNumeric(rows, 2)).toBe(false);
    expect(firstColumn(sortRows(rows, { column: 1, direction: 'ascending' }))).toEqual([2, 0, 1]);
    expect(firstColumn(sortRows(rows, { column: 2, direction: 'ascending' }))).toEqual([1, 0, 2]);
    expect(firstColumn(sortRows(rows, { column: 0, direction: 'descending' }))).toEqual([0, 2, 1]);
  });

  it('goes up, down and back to the order that the bot gave', () => {
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
