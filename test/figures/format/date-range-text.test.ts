import { expect, it } from 'vitest';
import { reportNamed } from '../../../src/catalogue/index.js';
import { formatDays, formatRange } from '../../../src/figures/format/dates.js';
import { previousPeriod, resolveRange } from '../../../src/requests/date-range.js';
import { accepted } from '../../results.js';

const friday = Date.parse('2026-11-20T10:09:30Z');

function resolved(words: string, zone = 'Europe/Berlin', report: 'engagement' | 'workshops' = 'engagement') {
  return accepted(resolveRange(words, reportNamed(report), friday, zone, 'monday'));
}

it.each([
  ['last-week', 'last week (Mon 9 Nov – Sun 15 Nov 2026, Europe/Berlin)'],
  ['this-week', 'this week so far (Mon 16 Nov – Fri 20 Nov 2026 until 11:09, Europe/Berlin)'],
  ['today', 'today so far (Fri 20 Nov 2026 until 11:09, Europe/Berlin)'],
  ['yesterday', 'yesterday (Thu 19 Nov 2026, Europe/Berlin)'],
  ['last-30-days', 'last 30 days (Wed 21 Oct – Thu 19 Nov 2026, Europe/Berlin)'],
  ['last-2-quarters', 'last 2 quarters (Wed 1 Apr – Wed 30 Sep 2026, Europe/Berlin)'],
  ['2026-03-05', 'Thu 5 Mar 2026, Europe/Berlin'],
  ['2026-03', 'March 2026 (Sun 1 Mar – Tue 31 Mar 2026, Europe/Berlin)'],
  ['2026-Q1', 'Q1 2026 (Thu 1 Jan – Tue 31 Mar 2026, Europe/Berlin)'],
  ['2026', '2026 (Thu 1 Jan – Thu 31 Dec 2026, Europe/Berlin)'],
  ['2025-12-24..2026-01-06', 'Wed 24 Dec 2025 – Tue 6 Jan 2026, Europe/Berlin'],
  ['since:2026-03', 'since 1 Mar 2026 (Sun 1 Mar – Fri 20 Nov 2026 until 11:09, Europe/Berlin)'],
  [
    '365-days-up-to-now',
    'the 365 days up to now (Thu 20 Nov 2025 from 11:09 – Fri 20 Nov 2026 until 11:09, Europe/Berlin)',
  ],
])('%s: %s', (words, text) => expect(formatRange(resolved(words))).toBe(text));

it('shows a current unit of a report with a future in full', () => {
  expect(formatRange(resolved('this-week', 'UTC', 'workshops'))).toBe(
    'this week (Mon 16 Nov – Sun 22 Nov 2026, UTC)',
  );
});

it('shows whole days if the clocks skipped midnight', () => {
  expect(formatDays(resolved('2018-11-04', 'America/Sao_Paulo'))).toBe('Sun 4 Nov 2018');
  expect(formatDays(resolved('2018-11-03', 'America/Sao_Paulo'))).toBe('Sat 3 Nov 2018');
});

it.each([
  ['last-week', 'Mon 2 Nov – Sun 8 Nov 2026'],
  ['this-week', 'Mon 9 Nov – Fri 13 Nov 2026 until 11:09'],
  ['since:2026-11-17', 'Fri 13 Nov 2026 from 12:50 – Mon 16 Nov 2026'],
])('shows the days before %s: %s', (words, said) => {
  const period = previousPeriod(resolved(words), {
    requestedAt: friday,
    weekStart: 'monday',
    hasFuture: false,
  });
  expect(period && formatDays(period)).toBe(said);
});
