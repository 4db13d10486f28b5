import type { Breakdown, BreakdownRow, Chart, FigureValue, RefusedBreakdown } from '../result.js';
import { notGiven } from '../words/table-in-words.js';
import { CountedRow } from './counted-row.js';
import { type Group, type Grouping, mostGroups } from './grouping.js';
import type { FigureRule, ReportFigures } from './report-figures.js';

/** So many groups are kept as rows; the rest are one line. */
const mostRows = 200;

/** So many of them are drawn. */
const mostBars = 10;

/** The table of a grouping, and the chart of its top rows. */
export function breakdownOf(
  report: ReportFigures,
  rules: readonly FigureRule[],
  grouping: Grouping,
  all: readonly Group[],
): { readonly table: Breakdown | RefusedBreakdown; readonly chart?: Chart } {
  const { flag: by, asked } = grouping.plan;
  const { label } = grouping;
  if (grouping.refused) return { table: { kind: 'refused', by, label, asked, moreThan: mostGroups } };
  // Medians and distinct people are counted per group only where the breakdown was asked for.
  const columns = asked ? rules : rules.filter(({ inGroupsOnRequest }) => !inGroupsOnRequest);
  const groups = inOrder(report, grouping, all);
  const rows = groups.slice(0, mostRows);
  const others = groups.slice(mostRows);
  const chart = chartOf(report, rows, label);
  const table: Breakdown = {
    kind: 'groups',
    by,
    label,
    asked,
    countsEachEntry: grouping.countsEachEntry,
    columns: columns.map(({ id, label: long, heading = long }) => ({ id, label: heading })),
    rows: rowsOf(columns, grouping, rows),
    ...(others.length > 0
      ? { rest: { groups: others.length, values: valuesOf(columns, allOf(report, others)) } }
      : {}),
  };
  return { table, ...(chart ? { chart } : {}) };
}

/** Days run on; other groups stand in the report's own order, those of no value last. */
function inOrder(report: ReportFigures, grouping: Grouping, groups: readonly Group[]): Group[] {
  const byDay = grouping.field.kind === 'date';
  return [...groups].sort((a, b) => {
    if (byDay && a.label !== null && b.label !== null) return compareLabels(a, b);
    if (byDay && a.label !== b.label) return a.label === null ? 1 : -1;
    return report.order(a.row, b.row) || compareLabels(a, b);
  });
}

export function compareLabels(a: Group, b: Group): number {
  if (a.label === b.label) return 0;
  if (a.label === null) return 1;
  if (b.label === null) return -1;
  return a.label < b.label ? -1 : 1;
}

function rowsOf(
  columns: readonly FigureRule[],
  grouping: Grouping,
  groups: readonly Group[],
): BreakdownRow[] {
  const { asked } = grouping.plan;
  const medians = asked ? grouping.values.medians(groups.map(({ number }) => number)) : undefined;
  return groups.map(({ label, row, number }) => {
    const counted = row.knowing(medians?.get(number), asked ? grouping.people.full : undefined);
    return { label, values: valuesOf(columns, counted) };
  });
}

function valuesOf(columns: readonly FigureRule[], row: CountedRow): FigureValue[] {
  return columns.map(({ value }) => value(row));
}

/** Several groups as one row. */
function allOf(report: ReportFigures, groups: readonly Group[]): CountedRow {
  const sums = new Float64Array(report.sums);
  for (const { row } of groups) {
    for (let which = 0; which < sums.length; which++) sums[which] = (sums[which] ?? 0) + row.sum(which);
  }
  return new CountedRow(sums);
}

/** A chart helps where there is something to compare. */
function chartOf({ bars }: ReportFigures, groups: readonly Group[], label: string): Chart | undefined {
  const drawn = groups.slice(0, mostBars);
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
