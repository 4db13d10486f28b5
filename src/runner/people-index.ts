import type { ReportName } from '../catalogue/index.js';
import type {
  Differences,
  NeighbourFilter,
  NeighbourQuestion,
  PeopleBetween,
} from '../figures/neighbours.js';
import { foldText } from '../requests/text.js';
import type { ColumnPlan } from './neighbour-filters.js';

/*
 * The people of the daily look, with the values that filters compare. It answers one question: how many people are between
 * a question and its neighbour with one filter less?
 *
 * A person can subtract the figures of two answers, so the people who count are those with rows that only the wider
 * question has. A person who did two courses has a row on either side of `content:`, and figures of the one row are
 * figures of that person.
 *
 * - Filters on learners are compared over the people of all reports together: a person who had no assignment in the 90
 *   days of the look has one in a longer range. They are compared over the people of the report as well, because a report
 *   about few people has small differences where the company has none.
 * - Filters on what is learned are compared over the rows of their report.
 * - A filter whose values no record holds cannot be compared. The others are compared as if it was not there.
 *
 * It names no person. While a look goes on, people are known by hashes with a key of this process.
 */

/** The sets of values that records have in a field or filter, each once. */
export class ValueSets {
  private readonly numbers = new Map<string, number>();
  /** Set 0 is empty. The first value comes first. */
  private readonly sets: (readonly string[])[] = [[]];

  numberOf(values: readonly string[]): number {
    if (values.length === 0) return 0;
    const key = values.length === 1 ? (values[0] as string) : values.join('\u0000,');
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, this.sets.length);
    return this.sets.push(values) - 1;
  }

  /** False where no record had a value. */
  get hasValues(): boolean {
    return this.sets.length > 1;
  }

  /** By the number of a set: 1 where an entry of the filter is in it. */
  matching({ entries, kind }: NeighbourFilter): Uint8Array {
    const texts = new Set(entries.flat().map(foldText));
    const matches = Uint8Array.from(this.sets, (values) =>
      values.some((value) => texts.has(value)) ? 1 : 0,
    );
    // A flag that is missing is taken for one that is not set.
    if (kind === 'yes-no' && texts.has('false')) matches[0] = 1;
    return matches;
  }

  /** The first values of the sets, each once. */
  get names(): readonly string[] {
    return [...new Set(this.sets.map(([first = '']) => first))];
  }

  /** By the position in `sets`: the position of the first value in `names`. */
  firstOf(sets: Uint32Array): Uint32Array {
    const numbers = new Map(this.names.map((name, number) => [name, number]));
    const firsts = this.sets.map(([first = '']) => numbers.get(first) ?? 0);
    return sets.map((set) => firsts[set] ?? 0);
  }
}

/** A column with the number of the set of each person, or of each kind of row. */
export interface Column extends ColumnPlan {
  readonly values: ValueSets;
  readonly sets: Uint32Array;
}

/** The rows of a report: which person has rows of which kinds. Rows of a kind have the same values. */
export interface ReportRows {
  readonly columns: readonly Column[];
  readonly kinds: number;
  /** The rows of person `p` are `kindOfRow[starts[p]]` to before `kindOfRow[starts[p + 1]]`. */
  readonly starts: Int32Array;
  readonly kindOfRow: Int32Array;
}

/** More filters are not compared. No report has as many. */
const maxFilters = 30;

/** Up to so many filters, each set of them is left out. */
const maxInEverySet = 5;

/** The people of one daily look. It never changes. */
export class PeopleIndex implements PeopleBetween {
  constructor(
    readonly people: number,
    private readonly learners: readonly Column[],
    private readonly reports: ReadonlyMap<ReportName, ReportRows>,
  ) {}

