import { describe, expect, test } from 'vitest';
import { formatTable } from '../../src/figures/format/table.js';
import { formatShort, formatValue } from '../../src/figures/format/values.js';
import { fieldsToCount } from '../../src/figures/reports/count-report.js';
import type { FiguresResult } from '../../src/figures/result.js';
import { formatSummary } from '../../src/figures/summary/summary.js';
import { plainRequest } from '../../src/requests/request.js';
import { figuresOf, planFor, resultOf } from './fixed-answers.js';

const engagement = planFor(plainRequest('engagement'));

function valuesOf({ figures }: FiguresResult): Record<string, unknown> {
  return Object.fromEntries(figures.map(({ id, value }) => [id, value]));
}

/** The groups of the breakdown with one of their figures. */
function groupsOf({ breakdown }: FiguresResult, id: string): Record<string, unknown> {
  if (breakdown?.kind !== 'groups') throw new Error('There is no breakdown');
  const column = breakdown.columns.findIndex((one) => one.id === id);
  return Object.fromEntries(breakdown.rows.map(({ label, values }) => [label ?? 'none', values[column]]));
}

const count = (many: number) => ({ kind: 'count', count: many });

describe('a list that comes as one text', () => {
  const records = [
    { userid: 1, sessions: 1, departments: 'Field Operations; Engineering' },
    { userid: 2, sessions: 1, departments: 'Engineering, Sales' },
    { userid: 3, sessions: 1, departments: 'Legal, Tax' },
    { userid: 4, sessions: 1, departments: ['Legal, Tax', 'Sales'] },
    { userid: 5, sessions: 1, departments: 'Sales' },
    { userid: 5, sessions: 1, departments: 'Sales; Sales' },
  ];
  const expected = { 'Field Operations': 1, Engineering: 2, Sales: 3, 'Legal, Tax': 2 };

  test.each([
    ['before what is listed whole', records],
    ['after it', [...records].reverse()],
  ])('is taken apart, %s', (_, answer) => {
    const people = Object.entries(expected).map(([label, many]) => [label, count(many)]);
    expect(groupsOf(figuresOf(engagement, answer), 'active-people')).toEqual(Object.fromEntries(people));
  });

  test('stays one value where the field is no list', () => {
    const tracks = { ...planFor(plainRequest('tracks')), by: 'track_title' };
    const result = figuresOf(tracks, [{ track_title: 'Safety, part 1' }, { track_title: 'Safety, part 1' }]);
    expect(Object.keys(groupsOf(result, 'started'))).toEqual(['Safety, part 1']);
  });

  test('counts its medians and people in each of its values', () => {
    const plan = { ...planFor(plainRequest('assessments')), by: 'teams' };
    const result = figuresOf(plan, [
      { userid: 1, assessment_score: 10, assessment_attempts: 1, teams: 'A; B' },
      { userid: 1, assessment_score: 30, assessment_attempts: 1, teams: ['B', 'A'] },
      { userid: 2, assessment_score: 90, assessment_attempts: 1, teams: 'B' },
    ]);
    expect(groupsOf(result, 'median-score')).toEqual({
      A: { kind: 'median', value: 20, over: 2, unit: 'points' },
      B: { kind: 'median', value: 30, over: 3, unit: 'points' },
    });
    expect(groupsOf(result, 'attempts-per-person')).toEqual({
      A: { kind: 'average', sum: 2, over: 1, unit: 'attempts' },
      B: { kind: 'average', sum: 3, over: 2, unit: 'attempts' },
    });
  });

  test('of so many that they are more than 20,000 values is refused, whatever the order', () => {
    const teams = function* () {
      for (let n = 0; n < 10_001; n++) yield { userid: n, sessions: 1, teams: `A${n}; B${n}` };
    };
    const { breakdown } = figuresOf({ ...engagement, by: 'teams' }, teams());
    expect(breakdown).toMatchObject({ kind: 'refused', moreThan: 20_000 });
  });
});

