import { reportNamed } from '../../catalogue/index.js';
import type { Comparison, FiguresPlan, FigureUnit, FigureValue } from '../result.js';
import type { CountedRow, FigureRule, Formula, HighlightRule, ReportFigures } from './report-figures.js';

/** Sums, one at least. */
type Sums = readonly [number, ...number[]];

export function figure(
  id: string,
  label: string,
  compared: Comparison,
  formula: Formula,
  more: Partial<FigureRule> = {},
): FigureRule {
  return { id, label, compared, ...formula, ...more };
}

export function sumOf(sum: number): Formula {
  return { denominator: 'all-rows', value: (row) => count(row.sum(sum)) };
}

/**
 * A sum of amounts that rows may not give: a missing amount is not 0.
 *
 * @param given the sum of the rows that gave it; none of `rows`: unknown
 */
export function sumIfGiven(sum: number, given: number, rows: number, valued = count): Formula {
  return {
    denominator: 'all-rows',
    value: (row) => (row.sum(rows) > 0 && row.sum(given) === 0 ? unknown : valued(row.sum(sum))),
  };
}

export function shareOf(part: number, whole: Sums): Formula {
  return { denominator: { rowsOfSums: whole }, value: (row) => rate(row.sum(part), row.sumOf(whole)) };
}

export function shareOfRows(part: number, rows: number): Formula {
  return { ...shareOf(part, [rows]), denominator: 'all-rows' };
}

/** @param over the sum of how many values, or of their weights */
export function meanOf(sum: number, over: number, unit: FigureUnit): Formula {
  return { denominator: { rowsOfSums: [over] }, value: (row) => average(row.sum(sum), row.sum(over), unit) };
}

/** @param per counted steps per unit: 10 if tenths were counted */
export function medianIn(unit: FigureUnit, per = 1): Formula {
  return {
    denominator: 'rows-with-median-value',
    inGroupsOnRequest: true,
    value: ({ median }) =>
      median
        ? {
            kind: 'median',
            value: median.value === null ? null : median.value / per,
            over: median.over,
            unit,
          }
        : unknown,
  };
}

/** The number of distinct people, from that sum. */
export function peopleOf(sum: number): Formula {
  return {
    denominator: 'all-rows',
    countsPeople: true,
    inGroupsOnRequest: true,
    value: (row) => distinctPeople(row, sum),
  };
}

/** Groups by sums, the most of the first one first; of equally many those with the most of the next one. */
export function byMost(...sums: Sums): HighlightRule['order'] {
  return (a, b) => sums.reduce((order, sum) => order || b.sum(sum) - a.sum(sum), 0);
}

export function mostOf(title: string, sum: number, order = byMost(sum)): HighlightRule {
  return { title, ...sumOf(sum), order, includes: (row) => row.sum(sum) > 0 };
}

export function barsOf(name: string, sum: number) {
  return { name, denominator: 'all-rows', value: (row: CountedRow) => row.sum(sum) } as const;
}

export const unknown: FigureValue = { kind: 'unknown' };

export function count(many: number): FigureValue {
  return { kind: 'count', count: many };
}

export function rate(part: number, whole: number): FigureValue {
  return { kind: 'rate', part, whole };
}

export function average(sum: number, over: number, unit: FigureUnit): FigureValue {
  return { kind: 'average', sum, over, unit };
}

export function distinctPeople(row: CountedRow, sum: number): FigureValue {
  if (row.morePeople === undefined) return unknown;
  return { kind: 'people', count: row.sum(sum), moreThan: row.morePeople };
}

export function numbered<Name extends string>(...names: readonly Name[]): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name, i) => [name, i])) as Record<Name, number>;
}

/** Writes an amount, and counts the record that gave it; NaN: it gave none. */
export function addGiven(sums: Float64Array, sum: number, given: number, amount: number): void {
  if (Number.isNaN(amount)) return;
  sums[sum] = amount;
  sums[given] = 1;
}

/** One bit for each state of a report, so that a record's states are one number. */
export type StateBits<State extends string> = Readonly<Record<State, number>>;

