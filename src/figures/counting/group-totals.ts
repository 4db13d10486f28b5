import type { Cells } from './cells.js';
import { PersonMark } from './distinct-people.js';
import type { ProtectedCells } from './few-people.js';
import { groupsOfText, labelOfKey, type Period } from './group-keys.js';
import { combinationsOfMarks } from './people-in-rows.js';
import { CountedRow, type PeopleRule } from './report-figures.js';
import { addSums } from './totals.js';

export interface Group {
  /** null: the records without a value. */
  readonly label: string | null;
  /** The number of joined groups; absent if it was not joined. */
  readonly joined?: number | undefined;
  /** For periods: their order. */
  readonly since?: number | undefined;
  readonly row: CountedRow;
  /** Its number among the groups of the answer. */
  readonly number: number;
}

export interface LinePeople {
  readonly number: number;
  readonly cells: number[];
  /** At most as many as the limit. */
  readonly people: Set<number>;
  rows: number;
}

/** Those of few people first. Those with as many as the limit or more go by their rows. */
export function byPeople(a: LinePeople, b: LinePeople): number {
  return a.people.size - b.people.size || a.rows - b.rows;
}

/** The marks that are stored for each person and group. */
const marksOfGroups = [PersonMark.active, PersonMark.member] as const;

type GroupName = Pick<Group, 'label' | 'joined' | 'since'>;

/** The sums that hold distinct people. */
export interface CountedPeople extends Pick<PeopleRule, 'sum' | 'marked'> {
  /** True if there were more people than are counted. */
  readonly full: boolean;
}

/** The groups of an answer, each with its sums, and the sums of several groups together. */
export class GroupTotals {
  private groups: Group[] | undefined;
  private inOneCell: Float64Array | undefined;

  private constructor(
    private readonly cells: Cells,
    private readonly settled: (sums: Float64Array) => Float64Array,
    private readonly people: CountedPeople | undefined,
    private readonly names: readonly GroupName[],
    /** The groups of each cell, by their numbers. Where small groups are protected, one at most. */
    readonly groupsOfCell: readonly (readonly number[])[],
    /** The groups whose value the rows of each cell have, first or not. */
    readonly valuesOfCell: readonly (readonly number[])[],
  ) {}

  static of(
    cells: Cells,
    settled: (sums: Float64Array) => Float64Array,
    people: CountedPeople | undefined,
    periodOf: (key: string | null) => Period | undefined = () => undefined,
  ): GroupTotals {
    const groups = new Map<string | number | null, number>();
    const names: GroupName[] = [];
    const groupOf = (key: string | null) => {
      const period = periodOf(key);
      const same = period?.since ?? key;
      const group = groups.get(same) ?? groups.size;
      if (group === names.length) names.push(period ?? { label: key === null ? null : labelOfKey(key) });
      groups.set(same, group);
      return group;
    };
    const groupsOf: (readonly number[])[] = [];
    for (const [key, number] of cells.numbers) groupsOf[number] = [groupOf(key)];
    for (const [text, number] of cells.texts) {
      const keys = groupsOfText(text, cells.whole);
      groupsOf[number] = keys.length > 0 ? keys.map(groupOf) : [groupOf(null)];
    }
    const groupsOfCell = cells.members.map((members) => {
      const [only, another] = members;
      if (only !== undefined && another === undefined) return groupsOf[only] ?? [];
      // Values that came apart in a list differ.
      return members.map((number) => groupsOf[number]?.[0] ?? 0);
    });
    const more = people && { ...people, full: people.full || cells.people.full };
    const whole = new GroupTotals(cells, settled, more, names, groupsOfCell, groupsOfCell);
    return cells.protected ? whole.byFirstValue() : whole;
  }

  get count(): number {
    return this.names.length;
  }

  get named(): number {
    return this.names.filter(({ label }) => label !== null).length;
  }

  /** Data for the protection of small groups; undefined if they are not protected. */
  get protected(): ProtectedCells | undefined {
    return this.cells.protected;
  }

