import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AlertReading, type AlertState, judgeAlert, newAlert } from '../../src/digests/alert.js';
import { alertWords, describeCheck, type JudgedRun } from '../../src/digests/alert-words.js';
import { notReached } from '../../src/figures/summary/changes.js';
import { type AlertCondition, meets } from '../../src/requests/alert-condition.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';

const start = Date.parse('2026-11-20T08:00:00Z');
const day = 24 * 3_600_000;
const request: ReportRequest = { ...plainRequest('assignments'), view: 'overdue' };
type Threshold = Extract<AlertCondition, { kind: 'threshold' }>;
const overdue: Threshold = {
  kind: 'threshold',
  figure: 'overdue',
  comparison: '>',
  value: 50,
  isPercent: false,
};
const rate: Threshold = {
  kind: 'threshold',
  figure: 'completion-rate',
  comparison: '<',
  value: 80,
  isPercent: true,
};

/** The last of some daily runs. */
function lastOf(
  when: AlertCondition,
  values: readonly Readonly<Record<string, number>>[],
  changes: Partial<JudgedRun> & { readonly newRows?: number } = {},
): JudgedRun {
  let state: AlertState = newAlert;
  let run: JudgedRun | undefined;
  for (const [at, figures] of values.entries()) {
    const reading: AlertReading = { dueAt: start + at * day, rows: 40, figures, newRows: changes.newRows };
    const judged = judgeAlert(when, state, reading);
    run = { when, request, zone: 'Europe/Berlin', judged, reading, state, isByHand: false, ...changes };
    state = judged.next;
  }
  if (!run) throw new Error('There is no run');
  return run;
}

const of = (figure: string, ...values: readonly number[]) => values.map((value) => ({ [figure]: value }));
const ofAssignments = { request: plainRequest('assignments') };

describe('the words of an alert', () => {
  it.each<[string, JudgedRun, readonly string[]]>([
    [
      'that was never true before',
      lastOf(overdue, of('overdue', 48, 52)),
      ['Overdue now: 52, above 50', 'It was 48 on Fri 20 Nov, 09:00, and never above 50 until now.'],
    ],
    [
      'that was true before',
      lastOf(overdue, of('overdue', 48, 52, 40, 49, 1234)),
      [
        'Overdue now: 1,234, above 50',
        'It was 49 on Mon 23 Nov, 09:00, and not above 50 since Sun 22 Nov, 09:00.',
      ],
    ],
    [
      'on a rate',
      lastOf(rate, of('completion-rate', 81.25, 79.96), ofAssignments),
      [
        'Completion rate: 79.96%, below 80%',
        'It was 81.3% on Fri 20 Nov, 09:00, and never below 80% until now.',
      ],
    ],
    [
      'that is sent by hand',
      lastOf(overdue, of('overdue', 48, 42), { isByHand: true }),
      ['Overdue now: 42, not above 50', 'It was 48 on Fri 20 Nov, 09:00.', 'Sent by hand.'],
    ],
    [
      'that cannot be shown, sent by hand',
      lastOf(overdue, [{}], { isByHand: true }),
      ['Overdue now could not be shown', 'Sent by hand.'],
    ],
    [
      'on changes',
      lastOf(
        { kind: 'changed' },
        [
          { 'completion-rate': 50, assignments: 10, overdue: 3 },
          { 'completion-rate': 50.5, assignments: 12, overdue: 3 },
        ],
        ofAssignments,
      ),
      [
        '2 figures have changed since Fri 20 Nov, 09:00',
        'Assignments: 10 → 12',
        'Completion rate: 50% → 50.5%',
      ],
    ],
    [
      'on new rows',
      lastOf({ kind: 'new-rows' }, [{}, {}], { newRows: 1 }),
      ['1 new assignment since Fri 20 Nov, 09:00'],
    ],
    [
      'on changes, at its first run by hand',
      lastOf({ kind: 'changed' }, [{ overdue: 1 }], { isByHand: true }),
      ['This is the first run, so there is nothing to compare with', 'Sent by hand.'],
    ],
  ])('%s', (_, run, wanted) => {
    const { finding, lines } = alertWords(run);
    expect([finding, ...lines].sort()).toEqual([...wanted].sort());
    expect(finding).toBe(wanted[0]);
  });

  it('have a chart of the last ten runs, without those that have no value', () => {
    const values = [...of('overdue', ...Array.from({ length: 12 }, (_, n) => n)), {}, { overdue: 60 }];
    const { chart } = alertWords(lastOf(overdue, values));
    expect(chart).toMatchObject({ title: 'Overdue now, last 9 runs', shape: 'line' });
    expect(chart?.categories).toEqual([
      '24 Nov',
      '25 Nov',
      '26 Nov',
      '27 Nov',
      '28 Nov',
      '29 Nov',
      '30 Nov',
      '1 Dec',
      '3 Dec',
    ]);
    expect(chart?.series).toEqual([{ name: 'Overdue now', values: [4, 5, 6, 7, 8, 9, 10, 11, 60] }]);
    expect(alertWords(lastOf(overdue, of('overdue', 1, 60))).chart).toBeUndefined();
  });
});

