import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
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

describe('the CSV of any answer', () => {
  it('is what the plain writer makes of it, however its bytes were cut', async () => {
    await fc.assert(
      fc.asyncProperty(anyAnswer, anyCuts, fc.boolean(), async (answer, cuts, marked) => {
        const bytes = Buffer.from(marked ? `\uFEFF${answer}` : answer);
        const plain = plainCsv(fields, recordsIn(bytes.toString('utf8').replace(/^\uFEFF/, '')));
        const { text, columns, read } = await csvOf(fields, cutInto(bytes, cuts), folder.fresh());
        expect(text).toBe(Buffer.from(plain.text).toString());
        expect(columns).toEqual(plain.columns);
        expect(read.file?.bytes).toBe(Buffer.byteLength(text));
      }),
      { numRuns: propertyRuns(1000) },
    );
    expect(folder.files()).toEqual([]);
  }, 120_000);
});
