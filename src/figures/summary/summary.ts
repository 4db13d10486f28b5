import { narrows } from '../../requests/request.js';
import { compact, displayText, distinctTexts, truncateText } from '../../requests/text.js';
import { meanings } from '../format/meanings.js';
import { formatCount, formatPlural, formatShort, formatValue, withoutSampleSize } from '../format/values.js';
import { findings } from '../reports/findings.js';
import type { Chart, FiguresResult, FigureValue, OverTimeFigures, PeopleToLookAt } from '../result.js';
import {
  type Change,
  changesById,
  comparableNumber,
  type FormattedChange,
  formatChange,
  leavesOutTheSame,
} from './changes.js';
import { formatFinding, formatRowCount } from './finding.js';
import { formatComparison, formatNote, formatNotes } from './notes.js';
import { formatOverTimeFinding, formatOverTimeNotes } from './over-time-words.js';
import {
  asksFor,
  formatFilters,
  formatLeftOut,
  formatLimit,
  formatWhen,
  isAfterNewYear,
  isOwn,
  type Reader,
  type ResultWithFigures,
} from './request.js';
import { type FormattedTarget, formatTargetOf } from './target.js';

const maxNameLength = 60;

const maxKeyFigures = 4;

/** Fewer rows explain themselves. */
const minForMeanings = 3;

/** More rows of a table are on another page. */
const maxRowsAtOnce = 5;

export interface FormattedFigure {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly change?: FormattedChange | undefined;
}

/** The texts of an answer, for Slack and the terminal. None of them has markup, mentions or line breaks of others. */
export interface FormattedSummary {
  /** One sentence that says the most important figure, without a full stop. */
  readonly finding: string;
  /** The context of the finding: dates, comparison, limits and filters. */
  readonly context: readonly string[];
  /** How far the main rate is from the request's target. */
  readonly target?: FormattedTarget | undefined;
  /** The most important figures beside the finding, at most four. None is zero or unknown. */
  readonly keyFigures: readonly FormattedFigure[];
  readonly figures: readonly FormattedFigure[];
  readonly visual?: FormattedVisual | undefined;
  /** Facts that are in neither the chart nor the table: spreads, rankings, the next sessions. */
  readonly lines: readonly { readonly title: string; readonly line: string }[];
  /** How many rows, `412 assignments`; absent where that may not be shown. */
  readonly rows?: string | undefined;
  readonly people?: { readonly title: string; readonly lines: readonly string[] } | undefined;
  /** Notes that change how the figures read. */
  readonly readingNotes: readonly string[];
  /** The other notes, and what the figures are compared with. */
  readonly notes: readonly string[];
  readonly meanings: readonly { readonly term: string; readonly sentence: string }[];
  /** Present where there are no figures: why that may be. */
  readonly nothing?: { readonly reasons: readonly string[] } | undefined;
}

