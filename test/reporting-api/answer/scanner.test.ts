import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { engagementRecord } from '../../../bench/answers/records.js';
import { CsvCells } from '../../../src/reporting-api/answer/csv-cells.js';
import { Incomplete } from '../../../src/reporting-api/answer/json.js';
import { ObjectReader } from '../../../src/reporting-api/answer/object-reader.js';
import { AnswerStream } from '../../../src/reporting-api/answer/read-answer.js';
import { Scanner } from '../../../src/reporting-api/answer/scanner.js';
import { propertyRuns } from '../../property-runs.js';
import { plainCsv } from './plain-csv.js';
import { type PlainObject, parsePlainJson } from './plain-json.js';
import { anyRecord, flags } from './random-answers.js';
import { csvOf, csvPlan, field, noFigures, tempFolder } from './read-bytes.js';

const folder = tempFolder();
afterAll(() => folder.remove());
afterEach(() => vi.restoreAllMocks());

const requested = flags.slice(0, 4);
const fields = requested.map(field);

const planFor = (path: string) => ({ fields: requested, file: { ...csvPlan, path, columns: fields } });

/** Puts a record into a scanner's input as a stream does: with a zero behind, and other bytes behind that. */
function place(scanner: Scanner, record: Buffer): Buffer {
  scanner.input.fill('"},{"alpha":7,', 0, record.length + 64);
  record.copy(scanner.input);
  scanner.input[record.length] = 0;
  return scanner.input;
}

/** Reads a record. Returns everything that is in the slots afterwards, or the error. */
function slotsOf(reader: ObjectReader, record: Buffer): unknown {
  try {
    const behind = reader.read(place(reader.scanner, record), 1, record.length);
    return behind === Incomplete ? 'incomplete' : { behind, slots: contentOf(reader) };
  } catch (error) {
    return error;
  }
}

function contentOf(reader: ObjectReader): unknown {
  const { names, kind, start, end, order, members, filled, filledCount, others, nested } = reader;
  const numbers = [...order.subarray(0, members)];
  return {
    names: numbers.map((number) => names.nameOf(number)),
    values: numbers.map((number) => [kind[number], start[number], end[number]]),
    filled: [...filled.subarray(0, filledCount)],
    others: [...others],
    present: kind.subarray(0, names.count + 1).filter((found) => found > 0).length,
    nested: nested.map((inside) => inside && contentOf(inside)),
  };
}

const spyOnPlainReader = () =>
  vi.spyOn(ObjectReader.prototype as unknown as { readMembers(): number }, 'readMembers');

/** Mostly a byte that means something in JSON. */
const anyByte = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...Buffer.from('{}[]",:\\u019-+.eEtfn \n')) },
  { weight: 1, arbitrary: fc.nat(127) },
);

/** A record with up to two bytes that were changed; all in ASCII, since a stream passes on only well-formed UTF-8. */
const anyBytes = fc
  .tuple(anyRecord, fc.array(fc.tuple(fc.nat(), anyByte), { maxLength: 2 }))
  .map(([record, changes]) => {
    const bytes = Buffer.from(record);
    for (const [place, byte] of changes) {
      const at = place % bytes.length;
      if ((bytes[at] as number) < 128) bytes[at] = byte;
    }
    return bytes;
  });

/** Numbers and words, right and nearly right. */
const anyScalar = fc
  .array(fc.constantFrom('0', '1', '90', '-', '+', '.', 'e', 'E', 'true', 'false', 'null', 'nul', ' '), {
    minLength: 1,
    maxLength: 5,
  })
  .map((parts) => Buffer.from(`{"alpha":${parts.join('')},"beta":[${parts.join('')}]}`));