describe('the share of active people', () => {
  // In Berlin, the range ends with Sunday 15 November.
  const records = [
    { userid: 'early', sessions: 1, created_at: '2020-05-01T08:00:00Z', suspended: false },
    { userid: 'idle', sessions: 0, created_at: '2026-11-15T22:59:59Z' },
    { userid: 'unknown', sessions: 0, created_at: 'n/a', suspended: 'maybe' },
    { userid: 'last day', sessions: 1, created_at: '2026-11-15' },
    { userid: 'late', sessions: 1, created_at: '2026-11-15T23:00:00Z' },
    { userid: 'next day', sessions: 0, created_at: '2026-11-16' },
    { userid: 'suspended', sessions: 1, created_at: '2020-05-01', suspended: 'yes' },
    { sessions: 1, created_at: 1_600_000_000 },
    { sessions: 0, suspended: true },
  ].map((record, n) => ({ ...record, departments: [n % 2 === 0 ? 'A' : 'B'] }));

  test('is of those who had an account by the end of the range and are not suspended', () => {
    const result = figuresOf(engagement, records);
    expect(valuesOf(result)).toMatchObject({
      'active-people': count(5),
      'active-share': { kind: 'rate', part: 3, whole: 5 },
      sessions: count(5),
    });
    expect(groupsOf(result, 'active-share')).toEqual({
      A: { kind: 'rate', part: 1, whole: 2 },
      B: { kind: 'rate', part: 2, whole: 3 },
    });
    expect(groupsOf(result, 'active-people')).toEqual({ A: count(3), B: count(2) });
    expect(result.notes).toContainEqual({
      kind: 'unreadable',
      field: 'account created date',
      rows: 1,
      of: 9,
    });
  });

  test('counts suspended people where the request says which of them count', () => {
    const plan = { ...engagement, filtersSuspended: true };
    expect(fieldsToCount(plan)).not.toContain('suspended');
    expect(valuesOf(figuresOf(plan, records))).toMatchObject({
      'active-share': { kind: 'rate', part: 4, whole: 7 },
    });
  });

  test('has no value where nobody is in it, and the finding says how many are active', () => {
    const late = { sessions: 1, created_at: '2026-11-20' };
    const result = figuresOf(engagement, [
      { userid: 'a', ...late },
      { userid: 'b', ...late },
    ]);
    expect(valuesOf(result)['active-share']).toEqual({ kind: 'rate', part: 0, whole: 0 });
    const summary = formatSummary(
      { ...resultOf(plainRequest('engagement'), []), figures: result },
      { withPeople: false },
    );
    expect(summary.finding).toBe('Engagement last week: 2 people active');
  });

  test('asks for no accounts where an answer shows no share', () => {
    const accounts = ['created_at', 'suspended'];
    expect(fieldsToCount(engagement)).toEqual(expect.arrayContaining(accounts));
    expect(fieldsToCount({ ...engagement, states: ['active', 'inactive'] })).toEqual(
      expect.arrayContaining(accounts),
    );
    for (const flag of accounts)
      expect(fieldsToCount({ ...engagement, states: ['active'] })).not.toContain(flag);
  });

  test('orders the table, and decides who is ranked', () => {
    const team = (name: string, active: number, idle: number, suspended: number) =>
      Array.from({ length: active + idle + suspended }, (_, n) => ({
        userid: `${name}${n}`,
        departments: [name],
        sessions: n < active ? 1 : 0,
        suspended: n >= active + idle,
      }));
    // Of everybody, Labs has the lowest share, and Sales the one after it.
    const all = [...team('Sales', 20, 20, 0), ...team('Labs', 20, 5, 60), ...team('Legal', 2, 12, 30)];
    const result = figuresOf(engagement, all);
    expect(Object.keys(groupsOf(result, 'active-share'))).toEqual(['Sales', 'Labs', 'Legal']);
    expect(result.chart).toMatchObject({ categories: ['Sales', 'Labs'], series: [{ values: [50, 80] }] });
    expect(result.highlights).toEqual([
      { title: 'Least active', entries: [{ label: 'Sales', value: { kind: 'rate', part: 20, whole: 40 } }] },
      { title: 'Most active', entries: [{ label: 'Labs', value: { kind: 'rate', part: 20, whole: 25 } }] },
    ]);
  });
});

