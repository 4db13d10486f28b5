import type { Highlight } from '../result.js';
import { compareLabels } from './breakdown.js';
import type { Group } from './groups-of-answer.js';
import type { HighlightRule } from './report-figures.js';

/** So many are named for each ranking. */
const mostNamed = 3;

/** The report's rankings of its own groups, each group in one of them at most; none that has nothing to name. */
export function highlightsOf(rules: readonly HighlightRule[], groups: readonly Group[]): Highlight[] {
  const named = new Set<Group>();
  const highlights = rules.map(({ title, order, among, value }) => {
    const first = groups
      .filter((group) => group.label !== null && !named.has(group) && among(group.row))
      .sort((a, b) => order(a.row, b.row) || compareLabels(a, b))
      .slice(0, mostNamed);
    for (const group of first) named.add(group);
    return { title, entries: first.map(({ label, row }) => ({ label: label ?? '', value: value(row) })) };
  });
  return highlights.filter(({ entries }) => entries.length > 0);
}
