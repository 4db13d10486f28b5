import type { ReportName } from '../catalogue/index.js';
import type { ReportFigures } from './counting/report-figures.js';
import type { FiguresPlan, FiguresReader } from './plan.js';
import { assessments } from './reports/assessments.js';
import { assignments } from './reports/assignments.js';
import { completions } from './reports/completions.js';
import { engagement } from './reports/engagement.js';
import { overdue } from './reports/overdue.js';
import { tracks } from './reports/tracks.js';
import { workshops } from './reports/workshops.js';
import { breakdownFields, StreamingFigures } from './streaming-figures.js';

const figuresOfReports: Readonly<Record<ReportName, ReportFigures>> = {
  assignments,
  tracks,
  completions,
  assessments,
  engagement,
  workshops,
};

/** Every flag that the figures of that plan read, each once. */
export function figureFields(plan: FiguresPlan): readonly string[] {
  const figures = figuresOf(plan);
  return [...new Set([...figures.fields(plan), ...breakdownFields(figures, plan)])];
}

/**
 * Starts counting.
 *
 * @param fields every flag that the reading was opened with, which must hold those of `figureFields`
 */
export function startFigures(plan: FiguresPlan, fields: readonly string[]): FiguresReader {
  return StreamingFigures.start(figuresOf(plan), plan, fields);
}

/** False where no figure of the plan is compared with the period before, so that it need not be asked for. */
export function needsPeriodBefore(plan: FiguresPlan): boolean {
  return figuresOf(plan)
    .rules(plan)
    .some(({ compared }) => compared === 'period-before' || compared === 'equal-age');
}

function figuresOf({ report, overdueOnly }: FiguresPlan): ReportFigures {
  return overdueOnly ? overdue : figuresOfReports[report];
}
