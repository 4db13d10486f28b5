import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { CsvError, type Info, parse } from 'csv-parse';
import type { EventLoopYield } from '../event-loop.js';
import { fold } from '../world/schema.js';
import { fileOf, type Problems, type TableName, tables } from './tables.js';

interface Parsed {
  readonly record: readonly string[];
  readonly info: Info;
}

/** Calls `onRow` for every row with the right number of cells. Adds problems for the others. */
export async function readTable(
  folder: string,
  table: TableName,
  problems: Problems,
  eventLoop: EventLoopYield,
  onRow: (row: Row) => void,
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
      const report = (reason: string) => problems.add({ file, line: first, reason });
      if (!header) {
        header = record;
        if (!headerIsRight(header, tables[table], report)) break;
      } else if (record.length !== header.length) {
        report(`it has ${record.length} cells, the header ${header.length}`);
      } else {
        onRow(rowOf(header, record, first, report));
      }
      if (eventLoop.isDue) await eventLoop.yield();
    }
    if (!header) problems.add({ file, reason: 'it is empty; it needs a header' });
  } catch (error) {
    const failed = failureOf(error);
    if (failed === undefined) throw error;
    problems.add({ file, line: error instanceof CsvError ? line : undefined, reason: failed });
  } finally {
    source.destroy();
    parser.destroy();
  }
}

function headerIsRight(
  header: readonly string[],
  wanted: readonly string[],
  report: (reason: string) => void,
): boolean {
  const missing = wanted.filter((column) => !header.includes(column));
  const unknown = header.filter((column) => !wanted.includes(column));
  const doubled = header.filter((column, index) => header.indexOf(column) !== index);
  if (missing.length > 0) report(`the header lacks ${missing.join(', ')}`);
  if (unknown.length > 0)
    report(`the header has unknown columns: ${unknown.map((name) => JSON.stringify(name)).join(', ')}`);
  if (doubled.length > 0) report(`the header has twice: ${doubled.join(', ')}`);
  return missing.length + unknown.length + doubled.length === 0;
}

function failureOf(error: unknown): string | undefined {
  if (error instanceof CsvError) return `it is not CSV: ${error.code.toLowerCase().replaceAll('_', ' ')}`;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'it is missing';
  if (code === 'EACCES' || code === 'EISDIR') return `it cannot be read (${code})`;
  return undefined;
}

/**
 * A row of a file, read cell by cell. A method that finds an invalid cell adds a problem and returns a default: rows
 * are only used if there are no problems.
 */
export interface Row {
  readonly line: number;
  /** The cell; null if it is empty. */
  text(column: string): string | null;
  /** The cell, which must not be empty. */
  required(column: string): string;
  /** An ID that other rows and filters use: no spaces, commas or semicolons. */
  identifier(column: string): string;
  oneOf<T extends string>(column: string, choices: readonly T[]): T;
  yesNo(column: string): boolean;
  whole(column: string, low: number, high: number): number | null;
  /** Epoch seconds of an ISO 8601 instant. Without an offset, it is in UTC. */
  instant(column: string): number | null;
  requiredInstant(column: string): number;
  /** `2026-11-20`. */
  day(column: string): string | null;
  /** The text of a JSON object; `{}` if the cell is empty. */
  object(column: string): string;
  /** Entries separated by semicolons. */
  list(column: string): readonly string[];
  /** The row that a name or ID refers to; null if the cell is empty. */
  find<T>(column: string, among: (name: string) => T | undefined, kind: string): T | null;
  /** Adds a problem about a cell. */
  wrong(column: string, reason: string): void;
}

const isoInstant = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/;

function rowOf(
  header: readonly string[],
  cells: readonly string[],
  line: number,
  report: (reason: string) => void,
): Row {
  const byColumn = new Map(header.map((column, index) => [column, cells[index] ?? '']));

  function text(column: string): string | null {
    const cell = byColumn.get(column) ?? '';
    return cell === '' ? null : cell;
  }
  function wrong(column: string, reason: string): void {
    const cell = text(column) ?? '';
    report(`${column} is ${JSON.stringify(cell.length > 60 ? `${cell.slice(0, 59)}…` : cell)}: ${reason}`);
  }
  function required(column: string): string {
    const cell = text(column);
    if (cell === null) report(`${column} is empty`);
    return cell ?? '';
  }
  function instant(column: string): number | null {
    const cell = text(column);
    if (cell === null) return null;
    const zoned = /(Z|[+-]\d\d:?\d\d)$/.test(cell) ? cell : `${cell}Z`;
    const milliseconds = isoInstant.test(cell) ? Date.parse(zoned.replace(' ', 'T')) : Number.NaN;
    if (Number.isNaN(milliseconds)) wrong(column, 'it takes an instant such as 2026-11-20T09:30:00Z');
    return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000);
  }
  function list(column: string): readonly string[] {
    return (text(column) ?? '')
      .split(';')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
  }

  return {
    line,
    text,
    required,
    identifier(column) {
      const cell = required(column);
      if (/[\s,;]/.test(cell)) wrong(column, 'it takes no blanks, commas or semicolons');
      return cell;
    },
    oneOf(column, choices) {
      const cell = required(column);
      const choice = choices.find((each) => each === cell) ?? choices[0];
      if (choice === undefined) throw new RangeError('Nothing to choose from');
      if (cell !== '' && choice !== cell) wrong(column, `it takes ${choices.join(', ')}`);
      return choice;
    },
    yesNo(column) {
      const cell = fold(required(column));
      if (cell !== '' && cell !== 'true' && cell !== 'false') wrong(column, 'it takes true or false');
      return cell === 'true';
    },
    whole(column, low, high) {
      const cell = text(column);
      if (cell === null) return null;
      const number = /^-?\d{1,12}$/.test(cell) ? Number(cell) : Number.NaN;
      if (number >= low && number <= high) return number;
      wrong(column, `it takes a whole number from ${low} to ${high}`);
      return low;
    },
    instant,
    requiredInstant(column) {
      required(column);
      return instant(column) ?? 0;
    },
    day(column) {
      const cell = text(column);
      const right = cell === null || (/^\d{4}-\d\d-\d\d$/.test(cell) && !Number.isNaN(Date.parse(cell)));
      if (!right) wrong(column, 'it takes a day such as 2026-11-20');
      return cell;
    },
    object(column) {
      const cell = text(column) ?? '{}';
      if (!isJsonObject(cell)) wrong(column, 'it takes a JSON object');
      return cell;
    },
    list,
    find(column, among, kind) {
      const cell = text(column);
      if (cell === null) return null;
      const found = among(cell);
      if (found === undefined) wrong(column, `there is no such ${kind}`);
      return found ?? null;
    },
    wrong,
  };
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
