import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allReports } from '../../../src/catalogue/index.js';
import { propertyRuns } from '../../property-runs.js';
import { generatedWorld, type WorldInArrays } from './generated-world.js';
import { questions } from './queries.js';
import { ask, day, friday, type JsonRecord } from './service.js';

let made: WorldInArrays;

beforeAll(async () => {
  made = await generatedWorld({ seed: 11, learners: 30, now: friday });
});

afterAll(() => made.service.stop());

const windows = fc
  .tuple(
    fc.integer({ min: friday - 420 * day, max: friday }),
    fc.array(fc.integer({ min: 0, max: 60 * day }), { minLength: 2, maxLength: 4 }),
  )
  .map(([start, lengths]) => {
    const edges = [start];
    for (const length of lengths) edges.push((edges.at(-1) ?? start) + length);
    return edges;
  });

const sum = (records: readonly JsonRecord[], flag: string) =>
  records.reduce((total, record) => total + Number(record[flag]), 0);

describe('answers for adjacent ranges', () => {
  const rows = allReports.filter(({ range }) => range?.isAdditive);

  it('add up to the answer for the whole range, row by row', async () => {
    await fc.assert(
      fc.asyncProperty(questions(made.tables, friday, rows), windows, async ({ report, body }, edges) => {
        const { sort_by: _, ...unsorted } = body;
        const parts: JsonRecord[] = [];
        for (const [index, until] of edges.slice(1).entries()) {
          parts.push(
            ...(await ask(made.service, report.name, { from: edges[index] ?? 0, until, body: unsorted })),
          );
        }
        const whole = { from: edges[0] ?? 0, until: edges.at(-1) ?? 0, body: unsorted };
        expect(parts).toEqual(await ask(made.service, report.name, whole));
      }),
      { numRuns: propertyRuns(40) },
    );
  });
});

describe('reports for the same range', () => {
  it('agree with each other', async () => {
    const counted = [
      'assignments_completed',
      'assignments_pending',
      'tracks_started',
      'tracks_completed',
      'workshops_attended',
    ];
    const flags = Object.fromEntries(
      [...counted, 'ratings', 'ratings_average', 'sessions', 'last_login'].map((flag) => [flag, true]),
    );
    await fc.assert(
      fc.asyncProperty(windows, fc.integer({ min: -300 * day, max: 60 * day }), async (edges, elapsed) => {
        made.now = friday + elapsed;
        const window = { from: edges[0] ?? 0, until: edges.at(-1) ?? 0 };
        const rows = (report: Parameters<typeof ask>[1], body: JsonRecord) =>
          ask(made.service, report, { ...window, body });
        const people = await rows('engagement', flags);

        const assignments = await rows('assignments', {
          completed_date: true,
          range_target: 'completed_date',
        });
        expect(sum(people, 'assignments_completed')).toBe(assignments.length);

        const tracks = await rows('tracks', { track_status: true, range_target: 'track_completed_date' });
        expect(sum(people, 'tracks_completed')).toBe(tracks.length);
        expect(tracks.every(({ track_status }) => track_status === 'completed')).toBe(true);

        const sessions = await rows('workshops', { total_attendees: true });
        expect(sum(people, 'workshops_attended')).toBe(sum(sessions, 'total_attendees'));

        const given = await ask(made.service, 'assignments', {
          from: 0,
          until: window.until,
          body: { completed_date: true },
        });
        const end = new Date(window.until * 1000).toISOString();
        const open = given.filter(
          ({ completed_date }) => completed_date === null || String(completed_date) >= end,
        );
        expect(sum(people, 'assignments_pending')).toBe(open.length);

        for (const { ratings, ratings_average, sessions: count, last_login } of people) {
          const stars = Number(ratings_average) * Number(ratings);
          expect(ratings_average === null).toBe(ratings === 0);
          expect(Math.abs(stars - Math.round(stars))).toBeLessThan(1e-9);
          expect(Number(count) === 0 || last_login !== null).toBe(true);
        }
      }),
      { numRuns: 25 },
    );
    made.now = friday;
  });

  it('have consistent seats, statuses and scores', async () => {
    const sessions = await ask(made.service, 'workshops', {
      from: 0,
      until: friday + 400 * day,
      body: {
        ...{ offered_seats: true, registered_seats: true, total_waiting: true, waitlist_seats: true },
        ...{ total_attendees: true, total_absentees: true, workshop_status: true, workshop_start_date: true },
      },
    });
    expect(sessions.length).toBeGreaterThan(10);
    for (const each of sessions) {
      const seats = each.offered_seats === null ? Number.POSITIVE_INFINITY : Number(each.offered_seats);
      expect(Number(each.registered_seats)).toBeLessThanOrEqual(seats);
      expect(Number(each.total_waiting)).toBeLessThanOrEqual(Number(each.waitlist_seats));
      const recorded = Number(each.total_attendees) + Number(each.total_absentees);
      expect(
        [0, Number(each.registered_seats)].includes(recorded) || each.workshop_status === 'completed',
      ).toBe(true);
      expect(recorded).toBeLessThanOrEqual(Number(each.registered_seats));
      expect(each.workshop_status === 'scheduled' ? recorded : 0).toBe(0);
    }
    const results = await ask(made.service, 'assessments', {
      body: {
        assessment_status: true,
        assessment_score: true,
        assessment_completed_date: true,
        assessment_attempts: true,
      },
    });
    for (const each of results) {
      const ended = each.assessment_status === 'passed' || each.assessment_status === 'failed';
      expect(each.assessment_completed_date !== null).toBe(ended);
      expect(ended && each.assessment_score === null).toBe(false);
      expect(Number(each.assessment_attempts) === 0).toBe(each.assessment_status === 'not_started');
    }
  });
});
