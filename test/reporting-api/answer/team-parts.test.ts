import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { hashKeyOf } from '../../../src/figures/keyed-hash.js';
import { startCounting } from '../../../src/figures/reports/count-report.js';
import { fieldsOfTeams, type TeamFindings, type TeamsPlan } from '../../../src/figures/reports/team-rows.js';
import type { FiguresPlan } from '../../../src/figures/result.js';
import { ObjectReader } from '../../../src/reporting-api/answer/object-reader.js';
import { AnswerStream } from '../../../src/reporting-api/answer/read-answer.js';
import { RecordStream } from '../../../src/reporting-api/answer/record-stream.js';
import { SlotView } from '../../../src/reporting-api/answer/slot-view.js';
import { TeamParts } from '../../../src/reporting-api/answer/team-parts.js';
import type { TeamsRead } from '../../../src/runner/ports.js';
import { propertyRuns } from '../../property-runs.js';

const folder = mkdtempSync(join(tmpdir(), 'rollcall-teams-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const day = 86_400_000;
const now = Date.parse('2026-11-23T09:00:00Z');
const overdue: FiguresPlan = {
  report: 'assignments',
  view: 'overdue',
  people: false,
  now,
  smallestGroup: 1,
  zone: 'UTC',
};
let files = 0;

interface Row {
  readonly manager: string | readonly string[] | null;
  readonly person: string;
  readonly item: string;
  readonly daysOverdue: number;
}

function recordOf({ manager, person, item, daysOverdue }: Row) {
  return {
    manager_email: manager,
    email: `${person}@example.com`,
    userid: person,
    first_name: person.toUpperCase(),
    last_name: null,
    content_id: item,
    content_title: `Title ${item}`,
    assignment_id: `${person}-${item}`,
    assignment_status: daysOverdue > 0 ? 'not_started' : 'completed',
    assigned_date: '2026-01-01T00:00:00Z',
    due_date: new Date(now - daysOverdue * day).toISOString(),
    completed_date: daysOverdue > 0 ? null : '2026-01-02T00:00:00Z',
  };
}

type Found = Omit<TeamsRead, 'teams'> & { readonly teams: ReadonlyMap<string, TeamFindings> };

function findingsIn({ teams, ...read }: TeamsRead): Found {
  const bytes = readFileSync(read.path);
  const byAddress = teams.map(({ address, at, bytes: length, ...entry }) => {
    const findings: TeamFindings = JSON.parse(bytes.subarray(at, at + length).toString());
    expect(findings).toMatchObject(JSON.parse(JSON.stringify(entry)));
    return [address, findings] as const;
  });
  expect(new Set(byAddress.map(([address]) => address)).size).toBe(teams.length);
  return { ...read, teams: new Map(byAddress) };
}

/** Reads answers as the reading thread does. Some are cut short, and are read again. */
async function read(
  answers: readonly (readonly Row[])[],
  newRows?: TeamsPlan['newRows'],
  figures = overdue,
): Promise<Found> {
  const path = join(folder, `${files++}`);
  const teams = { path, figures, newRows };
  const stream = new AnswerStream({ fields: fieldsOfTeams(teams), teams }, startCounting);
  for (const rows of answers) {
    const bytes = Buffer.from(JSON.stringify(rows.map(recordOf)));
    await stream.beginAnswer();
    await stream.write(bytes.subarray(0, bytes.length - 1));
    await stream.rollBackAnswer();
    await stream.beginAnswer();
    for (let at = 0; at < bytes.length; at += 5000) await stream.write(bytes.subarray(at, at + 5000));
    await stream.endAnswer();
  }
  const result = await stream.finish();
  if (!result.teams) throw new Error('No teams were read');
  return findingsIn(result.teams);
}

const managers = ['m1@x.org', 'm2@x.org', 'M1@X.ORG ', 'm3@x.org'];
const people = ['p1', 'p2', 'p3', 'p4', 'p5'];
const anyRow = fc.record<Row>({
  manager: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...managers) },
    fc.constantFrom(null, '', 'm1@x.org, m2@x.org', ['m1@x.org', 'm2@x.org'], ['m2@x.org'], 'p1@example.com'),
  ),
  person: fc.constantFrom(...people),
  item: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
  daysOverdue: fc.integer({ min: -3, max: 40 }),
});

