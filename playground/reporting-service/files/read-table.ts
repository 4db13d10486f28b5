import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { CsvError, type Info, parse } from 'csv-parse';
import type { Turns } from '../turns.js';
import type { Problems } from './data-refused.js';
import { type Row, rowOf } from './row.js';
import { fileOf, type TableName, tables } from './tables.js';

interface Parsed {
  readonly record: readonly string[];
  readonly info: Info;
}

/** Hands over every row of a file that has as many cells as its header. What is wrong is added to the problems. */
export async function readTable(
  folder: string,
  table: TableName,
  problems: Problems,
  turns: Turns,
  take: (row: Row) => void,
): Promise<void> {
  const file = fileOf(table);
  const source = createReadStream(join(folder, file));
  const parser = parse({ bom: true, info: true, relax_column_count: true });
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  let header: readonly string[] | undefined;
  let line = 1;
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      const first = line;
      line = info.lines + 1;
      const say = (reason: string) => problems.add({ file, line: first, reason });
      if (!header) {
        header = record;
        if (!headerIsRight(header, tables[table], say)) break;
      } else if (record.length !== header.length) {
        say(`it has ${record.length} cells, the header ${header.length}`);
      } else {
        take(rowOf(header, record, first, say));
      }
      if (turns.due) await turns.take();
    }
    if (!header) problems.add({ file, reason: 'it is empty; it needs a header at least' });
  } catch (error) {
    const failed = failureOf(error);
    if (failed === undefined) throw error;
    problems.add({ file, ...(error instanceof CsvError ? { line } : {}), reason: failed });
  } finally {
    source.destroy();
    parser.destroy();
  }
}

function headerIsRight(
  header: readonly string[],
  wanted: readonly string[],
  say: (reason: string) => void,
): boolean {
  const missing = wanted.filter((column) => !header.includes(column));
  const unknown = header.filter((column) => !wanted.includes(column));
  const doubled = header.filter((column, index) => header.indexOf(column) !== index);
  if (missing.length > 0) say(`the header lacks ${missing.join(', ')}`);
  if (unknown.length > 0)
    say(`the header has unknown columns: ${unknown.map((name) => JSON.stringify(name)).join(', ')}`);
  if (doubled.length > 0) say(`the header has twice: ${doubled.join(', ')}`);
  return missing.length + unknown.length + doubled.length === 0;
}

function failureOf(error: unknown): string | undefined {
  if (error instanceof CsvError) return `it is not CSV: ${error.code.toLowerCase().replaceAll('_', ' ')}`;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'it is missing';
  if (code === 'EACCES' || code === 'EISDIR') return `it cannot be read (${code})`;
  return undefined;
}
