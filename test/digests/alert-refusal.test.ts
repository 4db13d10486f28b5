import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allReports, type ReportName } from '../../src/catalogue/index.js';
import { alertRefusal, protectedAlertRefusal } from '../../src/digests/alert-refusal.js';
import { figuresOfRequest } from '../../src/figures/summary/named-figures.js';
import type { AlertCondition } from '../../src/requests/alert-condition.js';
import { parseCadence } from '../../src/requests/parse-cadence.js';
import { parseCommand } from '../../src/requests/parse-command.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';
import { accepted } from '../results.js';

/** A draft for the words after `schedule`. */
function draftOf(typed: string) {
  const command = accepted(parseCommand(`schedule ${typed}`, { savedNames: [] }));
  if (command.kind !== 'schedule' || !('request' in command.what)) throw new Error(`No digest: ${typed}`);
  const { request, skipEmpty } = command.what;
  return { request, skipEmpty, cadence: command.cadence, when: command.when };
}

const daily = accepted(parseCadence('daily 9')).cadence;

function refusalFor(request: ReportRequest, when: AlertCondition) {
  return alertRefusal({ request, when, cadence: daily, skipEmpty: false });
}

describe('a condition that is possible', () => {
  it.each([
    'overdue daily 9',
    'overdue when overdue > 50 hourly',
    'overdue when days-overdue >= 30 daily 9',
    'due when due-in-a-day > 0 daily 9',
    'assignments when completion-rate < 80% daily 9',
    'assignments when completion-rate >= 100% daily 9',
    'assignments when completion-rate <= 0% daily 9',
    'assignments only:overdue when long-overdue > 5 daily 9',
    'tracks when average-progress < 50% daily 9',
    'assessments when average-score < -1 daily 9',
    'engagement when time < 40 daily 9',
    'engagement when average-rating < 3.5 daily 9',
    'engagement when changed daily 9',
    'completions when per-day > 3 daily 9',
    'workshops when new-rows daily 9',
    'due when new-rows daily 9',
  ])('%s', (typed) => expect(alertRefusal(draftOf(typed))).toBeUndefined());
});

describe('a condition that is not possible is refused with the way out', () => {
  it.each<[string, string, string?]>([
    [
      'overdue when overdu > 50 daily 9',
      'There is no figure “overdu” in overdue assignments: its figures are overdue, people, days-overdue, long-overdue and not-started. Did you mean “overdue”?',
      'overdue > 50',
    ],
    [
      'overdue when overdue now > 50 daily 9',
      'There is no figure “overdue-now” in overdue assignments: its figures are overdue, people, days-overdue, long-overdue and not-started. Did you mean “overdue”?',
      'overdue > 50',
    ],
    [
      'assessments when xyzzy > 50 daily 9',
      'There is no figure “xyzzy” in assessments: its figures are results, pass-rate, average-score, median-score, attempts-per-person and waiting.',
    ],
    [
      'tracks only:stalled when completion-rate < 5% daily 9',
      'There is no figure “completion-rate” in tracks with only:stalled: its figures are enrolments, people and average-progress.',
    ],
    [
      'assignments when completion rat < 0.8 daily 9',
      'There is no figure “completion-rat” in assignments: its figures are assignments, completed, completion-rate, on-time, late, overdue, due-soon, not-started, days-to-complete and by-hand. Did you mean “completion-rate”?',
      'completion-rate < 80%',
    ],
    [
      'assignments when completion-rate < 80 daily 9',
      'Completion rate is a percentage. Type the sign too, as in 80%.',
      'completion-rate < 80%',
    ],
    [
      'assignments when completion-rate < 0.125 daily 9',
      'Completion rate is a percentage. Type the sign too, as in 12.5%.',
      'completion-rate < 12.5%',
    ],
    [
      'assignments when completion-rate < 180 daily 9',
      'Completion rate is a percentage. Type one from 0% to 100%.',
    ],
    [
      'assignments when overdue > 50% daily 9',
      'Overdue now is a number, not a percentage. Type 50 without the sign, or use completion-rate or on-time.',
      'overdue > 50',
    ],
    [
      'overdue when days-overdue > 50% daily 9',
      'Median days overdue is a number of days, not a percentage. Type 50 without the sign.',
      'days-overdue > 50',
    ],
    [
      'engagement when time > 40% daily 9',
      'Learning time is a number of hours, not a percentage. Type 40 without the sign, or use active-share.',
      'time > 40',
    ],
    [
      'assignments when completion-rate > 100% daily 9',
      '“completion-rate > 100%” is never true, so it would never post. Type a value below 100%.',
    ],
    [
      'assignments when completion-rate < 120% daily 9',
      '“completion-rate < 120%” is always true, so it would never post. Type a value of 100% or less.',
    ],
    [
      'overdue when overdue > -1 daily 9',
      '“overdue > -1” is always true, so it would never post. Type a value of 0 or more.',
    ],
    [
      'assignments when completion-rate <= 100% daily 9',
      '“completion-rate <= 100%” is always true, so it would never post. Type a value below 100%.',
    ],
    [
      'overdue when overdue < 0 daily 9',
      '“overdue < 0” is never true, so it would never post. Type a value above 0.',
    ],
    [
      'overdue when overdue >= 0 daily 9',
      '“overdue >= 0” is always true, so it would never post. Type a value above 0.',
    ],
    [
      'engagement when new-rows daily 9',
      'Rows of engagement cannot be told apart from run to run. new-rows is for assignments, tracks, assessments, workshops, overdue and due; here, use a figure, as in when active-people > 50.',
    ],
    [
      'completions when new-rows daily 9',
      'Rows of completions cannot be told apart from run to run. new-rows is for assignments, tracks, assessments, workshops, overdue and due; here, use a figure, as in when completions > 50.',
    ],
  ])('%s', (typed, sentence, instead) => {
    const refusal = alertRefusal(draftOf(typed));
    expect(refusal).toMatchObject({ sentence, about: 'condition' });
    expect(refusal?.instead).toEqual(instead && draftOf(`overdue when ${instead} daily 9`).when);
  });

  it('skip-empty beside a condition, from a form', () => {
    const draft = { ...draftOf('overdue when changed daily 9'), skipEmpty: true };
    expect(alertRefusal(draft)?.sentence).toBe(
      'An alert posts only when its condition becomes true. Leave out “Skip when there are no results”.',
    );
    expect(alertRefusal({ ...draft, when: null })).toBeUndefined();
  });
});

