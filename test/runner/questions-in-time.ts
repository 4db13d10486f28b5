import fc from 'fast-check';
import { expect } from 'vitest';
import { type Scope, unlimitedScope } from '../../src/access/scope.js';
import { conditionField } from '../../src/catalogue/conditions.js';
import { reportNamed } from '../../src/catalogue/index.js';
import { startCounting } from '../../src/figures/reports/count-report.js';
import type { FiguresPlan, FigureValue } from '../../src/figures/result.js';
import { AnswerStream } from '../../src/reporting-api/answer/read-answer.js';
import { parseCommand } from '../../src/requests/parse-command.js';
import type { ReportRequest } from '../../src/requests/request.js';
import type { Query, ReportSource, UnitTotals } from '../../src/runner/ports.js';
import type { RunParts } from '../../src/runner/queries.js';
import { runReport } from '../../src/runner/run-report.js';
import { isCompleted } from '../figures/naive/assignments.js';
import {
  dayOf,
  meetsAll,
  type NaiveCondition,
  rowsBetween,
  unreadRows,
  type Values,
} from '../figures/naive/conditions.js';
import { uncompleted, wasDone } from '../figures/naive/earlier.js';
import { naiveFigures } from '../figures/naive/figures.js';
import { dayIn, Row } from '../figures/naive/row.js';
import { isTrackCompleted } from '../figures/naive/taking-part.js';
import { countPeople, isAboutTooFew, isTooFew, personOfRows } from '../figures/naive/too-few.js';
import { midnight, now } from '../figures/random-answers.js';
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
  waysToWrite,
} from './random-conditions.js';

/*
 * Random questions with conditions that are about several times, and what is to be said of each time: plain rows are
 * filtered and counted.
 */

/** On 20 November 2026, the clocks of all but the last had changed within the last weeks; in Havana, at midnight. */
const zones = [
  'Europe/Berlin',
  'America/Havana',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Asia/Kathmandu',
] as const;

type Unit = 'day' | 'week' | 'month' | 'quarter';

interface Kind {
  readonly words: string;
  readonly report: ReportRequest['report'];
  /** The field with the date by which the service selects rows; absent: no field has it. */
  readonly flag?: string;
  /** True where rows are selected by assigned date. */
  readonly isCohort?: true;
  readonly states?: readonly string[];
}

const kinds: readonly Kind[] = [
  {
    words: 'assignments',
    report: 'assignments',
    flag: 'assigned_date',
    isCohort: true,
    states: ['completed', 'late'],
  },
  {
    words: 'assignments on:completed_date',
    report: 'assignments',
    flag: 'completed_date',
    states: ['completed'],
  },
  { words: 'assignments on:due_date', report: 'assignments', flag: 'due_date' },
  { words: 'assignments on:updated_date', report: 'assignments', flag: 'updated_date' },
  { words: 'tracks', report: 'tracks' },
  { words: 'tracks on:track_completed_date', report: 'tracks', flag: 'track_completed_date' },
  { words: 'tracks on:assigned_date', report: 'tracks', isCohort: true, states: ['completed'] },
  { words: 'completions', report: 'completions', flag: 'completion' },
  { words: 'engagement', report: 'engagement', states: ['active', 'inactive'] },
  { words: 'engagement', report: 'engagement' },
  { words: 'workshops', report: 'workshops', states: ['full'] },
];

/** A row of the service, with the moment by which it selects the row. */
interface ServiceRow {
  readonly at: number;
  readonly values: Values;
}

/** A service that selects rows by their moment, and answers in two parts, of which it sends the second one twice. */
export function serviceWith(rows: readonly ServiceRow[]) {
  const asked: Query[] = [];
  const source: ReportSource = {
    async read(query, plan) {
      asked.push(query);
      const { from, until } = query.range ?? { from: 0, until: 0 };
      const chosen = rows.filter(({ at }) => at >= from * 1000 && at < until * 1000);
      const stream = new AnswerStream(plan, startCounting);
      const send = async (part: readonly ServiceRow[]) => {
        await stream.beginAnswer();
        await stream.write(Buffer.from(JSON.stringify(part.map(({ values }) => values))));
        await stream.endAnswer();
      };
      const half = Math.ceil(chosen.length / 2);
      await send(chosen.slice(0, half));
      await send(chosen.slice(half));
      await stream.rollBackAnswer();
      await send(chosen.slice(half));
      return stream.finish();
    },
  };
  return { source, asked };
}

export interface Question {
  readonly kind: Kind;
  readonly zone: string;
  readonly unit: Unit;
  readonly count: number;
  readonly weekStart: 'monday' | 'sunday';
  readonly state: string | undefined;
  readonly conditions: readonly NaiveCondition[];
  readonly isAgainstLastYear: boolean;
  readonly smallestGroup: number;
  readonly rows: readonly ServiceRow[];
}

