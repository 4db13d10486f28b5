import type { ReportName } from '../catalogue/index.js';
import type {
  Differences,
  NeighbourFilter,
  NeighbourQuestion,
  PeopleBetween,
} from '../figures/neighbours.js';
import { foldText } from '../requests/titles.js';
import type { ColumnPlan } from './neighbour-filters.js';

/*
 * The people of the daily look, with the values that filters compare. It answers one question: how many people are between
 * a question and its neighbour with one filter less?
 *
 * What somebody subtracts is the figures of two answers, so the people who count are those with rows that only the wider
 * question has. A person who did two courses has a row on either side of `content:`, and figures of the one row are
 * figures of that person.
 *
 * - Filters on learners are compared over the people of all reports together: somebody who had no assignment in the 90 days
 *   of the look has one in a longer range. They are compared over the people of the report as well, because a report about
 *   few people has small differences where the company has none.
 * - Filters on what is learned are compared over the rows of their report.
 * - A filter whose values no record holds cannot be compared. The others are compared as if it was not there.
 *
 * Nobody is in it by name. While a look goes on, people are known by hashes with a key of this process.
 */

/** The sets of values that records have in a field or filter, each once. */
export class ValueSets {
  private readonly numbers = new Map<string, number>();
  /** Set 0 is empty. The first value comes first. */
  private readonly sets: (readonly string[])[] = [[]];

  /** The number of a set. */
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

export interface Column extends ColumnPlan {
  readonly values: ValueSets;
}

/** A column of learners with the number of each person's set. */
export interface LearnerColumn extends Column {
  readonly sets: Uint32Array;
}

/** The rows of a report: which person has rows of which kinds. Rows of a kind have the same values. */
export interface ReportRows {
  readonly columns: readonly Column[];
  /** By column: the set of each kind. */
  readonly setsOfKinds: readonly Uint32Array[];
  readonly kinds: number;
  /** The rows of person `p` are `kindOfRow[starts[p]]` to before `kindOfRow[starts[p + 1]]`. */
  readonly starts: Uint32Array;
  readonly kindOfRow: Uint32Array;
}

/** The code of a person or row that more than one filter leaves out: it is in no neighbour. 0: no filter does. */
const inNone = 255;

/** More filters are not compared. No report has as many. */
const maxFilters = 30;

/** The people of one daily look. It never changes. */
export class PeopleIndex implements PeopleBetween {
  constructor(
    /** How many people there are. */
    readonly people: number,
    private readonly learners: readonly LearnerColumn[],
    private readonly reports: ReadonlyMap<ReportName, ReportRows>,
  ) {}

  differences({ report, by, smallestGroup, ...question }: NeighbourQuestion): Differences {
    const filters = question.filters.slice(0, maxFilters);
    const rows = this.reports.get(report);
    const codes = this.codesOfPeople(filters);
    const kindCodes = rows && codesOfKinds(rows, filters);
    const learner = this.learners.find(({ key, values }) => key === by && values.hasValues);
    const title = learner ? undefined : rows?.columns.findIndex(({ key }) => key === by);
    const byLearner = learner && { names: learner.values.names, of: learner.values.firstOf(learner.sets) };
    const titleColumn = title === undefined ? undefined : rows?.columns[title];
    const byTitle = titleColumn && {
      names: titleColumn.values.names,
      of: titleColumn.values.firstOf(rows?.setsOfKinds[title ?? 0] ?? new Uint32Array()),
    };
    const counts: Counts[] = [];
    // Nobody knows what the people of other reports learned.
    if (!kindCodes) counts.push(countPeople(codes, filters.length, byLearner));
    if (rows) counts.push(countRows(rows, { codes, kindCodes, byLearner, byTitle }, filters.length));
    return summed(counts, smallestGroup, byTitle === undefined);
  }

