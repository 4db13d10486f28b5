import { narrows } from '../../requests/request.js';
import { changesById, type FormattedChange, formatChange, leavesOutTheSame } from '../changes.js';
import { findings } from '../reports/findings.js';
import type {
  Figure,
  FiguresResult,
  FigureValue,
  Highlight,
  PeopleToLookAt,
  Spread,
  UpcomingSession,
} from '../result.js';
import { formatFinding, formatRowCount } from './finding.js';
import { meanings } from './meanings.js';
import { formatComparison, formatNotes } from './notes.js';
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
import { displayText } from './text.js';
import {
  formatCount,
  formatPlural,
  formatShort,
  formatValue,
  isNotReached,
  plainNumber,
  withoutSampleSize,
} from './values.js';
import { type FormattedVisual, formatVisual } from './visual.js';

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
  const { figures, report } = result;
  const { sentence, says } = formatFinding(result, reader);
  const own = isOwn(result, reader);
  const all = formatFigures(result).filter(({ id }) => !own || !ofSeveral.has(id));
  const comparison = formatComparison(result, isAfterNewYear(given));
  const notes = formatNotes(result, comparison);
  const limit = formatLimit(result.scope, reader.isOwner ? 'owner' : 'you');
  const isOne = figures.counted === 1;
  const showsFigures = figures.counted > 0 && !figures.onlyRow;
  const labels = new Set(all.map(({ label }) => label));
  return {
    finding: sentence,
    context: [
      formatWhen(result, reader),
      ...(comparison.short && showsFigures ? [comparison.short] : []),
      ...new Set([...(limit ? [limit] : []), ...formatFilters(result, reader)]),
      ...formatLeftOut(figures),
    ],
    keyFigures: figures.onlyRow ? [] : keyFigures(result, all, says),
    figures: all,
    visual: isOne ? undefined : formatVisual(figures),
    lines: linesOf(figures),
    rows: figures.tooFew === undefined && figures.records > 0 ? formatRows(result, all, says) : undefined,
    people:
      reader.withPeople && !isOne && figures.people && figures.people.listed.length > 0
        ? formatPeopleToLookAt(figures.people, own, reader.maxPeople)
        : undefined,
    readingNotes: showsFigures ? notes.reading : [],
    notes: showsFigures ? notes.rest : [],
    meanings:
      figures.counted < minForMeanings ? [] : meanings[report.name].filter(({ term }) => labels.has(term)),
    nothing: figures.counted === 0 ? { reasons: reasonsForNothing(result, own) } : undefined,
  };
}

