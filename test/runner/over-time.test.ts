import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Scope, unlimitedScope } from '../../src/access/scope.js';
import { Failure } from '../../src/errors/failure.js';
import { dateIn, isDueIn } from '../../src/figures/counting/dates.js';
import { fieldsToCount, startCounting } from '../../src/figures/reports/count-report.js';
import type { FiguresResult } from '../../src/figures/result.js';
import { unitRanges } from '../../src/requests/date-range.js';
import { unitsOf } from '../../src/requests/over-time.js';
import { isCohort, plainRequest, type ReportRequest } from '../../src/requests/request.js';
import type { Query, ReadOptions, ReportSource, UnitTotals } from '../../src/runner/ports.js';
import { figuresPlan, plannedQuery, type RunOptions, resolveRanges } from '../../src/runner/queries.js';
import { runReport } from '../../src/runner/run-report.js';
import { plainRecord } from '../reporting-api/answer/plain-record.js';

/** A Friday, 11:00 in Berlin. The clocks went back on 25 October. */
const requestedAt = Date.parse('2026-11-20T10:00:00Z');
const asker = { id: 'U1', zone: 'Europe/Berlin', email: 'ada@example.com' };
const everything: Scope = { ...unlimitedScope, namesPeople: false };

type Row = Readonly<Record<string, unknown>>;

/** The date of a row by which the service selects it, in milliseconds. */
type DateOf = (row: Row, target: unknown) => number;

const dateOf: DateOf = (row, target) =>
  Date.parse(String(row[typeof target === 'string' ? target : 'at'] ?? row.at));

/** A service that selects rows by a date, and counts them as the reading thread does. */
function serviceWith(rows: readonly Row[], select: DateOf = dateOf) {
  const asked: { readonly query: Query; readonly options: ReadOptions }[] = [];
  const source: ReportSource = {
    async read(query, plan, options) {
      asked.push({ query, options });
      const { from, until } = query.range ?? { from: 0, until: 0 };
      const chosen = rows.filter((row) => {
        const seconds = select(row, query.body.range_target) / 1000;
        return seconds >= from && seconds < until;
      });
      const figures = plan.figures && startCounting(plan.figures, plan.fields);
      const isDue = plan.dueRange && isDueIn(plan.dueRange);
      const due = plan.fields.indexOf('due_date');
      for (const row of chosen) {
        const record = plainRecord(plan.fields, row);
        const date = dateIn(record, due);
        if (!isDue || Number.isNaN(date) || isDue(date)) figures?.add(record);
      }
      return { records: chosen.length, figures: figures?.finish() };
    },
  };
  return { source, asked };
}

function optionsWith(more: Partial<RunOptions> = {}): RunOptions {
  return {
    asker,
    requestedAt,
    scope: everything,
    urgency: 'person',
    signal: new AbortController().signal,
    ...more,
  };
}

const requestWith = (more: Partial<ReportRequest>): ReportRequest => ({
  ...plainRequest('engagement'),
  ...more,
});

async function run(
  request: ReportRequest,
  source: ReportSource,
  more: Partial<RunOptions> = {},
  kept?: UnitTotals,
) {
  const parts = { source, weekStart: 'monday', unitTotals: kept } as const;
  return runReport(request, optionsWith(more), parts);
}

/** The figures of each unit, asked by itself. */
async function oneByOne(request: ReportRequest, source: ReportSource, scope = everything) {
  const options = optionsWith({ scope });
  const { shown } = resolveRanges(request, options, 'monday');
  if (!shown) throw new Error('There is no range');
  const all: FiguresResult[] = [];
  for (const { range, nextEnds } of unitRanges(shown, unitsOf(request.over ?? '').unit)) {
    const { over: _over, figure: _figure, ...alone } = request;
    const ranges = { shown: range, queried: range, conditions: undefined };
    const asOf = isCohort(request) ? nextEnds * 1000 - 1 : undefined;
    const figures = { ...figuresPlan(alone, ranges, options), figuresOnly: true, asOf };
    const { query, plan } = plannedQuery(alone, range, fieldsToCount(figures), { figures }, options);
    const read = await source.read(query, plan, { ...options, asker: 'U1' });
    if (read.figures) all.push(read.figures);
  }
  return all;
}

const valuesOf = (result: Awaited<ReturnType<typeof run>>) => {
  const { units = [], columns = [] } = result.figures?.overTime ?? {};
  return units.map(({ values }) => Object.fromEntries(columns.map(({ id }, at) => [id, values[at]])));
};

