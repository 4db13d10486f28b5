import { reportNamed } from '../../catalogue/index.js';
import type { FiguresPlan } from '../result.js';
import { type CountedRow, count, type FigureRule, type ReportFigures } from './report-figures.js';

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

/** For `appliesTo`: the figure applies to rows in any states. */
export const inAnyState = () => true;

/** For `appliesTo`: the figure applies if one of these states is chosen. */
export function inStates(...states: readonly string[]): NonNullable<FigureRule['appliesTo']> {
  return (chosen) => states.some((state) => chosen.has(state));
}

/** For `appliesTo` of a figure that counts a state: it applies if that state is chosen with others. */
export function inSeveralWith(state: string): NonNullable<FigureRule['appliesTo']> {
  return (chosen) => chosen.size > 1 && chosen.has(state);
}

interface Narrowing extends Pick<ReportFigures, 'people'> {
  /** The number of rows, or of people if a row is a person. */
  readonly count: (row: CountedRow) => number;
  readonly countsPeople?: true;
  /** The figures of narrowed answers, in order. Those without `appliesTo` are left out. */
  readonly rules: (plan: FiguresPlan) => readonly FigureRule[];
  /** States besides the open ones that describe a row as it is now. */
  readonly ofNow?: readonly string[];
}

/** The figures of a report that is narrowed to some states. Current states are compared with the last run. */
export function narrowedFigures(
  report: ReportFigures,
  { report: name, states = [] }: FiguresPlan,
  { count: many, countsPeople, people, rules, ofNow = [] }: Narrowing,
): ReportFigures {
  const chosen = new Set(states);
  const rowStates = reportNamed(name).states.filter((state) => chosen.has(state.name));
  const describesNow = rowStates.some((state) => state.isOpen || ofNow.includes(state.name));
  const words = rowStates.map(({ label }) => label.toLowerCase()).join(' or ');
  const order = (a: CountedRow, b: CountedRow) => many(b) - many(a);
  const about = { denominator: 'all-rows', ...(countsPeople && { countsPeople }) } as const;
  return {
    ...report,
    people,
    size: many,
    order,
    rules: (plan) =>
      rules(plan)
        .filter(({ appliesTo }) => appliesTo?.(chosen))
        .map((rule) => ({
          ...rule,
          compared: describesNow ? 'last-run' : rule.compared,
          denominator: rule.addsAmounts ? 'counted-rows' : rule.denominator,
        })),
    highlights: [
      {
        title: `Most ${words}`,
        ...about,
        order,
        includes: (row) => many(row) > 0,
        value: (row) => count(many(row)),
      },
    ],
    bars: {
      title: words.charAt(0).toUpperCase() + words.slice(1),
      series: [{ name: 'Number', ...about, value: many }],
    },
  };
}
