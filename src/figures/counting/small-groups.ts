import { type BesideRow, besideSetsOf } from '../conditions-plan.js';
import {
  type Differences,
  EntryNeighbours,
  isTooFew,
  LineDifferences,
  noDifferences,
  type PeopleBetween,
} from '../neighbours.js';
import type { RecordView } from '../record-view.js';
import type { FiguresPlan } from '../result.js';
import { denominatorKey, FewPeople, PersonOfRecord, type ProtectedCells } from './few-people.js';
import { differingFromFilters } from './filter-differences.js';
import { byPeople, type GroupTotals, type LinePeople } from './group-totals.js';
import { HiddenCells } from './hidden-cells.js';
import {
  type AboutPeople,
  type Contribution,
  type Denominator,
  denominatorsOf,
  type ReportFigures,
} from './report-figures.js';
import { breakdownField, isNarrowed } from './rules.js';

/** Protects small groups: no figure is about fewer people than a limit, and none can be computed by subtraction. */
export class SmallGroups {
  /** No figure is about fewer people. */
  readonly smallestGroup: number;
  /** The person of the record that was read last. */
  readonly about: PersonOfRecord;
  private readonly indexes;
  private readonly people;
  private readonly by;
  private found: Differences | undefined;

  constructor(
    report: ReportFigures,
    private readonly plan: FiguresPlan,
    fields: readonly string[],
    private readonly look: PeopleBetween | undefined,
  ) {
    const denominators = denominatorsIn(report, plan);
    this.smallestGroup = plan.smallestGroup;
    const entries = new EntryNeighbours(plan.neighbours, fields);
    this.about = new PersonOfRecord(denominators, fields, entries, besideSetsOf(plan.conditions));
    this.people = new FewPeople(plan.smallestGroup);
    this.indexes = new Map(denominators.map((denominator, i) => [denominatorKey(denominator), i]));
    this.by = breakdownField(report, plan);
  }

  /** The people between the question and its neighbours: one look for the answer and its lines. */
  private get differences(): Differences {
    const { look, by, smallestGroup } = this;
    const { report, neighbours: filters = [] } = this.plan;
    this.found ??=
      look && filters.length > 0 ? look.differences({ report, filters, by, smallestGroup }) : noDifferences;
    return this.found;
  }

  add(record: RecordView, adds: Contribution): void {
    const { about, people } = this;
    about.read(record, adds);
    for (let i = 0; i < about.isIn.length; i++) if (about.isIn[i] === 1) people.add(i, about.person);
  }

  /** Adds the person of a record that the conditions keep out. */
  addBeside(record: RecordView, beside: BesideRow): void {
    const { about, people } = this;
    about.readBeside(record, beside);
    for (let i = 0; i < about.isIn.length; i++) if (about.isIn[i] === 1) people.add(i, about.person);
    beside.unread.forEach((flag, field) => {
      if (flag === 1) people.add(about.isIn.length + field, about.person);
    });
  }

  /** False where the rows that a condition keeps out for want of a value are about too few people. */
  showsUnread(field: number): boolean {
    return this.showsSet(this.about.isIn.length + field);
  }

  /**
   * True where the whole answer is about too few people, or too few are between it and a neighbour. Where filters narrow
   * it, no one is too few: otherwise two days would show the day on which a person came.
   */
  get hasTooFew(): boolean {
    const isNobody = this.people.countIn(this.indexOf('all-rows'), this.about.keys) === 0;
    return !this.shows('all-rows') || (isNobody && this.plan.isFiltered === true) || this.isNear;
  }

  private get isNear(): boolean {
    const { about, smallestGroup } = this;
    for (let entry = about.denominators.length; entry < about.isIn.length; entry++)
      if (!this.showsSet(entry)) return true;
    return this.differences.answer.some((people) => isTooFew(people, smallestGroup));
  }

  /** False where that denominator of the answer has too few people. */
  shows(denominator: Denominator): boolean {
    return this.showsSet(this.indexOf(denominator));
  }

  showsFigure(about: AboutPeople): boolean {
    if (about.toldApartBy?.some((flag) => flag === this.by)) return false;
    return denominatorsOf(about).every((denominator) => this.shows(denominator));
  }

  private showsSet(set: number): boolean {
    return !isTooFew(this.people.countIn(set, this.about.keys), this.smallestGroup);
  }

  /** The report with the highlights and bars that may be shown. */
  limited(report: ReportFigures): ReportFigures {
    const { bars, highlights } = report;
    const isShown = (about: AboutPeople) => this.showsFigure(about);
    return {
      ...report,
      highlights: highlights.filter(isShown),
      bars: { ...bars, series: bars.series.filter(isShown) },
    };
  }

