import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ReportName, reportNamed } from '../../src/catalogue/index.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';
import { fieldsOfPeople, neighbourFilters } from '../../src/runner/neighbour-filters.js';
import type { PeopleIndex } from '../../src/runner/people-index.js';
import { type IndexLimits, LatestPeople, PeopleIndexBuilder } from '../../src/runner/people-index-builder.js';
import { propertyRuns } from '../property-runs.js';
import { plainRecord } from '../reporting-api/answer/plain-record.js';

const secret = [1, 2, 3, 4] as const;

interface Row {
  readonly userid?: unknown;
  readonly email?: unknown;
  readonly [flag: string]: unknown;
}

type Look = { readonly [report in ReportName]?: readonly Row[] };

const smallestGroup = 5;

function indexOf(look: Look, limits?: IndexLimits): PeopleIndex | undefined {
  const builder = new PeopleIndexBuilder(secret, limits);
  for (const [name, rows] of Object.entries(look)) {
    const fields = fieldsOfPeople(reportNamed(name as ReportName));
    const reading = builder.report(name as ReportName, fields);
    for (const row of rows) reading.add(plainRecord(fields, row));
    reading.end();
  }
  return builder.finish();
}

function request(report: ReportName, filters: Readonly<Record<string, readonly string[]>>): ReportRequest {
  return {
    ...plainRequest(report),
    filters: Object.entries(filters).map(([name, entries]) => {
      const [object = '', member = ''] = name.includes('.') ? name.split('.') : ['user_filter', name];
      return { object, member, entries };
    }),
  };
}

/** The people between a request and each neighbour: of all people of the look, then of the report. */
function differences(look: Look, { by, ...asked }: ReportRequest, limit = smallestGroup) {
  const index = indexOf(look);
  if (!index) throw new Error('There is no index');
  return index.differences({
    report: asked.report,
    filters: neighbourFilters(asked),
    by,
    smallestGroup: limit,
  });
}

function people(many: number, values: object, from = 0): Row[] {
  return Array.from({ length: many }, (_, i) => ({ userid: `u${from + i}`, ...values }));
}

