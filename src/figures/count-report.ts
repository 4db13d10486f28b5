import { type ReportName, reportNamed } from '../catalogue/index.js';
import { breakdownOf, highlightsOf } from './counting/breakdown.js';
import { CountedValues } from './counting/counted-values.js';
import { DistinctPeople, PersonMark } from './counting/distinct-people.js';
import { GroupTotals } from './counting/group-totals.js';
import { Grouping } from './counting/groups.js';
import {
  Contribution,
  CountedRow,
  type FigureRule,
  type RecordCounter,
  type ReportFigures,
} from './counting/report-figures.js';
import { formatOnlyRow } from './format/only-row.js';
import type { RecordView } from './record-view.js';
import { assessments } from './reports/assessments.js';
import { assignments } from './reports/assignments.js';
import { completions } from './reports/completions.js';
import { engagement } from './reports/engagement.js';
import { overdue } from './reports/overdue.js';
import { tracks } from './reports/tracks.js';
import { workshops } from './reports/workshops.js';
import {
  type Breakdown,
  type Chart,
  type FiguresPlan,
  type FiguresReader,
  type FiguresResult,
  type FigureValue,
  factIfAny,
  type RefusedBreakdown,
} from './result.js';

const figuresOfReports: Readonly<Record<ReportName, ReportFigures>> = {
  assignments,
  tracks,
  completions,
  assessments,
  engagement,
  workshops,
};

/** Every flag that the figures of that plan read, each once. */
export function fieldsToCount(plan: FiguresPlan): readonly string[] {
  const figures = figuresOf(plan);
  return [...new Set([...figures.fields(plan), ...breakdownFields(figures, plan)])];
}

/**
 * Starts counting.
 *
 * @param fields every flag that the reading was opened with, which must hold those of `figureFields`
 */
export function startCounting(plan: FiguresPlan, fields: readonly string[]): FiguresReader {
  return StreamingFigures.start(figuresOf(plan), plan, fields);
}

/** False where no figure of the plan is compared with the period before: it is not queried then. */
export function needsPreviousPeriod(plan: FiguresPlan): boolean {
  return figuresOf(plan)
    .rules(plan)
    .some(({ compared }) => compared === 'period-before' || compared === 'equal-age');
}

function figuresOf({ report, overdueOnly }: FiguresPlan): ReportFigures {
  return overdueOnly ? overdue : figuresOfReports[report];
}

/** Beyond this many people, the count is "more than". */
const MAX_PEOPLE = 2_000_000;

/** The most different values of a median: enough for every tenth of a point, or every day. */
const MAX_VALUES = 200_000;

/** The fields to group by: the report's own, and the requested one if it is another. */
function breakdownFields({ groupedBy }: ReportFigures, { by, figuresOnly }: FiguresPlan): readonly string[] {
  if (figuresOnly) return [];
  return by === undefined || by === groupedBy ? [groupedBy] : [groupedBy, by];
}

/** The figures of an answer, and of each group of one field or two. */
export class StreamingFigures implements FiguresReader {
  private readonly adds: Contribution;

  private constructor(
    private readonly report: ReportFigures,
    private readonly plan: FiguresPlan,
    private readonly fields: readonly string[],
    private readonly counter: RecordCounter,
    private readonly total: Float64Array,
    private readonly values: CountedValues,
    private readonly people: DistinctPeople,
    private readonly groupings: readonly Grouping[],
    private records: number,
    private counted: number,
    private firstRow: NonNullable<FiguresResult['onlyRow']>,
  ) {
    this.adds = new Contribution(report.sums);
  }

  lastRank = Number.NaN;

  static start(report: ReportFigures, plan: FiguresPlan, fields: readonly string[]): StreamingFigures {
    const groupings = breakdownFields(report, plan).map((flag) => {
      const index = fields.indexOf(flag);
      if (index < 0) throw new Error(`The breakdown needs the field ${flag}, which the query lacks`);
      const { sums, people } = report;
      const isRequested = flag === plan.by;
      const countsPeople = people !== undefined && (isRequested || people.inEveryTable === true);
      return Grouping.start({ flag, index, isRequested, countsPeople, sums }, plan);
    });
    const counter = report.counter(plan, fields);
    const values = CountedValues.withLimit(MAX_VALUES);
    const people = DistinctPeople.withLimit(MAX_PEOPLE);
    return new StreamingFigures(
      report,
      plan,
      fields,
      counter,
      new Float64Array(report.sums),
      values,
      people,
      groupings,
      0,
      0,
      [],
    );
  }

