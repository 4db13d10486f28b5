import { compact } from '../../requests/text.js';
import type { LeftOut } from '../result.js';
import { denominatorKey } from './few-people.js';
import { byPeople, type GroupTotals, type LinePeople } from './group-totals.js';
import { type AboutPeople, type Denominator, denominatorsOf, type FigureRule } from './report-figures.js';

/**
 * Decides which cells of a breakdown are hidden. A column has lines with too few people, and its total is known. So as
 * many other cells are hidden, the smallest first, until the hidden ones are at least two and about enough people
 * together: no one can subtract one of them alone.
 */
export class HiddenCells {
  /** By the denominator: the lines with people, and those of them with too few, or that hide them. */
  private readonly byDenominator = new Map<
    string,
    { readonly filled: readonly number[]; readonly hidden: ReadonlySet<number> }
  >();

  /** @param sharing the lines that share people with others; undefined where that is unknown */
  constructor(private readonly sharing: ReadonlySet<number> | undefined) {}

  /** @param lines the people of each line in that denominator */
  add(denominator: Denominator, lines: readonly LinePeople[], limit: number): void {
    const filled = lines.filter(({ people }) => people.size > 0);
    this.byDenominator.set(denominatorKey(denominator), {
      filled: filled.map(({ number }) => number),
      hidden: hiddenOf(filled, limit),
    });
  }

  /** True where the line has too few people for that column, or hides another that has. */
  isTooFew(line: number, about: AboutPeople): boolean {
    if (this.byDenominator.size === 0) return false;
    return denominatorsOf(about).some((denominator) =>
      this.byDenominator.get(denominatorKey(denominator))?.hidden.has(line),
    );
  }

  /** True where the column counts people of a line that shares some of them. */
  sharesPeople(line: number, { countsPeople }: AboutPeople): boolean {
    return countsPeople === true && (this.sharing?.has(line) ?? true);
  }

  hides(line: number, column: AboutPeople): boolean {
    return this.isTooFew(line, column) || this.sharesPeople(line, column);
  }

  /** True where no line with people would be left in the column. */
  hidesAll(column: AboutPeople): boolean {
    const { filled = [] } = this.byDenominator.get(denominatorKey(column.denominator)) ?? {};
    return filled.length > 0 && filled.every((line) => this.hides(line, column));
  }
}

function hiddenOf(filled: readonly LinePeople[], limit: number) {
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

/** Hides nothing, where small groups are not protected. */
export const nothingHidden = new HiddenCells(new Set());

/** What the protection of small groups leaves out of the cells of a breakdown, each once. */
export function cellsLeftOut(
  groups: GroupTotals,
  hidden: HiddenCells,
  columns: readonly FigureRule[],
): LeftOut[] {
  const isSome = (is: (line: number, column: FigureRule) => boolean, among: readonly FigureRule[]) =>
    among.some((column) => groups.all().some(({ number }) => is(number, column)));
  const isTooFew = (line: number, column: FigureRule) => hidden.isTooFew(line, column);
  const isShared = (line: number, column: FigureRule) => hidden.sharesPeople(line, column);
  const whole = columns.filter((column) => hidden.hidesAll(column));
  const partly = columns.filter((column) => !hidden.hidesAll(column));
  return compact(
    isSome(isTooFew, whole) && 'columns',
    isSome(isTooFew, partly) && 'cells',
    isSome(isShared, columns) && 'shared-people',
  );
}
