import { describe, expect, it } from 'vitest';
import { fieldOf, reportNamed } from '../../../src/catalogue/index.js';
import { completionDates, wholeDay, ZoneDays } from '../../../src/figures/counting/dates.js';
import { groupKeysFor, periodsOf } from '../../../src/figures/counting/group-keys.js';
import { plainRecord } from '../../reporting-api/answer/plain-record.js';

describe('the group of a status', () => {
  const status = fieldOf(reportNamed('assignments'), 'assignment_status');
  if (!status) throw new Error('Assignments have no status');

  it.each([
    ['in_progress', ['In progress']],
    ['InProgress', ['In progress']],
    [' IN PROGRESS ', ['In progress']],
    ['On hold by HR', ['On hold by HR']],
    [null, []],
    [' ', []],
  ])('%j is %j, also the second time', (value, keys) => {
    const keysFor = groupKeysFor(status, new ZoneDays('UTC'));
    const record = plainRecord(['assignment_status'], { assignment_status: value });
    expect([keysFor(record, 0), keysFor(record, 0)]).toEqual([keys, keys]);
  });
});

describe('the group of a date', () => {
  const date = fieldOf(reportNamed('tracks'), 'track_completed_date');
  if (!date) throw new Error('The report tracks has no such date');

  it.each([
    ['2026-11-30T23:30:00Z', ['Dec 2026']],
    ['2026-11-30', ['Nov 2026']],
    [1_795_000_000, ['Nov 2026']],
    [null, []],
    [undefined, []],
    ['', []],
    [' ', []],
    ['soon', ['soon']],
    ['2026-13-45', ['2026-13-45']],
    [8.64e15, ['8640000000000000']],
    [-8.64e15, ['-8640000000000000']],
    [1e18, ['1000000000000000000']],
    ['99999999999999999999', ['99999999999999999999']],
    ['0000-01-01', ['0000-01-01']],
    ['9999-12-31T23:59:59Z', ['9999-12-31T23:59:59Z']],
  ])('%j is %j', (value, keys) => {
    const flags = ['track_completed_date'];
    const keysIn = (zone: string) =>
      groupKeysFor(date, new ZoneDays(zone))(plainRecord(flags, { track_completed_date: value }), 0);
    const labels = (found: readonly string[]) => {
      const periodOf = periodsOf(new Map(found.map((key, number) => [key, number])), () => 0);
      return found.map((key) => periodOf(key)?.label ?? key);
    };
    expect(labels(keysIn('Europe/Berlin'))).toEqual(keys);
    expect(keysIn('Pacific/Kiritimati')).toHaveLength(keys.length);
    expect(keysIn('Pacific/Pago_Pago')).toHaveLength(keys.length);
  });
});

it('a completion has no date where its date is beyond every calendar', () => {
  const dateOf = completionDates([0]);
  for (const date of [8.64e15, -8.64e15, 1e300, 'soon', null]) {
    expect(dateOf(plainRecord(['content'], { content: { completed_date: date } }))).toBeNaN();
  }
  const both = { content: { completed_date: 1e300, completed_at: '2026-11-20' } };
  expect(dateOf(plainRecord(['content'], both))).toBe(wholeDay(Date.parse('2026-11-20')));
});
