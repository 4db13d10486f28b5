import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { afterAll, describe, expect, it } from 'vitest';
import { unlimitedScope } from '../../src/access/scope.js';
import { startCounting } from '../../src/figures/reports/count-report.js';
import { AnswerStream } from '../../src/reporting-api/answer/read-answer.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';
import { fileName } from '../../src/runner/answer-parts.js';
import type { Query, ReportSource } from '../../src/runner/ports.js';
import { runReport } from '../../src/runner/run-report.js';
import { tempFolder } from '../reporting-api/answer/read-bytes.js';
import { readWorkbook } from '../reporting-api/answer/read-workbook.js';

const folder = tempFolder();
afterAll(() => folder.remove());

const records = [
  { first_name: 'Ann', email: 'ann@x.test', manager_email: 'boss@x.test', due_date: '2026-11-10' },
  { first_name: 'Bob', email: 'bob@x.test', manager_email: 'boss@x.test', due_date: '2026-11-24T08:00:00Z' },
  { first_name: 'Cem', email: 'cem@x.test', due_date: '2026-11-18T08:00:00Z' },
  { first_name: 'Dag', email: 'dag@x.test', due_date: '2026-11-01', completed_date: '2026-11-02' },
  { first_name: 'Eva', email: 'eva@x.test', due_date: '2026-11-21' },
];

function sourceOf(answer: readonly object[], asked: Query[] = []): ReportSource {
  return {
    async read(query, plan) {
      asked.push(query);
      const reading = new AnswerStream(plan, startCounting);
      await reading.beginAnswer();
      await reading.write(Buffer.from(JSON.stringify(answer)));
      await reading.endAnswer();
      return reading.finish();
    },
  };
}

/** Friday, 20 November 2026, 11:00 in Berlin. */
async function fileOf(more: Partial<ReportRequest>) {
  const request = { ...plainRequest('assignments'), file: 'csv' as const, ...more };
  const path = folder.fresh();
  const result = await runReport(
    request,
    {
      asker: { id: 'U1', zone: 'Europe/Berlin' },
      requestedAt: Date.parse('2026-11-20T10:00:00Z'),
      filePath: path,
      scope: unlimitedScope,
      urgency: 'person',
      signal: new AbortController().signal,
    },
    { source: sourceOf(records), weekStart: 'monday' },
  );
  return { path, name: fileName(result), columns: result.file?.columns ?? [] };
}

async function csvRows(more: Partial<ReportRequest>): Promise<Record<string, string>[]> {
  const { path } = await fileOf(more);
  return parse(readFileSync(path), { bom: true, columns: true });
}

const withDays = (rows: readonly Record<string, string>[], label: string) =>
  rows.map((row) => [row['First name'], row['Manager email'], row[label]]);

describe('the file of overdue', () => {
  it('has the manager and the days overdue, the most first', async () => {
    expect(withDays(await csvRows({ view: 'overdue' }), 'Days overdue')).toEqual([
      ['Ann', 'boss@x.test', '10'],
      ['Cem', '', '2'],
    ]);
  });

  it('has them as numbers in a workbook, and is named after its kind', async () => {
    const { path, name } = await fileOf({ view: 'overdue', file: 'xlsx' });
    expect(name).toMatch(/^overdue_\d{4}-\d\d-\d\d_2026-11-20\.xlsx$/);
    const { headings, rows } = readWorkbook(path);
    expect(headings.slice(2, 4)).toEqual(['Email', 'Manager email']);
    expect(headings.at(-1)).toBe('Days overdue');
    expect(headings).not.toContain('Completed');
    expect(rows.map((row) => row[headings.length - 1])).toEqual([
      { type: 'number', number: 10 },
      { type: 'number', number: 2 },
    ]);
  });

  it('has the chosen columns alone where some were chosen', async () => {
    const { columns } = await fileOf({ view: 'overdue', columns: ['email', 'due_date'] });
    expect(columns.map(({ flag }) => flag)).toEqual(['email', 'due_date']);
  });
});

