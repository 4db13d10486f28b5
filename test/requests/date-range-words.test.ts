import { describe, expect, it } from 'vitest';
import { parseRangeWords, rangeNames } from '../../src/requests/range-words.js';

function wordsOf(typed: string) {
  const parsed = parseRangeWords(typed);
  return parsed.ok ? parsed.value.words : `refused: ${parsed.refusal}`;
}

describe('words that are a range', () => {
  it.each([
    ['today', 'today'],
    ['Yesterday', 'yesterday'],
    ['TOMORROW', 'tomorrow'],
    ['this-week', 'this-week'],
    ['this week', 'this-week'],
    ['This  Week', 'this-week'],
    ['this\u00a0week', 'this-week'],
    ['last-month', 'last-month'],
    ['last quarter', 'last-quarter'],
    ['this-year', 'this-year'],
    ['next-week', 'next-week'],
    ['next month', 'next-month'],
    ['last-30-days', 'last-30-days'],
    ['last 30 days', 'last-30-days'],
    ['last-30 days', 'last-30-days'],
    ['last-030-days', 'last-30-days'],
    ['last-30d', 'last-30-days'],
    ['last 30d', 'last-30-days'],
    ['LAST-4W', 'last-4-weeks'],
    ['last-3m', 'last-3-months'],
    ['last-2q', 'last-2-quarters'],
    ['last-2y', 'last-2-years'],
    ['last-5-quarters', 'last-5-quarters'],
    ['last-1-week', 'last-week'],
    ['last-1-weeks', 'last-week'],
    ['last-1-month', 'last-month'],
    ['last-1y', 'last-year'],
    ['last-1-day', 'yesterday'],
    ['next-7-days', 'next-7-days'],
    ['next 2 days', 'next-2-days'],
    ['next-1-days', 'tomorrow'],
    ['2026-03-05', '2026-03-05'],
    ['2026 03 05', '2026-03-05'],
    ['2024-02-29', '2024-02-29'],
    ['2026-03', '2026-03'],
    ['2026-Q1', '2026-Q1'],
    ['2026-q4', '2026-Q4'],
    ['2026 q2', '2026-Q2'],
    ['2026', '2026'],
    ['2026-03-01..2026-03-31', '2026-03-01..2026-03-31'],
    ['2026-03-01 .. 2026-03-31', '2026-03-01..2026-03-31'],
    ['2026-01..2026-03', '2026-01..2026-03'],
    ['2026-q1..2026-q2', '2026-Q1..2026-Q2'],
    ['2024..2026', '2024..2026'],
    ['2025-12-24..2026', '2025-12-24..2026'],
    ['2026..2026-03', '2026..2026-03'],
    ['2026-03..2026-03', '2026-03'],
    ['since:2026-03-01', 'since:2026-03-01'],
    ['Since:2026-Q1', 'since:2026-Q1'],
    ['since: 2026', 'since:2026'],
  ])('%s is %s', (typed, words) => expect(wordsOf(typed)).toBe(words));

  it.each([...rangeNames(true), 'last-9-weeks', 'next-3-days', '2026-Q1..2026-12-31', 'since:2025-Q3'])(
    '%s is canonical: it reads back to itself',
    (words) => expect(wordsOf(words)).toBe(words),
  );
});

describe('words that have the form of a range and cannot be one', () => {
  it.each([
    ['2026-02-30', 'no-such-date'],
    ['2025-02-29', 'no-such-date'],
    ['2026-13', 'no-such-date'],
    ['2026-00', 'no-such-date'],
    ['2026-01-00', 'no-such-date'],
    ['2026-Q5', 'no-such-date'],
    ['2026-Q0', 'no-such-date'],
    ['2026-01-01..2026-02-30', 'no-such-date'],
    ['since:2026-13', 'no-such-date'],
    ['last-0-days', 'count'],
    ['last-0d', 'count'],
    ['next-0-days', 'count'],
    ['last-100000-days', 'count'],
    ['last-99999999999999999999999999-years', 'count'],
    ['2026-03-31..2026-03-01', 'backwards'],
    ['2026..2025', 'backwards'],
    ['2026-Q2..2026-01', 'backwards'],
    ['1969-12-31', 'before-1970'],
    ['1969', 'before-1970'],
    ['0000-01-01', 'before-1970'],
    ['0099', 'before-1970'],
    ['1960..2026', 'before-1970'],
    ['since:1969-Q4', 'before-1970'],
  ])('%s: %s', (typed, reason) => expect(wordsOf(typed)).toBe(`refused: ${reason}`));
});

describe('words that are no range', () => {
  it.each([
    '',
    'csv',
    'week',
    'last',
    'last-weak',
    'lastweek',
    'last--week',
    'last_week',
    'last-30',
    'last-30-days-ago',
    'last-30-fortnights',
    'last--1-days',
    'last-1.5-days',
    'next-quarter',
    'next-year',
    'next-2-weeks',
    'this-day',
    'last-day',
    '26',
    '20260305',
    '2026-3-5',
    '2026/03/05',
    '2026-03-05T10:00',
    '2026-03-01..',
    '..2026-03-01',
    '..',
    '2026..2026..2026',
    'last-week..today',
    'since:',
    'since:last-week',
    'since:2026..2027',
    'since-2026',
    `2026${' '.repeat(100)}`.padEnd(200, 'x'),
    'ｌast-week',
  ])('%j', (typed) => expect(wordsOf(typed)).toBe('refused: not-a-range'));
});

it('offers future ranges only where there is a future', () => {
  expect(rangeNames(true).filter((name) => !rangeNames(false).includes(name))).toEqual([
    'tomorrow',
    'next-week',
    'next-month',
  ]);
});
