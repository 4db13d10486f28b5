import { describe, expect, it } from 'vitest';
import { factsOfStates } from '../../src/catalogue/conditions.js';
import { type ReportName, reportNamed } from '../../src/catalogue/index.js';
import { parseCommand } from '../../src/requests/parse-command.js';
import { applyToSaved } from '../../src/requests/parse-request.js';
import { problemMessageText } from '../../src/requests/problem-messages.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';
import { requestIn } from '../../src/slack/forms/read-draft.js';
import { figuresOf, planFor } from '../figures/fixed-answers.js';
import { compare, daysSince, type Values } from '../figures/naive/conditions.js';
import { draftOf } from '../slack/forms/builder/rendered-builder.js';
import { requestOf } from './request-of.js';

const dueDates = [undefined, '2026-10-01', '2026-11-10', '2026-11-10T09:00:00Z', '2026-11-20'];
const laterDueDates = [
  '2026-11-20T10:59:59Z',
  '2026-11-20T11:00:01Z',
  '2026-11-23',
  '2026-11-26',
  '2027-03-01',
];
const statuses = ['not_started', 'in_progress', 'completed', 'Waived'];
const completedDates = [undefined, '2026-09-01', '2026-11-19T12:00:00Z'];

/** Rows of every kind: they differ in all that states and views look at. The request is of 20 November 2026, 11:00 UTC. */
const rows = [...dueDates, ...laterDueDates].flatMap((due_date) =>
  statuses.flatMap((assignment_status) =>
    completedDates.map((completed_date, n) => ({
      userid: `u${n}`,
      assignment_status,
      ...(due_date && { due_date }),
      ...(completed_date && { completed_date }),
    })),
  ),
);

/** Of the week before the request, as `planFor` has it for other reports. */
const lastWeek = {
  from: Date.parse('2026-11-08T23:00:00Z') / 1000,
  until: Date.parse('2026-11-15T23:00:00Z') / 1000,
  firstDay: '2026-11-09',
  lastDay: '2026-11-15',
};

/** What is not completed, and may have been due last week. */
const inLastWeek = ['overdue', 'not-started', 'in-progress', 'not-completed'];

const states = reportNamed('assignments').states.map(({ name }) => name);
const chosen = [
  ...states.map((state) => [state]),
  ...states.flatMap((one) => states.flatMap((other) => (one < other ? [[one, other]] : []))),
];
const pairs = (['overdue', 'due'] as const).flatMap((view) =>
  chosen.flatMap((these) => [undefined, 'last-week'].map((range) => ({ view, these, range }))),
);

function read(words: string) {
  const command = parseCommand(words, { savedNames: [] });
  return command.ok ? 'read' : command.refusal;
}

