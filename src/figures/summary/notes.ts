import { fieldOf, hasLearners, type Report } from '../../catalogue/index.js';
import {
  formatCount,
  formatDay,
  formatDayAndTime,
  formatDays,
  formatMoment,
  formatPlural,
  formatTime,
} from '../format/values.js';
import type { Breakdown, LeftOut, Note, NotedFact, RefusedBreakdown } from '../result.js';
import type { NoEarlierFigures } from './changes.js';
import type { ResultWithFigures } from './request.js';

/** The comparison behind the changes, in words. */
export interface FormattedComparison {
  /** On the line below the finding: `Compared with 2–8 Nov 2026`; absent where there is nothing to compare with. */
  readonly short?: string | undefined;
  /** Full sentences. If there are no changes, they say why. */
  readonly long: readonly string[];
  /** True where changes are missing that the reader would expect. */
  readonly isMissing: boolean;
}

/** @param isAfterNewYear true where the last run was before New Year and looked at other assignments */
export function formatComparison(result: ResultWithFigures, isAfterNewYear = false): FormattedComparison {
  const { before, lastRun, figures, asker, range } = result;
  const kinds = new Set(figures.figures.map(({ compared }) => compared));
  const withPeriod = kinds.has('period-before') || kinds.has('equal-age');
  const withLastRun = kinds.has('last-run');
  const shorts: string[] = [];
  const long: string[] = [];
  if (withPeriod) {
    if (typeof before === 'object') {
      const { asOf, readAt, range: earlier } = before;
      const isDay = range?.firstDay === range?.lastDay && earlier.firstDay === earlier.lastDay;
      const isAWeekBefore =
        range && isDay && Date.parse(range.firstDay) - Date.parse(earlier.firstDay) === weekMs;
      const days = `${formatDays(earlier)}${isAWeekBefore ? ', a week before' : ''}`;
      const read = readAt === undefined ? '' : formatReadAt(readAt, result);
      const what = `${days}${asOf === undefined ? read : ' at the same age'}`;
      const stood = asOf === undefined ? '' : `, as it stood on ${formatDayAndTime(asOf, asker.zone)}`;
      shorts.push(what);
      long.push(`Compared with ${what}${stood}.`);
    } else if (before !== 'not-yet') long.push(noPeriod[before]);
  }
  if (withLastRun && lastRun) {
    shorts.push(`the last run on ${formatDay(lastRun.takenAt, asker.zone)}`);
    const what = withPeriod ? 'Figures of now are compared' : 'Compared';
    long.push(`${what} with the last run on ${formatDayAndTime(lastRun.takenAt, asker.zone)}.`);
  } else if (withLastRun && !withPeriod) {
    long.push(
      isAfterNewYear
        ? 'No changes: the last run was before New Year, and looked at other assignments.'
        : 'Nothing to compare with yet: this is the first run here.',
    );
  }
  const isMissing = withPeriod && typeof before !== 'object' && before !== 'none' && before !== 'not-yet';
  const joint = withPeriod && typeof before === 'object' && before.readAt !== undefined ? ', and ' : ' and ';
  return { short: shorts.length > 0 ? `Compared with ${shorts.join(joint)}` : undefined, long, isMissing };
}

const weekMs = 7 * 24 * 60 * 60 * 1000;

/** `, as of 09:12`, with the day where it is not that of the request. */
function formatReadAt(readAt: number, { requestedAt, asker: { zone } }: ResultWithFigures): string {
  const isSameDay = formatDay(readAt, zone) === formatDay(requestedAt, zone);
  return `, as of ${isSameDay ? formatTime(readAt, zone) : formatMoment(readAt, zone)}`;
}

const noPeriod: Readonly<Record<Exclude<NoEarlierFigures, 'not-yet'>, string>> = {
  late: 'No changes: the period before was not read in time.',
  failed: 'No changes: the period before could not be read.',
  none: 'There is no period before to compare with.',
  'too-few': 'No changes: too few people match in the period before.',
  undated: 'No changes: more than 1% of the completed rows of the period before have no completed date.',
};

/** From this share of the rows on, missing values change how the figures read. */
const minMissingShare = 0.25;

/** Notes in sentences: those that change how the figures read, and the rest. */
export function formatNotes({ figures, report }: ResultWithFigures, comparison: FormattedComparison) {
  const { breakdown, notes, counted } = figures;
  const [first, ...others] = comparison.long;
  const reading: string[] = comparison.isMissing && first !== undefined ? [first] : [];
  const rest: string[] = [...(comparison.isMissing ? others : comparison.long)];
  if (counted > 1 && breakdown?.kind === 'refused') reading.push(formatRefusedBreakdown(breakdown, report));
  if (counted > 1 && breakdown?.kind === 'groups' && breakdown.severalCount)
    rest.push(formatSharedRows(breakdown, report));
  for (const note of notes) (changesReading(note) ? reading : rest).push(formatNote(note));
  return { reading, rest };
}

