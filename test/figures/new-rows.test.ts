import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldOf, reportNamed } from '../../src/catalogue/index.js';
import { hashKeyOf } from '../../src/figures/keyed-hash.js';
import { withoutPeople } from '../../src/figures/known-rows.js';
import { fieldsToCount, startCounting } from '../../src/figures/reports/count-report.js';
import { fieldsOfNewRows, NewRows } from '../../src/figures/reports/new-rows.js';
import { fieldsOfRows, type RowsPlan } from '../../src/figures/reports/rows.js';
import type { FiguresPlan } from '../../src/figures/result.js';
import { AnswerStream } from '../../src/reporting-api/answer/read-answer.js';
import { plainRequest } from '../../src/requests/request.js';
import type { ReadPlan, ReadResult } from '../../src/runner/ports.js';
import { propertyRuns } from '../property-runs.js';
import { plainRecord } from '../reporting-api/answer/plain-record.js';
import { planFor } from './fixed-answers.js';
import { type NaivePeople, newRowsOf, withoutNaively } from './naive/new-rows.js';
import { Row } from './naive/row.js';
import { countedRows } from './naive/states.js';
import { anyAnswer } from './random-answers.js';

const key = hashKeyOf('000102030405060708090a0b0c0d0e0f');
const otherKey = hashKeyOf('ff0102030405060708090a0b0c0d0e0f');

/** The records of one answer to each query. Of a dropped one nothing stays. */
type Parts = readonly { readonly records: readonly object[]; readonly isDropped?: boolean }[];

function fieldsOf(plan: FiguresPlan, rows: RowsPlan): readonly string[] {
  return [...new Set([...fieldsOfNewRows(plan.report), ...fieldsOfRows(rows, plan), ...fieldsToCount(plan)])];
}

/** Reads answers as the reading thread does. */
async function read(reading: ReadPlan, parts: Parts): Promise<ReadResult> {
  const stream = new AnswerStream(reading, startCounting);
  try {
    for (const { records, isDropped } of parts) {
      await stream.beginAnswer();
      await stream.write(Buffer.from(JSON.stringify(records)));
      if (isDropped) await stream.rollBackAnswer();
      else await stream.endAnswer();
    }
    return await stream.finish();
  } finally {
    await stream.discard();
  }
}

const nothing = [null, '', undefined];
const userIds = fc.constantFrom<unknown>(
  'u1',
  'U1',
  ' u2 ',
  'u2',
  17,
  '17',
  'Ä3',
  'a1@example.com',
  ...nothing,
);
const addresses = fc.constantFrom<unknown>(
  'a1@example.com',
  ' A1@Example.COM ',
  'a2@example.com',
  'A2@example.com',
  'ümit@example.com',
  'ÜMIT@example.com',
  'a4@example.com',
  ...nothing,
);
const ids = fc.constantFrom<unknown>(1, '1', '2', ' 2 ', 'c', ...nothing);
const dates = fc.constantFrom<unknown>(
  '2026-11-01',
  '2026-11-01T00:00:00Z',
  '2026-11-01T01:00:00+01:00',
  '2026-11-01T00:00:00.700Z',
  1_793_491_200,
  1_793_491_200_000,
  '2026-11-02',
  'soon',
  ...nothing,
);

/** What tells rows apart, in few values and many forms, so that rows are often equal. */
function identityIn(report: FiguresPlan['report']): fc.Arbitrary<object> {
  const flags = fieldsOfNewRows(report).map((flag): [string, fc.Arbitrary<unknown>] => {
    if (flag === 'userid') return [flag, userIds];
    if (flag === 'email') return [flag, addresses];
    const isDate = fieldOf(reportNamed(report), flag)?.kind === 'date';
    return [flag, isDate ? dates : ids];
  });
  return fc.record(Object.fromEntries(flags));
}

interface Run {
  /** The records of the pool that come in this run, some of them twice. */
  readonly chosen: readonly number[];
  /** By place: what tells the record apart from now on. */
  readonly renamed: readonly { readonly at: number; readonly identity: object }[];
  /** Where the answer is split, and whether a damaged part comes before the second half. */
  readonly cut: number;
  readonly isDropped: boolean;
  /** People who are erased before the run. */
  readonly erased: readonly string[];
}

const withIdentity = anyAnswer.filter(({ plan }) => reportNamed(plan.report).rowIdentity !== undefined);