describe('people between a question and its neighbours', () => {
  const sales = [
    ...people(20, { departments: ['Sales'], locations: ['Berlin'], content_id: 'a' }),
    ...people(1, { departments: ['Sales'], locations: ['Paris'], content_id: 'a' }, 20),
    ...people(30, { departments: ['Legal'], locations: ['Berlin'], content_id: 'b' }, 100),
  ];

  test('are those whom the filter that is left out leaves out', () => {
    const asked = request('engagement', { departments: ['Sales'], locations: ['Berlin'] });
    // Without the department 30 more people match, without the location one more, without both 31.
    expect(differences({ engagement: sales }, asked).answer).toEqual([5, 1, 5, 5, 1, 5]);
    expect(differences({ engagement: sales }, asked, 100).answer).toEqual([30, 1, 31, 30, 1, 31]);
  });

  test('are compared in any case and with single blanks', () => {
    const asked = request('engagement', { departments: [' SALES '], locations: ['berlin'] });
    expect(differences({ engagement: sales }, asked).answer).toEqual([5, 1, 5, 5, 1, 5]);
  });

  test('are those of all reports, and of the report itself', () => {
    const look = { engagement: sales, tracks: sales.slice(0, 20) };
    const asked = request('tracks', { departments: ['Sales'], locations: ['Berlin'] });
    expect(differences(look, asked).answer).toEqual([5, 1, 5, 0, 0, 0]);
    expect(differences({ tracks: sales.slice(0, 20) }, asked).answer).toEqual(Array(6).fill(0));
  });

  test('are those whom two filters leave out together', () => {
    const rows = [
      ...people(20, { grade: 'G1', org_level: 'Senior' }),
      ...people(20, { grade: 'G2', org_level: 'Junior' }, 30),
      ...people(1, { grade: 'G8', org_level: 'Executive' }, 60),
    ];
    const asked = request('engagement', { grades: ['G1', 'G2'], org_levels: ['Senior', 'Junior'] });
    expect(differences({ engagement: rows }, asked).answer).toEqual([0, 0, 1, 0, 0, 1]);
  });

  test('are counted for each two of many filters, and for all together', () => {
    const rows = [...people(9, { departments: ['Sales'] }), ...people(2, { departments: ['Legal'] }, 20)];
    const flags = Object.fromEntries(
      ['suspended', 'is_manager', 'is_collaborator', 'is_purchaser'].map((name) => [name, ['false']]),
    );
    const asked = request('engagement', { departments: ['Sales'], grades: ['G1'], role: ['a'], ...flags });
    // Seven filters: 7 alone, 21 pairs, all; of all reports and of this one.
    const { answer } = differences({ engagement: rows }, asked);
    expect(answer).toHaveLength(2 * (7 + 21 + 1));
    expect(answer.filter((between) => between === 2)).toHaveLength(2 * (1 + 6 + 1));
  });

  test('count once however rows name them', () => {
    const other = { departments: ['Sales'], locations: ['Paris'] };
    const rows = [
      ...people(20, { departments: ['Sales'], locations: ['Berlin'] }),
      { userid: 'x', email: 'X@example.test', ...other },
      { email: 'x@example.test', ...other },
      { userid: 'x', ...other },
    ];
    const asked = request('completions', { departments: ['Sales'], locations: ['Berlin'] });
    expect(differences({ completions: rows }, asked).answer).toEqual([0, 1, 1, 0, 1, 1]);
  });

  test('have rows on the other side of a filter on what is learned', () => {
    const rows = [
      ...people(20, { departments: ['Sales'], content_id: 'a', content_title: 'Safety' }),
      ...people(2, { departments: ['Sales'], content_id: 'c', content_title: 'Alcohol' }),
      ...people(9, { departments: ['Legal'], content_id: 'a', content_title: 'Safety' }, 50),
    ];
    const asked = request('assignments', { departments: ['Sales'], 'assignment_filter.content_id': ['a'] });
    expect(differences({ assignments: rows }, asked).answer).toEqual([5, 2, 5]);
  });

  test('are not told by a filter whose values no record holds, and the others stay', () => {
    const asked = request('tracks', {
      departments: ['Sales'],
      locations: ['Berlin'],
      'track_filter.departments': ['Legal'],
      'track_filter.categories': ['Law'],
    });
    const known = request('tracks', { departments: ['Sales'], locations: ['Berlin'] });
    const numbers = (of: ReportRequest) => new Set(differences({ tracks: sales }, of, 100).answer);
    expect(numbers(asked)).toEqual(new Set([...numbers(known), 0]));
  });

  test('take a flag that is missing for one that is not set', () => {
    const rows = [...people(9, { departments: ['Sales'] }), ...people(2, { suspended: 'yes' }, 20)];
    const asked = request('engagement', { suspended: ['false'] });
    expect(differences({ engagement: rows }, asked).answer).toEqual([2, 2]);
  });

  test('are counted in each line of a breakdown too', () => {
    const asked = { ...request('engagement', { departments: ['Sales'] }), by: 'locations' };
    const rows = [...sales, ...people(2, { departments: ['Legal'], locations: ['Paris'] }, 200)];
    const { lines } = differences({ engagement: rows }, asked);
    expect(Object.fromEntries(lines)).toEqual({ berlin: [5, 5], paris: [2, 2] });
  });

  test('are counted in each title, once in each', () => {
    const rows = [
      ...people(20, { departments: ['Sales'], content_id: 'a', content_title: 'Safety, again' }),
      ...people(2, { departments: ['Legal'], content_id: 'a', content_title: 'Safety, again' }, 50),
      ...people(2, { departments: ['Legal'], content_id: 'a', content_title: 'Safety, again' }, 50),
    ];
    const asked = { ...request('assignments', { departments: ['Sales'] }), by: 'content_title' };
    expect([...differences({ assignments: rows }, asked).lines]).toEqual([['safety, again', [0, 2]]]);
  });
});

