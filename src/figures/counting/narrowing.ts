import { reportNamed } from '../../catalogue/index.js';
import type { FiguresPlan } from '../result.js';
import { barsOf, byMost, mostOf } from './formulas.js';
import type { FigureRule, ReportFigures } from './report-figures.js';

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
export function figuresInStates(table: ReportFigures, { report, states }: FiguresPlan): ReportFigures {
  const { people, rows } = table;
  if (states === undefined) {
    return {
      ...table,
      people: people?.onlyInStates ? undefined : people,
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