export function stateBits<State extends string>(...states: readonly State[]): StateBits<State> {
  return Object.fromEntries(states.map((state, i) => [state, 1 << i])) as Record<State, number>;
}

/** The bits of the states that a plan is narrowed to; 0 if it is not narrowed. */
export function wantedStates({ states = [], report }: FiguresPlan, bits: StateBits<string>): number {
  return states.reduce((wanted, state) => {
    const bit = bits[state];
    if (bit === undefined) throw new Error(`The figures of ${report} know no state ${state}`);
    return wanted | bit;
  }, 0);
}

/** True if the figures count fewer rows than the records. */
export function isNarrowed({ view, states }: Pick<FiguresPlan, 'view' | 'states'>): boolean {
  return view !== undefined || states !== undefined;
}

/**
 * The order of rows by due date: `overdue` and `due` as the views, `open` for open rows with overdue ones first. Undefined:
 * the order of the answer.
 */
export function dueListOf({
  report,
  view,
  states = [],
}: FiguresPlan): 'overdue' | 'due' | 'open' | undefined {
  if (view) return view;
  if (report !== 'assignments' || states.length === 0) return undefined;
  const known = reportNamed(report).states;
  const isOpen = (name: string) => known.some((state) => state.name === name && state.isOpen);
  if (states.some((state) => state !== 'overdue' && state !== 'due-soon'))
    return states.every(isOpen) ? 'open' : undefined;
  return states.includes('due-soon') ? 'due' : 'overdue';
}

/** The one field to group by: the figures of two tables could be subtracted from each other. */
export function breakdownField(
  { groupedBy }: ReportFigures,
  { by = groupedBy, figuresOnly }: FiguresPlan,
): string | undefined {
  return figuresOnly ? undefined : by;
}

/** For figures that apply to rows in any states. */
export const inAnyState = { appliesTo: () => true };

/**
 * For figures that apply if one of these states is chosen.
 *
 * @param counted the state that the figure counts: it applies too if that is chosen with others
 */
export function inStates(states: readonly string[], counted = ''): Required<Pick<FigureRule, 'appliesTo'>> {
  return {
    appliesTo: (chosen) =>
      states.some((state) => chosen.has(state)) || (chosen.size > 1 && chosen.has(counted)),
  };
}

/**
 * The figures of a report for the rows that a plan counts. Where it narrows them to states that describe rows as they are
 * now, they are compared with the last run.
 */
export function figuresInStates(
  table: ReportFigures,
  { report, states, paceRange }: FiguresPlan,
): ReportFigures {
  const { people, rows } = table;
  if (states === undefined) {
    return {
      ...table,
      // A pace of too few people is not shown.
      people: people?.onlyInStates && !paceRange ? undefined : people,
      rules: (plan) => table.rules(plan).filter(({ onlyInStates }) => !onlyInStates),
    };
  }
  const chosen = new Set(states);
  const rowStates = reportNamed(report).states.filter(({ name }) => chosen.has(name));
  const isOfNow = rowStates.some(({ name, isOpen }) => isOpen || table.statesOfNow?.includes(name));
  const narrowed: ReportFigures = {
    ...table,
    size: rows,
    rules: (plan) =>
      table
        .rules(plan)
        .filter(({ appliesTo }) => appliesTo?.(chosen))
        .map((rule) => ({
          ...rule,
          compared: isOfNow ? 'last-run' : rule.compared,
          denominator: rule.addsAmounts ? 'counted-rows' : rule.denominator,
        })),
  };
  if (table.keepsOrder) return narrowed;
  const words = rowStates.map(({ label }) => label.toLowerCase()).join(' or ');
  const ofPeople = rows === people?.sum ? ({ countsPeople: true } as const) : {};
  return {
    ...narrowed,
    order: byMost(rows),
    highlights: [{ ...mostOf(`Most ${words}`, rows), ...ofPeople }],
    bars: {
      title: words.charAt(0).toUpperCase() + words.slice(1),
      series: [{ ...barsOf('Number', rows), ...ofPeople }],
    },
  };
}
