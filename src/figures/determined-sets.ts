import type { Group, GroupTotals } from './counting/group-totals.js';
import type { ProtectedCells } from './counting/groups.js';
import type { PersonKeys } from './counting/person-keys.js';

/** Cells that are in the same shown lines: only together can anybody tell them apart from others. */
interface Atom {
  readonly lines: readonly number[];
  readonly cells: number[];
}

/** Larger systems are not solved. */
const maxSteps = 400_000_000;

/** Smaller numbers come from rounding. */
const epsilon = 1e-7;

/**
 * Finds rows of too few people whose figures follow from the total and the shown lines, where rows count in several
 * lines: the total minus all lines but one, or the sum of the lines minus the total.
 *
 * @param shown the lines that are shown
 * @param used the denominators of the columns
 * @returns the lines that those rows are in; undefined where there are none
 */
export function findDeterminedSet(
  lines: GroupTotals,
  shown: readonly Group[],
  used: readonly number[],
  cells: ProtectedCells,
  keys: PersonKeys,
): ReadonlySet<number> | undefined {
  // Lines that share nothing have enough people each, and so has everything that adds up from them.
  if (lines.cellGroups.every((groups) => groups.length < 2)) return undefined;
  const atoms = atomsOf(lines, new Set(shown.map(({ number }) => number)));
  if (shown.length * shown.length * atoms.length > maxSteps)
    return new Set(shown.map(({ number }) => number));
  for (const denominator of used) {
    const determined = determinedAtoms(atoms, shown, cells, denominator, keys);
    if (determined) return new Set(determined.flatMap(({ lines: of }) => of));
  }
  return undefined;
}

function atomsOf({ cellGroups }: GroupTotals, shown: ReadonlySet<number>): readonly Atom[] {
  const atoms = new Map<string, Atom>();
  cellGroups.forEach((groups, cell) => {
    const of = groups.filter((group) => shown.has(group)).sort((a, b) => a - b);
    const key = of.join();
    const known = atoms.get(key);
    if (known) known.cells.push(cell);
    else atoms.set(key, { lines: of, cells: [cell] });
  });
  return [...atoms.values()];
}

/** Too few people's atoms that the equations of one column tell something about alone. */
function determinedAtoms(
  atoms: readonly Atom[],
  shown: readonly Group[],
  { few, denominators, smallestGroup }: ProtectedCells,
  denominator: number,
  keys: PersonKeys,
): readonly Atom[] | undefined {
  const peopleOf = (some: readonly Atom[]) =>
    few.countIn(
      some.flatMap(({ cells }) => cells.map((cell) => cell * denominators + denominator)),
      keys,
    );
  const counted = atoms
    .map((atom) => ({ atom, people: peopleOf([atom]) }))
    .filter(({ people }) => people > 0);
  // Atoms with enough people come first: what remains of the equations is about the others alone.
  const unknowns = counted.sort((a, b) => b.people - a.people);
  const enough = unknowns.filter(({ people }) => people >= smallestGroup).length;
  const equations = [
    Float64Array.from(unknowns, () => 1),
    ...shown.map(({ number }) =>
      Float64Array.from(unknowns, ({ atom }) => Number(atom.lines.includes(number))),
    ),
  ];
  const remaining = reduce(equations, unknowns.length, enough);
  const candidates = [...remaining, ...differences(remaining)];
  for (const equation of candidates) {
    const some = unknowns.filter((_, i) => Math.abs(equation[i] ?? 0) > epsilon).map(({ atom }) => atom);
    if (some.length > 0 && peopleOf(some) < smallestGroup) return some;
  }
  return undefined;
}

/**
 * Solves the equations as far as they go, by Gauss-Jordan elimination.
 *
 * @returns those that hold none of the first unknowns
 */
function reduce(equations: Float64Array[], unknowns: number, first: number): Float64Array[] {
  let used = 0;
  let usedByFirst = 0;
  for (let unknown = 0; unknown < unknowns && used < equations.length; unknown++) {
    const pivot = equations.findIndex(
      (equation, i) => i >= used && Math.abs(equation[unknown] ?? 0) > epsilon,
    );
    if (pivot >= 0) {
      const found = equations[pivot] as Float64Array;
      equations[pivot] = equations[used] as Float64Array;
      const by = found[unknown] as number;
      equations[used] = found.map((value) => value / by);
      for (let i = 0; i < equations.length; i++) {
        if (i !== used) subtract(equations[i] as Float64Array, equations[used] as Float64Array, unknown);
      }
      used++;
    }
    if (unknown < first) usedByFirst = used;
  }
  return equations.slice(usedByFirst, used);
}

/** Takes an equation from another as often as removes an unknown. */
function subtract(from: Float64Array, equation: Float64Array, unknown: number): void {
  const times = (from[unknown] as number) / (equation[unknown] as number);
  if (Math.abs(times) <= epsilon) return;
  for (let i = 0; i < from.length; i++) from[i] = (from[i] as number) - times * (equation[i] as number);
}

/** More equations than this are not combined. */
const maxCombined = 40;

/** Two equations together may be about fewer people than each of them. */
function differences(equations: readonly Float64Array[]): Float64Array[] {
  const some = equations.slice(0, maxCombined);
  return some.flatMap((a, i) =>
    some.slice(i + 1).flatMap((b) => {
      const shared = [...a.keys()].filter(
        (unknown) => Math.abs(a[unknown] ?? 0) > epsilon && Math.abs(b[unknown] ?? 0) > epsilon,
      );
      return shared.map((unknown) => {
        const difference = a.slice();
        subtract(difference, b, unknown);
        return difference;
      });
    }),
  );
}
