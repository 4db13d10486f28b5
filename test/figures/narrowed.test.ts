import { describe, expect, test } from 'vitest';
import type { FiguresResult } from '../../src/figures/result.js';
import { formatNote } from '../../src/figures/summary/notes.js';
import { formatSummary } from '../../src/figures/summary/summary.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';
import { figuresOf, planFor, resultOf } from './fixed-answers.js';

function narrowed(
  request: Partial<ReportRequest> & Pick<ReportRequest, 'report'>,
  records: readonly object[],
) {
  return figuresOf(planFor({ ...plainRequest(request.report), ...request }), records);
}

function numbersOf({ figures }: FiguresResult): Record<string, unknown> {
  return Object.fromEntries(
    figures.flatMap(({ id, value }) => ('count' in value ? [[id, value.count]] : [])),
  );
}

describe('a status that nobody knows', () => {
  const record = { userid: 'u1', assignment_status: 'Waived', due_date: '2027-01-01' };

  test.each(['overdue', 'due-soon', 'not-started', 'in-progress', 'completed', 'late'])(
    'is not %s',
    (state) => {
      expect(narrowed({ report: 'assignments', states: [state] }, [record]).counted).toBe(0);
    },
  );

  test('is not completed', () => {
    expect(narrowed({ report: 'assignments', states: ['not-completed'] }, [record]).counted).toBe(1);
  });
});

test('several states are their union, and a row in two of them counts once', () => {
  const records = [
    { userid: 'a', assignment_status: 'not_started', due_date: '2026-11-01' },
    { userid: 'b', assignment_status: 'in_progress', due_date: '2026-11-01' },
    { userid: 'c', assignment_status: 'not_started', due_date: '2027-11-01' },
    { userid: 'd', assignment_status: 'in_progress', due_date: '2027-11-01' },
  ];
  const result = narrowed({ report: 'assignments', states: ['overdue', 'not-started'] }, records);
  expect(numbersOf(result)).toMatchObject({ assignments: 3, people: 3, overdue: 2, 'not-started': 2 });
});

test('a view and states narrow together', () => {
  const records = [
    { userid: 'a', assignment_status: 'not_started', due_date: '2026-11-01' },
    { userid: 'b', assignment_status: 'in_progress', due_date: '2026-11-01' },
    { userid: 'c', assignment_status: 'not_started', due_date: '2027-11-01' },
  ];
  const result = narrowed({ report: 'assignments', view: 'overdue', states: ['not-started'] }, records);
  expect(result.counted).toBe(1);
});

describe('a due date without a time', () => {
  // The range of the plan ends with the 26th in Berlin, at 23:00 UTC.
  test.each([
    ['2026-11-26', 1],
    ['2026-11-27', 0],
    ['2026-11-26T22:59:59Z', 1],
    ['2026-11-26T23:00:00Z', 0],
    ['2026-11-20', 1],
    ['2026-11-19', 0],
  ])('counts on its day: %s', (due_date, counted) => {
    const record = { userid: 'a', assignment_status: 'assigned', due_date };
    expect(narrowed({ report: 'assignments', view: 'due' }, [record]).counted).toBe(counted);
  });
});

describe('people who are inactive', () => {
  const records = [
    { userid: 'a', sessions: 1 },
    { userid: 'b', sessions: 0, views: 0, seconds_viewed: 0, assignments_completed: 0, tracks_completed: 2 },
  ];

  test('may be missing in the answer, which its note says', () => {
    const result = narrowed({ report: 'engagement', states: ['inactive'] }, records);
    expect(numbersOf(result)).toEqual({ 'inactive-people': 1, 'tracks-completed': 2 });
    expect(result.notes.map(formatNote)).toContain(
      'The service may leave out people who did nothing. Then more people are inactive than shown.',
    );
  });

  test('are no matter where only active ones count', () => {
    const { notes } = narrowed({ report: 'engagement', states: ['active'] }, records);
    expect(notes.map(formatNote).join()).not.toContain('may leave out');
  });
});

