import { CountedValues } from '../counting/counted-values.js';
import { PersonMark } from '../counting/distinct-people.js';
import { MissingValues } from '../counting/missing-values.js';
import { personKeyReader } from '../counting/person-fields.js';
import {
  type CountedRow,
  type Formula,
  fieldIndexes,
  type RecordCounter,
  type ReportFigures,
} from '../counting/report-figures.js';
import {
  addGiven,
  average,
  figure,
  inAnyState,
  inStates,
  meanOf,
  medianIn,
  numbered,
  peopleOf,
  shareOf,
  stateBits,
  sumOf,
  unknown,
  wantedStates,
} from '../counting/rules.js';
import { Statuses, type StatusMeaning } from '../counting/statuses.js';
import { formatCount, roundedPercent } from '../format/values.js';
import { type Chart, type FiguresPlan, factIfAny } from '../result.js';

const flags = ['assessment_status', 'assessment_score', 'assessment_attempts'] as const;

const at = numbered(
  'all',
  'passed',
  'failed',
  'waiting',
  'score',
  'withScore',
  'attempts',
  'people',
  'withoutPerson',
  // Rows that name a person and give a number of attempts, and how many different people they name.
  'withAttempts',
  'peopleWithAttempts',
);

const bits = stateBits('passed', 'failed', 'waiting');

/** People with these statuses have no score yet, so it does not count as missing. */
const withoutScore: ReadonlySet<StatusMeaning | undefined> = new Set([
  'not-started',
  'in-progress',
  'waiting',
] as const);

/** Scores are counted in thousandths of a point. */
const steps = 1000;

const decided = [at.passed, at.failed] as const;
const passRate = shareOf(at.passed, decided);

/** Unknown if there were too many people to count. */
const attemptsPerPerson: Formula = {
  denominator: { rowsOfSums: [at.withAttempts] },
  countsPeople: true,
  needs: ['assessment_attempts'],
  inGroupsOnRequest: true,
  value: (row) =>
    row.morePeople === false
      ? average(row.sum(at.attempts), row.sum(at.peopleWithAttempts), 'attempts')
      : unknown,
};

export const assessments: ReportFigures = {
  sums: at,
  rows: at.all,
  size: at.people,
  people: {
    sum: at.people,
    marked: [{ marks: PersonMark.active, sum: at.peopleWithAttempts }],
    inEveryTable: true,
  },
  groupedBy: 'assessment_title',
  listed: { title: 'assessment_title', points: 'assessment_score' },
  chartIsSpread: true,
  rules: () => [
    figure('results', 'Results', 'last-run', sumOf(at.all), inAnyState),
    figure('people', 'People', 'last-run', peopleOf(at.people), { ...inAnyState, onlyInStates: true }),
    figure('pass-rate', 'Pass rate', 'last-run', passRate, {
      appliesTo: (states) => states.has('passed') && states.has('failed'),
    }),
    figure(
      'average-score',
      'Average score',
      'last-run',
      meanOf(at.score, at.withScore, 'points'),
      inStates(['passed', 'failed']),
    ),
    figure(
      'median-score',
      'Median score',
      'last-run',
      medianIn('points', steps),
      inStates(['passed', 'failed']),
    ),
    figure('attempts-per-person', 'Attempts per person', 'last-run', attemptsPerPerson, {
      heading: 'Attempts each',
      ...inAnyState,
    }),
    figure('waiting', 'Waiting for grading', 'last-run', sumOf(at.waiting), {
      heading: 'Waiting',
      ...inStates([], 'waiting'),
    }),
  ],
  order: harder,
  highlights: [{ title: 'Hardest', ...passRate, order: harder, includes: (row) => row.sum(at.failed) > 0 }],
  bars: {
    title: 'Pass rate (%)',
    share: passRate.value,
    series: [
      {
        ...passRate,
        name: 'Passed (%)',
        value: (row) =>
          row.sumOf(decided) > 0 ? roundedPercent(row.sum(at.passed), row.sumOf(decided)) : Number.NaN,
      },
    ],
  },
  fields: () => flags,
  counter: countAssessments,
};

/** Tenths of a point bound how many different scores there are. Fractions of 1 would lose most of their precision. */
function roundedScore(score: number): number {
  return Math.abs(score) <= 1 ? score : Math.round(score * 10) / 10;
}

/** The lower pass rate first, of equal ones the one with more results; those that no one passed or failed last. */
function harder(a: CountedRow, b: CountedRow): number {
  const share = (row: CountedRow) => (row.sumOf(decided) > 0 ? row.sum(at.passed) / row.sumOf(decided) : 2);
  return share(a) - share(b) || b.sum(at.all) - a.sum(at.all);
}

function countAssessments(plan: FiguresPlan, fields: readonly string[]): RecordCounter {
  const index = fieldIndexes(fields, flags);
  const wanted = wantedStates(plan, bits);
  const missing = new MissingValues(fields);
  const statuses = new Statuses(index.assessment_status, missing);
  const readPerson = personKeyReader(fields);
  return {
    parts: { missing, spread: statuses.spread },
    read(record, into) {
      const { sums } = into;
      const status = statuses.read(record);
      const meaning = status?.meaning;
      const state =
        meaning === 'passed' || meaning === 'failed' || meaning === 'waiting' ? meaning : undefined;
      if (wanted !== 0 && (state === undefined || (wanted & bits[state]) === 0)) return false;
      sums[at.all] = 1;
      statuses.count(status, record);
      if (state !== undefined) sums[at[state]] = 1;
      const attempts = missing.number(record, index.assessment_attempts);
      const score = missing.percentage(record, index.assessment_score, withoutScore.has(meaning));
      addGiven(sums, at.score, at.withScore, score);
      const value = Math.round(roundedScore(score) * steps);
      if (CountedValues.canCount(value)) into.medianValue = value;
      if (!readPerson(record, into)) sums[at.withoutPerson] = 1;
      else if (!Number.isNaN(attempts)) {
        addGiven(sums, at.attempts, at.withAttempts, attempts);
        into.marks = PersonMark.active;
      }
      return true;
    },
    finish: (total, scores) => ({
      chart: scoreChart(scores.valuesOf(0), steps),
      notes: factIfAny('no-person-named', total.sum(at.withoutPerson)),
    }),
  };
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
function roundSteps(lowest: number, highest: number) {
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
