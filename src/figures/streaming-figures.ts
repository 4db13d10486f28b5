import type { RecordView } from '../reports/record-view.js';
import { breakdownOf } from './breakdown.js';
import { Contribution } from './contribution.js';
import { CountedRow } from './counted-row.js';
import { CountedValues } from './counted-values.js';
import { DistinctPeople } from './distinct-people.js';
import { Grouping } from './grouping.js';
import { highlightsOf } from './highlights.js';
import type { Note } from './note.js';
import type { FiguresPlan, FiguresReader } from './plan.js';
import type { RecordCounter, ReportFigures } from './report-figures.js';
import type { Figure, FiguresResult } from './result.js';

/** So many people are told apart; beyond that they are "more than". */
const mostPeople = 2_000_000;

/** So many different values are counted for a median: every tenth of a point, or day, that there can reasonably be. */
const mostValues = 200_000;

/** The figures of the whole answer, and of each group of one field or two. */
export class StreamingFigures implements FiguresReader {
  private readonly adds: Contribution;

  private constructor(
    private readonly report: ReportFigures,
    private readonly plan: FiguresPlan,
    private readonly counter: RecordCounter,
    private readonly total: Float64Array,
    private readonly values: CountedValues,
    private readonly people: DistinctPeople,
    private readonly groupings: readonly Grouping[],
    private records: number,
    private counted: number,
  ) {
    this.adds = new Contribution(report.sums);
  }

  static start(report: ReportFigures, plan: FiguresPlan, fields: readonly string[]): StreamingFigures {
    const flags = [...new Set([report.groupedBy, ...(plan.by === undefined ? [] : [plan.by])])];
    const groupings = flags.map((flag) => {
      const place = fields.indexOf(flag);
      if (place < 0) throw new Error(`The breakdown needs the field ${flag}, which was not asked for`);
      const { sums, people } = report;
      const asked = flag === plan.by;
      return Grouping.start({ flag, place, asked, sums, ...(people === undefined ? {} : { people }) }, plan);
    });
    const counter = report.counter(plan, fields);
    const values = CountedValues.upTo(mostValues);
    const people = DistinctPeople.upTo(mostPeople);
    return new StreamingFigures(
      report,
      plan,
      counter,
      new Float64Array(report.sums),
      values,
      people,
      groupings,
      0,
      0,
    );
  }

  add(record: RecordView): void {
    const { adds, total, groupings } = this;
    this.records++;
    adds.clear();
    if (!this.counter.read(record, adds)) return;
    this.counted++;
    for (let i = 0; i < total.length; i++) total[i] = (total[i] ?? 0) + (adds.sums[i] ?? 0);
    if (!Number.isNaN(adds.measured)) this.values.add(0, adds.measured);
    const { people } = this.report;
    if (people !== undefined && adds.person !== undefined && this.people.isNew(adds.person, 0))
      total[people] = (total[people] ?? 0) + 1;
    for (let i = 0; i < groupings.length; i++) groupings[i]?.add(record, adds);
  }

  copy(): StreamingFigures {
    const { report, plan, counter, total, values, people, groupings, records, counted } = this;
    return new StreamingFigures(
      report,
      plan,
      counter.copy(),
      total.slice(),
      values.copy(),
      people.copy(),
      groupings.map((grouping) => grouping.copy()),
      records,
      counted,
    );
  }

  finish(): FiguresResult {
    const { report, plan, records, counted } = this;
    const median = this.values.medians([0]).get(0) ?? { value: null, over: 0 };
    const total = new CountedRow(this.total, median, this.people.full);
    const own = this.counter.finish(total, this.values);
    const asked = this.groupings.find((grouping) => grouping.plan.asked) ?? this.groupings[0];
    const breakdown = asked && breakdownOf(report, asked);
    const chart = asked?.plan.asked ? breakdown?.chart : (own.chart ?? breakdown?.chart);
    return {
      report: plan.report,
      overdueOnly: plan.overdueOnly,
      records,
      counted,
      figures: report.rules.map(
        ({ id, label, ofNow = false, value }): Figure => ({ id, label, value: value(total), ofNow }),
      ),
      spreads: own.spreads ?? [],
      highlights: this.groupings[0] ? highlightsOf(report, this.groupings[0]) : [],
      upcoming: own.upcoming ?? [],
      ...(chart ? { chart } : {}),
      ...(breakdown?.table ? { breakdown: breakdown.table } : {}),
      ...(own.people ? { people: own.people } : {}),
      notes: [...(own.notes ?? []), ...this.medianNote()],
    };
  }

  private medianNote(): Note[] {
    const { values, counted } = this;
    return values.full ? [{ kind: 'fact', fact: 'too-many-values-for-a-median', rows: counted }] : [];
  }
}
