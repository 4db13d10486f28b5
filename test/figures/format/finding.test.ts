import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fieldsToCount } from '../../../src/figures/reports/count-report.js';
import type { FiguresPlan } from '../../../src/figures/result.js';
import { formatLine } from '../../../src/figures/summary/line.js';
import type { ResultWithFigures } from '../../../src/figures/summary/request.js';
import { formatSummary } from '../../../src/figures/summary/summary.js';
import { plainRequest, type ReportRequest } from '../../../src/requests/request.js';
import { propertyRuns } from '../../property-runs.js';
import { figuresOf, fixedAnswers, resultOf } from '../fixed-answers.js';
import { naiveFigures } from '../naive/figures.js';
import { naiveFinding } from '../naive/finding.js';
import { Row } from '../naive/row.js';
import { countedRows } from '../naive/states.js';
import { rowsOfPeople } from '../naive/taking-part.js';
import { answerTo, anyAnswer } from '../random-answers.js';

const inChannel = { withPeople: false } as const;
const direct = { withPeople: true } as const;

function findingOf(
  result: ResultWithFigures,
  reader = inChannel as { readonly withPeople: boolean },
): string {
  return formatSummary(result, reader).finding;
}

function requestOf({ report, view, states, dueRange }: FiguresPlan): ReportRequest {
  const range = view === 'overdue' && dueRange ? 'last-week' : undefined;
  return { ...plainRequest(report), view, states, range };
}

const statusOf = ({ report }: FiguresPlan) => `${report.slice(0, -1)}_status`;

function rowsOf(plan: FiguresPlan, records: readonly object[]): readonly Row[] {
  return records.map((record) => new Row(fieldsToCount(plan), record));
}

describe('the finding agrees with a second writer', () => {
  test('for any answer of every report, view and state', () => {
    const twoAnswers = anyAnswer.chain(({ plan, records }) =>
      answerTo(plan).map((earlier) => ({ plan, records, earlier })),
    );
    const seen = new Set<string>();
    fc.assert(
      fc.property(twoAnswers, ({ plan, records, earlier }) => {
        const isNarrowed = plan.view !== undefined || plan.states !== undefined;
        const rows = rowsOf(plan, records);
        const counted = countedRows(rows, plan);
        // One row is a sentence of its own.
        fc.pre(counted.length !== 1);
        const before = isNarrowed ? [] : earlier;
        const now = naiveFigures(rows, plan);
        fc.pre(Object.values(now).every((value) => value.kind !== 'rate' || value.part >= 0));
        const result = {
          ...resultOf(requestOf(plan), [], { before }),
          figures: figuresOf(plan, records),
          ...(isNarrowed ? { before: 'none' as const, lastRun: undefined } : earlierOf(plan, earlier)),
        };
        const statuses = fieldsToCount(plan).includes(statusOf(plan))
          ? counted.flatMap((row) => row.status(statusOf(plan)) ?? [])
          : [];
        const people = plan.report === 'engagement' ? rowsOfPeople(rows).length : records.length;
        const facts = { plan, records: records.length, counted: counted.length, people, now, statuses };
        expect(findingOf(result)).toBe(
          naiveFinding({ ...facts, before: isNarrowed ? {} : naiveFigures(rowsOf(plan, earlier), plan) }),
        );
        seen.add(`${plan.report} ${plan.view ?? ''} ${plan.states ? 'states' : ''}`);
      }),
      { numRuns: propertyRuns(500) },
    );
    expect(seen.size).toBeGreaterThan(10);
  });
});

/** What the figures of an earlier answer are compared with, as the runner gives it. */
function earlierOf(
  plan: FiguresPlan,
  earlier: readonly object[],
): Pick<ResultWithFigures, 'before' | 'lastRun'> {
  const { before, lastRun } = resultOf(requestOf(plan), [], { before: [] });
  const numbers = figuresOf(plan, earlier).figures;
  const pick = (isLastRun: boolean) =>
    Object.fromEntries(
      numbers.flatMap(({ id, value, compared }) => {
        const number = naiveNumber(value);
        if (number === undefined || (compared === 'last-run') !== isLastRun) return [];
        return value.kind === 'rate'
          ? [
              [id, number],
              [`${id}/of`, value.whole],
            ]
          : [[id, number]];
      }),
    );
  return {
    before: typeof before === 'object' ? { ...before, figures: pick(false) } : before,
    lastRun: lastRun && { ...lastRun, figures: pick(true) },
  };
}

