import type { ReportName } from '../../catalogue/index.js';
import { compact } from '../../requests/text.js';
import type { BesideRow } from '../conditions-plan.js';
import { nameFields, personKeyFields } from '../counting/person-fields.js';
import type { ReportFigures } from '../counting/report-figures.js';
import { breakdownField, dueListOf, figuresInStates } from '../counting/rules.js';
import { fieldsOfNeighbours, type PeopleBetween } from '../neighbours.js';
import type { RecordView } from '../record-view.js';
import type { FiguresPlan, FiguresReader, FiguresResult } from '../result.js';
import { assessments } from './assessments.js';
import { assignments, due, overdue } from './assignments.js';
import { completions } from './completions.js';
import { fieldsOfUnits, planOfUnit, UnitFigures } from './count-units.js';
import { engagement } from './engagement.js';
import { listsCounted, protectsSmallGroups, StreamingFigures } from './streaming-figures.js';
import { dependsOnScale, tracks, tracksAsFractions } from './tracks.js';
import { workshops } from './workshops.js';

const figuresOfReports: Readonly<Record<ReportName, ReportFigures>> = {
  assignments,
  tracks,
  completions,
  assessments,
  engagement,
  workshops,
};

/** Every flag that the figures of that plan read, each once. */
export function fieldsToCount(plan: FiguresPlan): readonly string[] {
  const figures = reportFiguresOf(plan);
  const namesPeople = figures.people || protectsSmallGroups(plan) || plan.sketchesPeople;
  const people = namesPeople ? personKeyFields : [];
  const neighbours = protectsSmallGroups(plan) ? fieldsOfNeighbours(plan.neighbours) : [];
  const by = breakdownField(figures, plan);
  const units = plan.units && fieldsOfUnits(plan.units);
  const listed = listsCounted(figures, plan) ? [...nameFields, ...Object.values(figures.listed ?? {})] : [];
  // A unit may be counted as of an instant, for which most fields are needed.
  const [unit] = plan.units?.each ?? [];
  const fields = figures.fields(unit ? planOfUnit(plan, unit) : plan);
  return [...new Set(compact(fields, people, by, neighbours, listed, units))];
}

/**
 * Starts counting.
 *
 * @param fields every flag that the reading was opened with, which must hold those of `fieldsToCount`
 * @param look the people of the daily look; absent: neighbours are compared by their rows alone
 */
export function startCounting(
  plan: FiguresPlan,
  fields: readonly string[],
  look?: PeopleBetween,
): FiguresReader {
  if (plan.units) {
    const readers = plan.units.each.map((unit) => startCounting(planOfUnit(plan, unit), fields, look));
    return new UnitFigures(plan, plan.units, fields, readers);
  }
  const inPercent = new StreamingFigures(reportFiguresOf(plan), plan, fields, look);
  if (!dependsOnScale(plan)) return inPercent;
  return new EitherFigures(
    inPercent,
    new StreamingFigures(reportFiguresOf(plan, tracksAsFractions), plan, fields, look),
  );
}

/** False where no figure of the plan is compared with the period before: it is not queried then. */
export function needsPreviousPeriod(plan: FiguresPlan): boolean {
  return (
    !plan.isOfNow &&
    reportFiguresOf(plan)
      .rules(plan)
      .some(({ compared }) => compared === 'period-before' || compared === 'equal-age')
  );
}

/** The rules by which the figures of a plan are counted. */
export function reportFiguresOf(plan: FiguresPlan, table = figuresOfReports[plan.report]): ReportFigures {
  const list = dueListOf(plan);
  if (list === 'overdue') return overdue;
  return list === 'due' ? due : figuresInStates(table, plan);
}

/**
 * Counts with two assumptions about the scale of values. Only the end of the answer shows which one is right. The wider
 * one counts every record that the narrower one counts.
 */
class EitherFigures implements FiguresReader {
  constructor(
    private readonly wider: StreamingFigures,
    private readonly narrower: StreamingFigures,
  ) {}

  /** Ranks of records that only the wider one counts end in a half. */
  get lastRank(): number {
    const { wider, narrower } = this;
    return wider.lastRank + (Number.isNaN(narrower.lastRank) ? 0.5 : 0);
  }

  get lastOrder(): number {
    return this.lastRank;
  }

  get lastDays(): number {
    return this.wider.lastDays;
  }

  isCounted(rank: number): boolean {
    return this.wider.assumptionHolds || Number.isInteger(rank);
  }

  add(record: RecordView): void {
    this.wider.add(record);
    this.narrower.add(record);
  }

  addBeside(record: RecordView, beside: BesideRow): void {
    this.wider.addBeside(record, beside);
    this.narrower.addBeside(record, beside);
  }

  startPart(): EitherFigures {
    return new EitherFigures(this.wider.startPart(), this.narrower.startPart());
  }

  merge({ wider, narrower }: EitherFigures): void {
    this.wider.merge(wider);
    this.narrower.merge(narrower);
  }

  finish(): FiguresResult {
    return (this.wider.assumptionHolds ? this.wider : this.narrower).finish();
  }
}