function commandOf({ kind, state, conditions, isAgainstLastYear }: Question, time: string) {
  const options = [
    kind.words,
    time,
    state && `only:${state}`,
    isAgainstLastYear && 'against:last-year',
    ...conditions.map(({ words }) => words),
  ];
  return parseCommand(options.filter(Boolean).join(' '), { hasSaved: () => false } as never);
}

/** Undefined where the conditions contradict each other. */
export function requestOf(question: Question, time: string): ReportRequest | undefined {
  const read = commandOf(question, time);
  if (!read.ok) {
    expect(read.refusal).toMatchObject({ kind: 'condition', reason: 'contradiction' });
    return undefined;
  }
  const command = accepted(read);
  if (command.kind !== 'run') throw new Error('Not a request');
  return command.request;
}

export function run(
  request: ReportRequest,
  question: Pick<Question, 'rows' | 'zone' | 'smallestGroup' | 'weekStart'>,
  { source = serviceWith(question.rows).source, unitTotals }: Partial<RunParts> = {},
) {
  const { zone, smallestGroup, weekStart } = question;
  const scope: Scope = { ...unlimitedScope, namesPeople: false, smallestGroup };
  const options = {
    asker: { id: 'U1', zone, email: 'ada@example.com' },
    requestedAt: now,
    scope,
    urgency: 'person',
    signal: new AbortController().signal,
  } as const;
  return runReport(request, options, { source, weekStart, unitTotals });
}

/** Figures of ended units in memory. */
export function memoryOfUnits(): UnitTotals {
  const units = new Map<string, Awaited<ReturnType<UnitTotals['open']>>['kept']>();
  return {
    open: async (identity) => ({
      kept: units.get(identity),
      keep: async (unit) => void units.set(identity, { ...structuredClone(unit), readAt: now }),
    }),
  };
}

/** `2026-11-20`, so many units later. */
function moved(day: string, unit: Unit, by: number): string {
  const date = new Date(day);
  if (unit === 'day' || unit === 'week') date.setUTCDate(date.getUTCDate() + by * (unit === 'day' ? 1 : 7));
  else date.setUTCMonth(date.getUTCMonth() + by * (unit === 'month' ? 1 : 3));
  return date.toISOString().slice(0, 10);
}

const today = '2026-11-20';

/** The first day of the unit that runs on that Friday. */
function firstOfRunning({ unit, weekStart }: Pick<Question, 'unit' | 'weekStart'>): string {
  if (unit === 'week') return weekStart === 'monday' ? '2026-11-16' : '2026-11-15';
  return { day: today, month: '2026-11-01', quarter: '2026-10-01' }[unit];
}

/** Adjacent days, and the instant that they are counted for. */
interface Span {
  readonly first: string;
  readonly last: string;
  /** Epoch seconds. */
  readonly from: number;
  readonly until: number;
  readonly asOf?: number | undefined;
}

const midnights = new Map<string, number>();

function startOf(zone: string, day: string): number {
  const known = midnights.get(zone + day) ?? midnight(zone, day);
  midnights.set(zone + day, known);
  return known;
}

export function spanOf(zone: string, first: string, end: string): Span {
  return { first, last: moved(end, 'day', -1), from: startOf(zone, first), until: startOf(zone, end) };
}

/** The same unit a year before: weekdays agree for days and weeks. */
function aYearBefore(day: string, unit: Unit): string {
  return unit === 'day' || unit === 'week' ? moved(day, 'day', -364) : moved(day, 'month', -12);
}

export function unitsOf(question: Omit<Question, 'rows'>) {
  const { kind, zone, unit, count } = question;
  const end = moved(firstOfRunning(question), unit, kind.isCohort ? -1 : 0);
  const spanFrom = (first: string): Span => ({
    ...spanOf(zone, first, moved(first, unit, 1)),
    // The last moment of the next unit.
    ...(kind.isCohort && { asOf: startOf(zone, moved(first, unit, 2)) * 1000 - 1 }),
  });
  const firsts = Array.from({ length: count }, (_, i) => moved(end, unit, i - count));
  return { own: firsts.map(spanFrom), before: firsts.map((day) => spanFrom(aYearBefore(day, unit))) };
}

function isIn({ first, last }: Span, { at, values }: ServiceRow, { kind, zone }: Question): boolean {
  if (Number.isNaN(at)) return false;
  // A day without a time is due on its day; other dates are the service's to read.
  const day =
    kind.flag === 'due_date' ? dayOf(values.due_date, zone) : dayIn(zone, { ms: at, wholeDay: false });
  return day !== undefined && day >= first && day <= last;
}

