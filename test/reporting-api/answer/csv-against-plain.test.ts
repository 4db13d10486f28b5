import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { Scanner } from '../../../src/reporting-api/answer/scanner.js';
import { propertyRuns } from '../../property-runs.js';
import { plainCsv } from './plain-csv.js';
import { PlainObject, parsePlainJson } from './plain-json.js';
import { anyAnswer, anyCuts, cutInto, flags } from './random-answers.js';
import { csvOf, field, tempFolder } from './read-bytes.js';

const folder = tempFolder();
afterAll(() => folder.remove());

const fields = flags.slice(0, 4).map(field);

function recordsIn(text: string): PlainObject[] {
  const value = parsePlainJson(text);
  if (!Array.isArray(value)) throw new Error('Not an array');
  return value.map((record) => {
    if (!(record instanceof PlainObject)) throw new Error('Not an object');
    return record;
  });
}

/** A record that shows a value in each field, so that the rows of all others are written as they are read. */
const first = '{"alpha":"a","beta":{"id":1,"name":"b"},"gamma":["c"],"delta":4},';

describe.each([
  { name: 'with compiled loops', newScanner: () => Scanner.create() },
  { name: 'without compiled loops', newScanner: () => Scanner.withoutLoops() },
])('the CSV of any answer, $name', ({ newScanner }) => {
  it('is what the plain writer makes of it, however its bytes were cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyAnswer,
        anyCuts,
        fc.boolean(),
        fc.boolean(),
        async (random, cuts, marked, settled) => {
          const answer = settled && /^\[\s*\{/.test(random) ? `[${first}${random.slice(1)}` : random;
          const bytes = Buffer.from(marked ? `\uFEFF${answer}` : answer);
          const plain = plainCsv(fields, recordsIn(bytes.toString('utf8').replace(/^\uFEFF/, '')));
          const pieces = cutInto(bytes, cuts);
          const { text, columns, read } = await csvOf(
            fields,
            pieces,
            folder.fresh(),
            undefined,
            newScanner(),
          );
          expect(text).toBe(Buffer.from(plain.text).toString());
          expect(columns).toEqual(plain.columns);
          expect(read.file?.bytes).toBe(Buffer.byteLength(text));
        },
      ),
      { numRuns: propertyRuns(1000) },
    );
    expect(folder.files()).toEqual([]);
  }, 120_000);
});