describe('a view and states', () => {
  it.each(pairs)(
    '$view $range only:$these is refused where no row can be in both',
    ({ view, these, range }) => {
      const request: ReportRequest = { ...plainRequest('assignments'), view, states: these };
      const plan = planFor(request);
      const dueRange = range === undefined ? plan.dueRange : { ...plan.dueRange, ...lastWeek };
      const { counted } = figuresOf({ ...plan, dueRange } as typeof plan, rows);
      // A range of what fell due leaves nothing of what is to come, which is for the range to say.
      const isForRange =
        range !== undefined && view === 'due' && !these.some((state) => inLastWeek.includes(state));
      const problem = read(`${view} ${range ?? ''} only:${these.join(',')}`);
      if (problem === 'read') expect(counted === 0).toBe(isForRange);
      else {
        expect(counted).toBe(0);
        expect(problem).toMatchObject({ kind: 'empty-view', view });
        // The way out is a command.
        expect([problem.corrected, read(problem.corrected ?? '')]).toEqual([problem.corrected, 'read']);
      }
    },
  );

  it.each([
    ['overdue only:due-soon', 'due'],
    ['Overdue departments:Sales only:due-soon csv', 'due departments:Sales csv'],
    ['overdue only:completed', 'assignments only:completed'],
    ['overdue last-week only:late by:teams', 'assignments last-week only:late on:due_date by:teams'],
    ['due next-week only:completed,late', 'assignments next-week only:completed,late on:due_date'],
    ['due only:overdue', 'overdue'],
    ['due only:overdue,late', 'due'],
    ['schedule overdue only:due-soon weekly mon 09:00', 'schedule due weekly mon 09:00'],
    ['save Soon: overdue only:due-soon', 'save Soon: due'],
    ['save Both: tracks; overdue only:due-soon; due', 'save Both: tracks; due ; due'],
  ])('%s offers %s', (words, corrected) => {
    expect(read(words)).toMatchObject({ kind: 'empty-view', corrected });
  });

  it('says why in words', () => {
    const sentenceOf = (words: string) => {
      const problem = read(words);
      return problem === 'read' ? problem : problemMessageText(problem);
    };
    expect(sentenceOf('overdue only:due-soon')).toBe(
      'What is overdue is not due soon any more, so nothing is left of it in “only:due-soon”. Did you mean “due”?',
    );
    expect(sentenceOf('due only:completed')).toBe(
      'What is due is not completed, so nothing is left of it in “only:completed”. Did you mean “assignments only:completed”?',
    );
    expect(sentenceOf('due only:overdue')).toBe(
      'What is due from now on is not overdue, so nothing is left of it in “only:overdue”. Did you mean “overdue”?',
    );
  });

  it('on top of a saved report are refused, too, and its name stays as it is', () => {
    const saved: ReportRequest = { ...plainRequest('assignments'), view: 'overdue' };
    const text = 'What is overdue only:due-soon';
    const applied = applyToSaved(saved, { text, from: 'What is overdue'.length, until: text.length });
    expect(applied).toMatchObject({
      ok: false,
      refusal: { kind: 'empty-view', corrected: 'What is overdue' },
    });
    expect(applied.ok ? '' : problemMessageText(applied.refusal)).toMatch(
      /in “only:due-soon”\. Leave it out here\.$/,
    );
  });

  it('are refused in the form at the states', () => {
    const request: ReportRequest = {
      ...plainRequest('assignments'),
      view: 'due',
      states: ['overdue', 'late'],
    };
    expect(requestIn(draftOf(request))).toEqual({
      ok: false,
      refusal: [
        {
          input: 'states:assignments',
          sentence:
            'What is due from now on is not overdue, so nothing is left of it in “Overdue” and “Completed late”.',
        },
      ],
    });
    expect(requestIn(draftOf({ ...request, range: 'last-week' })).ok).toBe(true);
  });
});

/** Rows that differ in all that the states of a report and these conditions look at. */
const rowsOf: Partial<Record<ReportName, readonly Values[]>> = {
  assignments: rows.flatMap((row) => [
    row,
    { ...row, completed_date: 'soon' },
    { ...row, due_date: 'later' },
  ]),
  tracks: ['not_started', 'in_progress', 'completed', 'Waived'].flatMap((track_status) =>
    [undefined, 0, 20, 50, 100].flatMap((track_progress) =>
      [undefined, '2026-11-01', 'soon'].map((track_completed_date) => ({
        userid: 'u',
        track_status,
        track_progress,
        track_completed_date,
      })),
    ),
  ),
  engagement: [0, 1, undefined].flatMap((sessions) =>
    [0, 2].flatMap((views) =>
      [0, 3].flatMap((seconds_viewed) =>
        [0, 4].map((assignments_completed) => ({
          userid: 'u',
          sessions,
          views,
          seconds_viewed,
          assignments_completed,
        })),
      ),
    ),
  ),
  workshops: [undefined, 0, 3].flatMap((total_waiting) =>
    [0, 5, 10].map((registered_seats) => ({ total_waiting, registered_seats, offered_seats: 10 })),
  ),
};

