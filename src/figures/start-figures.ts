import type { ReportName } from '../reports/catalogue/index.js';
import { engagement } from './engagement.js';
import type { FiguresPlan, FiguresReader } from './plan.js';
import type { ReportFigures } from './report-figures.js';
import { StreamingFigures } from './streaming-figures.js';

const figuresOfReports: Readonly<Partial<Record<ReportName, ReportFigures>>> = { engagement };

/** Every flag that the figures of that plan read, each once. */
export function figureFields(plan: FiguresPlan): readonly string[] {
  const figures = figuresOf(plan);
  return [...new Set([...figures.fields(plan), figures.groupedBy, ...(plan.by ? [plan.by] : [])])];
}

/**
 * Starts counting.
 *
 * @param fields every flag that the reading was opened with, which must hold those of `figureFields`
 */
export function startFigures(plan: FiguresPlan, fields: readonly string[]): FiguresReader {
  return StreamingFigures.start(figuresOf(plan), plan, fields);
}

/** False when every figure of the plan describes a state now, so that no period before has to be asked for. */
export function carriesChange(plan: FiguresPlan): boolean {
  return figuresOf(plan).rules.some(({ ofNow }) => !ofNow);
}

function figuresOf({ report }: FiguresPlan): ReportFigures {
  const figures = figuresOfReports[report];
  if (!figures) throw new Error(`There are no figures of ${report} yet`);
  return figures;
}
