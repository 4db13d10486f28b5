import { fieldOf, type Report } from '../../catalogue/index.js';
import { narrows } from '../../requests/request.js';
import { changesById, decimalsOf, formatChange } from '../changes.js';
import type {
  Breakdown,
  Chart,
  FiguresResult,
  FigureValue,
  Highlight,
  Note,
  NotedFact,
  PeopleToLookAt,
  RefusedBreakdown,
  Spread,
} from '../result.js';
import { formatDayAndTime, formatDays } from './dates.js';
import { formatFilters, formatTitle, formatWhen, type ResultWithFigures } from './request.js';
import { displayText } from './text.js';
import { formatCount, formatPlural, formatShort, formatValue } from './values.js';

/** Longer names are cut within a sentence. */
const MAX_NAME_LENGTH = 60;

/** Longer values of the only row are cut. */
const MAX_VALUE_LENGTH = 200;

/** The texts of a message, for every place that shows one. No text in it formats, mentions or breaks a line. */
export interface FormattedSummary {
  readonly title: string;
  /** The range and the date it goes by. */
  readonly when: string;
  readonly filters: readonly string[];
  /** How many rows, `412 assignments`; absent where that may not be shown. */
  readonly rows?: string | undefined;
  readonly figures: readonly { readonly label: string; readonly value: string; readonly change?: string }[];
  /** What the changes are against, or why there are none. */
  readonly compared?: string;
  /** Further findings, each a title and a line. */
  readonly findings: readonly { readonly title: string; readonly line: string }[];
  /** The numbers of a chart that no table shows. */
  readonly chartNumbers?: string;
  /** What the only row holds, where there is just one. */
  readonly onlyRow: readonly { readonly label: string; readonly text: string }[];
  /** The people to look at. */
  readonly people?: { readonly title: string; readonly lines: readonly string[] };
  readonly notes: readonly string[];
  /** Present where there is nothing to show: one line, and the likeliest reasons. */
  readonly nothing?: { readonly line: string; readonly reasons: readonly string[] };
}

/** @param withPeople true where people may be named: in direct messages, and on the command line */
export function formatSummary(result: ResultWithFigures, withPeople: boolean): FormattedSummary {
  const { figures, report, request } = result;
  const compared = formatComparison(result);
  const chartNumbers =
    figures.chart && !figures.chart.inTable ? formatChartNumbers(figures.chart) : undefined;
  return {
    title: formatTitle(result),
    when: formatWhen(result),
    filters: formatFilters(result),
    rows: figures.tooFew === undefined ? formatRows(figures, narrows(request), report) : undefined,
    figures: formatFigures(result),
    compared,
    people:
      withPeople && figures.people && figures.people.listed.length > 0
        ? formatPeopleToLookAt(figures.people)
        : undefined,
    findings: findingsOf(figures),
    chartNumbers,
    onlyRow: (figures.onlyRow ?? [])
      .filter(({ personLevel }) => withPeople || !personLevel)
      .map(({ label, text }) => ({ label, text: displayText(text, MAX_VALUE_LENGTH) })),
    notes: [
      ...figures.notes.map(formatNote),
      ...(figures.counted > 1 ? notesOnBreakdown(figures.breakdown, report) : []),
    ],
    nothing: figures.counted === 0 ? formatEmptyResult(result) : undefined,
  };
}

/** `412 assignments`; of overdue ones `12 of 412 assignments`. */
function formatRows(figures: FiguresResult, isNarrowed: boolean, report: Report): string {
  if (!isNarrowed) return formatRowCount(figures, report);
  return `${formatCount(figures.counted)} of ${formatPlural(figures.records, report.rowWords)}`;
}

/** `412 assignments`; where people came in several rows each, `2 people (3 rows)`. */
function formatRowCount({ records, different }: FiguresResult, { rowWords }: Report): string {
  if (different?.kind !== 'people' || different.moreThan || different.count === records)
    return formatPlural(records, rowWords);
  return `${formatPlural(different.count, rowWords)} (${formatPlural(records, ['row', 'rows'])})`;
}

function formatFigures({ figures: result, before, lastRun }: ResultWithFigures): FormattedSummary['figures'] {
  const changed = changesById(result, {
    periodBefore: typeof before === 'object' ? before.figures : undefined,
    lastRun: lastRun?.figures,
  });
  return result.figures.map(({ id, label, value }) => {
    const change = changed.get(id);
    if (!change) return { label, value: formatValue(value) };
    return { label, value: formatValue(value, decimalsOf(change)), change: formatChange(change) };
  });
}