it.each<[string, JudgedRun, string]>([
  ['is not true', lastOf(overdue, of('overdue', 40, 42)), 'Overdue now: 42, not above 50.'],
  [
    'is still true',
    lastOf(overdue, of('overdue', 40, 52, 55)),
    'Overdue now: 55, above 50 since Sat 21 Nov, 09:00.',
  ],
  [
    'is not far enough away',
    lastOf(overdue, of('overdue', 40, 52, 48)),
    'Overdue now: 48, not above 50. It can post again at 47.5 or less.',
  ],
  ['is armed again', lastOf(overdue, of('overdue', 40, 52, 47)), 'Overdue now: 47, not above 50 any more.'],
  ['could not be shown', lastOf(overdue, [{ overdue: 40 }, {}]), 'Overdue now could not be shown.'],
  ['is the first', lastOf(overdue, of('overdue', 60)), 'Overdue now: 60, above 50.'],
  ['is the first on changes', lastOf({ kind: 'changed' }, [{}]), 'Later runs are compared with this one.'],
  ['has no changes', lastOf({ kind: 'changed' }, [{}, {}]), 'No figure has changed.'],
  ['has no new rows', lastOf({ kind: 'new-rows' }, [{}, {}]), 'No new rows.'],
])('a run that posts nothing, because it %s, says so', (_, run, wanted) => {
  expect(describeCheck(run)).toBe(wanted);
});

it('says how few rows there were, and how many there had been', () => {
  const before = Array.from({ length: 10 }, (_, n) => ({ dueAt: n, rows: 1240 + n, figures: {} }));
  const reading = { dueAt: 11, rows: 1, figures: {} };
  const judged = judgeAlert(overdue, { readings: before, isOn: false }, reading);
  const run = { ...lastOf(overdue, [{}]), judged, reading };
  expect(describeCheck(run)).toBe('Only 1 assignment, and 1,240 or more at each run before.');
});

it('never shows a number that contradicts its side of the threshold, nor one as nothing that is something', () => {
  const value = fc.oneof(
    fc.double({ min: 0, max: 100, noNaN: true }),
    fc.integer({ min: 0, max: 100 }),
    fc.constant(notReached),
  );
  const limit = fc.integer({ min: 0, max: 100_000 }).map((n) => n / 1000);
  fc.assert(
    fc.property(value, limit, fc.constantFrom('>', '>=', '<', '<='), (found, threshold, comparison) => {
      const near = Math.abs(found - threshold) < 1e-5 || found < 1e-5;
      fc.pre(found === threshold || found === 0 || !near);
      const when: Threshold = {
        ...rate,
        comparison: comparison as Threshold['comparison'],
        value: threshold,
      };
      const { finding } = alertWords(
        lastOf(when, of('completion-rate', found), { isByHand: true, ...ofAssignments }),
      );
      const [, number = '', side = ''] =
        /^Completion rate: ([\d.]+|not reached)%?, (.*?)[\d.]+%$/.exec(finding) ?? [];
      expect(finding.endsWith(` ${threshold}%`)).toBe(true);
      expect(side.startsWith('not ')).toBe(!meets(when, found));
      const shown = number === 'not reached' ? notReached : Number(number);
      expect(meets(when, shown)).toBe(meets(when, found));
      expect(shown === 0).toBe(found === 0);
    }),
  );
});
