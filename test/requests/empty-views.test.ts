import { describe, expect, it } from 'vitest';
import { reportNamed } from '../../src/catalogue/index.js';
import { parseCommand } from '../../src/requests/parse-command.js';
import { applyToSaved } from '../../src/requests/parse-request.js';
import { problemMessageText } from '../../src/requests/problem-messages.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';
import { requestIn } from '../../src/slack/forms/read-draft.js';
import { figuresOf, planFor } from '../figures/fixed-answers.js';
import { draftOf } from '../slack/forms/builder/rendered-builder.js';

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
