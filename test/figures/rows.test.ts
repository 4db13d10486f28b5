import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { fieldOf, reportNamed } from '../../src/catalogue/index.js';
import { fieldsToCount, startCounting } from '../../src/figures/reports/count-report.js';
import { daysFieldOf, fieldsOfRows, type RowsPlan } from '../../src/figures/reports/rows.js';
import type { FiguresPlan } from '../../src/figures/result.js';
import { AnswerStream } from '../../src/reporting-api/answer/read-answer.js';
import { plainRequest } from '../../src/requests/request.js';
import type { ReadResult } from '../../src/runner/ports.js';
import { propertyRuns } from '../property-runs.js';
import { csvPlan, tempFolder } from '../reporting-api/answer/read-bytes.js';
import { planFor } from './fixed-answers.js';
import { daysOverdue, daysUntilDue, isDueList, isOverdue, isOverdueList } from './naive/assignments.js';
import { dayIn, Row } from './naive/row.js';
import { countedRows } from './naive/states.js';
import { anyAnswer, midnight } from './random-answers.js';

const folder = tempFolder();
afterAll(() => folder.remove());

interface Reading {
  readonly plan: FiguresPlan;
  readonly rows: RowsPlan;
  /** Answers that are joined. Of a dropped one nothing stays. */
  readonly answers: readonly { readonly records: readonly object[]; readonly dropped?: boolean }[];
}

/** Reads answers as the reading thread does, also into a file of the counted rows. */
async function read({ plan, rows, answers }: Reading): Promise<{ result: ReadResult; csv: string }> {
  const path = folder.fresh();
  const columns = rows.columns.map((flag) => {
    const field = fieldOf(reportNamed(plan.report), flag);
    if (!field) throw new Error(`There is no field ${flag}`);
    return field;
  });
  const fields = [...new Set([...fieldsOfRows(rows, plan), ...fieldsToCount(plan)])];
  const file = { ...csvPlan, path, columns, days: daysFieldOf(plan), asCounted: true } as const;
  const reading = new AnswerStream({ fields, figures: plan, rows, file }, startCounting);
  try {
    for (const { records, dropped } of answers) {
      await reading.beginAnswer();
      await reading.write(Buffer.from(JSON.stringify(records)));
      if (dropped) await reading.rollBackAnswer();
      else await reading.endAnswer();
    }
    const result = await reading.finish();
    return { result, csv: readFileSync(path, 'utf8') };
  } finally {
    await reading.discard();
  }
}

/** A field of each report whose value tells records apart, and that decides nothing. */
const markFlags: Readonly<Record<FiguresPlan['report'], string>> = {
  assignments: 'address',
  tracks: 'address',
  completions: 'address',
  assessments: 'address',
  engagement: 'address',
  workshops: 'workshop_instance_id',
};

const byName = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

function nameOf(row: Row): string {
  const parts = [row.text('first_name'), row.text('last_name')].map((part) => part?.trim()).filter(Boolean);
  const name = parts.join(' ') || row.text('email')?.trim() || 'Somebody without a name';
  return name.length > 120 ? `${name.slice(0, 119)}…` : name;
}

/** The moment by which a row is due: a whole day ends with the day in the zone. */
function dueMoment(row: Row, { zone }: FiguresPlan): number {
  const due = row.date('due_date');
  if (!due?.wholeDay) return due?.ms ?? Number.NaN;
  const next = new Date(Date.parse(dayIn('UTC', due)) + 86_400_000).toISOString().slice(0, 10);
  return midnight(zone, next) * 1000;
}

/** What matters most first: days overdue, or the soonest; then the name; then as the service sent them. */
function inOrder(rows: readonly Row[], plan: FiguresPlan): readonly Row[] {
  if (isOverdueList(plan))
    return [...rows].sort(
      (a, b) => daysOverdue(b, plan) - daysOverdue(a, plan) || byName.compare(nameOf(a), nameOf(b)),
    );
  if (isDueList(plan))
    return [...rows].sort(
      (a, b) => dueMoment(a, plan) - dueMoment(b, plan) || byName.compare(nameOf(a), nameOf(b)),
    );
  if (isOpenList(plan)) {
    const key = (row: Row) => {
      if (isOverdue(row, plan)) return -daysOverdue(row, plan);
      return row.date('due_date') ? dueMoment(row, plan) : Number.MAX_SAFE_INTEGER;
    };
    return [...rows].sort((a, b) => key(a) - key(b) || byName.compare(nameOf(a), nameOf(b)));
  }
  return rows;
}