describe('the people of a narrowed answer', () => {
  const peopleIn = (request: Parameters<typeof narrowed>[0], records: readonly object[]) => {
    const plan = planFor({ ...plainRequest(request.report), ...request }, true);
    const result = resultOf({ ...plainRequest(request.report), ...request }, [], { people: true });
    const figures = figuresOf(
      plan,
      records.map((record, n) => ({ first_name: `P${n}`, ...record })),
    );
    const { people } = formatSummary({ ...result, figures }, { withPeople: true });
    return people && [people.title, ...people.lines];
  };

  test('of what is due are the soonest first, with the days until then', () => {
    const dues = ['2026-11-24', '2026-11-20', '2026-11-21', '2026-11-20T23:30:00Z'];
    expect(
      peopleIn(
        { report: 'assignments', view: 'due' },
        dues.map((due_date) => ({ due_date, content_title: 'Fire safety' })),
      ),
    ).toEqual([
      'Due soonest (4)',
      'P1, Fire safety, due today',
      'P3, Fire safety, due tomorrow',
      'P2, Fire safety, due tomorrow',
      'P0, Fire safety, due in 4 days',
    ]);
  });

  test('of what is due are overdue by as many days as in the list of what is overdue', () => {
    // It is 11:00 in Berlin: less than a day, a day and an hour, and two days ago by the calendar.
    const dues = ['2026-11-19T22:00:00Z', '2026-11-19T09:00:00Z', '2026-11-18'];
    const records = dues.map((due_date) => ({ due_date }));
    const range = { view: 'due', range: '2026' } as const;
    const plan = planFor({ ...plainRequest('assignments'), ...range }, true);
    const year = { firstDay: '2026-01-01', lastDay: '2026-12-31', from: 0, until: 2e9 };
    const figures = figuresOf({ ...plan, dueRange: year }, records);
    const days = ({ people }: FiguresResult) =>
      formatSummary(
        { ...resultOf(plainRequest('assignments'), []), figures: { ...figures, people } },
        { withPeople: true },
      ).people?.lines.map((line) => line.replace(/^.*?, |^P\d |overdue for | overdue$/g, ''));
    expect(days(figures)).toEqual(['2 days', '1 day', 'less than a day']);
    const overdue = planFor({ ...plainRequest('assignments'), view: 'overdue' }, true);
    expect(days(figuresOf(overdue, records))).toEqual(days(figures));
  });

  test('of what is not completed are the longest overdue first', () => {
    expect(
      peopleIn({ report: 'assignments', states: ['not-completed'] }, [
        { due_date: null },
        { due_date: '2026-12-24' },
        { due_date: '2026-11-19' },
        { due_date: '2026-10-01' },
      ]),
    ).toEqual(['Not completed (4)', 'P3, 50 days overdue', 'P2, 1 day overdue', 'P1', 'P0']);
  });

  test.each([
    [
      { report: 'assessments', states: ['failed'] } as const,
      { assessment_status: 'failed', assessment_title: 'Quiz', assessment_score: 40 },
      ['Failed (2)', 'P0, Quiz, score 40', 'P1, Quiz, score 40'],
    ],
    [
      { report: 'tracks', states: ['not-started'] } as const,
      { track_status: 'not started', track_title: 'Safety' },
      ['Not started (2)', 'P0, Safety', 'P1, Safety'],
    ],
    [{ report: 'engagement', states: ['inactive'] } as const, { sessions: 0 }, ['Inactive (2)', 'P0', 'P1']],
  ])('of %o are those that count', (request, record, lines) => {
    expect(peopleIn(request, [record, record])).toEqual(lines);
  });

  test('are none where nobody may be named', () => {
    expect(
      narrowed({ report: 'assessments', states: ['failed'] }, [{ assessment_status: 'failed' }]).people,
    ).toBeUndefined();
  });
});

test('a state that the report does not have is refused, not ignored', () => {
  expect(() => narrowed({ report: 'tracks', states: ['late'] }, [])).toThrow('know no state late');
});

test('the groups and their ranking are of the rows that count', () => {
  const records = Array.from({ length: 100 }, (_, n) => ({
    userid: `u${n}`,
    departments: n < 44 ? 'Sales' : 'Legal',
    assessment_title: 'Quiz',
    assessment_status: n % 2 === 0 ? 'failed' : 'passed',
  }));
  const { breakdown, highlights, chart } = narrowed(
    { report: 'assessments', states: ['failed'], by: 'departments' },
    records,
  );
  if (breakdown?.kind !== 'groups') throw new Error('There is no breakdown');
  expect(breakdown.rows.map(({ label, values }) => [label, values[0]])).toEqual([
    ['Legal', { kind: 'count', count: 28 }],
    ['Sales', { kind: 'count', count: 22 }],
  ]);
  expect(chart?.title).toBe('Failed by department');
  expect(highlights).toEqual([
    {
      title: 'Most failed',
      entries: [
        { label: 'Legal', value: { kind: 'count', count: 28 } },
        { label: 'Sales', value: { kind: 'count', count: 22 } },
      ],
    },
  ]);
});
