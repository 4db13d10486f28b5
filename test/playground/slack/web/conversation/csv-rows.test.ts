import { describe, expect, it } from 'vitest';
import { csvRows } from '../../../../../playground/slack/web/conversation/csv-rows.js';

describe('a look into a CSV file', () => {
  it('reads quotes, line breaks and the byte order mark', () => {
    expect(csvRows('\uFEFFName,Note\r\n"Ada ""A""","two\r\nlines"\r\n', 10, true)).toEqual({
      rows: [
        ['Name', 'Note'],
        ['Ada "A"', 'two\r\nlines'],
      ],
      more: false,
    });
  });

  it('stops at so many rows, and says that there are more', () => {
    const text = ['h', ...Array.from({ length: 9 }, (_, index) => `${index}`)].join('\r\n');
    expect(csvRows(text, 3, true)).toEqual({ rows: [['h'], ['0'], ['1']], more: true });
    expect(csvRows(text, 10, true)).toMatchObject({ more: false });
  });

  it('leaves out a last row that may be cut off', () => {
    expect(csvRows('h,i\r\n1,2\r\n3,"ha', 10, false)).toEqual({ rows: [['h', 'i']], more: true });
    expect(csvRows('h,i\r\n1,2\r\n3,4', 10, false).rows.at(-1)).toEqual(['1', '2']);
  });
});