  /** By person: which filter on learners leaves the person out, from 1. */
  private codesOfPeople(filters: readonly NeighbourFilter[]): Uint8Array {
    const codes = new Uint8Array(this.people);
    filters.forEach((filter, i) => {
      const column = this.learners.find(({ key, values }) => key === filter.key && values.hasValues);
      if (column) leaveOut(codes, column.sets, column.values.matching(filter), i + 1);
    });
    return codes;
  }
}

/** By kind of row: which filter on what is learned leaves it out; undefined where no such filter can be compared. */
function codesOfKinds(rows: ReportRows, filters: readonly NeighbourFilter[]): Uint8Array | undefined {
  const codes = new Uint8Array(rows.kinds);
  let isCompared = false;
  filters.forEach((filter, i) => {
    const at = rows.columns.findIndex(({ key, values }) => key === filter.key && values.hasValues);
    const [column, sets] = [rows.columns[at], rows.setsOfKinds[at]];
    if (!column || !sets) return;
    isCompared = true;
    leaveOut(codes, sets, column.values.matching(filter), i + 1);
  });
  return isCompared ? codes : undefined;
}

function leaveOut(codes: Uint8Array, sets: Uint32Array, matches: Uint8Array, filter: number): void {
  for (let i = 0; i < codes.length; i++) {
    if (matches[sets[i] as number] === 0) codes[i] = codes[i] === 0 ? filter : inNone;
  }
}

/** The line of each person or kind of row in a breakdown. */
interface LinesOf {
  readonly names: readonly string[];
  readonly of: Uint32Array;
}

/** People between a question and its neighbours, for each filter: of all, and by line. */
interface Counts {
  readonly filters: number;
  readonly all: Uint32Array;
  /** By `line * filters + filter`. */
  readonly ofLines: Uint32Array;
  readonly names: readonly string[];
}

function startCounts(filters: number, names: readonly string[] = []): Counts {
  return { filters, all: new Uint32Array(filters), ofLines: new Uint32Array(names.length * filters), names };
}

function addOne(counts: Uint32Array, at: number): void {
  counts[at] = (counts[at] as number) + 1;
}

function countPeople(codes: Uint8Array, filters: number, by: LinesOf | undefined): Counts {
  const counts = startCounts(filters, by?.names);
  for (let person = 0; person < codes.length; person++) {
    const code = codes[person] as number;
    if (code === 0 || code === inNone) continue;
    addOne(counts.all, code - 1);
    if (by) addOne(counts.ofLines, (by.of[person] as number) * filters + code - 1);
  }
  return counts;
}

interface CodedRows {
  readonly codes: Uint8Array;
  readonly kindCodes: Uint8Array | undefined;
  readonly byLearner: LinesOf | undefined;
  readonly byTitle: LinesOf | undefined;
}

function countRows(
  { starts, kindOfRow }: ReportRows,
  { codes, kindCodes, byLearner, byTitle }: CodedRows,
  filters: number,
): Counts {
  const counts = startCounts(filters, (byLearner ?? byTitle)?.names);
  const { all, ofLines } = counts;
  /** By line and filter: who was counted there last, from 1. */
  const last = new Uint32Array(byTitle ? ofLines.length : 0);
  for (let person = 0; person < codes.length; person++) {
    const ofPerson = codes[person] as number;
    const [from, until] = [starts[person] as number, starts[person + 1] as number];
    if (ofPerson === inNone || from === until) continue;
    // The filters that leave out a row of this person, each as a bit.
    let found = 0;
    if (!kindCodes && !byTitle) found = ofPerson === 0 ? 0 : 1 << (ofPerson - 1);
    else {
      for (let row = from; row < until; row++) {
        const kind = kindOfRow[row] as number;
        const ofKind = kindCodes === undefined ? 0 : (kindCodes[kind] as number);
        if (ofPerson !== 0 && ofKind !== 0) continue;
        const code = ofPerson + ofKind;
        if (code === 0 || code === inNone) continue;
        found |= 1 << (code - 1);
        if (!byTitle) continue;
        const line = (byTitle.of[kind] as number) * filters + code - 1;
        if (last[line] !== person + 1) addOne(ofLines, line);
        last[line] = person + 1;
      }
    }
    for (let filter = 0; found >>> filter !== 0; filter++) {
      if (((found >>> filter) & 1) === 0) continue;
      addOne(all, filter);
      if (byLearner) addOne(ofLines, (byLearner.of[person] as number) * filters + filter);
    }
  }
  return counts;
}

function summed(counts: readonly Counts[], smallestGroup: number, linesAddUp: boolean): Differences {
  const limited = (count: number) => Math.min(count, smallestGroup);
  const lines = new Map<string, readonly number[]>();
  const names = new Set(counts.flatMap((each) => each.names));
  const at = counts.map((each) => new Map(each.names.map((name, line) => [name, line])));
  for (const name of names) {
    const differences = counts.flatMap(({ filters, ofLines }, i) => {
      const line = at[i]?.get(name) ?? -1;
      return Array.from({ length: filters }, (_, filter) => limited(ofLines[line * filters + filter] ?? 0));
    });
    if (differences.some((people) => people > 0)) lines.set(name, differences);
  }
  return { answer: counts.flatMap(({ all }) => [...all].map(limited)), lines, linesAddUp };
}
