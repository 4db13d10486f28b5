import { reportNamed } from '../../catalogue/index.js';
import { CountedValues } from '../counting/counted-values.js';
import { PersonMark } from '../counting/distinct-people.js';
import { MissingValues } from '../counting/missing-values.js';
import {
  inAnyState,
  inSeveralWith,
  inStates,
  narrowedFigures,
  stateBits,
  wantedStates,
} from '../counting/narrowing.js';
import { personKeyFields, personKeyReader } from '../counting/person-fields.js';
import {
  average,
  type Contribution,
  type CountedRow,
  count,
  distinctPeople,
  type FigureRule,
  fieldIndexes,
  median,
  type RecordCounter,
  type ReportFigures,
  type ReportFindings,
  rate,
} from '../counting/report-figures.js';
import { type StatusMeaning, StatusSpread } from '../counting/statuses.js';
import { formatCount, roundedPercent } from '../format/values.js';
import type { RecordView } from '../record-view.js';
import { type Chart, type FiguresPlan, type FigureValue, factIfAny } from '../result.js';

const flags = ['assessment_status', 'assessment_score', 'assessment_attempts'] as const;

const at = {
  all: 0,
  passed: 1,
  failed: 2,
  waiting: 3,
  score: 4,
  withScore: 5,
  attempts: 6,
  people: 7,
  withoutPerson: 8,
  /** Rows that name a person and give a number of attempts, and how many different people they name. */
  withAttempts: 9,
  peopleWithAttempts: 10,
} as const;

const people = {
  sum: at.people,
  marked: [{ marks: PersonMark.active, sum: at.peopleWithAttempts }],
  inEveryTable: true,
} as const;

const bits = stateBits('passed', 'failed', 'waiting');

/** People with these statuses have no score yet, so it does not count as missing. */
const withoutScore: ReadonlySet<StatusMeaning> = new Set(['not-started', 'in-progress', 'waiting']);

/** Scores are counted in thousandths of a point. */
const steps = 1000;

export const assessments: ReportFigures = {
  sums: Object.keys(at).length,
  people,
  groupedBy: 'assessment_title',
  chartIsSpread: true,
  rules: () => [
    {
      id: 'results',
      denominator: 'all-rows',
      label: 'Results',
      compared: 'last-run',
      appliesTo: inAnyState,
      value: (row) => count(row.sum(at.all)),
    },
    {
      id: 'pass-rate',
      denominator: { rowsOfSums: [at.passed, at.failed] },
      label: 'Pass rate',
      compared: 'last-run',
      appliesTo: (states) => states.has('passed') && states.has('failed'),
      value: passRate,
    },
    {
      id: 'average-score',
      denominator: { rowsOfSums: [at.withScore] },
      label: 'Average score',
      compared: 'last-run',
      appliesTo: inStates('passed', 'failed'),
      value: (row) => average(row.sum(at.score), row.sum(at.withScore), 'points'),
    },
    {
      id: 'median-score',
      denominator: 'rows-with-median-value',
      label: 'Median score',
      inGroupsOnRequest: true,
      compared: 'last-run',
      appliesTo: inStates('passed', 'failed'),
      value: (row) => median(row, 'points', steps),
    },
    {
      id: 'attempts-per-person',
      denominator: { rowsOfSums: [at.withAttempts] },
      countsPeople: true,
      label: 'Attempts per person',
      heading: 'Attempts each',
      needs: ['assessment_attempts'],
      inGroupsOnRequest: true,
      compared: 'last-run',
      appliesTo: inAnyState,
      value: attemptsPerPerson,
    },
    {
      id: 'waiting',
      denominator: 'all-rows',
      label: 'Waiting for grading',
      heading: 'Waiting',
      compared: 'last-run',
      appliesTo: inSeveralWith('waiting'),
      value: (row) => count(row.sum(at.waiting)),
    },
  ],
  size: (row) => row.sum(at.people),
  order: harder,
  highlights: [
    {
      title: 'Hardest',
      denominator: { rowsOfSums: [at.passed, at.failed] },
      order: harder,
      includes: (row) => row.sum(at.failed) > 0,
      value: passRate,
    },
  ],
  bars: {
    title: 'Pass rate (%)',
    share: passRate,
    series: [
      {
        name: 'Passed (%)',
        denominator: { rowsOfSums: [at.passed, at.failed] },
        value: (row) =>
          decidedIn(row) > 0 ? roundedPercent(row.sum(at.passed), decidedIn(row)) : Number.NaN,
      },
    ],
  },
  fields: () => [...flags, ...personKeyFields],
  counter: (plan, fields) => new AssessmentCounter(fields, wantedStates(plan, bits)),
};

/** The results that are in some states. */
export function assessmentsIn(plan: FiguresPlan): ReportFigures {
  const peopleInStates: FigureRule = {
    id: 'people',
    denominator: 'all-rows',
    countsPeople: true,
    label: 'People',
    compared: 'last-run',
    inGroupsOnRequest: true,
    appliesTo: inAnyState,
    value: (row) => distinctPeople(row, at.people),
  };
  return narrowedFigures(assessments, plan, {
    count: (row) => row.sum(at.all),
    people,
    rules: (whole) => {
      const [all, ...others] = assessments.rules(whole);
      return [...(all ? [all] : []), peopleInStates, ...others];
    },
  });
}

function passRate(row: CountedRow): FigureValue {
  return rate(row.sum(at.passed), decidedIn(row));
}