describe('values of records', () => {
  test.each([
    ['a list', ['Sales', 'Legal']],
    ['a text with several names', 'Sales; Legal'],
    [
      'objects with names and identifiers',
      [
        { id: 'd1', name: 'Sales' },
        { id: 'd2', name: 'Legal' },
      ],
    ],
    ['one object', { id: 'd1', name: 'Sales' }],
  ])('are found in %s', (_, departments) => {
    const rows = [...people(9, { departments }), ...people(3, { departments: ['Board'] }, 50)];
    const asked = request('engagement', { departments: ['sales'] });
    expect(differences({ engagement: rows }, asked).answer).toEqual([3, 3]);
  });
});

describe('an index', () => {
  test('is not kept for more people than the limit, nor rows of a report with more than theirs', () => {
    const rows = people(9, { departments: ['Sales'] });
    expect(indexOf({ engagement: rows }, { people: 8, rows: 100 })).toBeUndefined();
    expect(indexOf({ engagement: rows }, { people: 9, rows: 100 })?.people).toBe(9);
    const cut = indexOf({ engagement: rows, tracks: rows }, { people: 9, rows: 8 });
    const filters = neighbourFilters(request('tracks', { departments: ['Legal'] }));
    expect(cut?.differences({ report: 'tracks', filters, smallestGroup: 20 }).answer).toEqual([9]);
  });

  test('forgets the rows of a report that is read again', () => {
    const builder = new PeopleIndexBuilder(secret);
    for (const departments of [['Legal'], ['Sales']]) {
      const fields = fieldsOfPeople(reportNamed('tracks'));
      const reading = builder.report('tracks', fields);
      for (const row of people(3, { departments, track_id: departments[0] }))
        reading.add(plainRecord(fields, row));
      reading.end();
    }
    const filters = neighbourFilters(request('tracks', { 'track_filter.content_id': ['Sales'] }));
    expect(builder.finish()?.differences({ report: 'tracks', filters, smallestGroup }).answer).toEqual([0]);
  });
});

describe('the people of the latest looks', () => {
  const filters = neighbourFilters(request('engagement', { departments: ['Sales'] }));
  const reports = ['assignments', 'tracks', 'completions', 'assessments', 'engagement'] as const;

  function reading(latest: LatestPeople, report: ReportName, departments: readonly string[], many: number) {
    const fields = fieldsOfPeople(reportNamed(report));
    const begun = latest.begin(report, fields);
    for (const row of people(many, { departments })) begun.add(plainRecord(fields, row));
    return begun;
  }
  const between = (latest: LatestPeople) =>
    latest.differences({ report: 'engagement', filters, smallestGroup: 100 }).answer;

  test('are compared from the first report on, and those of an unfinished reading are not', () => {
    const latest = new LatestPeople(secret);
    reading(latest, 'assignments', ['Legal'], 7);
    expect(between(latest)).toEqual([]);
    expect(reading(latest, 'engagement', ['Legal'], 3).end()).toBe('complete');
    expect(between(latest)).toEqual([3, 3]);
  });

  test('stay until those of the next day have the same reports', () => {
    const latest = new LatestPeople(secret);
    for (const report of reports) reading(latest, report, ['Legal'], 3).end();
    for (const report of reports.slice(0, 4)) reading(latest, report, ['Legal'], 9).end();
    expect(between(latest)).toEqual([3, 3]);
    reading(latest, 'engagement', ['Legal'], 8).end();
    expect(between(latest)).toEqual([9, 8]);
  });

  test('lose a report that could not be read for a whole day', () => {
    const latest = new LatestPeople(secret);
    for (const report of reports) reading(latest, report, ['Legal'], 3).end();
    for (const report of reports.slice(1)) reading(latest, report, ['Legal'], 9).end();
    expect(between(latest)).toEqual([3, 3]);
    reading(latest, 'tracks', ['Legal'], 4);
    expect(between(latest)).toEqual([9, 9]);
  });

  test('are none if there are too many, and compared without titles if there are too many rows', () => {
    const latest = new LatestPeople(secret, { people: 9, rows: 5 });
    expect(reading(latest, 'engagement', ['Legal'], 5).end()).toBe('complete');
    expect(reading(latest, 'tracks', ['Legal'], 6).end()).toBe('too-many-rows');
    expect(between(latest)).toEqual([6, 5]);
    expect(reading(latest, 'completions', ['Legal'], 10).end()).toBe('too-many-people');
    expect(between(latest)).toEqual([]);
  });
});

