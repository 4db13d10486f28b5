import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { Failure } from '../../../src/errors/failure.js';
import { ObjectReader } from '../../../src/reporting-api/answer/object-reader.js';
import { maxRecordBytes, RecordStream } from '../../../src/reporting-api/answer/record-stream.js';
import { propertyRuns } from '../../property-runs.js';
import { plainCsv } from './plain-csv.js';
import { PlainObject, type PlainValue, parsePlainJson } from './plain-json.js';
import { anyAnswer, anyCuts, cutInto, flags } from './random-answers.js';
import { csvOf, field, tempFolder } from './read-bytes.js';

const folder = tempFolder();
afterAll(() => folder.remove());

const fields = flags.slice(0, 4).map(field);
const read = (bytes: Buffer, cuts: readonly number[] = [1_000_000]) =>
  csvOf(fields, cutInto(bytes, cuts), folder.fresh());

/** How many records a stream finds in the chunks, or why it refuses them. */
function streamed(chunks: readonly Buffer[], mostBytes?: number): unknown {
  const reader = ObjectReader.ofRecords(flags.slice(0, 4));
  const stream = new RecordStream(reader, mostBytes);
  const readAll = () => {
    while (stream.next());
  };
  try {
    for (const chunk of chunks) {
      stream.append(chunk);
      readAll();
    }
    stream.close();
    readAll();
    return stream.records;
  } catch (error) {
    return error;
  } finally {
    reader.scanner.release();
  }
}

