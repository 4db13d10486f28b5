import { conditionField } from '../../catalogue/conditions.js';
import { hasLearners, reportNamed } from '../../catalogue/index.js';
import { compact } from '../../requests/text.js';
import { type BesideRow, conditionFieldsOf } from '../conditions-plan.js';
import { breakdownOf, columnsOf, highlightsOf } from '../counting/breakdown.js';
import { CountedValues } from '../counting/counted-values.js';
import { DistinctPeople } from '../counting/distinct-people.js';
import { GroupTotals } from '../counting/group-totals.js';
import { Grouping } from '../counting/groups.js';
import { cellsLeftOut, nothingHidden } from '../counting/hidden-cells.js';
import { formatOnlyRow } from '../counting/only-row.js';
import { SketchedPeople } from '../counting/people-sketch.js';
import { PeopleList, rowPersonReader } from '../counting/person-fields.js';
import {
  Contribution,
  CountedRow,
  type FigureRule,
  type Formula,
  type HighlightRule,
  type ReportFigures,
} from '../counting/report-figures.js';
import { breakdownField, dueListOf, isNarrowed, unknown } from '../counting/rules.js';
import { SmallGroups } from '../counting/small-groups.js';
import { addSums } from '../counting/totals.js';
import type { PeopleBetween } from '../neighbours.js';
import type { RecordView } from '../record-view.js';
import {
  type FiguresPlan,
  type FiguresReader,
  type FiguresResult,
  factIfAny,
  type LeftOut,
  type Note,
  nothingCounted,
  type PeopleToLookAt,
  type RowPerson,
} from '../result.js';

/** Beyond this many people, the count is "more than". */
const maxPeople = 2_000_000;

/** The most different values of a median: enough for every tenth of a point, or every day. */
const maxValues = 200_000;

/** The figures of an answer, and of each group of one field. */
export class StreamingFigures implements FiguresReader {
  private readonly adds;
  private readonly counter;
  private readonly total;
  private readonly values;
  private readonly people = new DistinctPeople(maxPeople);
  private readonly smallGroups;
  private readonly grouping;
  private readonly countedPeople;
  private readonly unread;
  private readonly sketch;
  private records = 0;
  private counted = 0;
  private firstRow: NonNullable<FiguresResult['onlyRow']> = [];
  private firstPerson: RowPerson | undefined;
  private readonly whoOf;

  constructor(
    private readonly report: ReportFigures,
    private readonly plan: FiguresPlan,
    private readonly fields: readonly string[],
    private readonly look: PeopleBetween | undefined,
    /** How many records were counted in earlier parts of the answer. */
    private readonly countedBefore = 0,
  ) {
    this.total = new Float64Array(Object.keys(report.sums).length);
    this.unread = new Float64Array(conditionFieldsOf(plan.conditions).length);
    this.adds = new Contribution(this.total.length);
    this.counter = report.counter(plan, fields);
    this.whoOf = plan.tellsPeople ? rowPersonReader(fields) : undefined;
    this.values = new CountedValues(maxValues, report.medianOf);
    this.smallGroups = protectsSmallGroups(plan) ? new SmallGroups(report, plan, fields, look) : undefined;
    const by = breakdownField(report, plan);
    this.grouping = by === undefined ? undefined : new Grouping(report, plan, by, fields, this.smallGroups);
    this.sketch = plan.sketchesPeople ? new SketchedPeople(fields) : undefined;
    const { title, points } = report.listed ?? {};
    this.countedPeople = listsCounted(report, plan)
      ? new PeopleList(fields, title, points === undefined ? 'days' : 'points', plan.tellsPeople)
      : undefined;
  }

  lastRank = Number.NaN;

  /** False if the values turned out to have another scale than assumed. */
  get assumptionHolds(): boolean {
    return this.counter.assumptionHolds?.() ?? true;
  }

  get lastOrder(): number {
    return Number.isNaN(this.adds.order) ? this.lastRank : this.adds.order;
  }

  get lastDays(): number {
    // Files and tables have no minus 0.
    return this.adds.days + 0;
  }

  isCounted(): boolean {
    return true;
  }