describe('the filters that neighbours leave out', () => {
  const suspended = (entry: string, more: Partial<ReportRequest> = {}) =>
    neighbourFilters({ ...request('assignments', { suspended: [entry] }), ...more }).map(
      ({ key, entries }) => [key, entries.flat()],
    );

  test.each<Partial<ReportRequest>>([{ view: 'overdue' }, { states: ['completed', 'not-started'] }])(
    'are those that somebody chose, not what open assignments leave out by themselves: %j',
    (open) => {
      expect(neighbourFilters({ ...plainRequest('assignments'), ...open })).toEqual([]);
      expect(suspended('false', open)).toEqual([]);
      expect(suspended('false')).toEqual([['suspended', ['false']]]);
      expect(suspended('any', open)).toEqual([['suspended', ['false', 'true']]]);
      expect(suspended('any')).toEqual([]);
    },
  );

  test('hold the identifiers of titles', () => {
    const titles = [{ option: 'content' as const, text: 'Safety', id: 'a1' }];
    expect(neighbourFilters({ ...plainRequest('completions'), titles })).toMatchObject([
      { key: 'entity_filter.entity_id', entries: [['a1']] },
    ]);
  });
});

test('every count is that of people whom only the filters left out keep away, in random looks', () => {
  const value = fc.constantFrom('A', 'B', 'C');
  const row = fc.record({
    person: fc.nat(12),
    departments: fc.array(value, { maxLength: 2 }),
    grade: fc.option(value, { nil: null }),
    content_id: value,
  });
  const rows = fc.array(row, { maxLength: 40 }).map((all) => {
    const first = new Map(all.map((each) => [each.person, each]));
    // The same person has the same department and grade everywhere.
    return all.map(({ person, content_id }) => ({
      userid: `u${person}`,
      content_id,
      departments: first.get(person)?.departments,
      grade: first.get(person)?.grade,
    }));
  });
  const entries = fc.uniqueArray(value, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(rows, entries, entries, entries, (assignments, departments, grades, ids) => {
      const asked = request('assignments', {
        departments,
        grades,
        'assignment_filter.content_id': ids,
      });
      const passes = assignments.map((each) => [
        each.departments?.some((name) => departments.includes(name)) ?? false,
        grades.some((grade) => grade === each.grade),
        ids.includes(each.content_id),
      ]);
      const known = [
        assignments.some((each) => each.departments && each.departments.length > 0),
        assignments.some((each) => each.grade),
        assignments.length > 0,
      ];
      // Each set of filters is left out together, as the bits of 1 to 7.
      const expected = [1, 2, 3, 4, 5, 6, 7].map((leftOut) => {
        const failing = (i: number) => [0, 1, 2].filter((filter) => known[filter] && !passes[i]?.[filter]);
        const between = assignments.filter(
          (_, i) => failing(i).length > 0 && failing(i).every((filter) => (leftOut >> filter) & 1),
        );
        return new Set(between.map(({ userid }) => userid)).size;
      });
      const found = differences({ assignments }, asked, 1000).answer;
      expect(found.slice(-7)).toEqual(expected);
    }),
    { numRuns: propertyRuns(400) },
  );
});
