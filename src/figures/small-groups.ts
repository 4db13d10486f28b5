import { hasLearners, reportNamed } from '../catalogue/index.js';
import { denominatorKey, FewPeople, PersonOfRecord } from './counting/few-people.js';
import type { Group, GroupTotals } from './counting/group-totals.js';
import type { ProtectedCells } from './counting/groups.js';
import { isNarrowed } from './counting/narrowing.js';
import { PersonKeys } from './counting/person-keys.js';
import type { Contribution, Denominator, ReportFigures } from './counting/report-figures.js';
import { findDeterminedSet } from './determined-sets.js';
import { EntryNeighbours, type PeopleBetween } from './neighbours.js';
import type { RecordView } from './record-view.js';
import type { FiguresPlan } from './result.js';

/** Protects small groups: no figure is about fewer people than a limit, and none can be computed by subtraction. */
export class SmallGroups {
  private readonly indexes: ReadonlyMap<string, number>;

  private constructor(
    /** No figure is about fewer people. */
    readonly smallestGroup: number,
    /** The person of the record that was read last. */
    readonly about: PersonOfRecord,
    private readonly people: FewPeople,
    private readonly plan: FiguresPlan,
    private readonly look: PeopleBetween | undefined,
  ) {
    this.indexes = new Map(about.denominators.map((denominator, i) => [denominatorKey(denominator), i]));
  }

  /** Undefined where small groups are not protected: workshops have no learners. */
  static start(
    report: ReportFigures,
    plan: FiguresPlan,
    fields: readonly string[],
    look?: PeopleBetween,
  ): SmallGroups | undefined {
    if (!protectsSmallGroups(plan)) return undefined;
    const { smallestGroup } = plan;
    const about = new PersonOfRecord(
      denominatorsOf(report, plan),
      fields,
      PersonKeys.start(),
      EntryNeighbours.start(plan.neighbours, fields),
    );
    return new SmallGroups(smallestGroup, about, FewPeople.withLimit(smallestGroup), plan, look);
  }

  get denominators(): number {
    return this.about.denominators.length;
  }

  add(record: RecordView, adds: Contribution): void {
    const { about, people } = this;
    about.read(record, adds);
    for (let i = 0; i < about.isIn.length; i++) if (about.isIn[i] === 1) people.add(i, about.person);
  }

  /** True where the whole answer is about too few people, or too few are between it and a neighbour. */
  get hasTooFew(): boolean {
    return !this.shows('all-rows') || this.isNear;
  }

  private get isNear(): boolean {
    const { about, plan, look, smallestGroup } = this;
    const { report, by, neighbours = [] } = plan;
    for (let entry = about.denominators.length; entry < about.isIn.length; entry++)
      if (!this.showsSet(entry)) return true;
    if (!look || neighbours.length === 0) return false;
    const { answer } = look.differences({ report, by, filters: neighbours, smallestGroup });
    return answer.some((people) => people > 0 && people < smallestGroup);
  }

  /** False where that denominator of the answer has too few people. */
  shows(denominator: Denominator): boolean {
    return this.showsSet(this.indexOf(denominator));
  }

  private showsSet(set: number): boolean {
    const people = this.people.countIn([set], this.about.keys);
    return people === 0 || people >= this.smallestGroup;
  }

  /** The report with the highlights and bars that may be shown. */
  limited(report: ReportFigures): ReportFigures {
    const { bars, highlights } = report;
    const isShown = ({ denominator }: { readonly denominator: Denominator }) => this.shows(denominator);
    return {
      ...report,
      highlights: highlights.filter(isShown),
      bars: { ...bars, series: bars.series.filter(isShown) },
    };
  }

  /**
   * Joins small groups, the smallest first, until nobody can compute figures about too few people from the lines.
   *
   * @param columns the shown columns of each line
   * @param shownOf the lines that are shown, in order
   * @param isNarrowed true if groups without counted rows are left out
   * @returns undefined if no group is left to join
   */
  join(
    groups: GroupTotals,
    columns: readonly { readonly denominator: Denominator }[],
    shownOf: (groups: GroupTotals) => readonly Group[],
    isNarrowed: boolean,
  ): GroupTotals | undefined {
    const { protected: cells } = groups;
    if (!cells) throw new Error('The groups were counted without their people');
    const used = [...new Set(columns.map(({ denominator }) => this.indexOf(denominator)))];
    let lines = joinSmallLines(groups, used, cells, this.about.keys, isNarrowed);
    // One line of all groups repeats the total.
    while (lines && !isOneJoinedLine(lines)) {
      const determined = findDeterminedSet(lines, shownOf(lines), used, cells, this.about.keys);
      if (!determined) return lines;
      lines = joinLines(lines, determined, cells, this.about.keys);
    }
    return undefined;
  }

  copy(): SmallGroups {
    const { smallestGroup, about, people, plan, look } = this;
    return new SmallGroups(smallestGroup, about.copy(), people.copy(), plan, look);
  }

  private indexOf(denominator: Denominator): number {
    const index = this.indexes.get(denominatorKey(denominator));
    if (index === undefined) throw new Error('A denominator is not among those that are counted');
    return index;
  }
}

export function protectsSmallGroups({ report, smallestGroup }: FiguresPlan): boolean {
  return smallestGroup > 1 && hasLearners(reportNamed(report));
}

