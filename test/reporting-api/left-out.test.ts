import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type LeftOutPeople, parseLeftOut } from '../../src/access/left-out.js';
import { fieldOf, hasLearners, reportNamed } from '../../src/catalogue/index.js';
import { fieldsToCount, startCounting } from '../../src/figures/reports/count-report.js';
import { AnswerStream } from '../../src/reporting-api/answer/read-answer.js';
import { leaveOut, watchLeftOut } from '../../src/reporting-api/left-out.js';
import type { Query, ReadPlan, ReadResult, ReportSource } from '../../src/runner/ports.js';
import { suggestionListsIn } from '../../src/runner/queries.js';
import { anyAnswer } from '../figures/random-answers.js';
import { propertyRuns } from '../property-runs.js';
import { csvPlan, tempFolder } from './answer/read-bytes.js';

const folder = tempFolder();
afterAll(() => folder.remove());

const options = { urgency: 'person', asker: 'U1', signal: new AbortController().signal } as const;

/** A source that reads these records from two answers, and drops a damaged one before each. */
function sourceOf(records: readonly object[], isDamaged = false) {
  const bodies: Query['body'][] = [];
  const source: ReportSource = {
    async read({ body }, plan) {
      bodies.push(body);
      const stream = new AnswerStream(plan, startCounting);
      try {
        const half = Math.ceil(records.length / 2);
        for (const window of [records.slice(0, half), records.slice(half)]) {
          const text = JSON.stringify(window);
          if (isDamaged) {
            await stream.beginAnswer();
            await stream.write(Buffer.from(text.slice(0, -1)));
            await expect(stream.endAnswer()).rejects.toThrow();
            await stream.rollBackAnswer();
          }
          await stream.beginAnswer();
          await stream.write(Buffer.from(text));
          await stream.endAnswer();
        }
        return await stream.finish();
      } catch (error) {
        await stream.discard();
        throw error;
      }
    },
  };
  return { source, bodies };
}

function listOf(...lines: readonly string[]): LeftOutPeople {
  const parsed = parseLeftOut(lines.join('\n'));
  if (!parsed.ok) throw new Error('The list is invalid');
  return parsed.value;
}

const noLeftOutPeople: LeftOutPeople = { lines: '', count: 0 };

const leaving = (source: ReportSource, people: LeftOutPeople, smallestGroup = 5) =>
  leaveOut(source, { current: () => people, smallestGroup, key: 'key' });

/** Without what says that people are left out, and with the text of the file. */
function readable({ leftOut: _leftOut, leavesOutPeople: _all, figures, file, ...read }: ReadResult) {
  const { leftOut: _said, ...numbers } = figures ?? {};
  return {
    ...read,
    figures: numbers,
    file: file && { ...file, path: '', text: readFileSync(file.path, 'utf8') },
  };
}

const plans = anyAnswer.filter(({ plan }) => hasLearners(reportNamed(plan.report)));
const ids = ['U1', 'u1', '17', 'x-2', 'Ä3'];
const addresses = ['ada@example.com', 'Bob@Example.COM', 'eve@example.com', 'ümit@example.com'];
const withPeople = (records: readonly object[]) =>
  fc
    .array(
      fc.record({
        userid: fc.constantFrom<unknown>(...ids, 17, ' U1 ', null, '', undefined),
        email: fc.constantFrom<unknown>(
          ...addresses,
          ' ADA@example.com ',
          'bob@example.com\u00a0',
          'ÜMIT@example.com',
          null,
          '',
          undefined,
        ),
      }),
      { minLength: records.length, maxLength: records.length },
    )
    .map((people) => records.map((record, index): object => ({ ...record, ...people[index] })));