const plan = planFor(plainRequest('assignments'));
const numbers = ['-1', '0', '1', '49', '50', '51'];
const stateConditions = Object.entries(factsOfStates).flatMap(([name, byState]) => {
  const report = name as ReportName;
  const fields = [...new Set(Object.values(byState).flatMap((facts) => facts.map(([field]) => field)))];
  return Object.keys(byState).flatMap((state) => fields.map((field) => ({ report, state, field })));
});

describe('a state and a condition', () => {
  const held = (row: Values, field: string) =>
    field === 'days_overdue' ? daysSince(row.due_date, plan) : row[field];
  const meets = (row: Values, field: string, sign: string, limit: string) => {
    const value = held(row, field);
    if (sign === 'none' || sign === 'any') return (value === undefined) === (sign === 'none');
    return typeof value === 'number' && compare[sign]?.(value, Number(limit)) === true;
  };

  it.each(stateConditions)(
    '$state of $report is refused beside conditions on $field that leave nothing',
    ({ report, state, field }) => {
      const view = state === 'due' ? state : undefined;
      const request: ReportRequest = { ...plainRequest(report), ...(view ? { view } : { states: [state] }) };
      const inState = (rowsOf[report] ?? []).filter((row) => figuresOf(planFor(request), [row]).counted > 0);
      expect(inState.length).toBeGreaterThan(0);
      const isNumber = !field.endsWith('_date');
      const signs = isNumber ? Object.keys(compare) : [];
      const conditions = [
        ['none', ''] as const,
        ['any', ''] as const,
        ...signs.flatMap((sign) => numbers.map((limit) => [sign, limit] as const)),
      ];
      const words = view ?? `${report} only:${state}`;
      for (const [sign, limit] of conditions) {
        const problem = read(`${words} ${field}:${sign}${limit}`);
        const isRefused = problem !== 'read';
        if (isRefused) expect(problem).toMatchObject({ kind: 'condition', reason: 'contradiction' });
        const kept = inState.filter((row) => meets(row, field, sign, limit));
        if (isRefused) expect([words, field, sign, limit, kept]).toEqual([words, field, sign, limit, []]);
      }
    },
  );

  it.each([
    ['overdue days_overdue:<0', '“overdue” and “days_overdue:<0”'],
    ['overdue days_overdue:none', '“overdue” and “days_overdue:none”'],
    ['overdue due_date:none', '“overdue” and “due_date:none”'],
    ['due completed_date:last-week', '“due” and “completed_date:last-week”'],
    ['assignments only:not-started,in-progress completed_date:>2026', '“only:not-started,in-progress”'],
    ['tracks only:stalled progress:>=50', '“only:stalled” and “progress:>=50”'],
    ['engagement only:inactive views:>0', '“only:inactive” and “views:>0”'],
    ['workshops only:waitlist total_waiting:=0', '“only:waitlist” and “total_waiting:=0”'],
  ])('%s names both', (words, both) => {
    const problem = read(words);
    expect(problem === 'read' ? problem : problemMessageText(problem)).toContain(
      `No row can meet both ${both}`,
    );
    const [, before = '', condition = ''] = /^(.*) (\S+)$/.exec(words) ?? [];
    const request = requestOf(before);
    const { conditions } = requestOf(`${request.report} ${condition}`);
    const form = requestIn(draftOf({ ...request, ...(conditions && { conditions }) }));
    expect(JSON.stringify(form)).toContain('No row of this view, or in these states');
  });

  it.each([
    'overdue days_overdue:>30',
    'overdue only:not-started completed_date:none',
    'assignments only:not-completed completed_date:any',
    'assignments only:completed completed_date:none',
    'assignments only:overdue,late due_date:2026 completed_date:2026',
    'tracks only:stalled,completed progress:>=50',
    'engagement only:inactive views:=0',
    'engagement only:inactive sessions:none',
  ])('%s can have rows, and is read', (words) => {
    expect(read(words)).toBe('read');
  });
});