function naiveNumber(value: ReturnType<typeof figuresOf>['figures'][number]['value']): number | undefined {
  if (value.kind === 'rate') return value.whole > 0 ? (100 * value.part) / value.whole : undefined;
  return value.kind === 'count' ? value.count : undefined;
}

describe('the finding of a fixed answer', () => {
  const assignments = plainRequest('assignments');
  const records = fixedAnswers.assignments(60);
  const before = fixedAnswers.assignments(45);

  test.each<[string, ReportRequest]>([
    ['Overdue assignments: 24 of 60, up 9 from 15 of 45 since 30 Oct', { ...assignments, view: 'overdue' }],
    [
      'Overdue assignments assigned last week: 24 of 60, up 9 from 15 of 45 since 30 Oct',
      { ...assignments, view: 'overdue', assigned: 'last-week' },
    ],
    [
      'Overdue assignments due last week: 24 not completed, up 60% since 30 Oct',
      { ...assignments, view: 'overdue', range: 'last-week' },
    ],
    [
      'Overdue assignments due last week: 24 of 60, up 9 from 15 of 45 since 30 Oct',
      { ...assignments, view: 'overdue', range: 'last-week', dateField: 'due_date' },
    ],
    [
      'Assignments last week: 40 of 60 not completed, up 10 from 30 of 45 since 30 Oct',
      { ...assignments, states: ['not-completed'] },
    ],
    [
      'Assignments last week: 24 of 60 overdue, up 9 from 15 of 45 since 30 Oct',
      { ...assignments, states: ['overdue'] },
    ],
  ])('%s', (sentence, request) => {
    expect(findingOf(resultOf(request, records, { before }))).toBe(sentence);
  });

  test('says when the last run was: the day, the time of the same day, another year', () => {
    // Without dates, a run of another year looked at other assignments.
    const assigned = '2026-11-09..2026-11-15';
    const result = resultOf({ ...assignments, view: 'overdue', assigned }, records, { before });
    const since = (takenAt: string) =>
      findingOf({
        ...result,
        lastRun: result.lastRun && { ...result.lastRun, takenAt: Date.parse(takenAt) },
      });
    expect(since('2026-11-20T07:05:00Z')).toMatch(/since 08:05$/);
    expect(since('2026-11-19T07:05:00Z')).toMatch(/since 19 Nov$/);
    expect(since('2025-12-30T07:05:00Z')).toMatch(/since 30 Dec 2025$/);
  });

  test('of nothing, of none, and of too few people', () => {
    const completed = [{ assignment_status: 'completed' }];
    const overdue = { ...assignments, view: 'overdue' } as const;
    expect(findingOf(resultOf(assignments, []))).toBe('Assignments last week: no assignments found');
    expect(findingOf(resultOf(overdue, []))).toBe('Overdue assignments: no assignments found');
    expect(findingOf(resultOf(overdue, completed))).toBe('Overdue assignments: none among 1 assignment');
    const result = resultOf(assignments, records);
    expect(findingOf({ ...result, figures: { ...result.figures, tooFew: 5 } })).toBe(
      'Assignments last week: Fewer than 5 people match, so no figures are shown',
    );
  });

  test("of one's own rows speaks to the reader, but not in a digest", () => {
    const result = { ...resultOf(assignments, records), scope: { rows: 'self' as const } };
    expect(findingOf(result, direct)).toBe('Your assignments last week: 33% completed (20 of 60)');
    expect(formatSummary(result, { withPeople: true, isOwner: true }).finding).toMatch(
      /^Assignments last week/,
    );
  });
});

