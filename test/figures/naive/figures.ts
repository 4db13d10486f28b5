import { fieldOf, reportNamed } from '../../../src/catalogue/index.js';
import type { FiguresPlan, FiguresResult, FigureValue } from '../../../src/figures/result.js';
import { isDueList, isOverdueList, naiveAssignments, naiveDue, naiveOverdue } from './assignments.js';
import { naiveAssessments, naiveCompletions } from './learning.js';
import { dayIn, type Row } from './row.js';
import { countedRows } from './states.js';
import { naiveEngagement, naiveTracks, naiveWorkshops, rowsOfPeople } from './taking-part.js';
import { people, sumOf } from './values.js';

export type NaiveFigures = Readonly<Record<string, FigureValue>>;

/**
 * Every figure of a plan by its ID, computed from all rows in memory as docs/figures.md defines them.
 *
 * @param all the whole answer, if `rows` is only one of its groups
 */
export function naiveFigures(rows: readonly Row[], plan: FiguresPlan, all = rows): NaiveFigures {
  const counted = countedRows(all, plan);
  const figures = Object.entries(figuresOf(countedRows(rows, plan, all), plan, all));
  return Object.fromEntries(
    figures.map(([id, value]) => {
      const flags = needs[plan.report]?.[id];
      const read = flags?.every((flag) => decisive.includes(flag)) ? all : counted;
      return [id, isKnown(flags, read) ? value : { kind: 'unknown' }];
    }),
  );
}

/** The figures of an answer that is narrowed to several states. The counting itself decides which ones. */
export function shownFigures(
  figures: NaiveFigures,
  { figures: shown }: Pick<FiguresResult, 'figures'>,
  { states = [] }: FiguresPlan,
): NaiveFigures {
  if (states.length < 2) return figures;
  return Object.fromEntries(Object.entries(figures).filter(([id]) => shown.some((one) => one.id === id)));
}

const activity = ['sessions', 'views', 'seconds_viewed', 'assignments_completed'];

/** Fields that decide about the state are read in every row. Other fields are read only in rows that count. */
const decisive = [...activity, 'registered_seats'];

/** Figures that are unknown if no row of the answer has any of these numbers. */
const needs: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  engagement: {
    'active-people': activity,
    'inactive-people': activity,
    'active-share': activity,
  },
  assessments: { 'attempts-per-person': ['assessment_attempts'] },
  workshops: { 'seats-filled': ['registered_seats'], 'seats-booked': ['registered_seats'] },
};

function isKnown(flags: readonly string[] | undefined, all: readonly Row[]): boolean {
  if (!flags || all.length === 0) return true;
  return all.some((row) => flags.some((flag) => row.number(flag) !== undefined));
}

function figuresOf(rows: readonly Row[], plan: FiguresPlan, all: readonly Row[]): NaiveFigures {
  if (isOverdueList(plan)) return naiveOverdue(rows, plan);
  if (isDueList(plan)) return naiveDue(rows, plan);
  const figures = { ...wholeFigures(rows, plan, all), ...narrowedFigures(rows, plan) };
  const shown = plan.states && narrowedIds[plan.report]?.[plan.states.join()];
  return shown ? Object.fromEntries(Object.entries(figures).filter(([id]) => shown.includes(id))) : figures;
}

/** Figures that only narrowed answers have. */
function narrowedFigures(rows: readonly Row[], plan: FiguresPlan): NaiveFigures {
  const { report, states } = plan;
  if (!states) return {};
  if (report === 'workshops') {
    const free = countedRows(rows, { ...plan, states: ['free-seats'] }).map(
      (row) => (row.number('offered_seats') ?? 0) - (row.number('registered_seats') ?? 0),
    );
    return { 'free-seats': { kind: 'count', count: sumOf(free) } };
  }
  if (report === 'engagement') {
    const isIdle = (own: readonly Row[]) =>
      own.every((row) => activity.every((flag) => !((row.number(flag) ?? 0) > 0)));
    return { 'inactive-people': { kind: 'count', count: rowsOfPeople(rows).filter(isIdle).length } };
  }
  return { people: people(rows) };
}

/** The figures of an answer that is narrowed to one state. */
const narrowedIds: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  assignments: {
    'not-started': ['assignments', 'people', 'overdue', 'due-soon'],
    'in-progress': ['assignments', 'people', 'overdue', 'due-soon'],
    'not-completed': ['assignments', 'people', 'overdue', 'due-soon', 'not-started'],
    completed: ['assignments', 'people', 'on-time', 'late', 'days-to-complete', 'by-hand'],
    late: ['assignments', 'people', 'days-to-complete', 'by-hand'],
  },
  tracks: {
    stalled: ['enrolments', 'people', 'average-progress'],
    'not-started': ['enrolments', 'people'],
    'in-progress': ['enrolments', 'people', 'average-progress', 'stalled'],
    'not-completed': ['enrolments', 'people', 'started', 'average-progress', 'in-progress', 'stalled'],
    completed: ['enrolments', 'people'],
  },
  assessments: {
    passed: ['results', 'people', 'average-score', 'median-score', 'attempts-per-person'],
    failed: ['results', 'people', 'average-score', 'median-score', 'attempts-per-person'],
    waiting: ['results', 'people', 'attempts-per-person'],
  },
  engagement: {
    active: [
      'active-people',
      'time',
      'sessions',
      'assignments-completed',
      'tracks-completed',
      'average-rating',
    ],
    inactive: ['inactive-people', 'tracks-completed', 'average-rating'],
  },
  workshops: {
    'free-seats': ['sessions', 'free-seats', 'seats-booked', 'waiting', 'cancelled'],
    full: ['sessions', 'seats-filled', 'seats-booked', 'attendance', 'no-shows', 'waiting', 'cancelled'],
    waitlist: ['sessions', 'seats-filled', 'seats-booked', 'attendance', 'no-shows', 'waiting', 'cancelled'],
  },
};