/** What is to be said of the rows of a span. */
export function expectedOf(span: Span, question: Question) {
  const { kind, zone, state, conditions, smallestGroup } = question;
  const flags = [...reportNamed(kind.report).fields.map(({ flag }) => flag), 'userid', 'email'];
  // Workshops have no learners.
  const isProtected = smallestGroup > 1 && kind.report !== 'workshops';
  const all = question.rows.filter((row) => isIn(span, row, question)).map(({ values }) => values);
  const plan: FiguresPlan = {
    report: kind.report,
    states: state === undefined ? undefined : [state],
    people: false,
    now: span.asOf ?? now,
    smallestGroup,
    zone,
    range: { from: span.from, until: span.until },
  };
  const known = new Map<object, Row>();
  const rowOf = (record: object) => {
    const row = known.get(record) ?? new Row(flags, record);
    known.set(record, row);
    return row;
  };
  const worldOf = (records: readonly object[]) => {
    const rows = records.map(rowOf);
    return { plan, rows, personOf: personOfRows(rows) };
  };
  const areTooFew = (records: readonly object[]) => {
    const world = worldOf(records);
    return isTooFew(countPeople(world, world.rows), plan);
  };
  const kept = all.filter((values) => meetsAll(values, conditions));
  // Where conditions narrow, nobody is too few as well.
  const tooFew =
    isProtected && (kept.length === 0 || areTooFew(kept) || rowsBetween(all, conditions).some(areTooFew));
  const { rows: rowsNow } = worldOf(kept);
  const [isDone, statusFlag, dateFlag] =
    kind.report === 'tracks'
      ? ([isTrackCompleted, 'track_status', 'track_completed_date'] as const)
      : ([isCompleted, 'assignment_status', 'completed_date'] as const);
  const { asOf } = span;
  const then = kept.map((values, i) => {
    const row = rowsNow[i];
    if (asOf === undefined || !row) return values;
    if (wasDone(row.date(dateFlag), asOf, zone)) return values;
    const open = uncompleted(values, statusFlag, dateFlag);
    // Completed some time: nobody knows how long it was open, nor whether it was overdue.
    return isDone(row) && !row.date(dateFlag) ? { ...open, assigned_date: null, due_date: null } : open;
  });
  const completed = asOf === undefined ? [] : rowsNow.filter(isDone);
  const undated = completed.filter((row) => !row.date(dateFlag));
  const world = worldOf(then);
  const figures = naiveFigures(world.rows, plan);
  return {
    tooFew,
    kept: kept.length,
    isUndated: undated.length > completed.length / 100,
    /** A figure that is about too few people is hidden. */
    valueIn: (id: string): FigureValue | undefined =>
      isProtected && isAboutTooFew(world, world.rows, id) ? { kind: 'too-few' } : figures[id],
    unread: new Map(
      [...unreadRows(all, conditions)].map(([field, rows]) => [
        conditionField({ name: kind.report }, field)?.label ?? field,
        isProtected && areTooFew(rows) ? undefined : rows.length,
      ]),
    ),
  };
}

const someStatus = fc.constantFrom('Completed', 'In progress', 'Not started', 'in_progress', null);
const flagsOfDates = ['due_date', 'completed_date', 'assigned_date', 'track_completed_date'] as const;

const maybeDate = fc.oneof({ weight: 2, arbitrary: date }, { weight: 1, arbitrary: fc.constant(null) });

/** What a row has beside its moment. Its person is one of so few that some groups are too small. */
const partsOfRow = fc.record({
  n: fc.nat(9),
  hasName: fc.integer({ min: 0, max: 15 }).map((n) => n > 0),
  write: waysToWrite,
  content: fc.constantFrom({ id: 'c1', title: 'First aid' }, { id: 'c2', title: 'Safety' }, {}),
  values: fc.record({
    ...learnerValues,
    ...Object.fromEntries(flagsOfDates.map((flag) => [flag, maybeDate])),
    assignment_status: someStatus,
    track_status: someStatus,
    track_progress: fc.constantFrom<unknown>(20, '60 %', null),
    views: number,
    sessions: number,
    seconds_viewed: fc.constantFrom<unknown>(0, 90, '30', null),
    suspended: fc.constantFrom<unknown>(true, false, null),
    offered_seats: fc.constantFrom<unknown>(8, '12', 20, null),
    registered_seats: fc.constantFrom<unknown>(8, 15, null),
    total_attendees: fc.constantFrom<unknown>(3, 12, '7 %', null),
    total_absentees: fc.constantFrom<unknown>(0, 2, null),
    workshop_status: fc.constantFrom('scheduled', 'Cancelled'),
    workshop_start_date: date,
    created_at: date,
  }),
});
type PartsOfRow = typeof partsOfRow extends fc.Arbitrary<infer Parts> ? Parts : never;

