import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { parseLeftOut } from '../../src/access/left-out.js';
import { type Scope, unlimitedScope } from '../../src/access/scope.js';
import { startCounting } from '../../src/figures/reports/count-report.js';
import { formatTargetOf } from '../../src/figures/summary/target.js';
import { AnswerStream } from '../../src/reporting-api/answer/read-answer.js';
import { scaleFinder } from '../../src/reporting-api/client.js';
import { leaveOut } from '../../src/reporting-api/left-out.js';
import { parseCommand } from '../../src/requests/parse-command.js';
import type { ReportRequest } from '../../src/requests/request.js';
import type { Query, ReadPlan, ReportSource } from '../../src/runner/ports.js';
import { type ReportResult, runReport } from '../../src/runner/run-report.js';
import {
  compare,
  meetsAll,
  numberOf,
  type Values as Row,
  rowsBetween,
  unreadRows,
} from '../figures/naive/conditions.js';
import { propertyRuns } from '../property-runs.js';
import { tempFolder } from '../reporting-api/answer/read-bytes.js';
import { readWorkbook } from '../reporting-api/answer/read-workbook.js';
import { accepted } from '../results.js';
import {
  conditionsOnLearners,
  conditionsOnMetadata,
  date,
  dated,
  emptiness,
  learnerValues,
  named,
  namesOf,
  number,
  numeric,
  ofDaysOverdue,
  signs,
} from './random-conditions.js';

/*
 * A request with conditions is compared with the same request without them over the rows that a second, naive
 * computation lets through: figures, tables, lists, files and counts have to be the same.
 */

const folder = tempFolder();
afterAll(() => folder.remove());

const zone = 'Europe/Berlin';
const requestedAt = Date.parse('2026-11-20T10:30:00Z');

/** A source that gives these rows, in two windows, whatever it is asked. */
function sourceOf(rows: readonly Row[]) {
  const asked: { query: Query; plan: ReadPlan }[] = [];
  const readInScale = scaleFinder();
  const source: ReportSource = {
    read: (query, asPlanned) =>
      readInScale(asPlanned, async (plan) => {
        asked.push({ query, plan });
        const stream = new AnswerStream(plan, startCounting);
        const half = Math.ceil(rows.length / 2);
        for (const window of [rows.slice(0, half), rows.slice(half)]) {
          await stream.beginAnswer();
          await stream.write(Buffer.from(JSON.stringify(window)));
          await stream.endAnswer();
        }
        return stream.finish();
      }),
  };
  return { source, asked };
}

function requestOf(words: string): ReportRequest {
  const command = accepted(parseCommand(words, { hasSaved: () => false } as never));
  if (command.kind !== 'run') throw new Error('Not a request');
  return command.request;
}

function optionsOf(scope: Scope) {
  return {
    asker: { id: 'U1', zone, email: 'ada@example.com' },
    requestedAt,
    scope,
    urgency: 'person',
    rowLimit: 20,
    signal: new AbortController().signal,
  } as const;
}

async function run(request: ReportRequest, rows: readonly Row[], scope: Scope = unlimitedScope) {
  const { source, asked } = sourceOf(rows);
  const filePath = folder.fresh();
  const options = { ...optionsOf(scope), filePath };
  const result = await runReport(request, options, { source, weekStart: 'monday' });
  return { result, csv: await readFile(filePath, 'utf8'), asked };
}

function figuresOf({ figures }: ReportResult) {
  if (!figures) throw new Error('No figures');
  return figures;
}

/** What an answer says of its target; `test/figures/targets.test.ts` has the second computation of it. */
function targetOf(result: ReportResult) {
  return formatTargetOf({ ...result, figures: figuresOf(result) });
}

const row = fc.record({
  n: fc.nat(30),
  ...learnerValues,
  assessment_score: number,
  track_progress: fc.oneof(fc.constant(80), number),
  views: number,
  last_login: date,
  due_date: date,
  assessment_status: fc.constantFrom('passed', 'failed', 'waiting for grading'),
  assignment_status: fc.constantFrom('completed', 'in progress', 'not started'),
  completed_date: date,
  assigned_date: date,
});
const rows = fc
  .array(row, { maxLength: 25 })
  .map((all) => all.map(({ n, ...values }): Row => ({ ...namesOf(n), ...values })));

