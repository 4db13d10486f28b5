import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Field } from '../../../src/catalogue/index.js';
import { AnswerStream, type StartCounting } from '../../../src/reporting-api/answer/read-answer.js';
import { Scanner } from '../../../src/reporting-api/answer/scanner.js';
import type { FileColumn, ReadResult } from '../../../src/runner/ports.js';

/** A field without a report, for tests that need only its flag and label. */
export function field(flag: string): Field {
  return { flag, label: `The ${flag}`, group: 'Test', kind: 'text', personLevel: false };
}

/** The members of a CSV's plan without its path and columns. */
export const csvPlan = { format: 'csv', title: 'Rows', zone: 'UTC' } as const;

export const noFigures: StartCounting = () => {
  throw new Error('No figures were planned');
};

export interface TempFolder {
  path(name: string): string;
  /** A new path each time, so that a test that timed out does not disturb the next one. */
  fresh(): string;
  files(): string[];
  remove(): void;
}

/** A new folder, and a list of what is left in it. */
export function tempFolder(): TempFolder {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-answer-'));
  let given = 0;
  return {
    path: (name) => join(folder, name),
    fresh() {
      given += 1;
      return join(folder, `${given}.csv`);
    },
    files: () => readdirSync(folder),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

export interface ReadCsv {
  readonly read: ReadResult;
  readonly text: string;
  readonly columns: readonly FileColumn[];
}

/**
 * Reads an answer in these chunks into a CSV of these fields. The CSV is deleted afterwards.
 *
 * @param look called while the finished file exists
 * @param scanner with or without compiled loops
 */
export async function csvOf(
  fields: readonly Field[],
  chunks: readonly Buffer[],
  path: string,
  look: () => void = () => {},
  scanner: Scanner = Scanner.create(),
): Promise<ReadCsv> {
  const flags = fields.map(({ flag }) => flag);
  const plan = { fields: flags, file: { ...csvPlan, path, columns: fields } };
  const reading = new AnswerStream(plan, noFigures, scanner);
  try {
    await reading.beginAnswer();
    for (const chunk of chunks) await reading.write(chunk);
    await reading.endAnswer();
    const read = await reading.finish();
    look();
    return { read, text: readFileSync(path, 'utf8'), columns: read.file?.columns ?? [] };
  } finally {
    await reading.discard();
  }
}
