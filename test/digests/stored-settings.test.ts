import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCondition, readRequest, readSchedule } from '../../src/digests/stored-settings.js';
import { scheduleFrom } from '../../src/schedule/next-runs.js';
import { anyCadence } from '../requests/random-cadence.js';
import { anyRequest } from '../requests/random-request.js';
import { settings } from './test-workspace.js';

describe('stored settings of a digest', () => {
  it('are read unchanged for every cadence', () => {
    const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia');
    const now = fc.integer({ min: 0, max: 4e12 });
    fc.assert(
      fc.property(anyCadence, zone, now, (cadence, zone, now) => {
        const schedule = scheduleFrom(cadence, zone, now);
        expect(readSchedule(JSON.stringify(schedule))).toEqual(schedule);
      }),
    );
  });

  it('are read unchanged for every request', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        expect(readRequest(JSON.stringify(request))).toEqual(request);
      }),
    );
  });

  const kept = (changes: object) => JSON.stringify({ ...settings.schedule, ...changes });
  it.each([
    ['nothing', ''],
    ['no object', 'null'],
    ['no cadence', kept({ cadence: undefined })],
    ['a cadence without its days', kept({ cadence: { kind: 'weekly', days: [], time: '09:00' } })],
    ['a day that no week has', kept({ cadence: { kind: 'weekly', days: ['sol'], time: '09:00' } })],
    ['a day that no month has', kept({ cadence: { kind: 'monthly', day: 32, time: '09:00' } })],
    [
      'every week and no week',
      kept({ cadence: { kind: 'every-weeks', weeks: 0, days: ['mon'], time: '09:00' } }),
    ],
    ['a minute that no hour has', kept({ cadence: { kind: 'hourly', minute: 60 } })],
    ['a minute that is a word', kept({ cadence: { kind: 'hourly', minute: '0' } })],
    ['a time that no clock shows', kept({ cadence: { kind: 'daily', time: '24:00' } })],
    ['a zone that is not there', kept({ zone: 'Mars/Olympus' })],
    ['a first day that is not there', kept({ firstDay: '2026-02-30' })],
  ])('are refused with %s', (_, text) => {
    expect(() => readSchedule(text)).toThrow();
  });

  it.each([
    ['a report that is gone', { report: 'gone' }],
    ['no filters', { filters: undefined }],
    ['a filter without entries', { filters: [{ object: 'user_filter', member: 'departments' }] }],
    ['columns that are one word', { columns: 'email' }],
  ])('are refused with %s', (_, changes) => {
    expect(() => readRequest(JSON.stringify({ ...settings.request, ...changes }))).toThrow();
  });

  it('are read unchanged for every condition of an alert', () => {
    const threshold = fc.record({
      kind: fc.constant('threshold'),
      figure: fc.constantFrom('overdue', 'completion-rate'),
      comparison: fc.constantFrom('>', '>=', '<', '<='),
      value: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
      isPercent: fc.boolean(),
    });
    const simple = fc.record({ kind: fc.constantFrom('changed', 'new-rows') });
    fc.assert(
      fc.property(fc.oneof(threshold, simple), (condition) => {
        expect(readCondition(JSON.stringify(condition))).toEqual(condition);
      }),
    );
  });

  it.each([
    ['nothing to wait for', {}],
    ['a kind that is not there', { kind: 'sometimes' }],
    ['a threshold without a value', { kind: 'threshold', figure: 'overdue', comparison: '>' }],
    [
      'a comparison that is not there',
      { kind: 'threshold', figure: 'overdue', comparison: '=', value: 1, isPercent: false },
    ],
  ])('are refused with %s', (_, condition) => {
    expect(() => readCondition(JSON.stringify(condition))).toThrow();
  });
});