const ofLearners = [...conditionsOnLearners(zone), dated('last_login', zone), emptiness('last_login')];
const ofDays = ofDaysOverdue({ now: requestedAt, zone });
const reports = {
  assessments: [numeric('score', 'assessment_score'), named('assessment_status', ['Passed', 'failed'])],
  'engagement last-week': [numeric('views', 'views'), ...conditionsOnMetadata],
  'assignments last-90-days': [dated('due_date', zone), ofDays, emptiness('due_date')],
  overdue: [ofDays],
  'engagement last-week by:departments': [numeric('views', 'views')],
  'assignments 2026 target:60%@2026-12-31': [dated('due_date', zone)],
};
const asked = fc.constantFrom(...(Object.keys(reports) as (keyof typeof reports)[])).chain((report) =>
  fc.record({
    report: fc.constant(report),
    conditions: fc.array(fc.oneof(...ofLearners, ...reports[report]), { minLength: 1, maxLength: 3 }),
    rows,
  }),
);

describe('conditions on rows', () => {
  it('let through what a naive computation lets through, in figures, rows, files and counts', async () => {
    let refusals = 0;
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(asked, async ({ report, conditions, rows: all }) => {
        runs += 1;
        const words = `${report} ${conditions.map((one) => one.words).join(' ')}`;
        const read = parseCommand(words, { hasSaved: () => false } as never);
        // Some draws contradict each other, and are refused before anything is asked.
        if (!read.ok) {
          refusals += 1;
          expect(read.refusal).toMatchObject({ kind: 'condition', reason: 'contradiction' });
          return;
        }
        const request = requestOf(words);
        const kept = all.filter((one) => meetsAll(one, conditions));
        const { conditions: _none, ...plain } = request;
        const narrowed = await run(request, all);
        const expected = await run(plain, kept);
        // A single row is described with the fields of its conditions too.
        const { notes, onlyRow: _own, ...figures } = figuresOf(narrowed.result);
        const { notes: otherNotes, onlyRow: _other, ...others } = figuresOf(expected.result);
        const isOfNow = narrowed.asked[0]?.plan.figures?.isOfNow;
        const withoutChanges = isOfNow
          ? { ...others, figures: others.figures.map((figure) => ({ ...figure, compared: 'nothing' })) }
          : others;
        expect(figures).toEqual(withoutChanges);
        expect(targetOf(narrowed.result)).toEqual(targetOf(expected.result));
        expect(narrowed.csv).toBe(expected.csv);
        expect(narrowed.result.rows).toEqual(expected.result.rows);
        expect(narrowed.result.records).toBe(kept.length);
        // How many rows a missing value alone kept out, by field.
        const unread = [...unreadRows(all, conditions).values()].flatMap(({ length }) => length || []);
        const said = notes.flatMap((note) => (note.kind === 'condition' ? [note.rows] : []));
        expect(said.toSorted()).toEqual(unread.toSorted());
        expect(notes.filter(({ kind }) => kind !== 'condition')).toEqual(otherNotes);
      }),
      { numRuns: propertyRuns(1200) },
    );
    expect(refusals).toBeLessThan(runs / 3);
  });
});

it('fifty conditions let through what meets all of them', async () => {
  const all = Array.from({ length: 120 }, (_, n) => ({ userid: `u${n}`, views: n % 3 === 0 ? `${n}` : n }));
  const words = Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? `views:<${100 - n}` : `views:>=${n}`));
  const { result, csv } = await run(requestOf(`engagement last-week ${words.join(' ')}`), all);
  // Below 52, and 49 or more.
  expect(result.records).toBe(3);
  expect(csv.trimEnd().split('\r\n')).toHaveLength(1 + 3);
});

