import { denominatorKey } from './counting/few-people.js';
import { byPeople, GroupTotals, type LinePeople } from './counting/group-totals.js';
import { type AboutPeople, denominatorsOf, type FigureRule } from './counting/report-figures.js';
import type { LeftOut, Note } from './result.js';

/**
 * Decides which cells of a breakdown are hidden. A column has lines with too few people, and its total is known. So as
 * many other cells are hidden, the smallest first, until the hidden ones are at least two and about enough people
 * together: nobody can subtract one of them alone.
 */
export class HiddenCells {
  private constructor(
    /** By the denominator: the lines with too few people, or that hide them. */
    private readonly byDenominator: ReadonlyMap<string, ReadonlySet<number>>,
    /** By the denominator: the lines with anybody. */
    private readonly withPeople: ReadonlyMap<string, ReadonlySet<number>>,
    /** The lines that share people with others; undefined where nobody can tell. */
    private readonly sharing: ReadonlySet<number> | undefined,
  ) {}

  /** @param used the number of each denominator, by its key */
  static of(
    groups: GroupTotals,
    limit: number,
    used: ReadonlyMap<string, number>,
    sharing: ReadonlySet<number> | undefined,
  ): HiddenCells {
    const byDenominator = new Map<string, ReadonlySet<number>>();
    const withPeople = new Map<string, ReadonlySet<number>>();
    for (const [key, denominator] of used) {
      const filled = groups.linesOf(denominator).filter(({ people }) => people.size > 0);
      byDenominator.set(key, hiddenOf(filled, limit));
      withPeople.set(key, new Set(filled.map(({ number }) => number)));
    }
    return new HiddenCells(byDenominator, withPeople, sharing);
  }

  /** True where the line has too few people for that column, or hides another that has. */
  isTooFew(line: number, about: AboutPeople): boolean {
    return denominatorsOf(about).some(
      (denominator) => this.byDenominator.get(denominatorKey(denominator))?.has(line) ?? false,
    );
  }

  /** True where the column counts people of a line that shares some of them. */
  sharesPeople(line: number, { countsPeople }: AboutPeople): boolean {
    return countsPeople === true && (this.sharing?.has(line) ?? true);
  }

  hides(line: number, column: AboutPeople): boolean {
    return this.isTooFew(line, column) || this.sharesPeople(line, column);
  }

  /** True where no line with anybody would be left in the column. */
  hidesAll(column: AboutPeople): boolean {
    const filled = [...(this.withPeople.get(denominatorKey(column.denominator)) ?? [])];
    return filled.length > 0 && filled.every((line) => this.hides(line, column));
  }
}

function hiddenOf(filled: readonly LinePeople[], limit: number): ReadonlySet<number> {
  const inOrder = filled.toSorted((a, b) => byPeople(a, b) || a.number - b.number);
  const few = inOrder.filter(({ people }) => people.size < limit);
  const hidden = new Set(few.map(({ number }) => number));
  const together = new Set(few.flatMap(({ people }) => [...people]));
  for (const { number, people } of inOrder.slice(few.length)) {
    if (hidden.size === 0 || (hidden.size > 1 && together.size >= limit)) break;
    hidden.add(number);
    for (const person of people) together.add(person);
  }
  return hidden;
}

/** The groups of a breakdown, or why it is left out. */
export interface ShownGroups {
  readonly groups?: GroupTotals | { readonly moreThan: number };
  /** Absent where small groups are not protected. */
  readonly hidden?: HiddenCells;
  readonly leftOut?: LeftOut;
}

/** What the protection of small groups left out, each once. */
export function notesOnSmallGroups(
  smallestGroup: number,
  leavesOutFigures: boolean,
  { groups, hidden, leftOut }: ShownGroups,
  columns: readonly FigureRule[],
): Note[] {
  const lines = groups instanceof GroupTotals ? groups.all().map(({ number }) => number) : [];
  const some = (is: (line: number, column: FigureRule) => boolean, among: readonly FigureRule[]) =>
    among.some((column) => lines.some((line) => is(line, column)));
  const isTooFew = (line: number, column: FigureRule) => hidden?.isTooFew(line, column) ?? false;
  const isShared = (line: number, column: FigureRule) => hidden?.sharesPeople(line, column) ?? false;
  const whole = columns.filter((column) => hidden?.hidesAll(column));
  const partly = columns.filter((column) => !hidden?.hidesAll(column));
  const found: (LeftOut | false | undefined)[] = [
    leavesOutFigures && 'figures',
    some(isTooFew, whole) && 'columns',
    some(isTooFew, partly) && 'cells',
    some(isShared, columns) && 'shared-people',
    leftOut,
  ];
  return found.flatMap((what) =>
    what ? [{ kind: 'small-groups', leftOut: what, people: smallestGroup }] : [],
  );
}