const series = withIdentity.chain(({ plan, records }) =>
  fc.record({
    plan: fc.constant(plan),
    pool: fc
      .array(identityIn(plan.report), { minLength: records.length, maxLength: records.length })
      .map((identities) => records.map((record, place): object => ({ ...record, ...identities[place] }))),
    limit: fc.integer({ min: 1, max: 8 }),
    runs: fc.array(
      fc.record<Run>({
        chosen: fc.array(fc.nat({ max: Math.max(0, records.length - 1) }), { maxLength: 40 }),
        renamed: fc.array(fc.record({ at: fc.nat({ max: 40 }), identity: identityIn(plan.report) }), {
          maxLength: 3,
        }),
        cut: fc.nat({ max: 40 }),
        isDropped: fc.boolean(),
        erased: fc.oneof(
          { weight: 3, arbitrary: fc.constant([]) },
          {
            weight: 1,
            arbitrary: fc.array(fc.constantFrom('u1', ' A1@EXAMPLE.com', '17', 'Ümit@example.com')),
          },
        ),
      }),
      { minLength: 2, maxLength: 5 },
    ),
  }),
);

/** A field that tells the records of a test apart, and decides nothing. */
const markOf = ({ report }: FiguresPlan) => (report === 'workshops' ? 'host_name' : 'address');