describe('an answer without the people who are left out', () => {
  it('is that of a service that never had their rows, whatever is read of it', async () => {
    const case_ = plans.chain(({ plan, records }) =>
      fc.record({
        plan: fc.constant(plan),
        records: withPeople(records),
        listed: fc.subarray([...ids, ...addresses], { minLength: 1 }),
        isDamaged: fc.boolean(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(case_, async ({ plan: figures, records, listed, isDamaged }) => {
        const report = reportNamed(figures.report);
        const counted = Object.keys(Object.assign({}, ...records)).filter((flag) => fieldOf(report, flag));
        const fields = [
          ...new Set([...counted, ...fieldsToCount(figures), 'first_name', 'last_name', 'userid', 'email']),
        ];
        const columns = fields.flatMap((flag) => fieldOf(report, flag) ?? []);
        const planned = (): ReadPlan => ({
          fields,
          figures,
          rows: { columns: ['email'], limit: 3 },
          file: { ...csvPlan, path: folder.fresh(), columns },
          lists: suggestionListsIn(report, fields),
        });
        const query: Query = { operation: report.operation, addsUp: true, body: {} };
        const list = listOf(...listed);
        const isListed = ({ userid, email }: { userid?: unknown; email?: unknown }) =>
          listed.includes(String(userid ?? '').trim()) ||
          listed
            .map((entry) => entry.toLowerCase())
            .includes(
              String(email ?? '')
                .trim()
                .toLowerCase(),
            );
        const others = records.filter((record) => !isListed(record));
        const ours = leaving(sourceOf(records, isDamaged).source, list);
        const theirs = leaving(sourceOf(others).source, noLeftOutPeople);
        const [without, never] = [
          await ours.read(query, planned(), options),
          await theirs.read(query, planned(), options),
        ];
        expect(readable(without)).toEqual(readable(never));
        expect(without.figures?.leftOut).toMatchObject({ list: ours.list() });
      }),
      { numRuns: propertyRuns(300) },
    );
  }, 120_000);

  const [ada, bob] = [
    { userid: 7, email: 'ada@example.com' },
    { userid: '8', email: 'bob@example.com' },
  ];
  const engagement: Query = { operation: 'user-engagement', addsUp: false, body: { views: true } };
  const count = {
    fields: ['views'],
    figures: { report: 'engagement', people: true, smallestGroup: 1, zone: 'UTC', now: 0 },
  } as const;
  const planOf = (people: boolean): ReadPlan => ({
    ...count,
    fields: [...new Set([...count.fields, ...fieldsToCount({ ...count.figures, people })])],
    figures: { ...count.figures, people },
  });

  it('asks for the user ID and the address, and keeps both out of the file unless they are chosen', async () => {
    const { source, bodies } = sourceOf([ada, bob]);
    const views = fieldOf(reportNamed('engagement'), 'views');
    const path = folder.fresh();
    const file = { ...csvPlan, path, columns: views ? [views] : [] };
    await leaving(source, listOf('ada@example.com')).read(engagement, { fields: ['views'], file }, options);
    expect(bodies).toEqual([{ userid: true, email: true, views: true }]);
    expect(readFileSync(path, 'utf8').split('\r\n')).toHaveLength(3);
    await leaving(source, noLeftOutPeople).read(engagement, { fields: ['views'] }, options);
    expect(bodies[1]).toEqual({ views: true });
  });

  it('keeps the rows that somebody asks about themselves, and those alone', async () => {
    const { source } = sourceOf([ada, bob]);
    const list = listOf('7', 'bob@example.com');
    const own = await leaving(source, list).read(
      engagement,
      { fields: ['views'], own: 'ada@example.com' },
      options,
    );
    expect(own.records).toBe(1);
    expect((await leaving(source, list).read(engagement, { fields: ['views'] }, options)).records).toBe(0);
  });

  it('checks the rows of a team first: one of somebody else fails the answer, left out or not', async () => {
    const manager = 'noah@example.com';
    const { source } = sourceOf([
      { ...ada, manager_email: manager },
      { ...bob, manager_email: 'eve@example.com' },
    ]);
    const plan: ReadPlan = {
      fields: ['views', 'email', 'manager_email'],
      rowCheck: { rows: 'team', address: manager },
    };
    await expect(leaving(source, listOf('8')).read(engagement, plan, options)).rejects.toMatchObject({
      code: 'rows-outside-scope',
    });
  });

  it('leaves nobody out of workshops, which have no learners', async () => {
    const { source, bodies } = sourceOf([ada]);
    const query: Query = { operation: reportNamed('workshops').operation, addsUp: true, body: {} };
    expect((await leaving(source, listOf('7')).read(query, { fields: ['host_name'] }, options)).records).toBe(
      1,
    );
    expect(bodies).toEqual([{}]);
  });

  it('says how many only to those who may read everything, and only from the smallest group on', async () => {
    const rows = Array.from({ length: 6 }, (_, n) => [
      { userid: n, email: `p${n}@example.com` },
      // The same person, by either.
      { userid: n },
      { email: `P${n}@example.com` },
    ]).flat();
    const list = listOf(...[0, 1, 2, 3, 4].flatMap((n) => [String(n), `p${n}@example.com`]));
    const said = async (limit: number, plan: ReadPlan) =>
      (await leaving(sourceOf(rows).source, list, limit).read(engagement, plan, options)).figures?.leftOut
        ?.people;
    expect(await said(5, planOf(true))).toBe(5);
    expect(await said(6, planOf(true))).toBeUndefined();
    expect(await said(5, planOf(false))).toBeUndefined();
    expect(
      (
        await leaving(sourceOf([...rows, { userid: 99 }]).source, list).read(
          engagement,
          planOf(true),
          options,
        )
      ).records,
    ).toBe(4);
  });
});

describe('a list of people to leave out', () => {
  it('has one person a line, with notes and blank lines between', () => {
    const list = listOf(
      '\uFEFF# who objected',
      'Ada@Example.com ',
      '',
      '  u17',
      '\tADA@example.com\r',
      '#x@y',
    );
    expect(list).toEqual({ lines: 'ada@example.com\nu17', count: 2 });
    expect(parseLeftOut('\n# nobody\n')).toEqual({ ok: true, value: noLeftOutPeople });
  });

  it.each(['Ada Lovelace', 'ada@', '@x', 'a@b@c', 'ada@example.com, bob@example.com', 'a\u0000b'])(
    'names the line and not its text: %j',
    (line) => {
      const parsed = parseLeftOut(`ada@example.com\n${line}`);
      if (parsed.ok) throw new Error('It should be refused');
      expect(parsed.refusal).toEqual([{ line: 2, what: 'is neither an e-mail address nor a user ID' }]);
    },
  );
});

describe('the file of a list', () => {
  function watched(text: string | undefined) {
    const file = { text, version: 0 };
    const logged: string[] = [];
    const told: string[] = [];
    let look = () => {};
    const watch = watchLeftOut(
      { path: 'left-out.txt', people: listOf('ada@example.com') },
      {
        versionOf: async () => {
          if (file.text === undefined) throw new Error('ENOENT');
          return String(file.version);
        },
        async read() {
          if (file.text === undefined) throw new Error('ENOENT');
          return file.text;
        },
        every(callback) {
          look = callback;
          return () => {};
        },
        onUnusable: (why) => void told.push(why),
        log: {
          info: (_details, message) => void logged.push(message),
          error: (_details, message) => void logged.push(message),
        },
      },
    );
    const write = (changed: string | undefined) => {
      file.text = changed;
      file.version += 1;
    };
    const lookAgain = async () => {
      look();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { watch, write, lookAgain, logged, told };
  }

  it('holds when it has not changed between two looks, so a half-written one never does', async () => {
    const { watch, write, lookAgain } = watched('ada@example.com');
    await lookAgain();
    write('');
    await lookAgain();
    expect(watch.current().count).toBe(1);
    write('ada@example.com\nbob@example.com');
    await lookAgain();
    expect(watch.current().count).toBe(1);
    await lookAgain();
    expect(watch.current().count).toBe(2);
    write('');
    await lookAgain();
    await lookAgain();
    expect(watch.current()).toEqual(noLeftOutPeople);
  });

  it('is told once while it is unusable, and again after it was usable', async () => {
    const { write, lookAgain, told, logged } = watched('ada@example.com');
    for (const text of ['Ada Lovelace', undefined, 'Ada L', 'ada@example.com', 'Ada Lovelace']) {
      write(text);
      for (let looks = 0; looks < 3; looks += 1) await lookAgain();
    }
    expect(told).toEqual([logged[0], logged.at(-1)]);
    expect(told[0]).toMatch(/^LEFT_OUT names a file that is invalid: correct line 1, .*holds\.$/);
    expect(logged.length).toBeGreaterThan(2);
  });

  it.each([undefined, 'Ada Lovelace'])(
    'stays as it was while it is unusable, which is logged once: %j',
    async (text) => {
      const { watch, write, lookAgain, logged } = watched('ada@example.com');
      write(text);
      for (let looks = 0; looks < 4; looks += 1) await lookAgain();
      expect(watch.current().lines).toBe('ada@example.com');
      expect(logged).toHaveLength(1);
      expect(logged[0]).toMatch(/LEFT_OUT .* The list that was read last holds\.$/);
      expect(logged[0]).not.toContain('Lovelace');
      write('bob@example.com');
      await lookAgain();
      await lookAgain();
      expect(watch.current().lines).toBe('bob@example.com');
    },
  );
});
