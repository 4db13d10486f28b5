import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AlertReading, type AlertState, newAlert } from '../../src/digests/alert.js';
import { describeAlert, describeLastReading, lookBack } from '../../src/digests/alert-outlook.js';
import { notReached } from '../../src/figures/summary/changes.js';
import type { AlertCondition } from '../../src/requests/alert-condition.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';
import { propertyRuns } from '../property-runs.js';
import { firedAt } from './naive-alert.js';

type Threshold = Extract<AlertCondition, { kind: 'threshold' }>;

const overdue: ReportRequest = { ...plainRequest('assignments'), view: 'overdue' };
const above50: Threshold = {
  kind: 'threshold',
  figure: 'overdue',
  comparison: '>',
  value: 50,
  isPercent: false,
};
const rateBelow = (value: number): Threshold => ({
  kind: 'threshold',
  figure: 'completion-rate',
  comparison: '<',
  value,
  isPercent: true,
});

/** 09:00 in Berlin on a day of November. */
const on = (day: number) => Date.UTC(2026, 10, day, 8);
const reading = (day: number, figures: AlertReading['figures'], rows = 100): AlertReading => ({
  dueAt: on(day),
  rows,
  figures,
});
const zone = 'Europe/Berlin';

describe('the preview of an alert', () => {
  it.each<[AlertCondition, ReportRequest, string]>([
    [
      above50,
      overdue,
      'Only when Overdue now is above 50. After that it is quiet until it falls to 47.5 or less.',
    ],
    [
      { ...above50, value: 5 },
      overdue,
      'Only when Overdue now is above 5. After that it is quiet until it falls to 4.75 or less.',
    ],
    [
      rateBelow(80),
      plainRequest('assignments'),
      'Only when Completion rate is below 80%. After that it is quiet until it rises to 84% or more.',
    ],
    [
      rateBelow(99),
      plainRequest('assignments'),
      'Only when Completion rate is below 99%. After that it is quiet until it rises to 100%.',
    ],
    [
      { ...above50, value: 0 },
      overdue,
      'Only when Overdue now is above 0. After that it is quiet until it falls to 0.',
    ],
    [
      { ...above50, figure: 'days-overdue', comparison: '>=', value: 1 },
      overdue,
      'Only when Median days overdue is at least 1 day. After that it is quiet until it falls to 0.95 days or less.',
    ],
    [{ kind: 'changed' }, overdue, 'Only when a figure differs from the last run.'],
    [
      { kind: 'new-rows' },
      plainRequest('tracks'),
      'Only when there are track enrolments that the last run did not have. It lists them.',
    ],
  ])('of %j', (when, request, sentence) => {
    expect(describeAlert({ when, request })).toEqual([
      sentence,
      'The first run posts nothing: later runs are compared with it.',
    ]);
  });
});

describe('the last value of an alert', () => {
  const stateOf = (...readings: readonly AlertReading[]): AlertState => ({ ...newAlert, readings });

  it.each<[Threshold, AlertState, string | undefined]>([
    [
      above50,
      stateOf(reading(20, { overdue: 60 }), reading(23, { overdue: 42 })),
      'Last: 42, 8 below 50, Mon 23 Nov',
    ],
    [above50, stateOf(reading(23, { overdue: 1057 })), 'Last: 1,057, 1,007 above 50, Mon 23 Nov'],
    [above50, stateOf(reading(23, { overdue: 50 })), 'Last: 50, exactly 50, Mon 23 Nov'],
    [
      rateBelow(80),
      stateOf(reading(23, { 'completion-rate': 79 })),
      'Last: 79%, 1 point below 80%, Mon 23 Nov',
    ],
    [
      rateBelow(80),
      stateOf(reading(23, { 'completion-rate': 79.96 })),
      'Last: 79.96%, 0.04 points below 80%, Mon 23 Nov',
    ],
    [
      rateBelow(4.25),
      stateOf(reading(23, { 'completion-rate': 4.2 })),
      'Last: 4.2%, 0.05 points below 4.25%, Mon 23 Nov',
    ],
    [
      { ...above50, figure: 'days-overdue' },
      stateOf(reading(23, { 'days-overdue': notReached })),
      'Last: not reached, above 50 days, Mon 23 Nov',
    ],
    [above50, stateOf(reading(20, { overdue: 60 }), reading(23, {})), 'Last: 60, 10 above 50, Fri 20 Nov'],
    [
      above50,
      { ...stateOf(reading(23, {})), lastShown: reading(2, { overdue: 45 }) },
      'Last: 45, 5 below 50, Mon 2 Nov',
    ],
    [above50, stateOf(reading(23, {})), 'Last: the figure could not be shown'],
    [above50, newAlert, undefined],
  ])('of %j with %j', (when, state, line) => {
    const request = when.isPercent ? plainRequest('assignments') : overdue;
    expect(describeLastReading({ when, request }, state, zone)).toBe(line);
  });

  it('is none where an alert waits for no value', () => {
    const state = stateOf(reading(23, { overdue: 1 }));
    expect(describeLastReading({ when: { kind: 'changed' }, request: overdue }, state, zone)).toBeUndefined();
  });
});

