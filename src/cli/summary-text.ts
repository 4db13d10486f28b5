import { alignedTable, widthOf } from '../figures/format/aligned-table.js';
import { type SummaryInWords, summaryInWords } from '../figures/format/summary.js';
import type { SummaryFacts } from '../figures/format/summary-facts.js';
import { tableInWords } from '../figures/format/table.js';

/** A terminal scrolls, but nobody reads more rows than this. */
const mostRows = 50;

/**
 * The summary as text with even columns, from the same figures as in Slack.
 *
 * @param withPeople true where people may be named
 */
export function summaryText({
  facts,
  withPeople,
}: {
  readonly facts: SummaryFacts;
  readonly withPeople: boolean;
}): string {
  const words = summaryInWords(facts, withPeople);
  const head = [words.title, words.when, ...words.filters];
  const paragraphs = words.nothing
    ? [head, [words.nothing.line, ...words.nothing.reasons.map((reason) => `- ${reason}`)]]
    : [
        head,
        onlyRowLines(words),
        figureLines(words),
        words.findings.map(({ title, line }) => `${title}: ${line}`),
        words.chartNumbers ? [words.chartNumbers] : [],
        ...tableLines(facts),
        words.people ? [words.people.title, ...words.people.lines.map((line) => `- ${line}`)] : [],
        [words.rows, ...(words.compared ? [words.compared] : []), ...words.notes],
      ];
  return paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function figureLines({ figures }: SummaryInWords): string[] {
  const labels = Math.max(...figures.map(({ label }) => widthOf(label)));
  const values = Math.max(...figures.map(({ value }) => widthOf(value)));
  return figures.map(({ label, value, change }) =>
    [padded(label, labels), padded(value, values), ...(change ? [change] : [])].join('  ').trimEnd(),
  );
}

function onlyRowLines({ onlyRow }: SummaryInWords): string[] {
  const labels = Math.max(0, ...onlyRow.map(({ label }) => widthOf(label)));
  return onlyRow.map(({ label, text }) => `${padded(label, labels)}  ${text}`);
}

function tableLines({ figures: { breakdown, counted } }: SummaryFacts): string[][] {
  if (breakdown?.kind !== 'groups' || counted < 2) return [];
  const table = tableInWords(breakdown, mostRows);
  return [[alignedTable(table), ...(table.rest ? [table.rest] : [])]];
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}
