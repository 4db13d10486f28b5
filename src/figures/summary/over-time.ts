import { format } from 'date-fns/format';
import { reportNamed } from '../../catalogue/index.js';
import { joinWords } from '../../requests/join-words.js';
import { type OverUnit, unitsOf } from '../../requests/over-time.js';
import { quoteTypedWord } from '../../requests/problem.js';
import {
  isCohort,
  type PartOfRequest,
  type ReportRequest,
  type ResolvedRange,
} from '../../requests/request.js';
import { hasConditionOfNow } from '../../requests/row-conditions.js';
import { compact } from '../../requests/text.js';
import { dayAt } from '../../time/calendar.js';
import { unknown } from '../counting/rules.js';
import { formatDays, plainNumber, roundedPercent } from '../format/values.js';
import {
  type Breakdown,
  type Chart,
  type FiguresResult,
  type FigureValue,
  type Note,
  nothingCounted,
  type OverTimeFigures,
  type UnitLine,
  type UnitValues,
} from '../result.js';
import { comparableNumbers, type EarlierFigures, type NoEarlierFigures } from './changes.js';
import { figureMeant, figuresOfRequest, type NamedFigure } from './named-figures.js';
import { formatTitle } from './request.js';

const comparedInTime = ['period-before', 'equal-age'] as const;

/** The figures of a request that have a past, in their order, and those that have none. */
export function figuresInTime(request: PartOfRequest) {
  const all = figuresOfRequest(request);
  const hasPast = ({ compared }: NamedFigure) => comparedInTime.some((how) => how === compared);
  return {
    shown: all.filter(hasPast),
    ofNow: all.filter(({ compared }) => compared === 'last-run'),
    ofAge: all.filter(({ compared }) => compared === 'nothing'),
  };
}

/** Why there is no such answer over time, or no such comparison, and the figure that was probably meant. */
export interface OverTimeRefusal {
  readonly sentence: string;
  readonly near?: string;
}

/** Validates what `over:`, `figure:` and `against:` ask for. Undefined: it is possible, or nothing asks for it. */
export function overTimeRefusal(request: ReportRequest): OverTimeRefusal | undefined {
  const { over, against, figure } = request;
  if (over === undefined && against === undefined) return undefined;
  if (over !== undefined && request.target)
    return { sentence: 'An answer over time has no target. Leave out target:, or over:.' };
  if (over !== undefined && request.file === 'evidence')
    return { sentence: 'Evidence is of one range. Leave out evidence, or over:.' };
  if (hasConditionOfNow(request)) {
    const option = over === undefined ? `against:${against}` : `over:${over}`;
    return {
      sentence: `A condition on what changes with time, such as a status or a score, has no past, so leave out ${option} or the condition.`,
    };
  }
  const { shown, ofNow, ofAge } = figuresInTime(request);
  const title = formatTitle({ report: reportNamed(request.report), request }).toLowerCase();
  const which = request.states ? `${title} with only:${request.states.join(',')}` : title;
  if (shown.length === 0) {
    const option = over === undefined ? `against:${against}` : `over:${over}`;
    return { sentence: `All figures of ${which} describe now and have no past, so leave out ${option}.` };
  }
  if (figure === undefined || shown.some(({ id }) => id === figure)) return undefined;
  const known = [...ofNow, ...ofAge].find(({ id }) => id === figure);
  const ids = joinWords(
    shown.map(({ id }) => id),
    'or',
  );
  if (known?.compared === 'last-run')
    return { sentence: `“${known.label}” describes now and has no past. Over time, use ${ids}.` };
  if (known) {
    const byAge = request.report === 'tracks' ? ', or add on:assigned_date' : '';
    return {
      sentence: `“${known.label}” grows with time, so older rows always have more. Use ${ids}${byAge}.`,
    };
  }
  const near = figureMeant(figure, shown);
  const meant = near === undefined ? '' : ` Did you mean “${near}”?`;
  return {
    sentence: `There is no figure “${quoteTypedWord(figure)}” in ${which}: over time, it has ${ids}.${meant}`,
    ...(near !== undefined && { near }),
  };
}

/** The figures of one unit as they were read or kept. */
export interface CountedUnit {
  /** Absent, with the figures, where there is no such unit. */
  readonly range?: ResolvedRange;
  readonly figures: FiguresResult | undefined;
  /** Milliseconds since the epoch, where they were read for an earlier answer. */
  readonly readAt?: number | undefined;
  /** The instant that it was counted for, where that is not now. */
  readonly asOf?: number | undefined;
}