/** Without comparisons with figures that left out other people, or that looked at another window of assignments. */
function withComparable(result: ResultWithFigures): ResultWithFigures {
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

/** The most important figures that the finding does not say, without zeros and unknown values. */
function keyFigures(
  { figures: { figures }, report, request }: ResultWithFigures,
  all: readonly FormattedFigure[],
  says: readonly string[],
): readonly FormattedFigure[] {
  const { keyFigures, rows, leftOut = [] } = findings[report.name];
  const hidden = [...says, ...leftOut, rows];
  const left = figures.filter(({ id, value }) => !hidden.includes(id) && isWorthShowing(value));
  // Narrowed answers have figures of their own, in their order.
  const order = [...(narrows(request) ? [] : keyFigures), ...left.map(({ id }) => id)];
  return left
    .sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
    .slice(0, maxKeyFigures)
    .flatMap(({ id }) => {
      const figure = all.find((each) => each.id === id);
      return figure ? [{ ...figure, value: withoutSampleSize(figure.value) }] : [];
    });
}

function isWorthShowing(value: FigureValue): boolean {
  return value.kind === 'people' ? value.count > 0 : isNotReached(value) || Boolean(plainNumber(value));
}

/** `412 assignments (▲ 12%)`; where the figures count fewer, `12 of 412 assignments`. */
function formatRows(
  result: ResultWithFigures,
  all: readonly FormattedFigure[],
  says: readonly string[],
): string {
  const { figures, report } = result;
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

function formatFigures({ figures, before, lastRun }: ResultWithFigures): readonly FormattedFigure[] {
  const changed = changesById(figures, {
    periodBefore: typeof before === 'object' ? before.figures : undefined,
    lastRun: lastRun?.figures,
  });
  return figures.figures.map(({ id, label, value }: Figure) => {
    const change = changed.get(id);
    if (!change) return { id, label, value: formatValue(value) };
    const formatted = formatChange(change);
    return { id, label, value: formatValue(value, formatted.decimals), change: formatted };
  });
}

function linesOf({
  highlights,
  spreads,
  upcoming,
  breakdown,
  counted,
}: FiguresResult): FormattedSummary['lines'] {
  if (counted < 2) return [];
  // A table that is seen at once has the groups in their order, so a ranking would repeat it.
  const isSeenAtOnce = breakdown?.kind === 'groups' && breakdown.rows.length <= maxRowsAtOnce;
  return [
    ...(isSeenAtOnce ? [] : highlights).map((highlight) => ({
      title: highlight.title,
      line: formatHighlight(highlight),
    })),
    ...spreads.map((spread) => ({ title: spread.title, line: formatSpread(spread) })),
    { title: 'Next with free seats', line: upcoming.map(formatUpcoming).join(', ') },
  ].filter(({ line }) => line !== '');
}

function formatUpcoming({ title, when, free, offered }: UpcomingSession): string {
  return `${displayText(title, maxNameLength)} (${when}, ${formatCount(free)} of ${formatCount(offered)} free)`;
}

function formatHighlight({ entries }: Highlight): string {
  return entries
    .map(({ label, value }) => `${displayText(label, maxNameLength)} ${formatShort(value)}`)
    .join(', ');
}

function formatSpread({ entries, others }: Spread): string {
  const known = entries.map(
    ({ label, count }) => `${displayText(label, maxNameLength)} ${formatCount(count)}`,
  );
  return [...known, ...(others > 0 ? [`others ${formatCount(others)}`] : [])].join(', ');
}

function reasonsForNothing(result: ResultWithFigures, own: boolean): readonly string[] {
  const { figures, range } = result;
  if (figures.tooFew !== undefined || figures.records > 0) return [];
  const early = range ? ['The range may be too early, or nothing happened in it.'] : [];
  return [...reasonsInRequest(result, own), ...early];
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
  return [
    'The filters may match nothing: names must be complete, as in your learning system.',
    ...(isNamed ? ['If names never find anything, tell your admin: the service may need identifiers.'] : []),
  ];
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
  const all = listed.map(({ name, about, value }) =>
    [
      ...(own && about !== undefined ? [] : [displayText(name, maxLength)]),
      ...(about === undefined ? [] : [displayText(about, maxLength)]),
      ...(value ? [formatPersonValue(why, value)] : []),
    ].join(', '),
  );
  const lines = maxPeople === undefined ? all : firstLines(all, maxPeople);
  if (lines.length === 0) return undefined;
  const some =
    lines.length < rows ? `${formatCount(lines.length)} of ${formatCount(rows)}` : formatCount(rows);
  return { title: `${title} (${some})`, lines };
}

/** At most so many lines, and fewer where they wrap on a phone. */
function firstLines(all: readonly string[], maxLines: number): readonly string[] {
  let room = maxLines + 1;
  return all.slice(0, maxLines).filter((line) => {
    room -= Math.ceil(line.length / phoneLineLength);
    return room >= 0;
  });
}

function formatPersonValue(why: PeopleToLookAt['why'], value: FigureValue): string {
  const days = value.kind === 'amount' && value.unit === 'days' ? value.amount : undefined;
  if (days === undefined)
    return value.kind === 'amount' && value.unit === 'points'
      ? `score ${formatValue(value)}`
      : formatValue(value);
  const isOverdue = why !== 'due' || days < 0 || Object.is(days, -0);
  if (!isOverdue) return formatDueIn(days);
  const overdue = Math.abs(days);
  const howLong = overdue < 1 ? 'less than a day' : formatPlural(overdue, ['day', 'days']);
  // The title says overdue.
  if (why === 'most-overdue') return howLong;
  return overdue < 1 ? `overdue for ${howLong}` : `${howLong} overdue`;
}

/** @param days calendar days from today */
function formatDueIn(days: number): string {
  if (days < 2) return days === 0 ? 'due today' : 'due tomorrow';
  return `due in ${formatCount(days)} days`;
}