  add(record: RecordView): void {
    const { adds, total, smallGroups, grouping } = this;
    this.records++;
    this.sketch?.add(record);
    adds.clear();
    if (!this.counter.read(record, adds)) {
      this.lastRank = Number.NaN;
      if (!smallGroups || !isNarrowed(this.plan)) return;
      // People are counted before an answer is narrowed, so a record that is not counted still names one.
      smallGroups.add(record, adds);
      adds.clear();
      grouping?.add(record, adds, -1);
      return;
    }
    adds.isCounted = true;
    this.lastRank = Number.isNaN(adds.rank) ? this.countedBefore + this.counted : adds.rank;
    this.counted++;
    this.countedPeople?.add(record, this.lastOrder, this.amountOf(record));
    if (this.counted === 1) {
      this.firstRow = formatOnlyRow(record, this.fields, reportNamed(this.plan.report), this.plan);
      this.firstPerson = this.whoOf?.(record);
    }
    addSums(total, adds.sums);
    if (!Number.isNaN(adds.medianValue)) this.values.add(0, adds.medianValue);
    const counted = this.report.people !== undefined && adds.hasPerson;
    const person = counted ? this.people.numberOf(adds.personHigh, adds.personLow) : -1;
    if (adds.marks !== 0) this.people.mark(person, adds.marks);
    this.counter.notePerson?.(record, adds, person, this.people);
    smallGroups?.add(record, adds);
    grouping?.add(record, adds, person);
  }

  addBeside(record: RecordView, beside: BesideRow): void {
    beside.unread.forEach((flag, field) => {
      this.unread[field] = (this.unread[field] ?? 0) + flag;
    });
    this.smallGroups?.addBeside(record, beside);
    if (this.smallGroups && beside.neighbours.includes(1)) this.grouping?.addBeside(record);
  }

  startPart(): StreamingFigures {
    const { report, plan, fields, look, countedBefore, counted } = this;
    return new StreamingFigures(report, plan, fields, look, countedBefore + counted);
  }

  merge(part: StreamingFigures): void {
    if (this.counted === 0) {
      this.firstRow = part.firstRow;
      this.firstPerson = part.firstPerson;
    }
    this.records += part.records;
    this.counted += part.counted;
    addSums(this.unread, part.unread);
    addSums(this.total, part.total);
    this.values.merge(part.values);
    const people = this.people.merge(part.people);
    for (const [name, own] of Object.entries(this.counter.parts))
      own?.merge(part.counter.parts[name], people);
    const keyOf = part.smallGroups && this.smallGroups?.merge(part.smallGroups);
    if (part.grouping) this.grouping?.merge(part.grouping, people, keyOf);
    if (part.countedPeople) this.countedPeople?.merge(part.countedPeople);
    if (part.sketch) this.sketch?.merge(part.sketch);
  }

  finish(): FiguresResult {
    const { plan, records, counted, smallGroups } = this;
    if (smallGroups?.hasTooFew) return { ...nothingCounted, report: plan.report, tooFew: plan.smallestGroup };
    const report = smallGroups?.limited(this.report) ?? this.report;
    const [median] = this.values.medians([[0]]);
    const total = new CountedRow(this.settled(this.withPeople(this.total)), median, this.people.full);
    const { missing, spread, completedBy } = this.counter.parts;
    const found = this.counter.finish(total, this.values, this.people);
    const unread = missing.unreadFields();
    const all = report.rules(plan);
    const rules = all
      .filter((rule) => smallGroups?.showsFigure(rule) ?? true)
      .map((rule) => (isUnread(rule, unread) ? { ...rule, value: () => unknown } : rule));
    const leavesOutFigures = rules.length < all.length;
    const { grouping } = this;
    const rankings = report.highlights.filter((rule) => !isUnread(rule, unread));
    const shown = grouping && this.shownOf(grouping, report, rules, rankings);
    // A spread over few rows, or over the groups that were joined, would show what is hidden.
    const showsSpreads =
      !smallGroups || !(leavesOutFigures || (grouping?.isRequested && grouping.field.kind === 'status'));
    const showsOwnChart = !smallGroups || (showsSpreads && report.chartIsSpread);
    const ownChart = showsOwnChart ? found.chart : undefined;
    const leftOut: LeftOut[] = compact(leavesOutFigures && 'figures', shown?.leftOut);
    return {
      report: plan.report,
      records,
      counted,
      figures: rules.map(({ id, label, compared, value }) => ({
        id,
        label,
        value: value(total),
        compared: plan.isOfNow ? 'nothing' : compared,
      })),
      spreads: (showsSpreads && spread?.finish()) || [],
      highlights: shown?.highlights ?? [],
      upcoming: found.upcoming ?? [],
      different: found.different,
      chart: grouping?.isRequested ? shown?.chart : (ownChart ?? shown?.chart),
      breakdown: shown?.table,
      people: smallGroups ? undefined : (this.listedPeople ?? found.people),
      onlyRow: counted === 1 && !smallGroups ? this.firstRow : undefined,
      ...(counted === 1 && this.firstPerson && { onlyPerson: { who: this.firstPerson } }),
      recounted: completedBy?.finish(),
      sketch: this.sketch?.finish(),
      pace: plan.paceRange &&
        report.pace && {
          recent: total.sum(report.pace.recent),
          undated: total.sum(report.pace.undated),
          people: this.people.count,
        },
      notes: [
        ...[...missing.notes(reportNamed(plan.report)), ...(found.notes ?? [])].filter(
          (note) => !smallGroups || this.mayBeShown(note, smallGroups),
        ),
        ...this.unreadNotes,
        ...factIfAny('too-many-values-for-a-median', this.values.full ? counted : 0),
        ...leftOut.map((what): Note => ({ kind: 'small-groups', leftOut: what, people: plan.smallestGroup })),
      ],
    };
  }

