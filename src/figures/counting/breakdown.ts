import { notGiven } from '../format/table.js';
import { formatField } from '../format/values.js';
import type { Breakdown, Chart, FigureValue, Highlight } from '../result.js';
import type { Group, GroupTotals } from './group-totals.js';
import type { Grouping } from './groups.js';
import type { HiddenCells } from './hidden-cells.js';
import type { FigureRule, HighlightRule, ReportFigures } from './report-figures.js';
import { byMost } from './rules.js';

/** Maximum rows of a table. The other groups share one line. */
const maxRows = 200;

const maxBars = 5;

/** A group of fewer people is never ranked as best or worst: each of them moves its share by more than five points. */
const minRanked = 20;

/** Maximum months or years in a chart: the latest. */
const maxPeriods = 20;

/** The table of a grouping, and the chart of its top rows, without hidden cells. */
export function breakdownOf(
  report: ReportFigures,
  rules: readonly FigureRule[],
  grouping: Grouping,
  groups: GroupTotals,
  hidden: HiddenCells,
) {
  const { flag: by, isRequested, label } = grouping;
  const columns = columnsOf(rules, grouping).filter((column) => !hidden.hidesAll(column));
  const ordered = inOrder(report, grouping, groups.all(), hidden);
  const rows = ordered.slice(0, maxRows);
  const chart = chartOf(report, grouping, ordered, hidden);
  const joinedIn = (some: readonly Group[]) => some.reduce((sum, { joined = 1 }) => sum + joined, 0);
  const joined = joinedIn(ordered);
  const sums = columns.map((column) => ({ column, isShown: summable(column, ordered, hidden) }));
  const table: Breakdown = {
    kind: 'groups',
    by,
    label,
    isRequested,
    severalCount: grouping.severalCount,
    columns: columns.map(({ id, label: long, heading = long }) => ({ id, label: heading })),
    rows: (isRequested ? groups.withMedians(rows) : rows).map((group) => ({
      label: group.label,
      joined: group.joined,
      values: columns.map((column) => cellOf(column, group, hidden)),
      ...whoIn(grouping, group),
    })),
    tails: groups
      .tails(ordered, rows.length)
      .map((row, index) => ({
        groups: joined - joinedIn(ordered.slice(0, index)),
        values: sums.map(({ column, isShown }) => (isShown(index) ? column.value(row) : tooFew)),
      }))
      .filter((tail) => tail.groups > 0),
  };
  return { table, chart };
}

function whoIn(grouping: Grouping, { label }: Group) {
  const who = grouping.whoIs(label);
  return who && { who };
}

const tooFew: FigureValue = { kind: 'too-few' };

function cellOf(column: FigureRule, group: Group, hidden: HiddenCells): FigureValue {
  if (hidden.isTooFew(group.number, column)) return tooFew;
  return hidden.sharesPeople(group.number, column) ? { kind: 'unknown' } : column.value(group.row);
}

/**
 * The indexes from which on a column may be summed up to the end: with all of its hidden cells, or with none. With some,
 * the others could be subtracted.
 */
function summable(column: FigureRule, ordered: readonly Group[], hidden: HiddenCells) {
  const isHidden = ({ number }: Group) => hidden.hides(number, column);
  const first = ordered.findIndex(isHidden);
  const last = ordered.findLastIndex(isHidden);
  return (index: number) => index <= first || index > last;
}

/** Medians and distinct people are counted per group only where `by:` requested the breakdown. */
export function columnsOf(rules: readonly FigureRule[], { isRequested }: Grouping): readonly FigureRule[] {
  return isRequested ? rules : rules.filter(({ inGroupsOnRequest }) => !inGroupsOnRequest);
}

/**
 * Months and years are in order of time, other groups in the report's own order. Those without a date come after them, and
 * the joined group last of all. Groups of too few for a ranking of shares follow the others by size. The order tells
 * about values: groups whose bars are hidden follow by name.
 */
