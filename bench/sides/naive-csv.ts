import { closeSync, openSync, writeSync } from 'node:fs';
import { serveSide } from '../harness/side.js';
import { columnsOf } from './columns.js';
import { type AnswerJob, urlOf } from './jobs.js';
import { naiveColumns, naiveText, type ParsedRecord } from './naive-cells.js';

/* A plainly computed CSV of a parsed answer. Measured outputs are compared with it. */

const batch = 5000;

serveSide<AnswerJob>(async (job) => {
  const response = await fetch(urlOf(job), { method: 'POST' });
  const records: readonly ParsedRecord[] = JSON.parse(await response.text());
  const columns = naiveColumns(columnsOf(job.kind), records);
  const line = (cells: readonly string[]) => `${cells.map(quoted).join(',')}\r\n`;
  const file = openSync(job.csvPath, 'w');
  writeSync(file, `\uFEFF${line(columns.map(({ heading }) => heading))}`);
  for (let from = 0; from < records.length; from += batch) {
    const rows = records.slice(from, from + batch);
    writeSync(file, rows.map((record) => line(columns.map((column) => naiveText(record, column)))).join(''));
  }
  closeSync(file);
  return { records: records.length, sums: sumsOf(records) };
});

/** The sum of each number field, to compare figures with. */
function sumsOf(records: readonly ParsedRecord[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const record of records) {
    for (const [flag, value] of Object.entries(record)) {
      if (typeof value === 'number') sums[flag] = (sums[flag] ?? 0) + value;
    }
  }
  return sums;
}

function quoted(text: string): string {
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
