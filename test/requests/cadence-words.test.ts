import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeCadence, formatCadence } from '../../src/requests/cadence-words.js';
import { parseCadence } from '../../src/requests/parse-cadence.js';
import { zoneNames } from '../../src/schedule/time-zones.js';
import { propertyRuns } from '../property-runs.js';
import { accepted } from '../results.js';
import { anyCadence } from './random-cadence.js';

describe('the canonical words of a cadence', () => {
  it('say exactly that cadence, in any case, with any zone', () => {
    fc.assert(
      fc.property(anyCadence, fc.constantFrom(...zoneNames), (cadence, zone) => {
        const said = formatCadence(cadence);
        expect(accepted(parseCadence(said))).toEqual({ cadence });
        const inCapitals = accepted(parseCadence(`${said} ${zone}`.toUpperCase()));
        // A cron expression keeps its own case.
        const wanted = cadence.kind === 'cron' ? expect.anything() : cadence;
        expect(inCapitals).toEqual({ cadence: wanted, zone });
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  it('are plain data behind', () => {
    fc.assert(
      fc.property(anyCadence, (cadence) => {
        expect(JSON.parse(JSON.stringify(cadence))).toEqual(cadence);
      }),
    );
  });
});

describe('a cadence for people', () => {
  it.each([
    ['daily 9', 'daily 09:00', 'every day at 09:00'],
    ['weekdays 8:30', 'weekdays 08:30', 'Monday to Friday at 08:30'],
    ['weekly thu,mon 9', 'weekly mon,thu 09:00', 'every Monday and Thursday at 09:00'],
    ['weekly mon,wed,fri 9', 'weekly mon,wed,fri 09:00', 'every Monday, Wednesday and Friday at 09:00'],
    ['every 2 weeks fri 4pm', 'every 2 weeks fri 16:00', 'every 2 weeks on Friday at 16:00'],
    ['monthly 1 9', 'monthly 1 09:00', 'on day 1 of each month at 09:00'],
    ['monthly 31 9', 'monthly 31 09:00', 'on day 31 (or the last day) of each month at 09:00'],
    ['monthly last 9', 'monthly last 09:00', 'on the last day of each month at 09:00'],
    ['monthly last fri 15', 'monthly last fri 15:00', 'on the last Friday of each month at 15:00'],
    ['quarterly 1 9', 'quarterly 1 09:00', "on day 1 of each quarter's first month at 09:00"],
    ['hourly :00', 'hourly', 'every hour at :00'],
    ['hourly :05', 'hourly :05', 'every hour at :05'],
    ['cron “0  9 * * 1-5”', 'cron "0 9 * * 1-5"', 'by the cron expression 0 9 * * 1-5'],
  ])('%s', (typed, words, forPeople) => {
    const { cadence } = accepted(parseCadence(typed));
    expect(formatCadence(cadence)).toBe(words);
    expect(describeCadence(cadence)).toBe(forPeople);
  });
});