it.each([
  ['departments:!Sales', ['text']],
  ['departments:=Sales', ['list']],
  ['departments:none', []],
  ['job_title:!Sales', ['text']],
  ['job_title:=Sales', ['list']],
])('%s keeps a text and a list of the same spelling apart', async (words, kept) => {
  const values: Readonly<Record<string, unknown>> = { list: ['Sales'], text: '["Sales"]' };
  for (const order of [
    ['list', 'text', 'list', 'text'],
    ['text', 'list', 'text', 'list'],
  ]) {
    const all = order.map((kind) => ({ userid: kind, departments: values[kind], job_title: values[kind] }));
    const { csv } = await run(requestOf(`engagement last-week ${words} fields:userid`), all);
    const [, ...lines] = csv.trimEnd().split('\r\n');
    expect(lines).toEqual(order.filter((kind) => kept.includes(kind)));
  }
});

describe('files and lists under conditions', () => {
  const some = (many: number, values: Row, from = 0): Row[] =>
    Array.from({ length: many }, (_, i) => ({
      userid: `u${from + i}`,
      email: `p${from + i}@x.org`,
      ...values,
    }));
  const all = [
    ...some(3, { views: 9, departments: ['Sales'] }),
    ...some(4, { views: '7', departments: ['HR'] }, 10),
    ...some(2, { views: 1, departments: ['HR'] }, 20),
    ...some(1, { departments: ['HR'] }, 30),
  ];

  it('a workbook has the rows of the figures', async () => {
    const { source } = sourceOf(all);
    const filePath = folder.fresh();
    const request = requestOf('engagement last-week departments:!Sales views:>5 fields:views xlsx');
    const { records } = await runReport(
      request,
      { ...optionsOf(unlimitedScope), filePath },
      { source, weekStart: 'monday' },
    );
    const { headings, rows } = readWorkbook(filePath);
    expect(headings).toEqual(['Views']);
    expect(rows).toHaveLength(4);
    expect(records).toBe(4);
  });

  it('people who are left out are in no row and in no count of missing values', async () => {
    const people = accepted(parseLeftOut('p10@x.org\nu30\n'));
    const { source } = sourceOf(all);
    const filePath = folder.fresh();
    const { records, figures } = await runReport(
      requestOf('engagement last-week departments:!Sales views:>5'),
      { ...optionsOf(unlimitedScope), filePath },
      {
        source: leaveOut(source, { current: () => people, smallestGroup: 5, key: 'k' }),
        weekStart: 'monday',
      },
    );
    expect(records).toBe(3);
    expect(await readFile(filePath, 'utf8')).not.toContain('p10@x.org');
    expect(figures?.notes.filter(({ kind }) => kind === 'condition')).toEqual([]);
  });
});

/** Sixty-fourths are exact as fractions and in percent, so that sums of both are equal. */
const progress = fc.oneof(
  fc.constantFrom(0, 16, 32, 48, 64, 4).map((n) => n / 64),
  fc.integer({ min: 0, max: 64 }).map((n) => n / 64),
  fc.constantFrom<unknown>(undefined, '', 'half', '0.25', '0.5'),
);
const track = fc.record({
  userid: fc.nat(12).map((n) => `u${n}`),
  track_title: fc.constantFrom('Onboarding', 'Safety'),
  track_status: fc.constantFrom('in progress', 'completed', 'not started', undefined),
  track_progress: progress,
  track_completed_date: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, date),
});
const trackRows = fc
  .tuple(
    fc.array(track, { maxLength: 20 }),
    fc.constantFrom<readonly unknown[]>([], [], [1], [64], ['20 %'], [100, 'n/a']),
  )
  .map(([all, others]): readonly Row[] => [
    ...all,
    ...others.map((value) => ({ userid: 'u9', track_status: 'in progress', track_progress: value })),
  ]);

/** The numbers that say whether all of an answer are fractions. */
function areFractions(all: readonly Row[]): boolean {
  const read = all.map(({ track_progress: value }) => ({ value, number: numberOf(value) }));
  if (read.some(({ value, number = 0 }) => number > 1 || String(value).includes('%'))) return false;
  return read.some(({ number = 0 }) => number > 0 && number < 1);
}