/** Above this share of completed rows without a date, nobody knows how many were completed at an instant. */
const maxUndatedShare = 0.01;

export function tooManyUndated({ recounted }: Pick<FiguresResult, 'recounted'>): boolean {
  return recounted !== undefined && recounted.undated > maxUndatedShare * recounted.completed;
}

/**
 * The answer over time of its units. Its figures are those of the newest unit, with the unit that they are compared with.
 *
 * @param yearBefore the same units a year before; absent: they were not asked for
 */
export function overTimeResult(
  request: ReportRequest,
  units: readonly CountedUnit[],
  yearBefore?: readonly CountedUnit[],
): { readonly figures: FiguresResult; readonly before: EarlierFigures | NoEarlierFigures } {
  const { shown: columns, ofNow, ofAge } = figuresInTime(request);
  const newest = units.at(-1);
  const main = columns.find(({ id }) => id === request.figure) ?? columns[0];
  if (!newest?.figures || !main) throw new Error('An answer over time has units and a figure');
  const { report } = newest.figures;
  const { leftOut } = newest.figures;
  const tooFew = units.find(({ figures }) => figures?.tooFew !== undefined)?.figures?.tooFew;
  const readTimes = [...units, ...(yearBefore ?? [])].flatMap(({ readAt = [] }) => readAt);
  const overTime: OverTimeFigures = {
    unit: unitsOf(request.over ?? '').unit,
    figure: main.id,
    columns: columns.map(({ id, label }) => ({ id, label })),
    units: units.flatMap((unit) => (unit.range ? { range: unit.range, ...valuesOf(unit, columns) } : [])),
    ...(yearBefore && { yearBefore: yearBefore.map((unit) => valuesOf(unit, columns)) }),
    ofNow: ofNow.map(({ label }) => label),
    ofAge: ofAge.map(({ label }) => label),
    isCohort: isCohort(request),
    readAt: readTimes.length > 0 ? Math.min(...readTimes) : undefined,
  };
  const before = earlierOf(newest, yearBefore ? yearBefore.at(-1) : units.at(-2));
  if (units.every(({ figures }) => figures === undefined || figures.tooFew !== undefined))
    return { figures: { ...nothingCounted, report, tooFew, leftOut }, before: 'none' };
  const rows = (of: 'records' | 'counted') =>
    units.reduce((sum, { figures }) => sum + (figures?.[of] ?? 0), 0);
  return {
    figures: {
      ...nothingCounted,
      report,
      // No answer shows them: they say whether there is anything at all.
      records: rows('records'),
      counted: rows('counted'),
      figures: tooManyUndated(newest.figures)
        ? newest.figures.figures.filter(({ compared }) => compared === 'period-before')
        : newest.figures.figures.filter(({ id }) => columns.some((column) => column.id === id)),
      notes: notesOf(newest.figures, units),
      leftOut,
      chart: chartOf(overTime, main),
      breakdown: tableOf(overTime, main),
      overTime,
    },
    before,
  };
}

/** The notes of the newest unit, and of all units the rows that conditions keep out for want of a value. */
function notesOf(newest: FiguresResult, units: readonly CountedUnit[]): readonly Note[] {
  const unread = new Map<string, Extract<Note, { kind: 'condition' }>>();
  for (const note of units.flatMap(({ figures }) => figures?.notes ?? [])) {
    if (note.kind !== 'condition') continue;
    const { rows } = unread.get(note.field) ?? { rows: 0 };
    const isShown = rows !== undefined && note.rows !== undefined;
    unread.set(note.field, { ...note, rows: isShown ? rows + note.rows : undefined });
  }
  return [...newest.notes.filter(({ kind }) => kind !== 'condition'), ...unread.values()];
}

function earlierOf(newest: CountedUnit, earlier: CountedUnit | undefined): EarlierFigures | NoEarlierFigures {
  if (!earlier?.figures || !earlier.range || newest.figures?.tooFew !== undefined) return 'none';
  if (earlier.figures.tooFew !== undefined) return 'too-few';
  if (tooManyUndated(earlier.figures)) return 'undated';
  const { range, asOf } = earlier;
  return {
    figures: comparableNumbers(earlier.figures, comparedInTime),
    range,
    ...(asOf !== undefined && { asOf }),
  };
}

const tooFewPeople: FigureValue = { kind: 'too-few' };