function wholeFigures(rows: readonly Row[], plan: FiguresPlan, all: readonly Row[]): NaiveFigures {
  switch (plan.report) {
    case 'assignments':
      return naiveAssignments(rows, plan);
    case 'tracks':
      return naiveTracks(rows, all);
    case 'completions':
      return naiveCompletions(rows, plan);
    case 'assessments':
      return naiveAssessments(rows);
    case 'engagement':
      return naiveEngagement(rows, plan);
    case 'workshops':
      return naiveWorkshops(rows, plan);
  }
}

/** The figures of each value of a list field or a text field; `null` for rows without one. */
export function naiveGroups(
  rows: readonly Row[],
  plan: FiguresPlan,
  flag: string,
): ReadonlyMap<string | null, NaiveFigures> {
  const counted = countedRows(rows, plan);
  const labels = new Set(naiveLabels(counted, plan, flag).flat());
  return new Map([...labels].map((label) => [label, naiveTogether(rows, plan, flag, [label])]));
}

/** The figures of all rows that are in any of those groups. */
export function naiveTogether(
  rows: readonly Row[],
  plan: FiguresPlan,
  flag: string,
  groups: readonly (string | null)[],
): NaiveFigures {
  const counted = countedRows(rows, plan);
  const labels = naiveLabels(counted, plan, flag);
  const among = counted.filter((_, i) => labels[i]?.some((label) => groups.includes(label)));
  return naiveFigures(among, plan, rows);
}

/** The groups of each row. */
export function naiveLabels(
  rows: readonly Row[],
  { report, zone }: FiguresPlan,
  flag: string,
): readonly (readonly (string | null)[])[] {
  const kind = fieldOf(reportNamed(report), flag)?.kind;
  if (kind === 'status') return rows.map((row) => [naiveStatusLabel(row, flag)]);
  if (kind === 'date') return naivePeriods(rows, zone, flag);
  const isList = kind === 'list';
  const listed = rows.filter((row) => row.sentText(flag) === undefined);
  const whole = listed.flatMap((row) => row.entries(flag)).map((entry) => entry.trim());
  return rows.map((row) => {
    const text = row.sentText(flag);
    const entries = isList && text !== undefined ? pieces(text, whole) : row.entries(flag);
    const labels = entries.map((entry) => entry.trim());
    return labels.length > 0 ? labels : [null];
  });
}

const monthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** The month of each date, or its year where the dates are in more than 18 months from the first to the last. */
function naivePeriods(rows: readonly Row[], zone: string, flag: string) {
  const days = rows.map((row) => {
    const date = row.date(flag);
    return date && dayIn(zone, date).split('-').map(Number);
  });
  const months = days
    .flatMap((day) => (day ? [(day[0] ?? 0) * 12 + (day[1] ?? 0)] : []))
    .sort((a, b) => a - b);
  const span = (months.at(-1) ?? 0) - (months[0] ?? 0) + 1;
  return rows.map((row, i): readonly (string | null)[] => {
    const [year, month = 1] = days[i] ?? [];
    if (year !== undefined) return [span > 18 ? `${year}` : `${monthNames[month - 1]} ${year}`];
    const [text] = row.entries(flag);
    return [text === undefined ? null : text.trim()];
  });
}

/** A status code as words. A status of several words stays as it is, with a capital. */
function naiveStatusLabel(row: Row, flag: string): string | null {
  const sent = row.text(flag)?.trim();
  if (sent === undefined) return null;
  const words = sent.includes(' ') && sent !== sent.toUpperCase() ? sent : (row.status(flag) ?? sent);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The entries of a text list, separated by semicolons or else by commas. Known entries with commas stay whole. */
function pieces(text: string, whole: readonly string[]): readonly string[] {
  const parts = text.split(/([;,])/);
  if (parts.length === 1) return [text].filter((only) => only.trim() !== '');
  const lengths = parts.map((_, i) => parts.length - i).filter((length) => length % 2 === 1 && length > 1);
  const longest = lengths.find((length) => whole.includes(parts.slice(0, length).join('').trim()));
  const semicolon = parts.indexOf(';');
  const length = longest ?? (semicolon > 0 ? semicolon : 1);
  const first = parts.slice(0, length).join('');
  const rest = parts.slice(length + 1).join('');
  return [first, ...pieces(rest, whole)].filter((piece) => piece.trim() !== '');
}
