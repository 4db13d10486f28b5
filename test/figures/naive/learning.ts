import type { FiguresPlan } from '../../../src/figures/result.js';
import type { NaiveFigures } from './figures.js';
import { dayIn, daysFrom, type Row } from './row.js';
import { countOf, given, middle, people, peopleIn, share, sumOf } from './values.js';

export function naiveCompletions(rows: readonly Row[], { range, zone }: FiguresPlan): NaiveFigures {
  if (!range) return { completions: countOf(rows), people: people(rows) };
  const first = dayIn(zone, { ms: range.from * 1000, wholeDay: false });
  const last = dayIn(zone, { ms: range.until * 1000 - 1, wholeDay: false });
  return {
    completions: countOf(rows),
    people: people(rows),
    'per-day': { kind: 'per-day', count: rows.length, days: daysFrom(first, last) + 1 },
  };
}

/** Pass rate: passed / (passed + failed). */
export function naiveAssessments(rows: readonly Row[]): NaiveFigures {
  const withStatus = (...statuses: string[]) =>
    rows.filter((row) => statuses.includes(row.status('assessment_status') ?? ''));
  const passed = withStatus('passed').length;
  const failed = withStatus('failed').length;
  const scores = given(rows.map((row) => row.percent('assessment_score')));
  // In thousandths, so that fractions of 1 are exact.
  const rounded = scores
    .map((score) => (Math.abs(score) <= 1 ? Math.round(score * 1000) : 100 * Math.round(score * 10)))
    .filter((score) => Math.abs(score) <= 20_000_000_000);
  const median = middle(rounded, 'points');
  const tried = rows.filter(
    (row) => row.person() !== undefined && row.number('assessment_attempts') !== undefined,
  );
  return {
    results: countOf(rows),
    'pass-rate': share(passed, passed + failed),
    'average-score': { kind: 'average', sum: sumOf(scores), over: scores.length, unit: 'points' },
    'median-score':
      median.kind === 'median' && median.value !== null ? { ...median, value: median.value / 1000 } : median,
    'attempts-per-person': {
      kind: 'average',
      sum: sumOf(tried.map((row) => row.number('assessment_attempts'))),
      over: peopleIn(tried),
      unit: 'attempts',
    },
    waiting: countOf(withStatus('waiting for grading', 'ungraded')),
  };
}