function formatComparison(result: ResultWithFigures): string | undefined {
  const kinds = new Set(result.figures.figures.map(({ compared }) => compared));
  const withPeriod = kinds.has('period-before') || kinds.has('equal-age');
  const said = [
    ...(withPeriod ? [formatPreviousPeriod(result)] : []),
    ...(kinds.has('last-run') ? formatLastRun(result, withPeriod) : []),
  ];
  return said.length > 0 ? said.join(' ') : undefined;
}

function formatPreviousPeriod({ before, asker }: ResultWithFigures): string {
  switch (before) {
    case 'late':
      return 'The period before took longer than 20 seconds to read, so no changes against it are shown.';
    case 'failed':
      return 'The period before could not be read, so no changes against it are shown.';
    case 'none':
      return 'There is no period before to compare with.';
    case 'too-few':
      return 'Too few people match in the period before, so no changes against it are shown.';
    case 'undated':
      return 'More than 1% of the completed rows of the period before have no completed date, so no changes against it are shown.';
  }
  const { range, asOf } = before;
  const then = asOf === undefined ? '' : `, as it stood ${formatDayAndTime(asOf, asker.zone)}, at equal age`;
  return `Changes are against ${formatDays(range)}${then}.`;
}

function formatLastRun({ lastRun, asker }: ResultWithFigures, withPeriod: boolean): readonly string[] {
  if (!lastRun) {
    // Beside changes that there are, what has none needs no reason.
    return withPeriod
      ? []
      : ['This request has not run here before, so there is nothing to compare with yet.'];
  }
  const what = withPeriod ? `For figures of now, changes are` : 'Changes are';
  return [`${what} against ${lastRunsOf[lastRun.of]}, ${formatDayAndTime(lastRun.takenAt, asker.zone)}.`];
}

const lastRunsOf = {
  digest: 'the last run of this digest',
  'saved-report': 'the last run of this saved report',
  asker: 'the last time the same person ran this here',
} as const;

function findingsOf({ highlights, spreads, upcoming }: FiguresResult): FormattedSummary['findings'] {
  return [
    ...highlights.map((highlight) => ({ title: highlight.title, line: formatHighlight(highlight) })),
    ...spreads.map((spread) => ({ title: spread.title, line: formatSpread(spread) })),
    ...(upcoming.length > 0
      ? [
          {
            title: 'Next with free seats',
            line: upcoming
              .map(
                ({ title, when, free, offered }) =>
                  `${displayText(title, MAX_NAME_LENGTH)} (${when}, ${formatCount(free)} of ${formatCount(offered)} free)`,
              )
              .join(', '),
          },
        ]
      : []),
  ];
}

function formatHighlight({ entries }: Highlight): string {
  return entries
    .map(({ label, value }) => `${displayText(label, MAX_NAME_LENGTH)} (${formatShort(value)})`)
    .join(', ');
}

function formatSpread({ entries, others }: Spread): string {
  const known = entries.map(
    ({ label, count }) => `${displayText(label, MAX_NAME_LENGTH)} ${formatCount(count)}`,
  );
  return [...known, ...(others > 0 ? [`others ${formatCount(others)}`] : [])].join(', ');
}

function formatChartNumbers({ categories, series, title }: Chart): string {
  const [only] = series;
  const points = categories.map(
    (label, i) => `${displayText(label, MAX_NAME_LENGTH)}: ${formatCount(only?.values[i] ?? 0)}`,
  );
  return `${title}: ${points.join(', ')}.`;
}

function notesOnBreakdown(breakdown: Breakdown | RefusedBreakdown | undefined, report: Report): string[] {
  if (!breakdown) return [];
  const field = fieldOf(report, breakdown.by);
  const label = (field?.label ?? breakdown.label).toLowerCase();
  if (breakdown.kind === 'refused')
    return [
      `There are more than ${formatCount(breakdown.moreThan)} values of ${label}, too many to break down by.`,
    ];
  if (!breakdown.countsEachEntry) return [];
  return field?.kind === 'list'
    ? [`A row with several ${label} counts in each of them.`]
    : [`A row with several values of ${label} counts in each of them.`];
}