  /** The people of each group in one of the sets that are protected. */
  linesOf(set: number): LinePeople[] {
    const lines = this.all().map(
      ({ number }): LinePeople => ({ number, cells: [], people: new Set(), rows: 0 }),
    );
    this.groupsOfCell.forEach(([group = -1], cell) => {
      const line = lines[group];
      if (!line || !this.protected) return;
      line.cells.push(cell);
      this.protected.collect(cell, set, line.people);
      line.rows += this.protected.rowsOf(cell, set);
    });
    return lines;
  }

  /**
   * The same with some groups joined into one, and some left out. Each row and person counts once in the joined group.
   */
  regrouped(
    isJoined: (group: number) => boolean,
    isLeftOut: (group: number) => boolean,
    label: (joined: number) => string,
  ): GroupTotals {
    const names: GroupName[] = [];
    const kept = this.names.map((name, number) =>
      isJoined(number) || isLeftOut(number) ? -1 : names.push(name) - 1,
    );
    const together = this.names.reduce(
      (sum, { joined = 1 }, number) => sum + (isJoined(number) ? joined : 0),
      0,
    );
    const last = names.length;
    if (together > 0) names.push({ label: label(together), joined: together });
    const groupsOfCell = this.groupsOfCell.map((groups) => [
      ...new Set(groups.map((group) => (isJoined(group) ? last : (kept[group] ?? -1))).filter((n) => n >= 0)),
    ]);
    return new GroupTotals(this.cells, this.settled, this.people, names, groupsOfCell, this.valuesOfCell);
  }

  /** The groups that share people with others; undefined if there were too many people to tell. */
  sharingPeople(): ReadonlySet<number> | undefined {
    const { people } = this.cells;
    if (people.full || this.people?.full) return undefined;
    const sharing = new Set<number>();
    people.forEachInSeveralRows((cells) => {
      const own = new Set(cells.flatMap((cell) => this.groupsOfCell[cell] ?? []));
      if (own.size > 1) for (const group of own) sharing.add(group);
    });
    return sharing;
  }

  all(): readonly Group[] {
    this.groups ??= this.countAll();
    return this.groups;
  }

  /** The same with each row in the group of its first value. A value that no row has first is no group. */
  private byFirstValue(): GroupTotals {
    const numbers = new Int32Array(this.names.length).fill(-1);
    const names: GroupName[] = [];
    const groupsOfCell = this.groupsOfCell.map(([first = 0]) => {
      if (numbers[first] === -1) numbers[first] = names.push(this.names[first] ?? { label: null }) - 1;
      return [numbers[first] as number];
    });
    const valuesOfCell = this.groupsOfCell.map((groups, cell) =>
      groups.length === 1
        ? (groupsOfCell[cell] ?? [])
        : groups.map((group) => numbers[group] as number).filter((number) => number >= 0),
    );
    return new GroupTotals(this.cells, this.settled, this.people, names, groupsOfCell, valuesOfCell);
  }

  private countAll(): Group[] {
    const { names, people } = this;
    const sums = names.map(() => this.noSums());
    this.cells.members.forEach((_, cell) => {
      for (const group of this.groupsOfCell[cell] ?? []) addTo(sums[group], this.cells.rows.row(cell));
    });
    if (people) this.addPeople(people, sums);
    return names.map((name, number) => ({
      ...name,
      row: new CountedRow(this.settled(sums[number] ?? this.noSums()), undefined, people?.full),
      number,
    }));
  }

  /** The same groups, each with the median of its own values. */
  withMedians(groups: readonly Group[]): Group[] {
    const cells: number[][] = this.names.map(() => []);
    this.groupsOfCell.forEach((of, cell) => {
      for (const group of of) cells[group]?.push(cell);
    });
    const medians = this.cells.values.medians(groups.map(({ number }) => cells[number] ?? []));
    return groups.map((group, i) => ({ ...group, row: group.row.withMedian(medians[i]) }));
  }