function decidedIn(row: CountedRow): number {
  return row.sum(at.passed) + row.sum(at.failed);
}

function attemptsPerPerson(row: CountedRow): FigureValue {
  if (row.morePeople !== false) return { kind: 'unknown' };
  return average(row.sum(at.attempts), row.sum(at.peopleWithAttempts), 'attempts');
}

/** Tenths of a point bound how many different scores there are. Fractions of 1 would lose most of their precision. */
function roundedScore(score: number): number {
  return Math.abs(score) <= 1 ? score : Math.round(score * 10) / 10;
}

/** The lower pass rate first, of equal ones the one with more results; those that nobody passed or failed last. */
function harder(a: CountedRow, b: CountedRow): number {
  const share = (row: CountedRow) => (decidedIn(row) > 0 ? row.sum(at.passed) / decidedIn(row) : 2);
  return share(a) - share(b) || b.sum(at.all) - a.sum(at.all);
}

class AssessmentCounter implements RecordCounter {
  private readonly index: Readonly<Record<(typeof flags)[number], number>>;
  private readonly readPerson: (record: RecordView, into: Contribution) => boolean;
  private readonly statuses = new StatusSpread();
  private readonly missing: MissingValues;

  constructor(
    fields: readonly string[],
    /** Bits of states; 0: every record counts. */
    private readonly wanted: number,
  ) {
    this.missing = new MissingValues(fields);
    this.index = fieldIndexes(fields, flags);
    this.readPerson = personKeyReader(fields);
  }

  read(record: RecordView, into: Contribution): boolean {
    const { index, missing, wanted } = this;
    const { sums } = into;
    const status = this.statuses.read(record, index.assessment_status);
    if (wanted !== 0 && (wanted & statesOf(status?.meaning)) === 0) return false;
    sums[at.all] = 1;
    this.statuses.count(status, record, index.assessment_status, missing);
    if (status?.meaning === 'passed') sums[at.passed] = 1;
    else if (status?.meaning === 'failed') sums[at.failed] = 1;
    else if (status?.meaning === 'waiting') sums[at.waiting] = 1;
    const attempts = missing.number(record, index.assessment_attempts);
    this.readScore(record, into, status?.meaning);
    if (!this.readPerson(record, into)) sums[at.withoutPerson] = 1;
    else if (!Number.isNaN(attempts)) {
      sums[at.attempts] = attempts;
      sums[at.withAttempts] = 1;
      into.marks = PersonMark.active;
    }
    return true;
  }

  finish(total: CountedRow, scores: CountedValues): ReportFindings {
    const chart = scoreChart(scores.valuesOf(0), steps);
    return {
      unread: this.missing.unreadFields(),
      spreads: this.statuses.finish(),
      chart,
      notes: [
        ...this.missing.notes(reportNamed('assessments')),
        ...factIfAny('nobody-named', total.sum(at.withoutPerson)),
      ],
    };
  }

  private readScore(record: RecordView, into: Contribution, status: StatusMeaning | undefined): void {
    const expected = status === undefined || !withoutScore.has(status);
    const score = this.missing.percentage(record, this.index.assessment_score, expected);
    if (Number.isNaN(score)) return;
    into.sums[at.score] = score;
    into.sums[at.withScore] = 1;
    const value = Math.round(roundedScore(score) * steps);
    if (CountedValues.canCount(value)) into.medianValue = value;
  }
}

/** The state that a record is in, as a bit; 0: none. */
function statesOf(meaning: StatusMeaning | undefined): number {
  return meaning === 'passed' || meaning === 'failed' || meaning === 'waiting' ? bits[meaning] : 0;
}

const bars = 5;

/**
 * How the scores spread, in five equal steps: of 20 where all lie between 0 and 100, else of whatever is round and
 * covers them.
 *
 * @param values each score with its count, the smallest first, in steps of a point
 * @param perPoint how many steps make a point
 */
export function scoreChart(
  values: readonly (readonly [value: number, count: number])[],
  perPoint: number,
): Chart | undefined {
  const lowest = (values[0]?.[0] ?? 0) / perPoint;
  const highest = (values.at(-1)?.[0] ?? 0) / perPoint;
  if (values.length < 2) return undefined;
  const { from, width } =
    lowest >= 0 && highest <= 100 ? { from: 0, width: 20 } : roundSteps(lowest, highest);
  const counts = new Array<number>(bars).fill(0);
  for (const [value, count] of values) {
    const bar = Math.min(bars - 1, Math.floor((value / perPoint - from) / width));
    counts[bar] = (counts[bar] ?? 0) + count;
  }
  return {
    title: 'Spread of scores',
    shape: 'bar',
    categories: counts.map((_, bar) => stepLabel(from + bar * width, width, bar === bars - 1)),
    series: [{ name: 'Results', values: counts }],
    inTable: false,
  };
}

/** Five steps of 1, 2 or 5 times a power of ten. */
function roundSteps(lowest: number, highest: number): { from: number; width: number } {
  const least = (highest - lowest) / (bars - 1);
  const power = 10 ** Math.floor(Math.log10(least));
  const width = [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least) ?? 10 * power;
  return { from: Math.floor(lowest / width) * width, width };
}

/** `60 to 79`; the last step holds its upper end: `80 to 100`. */
function stepLabel(from: number, width: number, last: boolean): string {
  const to = width >= 10 && !last ? from + width - 1 : from + width;
  return `${formatCount(from)} to ${formatCount(to)}`;
}
