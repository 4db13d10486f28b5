import { describe, expect, test } from 'vitest';
import { fieldsToCount, startCounting } from '../../src/figures/reports/count-report.js';
import type { FiguresPlan } from '../../src/figures/result.js';
import { plainRequest } from '../../src/requests/request.js';
import { summaryVariants } from '../../src/slack/messages/summary.js';
import { plainRecord } from '../reporting-api/answer/plain-record.js';
import { expectGood, inputOf } from '../slack/messages/messages.js';
import { figuresOf, planFor, resultOf } from './fixed-answers.js';

const engagement = planFor(plainRequest('engagement'));

function* people(size: number, groupOf: (n: number) => string): Iterable<object> {
  for (let n = 0; n < size; n++) yield { sessions: n % 2, departments: [groupOf(n)], teams: groupOf(n) };
}

function expectGoodSummary(plan: FiguresPlan, figures: ReturnType<typeof figuresOf>): void {
  const result = { ...resultOf(plainRequest(plan.report), []), figures };
  for (const message of summaryVariants(inputOf(result))) expectGood(message);
}

test('1,000,000 rows: right figures, a valid message', () => {
  const fields = fieldsToCount(engagement);
  const reader = startCounting(engagement, fields);
  const records = Array.from({ length: 8 }, (_, n) =>
    plainRecord(fields, { sessions: n % 2, seconds_viewed: n, departments: [`Group ${n % 4}`] }),
  );
  for (let n = 0; n < 1_000_000; n++) {
    const record = records[n % 8];
    if (record) reader.add(record);
  }
  const figures = reader.finish();
  expect(figures.records).toBe(1_000_000);
  const values = Object.fromEntries(figures.figures.map(({ id, value }) => [id, value]));
  expect(values['active-share']).toEqual({ kind: 'rate', part: 875_000, whole: 1_000_000 });
  expect(values.time).toEqual({ kind: 'duration', seconds: 3_500_000 });
  expectGoodSummary(engagement, figures);
});

describe('many groups', () => {
  test('10,000: the top rows, and the rest as one line that adds up', () => {
    const figures = figuresOf(
      engagement,
      people(30_000, (n) => `Department ${n % 10_000} ${'x'.repeat(n % 50)}`),
    );
    const { breakdown } = figures;
    if (breakdown?.kind !== 'groups') throw new Error('There is no breakdown');
    expect(breakdown.rows).toHaveLength(200);
    expect(breakdown.tails.map(({ groups }) => groups)).toEqual(
      Array.from({ length: 201 }, (_, place) => 10_000 - place),
    );
    const column = breakdown.columns.findIndex(({ id }) => id === 'active-people');
    const rest = breakdown.tails[200]?.values ?? [];
    const active = [...breakdown.rows.map(({ values }) => values), rest].map((values) => values[column]);
    expect(active.reduce((sum, value) => sum + (value?.kind === 'count' ? value.count : 0), 0)).toBe(15_000);
    expectGoodSummary(engagement, figures);
  });

  test('up to 20,000 make a breakdown; above, it is refused and the figures stay', () => {
    const by = { ...engagement, by: 'teams' };
    const most = figuresOf(
      by,
      people(20_000, (n) => `Team ${n}`),
    );
    expect(most.breakdown?.kind).toBe('groups');
    const more = figuresOf(
      by,
      people(20_001, (n) => `Team ${n}`),
    );
    expect(more.breakdown).toEqual({
      kind: 'refused',
      by: 'teams',
      label: 'Team',
      isRequested: true,
      moreThan: 20_000,
    });
    expect(more.figures[0]?.value).toEqual({ kind: 'count', count: 10_000 });
    const [message] = summaryVariants(
      inputOf({ ...resultOf(plainRequest('engagement'), []), figures: more }),
    );
    expect(JSON.stringify(message)).toContain('more than 20,000 values of teams');
    expectGoodSummary(by, more);
  });

  test('up to 100,000 combinations make a breakdown; above, it is refused', () => {
    const pairs = function* (size: number) {
      for (let first = 0, n = 0; n < size; first++)
        for (let second = 0; second < first && n < size; second++, n++)
          yield { userid: n, sessions: 1, teams: [`T${first}`, `T${second}`] };
    };
    const by = { ...engagement, by: 'teams' };
    const { breakdown } = figuresOf(by, pairs(100_000));
    if (breakdown?.kind !== 'groups') throw new Error('There is no breakdown');
    const column = breakdown.columns.findIndex(({ id }) => id === 'active-people');
    expect(breakdown.tails[0]?.values[column]).toEqual({ kind: 'count', count: 100_000 });
    expect(figuresOf(by, pairs(100_001)).breakdown).toMatchObject({ kind: 'refused', moreThan: 100_000 });
  }, 60_000);

  test('names of 3,000 characters that differ only at their end stay apart', () => {
    const long = 'n'.repeat(2_999);
    const figures = figuresOf(
      engagement,
      people(6, (n) => `${long}${n % 3}`),
    );
    if (figures.breakdown?.kind !== 'groups') throw new Error('There is no breakdown');
    expect(figures.breakdown.rows).toHaveLength(3);
    expect(figures.breakdown.rows.every(({ label }) => label?.length === 200)).toBe(true);
    expectGoodSummary(engagement, figures);
  });
});
