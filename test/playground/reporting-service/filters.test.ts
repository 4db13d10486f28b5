import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningReportingService } from '../../../playground/reporting-service/reporting-service.js';
import { allReports, type ReportName } from '../../../src/catalogue/index.js';
import { generatedWorld, type WorldInArrays } from './generated-world.js';
import { entriesFor } from './queries.js';
import { ask, day, friday, type JsonRecord, startService } from './service.js';

let made: WorldInArrays;

beforeAll(async () => {
  made = await generatedWorld({ seed: 5, learners: 80, now: friday });
});

afterAll(() => made.service.stop());

const everything = { from: friday - 440 * day, until: friday + 60 * day };

function rows(report: ReportName, body: JsonRecord): Promise<readonly JsonRecord[]> {
  return ask(made.service, report, { ...everything, body });
}

const members = allReports.flatMap(({ name, filters }) =>
  filters.flatMap((object) => object.members.map((member) => ({ report: name, object, member }))),
);

describe('every member of every filter', () => {
  it.each(members.map((each) => [`${each.report} ${each.object.name}.${each.member.name}`, each] as const))(
    '%s: some value narrows, some empties, and two values give what each gives',
    async (_, { report, object, member }) => {
      const ask = (said: string) => rows(report, { [object.name]: { [member.name]: said } });
      const all = (await rows(report, {})).length;
      expect(all).toBeGreaterThan(0);
      if (member.kind === 'yes-no') {
        const [yes, no] = [(await ask('true')).length, (await ask(' False ')).length];
        expect(yes + no).toBe(all);
        expect(yes).toBeGreaterThan(0);
        expect(no).toBeGreaterThan(0);
        expect(await ask('true,false')).toHaveLength(all);
        return;
      }
      const found = new Map<string, number>();
      for (const entry of entriesFor(made.tables, object.name, member.name)) {
        if (!found.has(entry)) found.set(entry, (await ask(entry)).length);
        if ([...found.values()].filter((count) => count > 0 && count < all).length >= 2) break;
      }
      const narrowing = [...found].filter(([, count]) => count > 0 && count < all);
      expect(narrowing.length).toBeGreaterThan(0);
      expect(await ask('no such thing')).toHaveLength(0);
      const [one = ['', 0], other = one] = narrowing;
      const both = (await ask(`${one[0]} , ${other[0]},`)).length;
      expect(both).toBeGreaterThanOrEqual(Math.max(one[1], other[1]));
      expect(both).toBeLessThanOrEqual(one[1] + other[1]);
    },
  );
});