describe('conditions on progress', () => {
  it('are in percent as the figures read it, which the whole answer decides', async () => {
    const conditions = fc.tuple(signs, fc.constantFrom(0, 1, 6.25, 7, 25, 50, 75, 100));
    const reports = fc.constantFrom(
      'tracks last-week',
      'tracks last-week only:stalled',
      'tracks since:2026-02 target:60%@2026-12-31',
    );
    let fractions = 0;
    await fc.assert(
      fc.asyncProperty(reports, conditions, trackRows, async (report, [sign, limit], all) => {
        // What is stalled has less than 50 %.
        fc.pre(
          !report.includes('only:stalled') ||
            !((sign === '>' || sign === '>=' || sign === '=') && limit >= 50),
        );
        const isFraction = areFractions(all);
        if (isFraction) fractions += 1;
        const percentOf = (row: Row) => {
          const value = numberOf(row.track_progress);
          return value === undefined || !isFraction ? value : value * 100;
        };
        const kept = all.filter((row) => {
          const value = percentOf(row);
          return value !== undefined && compare[sign]?.(value, limit);
        });
        // The same progress with its scale written out.
        const inPercent = kept.map((row) => ({ ...row, track_progress: `${percentOf(row)} %` }));
        const narrowed = await run(requestOf(`${report} progress:${sign}${limit}`), all);
        const { conditions: _none, ...plain } = requestOf(`${report} progress:${sign}${limit}`);
        const expected = await run(plain, inPercent);
        const { notes, onlyRow: _own, ...figures } = figuresOf(narrowed.result);
        const { notes: _notes, onlyRow: _other, ...others } = figuresOf(expected.result);
        const ofNow = others.figures.map((figure) => ({ ...figure, compared: 'nothing' }));
        expect(figures).toEqual({ ...others, figures: ofNow });
        expect(targetOf(narrowed.result)).toEqual(targetOf(expected.result));
        expect(narrowed.result.records).toBe(kept.length);
        expect(narrowed.csv.split('\r\n')).toHaveLength(expected.csv.split('\r\n').length);
        const unread = all.filter((row) => percentOf(row) === undefined).length;
        const said = notes.flatMap((note) => (note.kind === 'condition' ? [note.rows] : []));
        expect(said).toEqual(unread === 0 ? [] : [unread]);
        // Twice at most, and only where the scale is not the one that came before.
        const ofAnswer = narrowed.asked.filter(({ plan }) => plan.file);
        expect(ofAnswer).toHaveLength(isFraction ? 2 : 1);
      }),
      { numRuns: propertyRuns(600) },
    );
    expect(fractions).toBeGreaterThan(20);
  });

  it.each([
    ['<=7', 2],
    ['<7', 1],
    ['=7', 1],
    ['>=29', 2],
    ['>28.9', 2],
    ['>100', 0],
    ['=0.5', 0],
  ])('compare fractions exactly: progress:%s', async (condition, many) => {
    const all = [0.03, 0.07, 0.29, 0.57].map((value, i) => ({ userid: `u${i}`, track_progress: value }));
    const { result, csv } = await run(requestOf(`tracks last-week progress:${condition}`), all);
    expect(result.records).toBe(many);
    expect(csv.trimEnd().split('\r\n')).toHaveLength(many + 1);
  });
});