/** Of what is open, the overdue ones come first and those without a due date last. */
function isOpenList({ report, view, states }: FiguresPlan): boolean {
  const open = ['overdue', 'due-soon', 'not-started', 'in-progress', 'not-completed'];
  return report === 'assignments' && !view && (states?.every((state) => open.includes(state)) ?? false);
}

/** The file goes by the moment, so that what is overdue for longest comes first, and what has no due date last. */
function inFileOrder(rows: readonly Row[], plan: FiguresPlan): readonly Row[] {
  if (!isOverdueList(plan) && !isDueList(plan) && !isOpenList(plan)) return rows;
  const key = (row: Row) => (row.date('due_date') ? dueMoment(row, plan) : Number.MAX_SAFE_INTEGER);
  return [...rows].sort((a, b) => key(a) - key(b));
}

/** Days overdue, or until due, where the rows are about due dates: the same in every list. Undefined: no days. */
function daysOf(row: Row, plan: FiguresPlan): number | undefined {
  if (isDueList(plan)) return isOverdue(row, plan) ? -daysOverdue(row, plan) : daysUntilDue(row, plan);
  return isOverdue(row, plan) ? daysOverdue(row, plan) : undefined;
}

/** The people of an overdue list begin with the first moment due; those of others are as the rows are. */
function inOrderOfPeople(rows: readonly Row[], plan: FiguresPlan): readonly Row[] {
  const key = (row: Row) => {
    if (!isOpenList(plan) || isOverdueList(plan)) return dueMoment(row, plan);
    if (isOverdue(row, plan)) return -daysOverdue(row, plan);
    return row.date('due_date') ? dueMoment(row, plan) : Number.MAX_SAFE_INTEGER;
  };
  return [...rows].sort((a, b) => key(a) - key(b));
}

describe('the rows of any answer', () => {
  const cases = fc.tuple(anyAnswer, fc.integer({ min: 1, max: 12 }), fc.nat(40), fc.boolean());

  test('are those that count, in the order of what matters, in the answer and in the file', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ([{ plan, records }, limit, cut, dropped]) => {
        const mark = markFlags[plan.report];
        const marked = records.map((record, i) => ({ ...record, first_name: 'Bo', [mark]: `r${i}` }));
        const rows = { columns: [mark], limit };
        const flags = [...new Set([...fieldsOfRows(rows, plan), ...fieldsToCount(plan)])];
        const all = marked.map((record) => new Row(flags, record));
        const counted = countedRows(all, plan);
        const { result, csv } = await read({
          plan,
          rows,
          answers: [
            { records: marked.slice(0, cut) },
            ...(dropped ? [{ records: marked.slice(cut), dropped }] : []),
            { records: marked.slice(cut) },
          ],
        });
        const marks = (some: readonly Row[]) => some.map((row) => row.text(mark));
        const isAboutDays = isOverdueList(plan) || isDueList(plan) || isOpenList(plan);
        const text = (days: number | undefined) => (days === undefined ? '' : String(days));
        const listed = result.rows?.listed.map(({ cells }) => cells.at(-1)?.text);
        expect(result.rows?.total).toBe(counted.length);
        expect(listed).toEqual(marks(inOrder(counted, plan)).slice(0, limit));
        expect(
          csv
            .replace(/^\uFEFF/, '')
            .split('\r\n')
            .slice(1, -1),
        ).toEqual(
          inFileOrder(counted, plan).map((row) =>
            isAboutDays ? `${row.text(mark)},${text(daysOf(row, plan))}` : row.text(mark),
          ),
        );
        if (!isAboutDays) return;
        expect(result.rows?.listed.map(({ cells }) => cells[0]?.text)).toEqual(
          inOrder(counted, plan)
            .slice(0, limit)
            .map((row) => text(daysOf(row, plan))),
        );
        const people = result.figures?.people?.listed.map(({ value }) =>
          value?.kind === 'amount' ? value.amount + 0 : undefined,
        );
        const expected = inOrderOfPeople(counted, plan).map((row) => daysOf(row, plan));
        if (people)
          expect(people).toEqual(
            expected.slice(0, 10).map((days) => (days === undefined ? undefined : days + 0)),
          );
      }),
      { numRuns: propertyRuns(800) },
    );
  });

  test('are there where the summary has no figures, because too few people match', async () => {
    const plan: FiguresPlan = {
      ...planFor(plainRequest('tracks')),
      smallestGroup: 5,
    };
    const records = [{ userid: 'ada', track_title: 'Safety' }];
    const { result } = await read({
      plan,
      rows: { columns: ['track_title'], limit: 5 },
      answers: [{ records }],
    });
    expect(result.figures).toMatchObject({ tooFew: 5, figures: [] });
    expect(result.rows).toMatchObject({ total: 1, listed: [{ cells: [{ text: 'Safety' }] }] });
  });
});

