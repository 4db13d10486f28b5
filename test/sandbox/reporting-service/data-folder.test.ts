import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DataRefused } from '../../../src/sandbox/reporting-service/files/data-refused.js';
import { ask, friday, startService } from './service.js';

let root: string;
let folder: string;
let count = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'rollcall-data-'));
  const service = await startService({ learners: 12, exportTo: join(root, 'good') });
  await service.stop();
});
afterAll(() => rm(root, { recursive: true, force: true }));

beforeEach(async () => {
  count += 1;
  folder = join(root, `case-${count}`);
  await cp(join(root, 'good'), folder, { recursive: true });
});

type Cells = Record<string, string>;

async function lines(file: string): Promise<string[]> {
  return (await readFile(join(folder, `${file}.csv`), 'utf8')).trimEnd().split('\n');
}

async function rows(file: string): Promise<Cells[]> {
  return parse(await readFile(join(folder, `${file}.csv`)), { columns: true });
}

async function write(file: string, all: readonly Cells[]): Promise<void> {
  await writeFile(join(folder, `${file}.csv`), stringify([...all], { header: true }));
}

/** Changes one cell of one row; the first row after the header is 1. */
async function change(file: string, row: number, column: string, value: string): Promise<void> {
  await write(
    file,
    (await rows(file)).map((cells, index) => (index === row - 1 ? { ...cells, [column]: value } : cells)),
  );
}

async function problems(): Promise<readonly string[]> {
  const refused = await startService({ data: folder }).then(
    async (service) => {
      await service.stop();
      return undefined;
    },
    (error: unknown) => error,
  );
  return refused instanceof DataRefused ? refused.lines : [`not refused: ${String(refused)}`];
}

describe('a data folder with something wrong in it', () => {
  it.each([
    ['units', 'member', 'department', 'member is "department": it takes departments, locations'],
    ['units', 'id', 'two words', 'id is "two words": it takes no blanks'],
    ['units', 'name', '', 'name is empty'],
    ['people', 'userid', '', 'userid is empty'],
    ['people', 'email', 'nobody', 'email is "nobody": it takes an address'],
    ['people', 'role', 'boss', 'role is "boss": it takes learner, manager'],
    ['people', 'first_name', '', 'first_name is empty'],
    ['contents', 'type', 'film', 'type is "film": it takes article'],
    ['contents', 'created_by', 'nobody', 'created_by is "nobody": there is no such person'],
    ['contents', 'created_at', 'yesterday', 'created_at is "yesterday": it takes an instant'],
    ['contents', 'archived', 'maybe', 'archived is "maybe": it takes true or false'],
    ['contents', 'minutes', '-3', 'minutes is "-3": it takes a whole number'],
    ['contents', 'pass_mark', '50', 'pass_mark is "50": an assessment has one'],
    ['parts', 'whole', 'nothing', 'whole is "nothing": there is no such content'],
    ['parts', 'position', '0', 'position is "0": it takes a whole number from 1'],
    [
      'instances',
      'ends_at',
      '2001-01-01T00:00:00Z',
      'ends_at is "2001-01-01T00:00:00Z": it lies before starts_at',
    ],
    ['instances', 'offered_seats', 'many', 'offered_seats is "many": it takes a whole number'],
    ['assignments', 'learner', '', 'learner is empty'],
    [
      'assignments',
      'due_at',
      '2026-13-01T00:00:00Z',
      'due_at is "2026-13-01T00:00:00Z": it takes an instant',
    ],
    ['events', 'kind', 'slept', 'kind is "slept": it takes signed_in'],
    ['events', 'at', '1999-01-01T00:00:00Z', "it lies before the learner's account was created"],
    ['events', 'at', '', 'at is empty'],
    ['events', 'learner', 'nobody', 'learner is "nobody": there is no such person'],
    ['events', 'amount', '7', 'an event of the kind signed_in has none'],
  ])('%s.csv: %s %j is listed with its line', async (file, column, value, expected) => {
    await change(file, 1, column, value);
    const found = await problems();
    expect(found.join('\n')).toContain(expected);
    expect(found[0]).toMatch(new RegExp(`^${file}\\.csv:2: `));
  });

  it('lists everything at once, in every file', async () => {
    await change('units', 2, 'member', 'x');
    await change('people', 3, 'role', 'x');
    await change('contents', 4, 'archived', 'x');
    await change('events', 5, 'kind', 'x');
    const found = await problems();
    for (const start of ['units.csv:3: ', 'people.csv:4: ', 'contents.csv:5: ', 'events.csv:6: ']) {
      expect(found.some((line) => line.startsWith(start))).toBe(true);
    }
  });

  it('lists the first hundred of very many', async () => {
    const all = await lines('events');
    await writeFile(
      join(folder, 'events.csv'),
      [all[0], ...all.slice(1).map((line) => `x${line}`)].join('\n'),
    );
    const found = await problems();
    expect(found).toHaveLength(101);
    expect(found.at(-1)).toMatch(/^and \d+ more$/);
  });

  it.each(['units', 'people', 'contents', 'parts', 'instances', 'assignments', 'events'])(
    'a missing %s.csv, an empty one, one with other columns, one that is not CSV',
    async (file) => {
      const path = join(folder, `${file}.csv`);
      const [header = ''] = await lines(file);
      await rm(path);
      expect(await problems()).toContain(`${file}.csv: it is missing`);
      await writeFile(path, '');
      expect(await problems()).toContain(`${file}.csv: it is empty; it needs a header at least`);
      await writeFile(path, `${header.replace(/^\w+/, 'surprise')}\n`);
      expect((await problems()).join('\n')).toMatch(new RegExp(`${file}.csv:1: the header lacks \\w+`));
      expect((await problems()).join('\n')).toContain('unknown columns: "surprise"');
      await writeFile(path, `${header}\n"never closed,`);
      expect((await problems()).join('\n')).toMatch(new RegExp(`${file}.csv:\\d+: it is not CSV`));
      await writeFile(path, `${header}\nonly,two\n`);
      expect((await problems()).join('\n')).toContain(`${file}.csv:2: it has 2 cells`);
    },
  );

  it.each(['units', 'people', 'contents', 'parts', 'instances', 'assignments'])(
    'two rows of %s.csv with one name',
    async (file) => {
      const all = await rows(file);
      await write(file, [...all, ...all.slice(-1)]);
      const line = (await lines(file)).length;
      expect((await problems()).join('\n')).toMatch(
        new RegExp(`${file}\\.csv:${line}: .*another row has the same`),
      );
    },
  );
});