  differences({ report, by, smallestGroup, ...question }: NeighbourQuestion): Differences {
    const filters = question.filters.filter(({ ofCondition }) => !ofCondition).slice(0, maxFilters);
    const conditions = question.filters.filter(({ ofCondition }) => ofCondition);
    const rows = this.reports.get(report);
    const onPeople = filtersThatFail(this.learners, filters, this.people) ?? new Uint32Array(this.people);
    const onKinds = rows && filtersThatFail(rows.columns, filters, rows.kinds);
    markOutside(onPeople, this.learners, conditions);
    if (rows && onKinds) markOutside(onKinds, rows.columns, conditions);
    const learner = comparedBy(by, this.learners);
    const title = learner ? undefined : rows?.columns.find(({ key }) => key === by);
    const byLearner = learner && linesOf(learner);
    const byTitle = title && linesOf(title);
    const counters: DifferenceCounter[] = [];
    // What the people of other reports learned is unknown.
    if (!onKinds) {
      const all = new DifferenceCounter(filters.length, byLearner?.names);
      for (let person = 0; person < this.people; person++)
        all.count(person, onPeople[person] as number, byLearner?.of[person]);
      counters.push(all);
    }
    if (rows) {
      const ofReport = new DifferenceCounter(filters.length, (byLearner ?? byTitle)?.names);
      countRows(rows, { onPeople, onKinds, byLearner, byTitle }, ofReport);
      counters.push(ofReport);
    }
    return summed(counters, smallestGroup, byTitle === undefined);
  }
}

/** The column that has values to compare. */
function comparedBy(wanted: string | undefined, columns: readonly Column[]): Column | undefined {
  return columns.find(({ key, values }) => key === wanted && values.hasValues);
}

/** By person or kind of row: the filters that leave it out, each as a bit. Undefined where none can be compared. */
function filtersThatFail(
  columns: readonly Column[],
  filters: readonly NeighbourFilter[],
  size: number,
): Uint32Array | undefined {
  const failing = new Uint32Array(size);
  let isCompared = false;
  for (const [i, filter] of filters.entries()) {
    const column = comparedBy(filter.key, columns);
    if (!column) continue;
    isCompared = true;
    const { sets, values } = column;
    const matches = values.matching(filter);
    for (let at = 0; at < size; at++) {
      if (matches[sets[at] as number] === 0) failing[at] = (failing[at] as number) | (1 << i);
    }
  }
  return isCompared ? failing : undefined;
}

/** A bit that no neighbour leaves out: whoever does not meet a condition is in none of the questions. */
const outside = 1 << maxFilters;

function markOutside(
  failing: Uint32Array,
  columns: readonly Column[],
  conditions: readonly NeighbourFilter[],
): void {
  for (const condition of conditions) {
    const column = comparedBy(condition.key, columns);
    if (!column) continue;
    const { sets, values } = column;
    const matches = values.matching(condition);
    const failed = condition.ofCondition === 'excluded' ? 1 : 0;
    for (let at = 0; at < failing.length; at++)
      if (matches[sets[at] as number] === failed) failing[at] = (failing[at] as number) | outside;
  }
}

/** The line of each person or kind of row in a breakdown. */
type LinesOf = ReturnType<typeof linesOf>;

function linesOf({ values, sets }: Column) {
  return { names: values.names, of: values.firstOf(sets) };
}

/**
 * The filters that a neighbour leaves out, as bits. Two filters may leave out the same people, so that no one is
 * between the question and either neighbour, and few people are between it and the one without both. So each two
 * filters are left out too, and all of them; of few filters each set.
 */
function leftOutTogether(filters: number): readonly number[] {
  const everySet = 2 ** filters - 1;
  if (filters <= maxInEverySet) return Array.from({ length: everySet }, (_, i) => i + 1);
  const bits = Array.from({ length: filters }, (_, i) => 1 << i);
  return [...bits, ...bits.flatMap((one, i) => bits.slice(i + 1).map((other) => one | other)), everySet];
}