/** One line, and why that may be. */
function formatEmptyResult({
  report,
  request,
  figures,
  range,
}: ResultWithFigures): NonNullable<FormattedSummary['nothing']> {
  if (figures.tooFew !== undefined)
    return { line: `Fewer than ${formatCount(figures.tooFew)} people match.`, reasons: [] };
  const [, many] = report.rowWords;
  if (narrows(request) && figures.records > 0)
    return {
      line: `Nothing is overdue among ${formatPlural(figures.records, report.rowWords)}.`,
      reasons: [],
    };
  const filtered = request.filters.length > 0;
  const named = request.filters.some(
    ({ member }) => !/(?:^|_)id$|email|^is_|^suspended$|^archived$/.test(member),
  );
  return {
    line: `No ${many} were found.`,
    reasons: [
      ...(filtered ? ['The filters may match nothing: the service compares whole names.'] : []),
      ...(named ? ['The service may expect identifiers instead of names in filters.'] : []),
      ...(range ? ['The range may be too early, or nothing happened in it.'] : []),
      ...(filtered || range ? [] : ['The service may have nothing to report yet.']),
    ],
  };
}

/** What a reader of the figures has to know, in a sentence. */
export function formatNote(note: Note): string {
  switch (note.kind) {
    case 'missing':
      return `${formatRowShare(note.rows, note.of)} had no ${note.field}.`;
    case 'unreadable':
      return `${formatRowShare(note.rows, note.of)} had ${withArticle(note.field)} that could not be read.`;
    case 'fact':
      return factSentences[note.fact](note.rows);
    case 'small-groups':
      return leftOutSentences[note.leftOut](formatCount(note.people));
  }
}

const leftOutSentences: Readonly<
  Record<Extract<Note, { kind: 'small-groups' }>['leftOut'], (people: string) => string>
> = {
  figures: (people) => `Figures about fewer than ${people} people are left out.`,
  breakdown: (people) =>
    `The breakdown is left out, because it would show groups of fewer than ${people} people.`,
};

const factSentences: Readonly<Record<NotedFact, (rows: number) => string>> = {
  'engagement-may-list-only-active': () =>
    'The service may leave out people who did nothing at all, and then the share active looks higher than it is.',
  'nobody-named': (rows) =>
    `${formatPlural(rows, ['row', 'rows'])} named nobody, and no person is counted for them.`,
  'nobody-named-counts': (rows) =>
    `${formatPlural(rows, ['row', 'rows'])} named nobody, and each counts as one person.`,
  'completed-without-date': (rows) =>
    `${formatPlural(rows, ['completed row', 'completed rows'])} had no completed date, and ${rows === 1 ? 'counts' : 'count'} neither as on time nor as late.`,
  'completed-before-assigned': (rows) =>
    `${formatPlural(rows, ['row was', 'rows were'])} completed before being assigned, and are left out of the median.`,
  'too-many-values-for-a-median': () => 'There were too many different values to find the middle one.',
  'progress-came-as-fractions': () => 'Progress came as fractions of 1 and is shown in percent.',
  'no-day-of-completion': (rows) =>
    `${formatPlural(rows, ['row', 'rows'])} gave no readable day of completion, and no day in the chart.`,
  'attendance-may-come-late': (rows) =>
    rows > 0
      ? `${formatPlural(rows, ['session has', 'sessions have'])} ended without any attendance so far. It can arrive late.`
      : 'Attendance can arrive late.',
};

/** `an assigned date`, `a due date`, `a user ID`. */
function withArticle(field: string): string {
  return `${/^(?!us)[aeiou]/i.test(field) ? 'an' : 'a'} ${field}`;
}

function formatRowShare(rows: number, of: number): string {
  return `${formatCount(rows)} of ${formatPlural(of, ['row', 'rows'])}`;
}

const maxPersonNameLength = 80;

const titles: Readonly<Record<PeopleToLookAt['why'], string>> = {
  'most-overdue': 'Longest overdue',
  stalled: 'Stalled',
  'never-signed-in': 'Never signed in',
};

/** The people to look at: a title with their number, and a line for each listed person. */
function formatPeopleToLookAt({ why, rows, listed }: PeopleToLookAt): {
  title: string;
  lines: readonly string[];
} {
  const some =
    listed.length < rows ? `${formatCount(listed.length)} of ${formatCount(rows)}` : formatCount(rows);
  return {
    title: `${titles[why]} (${some})`,
    lines: listed.map(({ name, about, value }) =>
      [
        displayText(name, maxPersonNameLength),
        ...(about === undefined ? [] : [displayText(about, maxPersonNameLength)]),
        ...(value ? [formatPersonValue(why, value)] : []),
      ].join(', '),
    ),
  };
}

function formatPersonValue(why: PeopleToLookAt['why'], value: FigureValue): string {
  if (why !== 'most-overdue') return formatValue(value);
  const isToday = value.kind === 'amount' && value.amount < 1;
  return isToday ? 'overdue for less than a day' : `${formatValue(value)} overdue`;
}