describe('the new rows of a series of answers', () => {
  it('are those of a naive computation over plain objects', async () => {
    await fc.assert(
      fc.asyncProperty(series, async ({ plan, pool, limit, runs }) => {
        const mark = markOf(plan);
        const rows = { columns: [mark], limit };
        const fields = fieldsOf(plan, rows);
        const records = [...pool];
        let known: Uint8Array | undefined;
        let naive: NaivePeople | undefined;
        for (const { chosen, renamed, cut, isDropped, erased } of runs) {
          for (const { at, identity } of renamed)
            if (records[at]) records[at] = { ...records[at], ...identity };
          if (known) known = withoutPeople(known, erased, key) ?? known;
          naive = naive && withoutNaively(naive, erased);
          const answer = chosen.flatMap((at, place): object[] =>
            records[at] ? [{ ...records[at], [mark]: `r${place}` }] : [],
          );
          const parts: Parts = [
            { records: answer.slice(0, cut) },
            ...(isDropped ? [{ records: answer.slice(cut), isDropped }] : []),
            { records: answer.slice(cut) },
          ];
          const reading: ReadPlan = { fields, figures: plan, rows, newRows: { known, key } };
          const result = await read(reading, parts);
          const all = await read({ fields, figures: plan, rows: { ...rows, limit: 100 } }, parts);

          const counted = countedRows(
            answer.map((record) => new Row(fields, record)),
            plan,
          );
          const expected = newRowsOf(plan.report, counted, naive);
          const byMark = new Map(counted.map((row, i) => [row.text(mark), expected.rows[i]]));
          const marks = (all.rows?.listed ?? []).map(({ cells }) => cells.at(-1)?.text);
          const listed = marks.filter((text, place) => {
            const row = byMark.get(text);
            if (!naive) return true;
            const isFirst = marks.findIndex((other) => byMark.get(other)?.same === row?.same) === place;
            return row?.isNew && isFirst;
          });
          const count = new Set(expected.rows.flatMap(({ same, isNew }) => (isNew ? [same] : []))).size;
          expect(result.newRows?.count).toBe(naive && count);
          expect(result.rows?.total).toBe(naive ? count : counted.length);
          expect(result.rows?.listed.map(({ cells }) => cells.at(-1)?.text)).toEqual(listed.slice(0, limit));
          expect(result.figures).toEqual(all.figures);
          known = result.newRows?.rows;
          naive = expected.people;
        }
      }),
      { numRuns: propertyRuns(600) },
    );
  }, 120_000);

  it('do not depend on the order of the rows, and neither does what is stored', async () => {
    const shuffled = withIdentity.chain(({ plan }) =>
      fc.array(identityIn(plan.report), { maxLength: 30 }).chain((records) =>
        fc.record({
          plan: fc.constant({ ...plan, view: undefined, states: undefined }),
          records: fc.constant(records),
          inOrder: fc.shuffledSubarray(records, { minLength: records.length, maxLength: records.length }),
          cut: fc.nat({ max: 30 }),
        }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, async ({ plan, records, inOrder, cut }) => {
        const rows = { columns: [], limit: 1 };
        const reading = { fields: fieldsOf(plan, rows), figures: plan, newRows: { key } };
        const one = await read(reading, [{ records }]);
        const parts = [{ records: inOrder.slice(0, cut) }, { records: inOrder.slice(cut) }];
        const other = await read(reading, parts);
        expect(other.newRows).toEqual(one.newRows);
        const again = { ...reading, newRows: { key, known: one.newRows?.rows } };
        expect((await read(again, parts)).newRows?.count).toBe(0);
      }),
      { numRuns: propertyRuns(400) },
    );
  });
});

const plan = planFor(plainRequest('assignments'));
const identity = { fields: fieldsOf(plan, { columns: ['content_title'], limit: 10 }), figures: plan };
const rows = { columns: ['content_title'], limit: 10 };

async function knownAfter(records: readonly object[]): Promise<Uint8Array | undefined> {
  return (await read({ ...identity, newRows: { key } }, [{ records }])).newRows?.rows;
}

async function newAmong(records: readonly object[], known: Uint8Array | undefined) {
  const { newRows, rows: listed } = await read({ ...identity, rows, newRows: { key, known } }, [{ records }]);
  return { count: newRows?.count, titles: listed?.listed.map(({ cells }) => cells[0]?.text) };
}

describe('a new row', () => {
  const ada = { userid: 'u1', email: 'ada@example.com', content_id: 'c1', content_title: 'Fire safety' };
  const assigned = { ...ada, assignment_id: 'a1' };

  it('is an assignment that was renewed', async () => {
    const renewed = { ...assigned, assignment_id: 'a2' };
    expect(await newAmong([assigned, renewed], await knownAfter([assigned]))).toEqual({
      count: 1,
      titles: ['Fire safety'],
    });
  });

  it('is none where only the name, the status or the date of completion changed', async () => {
    const changed = {
      ...assigned,
      first_name: 'Ada',
      assignment_status: 'completed',
      completed_date: '2026-11-19',
    };
    expect(await newAmong([changed], await knownAfter([assigned]))).toEqual({ count: 0, titles: [] });
  });

  it('is none for a person with another user ID or another address, and one with neither of both', async () => {
    const known = await knownAfter([assigned]);
    const renamed = [
      { ...assigned, userid: 'u2' },
      { ...assigned, email: 'lovelace@example.com' },
      { ...assigned, userid: null, email: ' ADA@Example.com' },
    ];
    for (const record of renamed) expect((await newAmong([record], known)).count).toBe(0);
    const stranger = { ...assigned, userid: 'u2', email: 'lovelace@example.com' };
    expect((await newAmong([stranger], known)).count).toBe(1);
  });

  it('is none of a person whose known address only a later row tells', async () => {
    const known = await knownAfter([{ ...assigned, userid: null }]);
    const records = [
      { ...assigned, email: null },
      { ...assigned, content_id: 'c2', content_title: 'First aid' },
    ];
    expect(await newAmong(records, known)).toEqual({ count: 1, titles: ['First aid'] });
  });

  it('is none once it has a date, if it had none before', async () => {
    const tracks = planFor(plainRequest('tracks'));
    const fields = fieldsOf(tracks, { columns: [], limit: 1 });
    const count = async (records: readonly object[], known?: Uint8Array) =>
      (await read({ fields, figures: tracks, newRows: { key, known } }, [{ records }])).newRows;
    const open = { userid: 'u1', track_id: 't1' };
    const [first, second] = ['2025-03-01', '2026-03-01'].map((day) => ({
      ...open,
      track_completed_date: day,
    }));
    if (!first || !second) throw new Error('There are two');
    const afterOpen = (await count([open]))?.rows;
    const afterFirst = (await count([first]))?.rows;
    expect((await count([first], afterOpen))?.count).toBe(0);
    expect((await count([second], afterFirst))?.count).toBe(1);
    expect((await count([open], afterFirst))?.count).toBe(1);
  });

  it('is none that turns out at the end not to be counted, and the next run does not know it', async () => {
    const stalled = planFor({ ...plainRequest('tracks'), states: ['stalled'] });
    const columns = ['track_title'];
    const fields = fieldsOf(stalled, { columns, limit: 10 });
    const track = (id: string, track_progress: number) =>
      ({ userid: 'u1', track_id: id, track_title: id, track_status: 'in_progress', track_progress }) as const;
    // 0.7 is under 50 % only if progress comes in percent, which the last record says.
    const inPercent = [track('Safety', 0.7), track('First aid', 64)];
    const asFractions = [track('Safety', 0.7), track('Ethics', 0.2)];
    const run = async (records: readonly object[], known?: Uint8Array) => {
      const reading = { fields, figures: stalled, rows: { columns, limit: 10 }, newRows: { key, known } };
      const { newRows, rows: listed } = await read(reading, [{ records }]);
      return { ...newRows, titles: listed?.listed.map(({ cells }) => cells[0]?.text) };
    };
    const first = await run(asFractions);
    expect(first.titles).toEqual(['Ethics']);
    expect(await run(inPercent, first.rows)).toMatchObject({ count: 1, titles: ['Safety'] });
    const second = await run(asFractions, (await run(inPercent)).rows);
    expect(second).toMatchObject({ count: 1, titles: ['Ethics'] });
    expect((await run(inPercent, second.rows)).count).toBe(1);
  });

  it('is each one of a person who was erased, by the user ID or by the address in any case', async () => {
    const bob = { ...assigned, userid: 'u2', email: 'bob@example.com' };
    const known = await knownAfter([assigned, bob]);
    if (!known) throw new Error('Nothing is known');
    for (const text of ['u1', ' Ada@EXAMPLE.com ']) {
      const without = withoutPeople(known, [text], key);
      expect((await newAmong([assigned, bob], without)).count).toBe(1);
      expect((await newAmong([bob], without)).count).toBe(0);
      // Nothing of the person is left: without them, the same is stored.
      expect(without).toEqual(await knownAfter([bob]));
    }
    expect(withoutPeople(known, ['u3', 'eve@example.com'], key)).toBeUndefined();
    expect(withoutPeople(known, ['u1'], otherKey)).toBeUndefined();
  });

  it('is each one where the known ones have another key, or cannot be read', async () => {
    const records = [assigned];
    const known = await knownAfter(records);
    const other = await read({ ...identity, newRows: { key: otherKey, known } }, [{ records }]);
    expect(other.newRows?.count).toBe(1);
    const ofAnotherVersion = deflateRawSync(Int32Array.of(2, 0, 0, 0));
    const tooShort = deflateRawSync(Int32Array.of(1, 0, 0, 1));
    const text = Buffer.from('not the rows of a run');
    for (const damaged of [known?.slice(0, -4), known?.slice(0, 3), ofAnotherVersion, tooShort, text]) {
      expect((await newAmong(records, damaged)).count).toBeUndefined();
      if (damaged) expect(withoutPeople(damaged, ['u1'], key)).toBeUndefined();
    }
  });
});

describe('rows that cannot be compared', () => {
  it('are more than 1,000,000, also in several parts', async () => {
    const fields = fieldsOfNewRows('workshops');
    const record = plainRecord(fields, { workshop_instance_id: 's1' });
    const counted = { lastRank: 1 };
    const first = new NewRows('workshops', key, undefined, fields);
    for (let n = 0; n < 600_000; n++) first.add(record, counted);
    const second = first.startPart();
    for (let n = 0; n < 400_000; n++) second.add(record, counted);
    const tooMany = { code: 'too-many-rows-to-compare', details: { maximum: 1_000_000 } };
    expect(() => second.add(record, counted)).toThrow(expect.objectContaining(tooMany));
    first.merge(second);
    expect(() => first.add(record, counted)).toThrow(expect.objectContaining(tooMany));
  });

  it('end the reading, which another answer can follow', async () => {
    const workshops = planFor(plainRequest('workshops'));
    const fields = fieldsOf(workshops, { columns: [], limit: 1 });
    const stream = new AnswerStream({ fields, figures: workshops, newRows: { key } }, startCounting);
    const thousand = Buffer.from('{"workshop_instance_id":"s1"},'.repeat(1000));
    try {
      await stream.beginAnswer();
      await stream.write(Buffer.from('['));
      for (let n = 0; n < 1000; n++) await stream.write(thousand);
      expect(stream.records).toBe(1_000_000);
      const oneMore = async () => stream.write(Buffer.from('{}]'));
      await expect(oneMore()).rejects.toMatchObject({ code: 'too-many-rows-to-compare' });
      await stream.rollBackAnswer();
      await stream.beginAnswer();
      await stream.write(Buffer.from('[{"workshop_instance_id":"s1"}]'));
      await stream.endAnswer();
      expect((await stream.finish()).records).toBe(1);
    } finally {
      await stream.discard();
    }
  });

  it('are those of a report without an identity', () => {
    for (const report of ['engagement', 'completions'] as const)
      expect(() => fieldsOfNewRows(report)).toThrow('cannot be known again');
  });
});
