import fc from 'fast-check';
import { allReports, type Field, fieldOf, reportNamed } from '../../src/catalogue/index.js';
import { fieldsToCount } from '../../src/figures/reports/count-report.js';
import type { FiguresPlan } from '../../src/figures/result.js';
import { dayIn } from './naive/row.js';

/** The current time in these answers. */
export const now = Date.parse('2026-11-20T10:30:00Z');
const day = 86_400_000;

const nothing = fc.constantFrom<unknown>(undefined, null, '', '  ', [], {});
const nonsense = fc.constantFrom<unknown>('n/a', '-', 'twelve', '0000-00-00', { a: 1 }, [[]], 'NaN', '1e999');

/** Halves and quarters, so that sums are exact in any order. */
const someNumber = fc.oneof(
  fc.integer({ min: 0, max: 400 }),
  fc.integer({ min: -3, max: 120 }).map((n) => n / 4),
);
const number = fc.oneof(
  { weight: 6, arbitrary: someNumber },
  { weight: 2, arbitrary: someNumber.map(String) },
  { weight: 1, arbitrary: someNumber.map((n) => ` ${n} `) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(1e300, '99999999999999999999', true) },
  { weight: 1, arbitrary: nothing },
  { weight: 1, arbitrary: nonsense },
);
const percentage = fc.oneof(
  { weight: 5, arbitrary: number },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: 100 }).map((n) => `${n}%`) },
);

const instant = fc.integer({ min: now - 60 * day, max: now + 20 * day });
const nearNow = fc.constantFrom(
  now - 1,
  now,
  now + 1,
  now + 7 * day - 1,
  now + 7 * day,
  now - 12 * 3_600_000,
);
const date = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: instant }, { weight: 1, arbitrary: nearNow }),
    fc.constantFrom('iso', 'iso', 'offset', 'seconds', 'digits', 'milliseconds', 'day', 'day'),
  )
  .map(([ms, form]): unknown => {
    if (form === 'seconds') return Math.floor(ms / 1000);
    if (form === 'digits') return String(ms);
    if (form === 'milliseconds') return ms;
    if (form === 'day') return new Date(ms).toISOString().slice(0, 10);
    if (form === 'offset') return `${new Date(ms + 3 * 3_600_000).toISOString().slice(0, -1)}+03:00`;
    return new Date(ms).toISOString();
  });
const anyDate = fc.oneof(
  { weight: 5, arbitrary: date },
  { weight: 2, arbitrary: nothing },
  { weight: 1, arbitrary: nonsense },
);

const statuses = {
  assignment_status: [
    'Completed',
    'done',
    'NOT_STARTED',
    'To do',
    'inProgress',
    'Waived',
    'Passed',
    'Überfällig',
  ],
  track_status: ['in_progress', 'In Progress', 'In-progress', 'COMPLETED', 'not started', 'Failed', 'Frozen'],
  assessment_status: ['Passed', 'PASSED', 'failed', 'Waiting for grading', 'ungraded', 'Excused'],
  workshop_status: ['scheduled', 'Cancelled', 'canceled', 'held'],
} as const;

const word = fc.constantFrom(
  'Sales',
  'Field Operations',
  ' Sales ',
  'مبيعات',
  'Ärzte',
  '=1+1',
  '<!here>',
  'x'.repeat(300),
);
/** Entries of a list. */
const wordWithSeparators = fc.constantFrom('Legal, Tax', 'R&D; Labs', 'A, B', 'Sales, ', ';');
const listAsText = fc
  .array(
    fc.tuple(
      fc.oneof({ weight: 4, arbitrary: word }, { weight: 1, arbitrary: wordWithSeparators }),
      fc.constantFrom('; ', '; ', ', ', ',', ';', ' , '),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.map(([text, behind], i) => text + (i < parts.length - 1 ? behind : '')).join(''));
const named = fc.oneof(
  { weight: 4, arbitrary: word },
  { weight: 1, arbitrary: word.map((name): unknown => ({ id: '1', name })) },
  { weight: 1, arbitrary: nothing },
);
const list = fc.oneof(
  { weight: 3, arbitrary: fc.array(word, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.array(fc.oneof(word, wordWithSeparators), { maxLength: 3 }) },
  { weight: 3, arbitrary: listAsText },
  { weight: 2, arbitrary: named },
  {
    weight: 1,
    arbitrary: fc.array(
      word.map((name): unknown => ({ id: 'x', name })),
      { maxLength: 3 },
    ),
  },
);
const person = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 12 }).map((n): unknown => `u${n}@example.test`) },
  { weight: 1, arbitrary: nothing },
);
const object = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      id: fc.integer({ min: 1, max: 5 }),
      title: word,
      type: fc.constantFrom<unknown>('video', 'Course', null),
      completed_date: anyDate,
    }),
  },
  { weight: 1, arbitrary: named },
);

