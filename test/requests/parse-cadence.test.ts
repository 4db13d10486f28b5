import { describe, expect, it } from 'vitest';
import { parseCadence } from '../../src/requests/parse-cadence.js';
import { parseCommand } from '../../src/requests/parse-command.js';
import type { Problem } from '../../src/requests/problem.js';
import { problemMessageText } from '../../src/requests/problem-messages.js';
import { accepted, refusalOf } from '../results.js';

const at9 = { time: '09:00' };

describe('every form of a cadence', () => {
  it.each([
    ['daily 17:00', { kind: 'daily', time: '17:00' }],
    ['weekdays 8:30', { kind: 'weekdays', time: '08:30' }],
    ['weekly mon,thu 09:00', { kind: 'weekly', days: ['mon', 'thu'], ...at9 }],
    ['weekly thu,mon,thu 9', { kind: 'weekly', days: ['mon', 'thu'], ...at9 }],
    ['Weekly Sunday, TUES and wednesday at 9am', { kind: 'weekly', days: ['tue', 'wed', 'sun'], ...at9 }],
    ['weekly on friday saturday at 9', { kind: 'weekly', days: ['fri', 'sat'], ...at9 }],
    ['every 2 weeks fri 16:00', { kind: 'every-weeks', weeks: 2, days: ['fri'], time: '16:00' }],
    ['EVERY 52 WEEKS on mon,fri 9', { kind: 'every-weeks', weeks: 52, days: ['mon', 'fri'], ...at9 }],
    ['every 1 week fri 9', { kind: 'weekly', days: ['fri'], ...at9 }],
    ['every week fri 9', { kind: 'weekly', days: ['fri'], ...at9 }],
    ['monthly 1 09:00', { kind: 'monthly', day: 1, ...at9 }],
    ['monthly 31 9', { kind: 'monthly', day: 31, ...at9 }],
    ['monthly last 16:00', { kind: 'monthly-last', time: '16:00' }],
    ['monthly last day 16:00', { kind: 'monthly-last', time: '16:00' }],
    ['monthly last fri 15:00', { kind: 'monthly-weekday', which: 'last', weekday: 'fri', time: '15:00' }],
    ['Monthly First Monday 9', { kind: 'monthly-weekday', which: 'first', weekday: 'mon', ...at9 }],
    ['monthly second tue 9', { kind: 'monthly-weekday', which: 'second', weekday: 'tue', ...at9 }],
    ['monthly fourth sun 9', { kind: 'monthly-weekday', which: 'fourth', weekday: 'sun', ...at9 }],
    ['quarterly 1 09:00', { kind: 'quarterly', day: 1, ...at9 }],
    ['hourly', { kind: 'hourly', minute: 0 }],
    ['Hourly :15', { kind: 'hourly', minute: 15 }],
    ['hourly :59', { kind: 'hourly', minute: 59 }],
    ['cron "0 9 * * 1-5"', { kind: 'cron', expression: '0 9 * * 1-5' }],
    ['CRON “30  9,17 * * MON-FRI”', { kind: 'cron', expression: '30 9,17 * * MON-FRI' }],
    ['cron " 0 * * * * "', { kind: 'cron', expression: '0 * * * *' }],
    ['cron "0 0 29 2 *"', { kind: 'cron', expression: '0 0 29 2 *' }],
    ['cron "*/60 9 L * *"', { kind: 'cron', expression: '*/60 9 L * *' }],
  ])('%s', (typed, cadence) => {
    expect(accepted(parseCadence(typed))).toEqual({ cadence });
    expect(accepted(parseCadence(`${typed} europe/berlin`))).toEqual({ cadence, zone: 'Europe/Berlin' });
    expect(accepted(parseCadence(`  ${typed.replaceAll(' ', ' \u00a0 ')}  `))).toEqual({ cadence });
  });
});