  private shownOf(
    grouping: Grouping,
    report: ReportFigures,
    rules: readonly FigureRule[],
    rankings: readonly HighlightRule[],
  ): ShownGroups {
    const { smallGroups, plan } = this;
    const people = report.people && { ...report.people, full: this.people.full };
    const enough = smallGroups?.placeOfEnough.bind(smallGroups);
    const all = grouping.finish((sums) => this.settled(sums), people, enough);
    if (!(all instanceof GroupTotals)) {
      const { flag: by, label, isRequested } = grouping;
      return { table: { kind: 'refused', by, label, isRequested, ...all } };
    }
    const columns = columnsOf(rules, grouping);
    const about = [...columns, ...report.bars.series, ...report.highlights];
    const lines = smallGroups?.protect(all, about, isNarrowed(plan)) ?? {
      groups: all,
      hidden: nothingHidden,
    };
    if (typeof lines === 'string') return { leftOut: [lines] };
    const { groups, hidden } = lines;
    if (columns.every((column) => hidden.hidesAll(column))) return { leftOut: ['breakdown'] };
    return {
      ...breakdownOf(report, rules, grouping, groups, hidden),
      highlights: highlightsOf(rankings, report.size, groups.all(), hidden),
      leftOut: smallGroups && cellsLeftOut(groups, hidden, columns),
    };
  }

  /** How many rows the conditions keep out for want of a value. */
  private get unreadNotes(): readonly Note[] {
    return conditionFieldsOf(this.plan.conditions).flatMap((id, i): Note[] => {
      const field = conditionField({ name: this.plan.report }, id)?.label ?? id;
      const rows = this.unread[i] ?? 0;
      const isShown = this.smallGroups?.showsUnread(i) ?? true;
      return rows === 0 ? [] : [{ kind: 'condition', field, rows: isShown ? rows : undefined }];
    });
  }

  private get listedPeople(): PeopleToLookAt | undefined {
    const { countedPeople, plan, report } = this;
    if (dueListOf(plan) === 'due') return countedPeople?.finish('due');
    return countedPeople && { ...countedPeople.finish('counted'), title: report.bars.title };
  }

  /** The number of a listed row; NaN: none. */
  private amountOf(record: RecordView): number {
    const points = this.report.listed?.points;
    return points === undefined ? this.adds.days : record.number(this.fields.indexOf(points));
  }

  /** A share of some of the rows may be about too few people, also of those that count. */
  private mayBeShown(note: Note, smallGroups: SmallGroups): boolean {
    if (!('of' in note) || note.of === this.records) return true;
    return note.of === this.counted && isNarrowed(this.plan) && smallGroups.shows('counted-rows');
  }

  private withPeople(sums: Float64Array): Float64Array {
    const { people } = this.report;
    if (!people) return sums;
    const copy = sums.slice();
    copy[people.sum] = (copy[people.sum] ?? 0) + this.people.count;
    for (const { marks, sum } of people.marked ?? [])
      copy[sum] = (copy[sum] ?? 0) + this.people.countMarked(marks);
    return copy;
  }

  /** The sums of a row, corrected after the last record. */
  private settled(sums: Float64Array): Float64Array {
    const { counter } = this;
    if (!counter.finalizeSums) return sums;
    const copy = sums.slice();
    counter.finalizeSums(copy);
    return copy;
  }
}

/** What is shown of the groups of a breakdown, and what the protection of small groups leaves out. */
interface ShownGroups extends Partial<Pick<FiguresResult, 'highlights' | 'chart'>> {
  readonly table?: FiguresResult['breakdown'];
  readonly leftOut?: readonly LeftOut[] | undefined;
}

/** True where no row had any input of a rule. The value is then unknown, not 0. */
function isUnread({ needs = [] }: Formula, unread: readonly string[]): boolean {
  return needs.length > 0 && needs.every((flag) => unread.includes(flag));
}

/** False for workshops, which have no learners. */
export function protectsSmallGroups({ report, smallestGroup }: FiguresPlan): boolean {
  return smallestGroup > 1 && hasLearners(reportNamed(report));
}

/** True if the people of an answer are its first counted rows. Overdue and stalled rows have lists of their own. */
export function listsCounted({ listed }: ReportFigures, plan: FiguresPlan): boolean {
  const { report, states, people } = plan;
  if (!people || !isNarrowed(plan) || listed === undefined) return false;
  return dueListOf(plan) !== 'overdue' && !(report === 'tracks' && states?.includes('stalled'));
}
