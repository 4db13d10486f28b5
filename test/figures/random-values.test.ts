import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allReports } from '../../src/catalogue/index.js';
import { fieldsToCount, startCounting } from '../../src/figures/reports/count-report.js';
import type { FiguresPlan } from '../../src/figures/result.js';
import { propertyRuns } from '../property-runs.js';
import { plainRecord } from '../reporting-api/answer/plain-record.js';
import { statesOf } from './random-answers.js';

const scalar = fc.oneof(
  fc.constantFrom(
    null,
    '',
    ' ',
    'soon',
    '2026-11-20',
    '2026-11-20T25:00',
    '0000-01-01',
    '12:00',
    '-1',
    '100 %',
  ),
  fc.constantFrom(0, -1, 0.5, 8.64e15, -8.64e15, 1e300, -1e300, 5e-324, 99_999_999_999),
  fc.constantFrom('9'.repeat(400), 'x'.repeat(300), '\u0000', '\ud800', '__proto__'),
  fc.boolean(),
);
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('id', 'title', 'name', 'completed_at', 'type', 'email'), scalar),
  fc.array(fc.dictionary(fc.constantFrom('id', 'title', '__proto__'), scalar), { maxLength: 2 }),
);
const anyPlan = fc.constantFrom(...allReports).chain((report) =>
  fc.record({
    report: fc.constant(report.name),
    view: report.name === 'assignments' ? fc.constantFrom(undefined, 'overdue') : fc.constant(undefined),
    states: fc.nat().map((chosen) => statesOf(report.name, chosen)),
    smallestGroup: fc.constant(1),
    by: fc.constantFrom(...report.fields.map(({ flag }) => flag)),
    people: fc.boolean(),
    now: fc.constant(Date.parse('2026-11-20T11:00Z')),
    zone: fc.constantFrom('Europe/Berlin', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'),
    range: fc.constant({ from: 1_790_000_000, until: 1_793_000_000 }),
  }),
);

test('no value of any field keeps a record from being counted', () => {
  fc.assert(
    fc.property(
      anyPlan,
      fc.array(fc.array(value, { minLength: 60, maxLength: 60 }), { maxLength: 4 }),
      (plan, rows) => {
        const fields = fieldsToCount(plan as FiguresPlan);
        const reader = startCounting(plan as FiguresPlan, fields);
        for (const row of rows) {
          const record = Object.fromEntries(fields.map((flag, place) => [flag, row[place]]));
          reader.add(plainRecord(fields, record));
        }
        expect(reader.finish().records).toBe(rows.length);
      },
    ),
    { numRuns: propertyRuns(2000) },
  );
});