/** Every denominator of a report's figures, highlights and bars, each once. */
function denominatorsOf(report: ReportFigures, plan: FiguresPlan): readonly Denominator[] {
  const all = [...report.rules(plan), ...report.highlights, ...report.bars.series];
  const byKey = new Map(all.map(({ denominator }) => [denominatorKey(denominator), denominator]));
  byKey.set('all-rows', 'all-rows');
  if (isNarrowed(plan)) byKey.set('counted-rows', 'counted-rows');
  return [...byKey.values()];
}

/** The people of a growing line, in each denominator that is used. */
class LinePeople {
  private readonly sets: readonly Set<number>[];

  constructor(
    private readonly used: readonly number[],
    private readonly cells: ProtectedCells,
    private readonly keys: PersonKeys,
  ) {
    this.sets = used.map(() => new Set());
  }

  add(lineCells: readonly number[]): void {
    const { few, denominators } = this.cells;
    this.used.forEach((denominator, i) => {
      for (const cell of lineCells)
        few.collect(cell * denominators + denominator, this.keys, this.sets[i] ?? new Set());
    });
  }

  /** How many there are in the denominator that has most of them; at most the limit. */
  get largest(): number {
    return Math.max(...this.counts);
  }

  /** Positions of the denominators with too few people, but some. */
  get tooFew(): readonly number[] {
    const { smallestGroup } = this.cells;
    return this.counts.flatMap((people, i) => (people > 0 && people < smallestGroup ? [i] : []));
  }

  has(position: number): boolean {
    return (this.counts[position] ?? 0) > 0;
  }

  private get counts(): readonly number[] {
    return this.sets.map(({ size }) => Math.min(size, this.cells.smallestGroup));
  }
}

function isOneJoinedLine(groups: GroupTotals): boolean {
  const all = groups.all();
  return all.length === 1 && all[0]?.joined !== undefined;
}

interface Line {
  readonly group: Group;
  readonly cells: readonly number[];
  readonly people: LinePeople;
  readonly records: number;
}

function linesOf(
  groups: GroupTotals,
  used: readonly number[],
  cells: ProtectedCells,
  keys: PersonKeys,
): readonly Line[] {
  const cellsOf = new Map<number, number[]>();
  groups.cellGroups.forEach((of, cell) => {
    for (const group of of) {
      const known = cellsOf.get(group);
      if (known) known.push(cell);
      else cellsOf.set(group, [cell]);
    }
  });
  const lines = groups.all().map((group): Line => {
    const own = cellsOf.get(group.number) ?? [];
    const people = new LinePeople(used, cells, keys);
    people.add(own);
    const records = own.reduce((sum, cell) => sum + (cells.records[cell] ?? 0), 0);
    return { group, cells: own, people, records };
  });
  return lines.sort(bySize);
}

/** The smallest first. Groups with as many people as the limit or more go by their records. */
function bySize(a: Line, b: Line): number {
  return (
    a.people.largest - b.people.largest ||
    a.records - b.records ||
    ((a.group.label ?? '') < (b.group.label ?? '') ? -1 : 1)
  );
}

/** Undefined where a group is left that no other can be joined with. */
function joinSmallLines(
  groups: GroupTotals,
  used: readonly number[],
  cells: ProtectedCells,
  keys: PersonKeys,
  isNarrowed: boolean,
): GroupTotals | undefined {
  const lines = linesOf(groups, used, cells, keys);
  const small = lines.filter(({ people }) => people.tooFew.length > 0);
  const others = lines.filter(({ people }) => people.tooFew.length === 0);
  const together = new LinePeople(used, cells, keys);
  for (const line of small) together.add(line.cells);
  const joined = new Set(small.map(({ group }) => group.number));
  while (joined.size === 1 || together.tooFew.length > 0) {
    const { tooFew } = together;
    const next = others.findIndex(
      ({ people }) => tooFew.length === 0 || tooFew.some((position) => people.has(position)),
    );
    const [line] = next < 0 ? [] : others.splice(next, 1);
    if (!line) return undefined;
    joined.add(line.group.number);
    together.add(line.cells);
  }
  // Rows that are not counted made these groups.
  const empty = new Set(
    isNarrowed ? others.filter(({ group }) => group.row.isEmpty).map(({ group }) => group.number) : [],
  );
  const hidesJoined =
    isNarrowed && lines.every(({ group }) => !joined.has(group.number) || group.row.isEmpty);
  return groups.regrouped(
    (group) => !hidesJoined && joined.has(group),
    (group) => empty.has(group) || (hidesJoined && joined.has(group)),
    joinedLabel,
  );
}

/** Joins these lines, and the line that was joined before. Undefined where there is nothing to join them with. */
function joinLines(
  groups: GroupTotals,
  wanted: ReadonlySet<number>,
  cells: ProtectedCells,
  keys: PersonKeys,
): GroupTotals | undefined {
  const lines = linesOf(groups, [0], cells, keys);
  const before = lines.filter(({ group }) => group.joined !== undefined);
  const joined = new Set([...wanted, ...before.map(({ group }) => group.number)]);
  const isNew = [...joined].some((number) => before.every(({ group }) => group.number !== number));
  if (joined.size < 2 || !isNew) {
    const next = lines.find(({ group }) => !joined.has(group.number));
    if (!next) return undefined;
    joined.add(next.group.number);
  }
  return groups.regrouped(
    (group) => joined.has(group),
    () => false,
    joinedLabel,
  );
}

function joinedLabel(groups: number): string {
  return `${groups} smaller groups`;
}
