import { fieldOf, type Report } from '../../catalogue/index.js';
import { unitsOf } from '../../requests/over-time.js';
import { hasDueRange, narrows, type ReportRequest } from '../../requests/request.js';
import { compact, displayText } from '../../requests/text.js';
import {
  formatCount,
  formatDay,
  formatMoment,
  formatPercent,
  formatPlural,
  formatRangeInSentence,
  formatValue,
  plainNumber,
  withoutSampleSize,
} from '../format/values.js';
import { type FindingFigure, findings, type OnlyRowPart, stateWords } from '../reports/findings.js';
import type { Figure, FiguresResult, FigureValue } from '../result.js';
import { type Change, type FigureNumbers, formatChange, fromYearBefore, recordsOf } from './changes.js';
import { formatDateField, formatTitle, isOwn, type Reader, type ResultWithFigures } from './request.js';

const maxValueLength = 80;

type Changes = ReadonlyMap<string, Change>;

/**
 * The first sentence of an answer, without a full stop, and the IDs of the figures in it:
 * `Engagement last week: 41% active (165 of 400), up 11 points from 98 of 380`.
 */
export function formatFinding(result: ResultWithFigures, reader: Reader, changes: Changes) {
  const { request, range } = result;
  const title = formatTitle(result);
  const isOverdue = request.view === 'overdue';
  // The range of overdue assignments that no one typed is long, and stands below.
  const isRangeBelow = isOverdue && request.range === undefined && request.assigned === undefined;
  const subject = compact(
    isOwn(result, reader) ? `Your ${title.charAt(0).toLowerCase()}${title.slice(1)}` : title,
    range && !isRangeBelow && isOverdue && formatDateField(result),
    range && !isRangeBelow && (request.over ? formatUnits(request.over) : formatRangeInSentence(range)),
  );
  const { claim, says = [] } = claimOf(result, reader, changes);
  return { sentence: `${subject.join(' ')}: ${claim}`, subject: subject.join(' '), claim, says };
}

/** `over 12 weeks`. */
function formatUnits(over: NonNullable<ReportRequest['over']>): string {
  const { unit, count } = unitsOf(over);
  return `over ${formatPlural(count, [unit, `${unit}s`])}`;
}

function claimOf(result: ResultWithFigures, reader: Reader, changes: Changes) {
  const { figures, report } = result;
  const { counted, records } = figures;
  const isNarrowed = narrows(result.request);
  if (figures.tooFew !== undefined)
    return { claim: `Fewer than ${formatCount(figures.tooFew)} people match, so no figures are shown` };
  if (counted === 0 && isNarrowed && records > 0)
    return { claim: `none among ${formatPlural(records, report.rowWords)}` };
  if (counted === 0) return { claim: `no ${report.rowWords[1]} found` };
  if (figures.onlyRow) return { claim: claimOfOnlyRow(result, figures.onlyRow, reader) };
  const rule = findings[report.name];
  if (isNarrowed) {
    // The first figure of a narrowed answer counts its rows.
    const [figure] = figures.figures;
    const counts = figure && plainNumber(figure.value) === counted ? figure : undefined;
    return {
      claim: `${formatShareOfRows(result)}${changeOf(result, counts, changes)}`,
      says: counts ? [counts.id] : [],
    };
  }
  for (const said of rule.figures) {
    const figure = figures.figures.find(({ id }) => id === said.id);
    const number = figure && plainNumber(figure.value);
    // None of something says little where a share is missing.
    if (!figure || number === undefined || (number === 0 && figure.value.kind !== 'rate')) continue;
    const claim = `${formatClaim(figure.value, said)}${changeOf(result, figure, changes)}`;
    return { claim, says: [said.id, ...(said.includes ?? [])] };
  }
  return {
    claim: `${formatRowCount(figures, report)}${formatMainStatus(figures)}`,
    says: rule.rows ? [rule.rows] : [],
  };
}

/** `, all not started`; `, 2 of them not started`. */
function formatMainStatus({ spreads: [spread], counted }: FiguresResult): string {
  const [most] = spread?.entries ?? [];
  if (!most) return '';
  const status = inLowerCase(displayText(most.label, maxValueLength));
  return most.count === counted ? `, all ${status}` : `, ${formatCount(most.count)} of them ${status}`;
}

/** `24 of 60`; where states were chosen, `24 of 60 not completed`. */
function formatShareOfRows({ figures, report, request }: ResultWithFigures): string {
  if (!saysShareOfRows(request)) return `${formatCount(figures.counted)} not completed`;
  const share = `${formatCount(figures.counted)} of ${formatCount(figures.records)}`;
  const states = request.states?.flatMap((name) => report.states.find((state) => state.name === name) ?? []);
  if (!states) return share;
  const words = states.map(({ name, label }) => stateWords[name] ?? label.toLowerCase());
  return `${share} ${words.join(' or ')}`;
}

/** What is due is counted among all that could be due, which is no whole. */
function saysShareOfRows(request: ReportRequest): boolean {
  return narrows(request) && (!hasDueRange(request) || request.states !== undefined);
}