const assignments = planFor({ ...plainRequest('assignments'), view: 'overdue' });

function rowsOf(plan: FiguresPlan, columns: readonly string[], records: readonly object[]) {
  return read({ plan, rows: { columns, limit: 10 }, answers: [{ records }] });
}

describe('a listed row', () => {
  test('has dates in the asker’s zone, statuses in words, and its title with the identifier', async () => {
    const columns = [
      'content_title',
      'assignment_status',
      'due_date',
      'assigned_date',
      'is_manager',
      'teams',
    ];
    const { result } = await rowsOf(assignments, columns, [
      {
        content_title: 'Fire\nsafety',
        content_id: 42,
        assignment_status: 'in_progress',
        due_date: '2026-11-01',
        assigned_date: '2026-10-01T22:30:00Z',
        is_manager: 1,
        teams: ['Blue', 'Red'],
      },
      { due_date: '2026-11-02T12:00:00Z', content_title: 'First aid' },
    ]);
    expect(result.rows).toEqual({
      columns: [
        { label: 'Days overdue', isDays: true },
        { flag: 'content_title', label: 'Content' },
        { flag: 'assignment_status', label: 'Status' },
        { flag: 'due_date', label: 'Due' },
        { flag: 'assigned_date', label: 'Assigned' },
        { flag: 'is_manager', label: 'Is a manager' },
        { flag: 'teams', label: 'Teams' },
      ],
      total: 2,
      listed: [
        {
          cells: [
            { text: '19', number: 19 },
            { text: 'Fire safety', link: { option: 'content', id: '42' } },
            { text: 'In progress' },
            { text: '1 Nov 2026' },
            { text: '2 Oct 2026, 00:30' },
            { text: 'Yes' },
            { text: 'Blue; Red' },
          ],
        },
        {
          cells: [
            { text: '17', number: 17 },
            { text: 'First aid' },
            { text: '' },
            { text: '2 Nov 2026, 13:00' },
            { text: '' },
            { text: '' },
            { text: '' },
          ],
        },
      ],
    });
  });

  test('of what is not completed says how long it is overdue, if it is', async () => {
    const plan = planFor({ ...plainRequest('assignments'), states: ['not-completed'] });
    const dues = [null, '2026-12-01', '2026-11-01', '2026-11-25', '2026-10-01'];
    const { result } = await rowsOf(
      plan,
      ['due_date'],
      dues.map((due_date) => ({ due_date })),
    );
    expect(result.rows?.listed.map(({ cells }) => cells.map(({ text }) => text))).toEqual([
      ['50', '1 Oct 2026'],
      ['19', '1 Nov 2026'],
      ['', '25 Nov 2026'],
      ['', '1 Dec 2026'],
      ['', ''],
    ]);
  });

  test('counts the days until a due date by the calendar of the zone', async () => {
    const due = planFor({ ...plainRequest('assignments'), view: 'due' });
    const { result } = await rowsOf(
      due,
      ['due_date'],
      [
        { due_date: '2026-11-26' },
        { due_date: '2026-11-20T22:59:59Z' },
        { due_date: '2026-11-20T23:00:00Z' },
        { due_date: '2026-11-20' },
      ],
    );
    expect(result.rows?.columns[0]).toEqual({ label: 'Days until due', isDays: true });
    expect(result.rows?.listed.map(({ cells }) => cells.map(({ text }) => text))).toEqual([
      ['0', '20 Nov 2026, 23:59'],
      ['1', '21 Nov 2026, 00:00'],
      ['0', '20 Nov 2026'],
      ['6', '26 Nov 2026'],
    ]);
  });

  test.each([
    ['tracks', 'track_title', { track_title: 'A', track_id: 7 }, { option: 'track', id: '7' }],
    [
      'assessments',
      'assessment_title',
      { assessment_title: 'A', assessment_id: 'q' },
      { option: 'assessment', id: 'q' },
    ],
    [
      'workshops',
      'workshop_title',
      { workshop_title: 'A', workshop_id: ' w ' },
      { option: 'workshop', id: 'w' },
    ],
    ['completions', 'content', { content: { id: 5, title: 'A' } }, { option: 'content', id: '5' }],
    ['completions', 'track', { track: { id: 6, title: 'A' } }, { option: 'track', id: '6' }],
    ['completions', 'journey', { journey: { id: 6, title: 'A' } }, undefined],
    ['tracks', 'track_title', { track_title: 'A', track_id: null }, undefined],
  ] as const)('of %s links %s: %o', async (report, flag, record, link) => {
    const plan = planFor(plainRequest(report));
    const { result } = await rowsOf(plan, [flag], [record]);
    expect(result.rows?.listed).toEqual([{ cells: [{ text: 'A', link }] }]);
  });

  test('keeps a number as it was sent, and can be sorted by it', async () => {
    const plan = planFor(plainRequest('engagement'));
    const { result } = await rowsOf(plan, ['views'], [{ views: '0012' }, { views: 1.5 }, { views: 'many' }]);
    expect(result.rows?.listed.map(({ cells }) => cells[0])).toEqual([
      { text: '0012', number: 12 },
      { text: '1.5', number: 1.5 },
      { text: 'many' },
    ]);
  });
});

