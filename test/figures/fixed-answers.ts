import { type ReportName, reportNamed } from '../../src/catalogue/index.js';
import type { PeopleBetween } from '../../src/figures/neighbours.js';
import { fieldsToCount, startCounting } from '../../src/figures/reports/count-report.js';
import type { FiguresPlan, FiguresReader, FiguresResult } from '../../src/figures/result.js';
import { comparableNumbers } from '../../src/figures/summary/changes.js';
import type { ResultWithFigures } from '../../src/figures/summary/request.js';
import { plainRequest, type ReportRequest, type ResolvedRange } from '../../src/requests/request.js';
import { plainRecord } from '../reporting-api/answer/plain-record.js';

/** Friday noon in Berlin. */
const requestedAt = Date.parse('2026-11-20T11:00:00Z');
const zone = 'Europe/Berlin';

const lastWeek: ResolvedRange = {
  words: 'last-week',
  zone,
  from: Date.parse('2026-11-08T23:00:00Z') / 1000,
  until: Date.parse('2026-11-15T23:00:00Z') / 1000,
  firstDay: '2026-11-09',
  lastDay: '2026-11-15',
};

/** From the moment of the request to the end of the seventh day. */
const nextWeek: ResolvedRange = {
  words: 'next-7-days',
  zone,
  from: requestedAt / 1000,
  until: Date.parse('2026-11-26T23:00:00Z') / 1000,
  firstDay: '2026-11-20',
  lastDay: '2026-11-26',
};

export const weekBefore: ResolvedRange = {
  words: '2026-11-02..2026-11-08',
  zone,
  from: lastWeek.from - 7 * 86_400,
  until: lastWeek.from,
  firstDay: '2026-11-02',
  lastDay: '2026-11-08',
};

export function planFor(request: ReportRequest, people = false): FiguresPlan {
  return {
    report: request.report,
    view: request.view,
    states: request.states,
    dueRange: request.view === 'due' ? nextWeek : undefined,
    ...(request.by === undefined ? {} : { by: request.by }),
    people,
    smallestGroup: 1,
    now: requestedAt,
    zone,
    range: { from: lastWeek.from, until: lastWeek.until },
  };
}

export function figuresOf(plan: FiguresPlan, records: Iterable<object>): FiguresResult {
  const fields = fieldsToCount(plan);
  const reader = startCounting(plan, fields);
  for (const record of records) reader.add(plainRecord(fields, record));
  return reader.finish();
}

/** The same as the sum of parts that end at these places. Each is read up to a failure before, which leaves nothing. */
export function figuresOfParts(
  plan: FiguresPlan,
  records: readonly object[],
  ends: readonly number[],
  look?: PeopleBetween,
): FiguresResult {
  const fields = fieldsToCount(plan);
  const places = [0, ...ends.toSorted((a, b) => a - b), records.length];
  let whole: FiguresReader | undefined;
  for (const [i, end] of places.slice(1).entries()) {
    const own = records.slice(places[i], end);
    const count = (rows: readonly object[]) => {
      const part = whole?.startPart() ?? startCounting(plan, fields, look);
      for (const record of rows) part.add(plainRecord(fields, record));
      return part;
    };
    count(own.slice(i % 2));
    const part = count(own);
    if (whole) whole.merge(part);
    else whole = part;
  }
  return (whole ?? startCounting(plan, fields, look)).finish();
}

/** The result for these records, compared with `before` if it is given. */
export function resultOf(
  request: ReportRequest,
  records: Iterable<object>,
  { before, people = false }: { before?: Iterable<object>; people?: boolean } = {},
): ResultWithFigures {
  const plan = planFor(request, people);
  const report = reportNamed(request.report);
  const numbers = before && figuresOf(plan, before);
  return {
    report,
    request,
    ...(report.range ? { range: lastWeek } : {}),
    requestedAt,
    asker: { zone },
    figures: figuresOf(plan, records),
    before:
      numbers && report.range
        ? { figures: comparableNumbers(numbers, ['period-before', 'equal-age']), range: weekBefore }
        : 'none',
    ...(numbers
      ? {
          lastRun: {
            figures: comparableNumbers(numbers, ['last-run']),
            takenAt: requestedAt - 21 * 86_400_000,
            of: 'asker' as const,
          },
        }
      : {}),
  };
}

const departments = ['Sales', 'Field Operations', 'Support', 'Legal & Compliance'];
const contents = ['Fire safety', 'First aid', 'Data protection', 'Selling <b>better</b>', 'Onboarding'];
const day = (n: number) => new Date(requestedAt + n * 86_400_000).toISOString();