/** `41% active (165 of 400)`, `342 people active`, `342`. */
function formatClaim(value: FigureValue, { words }: FindingFigure): string {
  if (value.kind === 'rate')
    return `${formatPercent(value.part, value.whole)} ${words} (${formatCount(value.part)} of ${formatCount(value.whole)})`;
  if (words === undefined) return formatValue(value);
  const [one, many] = typeof words === 'string' ? [words, words] : words;
  return `${formatValue(value)} ${plainNumber(value) === 1 ? one : many}`;
}

/** `, up 11 points from 98 of 310`; of what is compared with the last run, `, up 12% since 30 Oct`. */
function changeOf(result: ResultWithFigures, figure: Figure | undefined, changes: Changes): string {
  const { before, lastRun, request } = result;
  const periodBefore = typeof before === 'object' ? before.figures : undefined;
  const change = changes.get(figure?.id ?? '');
  if (!change || !figure) return '';
  const isOfNow = figure.compared === 'last-run';
  const words = saysShareOfRows(request)
    ? formatChangeOfShare(change, (isOfNow ? lastRun?.figures : periodBefore) ?? {})
    : formatChange(change).words;
  if (isOfNow) return `, ${words}${lastRun ? ` since ${formatSince(lastRun.takenAt, result)}` : ''}`;
  return `, ${request.against ? fromYearBefore(words) : words}`;
}

/** `up 9 from 15 of 45`: beside a share of the rows, a percentage of their number would be read as one of the share. */
function formatChangeOfShare({ now, before }: Change, earlier: FigureNumbers): string {
  const by = now.value - before.value;
  if (by === 0) return 'no change';
  if (before.value === 0) return 'new';
  const records = recordsOf(earlier);
  const from = records === undefined ? '' : ` of ${formatCount(records)}`;
  return `${by > 0 ? 'up' : 'down'} ${formatCount(Math.abs(by))} from ${formatCount(before.value)}${from}`;
}

/** `30 Oct`; on the same day `10:05`, in another year `30 Oct 2025`. */
function formatSince(at: number, { requestedAt, asker: { zone } }: ResultWithFigures): string {
  const [day, today] = [at, requestedAt].map((instant) => formatDay(instant, zone).slice(4));
  if (day === today) return formatMoment(at, zone).slice(-5);
  return day?.slice(-4) === today?.slice(-4) ? (day?.slice(0, -5) ?? '') : (day ?? '');
}

/** `412 assignments`; where people came in several rows each, `2 people (3 rows)`. */
export function formatRowCount({ records, different }: FiguresResult, { rowWords }: Report): string {
  if (different?.kind !== 'people' || different.moreThan || different.count === records)
    return formatPlural(records, rowWords);
  return `${formatPlural(different.count, rowWords)} (${formatPlural(records, ['row', 'rows'])})`;
}

type OnlyRow = NonNullable<FiguresResult['onlyRow']>;

/** `Ada Moreau, Fire safety, in progress, due Fri 20 Nov, 14:00`. */
function claimOfOnlyRow(result: ResultWithFigures, row: OnlyRow, reader: Reader): string {
  const { figures, report, request } = result;
  const shown = row.filter(({ personLevel }) => reader.withPeople || !personLevel);
  const texts = new Map(shown.map(({ flag, text }) => [flag, displayText(text, maxValueLength)]));
  const own = isOwn(result, reader);
  const names = compact(texts.get('first_name'), texts.get('last_name')).join(' ');
  const name = own ? undefined : names || texts.get('email');
  const wordsOf = (flag: string) => {
    if (flag.startsWith('=')) return valueOfFigure(figures, flag.slice(1));
    const text = texts.get(flag);
    return fieldOf(report, flag)?.kind === 'status' ? text && inLowerCase(text) : text;
  };
  const said = findings[report.name].onlyRow.flatMap((part) => sayPart(part, wordsOf) ?? []);
  const count = narrows(request) ? formatShareOfRows(result) : formatRowCount(figures, report);
  const isClear = !narrows(request) && (own ? said.length > 0 : name !== undefined);
  return compact(!isClear && count, name !== undefined && displayText(name, maxValueLength), said).join(', ');
}

function sayPart(part: OnlyRowPart, wordsOf: (flag: string) => string | undefined): string | undefined {
  const { say, unless, isLeftOutAtZero = false } = typeof part === 'string' ? { say: part } : part;
  // Every second piece is a flag.
  const pieces = say.split(/[{}]/);
  const values = pieces.map((flag, i) => (i % 2 === 1 ? wordsOf(flag) : ''));
  const first = values[1];
  if (values.includes(undefined) || (unless && wordsOf(unless) !== undefined)) return undefined;
  if (isLeftOutAtZero && Number(first) === 0) return undefined;
  const form = first === '1' ? '$1' : '$2';
  return pieces.map((words, i) => values[i] || words.replace(/\[(.*)\|(.*)\]/, form)).join('');
}

function valueOfFigure({ figures }: FiguresResult, id: string): string | undefined {
  const value = figures.find((figure) => figure.id === id)?.value;
  if (!value || plainNumber(value) === undefined) return undefined;
  return withoutSampleSize(formatValue(value));
}

/** `not started`, of `Not Started`. Abbreviations stay. */
function inLowerCase(text: string): string {
  return text.replace(/(?<!\p{L})\p{Lu}(?=\p{Ll})/gu, (letter) => letter.toLowerCase());
}
