import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RecordView } from '../../../src/figures/record-view.js';
import type { FiguresPlan, FiguresReader, FiguresResult } from '../../../src/figures/result.js';
import { AnswerStream } from '../../../src/reporting-api/answer/read-answer.js';
import { propertyRuns } from '../../property-runs.js';
import { csvPlan, field, type TempFolder, tempFolder } from './read-bytes.js';

let folder: TempFolder;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => folder.remove());

/** Counts records with a number, and ranks them by it. */
class ByNumber implements FiguresReader {
  lastRank = Number.NaN;
  add(record: RecordView): void {
    this.lastRank = record.number(0);
  }
  readonly lastOrder = Number.NaN;
  readonly lastDays = Number.NaN;
  isCounted(): boolean {
    return true;
  }
  addBeside(): void {}

  startPart(): ByNumber {
    return new ByNumber();
  }
  merge(): void {}
  finish(): FiguresResult {
    return {} as FiguresResult;
  }
}

interface Row {
  readonly rank?: number | null;
  readonly text: string;
  readonly more?: { readonly [member: string]: string };
}

async function written(answers: readonly (readonly Row[])[], dropLast = false): Promise<string> {
  const path = folder.fresh();
  const columns = ['rank', 'text', 'more'].map(field);
  const reading = new AnswerStream(
    {
      fields: columns.map(({ flag }) => flag),
      figures: {} as FiguresPlan,
      file: { ...csvPlan, path, columns, asCounted: true },
    },
    () => new ByNumber(),
  );
  for (const [index, rows] of answers.entries()) {
    await reading.beginAnswer();
    await reading.write(Buffer.from(JSON.stringify(rows)));
    if (dropLast && index === answers.length - 1) await reading.rollBackAnswer();
    else await reading.endAnswer();
  }
  const { file } = await reading.finish();
  const text = readFileSync(path, 'utf8');
  expect(file?.bytes).toBe(Buffer.byteLength(text));
  expect(folder.files().filter((name) => !/^\d+\.csv$/.test(name))).toEqual([]);
  return text;
}

const ranked = (rows: readonly Row[]) =>
  rows
    .filter((row) => typeof row.rank === 'number')
    .map((row, index) => ({ row, index }))
    .sort((a, b) => (a.row.rank ?? 0) - (b.row.rank ?? 0) || a.index - b.index)
    .map(({ row }) => row);

describe('rows as the figures count them', () => {
  it('leave out what is not counted, and go from the lowest rank on', async () => {
    const text = await written([
      [
        { rank: 3, text: 'three' },
        { text: 'not counted' },
        { rank: -1, text: 'first, "quoted"\r\nand long' },
        { rank: 3, text: 'three again' },
      ],
    ]);
    expect(text).toBe(
      '\ufeffThe rank,The text,The more\r\n-1,"first, ""quoted""\r\nand long",\r\n3,three,\r\n3,three again,\r\n',
    );
  });

  it('have empty cells where a member came later', async () => {
    const text = await written([
      [
        { rank: 2, text: 'b', more: { one: '1' } },
        { rank: 1, text: 'a', more: { one: '2', two: '3' } },
      ],
    ]);
    const lines = text.split('\r\n');
    expect(lines.slice(1, 3)).toEqual(['1,a,2,3', '2,b,1,']);
  });

  it('of a large file are in order too, however long they are', async () => {
    const many = 40_000;
    // Most rows are short, some longer than what one reading of the file brings.
    const rows = Array.from({ length: many }, (_, n) => ({
      rank: (n * 7919) % many,
      text: `${n} ${'x'.repeat(n % 5000 === 0 ? 700_000 : 500)}`,
    }));
    const lines = (await written([rows])).split('\r\n').slice(1, -1);
    const expected = [...rows].sort((a, b) => a.rank - b.rank);
    expect(lines.length).toBe(many);
    expect(lines.findIndex((line, i) => line !== `${expected[i]?.rank},${expected[i]?.text},`)).toBe(-1);
  }, 60_000);

  it('are the header alone where nothing is counted', async () => {
    expect(await written([[{ text: 'nothing' }]])).toBe('\ufeffThe rank,The text,The more\r\n');
    expect(await written([[]])).toBe('\ufeffThe rank,The text,The more\r\n');
  });

  it('are sorted over all answers that are joined, without one that was dropped', async () => {
    const anyRow = fc.record(
      { rank: fc.option(fc.integer({ min: -5, max: 5 })), text: fc.string({ maxLength: 20 }) },
      { requiredKeys: ['text'] },
    );
    const anyAnswers = fc.array(fc.array(anyRow, { maxLength: 40 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(anyAnswers, fc.boolean(), async (answers, dropLast) => {
        const kept = dropLast ? answers.slice(0, -1) : answers;
        const text = await written(answers, dropLast);
        const expected = await written([ranked(kept.flat())]);
        expect(text).toBe(expected);
      }),
      { numRuns: propertyRuns(60) },
    );
  }, 60_000);
});
