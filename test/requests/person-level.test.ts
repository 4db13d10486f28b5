import { describe, expect, it } from 'vitest';
import { allReports, type ReportName, reportNamed } from '../../src/catalogue/index.js';
import {
  columnIsPersonLevel,
  requestIsPersonLevel,
  rowsArePersonLevel,
} from '../../src/requests/person-level.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';

const none: ReadonlySet<string> = new Set();

function field(report: ReportName, flag: string) {
  const found = reportNamed(report).fields.find((each) => each.flag === flag);
  if (!found) throw new Error(`no field ${flag}`);
  return found;
}

describe('fields that name or reach a person', () => {
  it.each([
    ['assignments', 'email'],
    ['assignments', 'first_name'],
    ['assignments', 'userid'],
    ['assignments', 'image'],
    ['assignments', 'address'],
    ['assignments', 'manager_email'],
    ['assignments', 'assigner'],
    ['assignments', 'assigner_last_name'],
    ['assignments', 'manual_completed_by_email'],
    ['assignments', 'assignee_metadata'],
    ['assignments', 'content_metadata'],
    ['tracks', 'user_metadata'],
    ['completions', 'assignment'],
    ['workshops', 'host_name'],
  ] as const)('%s: %s', (report, flag) => {
    expect(columnIsPersonLevel(field(report, flag), undefined, none)).toBe(true);
  });

  it.each([
    ['engagement', 'departments'],
    ['engagement', 'views'],
    ['assignments', 'due_date'],
    ['assignments', 'content_title'],
    ['assignments', 'assigner_job_title'],
    ['tracks', 'track_progress'],
    ['completions', 'content'],
    ['workshops', 'workshop_title'],
  ] as const)('but not %s: %s', (report, flag) => {
    expect(columnIsPersonLevel(field(report, flag), undefined, none)).toBe(false);
  });

  it('every one of them that a filter can name is person-level there too', () => {
    for (const report of allReports) {
      for (const { members } of report.filters) {
        const isPersonLevelField = (name: string) =>
          report.fields.some(({ flag, personLevel }) => flag === name && personLevel);
        const open = members.filter(({ name, personLevel }) => isPersonLevelField(name) && !personLevel);
        expect([report.name, open]).toEqual([report.name, []]);
      }
    }
  });
});

describe('members of nested objects', () => {
  const content = field('completions', 'content');
  const text = field('assignments', 'content_title');
  const assignment = field('completions', 'assignment');

  it.each([
    'id',
    '_id',
    'content_id',
    'title',
    'name',
    'type',
    'content_type',
    'status',
    'completed_at',
    'due_date',
    'finished_on',
    'date',
    'Title',
  ])('content: %s may go anywhere', (member) =>
    expect(columnIsPersonLevel(content, member, none)).toBe(false),
  );

  it.each([
    'author',
    'author_name',
    'author_id',
    'email',
    'user_id',
    'owner',
    'score',
    'created_by',
    'assigned_to',
    'description',
  ])('content: %s may not', (member) => expect(columnIsPersonLevel(content, member, none)).toBe(true));

  it('nothing of an assignment may, nor of what arrives as an object where none is expected', () => {
    expect(columnIsPersonLevel(assignment, 'title', none)).toBe(true);
    expect(columnIsPersonLevel(field('engagement', 'departments'), 'name', none)).toBe(true);
    expect(columnIsPersonLevel(text, 'title', none)).toBe(false);
  });

  it('what an admin released may', () => {
    const released = new Set(['user_metadata.cost_center']);
    const metadata = field('tracks', 'user_metadata');
    expect(columnIsPersonLevel(metadata, 'cost_center', released)).toBe(false);
    expect(columnIsPersonLevel(metadata, 'salary', released)).toBe(true);
    expect(columnIsPersonLevel(metadata, undefined, released)).toBe(true);
  });
});

describe('requests', () => {
  const request = (more: Partial<ReportRequest>): ReportRequest => ({
    ...plainRequest('engagement'),
    ...more,
  });

  it.each([
    ['columns', request({ columns: ['views', 'email'] }), true],
    ['columns without people', request({ columns: ['views', 'departments'] }), false],
    ['a breakdown', request({ by: 'email' }), true],
    ['a breakdown by department', request({ by: 'departments' }), false],
    [
      'a filter',
      request({ filters: [{ object: 'user_filter', member: 'manager_email', entries: ['me'] }] }),
      true,
    ],
    [
      'a filter by department',
      request({ filters: [{ object: 'user_filter', member: 'departments', entries: ['Sales'] }] }),
      false,
    ],
    ['nothing', request({}), false],
  ])('with %s', (_what, named, personLevel) => {
    expect(requestIsPersonLevel(named, none)).toBe(personLevel);
  });

  it('rows about learners are person-level, whatever their columns', () => {
    const everyReport = allReports.map(({ name }) => name);
    const withRows = (columns?: readonly string[]) =>
      everyReport.filter((name) => rowsArePersonLevel({ ...plainRequest(name), columns }, none));
    const withLearners = ['assignments', 'tracks', 'completions', 'assessments', 'engagement'];
    expect(withRows()).toEqual(withLearners);
    expect(withRows(['departments'])).toEqual([...withLearners, 'workshops']);
    expect(withRows([])).toEqual(withLearners);
  });

  it('rows of workshops are person-level by their columns', () => {
    const workshops = (columns: readonly string[]) =>
      rowsArePersonLevel({ ...plainRequest('workshops'), columns }, none);
    expect(workshops(['workshop_title'])).toBe(false);
    expect(workshops(['workshop_title', 'host_name'])).toBe(true);
  });

  it('a column with a released member is checked once it has arrived', () => {
    const named = request({ columns: ['user_metadata'] });
    expect(requestIsPersonLevel(named, none)).toBe(true);
    expect(requestIsPersonLevel(named, new Set(['user_metadata.cost_center']))).toBe(false);
  });
});