describe('entries', () => {
  const departments = (said: string) =>
    rows('engagement', { departments: true, user_filter: { departments: said } });

  it('are names in any case, with any spaces', async () => {
    const plain = await departments('Field Operations');
    expect(plain.length).toBeGreaterThan(0);
    for (const said of [
      'field operations',
      '  FIELD   OPERATIONS  ',
      ',Field Operations,,',
      'nobody, field operations',
    ]) {
      expect(await departments(said)).toEqual(plain);
    }
  });

  it('match whole names only', async () => {
    for (const said of ['Field', 'Field Operation', 'Field%', '_ield Operations', '*', 'Field Operations;']) {
      expect(await departments(said)).toHaveLength(0);
    }
  });

  it('of composed and decomposed letters are the same', async () => {
    const names = made.tables.people.map(({ first_name }) => first_name);
    const name = names.find((each) => each.normalize('NFD') !== each.normalize('NFC')) ?? '';
    const ask = (said: string) => rows('engagement', { user_filter: { first_name: said } });
    expect((await ask(name)).length).toBeGreaterThan(0);
    expect(await ask(name.normalize('NFD'))).toEqual(await ask(name.normalize('NFC')));
  });

  it('match nothing if the list is empty', async () => {
    for (const said of ['', ' ', ',', ' , ,']) expect(await departments(said)).toHaveLength(0);
    expect(await rows('engagement', { user_filter: {} })).toHaveLength(80);
  });

  it('are identifiers or user IDs of people', async () => {
    for (const body of [
      (said: string) => ['engagement', { user_filter: { id: said } }] as const,
      (said: string) => ['assignments', { assignment_filter: { assigner_id: said } }] as const,
      (said: string) => ['tracks', { track_filter: { collaborators: said } }] as const,
      (said: string) => ['assessments', { assessment_filter: { created_by: said } }] as const,
    ]) {
      const find = (said: string) => {
        const [report, asked] = body(said);
        return rows(report, asked);
      };
      const counts: number[] = [];
      for (const person of made.tables.people.slice(0, 8)) {
        const byIdentifier = await find(person.public_id);
        expect(await find(person.userid)).toEqual(byIdentifier);
        counts.push(byIdentifier.length);
      }
      expect(Math.max(...counts)).toBeGreaterThan(0);
    }
  });

  it('can be ten thousand', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `department ${index}`);
    expect(await departments([...many, 'Sales'].join(','))).toEqual(await departments('Sales'));
  });

  it('are never SQL or JSON', async () => {
    const tricks = [
      "' OR 1=1 --",
      "'; DROP TABLE person; --",
      '") UNION SELECT sql FROM sqlite_master --',
      '["Sales"]',
      '{"$ne":null}',
      '\\u0053ales',
      'Sales\u0000',
      '@entries0',
      '__proto__',
      '%',
    ];
    for (const { report, object, member } of members) {
      if (member.kind === 'yes-no') continue;
      expect(await rows(report, { [object.name]: { [member.name]: tricks.join(',') } })).toHaveLength(0);
    }
    for (const trick of tricks) expect(await departments(trick)).toHaveLength(0);
    expect(await departments('Sales')).not.toHaveLength(0);
  });
});

describe('several members', () => {
  it('must all match', async () => {
    const flags = { email: true, departments: true, role: true };
    const people = await rows('engagement', flags);
    const both = await rows('engagement', {
      ...flags,
      user_filter: { departments: 'Sales,Support', role: 'manager' },
    });
    const expected = people.filter(
      ({ departments, role }) =>
        role === 'manager' &&
        (departments as string[]).some((name) => name === 'Sales' || name === 'Support'),
    );
    expect(expected.length).toBeGreaterThan(0);
    expect(both).toEqual(expected);
  });

  it('of the learner and of the content differ', async () => {
    const rowsOf = (body: JsonRecord) => rows('tracks', { email: true, track_title: true, ...body });
    const ofLearner = await rowsOf({ user_filter: { departments: 'Support' } });
    const ofTrack = await rowsOf({ track_filter: { categories: 'Safety' } });
    const ofBoth = await rowsOf({
      user_filter: { departments: 'Support' },
      track_filter: { categories: 'Safety' },
    });
    const keys = new Set(ofTrack.map((row) => JSON.stringify(row)));
    expect(ofBoth).toEqual(ofLearner.filter((row) => keys.has(JSON.stringify(row))));
  });
});

describe('a service that takes identifiers', () => {
  let service: RunningReportingService;
  beforeAll(async () => {
    service = await startService({ filterBy: 'identifiers', learners: 80, seed: 5 });
  });
  afterAll(() => service.stop());

  it('matches identifiers, and no names', async () => {
    const sales = made.tables.unitsOfPeople.find(({ unit }) => unit.name === 'Sales')?.unit;
    const flags = { departments: true };
    const found = await ask(service, 'engagement', {
      body: { ...flags, user_filter: { departments: `${sales?.public_id}, none` } },
    });
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ departments }) => (departments as string[]).includes('Sales'))).toBe(true);
    expect(
      await ask(service, 'engagement', { body: { ...flags, user_filter: { departments: 'Sales' } } }),
    ).toEqual([]);
  });
});