/** Counts the people between a question and each neighbour: all, and those of each line. */
class DifferenceCounter {
  private readonly neighbours;
  /** By the filters that leave a person out: the neighbours that leave out all of these. */
  private readonly without = new Map<number, readonly number[]>();
  private latest = { failing: 0, neighbours: [] as readonly number[] };
  /** By `line * neighbours + neighbour`. After the lines come all people. */
  private readonly counts;
  /** Who was counted last there, from 1. */
  private readonly last;

  constructor(
    filters: number,
    readonly names: readonly string[] = [],
  ) {
    this.neighbours = leftOutTogether(filters);
    this.counts = new Uint32Array(this.neighbours.length * (names.length + 1));
    this.last = new Uint32Array(this.counts.length);
  }

  /** @param failing the filters that leave out a row of the person, as bits; people count once, with all their rows */
  count(person: number, failing: number, line: number | undefined): void {
    if (failing === 0) return;
    const many = this.neighbours.length;
    for (const neighbour of this.neighboursWithout(failing)) {
      this.countOnce(this.names.length * many + neighbour, person);
      if (line !== undefined) this.countOnce(line * many + neighbour, person);
    }
  }

  private countOnce(at: number, person: number): void {
    if (this.last[at] === person + 1) return;
    this.last[at] = person + 1;
    this.counts[at] = (this.counts[at] as number) + 1;
  }

  /** @param line undefined: no one is in it; the number of lines: all people */
  countsOf(line: number | undefined, limit: number): readonly number[] {
    const from = (line ?? 0) * this.neighbours.length;
    return this.neighbours.map((_, neighbour) =>
      line === undefined ? 0 : Math.min(this.counts[from + neighbour] as number, limit),
    );
  }

  private neighboursWithout(failing: number): readonly number[] {
    // Most rows are left out like the row before.
    if (failing === this.latest.failing) return this.latest.neighbours;
    const neighbours =
      this.without.get(failing) ??
      this.neighbours.flatMap((leftOut, i) => ((failing & ~leftOut) === 0 ? [i] : []));
    this.without.set(failing, neighbours);
    this.latest = { failing, neighbours };
    return neighbours;
  }
}

interface FailingRows {
  readonly onPeople: Uint32Array;
  readonly onKinds: Uint32Array | undefined;
  readonly byLearner: LinesOf | undefined;
  readonly byTitle: LinesOf | undefined;
}

function countRows(
  { starts, kindOfRow }: ReportRows,
  { onPeople, onKinds, byLearner, byTitle }: FailingRows,
  counter: DifferenceCounter,
): void {
  for (let person = 0; person < onPeople.length; person++) {
    const ofPerson = onPeople[person] as number;
    const from = starts[person] as number;
    let until = starts[person + 1] as number;
    // All rows of a person are alike then.
    if (!onKinds && !byTitle) until = Math.min(until, from + 1);
    let before = 0;
    for (let row = from; row < until; row++) {
      const kind = kindOfRow[row] as number;
      const failing = ofPerson | (onKinds === undefined ? 0 : (onKinds[kind] as number));
      if (failing === 0 || (failing === before && !byTitle)) continue;
      before = failing;
      counter.count(person, failing, byLearner ? byLearner.of[person] : byTitle?.of[kind]);
    }
  }
}

function summed(
  counters: readonly DifferenceCounter[],
  smallestGroup: number,
  linesAddUp: boolean,
): Differences {
  const lines = new Map<string, readonly number[]>();
  const names = new Set(counters.flatMap((each) => each.names));
  const at = counters.map((each) => new Map(each.names.map((name, line) => [name, line])));
  for (const name of names) {
    const differences = counters.flatMap((counter, i) => counter.countsOf(at[i]?.get(name), smallestGroup));
    if (differences.some((people) => people > 0)) lines.set(name, differences);
  }
  const answer = counters.flatMap((each) => each.countsOf(each.names.length, smallestGroup));
  return { answer, lines, linesAddUp };
}