function inOrder(
  report: ReportFigures,
  grouping: Grouping,
  groups: readonly Group[],
  hidden: HiddenCells,
): Group[] {
  const byTime = grouping.field.kind === 'date';
  const { series } = report.bars;
  const isHidden = ({ number }: Group) =>
    series.length === 0 || series.some((bars) => hidden.hides(number, bars));
  const placeOf = (group: Group) => (isHidden(group) ? 2 : Number(!mayHaveBars(report, group)));
  return [...groups].sort((a, b) => {
    if (a.joined !== b.joined) return a.joined === undefined ? -1 : 1;
    if (byTime) {
      const [first, second] = [a, b].map(({ since }) => since ?? Number.POSITIVE_INFINITY);
      return first === second ? compareLabels(a, b) : Number(first) - Number(second);
    }
    const [place, other] = [placeOf(a), placeOf(b)];
    if (place !== other) return place - other;
    const order = [report.order(a.row, b.row), byMost(report.size)(a.row, b.row), 0][place];
    return order || compareLabels(a, b);
  });
}

function compareLabels(a: Group, b: Group): number {
  if (a.label === b.label) return 0;
  if (a.label === null) return 1;
  if (b.label === null) return -1;
  return a.label < b.label ? -1 : 1;
}

/** Bars of shares rank their groups. */
function mayHaveBars({ bars, size }: ReportFigures, { row }: Group): boolean {
  return bars.share === undefined || mayBeRanked(row.sum(size), bars.share(row));
}

function mayBeRanked(size: number, value: FigureValue): boolean {
  const whole = value.kind === 'rate' ? value.whole : size;
  return Math.min(size, whole) >= minRanked;
}

/** A chart needs several groups to compare. */
function chartOf(
  report: ReportFigures,
  { field, label }: Grouping,
  groups: readonly Group[],
  hidden: HiddenCells,
): Chart | undefined {
  const { bars } = report;
  const byTime = field.kind === 'date';
  const first = bars.share ? 'lowest' : 'top';
  const shown = groups.filter(
    (group) =>
      bars.series.every((one) => !hidden.hides(group.number, one) && !Number.isNaN(one.value(group.row))) &&
      (byTime ? group.since !== undefined : mayHaveBars(report, group)),
  );
  const drawn = byTime ? shown.slice(-maxPeriods) : shown.slice(0, maxBars);
  const series = bars.series.map(({ name, value }) => ({ name, values: drawn.map(({ row }) => value(row)) }));
  // That the lowest shares are all 0 is worth a sentence.
  const isAllZero = series.every(({ values }) => values.every((value) => value === 0));
  const saysNothing = series.length === 0 || (isAllZero && !bars.share);
  if (drawn.length < 2 || saysNothing) return undefined;
  return {
    title: `${bars.title} by ${byTime ? formatField(field) : label.toLowerCase()}`,
    shape: byTime ? 'line' : 'bar',
    categories: drawn.map((group) => group.label ?? notGiven),
    series,
    inTable: true,
    some: { which: byTime ? 'latest' : first, of: shown.length },
  };
}

const maxNamed = 3;

/**
 * The rankings of the groups of a table. A group is in one ranking at most, and one of few people in none. Rankings
 * without groups are left out.
 */
export function highlightsOf(
  rules: readonly HighlightRule[],
  size: number,
  groups: readonly Group[],
  hidden: HiddenCells,
): Highlight[] {
  const named = new Set<Group>();
  const ranked = groups.filter(
    ({ label, joined, row }) => label !== null && joined === undefined && row.sum(size) >= minRanked,
  );
  // Several rankings share the groups.
  const most = Math.min(maxNamed, Math.floor(ranked.length / rules.length));
  const highlights = rules.map((rule) => {
    const { title, order, includes, value } = rule;
    const first = ranked
      .filter(
        (group) =>
          !named.has(group) &&
          !hidden.hides(group.number, rule) &&
          includes(group.row) &&
          mayBeRanked(group.row.sum(size), value(group.row)),
      )
      .sort((a, b) => order(a.row, b.row) || compareLabels(a, b))
      .slice(0, most);
    for (const group of first) named.add(group);
    return { title, entries: first.map(({ label, row }) => ({ label: label ?? '', value: value(row) })) };
  });
  return highlights.filter(({ entries }) => entries.length > 0);
}