describe('the finding of one row', () => {
  const one = {
    first_name: 'Ada',
    last_name: 'Moreau',
    content_title: 'Fire safety',
    assignment_status: 'IN_PROGRESS',
    assigned_date: '2026-11-01',
    due_date: '2026-11-10',
  };
  const request = plainRequest('assignments');
  const of = (
    record: object,
    more: Partial<ReportRequest> = {},
    reader = direct as { withPeople: boolean },
  ) => findingOf(resultOf({ ...request, ...more }, [record], { people: true }), reader);

  test('names the person in a direct message, and nobody in a channel', () => {
    expect(of(one)).toBe(
      'Assignments last week: Ada Moreau, Fire safety, in progress, assigned Sun 1 Nov 2026, due Tue 10 Nov 2026',
    );
    expect(of(one, {}, inChannel)).toBe(
      'Assignments last week: 1 assignment, Fire safety, in progress, assigned Sun 1 Nov 2026, due Tue 10 Nov 2026',
    );
  });

  test('names an address where there is no name', () => {
    expect(of({ email: 'ada@example.test', content_title: 'Fire safety' })).toBe(
      'Assignments last week: ada@example.test, Fire safety',
    );
  });

  test('says how many there were where it is one of them', () => {
    const result = resultOf({ ...request, view: 'overdue' }, [one, { assignment_status: 'completed' }]);
    expect(findingOf(result)).toMatch(/^Overdue assignments: 1 of 2, Fire safety, in progress/);
  });

  test('of a completed one leaves out when it was due', () => {
    expect(of({ ...one, assignment_status: 'completed', completed_date: '2026-11-03' })).toBe(
      'Assignments last week: Ada Moreau, Fire safety, assigned Sun 1 Nov 2026, completed Tue 3 Nov 2026',
    );
  });

  test('counts with the right words', () => {
    const engagement = {
      first_name: 'Ada',
      sessions: 1,
      views: 2,
      seconds_viewed: 5400,
      assignments_completed: 0,
    };
    const result = resultOf(plainRequest('engagement'), [engagement], { people: true });
    expect(findingOf(result, direct)).toBe(
      'Engagement last week: Ada, 1 session, 2 views, learning time 1.5 hours',
    );
  });

  test('of a workshop says how full it is', () => {
    const session = {
      workshop_title: 'Negotiation',
      registered_seats: 6,
      offered_seats: 12,
      total_attendees: 0,
    };
    expect(findingOf(resultOf(plainRequest('workshops'), [session]))).toBe(
      'Workshops last week: 1 workshop session, Negotiation, 6 of 12 seats registered',
    );
    const withoutLimit = { ...session, offered_seats: null };
    expect(findingOf(resultOf(plainRequest('workshops'), [withoutLimit]))).toMatch(/, 6 seats registered$/);
    const unknown = { ...session, registered_seats: null };
    expect(findingOf(resultOf(plainRequest('workshops'), [unknown]))).toMatch(/, Negotiation$/);
  });

  test('shows text of the service as it is, in one line', () => {
    expect(of({ ...one, content_title: 'A\u202eb\n<!channel>' })).toContain('Ab <!channel>');
  });
});

describe('the finding of an answer against the year before says so', () => {
  const completions = { ...plainRequest('completions'), against: 'last-year' } as const;
  const of = (request: ReportRequest, now: number, before: number) =>
    resultOf(request, fixedAnswers[request.report](now), { before: fixedAnswers[request.report](before) });

  test.each([
    [60, 45, 'up 33% from a year before', '▲ 33% from a year before'],
    [30, 60, 'down 50% from a year before', '▼ 50% from a year before'],
    [60, 60, 'no change from a year before', 'no change from a year before'],
    [60, 0, 'none a year before', 'none a year before'],
    [60, 8, 'up 52 from a year before', '▲ 52 from a year before'],
    [500, 20, '25 times as many as a year before', '25 times as many as a year before'],
  ])('%i, and %i then', (now, before, words, short) => {
    const result = of(completions, now, before);
    expect(plain(findingOf(result))).toBe(`Completions last week: ${now}, ${words}`);
    expect(plain(formatLine(result, inChannel).change)).toBe(short);
  });

  test('also where it is a share, and not of what is compared with the last run', () => {
    const engagement = { ...plainRequest('engagement'), against: 'last-year' } as const;
    expect(plain(findingOf(of(engagement, 60, 45)))).toMatch(/ from (?:\d+ of \d+ )?a year before$/);
    const assessments = { ...plainRequest('assessments'), against: 'last-year' } as const;
    expect(findingOf(of(assessments, 60, 45))).not.toContain('year');
    expect(formatLine(of(assessments, 60, 45), inChannel).change).not.toContain('year');
  });
});

test('the finding of an answer over time that found nothing says over how many units', () => {
  const request = { ...plainRequest('completions'), over: '4w' };
  expect(findingOf(resultOf(request, []))).toBe('Completions over 4 weeks: no completions found');
});

/** With plain blanks. */
const plain = (text = '') => text.replaceAll('\u00a0', ' ');