const anyRequest = fc.constantFrom<ReportName>(...allReports.map(({ name }) => name)).chain((report) =>
  fc.constantFrom<ReportRequest>(
    plainRequest(report),
    ...(report === 'assignments'
      ? (['overdue', 'due'] as const).map((view) => ({ ...plainRequest(report), view }))
      : []),
    ...(allReports.find(({ name }) => name === report)?.states ?? []).map(({ name }) => ({
      ...plainRequest(report),
      states: [name],
    })),
  ),
);

const anyComparison = fc.constantFrom('>', '>=', '<', '<=' as const);

describe('every threshold of every figure', () => {
  it('is refused where no value that the figure can have tells true from false, and otherwise taken', () => {
    const found = { taken: 0, refused: 0 };
    fc.assert(
      fc.property(
        anyRequest,
        fc.nat(),
        anyComparison,
        fc.integer({ min: -3, max: 103 }),
        (request, which, comparison, value) => {
          const figures = figuresOfRequest(request);
          const { id, unit } = figures[which % figures.length] ?? { id: '', unit: 'number' };
          const isPercent = unit === 'percent';
          const lowest = unit === 'points' ? -1_000 : 0;
          const possible = Array.from(
            { length: (isPercent ? 100 : 1_000) - lowest + 1 },
            (_, i) => lowest + i,
          );
          const holds = (at: number) =>
            ({ '>': at > value, '>=': at >= value, '<': at < value, '<=': at <= value })[comparison];
          const isTold = possible.some(holds) && !possible.every(holds);
          const refusal = refusalFor(request, {
            kind: 'threshold',
            figure: id,
            comparison,
            value,
            isPercent,
          });
          found[refusal ? 'refused' : 'taken'] += 1;
          expect(refusal === undefined).toBe(isTold);
        },
      ),
      { numRuns: 2_000 },
    );
    expect(found.taken).toBeGreaterThan(100);
    expect(found.refused).toBeGreaterThan(20);
  });

  it('is refused with a condition that is possible, or with none', () => {
    let offered = 0;
    const anyFigure = fc.constantFrom(
      'overdue',
      'ovrdue',
      'completion-rate',
      'pass rate',
      'time',
      'people',
      'x',
    );
    fc.assert(
      fc.property(
        anyRequest,
        anyFigure,
        anyComparison,
        fc.integer({ min: -4, max: 480 }).map((quarters) => quarters / 4),
        fc.boolean(),
        (request, figure, comparison, value, isPercent) => {
          const when = { kind: 'threshold', figure, comparison, value, isPercent } as const;
          const instead = refusalFor(request, when)?.instead;
          if (!instead) return;
          offered += 1;
          expect(refusalFor(request, instead)).toBeUndefined();
        },
      ),
      { numRuns: 1_000 },
    );
    expect(offered).toBeGreaterThan(50);
  });
});

describe('where readers are protected', () => {
  const refusedIn = (typed: string, endsInDirectMessages = false) => {
    const draft = draftOf(typed);
    expect(alertRefusal(draft)).toBeUndefined();
    return protectedAlertRefusal(draft, { smallestGroup: 5, endsInDirectMessages });
  };

  it.each([
    'overdue daily 9',
    'overdue hourly',
    'overdue when overdue > 50 daily 9',
    'overdue when overdue > 50 every 2 weeks fri 9',
    'overdue when overdue > 50 monthly last fri 15:00',
    'overdue when overdue > 50 cron "0 9 * * 1-5"',
    'engagement by:departments when active-share < 50% daily 9',
    'engagement by:created_at when active-people < 50 daily 9',
  ])('%s is possible', (typed) => expect(refusedIn(typed)).toBeUndefined());

  it.each([
    [
      'overdue when changed daily 9',
      'Figures here are about 5 people at least, and an alert on every change would tell of fewer. Use a figure, as in when overdue > 50.',
      'condition',
    ],
    [
      'tracks when new-rows daily 9',
      'Figures here are about 5 people at least, and an alert on every change would tell of fewer. Use a figure, as in when enrolments > 50.',
      'condition',
    ],
    [
      'overdue when overdue > 50 hourly',
      'Figures here are about 5 people at least, so an alert runs daily at most. Choose daily, weekly or less.',
      'time',
    ],
    [
      'overdue when overdue > 50 cron "0 9,17 * * *"',
      'Figures here are about 5 people at least, so an alert runs daily at most. Choose daily, weekly or less.',
      'time',
    ],
    [
      'engagement by:created_at when active-share < 50% daily 9',
      'Figures here are about 5 people at least, so “active-share” is left out of a breakdown by created_at. Leave out by:created_at, or use another figure.',
      'request',
    ],
  ])('%s is refused', (typed, sentence, about) => {
    expect(refusedIn(typed)).toEqual({ sentence, about });
    expect(refusedIn(typed, true)?.sentence).toBe(
      `${sentence.slice(0, -1)}, or send it to your direct messages with to:me.`,
    );
  });
});
