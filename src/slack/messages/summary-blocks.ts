import type { AnyBlock } from '@slack/types';
import { showable } from '../../figures/format/showable.js';
import type { SummaryInWords } from '../../figures/format/summary.js';
import { cutText } from '../../figures/format/text.js';
import { isUserId } from '../text.js';
import { bullets, context, fieldSections, header, leaf, lines, marked, plain, section } from './blocks.js';
import type { SummaryMessageInput } from './summary-input.js';

/** So much of all filters, of the command and of all notes is shown: the numbers need the room. */
const longestFilters = 600;
const longestCommand = 1_200;
const longestNotes = 1_500;
const longestRemark = 500;
const longestFinding = 600;

/** Title, range, filters, who asked. */
export function headBlocks(
  { title, when, filters }: SummaryInWords,
  { askedBy, comesByItself }: SummaryMessageInput,
): AnyBlock[] {
  const who = comesByItself ? 'Set up by' : 'Asked by';
  const mention = askedBy !== undefined && isUserId(askedBy) ? [marked(`${who} <@${askedBy}>`)] : [];
  const filtered = filters.length > 0 ? [plain(filters.join(' · '), longestFilters)] : [];
  return [header(title), context(plain(when), ...filtered, ...mention)];
}

/** The key figures, each with its change; before them what the only row holds. */
export function figureBlocks({ figures, onlyRow }: SummaryInWords): AnyBlock[] {
  // Labels, numbers and changes are all our own words: nothing here comes from people or the service.
  const fields = figures.map(({ label, value, change }) =>
    marked(`*${label}*\n${value}${change ? `\n_${change}_` : ''}`),
  );
  const row = onlyRow.map(({ label, text }) => plain(`${label}\n${text}`));
  return [...fieldSections(row), ...fieldSections(fields)];
}

/** Rankings and spreads, a line each, and the numbers of a chart that stand in no table. */
export function findingBlocks({ findings, chartNumbers }: SummaryInWords): AnyBlock[] {
  const all = findings.map(({ title, line }) => [
    leaf(`${title}: `, { bold: true }),
    leaf(cutText(line, longestFinding)),
  ]);
  return [
    ...(all.length > 0 ? [bullets(...all)] : []),
    ...(chartNumbers ? [context(plain(chartNumbers))] : []),
  ];
}

/** The people to look at. */
export function peopleBlocks({ people }: SummaryInWords): AnyBlock[] {
  if (!people) return [];
  return [lines([leaf(people.title, { bold: true })]), bullets(...people.lines.map((line) => [leaf(line)]))];
}

/** One line saying that nothing was found, and why that may be. */
export function nothingBlocks({ line, reasons }: NonNullable<SummaryInWords['nothing']>): AnyBlock[] {
  return [
    section(plain(line)),
    ...(reasons.length > 0 ? [bullets(...reasons.map((reason) => [leaf(reason)]))] : []),
  ];
}

/** What the changes are against, and what else a reader has to know. */
export function noteBlocks({ notes, compared }: SummaryInWords): AnyBlock[] {
  const said = [...(compared ? [compared] : []), ...notes];
  return said.length > 0 ? [context(plain(said.join(' '), longestNotes))] : [];
}

/** Our remarks, how many rows, the command. */
export function commandBlocks(
  { rows }: SummaryInWords,
  { remarks, command }: SummaryMessageInput,
): AnyBlock[] {
  return [
    ...remarks.map((remark) => context(plain(showable(remark, longestRemark)))),
    lines([leaf(`${rows} · `), leaf(showable(command, longestCommand), { code: true })]),
  ];
}