export function formatSummary(given: ResultWithFigures, reader: Reader): FormattedSummary {
  const result = withComparable(given);
  const { figures, before, lastRun, report } = result;
  const changes = changesById(figures, {
    periodBefore: typeof before === 'object' ? before.figures : undefined,
    lastRun: lastRun?.figures,
  });
  const { overTime } = figures;
  const { sentence, says } =
    overTime && figures.counted > 0
      ? formatOverTimeFinding({ ...result, overTime }, reader, changes)
      : formatFinding(result, reader, changes);
  const own = isOwn(result, reader);
  const { all, keyFigures } = formatFigures(result, changes, says, own);
  const comparison = formatComparison(result, given.lastRun && isAfterNewYear(given));
  const notes = formatNotes(result, comparison);
  const timeNotes = overTime && formatOverTimeNotes({ ...result, overTime });
  const limit = formatLimit(result.scope, reader.isOwner ? 'owner' : 'you');
  const isOne = figures.counted === 1;
  const isNothing = figures.counted === 0;
  const showsFigures = !isNothing && !figures.onlyRow;
  // However few rows are left: the ones that no condition could judge are not among them.
  const ofConditions = figures.notes.filter(({ kind }) => kind === 'condition').map(formatNote);
  const target = formatTargetOf(result);
  return {
    finding: sentence,
    context: compact(
      formatWhen(result, reader),
      showsFigures && comparison.short,
      [...new Set(compact(limit, formatFilters(result, reader)))],
      figures.leftOut && formatLeftOut(figures.leftOut),
      showsFigures && timeNotes?.reading,
    ),
    target,
    keyFigures: figures.onlyRow
      ? []
      : keyFigures.slice(0, overTime && roomBesideLine(overTime, notes.reading)),
    figures: all,
    visual: isOne ? undefined : formatVisual(figures),
    lines: linesOf(figures),
    rows: figures.tooFew === undefined && figures.records > 0 ? formatRows(result, all, says) : undefined,
    people:
      reader.withPeople && !isOne && figures.people && figures.people.listed.length > 0
        ? formatPeopleToLookAt(figures.people, own, reader.maxPeople)
        : undefined,
    readingNotes: showsFigures ? notes.reading : compact(!isNothing && ofConditions),
    notes: showsFigures ? compact(target?.notes, timeNotes?.rest, notes.rest) : [],
    meanings:
      figures.counted < minForMeanings
        ? []
        : meanings[report.name].filter(({ term }) => all.some(({ label }) => label === term)),
    nothing: isNothing
      ? {
          reasons: [...reasonsForNothing(result, own), ...(figures.tooFew === undefined ? ofConditions : [])],
        }
      : undefined,
  };
}

/** How many figures have room beside a line, which is higher than bars: one row of them. */
function roomBesideLine({ yearBefore }: OverTimeFigures, notes: readonly string[]): number {
  return yearBefore || notes.length > 0 ? 0 : 2;
}

/** Without comparisons with figures that left out other people, or that looked at another window of assignments. */
export function withComparable(result: ResultWithFigures): ResultWithFigures {
  const { figures, before, lastRun } = result;
  const sameBefore = typeof before !== 'object' || leavesOutTheSame(figures, before.figures);
  const isSameRun = lastRun && leavesOutTheSame(figures, lastRun.figures) && !isAfterNewYear(result);
  return {
    ...result,
    before: sameBefore ? before : 'none',
    lastRun: isSameRun ? lastRun : undefined,
  };
}

/** Figures that say nothing about one person. */
const ofSeveral: ReadonlySet<string> = new Set(['people', 'per-day']);

/** All figures, and the most important ones that the finding does not say, without zeros and unknown values. */
function formatFigures(
  { figures: { figures }, report, request }: ResultWithFigures,
  changes: ReadonlyMap<string, Change>,
  says: readonly string[],
  own: boolean,
) {
  const rule = findings[report.name];
  const skipped = own ? ofSeveral : undefined;
  const hidden = new Set([...says, ...(rule.leftOut ?? []), rule.rows]);
  const all: FormattedFigure[] = [];
  const left = new Map<string, FormattedFigure>();
  for (const { id, label, value } of figures) {
    const change = changes.get(id);
    const formatted = change && formatChange(change);
    const figure = { id, label, value: formatValue(value, formatted?.decimals), change: formatted };
    if (!skipped?.has(id)) all.push(figure);
    const number = value.kind === 'people' ? value.count : comparableNumber(value);
    if (number && !hidden.has(id)) left.set(id, { ...figure, value: withoutSampleSize(figure.value) });
  }
  // Narrowed answers have figures of their own, in their order.
  const order = new Set([...(narrows(request) ? [] : rule.keyFigures), ...left.keys()]);
  const keyFigures: FormattedFigure[] = [];
  let room = maxKeyFigures;
  for (const id of order) {
    const figure = left.get(id);
    if (!figure || room === 0) continue;
    room--;
    if (!skipped?.has(id)) keyFigures.push(figure);
  }
  return { all, keyFigures };
}

