import type { BenchLine } from './line.js';
import { machine } from './machine.js';
import type { Measured } from './measured.js';

/** A benchmark with its measurements, or the reason why there are none. */
export interface LineResult {
  readonly line: BenchLine;
  readonly measured: readonly Measured[];
  readonly failure?: string;
  readonly seconds: number;
}

const headings = ['Line', 'Measured', 'Target', 'Found', ''] as const;

/** All results with their targets, as a table for a terminal. */
export function tableText(results: readonly LineResult[]): string {
  const rows = [headings, ...rowsOf(results)];
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The same as a Markdown page, with the machine and the versions. */
export function resultsPage(results: readonly LineResult[], day: string): string {
  const table = [headings, headings.map(() => '---'), ...rowsOf(results)].map(
    (row) => `| ${row.join(' | ')} |`,
  );
  return [
    '# Results of `npm run bench`',
    '',
    `Measured on ${day}.`,
    '',
    ...machine().map((fact) => `- ${fact}`),
    '',
    'A ratio says how many times as long the other side took. Each is the median of pairs, measured in turns in one run,',
    'with the interval that holds 95 % of such medians. A target is missed only if the whole interval misses it.',
    `All lines took ${minutesOf(results)} minutes.`,
    '',
    ...table,
    '',
  ].join('\n');
}

export function minutesOf(results: readonly LineResult[]): string {
  return (results.reduce((sum, { seconds }) => sum + seconds, 0) / 60).toFixed(1);
}

function rowsOf(results: readonly LineResult[]): readonly (readonly string[])[] {
  return results.flatMap(({ line, measured, failure }) => [
    ...measured.map(({ what, target, found, verdict }) => [line.name, what, target, found, verdict]),
    ...(failure === undefined ? [] : [[line.name, line.title, '', failure, 'failed']]),
  ]);
}