describe('the compiled loops', () => {
  it('are what their source compiles to', () => {
    execFileSync(process.execPath, ['scripts/compile-scanner.js', '--check']);
  }, 60_000);

  it('read any record into the same slots as the plain reader, cut anywhere or damaged', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anyBytes, anyScalar), { minLength: 1, maxLength: 6 }),
        fc.nat(),
        (records, cut) => {
          const ours = ObjectReader.ofRecords(requested, Scanner.create());
          const plain = ObjectReader.ofRecords(requested, Scanner.withoutLoops());
          // Again, since the loops leave new names to the plain reader.
          for (const record of [...records, ...records]) {
            const part = record.subarray(0, 1 + (cut % record.length));
            expect(slotsOf(ours, part)).toEqual(slotsOf(plain, part));
            expect(slotsOf(ours, record)).toEqual(slotsOf(plain, record));
          }
          ours.scanner.release();
        },
      ),
      { numRuns: propertyRuns(2000) },
    );
  }, 120_000);

  it('find the ends of text and its quoting at any distance', async () => {
    const texts = [
      '',
      '"',
      '\\',
      ',',
      ';',
      '＝',
      '＠',
      '\n',
      '\u001f',
      'é',
      '🙂',
      '\ud83d',
      '=',
      '/',
      '\t',
    ].flatMap((mark) =>
      Array.from({ length: 40 }, (_, length) => `${'x'.repeat(length)}${mark}${'y'.repeat(length % 3)}`),
    );
    const records = texts.map((text) => ({
      alpha: text,
      beta: [text, text],
      gamma: { id: text },
      delta: text,
    }));
    const [first] = [{ alpha: 1, beta: ['b'], gamma: { id: 1 }, delta: 1 }];
    const answer = JSON.stringify([first, ...records]);
    await expectPlainCsv(answer);
    // As services write it that send nothing but ASCII.
    await expectPlainCsv(
      answer.replace(/[^\x20-\x7e]|[,;](?=y)|=/g, (found) =>
        Array.from({ length: found.length }, (_, at) => codeOf(found, at)).join(''),
      ),
    );
  });

  it('write objects inside objects, with blanks, escapes and too many members', async () => {
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, number) => [`m${number}`, number]));
    const objects = [
      '{}',
      '{ }',
      '{"a":1}',
      '{ "a b" : [ 1 , "c, d" ] ,\n"e":{"f":null}}',
      '{"a":"\\"quoted\\""}',
      '{"\\u0061":"\\ud83d\\ude42"}',
      `{"${'x'.repeat(15)}":"${'y'.repeat(31)}"}`,
    ];
    const values = [...objects, ...objects, '"text"', '[{"id":1}]', ...objects];
    const records = values.map((value) => `{"alpha":1,"beta":{"id":${value}},"gamma":2,"delta":3}`);
    const wide = `{"alpha":1,"beta":${JSON.stringify(many)},"gamma":2,"delta":3}`;
    await expectPlainCsv(`[${[...records, wide, ...records, wide, wide, ...records].join()}]`);
  });

  it('read and write all of an answer of the usual kind', async () => {
    const readPlainly = spyOnPlainReader();
    const writtenPlainly = vi.spyOn(CsvCells.prototype, 'writeSlot');
    const records = Array.from({ length: 1000 }, (_, seed) => engagementRecord(seed));
    const columns = Object.keys(records[0] ?? {}).map(field);
    await csvOf(columns, [Buffer.from(JSON.stringify(records))], folder.fresh());
    // The first records are held back, and show all names. A title that begins with an equals sign is not usual.
    expect(readPlainly.mock.calls.length).toBeLessThan(20);
    expect(writtenPlainly.mock.calls.length).toBeLessThan(1000 / 6 + 20 * columns.length);
  });

  it('leave records that are too long to the plain reader, and take up those behind', async () => {
    const readPlainly = spyOnPlainReader();
    const long = 'long, and "quoted" '.repeat(20_000);
    const records = Array.from({ length: 3000 }, (_, number) => ({
      alpha: number % 1000 === 500 ? long : `short ${number}`,
      beta: number,
      gamma: null,
      delta: { id: number },
    }));
    await expectPlainCsv(JSON.stringify([{ alpha: 1, beta: 2, gamma: 3, delta: { id: 4 } }, ...records]));
    expect(readPlainly.mock.calls.length).toBeLessThan(100);
  });

  it('leave objects to the plain reader that have no room in their memory', async () => {
    const many = Array.from({ length: 120 }, (_, number) => `f${number}`);
    const record = (value: number) =>
      Object.fromEntries(many.map((flag) => [flag, { id: value, at: [value] }]));
    await expectPlainCsv(JSON.stringify([record(1), record(2), { ...record(3), f119: 5 }]), many.map(field));
  });

  it('get a cleared memory for each reading, which an ended one cannot touch', async () => {
    const scanner = Scanner.create();
    const reading = new AnswerStream(planFor(folder.fresh()), noFigures, scanner);
    await reading.beginAnswer();
    await reading.write(Buffer.from('[{"alpha":1,"beta":{"a":"Ann"},"gamma":1,"delta":1},{"alpha":"Ann"}]'));
    await reading.endAnswer();
    await reading.finish();
    const next = Scanner.create();
    expect(next).toBe(scanner);
    const memory = Buffer.from(next.input.buffer);
    expect(memory.equals(Buffer.alloc(memory.length))).toBe(true);
    expect(() => reading.write(Buffer.from('[{"alpha":2}]'))).toThrow('ended');
    await reading.discard();
    expect(Scanner.create()).not.toBe(scanner);
  });

  it('are not needed', async () => {
    vi.stubGlobal('WebAssembly', undefined);
    // The first ones may be left from readings before.
    expect([1, 2, 3].map(() => Scanner.create()).at(-1)?.loops).toBeUndefined();
    vi.unstubAllGlobals();
    expect(Scanner.create().loops).toBeDefined();
  });
});

function codeOf(text: string, at: number): string {
  return `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
}

async function expectPlainCsv(answer: string, columns = fields): Promise<void> {
  const records = parsePlainJson(answer) as PlainObject[];
  const bytes = Buffer.from(answer);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, piece) =>
    bytes.subarray(piece * 65_536, (piece + 1) * 65_536),
  );
  const { text } = await csvOf(columns, pieces, folder.fresh());
  expect(text).toBe(Buffer.from(plainCsv(columns, records).text).toString());
}