function rowAt(
  kind: Kind,
  at: number,
  writing: 'moment' | 'day' | 'unreadable',
  { n, hasName, write, content, values }: PartsOfRow,
): ServiceRow {
  const day = new Date(at).toISOString().slice(0, 10);
  const text = { moment: write(at), day, unreadable: 'soon' }[writing];
  const dated =
    kind.flag === 'completion'
      ? { content: { ...content, completed_at: text } }
      : { [kind.flag ?? 'none']: text };
  const ofDue = { moment: at, day: Date.parse(day), unreadable: Number.NaN }[writing];
  return {
    at: kind.flag === 'due_date' ? ofDue : at,
    values: { ...(hasName && namesOf(n)), ...values, ...dated },
  };
}

/** Rows in and around spans, many of them at the first and the last second of a day. */
function rowsIn(kind: Kind, zone: string, spans: readonly Span[]): fc.Arbitrary<readonly ServiceRow[]> {
  const moment = fc
    .tuple(fc.constantFrom(...spans), fc.nat(120), fc.constantFrom(-1, 0, 1, 40_000, 80_000))
    .map(([{ first, last }, day, second]) => {
      const length = Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000) + 3;
      return (startOf(zone, moved(first, 'day', (day % length) - 1)) + second) * 1000;
    });
  // Where one row does not tell its unit, each is asked by itself.
  const writings = fc.constantFrom(
    ...([['moment'], ['moment'], ['moment', 'moment', 'day'], ['moment', 'unreadable']] as const),
  );
  return writings.chain((some) =>
    fc.array(
      fc
        .tuple(moment, fc.constantFrom(...some), partsOfRow)
        .map(([at, writing, parts]) => rowAt(kind, at, writing, parts)),
      { minLength: 20, maxLength: 90 },
    ),
  );
}

const namesOfContent = ({ content }: Values) => {
  const { id, title } = (content ?? {}) as Values;
  return [id, title];
};

function conditionsFor({ report }: Kind, zone: string): fc.Arbitrary<readonly NaiveCondition[]> {
  const own = {
    assignments: [dated('due_date', zone), emptiness('due_date'), dated('assigned_date', zone)],
    completions: [named('content', ['First aid', 'c2'], namesOfContent)],
    workshops: [
      numeric('offered_seats', 'offered_seats'),
      numeric('total_attendees', 'total_attendees'),
      dated('workshop_start_date', zone),
    ],
    engagement: [numeric('views', 'views'), numeric('sessions', 'sessions'), dated('created_at', zone)],
  };
  const ofLearners = [
    ...conditionsOnLearners(zone),
    ...(report === 'assignments' ? [] : conditionsOnMetadata),
  ];
  const all = [...(report === 'workshops' ? [] : ofLearners), ...(own[report as keyof typeof own] ?? [])];
  return fc.uniqueArray(fc.oneof(...all), {
    minLength: 1,
    maxLength: 3,
    // Exclusions of one field are one condition.
    selector: ({ words, field }) => (words.includes(':!') ? `${field}!` : words),
  });
}

/** Random questions with rows in and around the spans that they are about. */
export function questionsAbout(spansOf: (question: Omit<Question, 'rows'>) => readonly Span[]) {
  return fc
    .record({
      kind: fc.constantFrom(...kinds),
      zone: fc.constantFrom(...zones),
      unit: fc.constantFrom<Unit>('day', 'week', 'week', 'month', 'quarter'),
      count: fc.integer({ min: 2, max: 4 }),
      weekStart: fc.constantFrom('monday', 'sunday'),
      chosen: fc.nat(2),
      isAgainstLastYear: fc.boolean(),
      smallestGroup: fc.constantFrom(1, 1, 2, 3),
    })
    .chain(({ chosen, ...asked }) => {
      const { kind, zone } = asked;
      return conditionsFor(kind, zone).chain((conditions) => {
        const question = { ...asked, state: kind.states?.[chosen], conditions };
        const spans = spansOf(question);
        return rowsIn(kind, zone, spans).map((rows) => ({ question: { ...question, rows }, spans }));
      });
    });
}

/** Questions over time. */
export const questions: fc.Arbitrary<Question> = questionsAbout((question) => {
  const { own, before } = unitsOf(question);
  return question.isAgainstLastYear ? [...own, ...before] : own;
}).map(({ question }) => question);