function learner(n: number) {
  return {
    first_name: ['Ada', 'Björn', 'Chika', 'دانا', 'Eve'][n % 5],
    last_name: `Moreau ${n}`,
    email: `p${n % 23}@example.test`,
    userid: `u${n % 23}`,
    departments: [departments[n % 4], ...(n % 7 === 0 ? [departments[(n + 1) % 4]] : [])],
  };
}

/** A small, fixed answer of each report. */
export const fixedAnswers: Readonly<Record<ReportName, (size: number) => readonly object[]>> = {
  assignments: (size) =>
    rows(size, (n) => ({
      ...learner(n),
      content_title: contents[n % 5],
      assignment_status: n % 3 === 0 ? 'completed' : n % 3 === 1 ? 'in_progress' : 'not_started',
      assigned_date: day(-40 + (n % 9)),
      due_date: n % 11 === 0 ? null : day((n % 40) - 20),
      completed_date: n % 3 === 0 ? day(-30 + (n % 20)) : null,
      manual_completed_by: n % 21 === 0 ? { id: 'm1', name: 'Max Manager' } : null,
    })),
  tracks: (size) =>
    rows(size, (n) => ({
      ...learner(n),
      track_title: ['New manager', 'Safety basics', 'Sales academy'][n % 3],
      track_status: ['completed', 'in_progress', 'not_started', 'in_progress'][n % 4],
      track_progress: [100, (n * 7) % 100, 0, 45][n % 4],
      track_completed_date: n % 4 === 0 ? day(-10 + (n % 7)) : null,
    })),
  completions: (size) =>
    rows(size, (n) => ({
      ...learner(n),
      content: {
        id: String(n % 5),
        title: contents[n % 5],
        type: ['course', 'video', 'article'][n % 3],
        completed_date: new Date(lastWeek.from * 1000 + ((n * 5) % 160) * 3_600_000).toISOString(),
      },
    })),
  assessments: (size) =>
    rows(size, (n) => ({
      ...learner(n),
      assessment_title: ['Fire safety quiz', 'Product exam', 'Data protection test'][n % 3],
      assessment_status: ['passed', 'failed', 'passed', 'waiting_for_grading', 'Excused'][n % 5],
      assessment_score: n % 5 > 2 ? null : 40 + ((n * 13) % 61),
      assessment_attempts: 1 + (n % 3),
    })),
  engagement: (size) =>
    rows(size, (n) => ({
      ...learner(n),
      email: `p${n}@example.test`,
      userid: `u${n}`,
      sessions: n % 4,
      views: n % 4 === 0 ? 0 : n % 13,
      seconds_viewed: n % 4 === 0 ? 0 : (n * 977) % 20_000,
      assignments_completed: n % 4 === 0 ? 0 : n % 3,
      tracks_completed: n % 9 === 0 ? 1 : 0,
      ratings: n % 6 === 0 ? 2 : 0,
      ratings_average: n % 6 === 0 ? 4.5 : null,
      first_login: n % 8 === 0 ? null : day(-300),
      last_login: n % 8 === 0 ? null : day(-3),
    })),
  workshops: (size) =>
    rows(size, (n) => ({
      workshop_title: ['Negotiation', 'First aid on site', 'Public speaking'][n % 3],
      workshop_status: n % 8 === 7 ? 'cancelled' : 'scheduled',
      workshop_start_date: day(n - size / 2),
      workshop_end_date: day(n - size / 2 + 0.1),
      offered_seats: n % 6 === 5 ? null : 20,
      registered_seats: (n * 3) % 21,
      total_attendees: n < size / 2 - 1 ? (n * 3) % 18 : null,
      total_absentees: n < size / 2 - 1 ? n % 4 : null,
      total_waiting: n % 5 === 0 ? 2 : 0,
      canceled_registrations: n % 3,
      archived: false,
      registration_disabled: false,
    })),
};

function rows(size: number, make: (n: number) => object): readonly object[] {
  return Array.from({ length: size }, (_, n) => make(n));
}

/** Every request that has a summary of its own. */
export const sixRequests: readonly ReportRequest[] = [
  plainRequest('assignments'),
  { ...plainRequest('assignments'), view: 'overdue' as const },
  { ...plainRequest('assignments'), view: 'due' as const },
  plainRequest('tracks'),
  plainRequest('completions'),
  plainRequest('assessments'),
  plainRequest('engagement'),
  plainRequest('workshops'),
];

export function nameOf({ report, view }: ReportRequest): string {
  return view ?? report;
}