describe('a person in several rows', () => {
  const records = [
    { userid: 'u1', sessions: 0, seconds_viewed: 0, departments: ['A'], first_name: 'Ada' },
    { userid: 'u1', sessions: 0, seconds_viewed: 60, departments: ['B'], first_name: 'Ada' },
    { email: 'Bea@example.test', sessions: 0, departments: ['B'], first_name: 'Bea' },
    { email: 'bea@example.test', sessions: 0, departments: ['B', 'C'], last_login: '2026-01-01' },
    { sessions: 0, departments: ['C'] },
  ];

  test('counts once, and as active where any row shows it', () => {
    const result = figuresOf(engagement, records);
    expect(valuesOf(result)).toMatchObject({
      'active-people': count(1),
      'active-share': { kind: 'rate', part: 1, whole: 3 },
      time: { kind: 'duration', seconds: 60 },
    });
    expect(groupsOf(result, 'active-share')).toEqual({
      A: { kind: 'rate', part: 0, whole: 1 },
      B: { kind: 'rate', part: 1, whole: 2 },
      C: { kind: 'rate', part: 0, whole: 2 },
    });
    expect(result.notes).toContainEqual({ kind: 'fact', fact: 'no-person-named-counts', rows: 1 });
  });

  test('counts once in the groups that have no row in the table', () => {
    const { breakdown } = figuresOf(engagement, records);
    if (breakdown?.kind !== 'groups') throw new Error('There is no breakdown');
    expect(formatTable(breakdown, 1).rest).toMatch(/^The other 2 together: .*Share active 0% \(0 of 3\),/);
    const groups = Array.from({ length: 300 }, (_, n) => ({
      userid: `p${n % 7}`,
      sessions: 1,
      departments: [`D${n}`],
    }));
    const many = figuresOf(engagement, groups).breakdown;
    if (many?.kind !== 'groups') throw new Error('There is no breakdown');
    expect(formatTable(many, 200).rest).toMatch(
      /^The other 100 together: Active people 7, Share active 100% \(7 of 7\),/,
    );
    expect(formatTable(many, 5).rest).toMatch(/^The other 295 together: Active people 7,/);
  });

  test('counts once in the number of people', () => {
    const words = formatSummary(resultOf(plainRequest('engagement'), records), { withPeople: false });
    expect(words.rows).toBe('3 people (5 rows)');
    expect(words.notes).toContain('1 row names nobody, and counts as one person.');
  });

  test('has signed in if any row shows it', () => {
    const { people } = figuresOf(planFor(plainRequest('engagement'), true), records);
    expect(people).toMatchObject({ why: 'never-signed-in', rows: 2, listed: [{ name: 'Ada' }, {}] });
  });
});

