import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fieldsToCount } from '../../src/figures/reports/count-report.js';
import type { FiguresPlan } from '../../src/figures/result.js';
import { propertyRuns } from '../property-runs.js';
import { figuresOf } from './fixed-answers.js';
import { Row } from './naive/row.js';
import { countedRows } from './naive/states.js';
import { rowsOfPeople } from './naive/taking-part.js';
import { anyAnswer, now } from './random-answers.js';

const statusOf: Partial<Record<FiguresPlan['report'], string>> = {
  assignments: 'assignment_status',
  tracks: 'track_status',
  assessments: 'assessment_status',
  workshops: 'workshop_status',
};

function rowsOf(plan: FiguresPlan, records: readonly object[]): readonly Row[] {
  return records.map((record) => new Row(fieldsToCount(plan), record));
}

describe('what else is counted on the way agrees with the whole answer', () => {
  test('the spread of statuses: known or not, each row that has one is in it', () => {
    fc.assert(
      fc.property(anyAnswer, ({ plan, records }) => {
        const flag = statusOf[plan.report];
        if (flag === undefined) return;
        const counts = new Map<string, number>();
        for (const row of countedRows(rowsOf(plan, records), plan)) {
          const status = row.status(flag);
          if (status !== undefined) counts.set(status, (counts.get(status) ?? 0) + 1);
        }
        const [spread] = figuresOf(plan, records).spreads;
        expect(spread?.entries.map(({ count }) => count) ?? []).toEqual(
          [...counts.values()].sort((a, b) => b - a),
        );
        expect(spread?.others ?? 0).toBe(0);
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  test('missing and unreadable due dates, by name', () => {
    fc.assert(
      fc.property(anyAnswer, ({ plan, records }) => {
        if (plan.report !== 'assignments') return;
        const rows = rowsOf(plan, records);
        const without = rows.filter((row) => row.date('due_date') === undefined);
        const missing = without.filter((row) => row.isMissing('due_date')).length;
        const unreadable = without.length - missing;
        const about = figuresOf(plan, records).notes.filter(
          (note) => 'field' in note && note.field === 'due date',
        );
        expect(about).toEqual([
          ...(missing > 0 ? [{ kind: 'missing', field: 'due date', rows: missing, of: rows.length }] : []),
          ...(unreadable > 0
            ? [{ kind: 'unreadable', field: 'due date', rows: unreadable, of: rows.length }]
            : []),
        ]);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  test('as many people to look at as the figures say', () => {
    fc.assert(
      fc.property(anyAnswer, ({ plan, records }) => {
        const { figures, people, counted } = figuresOf(plan, records);
        expect(people !== undefined).toBe(plan.people && hasPeople(plan));
        if (!people) return;
        if (people.why === 'due' || people.why === 'counted') {
          expect(people.rows).toBe(counted);
          expect(people.listed.length).toBe(Math.min(10, counted));
          return;
        }
        const figure = figures.find(({ id }) => id === (plan.report === 'tracks' ? 'stalled' : 'overdue'));
        if (plan.report === 'engagement') {
          const among = rowsOfPeople(countedRows(rowsOf(plan, records), plan));
          expect(people.rows).toBe(among.filter((own) => own.every(neverSignedIn)).length);
        } else {
          const isOnlyState = ['stalled', 'overdue'].includes(plan.states?.join() ?? '');
          const ofNone = { kind: 'count', count: isOnlyState ? counted : 0 };
          expect(figure?.value ?? ofNone).toEqual({ kind: 'count', count: people.rows });
        }
        expect(people.listed.length).toBe(Math.min(10, people.rows));
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  test('the next sessions with free seats, the earliest first', () => {
    fc.assert(
      fc.property(anyAnswer, ({ plan, records }) => {
        if (plan.report !== 'workshops') return;
        const free = countedRows(rowsOf(plan, records), plan).flatMap((row) => {
          const start = row.date('workshop_start_date');
          const room =
            (row.number('offered_seats') ?? Number.NaN) - (row.number('registered_seats') ?? Number.NaN);
          const open = ![row.yesOrNo('archived'), row.yesOrNo('registration_disabled')].includes(true);
          const soon = start && (start.wholeDay ? start.ms > now - 36 * 3_600_000 : start.ms >= now);
          const isCancelled = ['cancelled', 'canceled'].includes(row.status('workshop_status') ?? '');
          return soon && open && room > 0 && !isCancelled ? [{ start, room }] : [];
        });
        const timed = free.filter(({ start }) => !start.wholeDay).length;
        const { upcoming } = figuresOf(plan, records);
        expect(upcoming.length).toBeLessThanOrEqual(Math.min(5, free.length));
        expect(upcoming.length).toBeGreaterThanOrEqual(Math.min(5, timed));
        for (const { free: seats } of upcoming) expect(free.some(({ room }) => room === seats)).toBe(true);
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});

function hasPeople({ report, states }: FiguresPlan): boolean {
  if (report === 'assessments') return states !== undefined;
  return report === 'assignments' || report === 'tracks' || report === 'engagement';
}

function neverSignedIn(row: Row): boolean {
  return row.isMissing('first_login') && row.isMissing('last_login') && !((row.number('sessions') ?? 0) > 0);
}