describe('the file of due', () => {
  it('has the days until due, the soonest first', async () => {
    expect(withDays(await csvRows({ view: 'due' }), 'Days until due')).toEqual([
      ['Eva', '', '1'],
      ['Bob', 'boss@x.test', '4'],
    ]);
  });
});

describe('assignments by due date', () => {
  /** What a service may answer that selects by instants, for 9–15 November 2026 in zones around the world. */
  const around = [
    '2026-11-08',
    '2026-11-09',
    '2026-11-15',
    '2026-11-16',
    '2026-11-08T23:30:00Z',
    '2026-11-09T04:59:59Z',
    '2026-11-09T05:00:00Z',
    '2026-11-15T10:30:00Z',
    '2026-11-16T04:59:59Z',
    '2026-11-16T05:00:00Z',
    '',
  ].map((due_date) => ({ email: `due${due_date}@x.test`, due_date, assignment_status: 'In progress' }));

  async function lastWeekIn(zone: string) {
    const asked: Query[] = [];
    const path = folder.fresh();
    const result = await runReport(
      { ...plainRequest('assignments'), range: 'last-week', dateField: 'due_date', file: 'csv' },
      {
        asker: { id: 'U1', zone },
        requestedAt: Date.parse('2026-11-20T10:00:00Z'),
        filePath: path,
        rowLimit: 50,
        scope: unlimitedScope,
        urgency: 'person',
        signal: new AbortController().signal,
      },
      { source: sourceOf(around, asked), weekStart: 'monday' },
    );
    const rows: Record<string, string>[] = parse(readFileSync(path), { bom: true, columns: true });
    return { result, asked, due: rows.map(({ Email = '' }) => Email.replace(/^due|@x.test$/g, '')) };
  }

  const dayOnly = ['2026-11-09', '2026-11-15'];

  it.each([
    ['UTC', ['2026-11-09T04:59:59Z', '2026-11-09T05:00:00Z', '2026-11-15T10:30:00Z']],
    ['America/New_York', ['2026-11-09T05:00:00Z', '2026-11-15T10:30:00Z', '2026-11-16T04:59:59Z']],
    ['Pacific/Kiritimati', ['2026-11-08T23:30:00Z', '2026-11-09T04:59:59Z', '2026-11-09T05:00:00Z']],
  ])('has days without a time by their day, and moments by the clock of %s', async (zone, moments) => {
    const { result, due } = await lastWeekIn(zone);
    // The service selected the row without a date.
    expect(due).toEqual([...dayOnly, ...moments, '']);
    expect(result).toMatchObject({ records: 6, rowCount: 6, rows: { total: 6 }, figures: { counted: 6 } });
    expect(result.before).toMatchObject({ range: { firstDay: '2026-11-02', lastDay: '2026-11-08' } });
  });

  it('is asked with a day more on both sides, and compared with a week of its own', async () => {
    const { asked, result } = await lastWeekIn('America/New_York');
    const instants = (from: string, until: string) => ({
      from: Date.parse(from) / 1000,
      until: Date.parse(until) / 1000,
    });
    expect(asked.map(({ range }) => range)).toEqual([
      instants('2026-11-08T05:00:00Z', '2026-11-17T05:00:00Z'),
      instants('2026-11-01T05:00:00Z', '2026-11-10T05:00:00Z'),
    ]);
    // Of the same rows: one day, two moments, and the row without a date.
    expect(result.before).toMatchObject({ figures: { assignments: 4 } });
  });
});

describe('other files', () => {
  it('have neither, but for states of due dates', async () => {
    const plain = await fileOf({});
    expect(plain.columns.map(({ flag }) => flag)).not.toContain('manager_email');
    expect(plain.columns.map(({ flag }) => flag)).not.toContain('days_overdue');
    expect(plain.columns.map(({ flag }) => flag)).toContain('completed_date');
    const states = await fileOf({ states: ['overdue'] });
    expect(states.columns.at(-1)).toMatchObject({ flag: 'days_overdue', heading: 'Days overdue' });
  });
});