  /**
   * A row for each tail of the groups: the groups from an index to the end. Each record counts once in a tail.
   *
   * @param upTo the last index at which a tail starts
   */
  tails(ordered: readonly Group[], upTo: number): CountedRow[] {
    const indexOfGroup = new Int32Array(ordered.length);
    ordered.forEach(({ number }, index) => {
      indexOfGroup[number] = Math.min(index, upTo);
    });
    const lastIndex = (cell: number) =>
      (this.groupsOfCell[cell] ?? []).reduce((last, group) => Math.max(last, indexOfGroup[group] ?? 0), 0);
    // A cell whose last group is at an index belongs to the tails from that index and from all earlier ones.
    const sums = Array.from({ length: upTo + 1 }, () => this.noSums());
    const lastIndexes = this.cells.members.map((_, cell) => lastIndex(cell));
    lastIndexes.forEach((index, cell) => {
      addTo(sums[index], this.cells.rows.row(cell));
    });
    const { people } = this;
    if (people) {
      lastIndexes.forEach((index, cell) => {
        this.addPeopleInOneCell(cell, people, sums[index]);
      });
      this.cells.people.forEachInSeveralRows((rows, marks) => {
        const indexes = rows.map((cell) => lastIndexes[cell] ?? 0);
        add(sums[Math.max(...indexes)], people.sum);
        const last = marksOfGroups.map((mark) =>
          indexes.reduce((most, index, i) => ((marks[i] ?? 0) & mark ? Math.max(most, index) : most), -1),
        );
        for (const { marks: wanted, sum } of people.marked ?? [])
          add(sums[Math.min(...last.filter((_, i) => (wanted & (marksOfGroups[i] ?? 0)) !== 0))], sum);
      });
    }
    for (let index = upTo - 1; index >= 0; index--) addTo(sums[index], sums[index + 1] ?? this.noSums());
    return sums.map((tail) => new CountedRow(this.settled(tail), undefined, people?.full));
  }

  /** Counts each person once in each of their groups. */
  private addPeople(people: CountedPeople, sums: readonly Float64Array[]): void {
    this.groupsOfCell.forEach((groups, cell) => {
      for (const group of groups) this.addPeopleInOneCell(cell, people, sums[group]);
    });
    // Arrays that are used again: a map for each person would take far longer.
    const seenBy = new Int32Array(sums.length);
    const marksIn = new Uint8Array(sums.length);
    let person = 0;
    this.cells.people.forEachInSeveralRows((rows, marks) => {
      person++;
      const own: number[] = [];
      rows.forEach((cell, i) => {
        for (const group of this.groupsOfCell[cell] ?? []) {
          if (seenBy[group] !== person) {
            own.push(group);
            marksIn[group] = 0;
          }
          seenBy[group] = person;
          marksIn[group] = (marksIn[group] ?? 0) | (marks[i] ?? 0);
        }
      });
      for (const group of own) addPeopleWith(marksIn[group] ?? 0, people, sums[group]);
    });
  }

  /** Counts the people who appeared in that cell only. */
  private addPeopleInOneCell(cell: number, people: CountedPeople, sums: Float64Array | undefined): void {
    this.inOneCell ??= this.cells.people.countsInOneRow(this.cells.members.length);
    for (let marks = 0; marks < combinationsOfMarks; marks++)
      addPeopleWith(marks, people, sums, this.inOneCell[combinationsOfMarks * cell + marks]);
  }

  private noSums(): Float64Array {
    return this.cells.rows.emptyRow();
  }
}

function addTo(sums: Float64Array | undefined, more: Float64Array): void {
  if (sums) addSums(sums, more);
}

function addPeopleWith(
  marks: number,
  { sum, marked = [] }: CountedPeople,
  sums: Float64Array | undefined,
  many = 1,
): void {
  add(sums, sum, many);
  for (const { marks: wanted, sum: which } of marked) if ((marks & wanted) === wanted) add(sums, which, many);
}

function add(sums: Float64Array | undefined, which: number, many = 1): void {
  if (sums) sums[which] = (sums[which] ?? 0) + many;
}
