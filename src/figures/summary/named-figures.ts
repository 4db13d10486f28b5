import { nearest } from '../../requests/nearest.js';
import { isCohort, type PartOfRequest } from '../../requests/request.js';
import { CountedRow, type ReportFigures } from '../counting/report-figures.js';
import { reportFiguresOf } from '../reports/count-report.js';
import type { Comparison, FiguresPlan, FigureUnit, FigureValue } from '../result.js';
import { comparableNumber } from './changes.js';

/** The unit of the number that a figure is compared by. Rates are in percent, and times in hours. */
export type NumberUnit = 'number' | 'hours' | FigureUnit;

/** A figure that answers to a request have, known before anything is counted. */
export interface NamedFigure {
  /** Stable within its report: `completion-rate`. */
  readonly id: string;
  readonly label: string;
  readonly unit: NumberUnit;
  /** What it is compared with: a state of now has no past. */
  readonly compared: Comparison;
  /** It is never below this, nor above `max`. */
  readonly min: number;
  readonly max: number;
}

/**
 * The figures of a request by ID, in the order of its answers.
 *
 * @param isProtected true leaves out the figures that readers never see where small groups are protected
 */
export function figuresOfRequest(request: PartOfRequest, isProtected = false): readonly NamedFigure[] {
  const { report, view, states, by } = request;
  const plan: FiguresPlan = {
    report,
    view,
    states,
    // Figures per day need a day.
    days: 1,
    people: false,
    byAssignedDate: isCohort(request),
    now: 0,
    smallestGroup: 1,
    zone: 'UTC',
  };
  const figures = reportFiguresOf(plan);
  const row = rowOfOnes(figures);
  const isHidden = (flags: readonly string[] = []) => isProtected && by !== undefined && flags.includes(by);
  return figures
    .rules(plan)
    .filter(({ toldApartBy }) => !isHidden(toldApartBy))
    .map(({ id, label, compared, value }) => ({ id, label, compared, ...numbersOf(value(row)) }));
}

/** The ID of the figure with that label, or the nearest one. */
export function figureMeant(
  typed: string,
  figures: readonly Pick<NamedFigure, 'id' | 'label'>[],
): string | undefined {
  const ids = new Map(figures.map(({ id, label }) => [label.toLowerCase().replace(/[^a-z0-9]+/g, '-'), id]));
  return (
    ids.get(typed) ??
    nearest(
      typed,
      figures.map(({ id }) => id),
    ) ??
    ids.get(nearest(typed, ids.keys()) ?? '')
  );
}

/** The number of a value in its unit; undefined where it has none. A median that is not reached is above all others. */
export function numberInUnit(value: FigureValue): number | undefined {
  return value.kind === 'duration' ? value.seconds / secondsPerHour : comparableNumber(value);
}

const secondsPerHour = 3600;

/** A row in which every figure has a value, so that its kind shows. */
function rowOfOnes({ sums }: ReportFigures): CountedRow {
  return new CountedRow(new Float64Array(Object.keys(sums).length).fill(1), { value: 1, over: 1 }, false);
}

function numbersOf(value: FigureValue): Pick<NamedFigure, 'unit' | 'min' | 'max'> {
  const unit = unitOf(value);
  return {
    unit,
    // Scores may be below zero.
    min: unit === 'points' ? Number.NEGATIVE_INFINITY : 0,
    max: unit === 'percent' ? 100 : Number.POSITIVE_INFINITY,
  };
}

export function unitOf(value: FigureValue): NumberUnit {
  if ('unit' in value) return value.unit;
  if (value.kind === 'duration') return 'hours';
  return value.kind === 'rate' ? 'percent' : 'number';
}