/** The records of an answer that is to be accepted; undefined for one that is not. */
function acceptedRecords(bytes: Buffer): readonly PlainObject[] | undefined {
  let value: PlainValue;
  try {
    value = parsePlainJson(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
  if (value === null) return [];
  return Array.isArray(value) && value.every((record) => record instanceof PlainObject) ? value : undefined;
}

/** One change to bytes: a byte set, inserted or taken away somewhere. */
const anyChange = fc.tuple(
  fc.nat(),
  fc.constantFrom('set', 'insert', 'remove', 'swap'),
  fc.oneof(
    fc.constantFrom(...Buffer.from('{}[]",:\\u0-+.eEtfn \n\x00\x1f\xc3\x80\xff', 'latin1')),
    fc.nat(255),
  ),
);

const anyChanges = fc.array(anyChange, { minLength: 1, maxLength: 3 });

function changed(bytes: Buffer, [place, how, byte]: readonly [number, string, number]): Buffer {
  const at = place % (bytes.length + 1);
  const before = bytes.subarray(0, at);
  if (how === 'insert') return Buffer.concat([before, Buffer.from([byte]), bytes.subarray(at)]);
  if (how === 'remove') return Buffer.concat([before, bytes.subarray(at + 1)]);
  if (how === 'swap') return Buffer.concat([bytes.subarray(at), before]);
  return Buffer.concat([before, Buffer.from([byte]), bytes.subarray(at + 1)]);
}

describe('what is accepted as an answer', () => {
  it('is what JSON.parse accepts, where that is an array of objects or null', async () => {
    const accepted: { bytes: Buffer; records: readonly PlainObject[] }[] = [];
    fc.assert(
      fc.property(anyAnswer, anyChanges, anyCuts, (answer, changes, cuts) => {
        const bytes = changes.reduce(changed, Buffer.from(answer));
        const records = acceptedRecords(bytes);
        const found = streamed(cutInto(bytes, cuts));
        expect(found).toEqual(records ? records.length : expect.any(Failure));
        if (records) accepted.push({ bytes, records });
      }),
      { numRuns: propertyRuns(6000) },
    );
    expect(accepted.length).toBeGreaterThan(propertyRuns(500));
    for (const { bytes, records } of accepted.slice(0, propertyRuns(300))) {
      expect((await read(bytes)).text).toBe(Buffer.from(plainCsv(fields, records).text).toString());
    }
    expect(folder.files()).toEqual([]);
  }, 120_000);

  it('is never an answer that was cut short, wherever', async () => {
    const answer = Buffer.from(
      ' [ {"alpha":"é🙂\\u00e9\\n", "beta":-12.5e+3,"gamma":{"id":1,"name":null}} ,{"delta":[true,false,null,{"a":[]}]},{}]',
    );
    for (let length = 0; length < answer.length; length += 1) {
      await expect(read(answer.subarray(0, length)), `${length} bytes`).rejects.toMatchObject({
        code: 'answer-cut-short',
      });
    }
    expect((await read(answer)).read.records).toBe(3);
    expect(folder.files()).toEqual([]);
  });

  it.each([
    ['null', 0],
    ['\uFEFF null \n', 0],
    ['[]', 0],
    [' [ \n ] ', 0],
    ['\uFEFF[{}]', 1],
    ['[{"alpha":1},\r\n\t{"alpha":2}]\n', 2],
  ])('holds: %j', async (answer, records) => {
    for (const cuts of [[1], [2], [100]])
      expect((await read(Buffer.from(answer), cuts)).read.records).toBe(records);
  });

  it.each([
    ['<html>Bad gateway</html>', 'answer-not-json', { record: 0 }],
    ['\uFEFF\uFEFF[]', 'answer-not-json', { record: 0 }],
    [' \uFEFF[]', 'answer-not-json', { record: 0 }],
    ['nul!', 'answer-not-json', { record: 0 }],
    ['[{"alpha":tru}]', 'answer-not-json', { record: 1 }],
    ['[{},{"alpha":01}]', 'answer-not-json', { record: 2 }],
    ['[{"alpha":"a\nb"}]', 'answer-not-json', { record: 1 }],
    ['[{"alpha":"\\x41"}]', 'answer-not-json', { record: 1 }],
    ['[{"alpha":1,}]', 'answer-not-json', { record: 1 }],
    ['[{},]', 'answer-not-json', { record: 2 }],
    ['[,{}]', 'answer-not-json', { record: 1 }],
    ['[{} {}]', 'answer-not-json', { record: 2 }],
    ['[{}}', 'answer-not-json', { record: 2 }],
    ["[{'alpha':1}]", 'answer-not-json', { record: 1 }],
    ['[{"alpha":NaN}]', 'answer-not-json', { record: 1 }],
    ['{"error":"no such report"}', 'answer-not-an-array', {}],
    ['"busy"', 'answer-not-an-array', {}],
    ['true', 'answer-not-an-array', {}],
    ['42', 'answer-not-an-array', {}],
    ['[[1,2]]', 'record-not-an-object', { record: 1 }],
    ['[{},null]', 'record-not-an-object', { record: 2 }],
    ['[{},{},"x"]', 'record-not-an-object', { record: 3 }],
    ['', 'answer-cut-short', { records: 0 }],
    [' \n', 'answer-cut-short', { records: 0 }],
    ['[{},{}', 'answer-cut-short', { records: 2 }],
    ['nul', 'answer-cut-short', { records: 0 }],
    ['[{}][{}]', 'answer-goes-on', { records: 1 }],
    ['[] null', 'answer-goes-on', { records: 0 }],
    ['null,', 'answer-goes-on', { records: 0 }],
  ])('is not: %j', async (answer, code, details) => {
    for (const cuts of [[1], [3], [100]]) {
      const error = await read(Buffer.from(answer), cuts).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code, details });
    }
    expect(folder.files()).toEqual([]);
  });

  it('never quotes the answer in an error', async () => {
    await fc.assert(
      fc.asyncProperty(anyAnswer, anyChange, async (answer, change) => {
        const secret = answer.replaceAll(/\\u[0-9a-f]{4}/gi, 'secret').replaceAll('"alpha"', '"secret"');
        const error = await read(changed(Buffer.from(secret), change)).catch((caught: unknown) => caught);
        const words = error instanceof Error ? JSON.stringify([error, error.message]) : '';
        expect(words).not.toContain('secret');
      }),
      { numRuns: propertyRuns(300) },
    );
  }, 120_000);

  it('may be nested 512 deep, and no deeper', async () => {
    const nested = (levels: number) =>
      Buffer.from(`[{"alpha":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}]`);
    expect((await read(nested(512))).read.records).toBe(1);
    await expect(read(nested(513))).rejects.toMatchObject({
      code: 'record-too-big',
      details: { record: 1, limit: 'levels' },
    });
    await expect(read(Buffer.from(`[{"unasked":${'{"a":'.repeat(100_000)}`))).rejects.toMatchObject({
      code: 'record-too-big',
    });
  });

  it('may hold a record as long as the limit, and none longer, however it is cut', () => {
    const maximum = 10_000;
    const sized = (bytes: number) => Buffer.from(`[{},{"alpha":"${'x'.repeat(bytes - 12)}"}]`);
    for (const cuts of [[1], [700], [65_536]]) {
      expect(streamed(cutInto(sized(maximum), cuts), maximum)).toBe(2);
      expect(streamed(cutInto(sized(maximum + 1), cuts), maximum)).toMatchObject({
        code: 'record-too-big',
        details: { record: 2, limit: 'bytes', maximum },
      });
    }
    expect(maxRecordBytes).toBe(64 * 1024 * 1024);
  });
});
