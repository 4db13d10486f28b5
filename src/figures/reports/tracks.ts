import { reportNamed } from '../../catalogue/index.js';
import { CompletedBy, dateValue } from '../counting/dates.js';
import { MissingValues } from '../counting/missing-values.js';
import { nameFields, PeopleList } from '../counting/person-fields.js';
import {
  average,
  type Contribution,
  type CountedRow,
  count,
  fieldIndexes,
  type RecordCounter,
  type ReportFigures,
  type ReportFindings,
  rate,
} from '../counting/report-figures.js';
import { StatusSpread } from '../counting/statuses.js';
import type { RecordView } from '../record-view.js';
import { type Comparison, type FiguresPlan, factIfAny, type PeopleToLookAt } from '../result.js';

const flags = ['track_status', 'track_progress', 'track_completed_date'] as const;

/** In progress below this, in percent, is stalled. */
const stalledBelow = 50;

const at = {
  all: 0,
  started: 1,
  completed: 2,
  inProgress: 3,
  stalled: 4,
  /** The same if progress should turn out to be a fraction of 1. */
  stalledAsFraction: 5,
  progress: 6,
  withProgress: 7,
} as const;

export const tracks: ReportFigures = {
  sums: Object.keys(at).length,
  groupedBy: 'track_title',
  rules: ({ byAssignedDate }) => {
    const atEqualAge: Comparison = byAssignedDate ? 'equal-age' : 'nothing';
    return [
      {
        id: 'enrolments',
        denominator: 'all-rows',
        label: 'Track enrolments',
        compared: 'period-before',
        value: (row) => count(row.sum(at.all)),
      },
      {
        id: 'started',
        denominator: 'all-rows',
        label: 'Started',
        compared: 'nothing',
        value: (row) => count(row.sum(at.started)),
      },
      {
        id: 'completed',
        denominator: 'all-rows',
        label: 'Completed',
        compared: atEqualAge,
        value: (row) => count(row.sum(at.completed)),
      },
      {
        id: 'completion-rate',
        denominator: 'all-rows',
        label: 'Completion rate',
        compared: atEqualAge,
        value: (row) => rate(row.sum(at.completed), row.sum(at.all)),
      },
      {
        id: 'average-progress',
        denominator: { rowsOfSums: [at.withProgress] },
        label: 'Average progress',
        compared: 'nothing',
        value: (row) => average(row.sum(at.progress), row.sum(at.withProgress), 'percent'),
      },
      {
        id: 'in-progress',
        denominator: 'all-rows',
        label: 'In progress',
        compared: 'last-run',
        value: (row) => count(row.sum(at.inProgress)),
      },
      {
        id: 'stalled',
        denominator: 'all-rows',
        label: `Stalled (below ${stalledBelow}%)`,
        heading: 'Stalled',
        compared: 'last-run',
        value: (row) => count(row.sum(at.stalled)),
      },
    ];
  },
  order: (a, b) => b.sum(at.started) - a.sum(at.started) || b.sum(at.all) - a.sum(at.all),
  highlights: [
    {
      title: 'Most stalled',
      denominator: 'all-rows',
      order: (a, b) => b.sum(at.stalled) - a.sum(at.stalled),
      includes: (row) => row.sum(at.stalled) > 0,
      value: (row) => count(row.sum(at.stalled)),
    },
  ],
  bars: {
    title: 'Started and completed',
    series: [
      { name: 'Started', denominator: 'all-rows', value: (row) => row.sum(at.started) },
      { name: 'Completed', denominator: 'all-rows', value: (row) => row.sum(at.completed) },
    ],
  },
  fields: ({ people }) => [...flags, ...(people ? [...nameFields, 'track_title'] : [])],
  counter: (plan, fields) => TrackCounter.start(plan, fields),
};

class TrackCounter implements RecordCounter {
  private readonly index: Readonly<Record<(typeof flags)[number], number>>;

  private constructor(
    private readonly fields: readonly string[],
    private readonly missing: MissingValues,
    private readonly statuses: StatusSpread,
    private readonly scale: ProgressScale,
    private readonly stalledPeople: PeopleList | undefined,
    private readonly completedBy: CompletedBy | undefined,
  ) {
    this.index = fieldIndexes(fields, flags);
  }