  /**
   * Joins the lines that may not be shown, and hides cells of those that may.
   *
   * @param shown what is shown of each line
   * @param isNarrowed true if groups without counted rows are left out
   * @returns the lines that may be shown, and their cells that may not; or why the breakdown is left out
   */
  protect(groups: GroupTotals, shown: readonly AboutPeople[], isNarrowed: boolean) {
    const { protected: cells } = groups;
    if (!cells) throw new Error('The groups were counted without their people');
    if (cells.keys.full) return 'breakdown-too-large';
    const differing = differingFromFilters(groups, cells, this.smallestGroup);
    if (typeof differing === 'string') return differing;
    const joined = this.join(groups, differing, isNarrowed);
    if (!joined) return 'breakdown';
    const sharing = shown.some(({ countsPeople }) => countsPeople) ? joined.sharingPeople() : undefined;
    const hidden = new HiddenCells(sharing);
    for (const denominator of shown.flatMap(denominatorsOf))
      hidden.add(denominator, joined.linesOf(this.indexOf(denominator)), this.smallestGroup);
    return { groups: joined, hidden };
  }

  /**
   * The place of the first cell up to which there are enough people: the last one if there are too few. So a span of
   * dates says nothing of the few people at its ends.
   */
  placeOfEnough(counted: ProtectedCells, cells: readonly number[]): number {
    const together = new Set<number>();
    const all = this.indexOf('all-rows');
    const place = cells.findIndex((cell) => {
      counted.collect(cell, all, together);
      return together.size >= this.smallestGroup;
    });
    return place < 0 ? cells.length - 1 : place;
  }

  /** @returns the key of a person here for one of `later` */
  merge(later: SmallGroups): (key: number) => number {
    const keyOf = this.about.keys.merge(later.about.keys);
    this.people.merge(later.people, keyOf);
    return keyOf;
  }

  /**
   * Joins lines of too few people, and those that differ by too few from their filters or from the same lines of a
   * neighbour, until the joined line has at least two groups, enough people and no such difference. Undefined where that
   * leaves one line of all groups, which would repeat the total.
   */
  private join(
    groups: GroupTotals,
    differing: ReadonlySet<number>,
    isNarrowed: boolean,
  ): GroupTotals | undefined {
    const { smallestGroup } = this;
    const all = groups.all();
    const labelOf = ({ number }: LinePeople) => all[number]?.label ?? '';
    const every = groups.linesOf(this.indexOf('all-rows'));
    // Rows that the conditions keep out made the others.
    const lines = every
      .filter(({ rows }) => rows > 0)
      .sort((a, b) => byPeople(a, b) || (labelOf(a) < labelOf(b) ? -1 : 1));
    const found = this.differences;
    const startDifferences = () => new LineDifferences(this.entries, smallestGroup);
    const addTo = (differences: LineDifferences, line: LinePeople) => {
      differences.add(labelOf(line), found, (entry, together) => {
        const set = this.about.denominators.length + entry;
        for (const cell of line.cells) groups.protected?.collect(cell, set, together);
      });
      return differences;
    };
    const isSmall = (line: LinePeople) =>
      line.people.size < smallestGroup ||
      differing.has(line.number) ||
      addTo(startDifferences(), line).areTooFew;
    const small = lines.filter(isSmall);
    const others = lines.filter((line) => !isSmall(line));
    const joined = new Set(small.map(({ number }) => number));
    const together = new Set(small.flatMap(({ people }) => [...people]));
    const differences = small.reduce(addTo, startDifferences());
    while (joined.size > 0 && (joined.size < 2 || together.size < smallestGroup || differences.areTooFew)) {
      const next = others.shift();
      if (!next) return undefined;
      joined.add(next.number);
      addTo(differences, next);
      for (const person of next.people) together.add(person);
    }
    if (joined.size > 0 && others.length === 0) return undefined;
    // Rows that are not counted made these groups.
    const isEmpty = ({ number }: LinePeople) => isNarrowed && all[number]?.row.isEmpty === true;
    const noRows = every.filter(({ rows }) => rows === 0);
    const empty = new Set([...others.filter(isEmpty), ...noRows].map(({ number }) => number));
    const hidesJoined = lines.every((line) => !joined.has(line.number) || isEmpty(line));
    return groups.regrouped(
      (group) => !hidesJoined && joined.has(group),
      (group) => empty.has(group) || (hidesJoined && joined.has(group)),
      (many) => `${many} smaller groups`,
    );
  }

  /** How many entries of filters and conditions the rows are compared without. */
  private get entries(): number {
    return this.about.isIn.length - this.about.denominators.length;
  }

  private indexOf(denominator: Denominator): number {
    const index = this.indexes.get(denominatorKey(denominator));
    if (index === undefined) throw new Error('A denominator is not among those that are counted');
    return index;
  }
}

/** Every denominator of a report's figures, highlights and bars, each once. */
function denominatorsIn(report: ReportFigures, plan: FiguresPlan) {
  const all = [...report.rules(plan), ...report.highlights, ...report.bars.series];
  const byKey = new Map(
    all.flatMap(denominatorsOf).map((denominator) => [denominatorKey(denominator), denominator]),
  );
  byKey.set('all-rows', 'all-rows');
  if (isNarrowed(plan)) byKey.set('counted-rows', 'counted-rows');
  return [...byKey.values()];
}
