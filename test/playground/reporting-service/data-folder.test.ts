import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Cells, type DataFiles, dataFiles } from './data-files.js';
import { ask, friday, startService } from './service.js';

let files: DataFiles;
beforeAll(async () => {
  files = await dataFiles();
});
afterAll(() => files.remove());
beforeEach(() => files.restore());

describe('valid rows that contradict each other', () => {
  /** Appends rows to events.csv. Returns the line number of the first. */
  async function addEvents(...added: readonly Cells[]): Promise<number> {
    const all = await files.rows('events');
    await files.write('events', [...all, ...added]);
    return all.length + 2;
  }
  const at = '2026-11-20T08:00:00Z';

  async function some(file: string, pick: (row: Cells) => boolean = () => true): Promise<Cells> {
    const found = (await files.rows(file)).find(pick);
    if (!found) throw new Error(`${file}.csv has no such row`);
    return found;
  }

  it('an assignment without an assigned event', async () => {
    const all = await files.rows('assignments');
    await files.write('assignments', [...all, { ...(await some('assignments')), id: 'fresh' }]);
    expect(await files.problems()).toEqual([
      `assignments.csv:${all.length + 2}: no event of the kind assigned gives it to its learner`,
    ]);
  });

  it('events that are repeated or in the wrong order', async () => {
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
    expect([...(await files.problems())].sort()).toEqual([
      `events.csv:${line}: assigned happens only once`,
      `events.csv:${line + 1}: track_enrolled happens only once`,
      `events.csv:${line + 2}: it has no assessment_enrolled before it`,
    ]);
  });

  it('attendance without a seat', async () => {
    const person = await some('people');
    const session = await some('instances');
    const about = { at, learner: person.id ?? '', instance: session.id ?? '' };
    const line = await addEvents({ ...about, kind: 'waitlist_left' }, { ...about, kind: 'attended' });
    const found = await files.problems();
    for (const each of [line, line + 1]) {
      expect(found.some((problem) => problem.startsWith(`events.csv:${each}: `))).toBe(true);
    }
  });

  it('an event with the assignment of another learner', async () => {
    const given = await some('events', ({ kind }) => kind === 'assigned');
    const other = await some('people', ({ id }) => id !== given.learner);
    const line = await addEvents({ ...given, kind: 'assignment_started', at, learner: other.id ?? '' });
    expect(await files.problems()).toEqual([
      `events.csv:${line}: assignment is "${given.assignment}": it is of another learner`,
    ]);
  });
});

describe('data from files', () => {
  it('is served with any text in it', async () => {
    const texts: Record<string, string> = {
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
    for (const [name, text] of Object.entries(texts)) await writeFile(files.pathOf(name), text);
    const byIdentifier = await startService({ data: files.folder, filterBy: 'identifiers' });
    const found = await ask(byIdentifier, 'engagement', {
      body: { email: true, user_filter: { departments: 'D1' } },
    });
    await byIdentifier.stop();
    expect(found).toEqual([{ email: 'Ada@Example.org' }]);

    const service = await startService({ data: files.folder });
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