const instant = fc
  .integer({ min: Date.parse('2026-08-01'), max: Date.parse('2026-11-20') })
  .map((at) => new Date(at).toISOString());
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const assignment = fc.record({
  assigned_date: instant,
  completed_date: maybe(instant),
  due_date: maybe(
    fc.oneof(
      instant,
      instant.map((at) => at.slice(0, 10)),
    ),
  ),
  assignment_status: fc.constantFrom('Completed', 'In progress', 'Not started', null),
  email: fc.constantFrom('a@x.example', 'b@x.example', 'c@x.example', 'd@x.example', 'e@x.example'),
});
const completion = fc
  .record({
    content: fc.record({ completed_at: instant, type: fc.constantFrom('video', 'course') }),
    email: fc.constantFrom('a@x.example', 'b@x.example', 'c@x.example'),
  })
  .map((row) => ({ ...row, at: row.content.completed_at, completed_date: row.content.completed_at }));
const person = fc.record({
  at: instant,
  email: fc.constantFrom('a@x.example', 'b@x.example'),
  sessions: fc.nat(3),
});

describe('over time', () => {
  it.each([
    ['assignments', assignment, [undefined, 'completed_date', 'due_date']],
    ['completions', completion, [undefined]],
    ['engagement', person, [undefined]],
  ] as const)('is the units of %s asked one by one, figure for figure', async (report, row, dates) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row as fc.Arbitrary<Row>, { maxLength: 60 }),
        fc.constantFrom('5w', '12w', '9d', '2m', '3w'),
        fc.constantFrom(...dates),
        fc.constantFrom(1, 2, 3),
        async (rows, over, dateField, smallestGroup) => {
          const withDates = dateField === 'completed_date' ? rows.filter((one) => one.completed_date) : rows;
          const { source } = serviceWith(withDates);
          const request = requestWith({ report, over, dateField });
          const scope = { ...everything, smallestGroup };
          const result = await run(request, source, { scope });
          const units = await oneByOne(request, source, scope);
          if (units.every(({ tooFew }) => tooFew !== undefined)) {
            expect(result.figures).toMatchObject({ tooFew: smallestGroup, figures: [] });
            return;
          }
          const { columns = [], units: lines = [] } = result.figures?.overTime ?? {};
          expect(lines).toHaveLength(units.length);
          for (const [index, { figures, tooFew, recounted }] of units.entries()) {
            const { completed = 0, undated = 0 } = recounted ?? {};
            for (const [at, { id }] of columns.entries()) {
              const alone = figures.find((figure) => figure.id === id);
              const isUndated = undated > completed / 100 && alone?.compared === 'equal-age';
              const hidden = { kind: tooFew === undefined && isUndated ? 'unknown' : 'too-few' };
              expect(lines[index]?.values[at]).toEqual(alone && !isUndated ? alone.value : hidden);
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('asks once where the rows have the date, and a unit at a time behind people where not', async () => {
    const once = serviceWith([{ completed_date: '2026-11-02T10:00:00Z' }]);
    await run(requestWith({ report: 'assignments', over: '12w', dateField: 'completed_date' }), once.source);
    expect(once.asked).toHaveLength(1);
    const progress: string[] = [];
    const each = serviceWith([]);
    const onUnits = ({ done, total, unit }: { done: number; total: number; unit: string }) =>
      void progress.push(`${done} of ${total} ${unit}s`);
    await run(requestWith({ over: '3w' }), each.source, { onUnits });
    expect(each.asked.map(({ options }) => options.urgency)).toEqual(Array(3).fill('person-before'));
    expect(progress).toEqual(['1 of 3 weeks', '2 of 3 weeks', '3 of 3 weeks']);
  });

  it.each([
    ['a day without a time', '2026-11-02'],
    ['nothing that can be read', 'soon'],
  ])('asks a unit at a time where a row has %s for its date', async (_what, written) => {
    const rows = [
      { at: '2026-11-02T10:00:00Z', completed_date: written, email: 'a@x.example' },
      { at: '2026-11-10T10:00:00Z', completed_date: '2026-11-10T10:00:00Z', email: 'b@x.example' },
    ];
    const { source, asked } = serviceWith(rows, ({ at }) => Date.parse(String(at)));
    const result = await run(
      requestWith({ report: 'assignments', over: '2w', dateField: 'completed_date' }),
      source,
    );
    expect(asked).toHaveLength(3);
    expect(valuesOf(result).map(({ assignments }) => assignments)).toEqual([
      { kind: 'count', count: 1 },
      { kind: 'count', count: 1 },
    ]);
  });

  it('counts a cohort one whole unit after its end, and shows none that is younger', async () => {
    const rows = [
      // Assigned in the week from 2 November, whose next week ended on 15 November.
      { assigned_date: '2026-11-03T10:00:00Z', completed_date: '2026-11-15T22:59:59Z' },
      { assigned_date: '2026-11-03T10:00:00Z', completed_date: '2026-11-15T23:00:00Z' },
      { assigned_date: '2026-11-10T10:00:00Z', completed_date: '2026-11-10T11:00:00Z' },
    ];
    const { source } = serviceWith(rows);
    const result = await run(requestWith({ report: 'assignments', over: '2w' }), source);
    expect(result.figures?.overTime?.units.map(({ range }) => range.words)).toEqual([
      '2026-10-26..2026-11-01',
      '2026-11-02..2026-11-08',
    ]);
    expect(valuesOf(result).at(-1)).toMatchObject({ completed: { count: 1 }, assignments: { count: 2 } });
    expect(valuesOf(result).at(-1)).not.toHaveProperty('overdue');
    expect(result.figures?.overTime?.ofNow).toContain('Overdue now');
  });

  it('has the same units a year before as a second line', async () => {
    const rows = [
      { at: '2025-11-12T10:00:00Z', email: 'a@x.example', sessions: 1 },
      { at: '2026-11-11T10:00:00Z', email: 'a@x.example', sessions: 1 },
      { at: '2026-11-11T10:00:00Z', email: 'b@x.example', sessions: 1 },
    ];
    const { source, asked } = serviceWith(rows);
    const result = await run(requestWith({ over: '2w', against: 'last-year' }), source);
    expect(asked).toHaveLength(4);
    const at = (values: readonly unknown[] | undefined) => values?.[0];
    expect(result.figures?.overTime?.units.map(({ values }) => at(values))).toMatchObject([
      { count: 0 },
      { count: 2 },
    ]);
    expect(result.figures?.overTime?.yearBefore?.map(({ values }) => at(values))).toMatchObject([
      { count: 0 },
      { count: 1 },
    ]);
    expect(result.before).toMatchObject({ range: { words: '2025-11-10..2025-11-16' } });
  });

  it.each([
    ['3d', '2025-11-18..2025-11-20'],
    ['3w', '2025-10-27..2025-11-16'],
    ['3m', '2025-08-01..2025-10-31'],
    ['3q', '2025-01-01..2025-09-30'],
  ])('has the year before of the last %s in %s', async (over, days) => {
    const { source, asked } = serviceWith([]);
    await run(requestWith({ over, against: 'last-year' }), source);
    const dayOf = (seconds = 0) =>
      new Intl.DateTimeFormat('sv-SE', { timeZone: asker.zone }).format(seconds * 1000);
    const [first, , last] = asked.slice(3).map(({ query }) => query.range);
    expect(`${dayOf(first?.from)}..${dayOf((last?.until ?? 0) - 1)}`).toBe(days);
  });

  it('fails as a whole where the service fails half-way, and goes on from what it had', async () => {
    const kept = memoryOfUnits();
    const { source, asked } = serviceWith([]);
    let left = 3;
    const failing: ReportSource = {
      read: (query, plan, options) => {
        left -= 1;
        if (left < 0) throw new Failure('token-refused', { status: 401 });
        return source.read(query, plan, options);
      },
    };
    const request = requestWith({ over: '6w' });
    await expect(run(request, failing, {}, kept)).rejects.toMatchObject({ code: 'token-refused' });
    asked.length = 0;
    await run(request, source, {}, kept);
    expect(asked).toHaveLength(3);
  });

  it('asks for one unit a week later, and says as of when the others are', async () => {
    const kept = memoryOfUnits();
    const { source, asked } = serviceWith([
      { at: '2026-11-11T10:00:00Z', email: 'a@x.example', sessions: 1 },
    ]);
    const monday = Date.parse('2026-11-16T08:00:00Z');
    const request = requestWith({ over: '12w' });
    const first = await run(request, source, { requestedAt: monday }, kept);
    expect(asked).toHaveLength(12);
    expect(first.figures?.overTime?.readAt).toBeUndefined();
    kept.now = monday + 7 * 24 * 3_600_000;
    const next = await run(request, source, { requestedAt: kept.now }, kept);
    expect(asked).toHaveLength(13);
    expect(next.figures?.overTime?.readAt).toBe(monday);
    expect(valuesOf(next).slice(0, -1)).toEqual(valuesOf(first).slice(1));
  });

  it('reads the last seven days again', async () => {
    const kept = memoryOfUnits();
    const { source, asked } = serviceWith([]);
    await run(requestWith({ over: '20d' }), source, {}, kept);
    asked.length = 0;
    await run(requestWith({ over: '20d' }), source, {}, kept);
    expect(asked).toHaveLength(7);
  });

  it('takes kept units with the same condition, also later', async () => {
    const kept = memoryOfUnits();
    const { source, asked } = serviceWith([]);
    const request = requestWith({
      over: '4w',
      conditions: [{ field: 'hired_on', sign: '>', values: ['this-year'] }],
    });
    await run(request, source, {}, kept);
    asked.length = 0;
    await run(request, source, { requestedAt: requestedAt + 3_600_000 }, kept);
    expect(asked).toHaveLength(1);
    asked.length = 0;
    // That year is another one then.
    await run({ ...request, over: '12w' }, source, { requestedAt: Date.parse('2027-01-04T10:00:00Z') }, kept);
    expect(asked).toHaveLength(12);
  });

  it.each([
    ['other limits of the reader', {}, { scope: { ...everything, smallestGroup: 5 } }],
    ['another zone', {}, { asker: { ...asker, zone: 'Asia/Tokyo' } }],
    ['another filter', { filters: [{ object: 'user_filter', member: 'teams', entries: ['One'] }] }, {}],
    ['another condition', { conditions: [{ field: 'teams', sign: '!', values: ['One'] }] }, {}],
  ] as const)('does not take units of %s', async (_what, changed, more) => {
    const kept = memoryOfUnits();
    const { source, asked } = serviceWith([]);
    await run(requestWith({ over: '4w' }), source, {}, kept);
    asked.length = 0;
    await run(requestWith({ over: '4w', ...changed }), source, more, kept);
    expect(asked).toHaveLength(4);
  });

  it('keeps nothing about one person', async () => {
    const kept = memoryOfUnits();
    const { source } = serviceWith([]);
    const filters = [{ object: 'user_filter', member: 'email', entries: ['ada@example.com'] }];
    await run(requestWith({ over: '4w', filters }), source, {}, kept);
    expect(kept.size()).toBe(0);
  });

  it.each([
    [{ report: 'assignments', figure: 'overdue' }, 'has no past'],
    [{ report: 'tracks', figure: 'completion-rate' }, 'on:assigned_date'],
    [{ report: 'assignments', figure: 'completion' }, 'Did you mean “completion-rate”'],
    [{ report: 'workshops', states: ['free-seats'] }, 'have no past'],
  ] as const)('refuses %j', async (request, words) => {
    const { source, asked } = serviceWith([]);
    await expect(run(requestWith({ over: '4w', ...request }), source)).rejects.toMatchObject({
      code: 'over-time-refused',
      details: { sentence: expect.stringContaining(words) },
    });
    expect(asked).toEqual([]);
  });

  it('has no year before on 29 February', async () => {
    const { source } = serviceWith([]);
    const leap = { requestedAt: Date.parse('2028-03-01T12:00:00Z') };
    const request = requestWith({ range: 'yesterday', against: 'last-year' });
    await expect(run(request, source, leap)).rejects.toMatchObject({ code: 'range-refused' });
    const over = await run(requestWith({ over: '3d', against: 'last-year' }), source, leap);
    expect(over.figures?.overTime?.yearBefore?.map(({ gap }) => gap)).toEqual([
      undefined,
      undefined,
      'no-such-day',
    ]);
  });
});

/** Figures of units in memory. */
function memoryOfUnits() {
  const units = new Map<
    string,
    Parameters<Awaited<ReturnType<UnitTotals['open']>>['keep']>[0] & { readAt: number }
  >();
  const memory = {
    now: Date.parse('2026-11-16T08:00:00Z'),
    size: () => units.size,
    open: async (identity: string) => ({
      kept: units.get(identity),
      keep: async (unit: FiguresOfUnit) => void units.set(identity, { ...unit, readAt: memory.now }),
    }),
  };
  return memory;
}

type FiguresOfUnit = Parameters<Awaited<ReturnType<UnitTotals['open']>>['keep']>[0];