/** The same a second time, from objects. */
function naively(rows: readonly Row[]) {
  const teams = new Map<string, { people: Set<string>; overdue: Row[] }>();
  const strays = { withoutManager: 0, severalManagers: 0, ownManager: 0 };
  for (const row of rows) {
    const several = Array.isArray(row.manager) ? row.manager : [row.manager ?? ''];
    const manager = several.join(';').trim().toLowerCase();
    const isOverdue = row.daysOverdue > 0;
    if (manager === '') strays.withoutManager += Number(isOverdue);
    else if (manager.includes(',') || manager.includes(';')) strays.severalManagers += Number(isOverdue);
    else if (manager === `${row.person}@example.com`) strays.ownManager += Number(isOverdue);
    else {
      const team = teams.get(manager) ?? { people: new Set(), overdue: [] };
      teams.set(manager, team);
      team.people.add(row.person);
      if (isOverdue) team.overdue.push(row);
    }
  }
  return { teams, strays };
}

describe('the teams of an answer', () => {
  it('gives each manager the rows of their own people, and nobody any other', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyRow, { maxLength: 40 }), { minLength: 1, maxLength: 3 }),
        async (answers) => {
          const { teams, path: _path, ...strays } = await read(answers);
          const naive = naively(answers.flat());
          expect(strays).toEqual(naive.strays);
          expect([...teams.keys()].sort()).toEqual([...naive.teams.keys()].sort());
          for (const [manager, { people, overdue: rows }] of naive.teams) {
            const found = teams.get(manager);
            const concerned = new Set(rows.map(({ person }) => person));
            expect(found).toMatchObject({
              people: people.size,
              concerned: concerned.size,
              rows: rows.length,
            });
            expect(found?.figures[0]?.value).toEqual({ kind: 'count', count: rows.length });
            for (const { name, rows: many, items } of found?.listed ?? []) {
              const own = rows.filter(({ person }) => person.toUpperCase() === name);
              expect(many).toBe(own.length);
              const days = own.map(({ daysOverdue }) => daysOverdue).sort((a, b) => b - a);
              expect(items.map((item) => item.days)).toEqual(days.slice(0, 5));
              for (const { title, days } of items)
                expect(own).toContainEqual(
                  expect.objectContaining({ item: title.replace('Title ', ''), daysOverdue: days }),
                );
              expect(items.every(({ link, title }) => title === `Title ${link?.id}`)).toBe(true);
            }
            expect(found?.listed.map(({ name }) => name).sort()).toEqual(
              [...concerned].map((person) => person.toUpperCase()).sort(),
            );
          }
        },
      ),
      { numRuns: propertyRuns(60) },
    );
  });

  it('splits parts again where they have more teams than are counted at once', async () => {
    const teams = { path: join(folder, `${files++}`), figures: overdue };
    const fields = fieldsOfTeams(teams);
    const reader = ObjectReader.ofRecords(fields);
    const parts = new TeamParts(teams, fields, reader, new SlotView(reader), 3);
    const stream = new RecordStream(reader);
    const rows = Array.from({ length: 3000 }, (_, n) => ({
      manager: `m${n % 1500}@x.org`,
      person: `p${n}`,
      item: 'a',
      daysOverdue: n + 1,
    }));
    const bytes = Buffer.from(JSON.stringify(rows.map(recordOf)));
    for (let at = 0; at < bytes.length; at += 50_000) {
      stream.append(bytes.subarray(at, at + 50_000));
      while (stream.next()) parts.add(stream.recordStart, stream.recordEnd);
    }
    const found = findingsIn(await parts.finish());
    expect(found.teams.size).toBe(1500);
    expect([...found.teams.values()].every(({ people, rows }) => people === 2 && rows === 2)).toBe(true);
  });

  it('keeps ten people of a large team, the most overdue first, and counts all', async () => {
    const rows = Array.from({ length: 3000 }, (_, n) => ({
      manager: 'boss@x.org',
      person: `p${n % 1000}`,
      item: `i${n}`,
      daysOverdue: (n % 1000) + 1,
    }));
    const { teams, path } = await read([rows]);
    const found = teams.get('boss@x.org');
    expect(found).toMatchObject({ people: 1000, concerned: 1000, rows: 3000 });
    expect(found?.listed.map(({ name }) => name)).toEqual(
      Array.from({ length: 10 }, (_, n) => `P${999 - n}`),
    );
    expect(found?.listed.every(({ rows, items }) => rows === 3 && items.length === 3)).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['fractions', 'm2@x.org', [0, 1, 1, 0], 0.5, 200, 2],
    ['percent', 'm3@x.org', [0.4, 0.4, 0, 0], 80, 0.8, 4],
  ])(
    'reads progress as %s in each team where the whole answer does',
    async (_, manager, own, elsewhere, sum, stalled) => {
      const teams: TeamsPlan = {
        path: join(folder, `${files++}`),
        figures: { ...overdue, report: 'tracks', view: undefined },
      };
      const fields = fieldsOfTeams(teams);
      const stream = new AnswerStream({ fields, teams }, startCounting);
      const rows = [...own.map((progress) => [manager, progress] as const), ['m1@x.org', elsewhere] as const];
      const records = rows.map(([manager_email, track_progress], n) => ({
        manager_email,
        track_progress,
        userid: `u${n}`,
        track_status: 'in_progress',
      }));
      await stream.beginAnswer();
      await stream.write(Buffer.from(JSON.stringify(records)));
      await stream.endAnswer();
      const found = (await stream.finish()).teams;
      const figures = found && findingsIn(found).teams.get(manager)?.figures;
      expect(figures?.find(({ id }) => id === 'average-progress')?.value).toMatchObject({ sum, over: 4 });
      expect(figures?.find(({ id }) => id === 'stalled')?.value).toEqual({ kind: 'count', count: stalled });
    },
  );

  it('leaves no file but the one with the findings', async () => {
    const before = readdirSync(folder).length;
    await read([[{ manager: 'm1@x.org', person: 'p1', item: 'a', daysOverdue: 2 }]]);
    expect(readdirSync(folder)).toHaveLength(before + 1);
  });

  it('knows the rows of each manager’s last run', async () => {
    const key = hashKeyOf('000102030405060708090a0b0c0d0e0f');
    const row = (manager: string, person: string, item: string): Row => ({
      manager,
      person,
      item,
      daysOverdue: 3,
    });
    const first = await read([[row('m1@x.org', 'p1', 'a')]], { key, known: new Map() });
    expect(first.teams.get('m1@x.org')).toMatchObject({ isBaseline: true, rows: 1 });
    const known = new Map(
      [...first.teams].map(([address, { knownRows = '' }]) => [
        address,
        new Uint8Array(Buffer.from(knownRows, 'base64')),
      ]),
    );
    const later = [row('m1@x.org', 'p1', 'a'), row('m1@x.org', 'p2', 'a'), row('m2@x.org', 'p3', 'a')];
    const { teams } = await read([later], { key, known });
    expect(teams.get('m1@x.org')).toMatchObject({
      people: 2,
      concerned: 1,
      rows: 1,
      listed: [{ name: 'P2' }],
    });
    expect(teams.get('m1@x.org')).not.toHaveProperty('isBaseline');
    expect(teams.get('m2@x.org')).toMatchObject({ isBaseline: true });
  });
});
