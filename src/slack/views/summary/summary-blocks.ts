import type { AnyBlock } from '@slack/types';
import type { FiguresResult } from '../../../figures/result.js';
import { sayPeople } from '../../../figures/words/say-people.js';
import { showable } from '../../../figures/words/showable.js';
import type { SummaryInWords } from '../../../figures/words/summary-in-words.js';
import {
  bullets,
  context,
  fieldSections,
  header,
  leaf,
  lines,
  marked,
  plain,
  section,
} from '../parts/blocks.js';
import { isUserId } from '../parts/text.js';
import type { SummaryMessageInput } from './summary-input.js';

/** So much of all filters, of the command and of all notes is shown: the numbers need the room. */
const longestFilters = 600;
const longestCommand = 1_500;
const longestNotes = 1_500;

/** Title, range, filters, who asked. */
export function headBlocks(
  { title, when, filters }: SummaryInWords,
  { askedBy }: SummaryMessageInput,
): AnyBlock[] {
  const mention = askedBy !== undefined && isUserId(askedBy) ? [marked(`Asked by <@${askedBy}>`)] : [];
  const filtered = filters.length > 0 ? [plain(filters.join(' · '), longestFilters)] : [];
  return [header(title), context(plain(when), ...filtered, ...mention)];
}

/** The key figures, each with its change; of a single row what it holds, too. */
export function figureBlocks({ figures }: SummaryInWords, onlyRow: FiguresResult['onlyRow']): AnyBlock[] {
  // Labels, numbers and changes are all our own words: nothing here comes from people or the service.
  const fields = figures.map(({ label, value, change }) =>
    marked(`*${label}*\n${value}${change ? `\n_${change}_` : ''}`),
  );
  const row = (onlyRow ?? []).map(({ label, text }) => [
    leaf(`${label}: `, { bold: true }),
    leaf(showable(text, 200)),
  ]);
  return [...(row.length > 0 ? [bullets(...row)] : []), ...fieldSections(fields)];
}

/** Rankings and spreads, a line each, and the numbers of a chart that stand in no table. */
export function findingBlocks({ findings, chartNumbers }: SummaryInWords): AnyBlock[] {
  const all = findings.map(({ title, line }) => [leaf(`${title}: `, { bold: true }), leaf(line)]);
  return [
    ...(all.length > 0 ? [bullets(...all)] : []),
    ...(chartNumbers ? [context(plain(chartNumbers))] : []),
  ];
}

/** The people to look at. */
export function peopleBlocks(people: FiguresResult['people']): AnyBlock[] {
  if (!people || people.listed.length === 0) return [];
  const { title, lines: named } = sayPeople(people);
  return [lines([leaf(title, { bold: true })]), bullets(...named.map((line) => [leaf(line)]))];
}

/** One line saying that nothing was found, and why that may be. */
export function nothingBlocks({ line, reasons }: NonNullable<SummaryInWords['nothing']>): AnyBlock[] {
  return [
    section(plain(line)),
    ...(reasons.length > 0 ? [bullets(...reasons.map((reason) => [leaf(reason)]))] : []),
  ];
}

/** Notes, what the changes are against, how many rows, the command. */
export function footBlocks(
  { notes, compared, rows, nothing }: SummaryInWords,
  input: SummaryMessageInput,
): AnyBlock[] {
  const said = nothing ? [] : [...(compared ? [compared] : []), ...notes];
  return [
    ...(said.length > 0 ? [context(plain(said.join(' '), longestNotes))] : []),
    ...input.remarks.map((remark) => context(plain(remark))),
    lines([leaf(`${rows} · `), leaf(showable(input.command, longestCommand), { code: true })]),
  ];
}
