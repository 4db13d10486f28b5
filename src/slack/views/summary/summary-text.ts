import { cutText } from '../../../figures/words/cut-text.js';
import { sayPeople } from '../../../figures/words/say-people.js';
import { showable } from '../../../figures/words/showable.js';
import { type SummaryInWords, summaryInWords } from '../../../figures/words/summary-in-words.js';
import { tableInWords } from '../../../figures/words/table-in-words.js';
import { limits } from '../parts/limits.js';
import { escaped, isUserId } from '../parts/text.js';
import type { SummaryMessageInput } from './summary-input.js';

/** So many groups are read out where the text stands alone. */
const mostRows = 15;

/** So much of the command and of the filters is read out. */
const longestLine = 600;

/**
 * The summary in plain words: what a screen reader and a notification say. It carries every key figure.
 *
 * @param alone true where no blocks go with it, so that it has to say everything
 */
export function summaryText(input: SummaryMessageInput, { alone }: { readonly alone: boolean }): string {
  const words = summaryInWords(input.facts);
  const said = [...headLines(words), ...bodyLines(words), ...(alone ? restLines(words, input) : [])].map(
    (line) => escaped(line),
  );
  const mention =
    alone && input.askedBy !== undefined && isUserId(input.askedBy) ? [`Asked by <@${input.askedBy}>`] : [];
  return fitted([...said, ...mention]);
}

function headLines({ title, when, filters }: SummaryInWords): string[] {
  return [`${title}, ${when}`, ...(filters.length > 0 ? [cutText(filters.join('; '), longestLine)] : [])];
}

function bodyLines({ nothing, figures, rows, findings, compared }: SummaryInWords): string[] {
  if (nothing) return [nothing.line, ...nothing.reasons];
  return [
    ...figures.map(({ label, value, change }) => `${label}: ${value}${change ? `, ${change}` : ''}`),
    rows,
    ...findings.map(({ title, line }) => cutText(`${title}: ${line}`, longestLine)),
    ...(compared ? [compared] : []),
  ];
}

function restLines({ chartNumbers, notes, nothing }: SummaryInWords, input: SummaryMessageInput): string[] {
  const { breakdown, people } = input.facts.figures;
  const named = input.withPeople && people && people.listed.length > 0 ? sayPeople(people) : undefined;
  const table = breakdown?.kind === 'groups' && !nothing ? tableInWords(breakdown, mostRows) : undefined;
  return [
    ...(chartNumbers ? [chartNumbers] : []),
    ...(named ? [named.title, ...named.lines] : []),
    ...(nothing ? [] : [cutText(notes.join(' '), longestLine)].filter(Boolean)),
    ...input.remarks,
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

/** As many whole lines as a message's text may hold. */
function fitted(all: readonly string[]): string {
  let text = '';
  for (const line of all) {
    const longer = text === '' ? line : `${text}\n${line}`;
    if (longer.length > limits.textCharacters) break;
    text = longer;
  }
  return text;
}