describe('columns that nobody chose', () => {
  const forReading = async (plan: FiguresPlan, records: readonly object[]) => {
    const columns = reportNamed(plan.report).essentials;
    const { result } = await read({
      plan,
      rows: { columns, isForReading: true, limit: 10 },
      answers: [{ records }],
    });
    const { columns: shown = [], listed = [], minColumns } = result.rows ?? {};
    const rows = listed.map(({ cells }) => cells.map(({ text }) => text));
    return { labels: shown.map(({ label }) => label), rows, minColumns };
  };
  const ada = { first_name: 'Ada', last_name: ' Moreau ', email: 'ada@example.com', departments: ['Sales'] };
  const late = { content_title: 'Fire safety', assignment_status: 'in_progress', due_date: '2026-11-18' };

  test('are the person, the title, the days, the dates and the rest', async () => {
    const nobody = { ...ada, first_name: null, last_name: '', assigned_date: '2026-10-01' };
    expect(
      await forReading(assignments, [
        { ...ada, ...late },
        { ...nobody, ...late },
      ]),
    ).toEqual({
      labels: ['Person', 'Content', 'Days overdue', 'Due', 'Assigned', 'Status', 'Email', 'Departments'],
      rows: [
        ['Ada Moreau', 'Fire safety', '2', '18 Nov 2026', '', 'In progress', 'ada@example.com', 'Sales'],
        [
          'ada@example.com',
          'Fire safety',
          '2',
          '18 Nov 2026',
          '1 Oct 2026',
          'In progress',
          'ada@example.com',
          'Sales',
        ],
      ],
      minColumns: 3,
    });
  });

  test('are left out where no row has a value, but not where there is no row', async () => {
    const plan = planFor(plainRequest('tracks'));
    const { labels, rows } = await forReading(plan, [{ first_name: 'Ada', track_title: 'Safety' }]);
    expect([labels, rows]).toEqual([['Person', 'Track'], [['Ada', 'Safety']]]);
    expect((await forReading(plan, [])).labels).toHaveLength(7);
  });

  test('begin with the title where rows are about nobody', async () => {
    const plan = planFor(plainRequest('workshops'));
    const start = '2026-11-12T10:00:00Z';
    const { labels } = await forReading(plan, [
      {
        workshop_status: 'scheduled',
        workshop_title: 'First aid',
        offered_seats: 4,
        workshop_start_date: start,
      },
    ]);
    expect(labels).toEqual(['Workshop', 'Starts', 'Status', 'Seats offered']);
  });
});

describe('stalled, which only the end of the answer decides', () => {
  const plan = planFor({ ...plainRequest('tracks'), states: ['stalled'] });
  const running = (track_progress: unknown) => ({ track_status: 'in_progress', track_progress });
  const progressIn = async (...values: unknown[]) => {
    const { result, csv } = await rowsOf(plan, ['track_progress'], values.map(running));
    const listed = result.rows?.listed.map(({ cells }) => cells[0]?.text);
    expect(csv.split('\r\n').slice(1, -1)).toEqual(listed);
    expect(result.figures?.counted).toBe(listed?.length);
    return listed;
  };

  test('is below 0.5 where progress came as fractions', async () => {
    expect(await progressIn(0.7, 0.4, 1, 0.49)).toEqual(['0.4', '0.49']);
  });

  test('is below 50 where any progress is above 1', async () => {
    expect(await progressIn(0.7, 0.4, 1, 64, 30)).toEqual(['0.7', '0.4', '1', '30']);
  });
});
