import { notGiven } from '../format/table.js';
import type { Breakdown, Chart, FigureValue, Highlight } from '../result.js';
import type { Group, GroupTotals } from './group-totals.js';
import type { Grouping } from './groups.js';
import type { CountedRow, FigureRule, HighlightRule, ReportFigures } from './report-figures.js';

/** Maximum rows of a table. The other groups share one line. */
const maxRows = 200;

/** Maximum groups in a chart. */
const maxBars = 10;

/** The table of a grouping, and the chart of its top rows. */
export function breakdownOf(
  report: ReportFigures,
  rules: readonly FigureRule[],
  grouping: Grouping,
  groups: GroupTotals,
): { readonly table: Breakdown; readonly chart?: Chart } {
  const { flag: by, isRequested } = grouping.plan;
  const { label } = grouping;
  const columns = columnsOf(rules, grouping);
  const ordered = inOrder(report, grouping, groups.all());
  const rows = ordered.slice(0, maxRows);
  // The sum of lines that share rows would reveal the shared rows.
  const hidesTails = groups.protected !== undefined && groups.cellGroups.some((of) => of.length > 1);
  const chart = chartOf(report, rows, label);
  const table: Breakdown = {
    kind: 'groups',
    by,
    label,
    isRequested,
    countsEachEntry: grouping.countsEachEntry,
    columns: columns.map(({ id, label: long, heading = long }) => ({ id, label: heading })),
    rows: (isRequested ? groups.withMedians(rows) : rows).map((group) => ({
      label: group.label,
      joined: group.joined,
      values: valuesOf(columns, group.row),
    })),
    tails: groups
      .tails(ordered, rows.length)
      .map((row, index) => ({
        groups: ordered.slice(index).reduce((sum, { joined = 1 }) => sum + joined, 0),
        values: hidesTails ? columns.map((): FigureValue => ({ kind: 'unknown' })) : valuesOf(columns, row),
      }))
      .filter((tail) => tail.groups > 0),
  };
  return { table, chart };
}

/** Medians and distinct people are counted per group only where `by:` requested the breakdown. */
export function columnsOf(rules: readonly FigureRule[], { plan }: Grouping): readonly FigureRule[] {
  return plan.isRequested ? rules : rules.filter(({ inGroupsOnRequest }) => !inGroupsOnRequest);
}

/** The groups that are rows of the table, in order. */
export function rowsOf(report: ReportFigures, grouping: Grouping, groups: GroupTotals): readonly Group[] {
  return inOrder(report, grouping, groups.all()).slice(0, maxRows);
}

/**
 * Days are in order of time, other groups in the report's own order. The group without a value comes last among days, and
 * the joined group last of all.
 */
function inOrder(report: ReportFigures, grouping: Grouping, groups: readonly Group[]): Group[] {
  const byDay = grouping.field.kind === 'date';
  return [...groups].sort((a, b) => {
    if (a.joined !== b.joined) return a.joined === undefined ? -1 : 1;
    if (byDay && a.label !== null && b.label !== null) return compareLabels(a, b);
    if (byDay && a.label !== b.label) return a.label === null ? 1 : -1;
    return report.order(a.row, b.row) || compareLabels(a, b);
  });
}

function compareLabels(a: Group, b: Group): number {
  if (a.label === b.label) return 0;
  if (a.label === null) return 1;
  if (b.label === null) return -1;
  return a.label < b.label ? -1 : 1;
}

function valuesOf(columns: readonly FigureRule[], row: CountedRow): FigureValue[] {
  return columns.map(({ value }) => value(row));
}

/** A chart needs several groups to compare. */
function chartOf({ bars }: ReportFigures, groups: readonly Group[], label: string): Chart | undefined {
  const drawn = groups.slice(0, maxBars);
  const series = bars.series.map(({ name, value }) => ({ name, values: drawn.map(({ row }) => value(row)) }));
  if (drawn.length < 2 || series.every(({ values }) => values.every((value) => value === 0)))
    return undefined;
  return {
    title: `${bars.title} by ${label.toLowerCase()}`,
    shape: 'bar',
    categories: drawn.map((group) => group.label ?? notGiven),
    series,
    inTable: true,
  };
}

/** Maximum groups of a ranking. */
const maxNamed = 3;

/** The report's rankings of its own groups. A group is in one ranking at most. Rankings without groups are left out. */
export function highlightsOf(rules: readonly HighlightRule[], groups: readonly Group[]): Highlight[] {
  const named = new Set<Group>();
  const highlights = rules.map(({ title, order, includes, value }) => {
    const first = groups
      .filter(
        (group) =>
          group.label !== null && group.joined === undefined && !named.has(group) && includes(group.row),
      )
      .sort((a, b) => order(a.row, b.row) || compareLabels(a, b))
      .slice(0, maxNamed);
    for (const group of first) named.add(group);
    return { title, entries: first.map(({ label, row }) => ({ label: label ?? '', value: value(row) })) };
  });
  return highlights.filter(({ entries }) => entries.length > 0);
}
