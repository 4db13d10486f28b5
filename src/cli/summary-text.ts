import { alignedTable, formatTable } from '../figures/format/table.js';
import { formatCount } from '../figures/format/values.js';
import type { ListedRows } from '../figures/reports/rows.js';
import type { Reader, ResultWithFigures } from '../figures/summary/request.js';
import { type FormattedSummary, formatSummary } from '../figures/summary/summary.js';
import { compact, truncateText, widthOf } from '../requests/text.js';

/** More rows would hide the rest of the summary. */
export const maxRows = 50;

/** Longer cells of listed rows would break the lines of a terminal. */
const maxCellLength = 40;

/** The summary as text with aligned columns, from the same figures as in Slack. */
export function summaryText(result: ResultWithFigures, reader: Reader): string {
  const words = formatSummary(result, reader);
  const head = [words.finding, words.context.join(' · ')];
  const paragraphs = words.nothing
    ? [head, words.nothing.reasons.map((reason) => `- ${reason}`)]
    : [
        head,
        compact(words.target?.distance, words.target?.pace),
        result.rows ? rowLines(result.rows) : peopleLines(words),
        result.figures.onlyRow ? [] : figureLines(words),
        compact(
          words.visual?.line,
          words.lines.map(({ title, line }) => `${title}: ${line}`),
        ),
        ...tableLines(result),
        compact(words.rows, words.readingNotes, words.notes),
      ];
  return paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function peopleLines({ people }: FormattedSummary): readonly string[] {
  return people ? [people.title, ...people.lines.map((line) => `- ${line}`)] : [];
}

function figureLines({ figures }: FormattedSummary): string[] {
  const labels = Math.max(...figures.map(({ label }) => widthOf(label)));
  const values = Math.max(...figures.map(({ value }) => widthOf(value)));
  return figures.map(({ label, value, change }) =>
    compact(padded(label, labels), padded(value, values), change?.long).join('  ').trimEnd(),
  );
}

function rowLines({ columns, listed, total }: ListedRows): string[] {
  if (listed.length === 0) return [];
  const table = alignedTable({
    heading: columns.map(({ label }) => label),
    rows: listed.map(({ cells }) =>
      cells.map(({ text, number }) => ({ text: truncateText(text, maxCellLength), number })),
    ),
  });
  if (listed.length === total) return [table];
  return [
    table,
    `${formatCount(listed.length)} of ${formatCount(total)} rows. Write all of them with --csv FILE.`,
  ];
}

function tableLines({ figures: { breakdown, counted } }: ResultWithFigures): string[][] {
  if (breakdown?.kind !== 'groups' || counted < 2) return [];
  const table = formatTable(breakdown, maxRows);
  return [compact(alignedTable(table), table.rest)];
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}