describe('a protected question', () => {
  const scope: Scope = { rows: 'all', smallestGroup: 5, namesPeople: false, onlyDirect: false };
  const people = (many: number, values: Row, from = 0): Row[] =>
    Array.from({ length: many }, (_, i) => ({ userid: `u${from + i}`, views: 1, ...values }));
  const sales = people(10, { departments: ['Sales'], grade: 'A' });
  const isRefused = async (words: string, rows: readonly Row[]) =>
    (await run(requestOf(`engagement last-week ${words}`), rows, scope)).result.figures?.tooFew === 5;

  it.each([
    ['departments:!Board', 2, true],
    ['departments:!Board', 5, false],
    ['departments:!Board', 0, false],
    ['departments:none', 5, false],
    ['grade:>3', 3, true],
  ])('is refused where leaving out the condition adds too few: %s, %i', async (words, many, refused) => {
    const board = people(many, { departments: ['Board'], grade: '1' }, 50);
    const rows = words === 'departments:none' ? people(10, { departments: [] }, 80) : sales;
    const graded = words.startsWith('grade') ? people(10, { grade: '7' }, 80) : rows;
    expect(await isRefused(words, [...graded, ...board])).toBe(refused);
  });

  it('is refused where one entry of an exclusion leaves out too few', async () => {
    const rows = [
      ...sales,
      ...people(6, { departments: ['HR'] }, 50),
      ...people(2, { departments: ['Board'] }, 70),
    ];
    expect(await isRefused('departments:!HR', rows)).toBe(false);
    expect(await isRefused('departments:!HR,Board', rows)).toBe(true);
  });

  it('has no line from which leaving out a condition, or an entry of one, takes or adds too few', async () => {
    const someDepartments = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('Sales', 'HR', 'Legal', 'Labs').map((name) => [name]) },
      { weight: 1, arbitrary: fc.constantFrom<unknown>(null, ['Sales', 'Legal'], ['Labs', 'HR']) },
    );
    const member = fc.record({
      n: fc.nat(30),
      departments: someDepartments,
      grade: fc.constantFrom('A', 'B2', 'C', '7', null),
      job_title: fc.constantFrom('Manager', 'Director', 'Engineer'),
      views: fc.constantFrom<unknown>(3, 20, 20, 40, 40, 80, 'n/a'),
    });
    const conditions = fc.oneof(
      named('grade', ['A', 'B2', 'C']),
      named('job_title', ['Manager', 'Director', 'Engineer']),
      numeric('views', 'views'),
    );
    const asked = fc.record({
      conditions: fc.uniqueArray(conditions, { minLength: 1, maxLength: 2, selector: ({ field }) => field }),
      members: fc.array(member, { minLength: 30, maxLength: 90 }),
      smallestGroup: fc.constantFrom(2, 3),
    });
    const seen = { named: 0, joined: 0 };
    await fc.assert(
      fc.asyncProperty(asked, async ({ conditions: all, members, smallestGroup }) => {
        const rows = members.map(({ n, ...values }): Row => ({ ...namesOf(n), ...values }));
        const request = requestOf(
          `engagement last-week by:departments ${all.map((one) => one.words).join(' ')}`,
        );
        const { result } = await run(request, rows, { ...scope, smallestGroup });
        const { breakdown } = figuresOf(result);
        if (breakdown?.kind !== 'groups') return;
        const lineOf = ({ departments }: Row) => (Array.isArray(departments) ? departments[0] : null);
        const labels = breakdown.rows.flatMap(({ label, joined }) => (joined === undefined ? [label] : []));
        const peopleIn = (some: readonly Row[], isInLine: (row: Row) => boolean) =>
          new Set(some.filter(isInLine).map(({ userid }) => userid)).size;
        const kept = rows.filter((row) => meetsAll(row, all));
        for (const { label, joined } of breakdown.rows) {
          seen[joined === undefined ? 'named' : 'joined'] += 1;
          // Lines of nobody are not joined either.
          const isInLine = (row: Row) =>
            joined === undefined
              ? lineOf(row) === label
              : !labels.includes(lineOf(row)) && kept.some((one) => lineOf(one) === lineOf(row));
          expect(peopleIn(kept, isInLine)).toBeGreaterThanOrEqual(smallestGroup);
          for (const between of rowsBetween(rows, all)) {
            const people = peopleIn(between, isInLine);
            expect([label, people > 0 && people < smallestGroup]).toEqual([label, false]);
          }
        }
      }),
      { numRuns: propertyRuns(600) },
    );
    for (const [what, many] of Object.entries(seen)) expect([what, many > 0]).toEqual([what, true]);
  });

  it('says nothing where nobody meets the condition, as for too few people', async () => {
    expect(await isRefused('views:>5', sales)).toBe(true);
  });

  it('does not say how many rows have no value where these are of too few people', async () => {
    const rows = [
      ...people(10, { views: 9 }),
      ...people(8, { views: 1 }, 30),
      ...people(2, { views: 'n/a' }, 60),
    ];
    const { result } = await run(requestOf('engagement last-week views:>5'), rows, scope);
    expect(figuresOf(result).notes).toContainEqual({ kind: 'condition', field: 'Views', rows: undefined });
  });
});
