import { expect, it } from 'vitest';
import { reportNamed } from '../../../src/catalogue/index.js';
import { formatDays, formatRange, formatRangeInSentence } from '../../../src/figures/format/values.js';
import { formatWhen } from '../../../src/figures/summary/request.js';
import { previousPeriod, resolveRange } from '../../../src/requests/date-range.js';
import { plainRequest, type ReportRequest } from '../../../src/requests/request.js';
import { accepted } from '../../results.js';
import { resultOf } from '../fixed-answers.js';

const friday = Date.parse('2026-11-20T10:09:30Z');

function resolved(words: string, zone = 'Europe/Berlin', report: 'engagement' | 'workshops' = 'engagement') {
  return accepted(resolveRange(words, reportNamed(report), friday, zone, 'monday'));
}

it.each([
  ['last-week', 'last week (9–15 Nov 2026, Europe/Berlin)'],
  ['this-week', 'this week so far (16–20 Nov 2026 until 11:09, Europe/Berlin)'],
  ['today', 'today so far (Fri 20 Nov 2026 until 11:09, Europe/Berlin)'],
  ['yesterday', 'yesterday (Thu 19 Nov 2026, Europe/Berlin)'],
  ['last-30-days', 'last 30 days (21 Oct – 19 Nov 2026, Europe/Berlin)'],
  ['last-2-quarters', 'last 2 quarters (1 Apr – 30 Sep 2026, Europe/Berlin)'],
  ['2026-03-05', 'Thu 5 Mar 2026, Europe/Berlin'],
  ['2026-03', 'March 2026 (1–31 Mar 2026, Europe/Berlin)'],
  ['2026-Q1', 'Q1 2026 (1 Jan – 31 Mar 2026, Europe/Berlin)'],
  ['2026', '2026 (1 Jan – 31 Dec 2026, Europe/Berlin)'],
  ['2025-12-24..2026-01-06', '24 Dec 2025 – 6 Jan 2026, Europe/Berlin'],
  ['since:2026-03', 'since 1 Mar 2026 (1 Mar – 20 Nov 2026 until 11:09, Europe/Berlin)'],
  ['since-last-year', 'since 1 Jan 2025 (1 Jan 2025 – 20 Nov 2026 until 11:09, Europe/Berlin)'],
])('%s: %s', (words, text) => expect(formatRange(resolved(words))).toBe(text));

it('says since when what is open was assigned, where nobody typed a range', () => {
  const request = { ...plainRequest('assignments'), states: ['not-completed'] };
  const result = { ...resultOf(request, []), range: resolved('since-last-year') };
  const reader = { withPeople: false, zone: 'Europe/Berlin' };
  expect(formatWhen(result, reader)).toBe('Assigned since 1 Jan 2025');
  const typed = { ...result, request: { ...request, range: 'last-week' }, range: resolved('last-week') };
  expect(formatWhen(typed, reader)).toBe('Assigned 9–15 Nov 2026');
});

it('says where the service decides which date the range is about', () => {
  const whenOf = (request: ReportRequest) =>
    formatWhen({ ...resultOf(request, []), range: resolved('last-week') }, { withPeople: false });
  const tracks = plainRequest('tracks');
  expect(whenOf(tracks)).toBe("9–15 Nov 2026 (Europe/Berlin), by the service's own date");
  expect(whenOf({ ...tracks, dateField: 'assigned_date' })).toBe('Assigned 9–15 Nov 2026 (Europe/Berlin)');
  expect(whenOf(plainRequest('engagement'))).toBe('9–15 Nov 2026 (Europe/Berlin)');
});

it('shows a current unit of a report with a future in full', () => {
  expect(formatRange(resolved('this-week', 'UTC', 'workshops'))).toBe('this week (16–22 Nov 2026, UTC)');
});

it('shows whole days if the clocks skipped midnight', () => {
  expect(formatDays(resolved('2018-11-04', 'America/Sao_Paulo'))).toBe('Sun 4 Nov 2018');
  expect(formatDays(resolved('2018-11-03', 'America/Sao_Paulo'))).toBe('Sat 3 Nov 2018');
});

it.each([
  ['last-week', '2–8 Nov 2026'],
  ['this-week', '9–13 Nov 2026 until 11:09'],
  ['since:2026-11-17', '13 Nov 2026 from 12:50 – 16 Nov 2026'],
])('shows the days before %s: %s', (words, said) => {
  const period = previousPeriod(resolved(words), {
    requestedAt: friday,
    weekStart: 'monday',
    hasFuture: false,
  });
  expect(period && formatDays(period)).toBe(said);
});

it.each([
  ['last-week', 'last week'],
  ['this-week', 'this week so far'],
  ['yesterday', 'yesterday'],
  ['last-30-days', 'in the last 30 days'],
  ['2026-03-05', 'on Thu 5 Mar 2026'],
  ['2026-03', 'in March 2026'],
  ['2026-Q1', 'in Q1 2026'],
  ['2025', 'in 2025'],
  ['2026-11-01..2026-11-15', '1–15 Nov 2026'],
  ['2026-10-28..2026-11-03', '28 Oct – 3 Nov 2026'],
  ['since:2026-03', 'since 1 Mar 2026'],
  ['since-last-year', 'since 1 Jan 2025'],
])('says %s inside a sentence: %s', (words, text) => {
  expect(formatRangeInSentence(resolved(words))).toBe(text);
});

it('says what lies ahead inside a sentence', () => {
  const ahead = (words: string) => formatRangeInSentence(resolved(words, 'UTC', 'workshops'));
  expect(['tomorrow', 'next-14-days', 'this-month'].map(ahead)).toEqual([
    'tomorrow',
    'in the next 14 days',
    'this month',
  ]);
});