/** `412 assignments (▲ 12%)`; where the figures count fewer, `12 of 412 assignments`. */
function formatRows(
  result: ResultWithFigures,
  all: readonly FormattedFigure[],
  says: readonly string[],
): string {
  const { figures, report } = result;
  const { overTime } = figures;
  if (overTime) return formatPlural(overTime.units.length, [overTime.unit, `${overTime.unit}s`]);
  if (narrows(result.request))
    return `${formatCount(figures.counted)} of ${formatPlural(figures.records, report.rowWords)}`;
  const {
    rows,
    figures: [finding],
  } = findings[report.name];
  const change =
    rows !== undefined && finding?.id === rows && says.includes(rows)
      ? undefined
      : all.find(({ id }) => id === rows)?.change;
  const count = formatRowCount(figures, report);
  return change && change.short !== 'no change' ? `${count} (${change.short})` : count;
}

function linesOf({ highlights, spreads, upcoming, breakdown, counted }: FiguresResult) {
  const lines: { readonly title: string; readonly line: string }[] = [];
  if (counted < 2) return lines;
  const add = (title: string, parts: readonly string[]) => {
    if (parts.length > 0) lines.push({ title, line: parts.join(', ') });
  };
  // A table that is seen at once has the groups in their order, so a ranking would repeat it.
  const isSeenAtOnce = breakdown?.kind === 'groups' && breakdown.rows.length <= maxRowsAtOnce;
  for (const { title, entries } of isSeenAtOnce ? [] : highlights)
    add(
      title,
      entries.map(({ label, value }) => `${displayText(label, maxNameLength)} ${formatShort(value)}`),
    );
  for (const { title, entries, others } of spreads) {
    const known = entries.map(
      ({ label, count }) => `${displayText(label, maxNameLength)} ${formatCount(count)}`,
    );
    add(title, compact(known, others > 0 && `others ${formatCount(others)}`));
  }
  add(
    'Next with free seats',
    upcoming.map(
      ({ title, when, free, offered }) =>
        `${displayText(title, maxNameLength)} (${when}, ${formatCount(free)} of ${formatCount(offered)} free)`,
    ),
  );
  return lines;
}

function reasonsForNothing(result: ResultWithFigures, own: boolean): readonly string[] {
  const { figures, range } = result;
  if (figures.tooFew !== undefined || figures.records > 0) return [];
  return compact(
    reasonsInRequest(result, own),
    result.request.conditions && 'No row may meet the conditions.',
    range && 'The range may be too early, or nothing happened in it.',
  );
}

function reasonsInRequest({ request, range }: ResultWithFigures, own: boolean): readonly string[] {
  const { filters } = request;
  const isOther = filters.some(({ member }) => member !== 'email' && member !== 'manager_email');
  if (own && !isOther)
    return ['Your learning account may have another email address than your Slack profile.'];
  if (asksFor(request, 'manager_email') && !isOther)
    return ['No learning account may have the address of your Slack profile as its manager.'];
  if (filters.length === 0) return range ? [] : ['The service may have nothing to report yet.'];
  const isNamed = filters.some(({ member }) => !/(?:^|_)id$|email|^is_|^suspended$|^archived$/.test(member));
  return compact(
    'The filters may match nothing: names must be complete, as in your learning system.',
    isNamed && 'If names never find anything, tell your admin: the service may need identifiers.',
  );
}

/** Longer names and titles of listed people are cut; shorter where few are listed, for a phone. */
const maxPersonNameLength = { few: 32, all: 80 } as const;

/** Characters in a line of a phone. */
const phoneLineLength = 42;

const titles: Readonly<Record<PeopleToLookAt['why'], string>> = {
  'most-overdue': 'Longest overdue',
  stalled: 'Under 50% complete',
  'never-signed-in': 'Never signed in',
  due: 'Due soonest',
  counted: 'First rows',
};
/**
 * The people to look at: a title with their number, and a line for each listed person.
 *
 * @param own true where all of them are the reader, who needs no name
 */