describe('figures that say no more than is known', () => {
  test('seats filled leaves out a session that lacks a number, or has no seat', () => {
    const held = { workshop_end_date: '2026-11-19T10:00:00Z' };
    const workshops = figuresOf(planFor(plainRequest('workshops')), [
      { ...held, offered_seats: 10, registered_seats: 8 },
      { ...held, offered_seats: 10 },
      { ...held, registered_seats: 7 },
      { ...held, offered_seats: 0, registered_seats: 5 },
    ]);
    expect(valuesOf(workshops)['seats-filled']).toEqual({ kind: 'rate', part: 8, whole: 10 });
  });

  test('seats are filled in sessions that were held, and booked in those to come', () => {
    const seats = { offered_seats: 10, host_name: 'Ada' };
    const workshops = figuresOf({ ...planFor(plainRequest('workshops')), by: 'host_name' }, [
      { ...seats, registered_seats: 1, workshop_end_date: '2026-11-20T08:00:00Z' },
      { ...seats, registered_seats: 2, workshop_start_date: '2026-11-19' },
      // It has begun, and today is not over.
      {
        ...seats,
        registered_seats: 3,
        workshop_start_date: '2026-11-20T08:00:00Z',
        workshop_end_date: '2026-11-20',
      },
      { ...seats, registered_seats: 4, workshop_start_date: '2026-12-01T10:00:00Z' },
      // Nobody knows when, or whether it was held.
      { ...seats, registered_seats: 5 },
      {
        ...seats,
        registered_seats: 6,
        workshop_start_date: '2026-11-19',
        workshop_status: 'cancelled',
        host_name: 'Bo',
      },
    ]);
    const [filled, booked] = [3, 7].map((part) => ({ kind: 'rate', part, whole: 20 }));
    const none = { kind: 'rate', part: 0, whole: 0 };
    expect(valuesOf(workshops)).toMatchObject({ 'seats-filled': filled, 'seats-booked': booked });
    expect(groupsOf(workshops, 'seats-filled')).toEqual({ Ada: filled, Bo: none });
    expect(groupsOf(workshops, 'seats-booked')).toEqual({ Ada: booked, Bo: none });
    // Bo has no seats to show, and one bar is no chart.
    expect(workshops.chart).toBeUndefined();
  });

  describe('a missing value is not 0', () => {
    const unknown = { kind: 'unknown' };
    const person = (n: number, more: object) => ({
      userid: `u${n}`,
      departments: n < 3 ? 'Sales' : 'Legal',
      ...more,
    });

    test('attempts are those of the people whose number is known', () => {
      const records = [
        person(1, { assessment_attempts: 3 }),
        person(1, { assessment_attempts: null }),
        person(2, { assessment_attempts: 'N/A' }),
        person(3, {}),
        person(4, { assessment_attempts: '' }),
        { departments: 'Sales', assessment_attempts: 9 },
      ];
      const result = figuresOf({ ...planFor(plainRequest('assessments')), by: 'departments' }, records);
      const attempts = (sum: number, over: number) => ({ kind: 'average', sum, over, unit: 'attempts' });
      expect(valuesOf(result)['attempts-per-person']).toEqual(attempts(3, 1));
      expect(groupsOf(result, 'attempts-per-person')).toEqual({
        Sales: attempts(3, 1),
        Legal: attempts(0, 0),
      });
      expect(result.notes).toContainEqual(expect.objectContaining({ kind: 'unreadable', rows: 1 }));
      const summary = formatSummary(
        { ...resultOf(plainRequest('assessments'), []), figures: result },
        { withPeople: false },
      );
      expect(summary.figures.find(({ id }) => id === 'attempts-per-person')?.value).toMatch(/^3/);
    });

    test('amounts of a line in which no row gives them are unknown', () => {
      const result = figuresOf(engagement, [
        person(1, { sessions: 2, seconds_viewed: 60 }),
        person(3, { sessions: 0, seconds_viewed: null }),
      ]);
      expect(groupsOf(result, 'sessions')).toEqual({ Sales: count(2), Legal: count(0) });
      expect(groupsOf(result, 'time')).toEqual({ Sales: { kind: 'duration', seconds: 60 }, Legal: unknown });
      expect(groupsOf(result, 'tracks-completed')).toEqual({ Sales: unknown, Legal: unknown });
      expect(valuesOf(result)['tracks-completed']).toEqual(unknown);
      expect(valuesOf(figuresOf(engagement, []))['tracks-completed']).toEqual(count(0));
    });

    test('sessions without a limit, or without one of two numbers, take no part in shares and bars', () => {
      const session = (workshop_title: string, more: object) => ({
        workshop_title,
        workshop_start_date: '2026-11-02T08:00:00Z',
        ...more,
      });
      const result = figuresOf(planFor(plainRequest('workshops')), [
        session('Open', { offered_seats: null, registered_seats: 40, total_attendees: 30 }),
        session('Talk', { offered_seats: 10, registered_seats: 4, total_absentees: 3, total_waiting: 0 }),
        session('Lab', { offered_seats: 20, registered_seats: 20, total_attendees: 8, total_absentees: 2 }),
      ]);
      expect(valuesOf(result)).toMatchObject({
        'seats-filled': { kind: 'rate', part: 24, whole: 30 },
        attendance: { kind: 'rate', part: 8, whole: 10 },
        'no-shows': { kind: 'rate', part: 2, whole: 10 },
        waiting: count(0),
        cancelled: unknown,
      });
      expect(groupsOf(result, 'waiting')).toEqual({ Open: unknown, Talk: count(0), Lab: unknown });
      expect(result.chart?.categories).toEqual(['Lab', 'Talk']);
    });

    test('what nobody passed or failed has no pass rate, and no bar', () => {
      const quiz = (assessment_title: string, assessment_status: string) =>
        Array.from({ length: 20 }, (_, n) => ({ userid: `u${n}`, assessment_title, assessment_status }));
      const { breakdown, ...result } = figuresOf(
        { ...planFor(plainRequest('assessments')), by: 'assessment_title' },
        [quiz('A', 'passed'), quiz('B', 'failed'), quiz('C', 'waiting')].flat(),
      );
      expect(result.chart).toMatchObject({ categories: ['B', 'A'], series: [{ values: [0, 100] }] });
      expect(breakdown).toMatchObject({ rows: [{ label: 'B' }, { label: 'A' }, { label: 'C' }] });
    });

    test('a text such as N/A stays what it is', () => {
      const result = figuresOf({ ...planFor(plainRequest('completions')), by: 'job_title' }, [
        { userid: 'u1', job_title: 'N/A' },
        { userid: 'u2', job_title: null },
      ]);
      expect(groupsOf(result, 'completions')).toEqual({ 'N/A': count(1), none: count(1) });
    });
  });

  test('a session whose registrations nobody knows has no free seats to offer', () => {
    const session = { workshop_start_date: '2026-12-01T10:00:00Z', offered_seats: 10 };
    const workshops = figuresOf(planFor(plainRequest('workshops')), [
      session,
      { ...session, registered_seats: 9 },
    ]);
    expect(workshops.upcoming.map(({ free }) => free)).toEqual([1]);
  });

  test.each([
    [1, 365, '0.0027'],
    [5, 30, '0.17'],
    [0, 30, '0'],
    [45, 30, '1.5'],
  ])('%d completions in %d days are %s a day', (completions, days, words) => {
    const value = { kind: 'per-day', count: completions, days } as const;
    expect([formatShort(value), formatValue(value)]).toEqual([words, `${words} (over ${days} days)`]);
  });

  test('a median of fractions keeps its digits', () => {
    const scores = [0.85, 0.925, 0.4].map((assessment_score) => ({ assessment_score }));
    const words = formatSummary(resultOf(plainRequest('assessments'), scores), { withPeople: false });
    const values = Object.fromEntries(words.figures.map(({ label, value }) => [label, value]));
    expect(values['Median score']).toBe('0.85 (from 3 scores)');
    expect(values['Average score']).toBe('0.725 (from 3 scores)');
  });
});