  static start(plan: FiguresPlan, fields: readonly string[]): TrackCounter {
    const stalled = plan.people ? PeopleList.start(fields, 'track_title', 'percent') : undefined;
    return new TrackCounter(
      fields,
      MissingValues.forFields(fields),
      StatusSpread.empty(),
      new ProgressScale(),
      stalled,
      CompletedBy.start(plan),
    );
  }

  read(record: RecordView, { sums }: Contribution): boolean {
    const { index, missing } = this;
    const status = this.statuses.read(record, index.track_status);
    this.statuses.count(status, record, index.track_status, missing);
    const progress = missing.percentage(record, index.track_progress);
    const done = missing.optionalInstant(record, index.track_completed_date);
    const meaning = status?.meaning;
    const isCompletedNow = !Number.isNaN(done) || meaning === 'completed' || meaning === 'passed';
    const isCompleted =
      isCompletedNow &&
      (this.completedBy?.wasCompleted(dateValue(record, index.track_completed_date, done)) ?? true);

    sums[at.all] = 1;
    if (isCompleted) sums[at.completed] = 1;
    if (isCompleted || meaning === 'in-progress' || meaning === 'failed' || progress > 0)
      sums[at.started] = 1;
    if (!Number.isNaN(progress)) {
      sums[at.progress] = progress;
      sums[at.withProgress] = 1;
      this.scale.see(progress, Number.isNaN(record.number(index.track_progress)));
    }
    if (meaning === 'in-progress' && !isCompleted) this.readRunning(record, sums, progress);
    return true;
  }

  copy(): TrackCounter {
    const { fields, missing, statuses, scale, stalledPeople, completedBy } = this;
    return new TrackCounter(
      fields,
      missing.copy(),
      statuses.copy(),
      scale.copy(),
      stalledPeople?.copy(),
      completedBy?.copy(),
    );
  }

  finalizeSums(sums: Float64Array): void {
    if (!this.scale.isFraction) return;
    sums[at.progress] = (sums[at.progress] ?? 0) * 100;
    sums[at.stalled] = sums[at.stalledAsFraction] ?? 0;
  }

  finish(total: CountedRow): ReportFindings {
    const { stalledPeople } = this;
    const { isFraction } = this.scale;
    return {
      spreads: this.statuses.finish(),
      recounted: this.completedBy?.finish(),
      notes: [
        ...this.missing.notes(reportNamed('tracks')),
        ...factIfAny('progress-came-as-fractions', isFraction ? total.sum(at.withProgress) : 0),
      ],
      people: stalledPeople && stalledPeopleIn(stalledPeople, total.sum(at.stalled), isFraction),
    };
  }

  private readRunning(record: RecordView, sums: Float64Array, progress: number): void {
    sums[at.inProgress] = 1;
    if (progress < stalledBelow) {
      sums[at.stalled] = 1;
      // Those who have come least far come first.
      this.stalledPeople?.add(record, -progress, progress);
    }
    if (progress < stalledBelow / 100) sums[at.stalledAsFraction] = 1;
  }
}

/**
 * Finds out whether progress comes in percent or as fractions of 1, which the service does not specify. Fractions are assumed when
 * some lies between 0 and 1 and none above.
 */
class ProgressScale {
  private between = false;
  private above = false;

  /** @param inPercent true where it came with a percent sign */
  see(progress: number, inPercent: boolean): void {
    if (inPercent || progress > 1) this.above = true;
    else if (progress > 0 && progress < 1) this.between = true;
  }

  get isFraction(): boolean {
    return this.between && !this.above;
  }

  copy(): ProgressScale {
    const copy = new ProgressScale();
    copy.between = this.between;
    copy.above = this.above;
    return copy;
  }
}

/**
 * Who has come least far on a track that is in progress.
 *
 * @param rows how many are stalled in all
 * @param isFraction true where progress turned out to be a fraction of 1: then fewer of the listed are stalled
 */
function stalledPeopleIn(list: PeopleList, rows: number, isFraction: boolean): PeopleToLookAt {
  const { why, listed } = list.finish('stalled');
  if (!isFraction) return { why, rows, listed };
  const inPercent = listed.flatMap((person) =>
    person.value?.kind === 'amount'
      ? [{ ...person, value: { ...person.value, amount: person.value.amount * 100 } }]
      : [],
  );
  return { why, rows, listed: inPercent.slice(0, rows) };
}