describe('rows that are right but make no story', () => {
  /** Puts rows at the end of events.csv and returns the line of the first. */
  async function addEvents(...added: readonly Cells[]): Promise<number> {
    const all = await rows('events');
    await write('events', [...all, ...added]);
    return all.length + 2;
  }
  const at = '2026-11-20T08:00:00Z';

  async function some(file: string, pick: (row: Cells) => boolean = () => true): Promise<Cells> {
    const found = (await rows(file)).find(pick);
    if (!found) throw new Error(`${file}.csv has no such row`);
    return found;
  }

  it('an assignment that nobody gave', async () => {
    const all = await rows('assignments');
    await write('assignments', [...all, { ...(await some('assignments')), id: 'fresh' }]);
    expect(await problems()).toEqual([
      `assignments.csv:${all.length + 2}: no event of the kind assigned gives it to its learner`,
    ]);
  });

  it('what happens twice, or before what it follows from', async () => {
    const given = await some('events', ({ kind }) => kind === 'assigned');
    const enrolled = await some('events', ({ kind }) => kind === 'track_enrolled');
    const opened = await some('events', ({ kind }) => kind === 'assessment_enrolled');
    const early = { learner: opened.learner ?? '', content: opened.content ?? '', amount: '50' };
    const joined = await some('people', ({ id }) => id === opened.learner);
    const line = await addEvents(
      { ...given, at },
      { ...enrolled, at },
      { ...early, kind: 'assessment_graded', at: joined.created_at ?? '' },
    );
    expect([...(await problems())].sort()).toEqual([
      `events.csv:${line}: assigned happens only once`,
      `events.csv:${line + 1}: track_enrolled happens only once`,
      `events.csv:${line + 2}: it has no assessment_enrolled before it`,
    ]);
  });

  it('a seat that nobody has', async () => {
    const person = await some('people');
    const session = await some('instances');
    const about = { at, learner: person.id ?? '', instance: session.id ?? '' };
    const line = await addEvents({ ...about, kind: 'waitlist_left' }, { ...about, kind: 'attended' });
    const found = await problems();
    for (const each of [line, line + 1]) {
      expect(found.some((problem) => problem.startsWith(`events.csv:${each}: `))).toBe(true);
    }
  });

  it('an assignment of somebody else', async () => {
    const given = await some('events', ({ kind }) => kind === 'assigned');
    const other = await some('people', ({ id }) => id !== given.learner);
    const line = await addEvents({ ...given, kind: 'assignment_started', at, learner: other.id ?? '' });
    expect(await problems()).toEqual([
      `events.csv:${line}: assignment is "${given.assignment}": it is of another learner`,
    ]);
  });
});