function valuesOf({ figures }: CountedUnit, columns: readonly NamedFigure[]): UnitValues {
  if (!figures) return { gap: 'no-such-day', values: columns.map(() => unknown) };
  if (figures.tooFew !== undefined) return { gap: 'too-few', values: columns.map(() => tooFewPeople) };
  const isUndated = tooManyUndated(figures);
  const values = columns.map(({ id }) => {
    const figure = figures.figures.find((one) => one.id === id);
    // What protects small groups leaves a figure out.
    if (!figure) return tooFewPeople;
    return isUndated && figure.compared === 'equal-age' ? unknown : figure.value;
  });
  return { ...(isUndated && { gap: 'undated' }), values };
}

/** The number of a value in the unit of its axis; undefined where it has none. */
function pointOf(value: FigureValue): number | undefined {
  if (value.kind === 'too-few') return undefined;
  if (value.kind === 'rate') return value.whole > 0 ? roundedPercent(value.part, value.whole) : undefined;
  const number = plainNumber(value);
  return number === undefined ? undefined : rounded(value.kind === 'duration' ? number / 3600 : number);
}

function rounded(number: number): number {
  return Math.round(number * 100) / 100;
}

const axisUnits: Readonly<Partial<Record<NamedFigure['unit'], string>>> = {
  percent: ' (%)',
  hours: ' (hours)',
  days: ' (days)',
};

/** Slack draws no gaps, so a unit without a value has no point: its place is left out, and the answer says so. */
function chartOf(
  { unit, units, yearBefore, columns }: OverTimeFigures,
  main: NamedFigure,
): Chart | undefined {
  const at = columns.findIndex(({ id }) => id === main.id);
  const points = (lines: readonly UnitValues[]) =>
    lines.map(({ values }) => values[at] && pointOf(values[at]));
  const own = points(units);
  const earlier = yearBefore && points(yearBefore);
  const isDrawn = (index: number) => own[index] !== undefined;
  const hasBoth = earlier?.every((point, index) => point !== undefined || !isDrawn(index)) ?? false;
  const drawn = units.flatMap((_, index) => (isDrawn(index) ? index : []));
  if (drawn.length < 2) return undefined;
  const seriesOf = (name: string, all: readonly (number | undefined)[]) => ({
    name,
    values: drawn.map((index) => all[index] ?? 0),
  });
  const isCount = main.unit === 'number' || main.unit === 'hours';
  return {
    title: `${main.label} by ${unit}${axisUnits[main.unit] ?? ''}`,
    shape: isCount && !hasBoth ? 'area' : 'line',
    categories: drawn.map((index) => shortName(units[index]?.range, unit)),
    series: compact(seriesOf(main.label, own), hasBoth && earlier && seriesOf('A year before', earlier)),
    inTable: true,
  };
}

function tableOf({ unit, units, yearBefore, columns }: OverTimeFigures, main: NamedFigure): Breakdown {
  const at = columns.findIndex(({ id }) => id === main.id);
  const ofYearBefore = { id: 'year-before', label: `${main.label}, a year before` };
  const withEarlier = <Item>(own: readonly Item[], earlier: Item | undefined) =>
    earlier === undefined ? own : [...own.slice(0, at + 1), earlier, ...own.slice(at + 1)];
  const rows = units.map(({ range, values }, index) => ({
    label: unitName(range, unit),
    values: withEarlier(values, yearBefore && (yearBefore[index]?.values[at] ?? unknown)),
  }));
  return {
    kind: 'groups',
    by: unit,
    label: capitalized(unit),
    isRequested: true,
    columns: withEarlier(columns, yearBefore && ofYearBefore),
    // The newest first: a table has pages.
    rows: rows.reverse(),
    tails: units.map((_, index) => ({ groups: units.length - index, values: [] })),
  };
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** `9–15 Nov 2026`, `Mon 9 Nov 2026`, `November 2026`, `Q4 2026`. */
export function unitName(range: UnitLine['range'], unit: OverUnit): string {
  const first = dayAt(range.from, range.zone);
  if (unit === 'month') return format(first, 'MMMM yyyy');
  return unit === 'quarter' ? format(first, "'Q'Q yyyy") : formatDays(range);
}

/** `9 Nov` for days and weeks, `Nov 2026`, `Q4 2026`. */
function shortName(range: UnitLine['range'] | undefined, unit: OverUnit): string {
  if (!range) return '';
  const first = dayAt(range.from, range.zone);
  if (unit === 'month') return format(first, 'MMM yyyy');
  return format(first, unit === 'quarter' ? "'Q'Q yyyy" : 'd MMM');
}
