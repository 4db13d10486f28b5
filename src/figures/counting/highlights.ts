import type { Highlight } from '../result.js';
import { compareLabels } from './breakdown.js';
import type { Group } from './grouping.js';
import type { ReportFigures } from './report-figures.js';

/** So many are named for each ranking. */
const mostNamed = 3;

/** The report's rankings of its own groups, without those that have nothing to name. */
export function highlightsOf(report: ReportFigures, all: readonly Group[]): Highlight[] {
  const groups = all.filter(({ label }) => label !== null);
  return report.highlights
    .map(({ title, order, among, value }) => ({
      title,
      entries: groups
        .filter(({ row }) => among(row))
        .sort((a, b) => order(a.row, b.row) || compareLabels(a, b))
        .slice(0, mostNamed)
        .map(({ label, row }) => ({ label: label ?? '', value: value(row) })),
    }))
    .filter(({ entries }) => entries.length > 0);
}