describe("data of one's own", () => {
  it('is answered like any other, whatever is in its texts', async () => {
    const files: Record<string, string> = {
      units: 'member,id,name\ndepartments,D1,"Ünïts ""R&D"""\ngrades,g1,Ⅳ\n',
      people:
        '\uFEFFid,userid,email,first_name,last_name,job_title,address,image,role,region,language,departments,locations,teams,groups,grade,org_level,partner,distributor,manager,buddy,is_purchaser,hired_on,created_at,suspended_on,metadata\r\n' +
        'p1,1,Ada@Example.org,Ada,,"CTO, ""interim""\nand more",,,manager,,,"Ünïts ""R&D""",,,,Ⅳ,,,,p2,,TRUE,2020-02-29,2025-01-01T00:00:00+02:00,,"{""k"":[1,null]}"\r\n' +
        'p2,2,bo@example.org,Bo,Bø,,,,learner,,,,,,,,,,,,,false,,2025-01-01 00:00,,\r\n',
      contents:
        'id,type,title,created_by,created_at,archived,minutes,pass_mark,categories,departments,locations,teams,grades,org_levels,collaborators,metadata\nc1,video,"=1+1, ""x""",p1,2025-01-01T00:00:00Z,false,,,,,,,,,,\n',
      parts: 'whole,position,part\n',
      instances:
        'id,workshop,host,announced_at,starts_at,ends_at,canceled_at,closes_at,offered_seats,waitlist_seats\n',
      assignments: 'id,learner,content,assigner,due_at\na1,p1,c1,p2,\n',
      events:
        'at,kind,learner,content,track,journey,assignment,instance,amount,by\n2026-11-18T09:00:00Z,assigned,p1,,,,a1,,,\n2026-11-18T10:00:00Z,assignment_completed,p1,,,,a1,,,p2\n',
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, `${name}.csv`), text);
    const byIdentifier = await startService({ data: folder, filterBy: 'identifiers' });
    const found = await ask(byIdentifier, 'engagement', {
      body: { email: true, user_filter: { departments: 'D1' } },
    });
    await byIdentifier.stop();
    expect(found).toEqual([{ email: 'Ada@Example.org' }]);

    const service = await startService({ data: folder });
    try {
      const body = {
        job_title: true,
        departments: true,
        grade: true,
        manager_email: true,
        created_at: true,
        user_metadata: true,
      };
      expect(await ask(service, 'engagement', { body: { ...body, user_filter: { grades: 'ⅳ' } } })).toEqual([
        {
          job_title: 'CTO, "interim"\nand more',
          departments: ['Ünïts "R&D"'],
          grade: 'Ⅳ',
          manager_email: 'bo@example.org',
          created_at: '2024-12-31T22:00:00Z',
          user_metadata: { k: [1, null] },
        },
      ]);
      const asked = {
        content_title: true,
        due_date: true,
        assignment_status: true,
        manual_completed_by: true,
        assigner: true,
      };
      expect(await ask(service, 'assignments', { until: friday, body: asked })).toEqual([
        {
          content_title: '=1+1, "x"',
          due_date: null,
          assignment_status: 'completed',
          manual_completed_by: 'Bo Bø',
          assigner: 'Bo Bø',
        },
      ]);
    } finally {
      await service.stop();
    }
  });
});
