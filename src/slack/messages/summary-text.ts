import { showable } from '../../figures/format/showable.js';
import { type SummaryInWords, summaryInWords } from '../../figures/format/summary.js';
import { tableInWords } from '../../figures/format/table.js';
import { cutText } from '../../figures/format/text.js';
import { escaped, isUserId } from '../text.js';
import { limits } from './limits.js';
import type { SummaryMessageInput } from './summary-input.js';

/** So many groups are read out. */
const mostRows = 15;

/** So much of the command and of the filters is read out. */
const longestLine = 600;

/**
 * The summary in plain words: what a screen reader says instead of the blocks, and a notification begins with. It says
 * what they say, as far as there is room, the key figures first.
 */
export function summaryText(input: SummaryMessageInput): string {
  const words = summaryInWords(input.facts, input.withPeople);
  const { askedBy } = input;
  // Figures first: whatever else is long, they are said.
  return fitted([
    ...figureLines(words).map(escaped),
    ...(askedBy !== undefined && isUserId(askedBy)
      ? [`${input.comesByItself ? 'Set up by' : 'Asked by'} <@${askedBy}>`]
      : []),
    ...findingLines(words).map(escaped),
    ...restLines(words, input).map(escaped),
  ]);
}

function figureLines({ title, when, nothing, figures, rows }: SummaryInWords): string[] {
  if (nothing) return [`${title}, ${when}`, nothing.line, ...nothing.reasons];
  return [
    `${title}, ${when}`,
    ...figures.map(({ label, value, change }) => `${label}: ${value}${change ? `, ${change}` : ''}`),
    rows,
  ];
}

function findingLines({ nothing, filters, onlyRow, findings, compared }: SummaryInWords): string[] {
  const filtered = filters.length > 0 ? [cutText(filters.join('; '), longestLine)] : [];
  if (nothing) return filtered;
  return [
    ...filtered,
    ...(onlyRow.length > 0 ? onlyRow : findings).map((found) =>
      cutText(
        'line' in found ? `${found.title}: ${found.line}` : `${found.label}: ${found.text}`,
        longestLine,
      ),
    ),
    ...(compared ? [compared] : []),
  ];
}

function restLines(
  { chartNumbers, people, notes, nothing }: SummaryInWords,
  input: SummaryMessageInput,
): string[] {
  const { breakdown, counted } = input.facts.figures;
  const table = breakdown?.kind === 'groups' && counted > 1 ? tableInWords(breakdown, mostRows) : undefined;
  return [
    ...(chartNumbers ? [chartNumbers] : []),
    ...(people ? [people.title, ...people.lines] : []),
    ...(nothing ? [] : [cutText(notes.join(' '), longestLine)].filter(Boolean)),
    ...input.remarks.map((remark) => showable(remark, longestLine)),
    showable(input.command, longestLine),
    ...(table?.rows ?? []).map((cells) =>
      cells
        .map(({ text }, i) =>
          i === 0 ? `${text}:` : `${table?.heading[i] ?? ''} ${text}${i < cells.length - 1 ? ',' : ''}`,
        )
        .join(' '),
    ),
    ...(table?.rest ? [table.rest] : []),
  ];
}

/** The lines that a message's text has room for, each whole. */
function fitted(all: readonly string[]): string {
  let text = '';
  for (const line of all) {
    const longer = text === '' ? line : `${text}\n${line}`;
    if (longer.length <= limits.textCharacters) text = longer;
  }
  return text;
}
