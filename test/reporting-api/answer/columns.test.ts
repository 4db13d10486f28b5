import { statSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { afterAll, describe, expect, it } from 'vitest';
import { plainCsv } from './plain-csv.js';
import { type PlainObject, parsePlainJson } from './plain-json.js';
import { cutInto } from './random-answers.js';
import { csvOf, field, tempFolder } from './read-bytes.js';

const folder = tempFolder();
afterAll(() => folder.remove());

const [content, score] = [field('content'), field('score')];

/** The CSV of records, checked against the plain one, as rows of cells. */
async function rowsOf(records: readonly object[], fields = [content, score]): Promise<string[][]> {
  const answer = JSON.stringify(records);
  const { text, columns } = await csvOf(fields, cutInto(Buffer.from(answer), [50_000]), folder.fresh());
  const plain = plainCsv(fields, parsePlainJson(answer) as PlainObject[]);
  expect(text === plain.text).toBe(true);
  expect(columns).toEqual(plain.columns);
  return parse(text, { bom: true });
}

/** What `rowsOf` gives for records too long for the look-ahead of the plain writer. */
async function headingsOf(answer: Buffer, pieces: readonly number[]): Promise<readonly string[]> {
  const { columns } = await csvOf([content, score], cutInto(answer, pieces), folder.fresh());
  return columns.map(({ heading }) => heading);
}

describe('the columns of a CSV', () => {
  it('hold the values by the rules', async () => {
    const answer = `[{"content":{"id":12345678901234567890,"title":"=1+1","tags":["a, b",{"id":1,"name":"Sales"},{"x":1.50}],
      "deep":{"a":[1, 2], "b":"\\u00e9\\u0022"},"none":null,"yes":true},"score":"-5"}]`;
    const { text } = await csvOf([content, score], [Buffer.from(answer)], folder.fresh());
    expect(text).toBe(
      '\uFEFFThe content: id,The content: title,The content: tags,The content: deep,The content: none,The content: yes,The score\r\n' +
        '12345678901234567890,\'=1+1,"a, b; Sales; {""x"":1.50}","{""a"":[1,2],""b"":""é\\""""}",,true,-5\r\n',
    );
  });

  it('are one per member of a nested object, in the place of its field', async () => {
    const rows = await rowsOf([
      { content: null, score: 1 },
      { score: 2, content: { id: 1, title: 'Fire safety' } },
      { content: '', score: 3 },
    ]);
    expect(rows).toEqual([
      ['The content: id', 'The content: title', 'The score'],
      ['', '', '1'],
      ['1', 'Fire safety', '2'],
      ['', '', '3'],
    ]);
  });

  it('go to the far right for members that turn up late, with empty cells above', async () => {
    const rows = await rowsOf([
      { content: { id: 1 }, score: 'a "b"\r\nc' },
      { content: { late: true, id: 2 }, score: 2 },
      { content: { later: [], late: 'x' } },
    ]);
    expect(rows).toEqual([
      ['The content: id', 'The score', 'The content: late', 'The content: later'],
      ['1', 'a "b"\r\nc', '', ''],
      ['2', '2', 'true', ''],
      ['', '', 'x', ''],
    ]);
  });

  it('lose nothing where a field is an object in one record and text in another', async () => {
    expect(await rowsOf([{ content: { id: 1 } }, { content: 'plain' }, { content: { id: 2 } }])).toEqual([
      ['The content: id', 'The score', 'The content'],
      ['1', '', ''],
      ['', '', 'plain'],
      ['2', '', ''],
    ]);
    expect(await rowsOf([{ content: 'plain', score: 1 }, { content: { id: 2 } }])).toEqual([
      ['The content', 'The score', 'The content: id'],
      ['plain', '1', ''],
      ['', '', '2'],
    ]);
  });

  it('are five hundred members at most, and one for the rest', async () => {
    const record = (from: number, count: number) => ({
      content: Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${from + i}`, from + i])),
    });
    const rows = await rowsOf([record(1, 300), record(200, 400), record(450, 100), record(1, 1)]);
    expect(rows[0]).toHaveLength(300 + 1 + 200 + 1);
    expect(rows[0]?.at(-1)).toBe('The content: other members');
    expect(JSON.parse(rows[2]?.at(-1) ?? '')).toEqual(record(501, 99).content);
    expect(rows[4]?.at(-1)).toBe('');
    expect((await rowsOf([record(1, 600)]))[0]?.slice(-3)).toEqual([
      'The content: m500',
      'The content: other members',
      'The score',
    ]);
  });

  it('are settled by the first thousand records', async () => {
    const empty = Array.from({ length: 999 }, () => ({ score: 1 }));
    const inTime = await rowsOf([...empty, { content: { id: 1 } }]);
    expect(inTime[0]).toEqual(['The content: id', 'The score']);
    const late = await rowsOf([...empty, {}, { content: { id: 1 } }]);
    expect(late[0]).toEqual(['The content', 'The score', 'The content: id']);
    expect(late.at(-1)).toEqual(['', '', '1']);
  });

  it('are settled by the first 256 KB of records, however they were cut', async () => {
    const filler = (bytes: number) => `{"score":"${'x'.repeat(bytes - 12)}"}`;
    const answer = (bytes: number) => Buffer.from(`[${filler(bytes)},\n  {"content":{"id":1},"score":2}]`);
    for (const pieces of [[1000], [65_536], [7, 100_000], [1_000_000]]) {
      expect(await headingsOf(answer(256 * 1024 - 1), pieces)).toEqual(['The content: id', 'The score']);
      expect(await headingsOf(answer(256 * 1024), pieces)).toEqual([
        'The content',
        'The score',
        'The content: id',
      ]);
    }
  });

  it('stand alone where there are no records', async () => {
    expect(await rowsOf([])).toEqual([['The content', 'The score']]);
    const { text } = await csvOf([content], [Buffer.from('null')], folder.fresh());
    expect(text).toBe('\uFEFFThe content\r\n');
  });

  it('make no empty line of a row whose only cell is empty', async () => {
    const { text } = await csvOf([score], [Buffer.from('[{"score":null},{},{"score":0}]')], folder.fresh());
    expect(text).toBe('\uFEFFThe score\r\n""\r\n""\r\n0\r\n');
  });

  it('keep quoted lines whole over the blocks of a long file that is padded', async () => {
    const records = Array.from({ length: 30_000 }, (_, number) => ({
      score: `line ${number}\r\n"quoted", and more`.repeat(1 + (number % 3)),
      content: number === 29_999 ? { id: 1 } : 'x',
    }));
    const rows = await rowsOf(records);
    expect(rows).toHaveLength(30_001);
    expect(rows.every((row) => row.length === 3)).toBe(true);
  });

  it('are in a file that only its owner may read', async () => {
    const modes: number[] = [];
    for (const answer of ['[]', '[{"score":1,"content":1},{"content":{"late":1}}]']) {
      const path = folder.path('mode.csv');
      await csvOf([content, score], [Buffer.from(answer)], path, () =>
        modes.push(statSync(path).mode & 0o777),
      );
    }
    expect(modes).toEqual([0o600, 0o600]);
  });
});
