import type { FiguresPlan } from '../../../src/figures/result.js';
import { isCompleted, isOnTime } from './assignments.js';
import { naiveFigures } from './figures.js';
import { peopleOfRows } from './people.js';
import type { Row } from './row.js';
import { countedRows } from './states.js';
import { isOfMember } from './taking-part.js';

/** The rows of an answer with the person of each. */
export interface RowsOfPeople {
  readonly plan: FiguresPlan;
  readonly rows: readonly Row[];
  readonly personOf: ReadonlyMap<Row, number>;
}

export function personOfRows(rows: readonly Row[]): ReadonlyMap<Row, number> {
  const people = peopleOfRows(rows.map((row) => row.names()));
  return new Map(rows.map((row, i) => [row, people[i] ?? i]));
}

export function countPeople({ personOf }: RowsOfPeople, rows: Iterable<Row>): number {
  return new Set([...rows].map((row) => personOf.get(row))).size;
}

export function isTooFew(people: number, { smallestGroup }: FiguresPlan): boolean {
  return people > 0 && people < smallestGroup;
}

/** Figures that add up amounts: narrowed, they are about the people of the counted rows. */
const amounts = ['time', 'sessions', 'assignments-completed', 'tracks-completed'];

/** Stands for the rows of people whom the share of active people is not about. */
const outsideShare = 'outside-share';

/** Figures by whose subtraction another one would be told: what is overdue, and all people. */
const alsoTold: Readonly<Record<string, string>> = { 'on-time': 'late', 'active-share': outsideShare };

/** True where a row is in the denominator of a figure: it alone gives the figure something to be divided by. */
export function isIn({ plan, rows }: RowsOfPeople, row: Row, id: string): boolean {
  if (id === 'active-share') return isOfMember(row, plan);
  if (id === outsideShare) return !isOfMember(row, plan);
  if (amounts.includes(id)) return !plan.states || countedRows([row], plan, rows).length > 0;
  // Those who were late are told from those who were on time.
  if (id === 'late') return isCompleted(row) && isOnTime(row, plan) !== undefined;
  const value = naiveFigures([row], plan, rows)[id];
  if (value?.kind === 'rate') return value.whole > 0;
  return value?.kind === 'average' || value?.kind === 'median' ? value.over > 0 : true;
}

/** True where a figure is about too few of some rows, or would be with another figure subtracted. */
export function isAboutTooFew(world: RowsOfPeople, rows: readonly Row[], id: string): boolean {
  const also = alsoTold[id];
  return [id, ...(also === undefined ? [] : [also])].some((each) =>
    isTooFew(
      countPeople(
        world,
        rows.filter((row) => isIn(world, row, each)),
      ),
      world.plan,
    ),
  );
}