describe('every way to write a time', () => {
  it.each([
    ['0', '00:00'],
    ['9', '09:00'],
    ['09', '09:00'],
    ['23', '23:00'],
    ['9am', '09:00'],
    ['9 AM', '09:00'],
    ['9:30pm', '21:30'],
    ['9:30 pm', '21:30'],
    ['09:00', '09:00'],
    ['9:05', '09:05'],
    ['17:00', '17:00'],
    ['00:00', '00:00'],
    ['23:59', '23:59'],
    ['12am', '00:00'],
    ['12:01am', '00:01'],
    ['12pm', '12:00'],
    ['1pm', '13:00'],
  ])('%s', (typed, time) => {
    expect(accepted(parseCadence(`daily ${typed}`))).toEqual({ cadence: { kind: 'daily', time } });
    expect(accepted(parseCadence(`monthly 9 ${typed} UTC`))).toEqual({
      cadence: { kind: 'monthly', day: 9, time },
      zone: 'UTC',
    });
  });
});

function problemOf(cadence: string): Problem {
  return refusalOf(parseCommand(`schedule engagement ${cadence}`, { savedNames: [] }));
}

describe('refused cadences, with the reason and a correction', () => {
  const table: readonly (readonly [string, string, string, string?])[] = [
    ['daily', 'time-missing', 'daily'],
    ['weekdays Europe/Berlin', 'time-missing', 'weekdays Europe/Berlin'],
    ['weekly mon', 'time-missing', 'weekly mon'],
    ['monthly 9', 'time-missing', 'monthly 9'],
    ['monthly last', 'time-missing', 'monthly last'],
    ['monthly last fri', 'time-missing', 'monthly last fri'],
    ['quarterly 1 UTC', 'time-missing', 'quarterly 1 UTC'],
    ['daily 25:00', 'not-a-time', '25:00'],
    ['daily 24:00', 'not-a-time', '24:00', 'daily 00:00'],
    ['daily 9:60', 'not-a-time', '9:60'],
    ['daily 9:5', 'not-a-time', '9:5'],
    ['daily 9.30', 'not-a-time', '9.30', 'daily 09:30'],
    ['daily 0930', 'not-a-time', '0930', 'daily 09:30'],
    ['daily 9h30', 'not-a-time', '9h30', 'daily 09:30'],
    ['daily 09:30:00', 'not-a-time', '09:30:00', 'daily 09:30'],
    ['daily 13pm', 'not-a-time', '13pm', 'daily 13:00'],
    ['daily 0am', 'not-a-time', '0am', 'daily 00:00'],
    ['daily -9', 'not-a-time', '-9'],
    ['daily noon', 'not-a-time', 'noon'],
    ['daily 9 17:00', 'two-times', '17:00'],
    ['weekly mon 9 5pm', 'two-times', '5pm'],
    ['hourly :00 :30', 'two-times', ':30'],
    ['weekly 9', 'day-missing', 'weekly 9'],
    ['weekly', 'day-missing', 'weekly'],
    ['weekly , 9', 'day-missing', 'weekly , 9'],
    ['every 2 weeks 9', 'day-missing', 'every 2 weeks 9'],
    ['monthly', 'day-missing', 'monthly'],
    ['monthly 09:00', 'day-missing', 'monthly 09:00'],
    ['monthly 9am', 'day-missing', 'monthly 9am'],
    ['monthly fri 15:00', 'day-missing', 'monthly fri 15:00'],
    ['monthly first 15:00', 'day-missing', 'first'],
    ['quarterly 17:00', 'day-missing', 'quarterly 17:00'],
    ['weekly xyz 9', 'not-a-weekday', 'xyz'],
    ['weekly xyz', 'not-a-weekday', 'xyz'],
    ['weekly mondy,tue 9', 'not-a-weekday', 'mondy', 'weekly mon,tue 9'],
    ['weekly mon-fri 9', 'not-a-weekday', 'mon-fri', 'weekly mon,tue,wed,thu,fri 9'],
    ['weekly sat-mon 9', 'not-a-weekday', 'sat-mon', 'weekly mon,sat,sun 9'],
    ['monthly last weekday 9', 'not-a-weekday', 'weekday'],
    ['monthly 32 09:00', 'not-a-day-of-month', '32', 'monthly last 09:00'],
    ['monthly 32', 'not-a-day-of-month', '32', undefined],
    ['monthly 0 9', 'not-a-day-of-month', '0', 'monthly 1 9'],
    ['monthly 1st 9', 'not-a-day-of-month', '1st', 'monthly 1 9'],
    ['monthly 2nd fri 9', 'not-a-day-of-month', '2nd', 'monthly second fri 9'],
    ['monthly fifth fri 9', 'not-a-day-of-month', 'fifth', 'monthly last fri 9'],
    ['monthly lats 9', 'not-a-day-of-month', 'lats', 'monthly last 9'],
    ['monthly 999999999999999999999 9', 'not-a-day-of-month', '999999999999999999999'],
    ['quarterly 32 9', 'not-a-day-of-month', '32'],
    ['quarterly last 9', 'not-a-day-of-month', 'last'],
    ['every', 'not-weeks', 'every'],
    ['every 0 weeks fri 9', 'not-weeks', '0'],
    ['every 53 weeks fri 9', 'not-weeks', '53'],
    ['every 2 days 9', 'not-weeks', 'every 2'],
    ['every -2 weeks fri 9', 'not-weeks', 'every -2'],
    ['every day 9', 'not-weeks', 'every day', 'daily 9'],
    ['every monday 9', 'not-weeks', 'every monday', 'weekly mon 9'],
    ['every other week fri 9', 'not-weeks', 'every other', 'every 2 week fri 9'],
    ['hourly :75', 'not-a-minute', ':75'],
    ['hourly :60', 'not-a-minute', ':60'],
    ['hourly :5', 'not-a-minute', ':5', 'hourly :05'],
    ['hourly 15', 'not-a-minute', '15', 'hourly :15'],
    ['hourly 9:15', 'not-a-minute', '9:15'],
    ['cron', 'cron-fields', 'cron'],
    ['cron ""', 'cron-fields', ''],
    ['cron "0 9 * *"', 'cron-fields', '0 9 * *'],
    ['cron "60 9 * * *"', 'cron-fields', '60 9 * * *'],
    ['cron "0 24 * * *"', 'cron-fields', '0 24 * * *'],
    ['cron "0 9 32 * *"', 'cron-fields', '0 9 32 * *'],
    ['cron "0 9 * 13 *"', 'cron-fields', '0 9 * 13 *'],
    ['cron "0 9 * * 8"', 'cron-fields', '0 9 * * 8'],
    ['cron "@daily"', 'cron-fields', '@daily'],
    ['cron "one two three four five"', 'cron-fields', 'one two three four five'],
    ['cron 0 9 * * 1-5', 'cron-quotes', '0 9 * * 1-5', 'cron "0 9 * * 1-5"'],
    ['cron 0 9 * * 1-5 UTC', 'cron-quotes', '0 9 * * 1-5', 'cron "0 9 * * 1-5" UTC'],
    ['cron 0', 'cron-quotes', '0'],
    ['cron "0 0 9 * * 1-5"', 'cron-seconds', '0 0 9 * * 1-5', 'cron "0 9 * * 1-5"'],
    ['cron "* * * * * *"', 'cron-too-often', '* * * * *', undefined],
    ['cron "0 0 9 * * 1-5 2030"', 'cron-seconds', '0 0 9 * * 1-5 2030'],
    ['cron "* * * * *"', 'cron-too-often', '* * * * *'],
    ['cron "*/30 9 * * *"', 'cron-too-often', '*/30 9 * * *'],
    ['cron "0,1 0 1 1 *"', 'cron-too-often', '0,1 0 1 1 *'],
    ['cron "0-59 9 * * 1"', 'cron-too-often', '0-59 9 * * 1'],
    ['cron "? 9 * * 1"', 'cron-too-often', '? 9 * * 1'],
    ['cron "0 0 30 2 *"', 'cron-never', '0 0 30 2 *'],
    ['cron "0 0 31 4,6,9,11 *"', 'cron-never', '0 0 31 4,6,9,11 *'],
    ['daily 9 Europe/Berln', 'not-a-zone', 'Europe/Berln', 'daily 9 Europe/Berlin'],
    ['daily 9 Berlin', 'not-a-zone', 'Berlin', 'daily 9 Europe/Berlin'],
    ['daily 9 Asia/Berlin', 'not-a-zone', 'Asia/Berlin', 'daily 9 Europe/Berlin'],
    ['daily 9 new york', 'not-a-zone', 'new york', 'daily 9 America/New_York'],
    ['weekly mon 9 Kolkatta', 'not-a-zone', 'Kolkatta', 'weekly mon 9 Asia/Kolkata'],
    ['daily 9 Mars/Phobos', 'not-a-zone', 'Mars/Phobos'],
    ['daily 9 CEST', 'not-a-zone', 'CEST'],
    ['daily 9 BST', 'not-a-zone', 'BST'],
    ['daily 9 +02:00', 'not-a-zone', '+02:00'],
    ['hourly every', 'not-a-zone', 'every'],
    ['daily 9 Europe/Berlin please', 'words-after', 'please'],
    ['daily 9 csv', 'options-after', 'csv', 'csv daily 9'],
    ['daily 9 skip-empty UTC', 'options-after', 'skip-empty', 'skip-empty daily 9 UTC'],
    ['daily 9 replace keep:7d', 'options-after', 'replace keep:7d', 'replace keep:7d daily 9'],
    ['daily 9 last week to:me', 'options-after', 'last week to:me', 'last week to:me daily 9'],
    ['hourly 2026-03', 'not-a-minute', '2026-03'],
    ['daily 9 2026-03 UTC', 'options-after', '2026-03', '2026-03 daily 9 UTC'],
    ['weekly mon 9 UTC csv', 'options-after', 'csv', 'csv weekly mon 9 UTC'],
  ];

  const refusals = table.map(([cadence, reason, word, corrected]) => ({
    cadence,
    reason,
    word,
    corrected,
  }));

  it.each(refusals)('$cadence: $reason', ({ cadence, reason, word, corrected }) => {
    const problem = problemOf(cadence);
    expect(problem).toMatchObject({ kind: 'cadence', reason, word });
    expect(problem.corrected).toBe(corrected && `schedule engagement ${corrected}`);
    const said = problemMessageText(problem);
    expect(said).toMatch(/[.?]$/);
    expect(said).not.toMatch(/undefined|!| {2}/);
  });

  it.each(refusals.filter(({ corrected }) => corrected))(
    '$cadence has a correction that parses',
    ({ cadence }) => {
      const { corrected = '' } = problemOf(cadence);
      expect(accepted(parseCommand(corrected, { savedNames: [] })).kind).toBe('schedule');
    },
  );

  it('refuses an open quote, and words without a cadence', () => {
    expect(problemOf('cron "0 9 * * 1-5')).toMatchObject({ kind: 'quote-not-closed' });
    expect(problemOf('daily 9 "')).toMatchObject({ kind: 'quote-not-closed' });
    expect(refusalOf(parseCadence('dayly 9'))).toMatchObject({ kind: 'cadence-missing', word: 'dayly 9' });
    expect(refusalOf(parseCadence(''))).toMatchObject({ kind: 'cadence-missing' });
  });

  it('checks the options first, and the cadence of a saved report too', () => {
    expect(problemOf('departments daily 25:00')).toMatchObject({ kind: 'colon-missing' });
    const ofSaved = parseCommand('schedule roundup csv daily 25:00', { savedNames: ['Roundup'] });
    expect(refusalOf(ofSaved)).toMatchObject({ kind: 'cadence', reason: 'not-a-time', word: '25:00' });
  });
});

describe('very long cadences', () => {
  it.each([
    ['a word', `daily ${'9'.repeat(39_000)}`],
    ['days', `weekly ${'mon,'.repeat(9000)}`],
    ['a zone', `daily 9 ${'a/'.repeat(19_000)}`],
    ['words', `daily 9 ${'a '.repeat(19_000)}`],
    ['quotes', `daily ${'"" '.repeat(13_000)}`],
    ['a cron field', `cron "${'0,'.repeat(19_000)}0 * * * *"`],
    ['cron fields', `cron "${'0 '.repeat(19_000)}"`],
    ['curly quotes', `cron ${'“'.repeat(39_001)}`],
  ])('are refused: %s', (_case, cadence) => {
    expect([...problemOf(cadence).word].length).toBeLessThanOrEqual(80);
  });
});
