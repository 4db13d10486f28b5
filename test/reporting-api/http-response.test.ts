import { expect, it } from 'vitest';
import { retryAfter } from '../../src/reporting-api/http-response.js';

const now = Date.UTC(2026, 10, 20, 12, 0, 0);
const date = 'Fri, 20 Nov 2026 12:00:00 GMT';

it.each([
  ['seconds', { 'retry-after': '120' }, 120_000],
  ['no time at all', { 'retry-after': '0' }, 0],
  ['parts of a second', { 'retry-after': ' 1.5 ' }, 1500],
  ['a date, by our clock', { 'retry-after': 'Fri, 20 Nov 2026 12:01:00 GMT' }, 60_000],
  [
    'a date, by the clock of a service that is an hour ahead',
    { 'retry-after': 'Fri, 20 Nov 2026 13:00:30 GMT', date: 'Fri, 20 Nov 2026 13:00:00 GMT' },
    30_000,
  ],
  ['a date in the old long form', { 'retry-after': 'Friday, 20-Nov-26 12:00:05 GMT', date }, 5000],
  ['a date that is over', { 'retry-after': 'Fri, 20 Nov 2026 11:00:00 GMT', date }, 0],
  ['the first of several', { 'retry-after': ['3', '9'] }, 3000],
  ['nothing', {}, undefined],
  ['a negative number', { 'retry-after': '-5' }, undefined],
  ['words', { 'retry-after': 'soon' }, undefined],
  ['a year', { 'retry-after': '2026-11-20' }, undefined],
  ['empty text', { 'retry-after': '' }, undefined],
])('reads %s', (_, headers, milliseconds) => {
  expect(retryAfter(headers, now)).toBe(milliseconds);
});