  add(record: RecordView): void {
    const { adds, total, groupings } = this;
    this.records++;
    adds.clear();
    if (!this.counter.read(record, adds)) {
      this.lastRank = Number.NaN;
      return;
    }
    this.lastRank = adds.rank;
    this.counted++;
    if (this.counted === 1)
      this.firstRow = formatOnlyRow(record, this.fields, reportNamed(this.plan.report), this.plan);
    for (let i = 0; i < total.length; i++) total[i] = (total[i] ?? 0) + (adds.sums[i] ?? 0);
    if (!Number.isNaN(adds.medianValue)) this.values.add(0, adds.medianValue);
    const counted = this.report.people !== undefined && adds.hasPerson;
    const person = counted ? this.people.numberOf(adds.personHigh, adds.personLow) : -1;
    if (adds.active) this.people.mark(person, PersonMark.active);
    this.counter.notePerson?.(record, adds, person, this.people);
    for (let i = 0; i < groupings.length; i++) groupings[i]?.add(record, adds, person);
  }

  copy(): StreamingFigures {
    const { report, plan, fields, counter, total, values, people, groupings, records, counted, firstRow } =
      this;
    return new StreamingFigures(
      report,
      plan,
      fields,
      counter.copy(),
      total.slice(),
      values.copy(),
      people.copy(),
      groupings.map((grouping) => grouping.copy()),
      records,
      counted,
      firstRow,
    );
  }

  finish(): FiguresResult {
    const { report, plan, records, counted, groupings } = this;
    const [median] = this.values.medians([[0]]);
    const total = new CountedRow(this.settled(this.withPeople(this.total)), median, this.people.full);
    const { unread = [], ...own } = this.counter.finish(total, this.values, this.people);
    const rules = report
      .rules(plan)
      .map((rule) => (isUnread(rule, unread) ? { ...rule, value: unknown } : rule));
    const people = report.people && { ...report.people, full: this.people.full };
    const groups = groupings.map((grouping) => grouping.finish((sums) => this.settled(sums), people));
    // The report's own grouping comes first; the requested one, if it is another, second.
    const grouping = groupings.at(-1);
    const shown = groups.at(-1);
    const [ownGroups] = groups;
    const breakdown = grouping && shown && tableOf(report, rules, grouping, shown);
    const chart = grouping?.plan.isRequested ? breakdown?.chart : (own.chart ?? breakdown?.chart);
    return {
      report: plan.report,
      overdueOnly: plan.overdueOnly,
      records,
      counted,
      figures: rules.map(({ id, label, compared, value }) => ({
        id,
        label,
        value: value(total),
        compared,
      })),
      spreads: own.spreads ?? [],
      highlights: highlightsOf(
        report.highlights.filter((rule) => !isUnread(rule, unread)),
        ownGroups instanceof GroupTotals ? ownGroups.all() : [],
      ),
      upcoming: own.upcoming ?? [],
      different: own.different,
      chart,
      breakdown: breakdown?.table,
      people: own.people,
      onlyRow: counted === 1 ? this.firstRow : undefined,
      recounted: own.recounted,
      notes: [
        ...(own.notes ?? []),
        ...factIfAny('too-many-values-for-a-median', this.values.full ? counted : 0),
      ],
    };
  }

  private withPeople(sums: Float64Array): Float64Array {
    const { people } = this.report;
    if (!people) return sums;
    const copy = sums.slice();
    copy[people.sum] = (copy[people.sum] ?? 0) + this.people.count;
    if (people.activeSum !== undefined)
      copy[people.activeSum] = (copy[people.activeSum] ?? 0) + this.people.countMarked(PersonMark.active);
    return copy;
  }

  /** A row's sums as they turned out to be, now that all records were seen. */
  private settled(sums: Float64Array): Float64Array {
    const { counter } = this;
    if (!counter.finalizeSums) return sums;
    const copy = sums.slice();
    counter.finalizeSums(copy);
    return copy;
  }
}

function tableOf(
  report: ReportFigures,
  rules: readonly FigureRule[],
  grouping: Grouping,
  groups: ReturnType<Grouping['finish']>,
): { readonly table: Breakdown | RefusedBreakdown; readonly chart?: Chart } {
  if (groups instanceof GroupTotals) return breakdownOf(report, rules, grouping, groups);
  const { flag: by, isRequested } = grouping.plan;
  return { table: { kind: 'refused', by, label: grouping.label, isRequested, moreThan: groups.moreThan } };
}

function unknown(): FigureValue {
  return { kind: 'unknown' };
}

/** True where no row had any input of a rule. The value is then unknown, not 0. */
function isUnread(
  { needs = [] }: { readonly needs?: readonly string[] },
  unread: readonly string[],
): boolean {
  return needs.length > 0 && needs.every((flag) => unread.includes(flag));
}