function formatPeopleToLookAt(
  { why, title = titles[why], rows, listed }: PeopleToLookAt,
  own: boolean,
  maxPeople: number | undefined,
): FormattedSummary['people'] {
  const maxLength = maxPersonNameLength[maxPeople === undefined ? 'all' : 'few'];
  // Fewer lines where they wrap on a phone.
  let room = maxPeople === undefined ? Number.POSITIVE_INFINITY : maxPeople + 1;
  const lines: string[] = [];
  for (const { name, about, value } of listed.slice(0, maxPeople)) {
    const line = compact(
      (!own || about === undefined) && displayText(name, maxLength),
      about !== undefined && displayText(about, maxLength),
      value && formatPersonValue(why, value),
    ).join(', ');
    room -= Math.ceil(line.length / phoneLineLength);
    if (room >= 0) lines.push(line);
  }
  if (lines.length === 0) return undefined;
  const some =
    lines.length < rows ? `${formatCount(lines.length)} of ${formatCount(rows)}` : formatCount(rows);
  return { title: `${title} (${some})`, lines };
}

function formatPersonValue(why: PeopleToLookAt['why'], value: FigureValue): string {
  if (value.kind !== 'amount') return formatValue(value);
  // Calendar days from today.
  const { unit, amount: days } = value;
  if (unit !== 'days') return `${unit === 'points' ? 'score ' : ''}${formatValue(value)}`;
  const isOverdue = why !== 'due' || days < 0 || Object.is(days, -0);
  if (!isOverdue && days < 2) return days === 0 ? 'due today' : 'due tomorrow';
  if (!isOverdue) return `due in ${formatCount(days)} days`;
  const overdue = Math.abs(days);
  const howLong = overdue < 1 ? 'less than a day' : formatPlural(overdue, ['day', 'days']);
  // The title says overdue.
  if (why === 'most-overdue') return howLong;
  return overdue < 1 ? `overdue for ${howLong}` : `${howLong} overdue`;
}

/** The most bars of a chart, or pairs of bars. A line has more points, which are in order of time. */
const maxBars = 5;

/** Fewer bars than this say no more than a line in words. */
const minBars = 3;

/** Longer titles are cut before the number of bars. */
const maxTitleLength = 50;

/** The chart of an answer. A chart with too few bars is one line of numbers instead. */
export interface FormattedVisual {
  /** Absent if the line is enough. */
  readonly chart?: Chart | undefined;
  /** `Overdue by content: Fire safety 24, First aid 3`: the chart in words. */
  readonly line: string;
}

/** Undefined where there is nothing to compare. */
export function formatVisual({ chart }: Pick<FiguresResult, 'chart'>): FormattedVisual | undefined {
  if (!chart) return undefined;
  const shown = firstBars(chart);
  const { series } = shown;
  const title = shown.title.replace(percentTitle, '');
  const isShare = title !== shown.title;
  const unit = isShare ? '%' : '';
  const names = distinctTexts(shown.categories, maxNameLength);
  const points: string[] = [];
  let filled = 0;
  for (const [i, name] of names.entries()) {
    let isEmpty = true;
    const each: string[] = [];
    for (const { name: of, values } of series) {
      if (values[i]) isEmpty = false;
      const value = `${formatCount(values[i] ?? 0)}${unit}`;
      each.push(series.length < 2 ? value : `${of.toLowerCase()} ${value}`);
    }
    if (!isEmpty) filled++;
    // A share of 0 is one of the lowest.
    else if (!isShare) continue;
    points.push(series.length < 2 ? `${name} ${each[0]}` : `${name}: ${each.join(', ')}`);
  }
  if (filled === 0) return isShare ? { line: `${title}: 0% in each` } : undefined;
  const line = `${title}: ${points.join(series.length < 2 ? ', ' : '; ')}`;
  return filled < minBars ? { line } : { chart: shown, line };
}

/** The chart with as many bars as it may have. Its title says which they are, of how many in all. */
function firstBars(chart: Chart): Chart {
  const { title, shape, categories, series, some } = chart;
  const most = shape !== 'bar' ? categories.length : Math.min(maxBars, categories.length);
  const all = some?.of ?? categories.length;
  if (all <= most) return chart;
  const which = `, ${some?.which ?? 'top'} ${most} of ${formatCount(all)}`;
  return {
    ...chart,
    title: `${truncateText(title, maxTitleLength - which.length)}${which}`,
    categories: categories.slice(0, most),
    series: series.map(({ name, values }) => ({ name, values: values.slice(0, most) })),
  };
}

const percentTitle = ' (%)';
