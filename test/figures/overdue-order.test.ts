import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fieldsToCount, startCounting } from '../../src/figures/reports/count-report.js';
import type { FiguresPlan } from '../../src/figures/result.js';
import { plainRecord } from '../reporting-api/answer/plain-record.js';

const zone = 'America/New_York';
const plan: FiguresPlan = {
  report: 'assignments',
  view: 'overdue',
  people: true,
  smallestGroup: 1,
  now: Date.parse('2026-11-20T15:00:00Z'),
  zone,
};

interface Row {
  readonly first_name: string;
  readonly due_date: string;
  /** The moment due, worked out by hand. */
  readonly moment: number;
}

/** The names in the file's order and in the message's. */
function ordersOf(rows: readonly Row[]) {
  const fields = fieldsToCount(plan);
  const reader = startCounting(plan, fields);
  const ranks = rows.map(({ moment: _moment, ...row }) => {
    reader.add(plainRecord(fields, { ...row, email: `${row.first_name}@x.example` }));
    return reader.lastRank;
  });
  const file = rows
    .map(({ first_name }, i) => ({ first_name, rank: ranks[i] ?? 0 }))
    .sort((a, b) => a.rank - b.rank)
    .map((row) => row.first_name);
  return { file, message: reader.finish().people?.listed.map(({ name }) => name) };
}

const moment = (iso: string, name: string): Row => ({
  first_name: name,
  due_date: iso,
  moment: Date.parse(iso),
});
/** November is five hours behind UTC in New York, so a day there ends at 05:00 of the next in UTC. */
const day = (date: number, name: string): Row => ({
  first_name: name,
  due_date: `2026-11-${String(date).padStart(2, '0')}`,
  moment: Date.parse(`2026-11-${String(date + 1).padStart(2, '0')}T05:00:00Z`),
});

it('goes by the moment due within one day too, in the file as in the message', () => {
  const rows = [
    moment('2026-11-18T22:00:00Z', 'evening'),
    day(17, 'whole-day'),
    moment('2026-11-18T04:59:59Z', 'just-before-midnight'),
    moment('2026-11-18T10:00:00Z', 'morning'),
  ];
  const expected = ['just-before-midnight', 'whole-day', 'morning', 'evening'];
  expect(ordersOf(rows)).toEqual({ file: expected, message: expected });
});

it('is one order, whatever is due when', () => {
  const anyDue = fc.oneof(
    fc.integer({ min: 1, max: 18 }).map((date) => (name: string) => day(date, name)),
    fc
      .date({
        min: new Date('2026-11-02T00:00:00Z'),
        max: new Date('2026-11-20T14:00:00Z'),
        noInvalidDate: true,
      })
      .map((at) => (name: string) => moment(at.toISOString(), name)),
  );
  fc.assert(
    fc.property(fc.array(anyDue, { minLength: 1, maxLength: 10 }), (dues) => {
      const rows = dues.map((due, i) => due(`p${i}`));
      const expected = [...rows].sort((a, b) => a.moment - b.moment).map(({ first_name }) => first_name);
      expect(ordersOf(rows)).toEqual({ file: expected, message: expected });
    }),
  );
});