function valuesOf({ flag, kind }: Field): fc.Arbitrary<unknown> {
  if (kind === 'status') {
    const known = statuses[flag as keyof typeof statuses];
    return fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom<unknown>(...known) },
      { weight: 1, arbitrary: nothing },
    );
  }
  if (flag === 'track_progress' || flag === 'assessment_score') return percentage;
  if (kind === 'number') return number;
  if (kind === 'date') return anyDate;
  if (kind === 'list') return list;
  if (kind === 'object') return object;
  if (kind === 'yes-no') return fc.constantFrom<unknown>(true, false, 'yes', 'No', 1, 0, null, 'maybe');
  if (kind === 'email' || flag === 'userid') return person;
  return named;
}

/** Any plan: every report and view, with and without a breakdown, in several zones. */
const anyPlan: fc.Arbitrary<FiguresPlan> = fc
  .record({
    report: fc.constantFrom(...allReports.map(({ name }) => name)),
    view: fc.constantFrom(undefined, 'overdue', 'due'),
    isNarrowed: fc.boolean(),
    chosen: fc.nat(),
    dueFrom: fc.integer({ min: -40, max: 10 }),
    dueDays: fc.integer({ min: 1, max: 20 }),
    people: fc.boolean(),
    filtersSuspended: fc.boolean(),
    zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Auckland'),
    grouped: fc.constantFrom('no', 'by-name', 'by-name', 'by-date'),
  })
  .map(({ report, view, isNarrowed, chosen, dueFrom, dueDays, people, filtersSuspended, zone, grouped }) => ({
    report,
    view: report === 'assignments' ? view : undefined,
    states: isNarrowed ? statesOf(report, chosen) : undefined,
    dueRange:
      report === 'assignments' && (view === 'due' || (view === 'overdue' && dueDays % 2 === 0))
        ? dueRange(zone, dueFrom, dueDays)
        : undefined,
    people,
    filtersSuspended,
    smallestGroup: 1,
    zone,
    now,
    range: { from: now / 1000 - 30 * 86_400, until: now / 1000 - (chosen % 2) * 12 * 86_400 },
    ...(grouped === 'by-name' ? { by: report === 'workshops' ? 'host_name' : 'teams' } : {}),
    ...(grouped === 'by-date' ? { by: dateOf(report) } : {}),
  }));

function dateOf(report: FiguresPlan['report']): string | undefined {
  return reportNamed(report).fields.find(({ kind }) => kind === 'date')?.flag;
}

/** One or several states of a report; none if it has no states. */
export function statesOf(report: FiguresPlan['report'], chosen: number): readonly string[] | undefined {
  const all = reportNamed(report).states.map(({ name }) => name);
  const picked = all.length + 2;
  if (all.length === 0) return undefined;
  // Usually one, sometimes several.
  if (chosen % picked < all.length) return [all[chosen % picked] ?? ''];
  const some = all.filter((_, i) => (chosen >> (i + 3)) % 2 === 1);
  return some.length > 0 ? some : all;
}

/**
 * A range of days in a zone; `from` and `until` in epoch seconds.
 *
 * @param from days after now
 */
export function dueRange(zone: string, from: number, days: number): FiguresPlan['dueRange'] {
  const dayAfter = (n: number) => dayIn(zone, { ms: now + n * day, wholeDay: false });
  const [firstDay, lastDay] = [dayAfter(from), dayAfter(from + days - 1)];
  return { firstDay, lastDay, from: midnight(zone, firstDay), until: midnight(zone, dayAfter(from + days)) };
}

/** The first second of a day of the zone. */
export function midnight(zone: string, iso: string): number {
  let second = Date.parse(iso) / 1000 - 15 * 3600;
  while (dayIn(zone, { ms: second * 1000, wholeDay: false }) < iso) second += 900;
  return second;
}

/** An answer to a plan: records with values of all types. */
export function answerTo(plan: FiguresPlan): fc.Arbitrary<readonly object[]> {
  const report = reportNamed(plan.report);
  const values = fieldsToCount(plan).map((flag): [string, fc.Arbitrary<unknown>] => {
    const field = fieldOf(report, flag);
    if (!field) throw new Error(`The catalogue has no ${flag} for ${plan.report}`);
    return [flag, valuesOf(field)];
  });
  return fc.array(fc.record(Object.fromEntries(values)), { maxLength: 40 });
}

export const anyAnswer = anyPlan.chain((plan) => answerTo(plan).map((records) => ({ plan, records })));