function changesReading(note: Note): boolean {
  switch (note.kind) {
    case 'small-groups':
      // The others are about cells of the table, and stand with it.
      return !['columns', 'cells', 'shared-people'].includes(note.leftOut);
    case 'condition':
      return true;
    case 'missing':
    case 'unreadable':
      return note.rows >= note.of * minMissingShare;
    case 'fact':
      return note.fact === 'attendance-may-come-late' && note.rows > 0;
  }
}

function formatRefusedBreakdown({ by, label, moreThan }: RefusedBreakdown, report: Report): string {
  const values = (fieldOf(report, by)?.label ?? label).toLowerCase();
  return `There are more than ${formatCount(moreThan)} values of ${values}, too many to break down by.`;
}

function formatSharedRows({ by, label, severalCount }: Breakdown, report: Report): string {
  const field = fieldOf(report, by);
  const values = (field?.label ?? label).toLowerCase();
  const who = hasLearners(report) && field?.group === 'Organization' ? 'People' : 'Rows';
  const several = field?.kind === 'list' ? `several ${values}` : `several values of ${values}`;
  const line = severalCount === 'in-each' ? 'each' : 'the first of them';
  return `${who} ${who === 'People' ? 'in' : 'with'} ${several} count in ${line}.`;
}

export function formatNote(note: Note): string {
  switch (note.kind) {
    case 'condition': {
      const rows = note.rows === undefined ? 'Rows' : formatPlural(note.rows, ['row', 'rows']);
      return `${rows} without a readable value of “${note.field}” ${note.rows === 1 ? 'is' : 'are'} left out.`;
    }
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

const leftOutSentences: Readonly<Record<LeftOut, (people: string) => string>> = {
  figures: (people) => `Figures about fewer than ${people} people are left out.`,
  columns: (people) => `Columns that would show figures about fewer than ${people} people are left out.`,
  cells: (people) => `“Too few” is about fewer than ${people} people, or hides a figure that is.`,
  'shared-people': () => 'The number of people is left out of lines that share people with other lines.',
  breakdown: (people) => `The breakdown is left out: it would show groups of fewer than ${people} people.`,
  'breakdown-too-large': () =>
    'The breakdown is left out: it has too many people and values to protect small groups.',
  'breakdown-of-several-values': () =>
    'The breakdown is left out: rows have several values, so small groups could not be protected.',
};

const factSentences: Readonly<Record<NotedFact, (rows: number) => string>> = {
  'engagement-may-list-only-active': () =>
    'The service may leave out people who did nothing. The share of active people then looks too high.',
  'inactive-people-may-be-missing': () =>
    'The service may leave out people who did nothing. Then more people are inactive than shown.',
  'no-person-named': (rows) =>
    `${formatPlural(rows, ['row names', 'rows name'])} nobody, so nobody is counted for ${rows === 1 ? 'it' : 'them'}.`,
  'no-person-named-counts': (rows) =>
    `${formatPlural(rows, ['row names nobody, and counts', 'rows name nobody. Each counts'])} as one person.`,
  'completed-without-date': (rows) =>
    `${formatPlural(rows, ['completed row has no completed date. It counts', 'completed rows have no completed date. They count'])} neither as on time nor as late.`,
  'completed-before-assigned': (rows) =>
    `${formatPlural(rows, ['row was completed before it was', 'rows were completed before they were'])} assigned. The median leaves ${rows === 1 ? 'it' : 'them'} out.`,
  'too-many-values-for-a-median': () => 'There are too many different values to find the median.',
  'progress-came-as-fractions': () => 'Progress came as fractions of 1 and is shown in percent.',
  'no-day-of-completion': (rows) =>
    `${formatPlural(rows, ['row has no readable day of completion. The chart leaves it', 'rows have no readable day of completion. The chart leaves them'])} out.`,
  'attendance-may-come-late': (rows) =>
    rows > 0
      ? `${formatPlural(rows, ['session has ended without attendance so far. It', 'sessions have ended without attendance so far. It'])} can arrive late.`
      : 'Attendance can arrive late.',
};

/** `an assigned date`, `a due date`, `a user ID`. */
function withArticle(field: string): string {
  return `${/^(?!us)[aeiou]/i.test(field) ? 'an' : 'a'} ${field}`;
}

function formatRowShare(rows: number, of: number): string {
  return `${formatCount(rows)} of ${formatPlural(of, ['row', 'rows'])}`;
}
