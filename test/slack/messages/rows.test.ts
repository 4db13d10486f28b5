import { describe, expect, it } from 'vitest';
import { validateMessage } from '../../../playground/slack/server/validator/validate.js';
import { unlimitedScope } from '../../../src/access/scope.js';
import type { ListedRows } from '../../../src/figures/reports/rows.js';
import { plainRequest } from '../../../src/requests/request.js';
import type { OutgoingMessage } from '../../../src/slack/delivery/post-message.js';
import { rowLines, rowsVariants } from '../../../src/slack/messages/rows.js';
import { summaryVariants } from '../../../src/slack/messages/summary.js';
import { fixedAnswers, resultOf } from '../../figures/fixed-answers.js';
import { inputOf, objectsIn } from './messages.js';

const links = { content: 'https://learning.example.com/contents/{content_id}' };

function rowsOf(count: number, total = count): ListedRows {
  return {
    columns: [
      { label: 'Days overdue', isDays: true },
      { flag: 'email', label: 'Email' },
      { flag: 'content_title', label: 'Content' },
    ],
    total,
    listed: Array.from({ length: count }, (_, i) => ({
      cells: [
        { text: String(i), number: i },
        { text: i === 1 ? '' : `p${i}@example.com` },
        { text: 'Fire <safety> & "more"', link: { option: 'content', id: `c/${i}` } },
      ],
    })),
  };
}

const isValid = (message: OutgoingMessage) =>
  expect(validateMessage({ ...message } as Record<string, unknown>)).toEqual([]);

const tableIn = (message: OutgoingMessage) =>
  message.blocks?.find(({ type }) => type === 'data_table') as unknown as { rows: object[][] } & Record<
    string,
    unknown
  >;

