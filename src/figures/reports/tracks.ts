import { reportNamed } from '../../catalogue/index.js';
import { CompletedBy, dateValue } from '../counting/dates.js';
import { MissingValues } from '../counting/missing-values.js';
import {
  inAnyState,
  inSeveralWith,
  inStates,
  isNarrowed,
  narrowedFigures,
  stateBits,
  wantedStates,
} from '../counting/narrowing.js';
import { nameFields, PeopleList, personKeyFields, personKeyReader } from '../counting/person-fields.js';
import {
  average,
  type Contribution,
  type CountedRow,
  count,
  distinctPeople,
  type FigureRule,
  fieldIndexes,
  type RecordCounter,
  type ReportFigures,
  type ReportFindings,
  rate,
} from '../counting/report-figures.js';
import { type StatusMeaning, StatusSpread } from '../counting/statuses.js';
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
  /** Only narrowed answers have these sums. */
  people: 8,
  withoutPerson: 9,
} as const;

const bits = stateBits('stalled', 'not-started', 'in-progress', 'not-completed', 'completed');

export const tracks: ReportFigures = {
  sums: at.people,
  groupedBy: 'track_title',
  rules: ({ byAssignedDate }) => {
    const atEqualAge: Comparison = byAssignedDate ? 'equal-age' : 'nothing';
    return [
      {
        id: 'enrolments',
        denominator: 'all-rows',
        label: 'Track enrolments',
        compared: 'period-before',
        appliesTo: inAnyState,
        value: (row) => count(row.sum(at.all)),
      },
      {
        id: 'started',
        denominator: 'all-rows',
        label: 'Started',
        compared: 'nothing',
        appliesTo: inStates('not-completed'),
        value: (row) => count(row.sum(at.started)),
      },
      {
        id: 'completed',
        denominator: 'all-rows',
        label: 'Completed',
        compared: atEqualAge,
        appliesTo: inSeveralWith('completed'),
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
        appliesTo: inStates('stalled', 'in-progress', 'not-completed'),
        value: (row) => average(row.sum(at.progress), row.sum(at.withProgress), 'percent'),
      },
      {
        id: 'in-progress',
        denominator: 'all-rows',
        label: 'In progress',
        compared: 'last-run',
        appliesTo: (states) => states.has('not-completed') || inSeveralWith('in-progress')(states),
        value: (row) => count(row.sum(at.inProgress)),
      },
      {
        id: 'stalled',
        denominator: 'all-rows',
        label: `Under ${stalledBelow}% complete`,
        heading: `Under ${stalledBelow}%`,
        compared: 'last-run',
        appliesTo: (states) =>
          inStates('in-progress', 'not-completed')(states) || inSeveralWith('stalled')(states),
        value: (row) => count(row.sum(at.stalled)),
      },
    ];
  },
  size: (row) => row.sum(at.all),
  order: (a, b) => b.sum(at.started) - a.sum(at.started) || b.sum(at.all) - a.sum(at.all),
  highlights: [
    {
      title: `Most under ${stalledBelow}% complete`,
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
  fields: (plan) => [
    ...flags,
    ...(isNarrowed(plan) ? personKeyFields : []),
    ...(plan.people ? [...nameFields, 'track_title'] : []),
  ],
  counter: (plan, fields) => new TrackCounter(plan, fields),
};

/**
 * The track enrolments that are in some states.
 *
 * @param asFractions how progress is read to tell who is stalled: as fractions of 1, or in percent
 */
export function tracksIn(plan: FiguresPlan, asFractions: boolean): ReportFigures {
  const compared: Comparison = plan.byAssignedDate ? 'equal-age' : 'nothing';
  const people: FigureRule = {
    id: 'people',
    denominator: 'all-rows',
    countsPeople: true,
    label: 'People',
    compared,
    inGroupsOnRequest: true,
    appliesTo: inAnyState,
    value: (row) => distinctPeople(row, at.people),
  };
  const narrowed = narrowedFigures(tracks, plan, {
    count: (row) => row.sum(at.all),
    people: { sum: at.people },
    rules: (whole) => {
      const [all, ...others] = tracks.rules(whole);
      // By the service's own date, earlier rows had more time to be completed.
      return [...(all ? [{ ...all, compared }] : []), people, ...others];
    },
  });
  const sums = Object.keys(at).length;
  return { ...narrowed, sums, counter: (whole, fields) => new TrackCounter(whole, fields, asFractions) };
}

/** True if the scale of progress, which only the end of the answer shows, decides which rows count. */
export function dependsOnScale({ report, states = [] }: FiguresPlan): boolean {
  return report === 'tracks' && states.includes('stalled');
}

class TrackCounter implements RecordCounter {
  private readonly index: Readonly<Record<(typeof flags)[number], number>>;
  private readonly readPerson: ((record: RecordView, into: Contribution) => boolean) | undefined;
  private readonly wanted: number;
  private readonly missing: MissingValues;
  private readonly statuses = new StatusSpread();
  private readonly scale = new ProgressScale();
  private readonly stalledPeople: PeopleList | undefined;
  private readonly completedBy: CompletedBy | undefined;

  /** @param asFractions the assumed scale of progress, for the states */
  constructor(
    plan: FiguresPlan,
    fields: readonly string[],
    private readonly asFractions = false,
  ) {
    this.index = fieldIndexes(fields, flags);
    this.wanted = wantedStates(plan, bits);
    this.readPerson = isNarrowed(plan) ? personKeyReader(fields) : undefined;
    this.missing = new MissingValues(fields);
    this.stalledPeople = plan.people ? new PeopleList(fields, 'track_title', 'percent') : undefined;
    this.completedBy = CompletedBy.start(plan);
  }

  get assumptionHolds(): boolean {
    return this.asFractions === this.scale.isFraction;
  }

  read(record: RecordView, into: Contribution): boolean {
    const { index, missing, readPerson } = this;
    const { sums } = into;
    const status = this.statuses.read(record, index.track_status);
    const progress = missing.percentage(record, index.track_progress);
    const done = missing.optionalInstant(record, index.track_completed_date);
    const meaning = status?.meaning;
    const isCompletedNow = !Number.isNaN(done) || meaning === 'completed' || meaning === 'passed';
    const isCompleted =
      isCompletedNow &&
      (this.completedBy?.wasCompleted(dateValue(record, index.track_completed_date, done)) ?? true);

    if (!Number.isNaN(progress)) this.scale.see(progress, Number.isNaN(record.number(index.track_progress)));
    if (this.wanted !== 0 && (this.wanted & this.statesOf(meaning, isCompleted, progress)) === 0)
      return false;

    this.statuses.count(status, record, index.track_status, missing);
    sums[at.all] = 1;
    if (isCompleted) sums[at.completed] = 1;
    if (isCompleted || meaning === 'in-progress' || meaning === 'failed' || progress > 0)
      sums[at.started] = 1;
    if (!Number.isNaN(progress)) {
      sums[at.progress] = progress;
      sums[at.withProgress] = 1;
    }
    if (meaning === 'in-progress' && !isCompleted) this.readRunning(record, sums, progress);
    if (readPerson && !readPerson(record, into)) sums[at.withoutPerson] = 1;
    return true;
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
        ...factIfAny('nobody-named', total.sum(at.withoutPerson)),
      ],
      people: stalledPeople && stalledPeopleIn(stalledPeople, total.sum(at.stalled), isFraction),
    };
  }

  /** Every state that a record is in. */
  private statesOf(meaning: StatusMeaning | undefined, isCompleted: boolean, progress: number): number {
    if (isCompleted) return bits.completed;
    const limit = this.asFractions ? stalledBelow / 100 : stalledBelow;
    const isRunning = meaning === 'in-progress';
    return (
      bits['not-completed'] |
      (meaning === 'not-started' ? bits['not-started'] : 0) |
      (isRunning ? bits['in-progress'] : 0) |
      (isRunning && progress < limit ? bits.stalled : 0)
    );
  }

  private readRunning(record: RecordView, sums: Float64Array, progress: number): void {
    sums[at.inProgress] = 1;
    if (progress < stalledBelow) {
      sums[at.stalled] = 1;
      // The least progress comes first.
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

  merge({ between, above }: ProgressScale): void {
    this.between ||= between;
    this.above ||= above;
  }
}

/**
 * The people with the least progress on tracks that are in progress.
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