describe('the test of an alert looks back', () => {
  const readings = [40, 51, 49, 60, 40, 55].map((value, at) => reading(16 + at, { overdue: value }));

  it('on a value', () => {
    expect(lookBack({ when: above50, request: overdue }, readings, zone)).toEqual([
      '16 Nov: 40, first run',
      '17 Nov: 51, posted',
      '18 Nov: 49, quiet',
      '19 Nov: 60, quiet',
      '20 Nov: 40, quiet',
      '21 Nov: 55, posted',
    ]);
    expect(lookBack({ when: above50, request: overdue }, [], zone)).toEqual([]);
  });

  it('on a value that could not be shown, and several times a day', () => {
    const twice = [reading(16, {}), { ...reading(16, { overdue: 60 }), dueAt: on(16) + 3_600_000 }];
    expect(lookBack({ when: above50, request: overdue }, twice, zone)).toEqual([
      '16 Nov, 09:00: not shown, first run',
      '16 Nov, 10:00: 60, first run',
    ]);
  });

  it('on changes', () => {
    const some = [
      reading(16, { overdue: 1, people: 1 }),
      reading(17, { overdue: 1, people: 1 }),
      reading(18, { overdue: 2, people: 1 }),
      reading(19, { overdue: 3, people: 2 }),
    ];
    expect(lookBack({ when: { kind: 'changed' }, request: overdue }, some, zone)).toEqual([
      '16 Nov: first run',
      '17 Nov: quiet',
      '18 Nov: 1 figure changed, posted',
      '19 Nov: 2 figures changed, posted',
    ]);
  });

  it('on new rows, where runs have told them apart', () => {
    const some = [
      reading(16, {}),
      { ...reading(17, {}), newRows: 0 },
      { ...reading(18, {}), newRows: 3 },
      reading(19, {}),
    ];
    expect(lookBack({ when: { kind: 'new-rows' }, request: overdue }, some, zone)).toEqual([
      '16 Nov: first run',
      '17 Nov: quiet',
      '18 Nov: 3 new rows, posted',
      '19 Nov: not known',
    ]);
  });

  it('says posted where a second computation posts', () => {
    const anyValue = fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined });
    fc.assert(
      fc.property(
        fc.array(anyValue, { maxLength: 10 }),
        fc.constantFrom('>', '>=', '<', '<=' as const),
        fc.integer({ min: 1, max: 20 }),
        (values, comparison, value) => {
          const when = { ...above50, comparison, value };
          const runs = values.map((found, at) =>
            reading(1 + at, found === undefined ? {} : { overdue: found }),
          );
          const lines = lookBack({ when, request: overdue }, runs, zone);
          const posted = lines.flatMap((line, at) => (line.endsWith(', posted') ? [at] : []));
          expect(posted).toEqual(
            firedAt(
              when,
              values.map((found) => ({ value: found, rows: 100 })),
            ),
          );
        },
      ),
      { numRuns: propertyRuns(200) },
    );
  });
});