describe('rows in a message of their own', () => {
  it('are a native table in pages of ten, with titles as links', () => {
    const [message] = rowsVariants({ rows: rowsOf(3), links }, '/report overdue rows', {
      scope: unlimitedScope,
    });
    isValid(message);
    const { rows, ...table } = tableIn(message);
    expect(table).toMatchObject({
      page_size: 10,
      row_header_column_index: 1,
      caption: 'Rows by days overdue',
    });
    expect(rows[0]).toEqual(['Days overdue', 'Email', 'Content'].map((text) => ({ type: 'raw_text', text })));
    expect(rows[1]?.[0]).toEqual({ type: 'raw_number', value: 0, text: '0' });
    expect(rows[2]?.[1]).toEqual({ type: 'raw_text', text: '–' });
    const [link] = objectsIn(rows[1]?.[2]).filter(({ type }) => type === 'link');
    expect(link).toEqual({
      type: 'link',
      url: 'https://learning.example.com/contents/c%2F0',
      text: 'Fire <safety> & "more"',
    });
  });

  it('have plain titles where no address is set', () => {
    const [message] = rowsVariants({ rows: rowsOf(1), links: {} }, '/report overdue rows', {
      scope: unlimitedScope,
    });
    expect(tableIn(message).rows[1]?.[2]).toEqual({ type: 'raw_text', text: 'Fire <safety> & "more"' });
  });

  it.each([40, 200])('are as many of %d as the message holds, and the rest is named', (count) => {
    const variants = rowsVariants({ rows: rowsOf(count, 4_000), links }, '/report overdue rows', {
      scope: unlimitedScope,
    });
    for (const message of variants) {
      isValid(message);
      expect(JSON.stringify(message.blocks ?? []).length).toBeLessThanOrEqual(12_000);
      expect(message.text).toMatch(/The first \d+ of 4,000 rows\. The rest is in the file\./);
    }
    const [full, , plain] = variants;
    const shown = tableIn(full).rows.length - 1;
    expect(shown).toBeGreaterThan(20);
    expect(JSON.stringify(full.blocks)).toContain(`The first ${shown} of 4,000 rows.`);
    expect(JSON.stringify(plain?.blocks)).toContain('The first 15 of 4,000 rows.');
  });

  describe('with columns that nobody chose', () => {
    const columns = ['Content', 'Days overdue', 'Due', 'Assigned', 'Type', 'Status', 'Email', 'Departments'];
    const wide = (count: number, total: number, title: string): ListedRows => ({
      columns: [
        { label: 'Person' },
        ...columns.map((label) => ({ label, isDays: label === 'Days overdue' })),
      ],
      minColumns: 3,
      total,
      listed: Array.from({ length: count }, (_, i) => ({
        cells: [
          { text: `Maria Katarzyna Wojciechowska ${i}` },
          { text: title, link: { option: 'content', id: `c/${i}` } },
          { text: String(i), number: i },
          ...columns.slice(2).map((label) => ({ text: `${label} of the row ${i}` })),
        ],
      })),
    });
    const request = { ...plainRequest('assignments'), view: 'overdue', showRows: true } as const;
    const result = resultOf(request, fixedAnswers.assignments(60));
    const inSummary = (rows: ListedRows, isDirect: boolean) =>
      summaryVariants(inputOf(result, { rows: { rows, links }, isDirect }))[0];

    it.each([
      ['short titles', 'Fire safety'],
      ['long titles', 'Working Safely at Height and in Confined Spaces: a Refresher for Everybody'],
      ['titles too long to be shown', 'Working Safely at Height '.repeat(8)],
    ])('are 50 of 4,000 people with %s', (_, title) => {
      const rows = wide(200, 4_000, title);
      const [alone] = rowsVariants(
        { rows, links },
        '/report overdue rows',
        { scope: unlimitedScope },
        'ask-1',
      );
      for (const message of [alone, inSummary(rows, false), inSummary(rows, true)]) {
        isValid(message);
        expect(JSON.stringify(message.blocks).length).toBeLessThanOrEqual(12_000);
        const { rows: drawn } = tableIn(message);
        expect(drawn.length - 1).toBeGreaterThanOrEqual(50);
        expect(drawn[0]?.slice(0, 3)).toMatchObject([
          { text: 'Person' },
          { text: 'Content' },
          { text: 'Days overdue' },
        ]);
        // The first page keeps its links for longest.
        const linked = drawn.slice(1).map((cells) => JSON.stringify(cells).includes('"link"'));
        expect(linked.slice(10)).not.toContain(true);
        expect(new Set(linked.slice(0, 10)).size).toBe(1);
        if (title === 'Fire safety') expect(linked[0]).toBe(true);
        const hidden = 9 - (drawn[0]?.length ?? 0);
        expect(hidden).toBeGreaterThan(0);
        expect(JSON.stringify(message.blocks)).toContain(
          `The rest is in the file, with ${hidden} more columns.`,
        );
      }
    });

    it('are all columns with links where there is room', () => {
      const { rows } = tableIn(inSummary(wide(9, 9, 'Fire safety'), true));
      expect(rows[0]).toHaveLength(9);
      expect(JSON.stringify(rows)).toContain('"link"');
    });
  });

  it('say whose they are where a level limits them, and format nothing of others', () => {
    const scope = { ...unlimitedScope, rows: 'team', address: 'ada@example.com' } as const;
    const [message] = rowsVariants({ rows: rowsOf(1), links }, '/report overdue rows', {
      scope,
      leavesOutPeople: true,
    });
    expect(message.text).toContain('Limited to your team. Some people are left out.');
    expect(message.text).toContain('Fire &lt;safety&gt; &amp; "more"');
    expect(rowLines({ rows: rowsOf(2), links: {} })[1]).toBe(
      'Days overdue 1, Content Fire <safety> & "more"',
    );
  });
});

describe('rows in a summary', () => {
  const request = { ...plainRequest('assignments'), view: 'overdue', showRows: true } as const;
  const records = Array.from({ length: 30 }, (_, i) => ({
    email: `p${i}@example.com`,
    content_title: 'Fire safety',
    due_date: `2026-11-${String(1 + (i % 15)).padStart(2, '0')}T10:00:00Z`,
    status: 'in_progress',
  }));
  const input = inputOf(resultOf(request, records), { rows: { rows: rowsOf(30, 90), links } });

  it.each([false, true])('take the place of the chart (direct messages: %s)', (isDirect) => {
    const [message, , plain] = summaryVariants({ ...input, isDirect });
    isValid(message);
    const types = (message.blocks ?? []).map(({ type }) => type as string);
    expect(types.filter((type) => type === 'data_table')).toHaveLength(1);
    expect(types).not.toContain('data_visualization');
    expect(message.text).toContain('p0@example.com');
    expect(message.text).toContain('of 90 rows');
    expect(JSON.stringify(plain?.blocks)).toContain('rich_text_preformatted');
  });

  it('come before everything else in direct messages', () => {
    const [message] = summaryVariants({ ...input, isDirect: true });
    const types = (message.blocks ?? []).map(({ type }) => type as string);
    expect(types.indexOf('data_table')).toBe(2);
  });
});
