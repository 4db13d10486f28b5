import { describe, expect, it } from 'vitest';
import { nearestZone } from '../../src/requests/nearest.js';
import { findZone, zoneNames, zonesWithoutDaylightSaving } from '../../src/schedule/time-zones.js';

describe('zones by name', () => {
  it('has every zone of the platform, by its name of today, in any case', () => {
    const platform = Intl.supportedValuesOf('timeZone');
    expect(zoneNames.length).toBeGreaterThan(400);
    expect(new Set(platform.map(findZone))).toEqual(
      new Set(zoneNames.filter((name) => name !== 'UTC' || platform.includes('UTC'))),
    );
    for (const name of zoneNames) {
      expect(findZone(name)).toBe(name);
      expect(findZone(name.toLowerCase())).toBe(name);
      expect(findZone(name.toUpperCase())).toBe(name);
    }
  });

  it.each([
    ['asia/calcutta', 'Asia/Kolkata'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['europe/kiev', 'Europe/Kyiv'],
    ['america/buenos_aires', 'America/Argentina/Buenos_Aires'],
    ['utc', 'UTC'],
    ['est', 'EST'],
    ['MST', 'MST'],
    ['cet', 'CET'],
    ['PST8PDT', 'PST8PDT'],
    ['Japan', 'Asia/Tokyo'],
    ['US/Eastern', 'America/New_York'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
    ['america/port-au-prince', 'America/Port-au-Prince'],
  ])('%s is %s', (typed, name) => expect(findZone(typed)).toBe(name));

  it.each(['US/Eastern', 'Zulu', 'Japan', 'EST5EDT', 'Etc/UTC', 'GB', 'EST', 'MST', 'HST', 'MET'])(
    '%s has the same clocks under the name that is kept',
    (typed) => {
      const clocks = (timeZone: string) =>
        [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)].map((at) =>
          new Intl.DateTimeFormat('en-US', { timeZone, timeStyle: 'short' }).format(at),
        );
      expect(clocks(findZone(typed) ?? '')).toEqual(clocks(typed));
    },
  );

  it('that have winter time all year have another offset in July than those that people may mean', () => {
    for (const [winter, changing] of zonesWithoutDaylightSaving) {
      const [january, july] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)].map((at) => {
        const time = (timeZone: string) =>
          new Intl.DateTimeFormat('en-US', { timeZone, timeStyle: 'short' }).format(at);
        return time(winter) === time(changing);
      });
      expect([winter, january, july]).toEqual([winter, true, false]);
    }
  });

  it.each([
    '',
    'Europe',
    'Mars/Phobos',
    'BST',
    'IST',
    'PST',
    'CST',
    '+02:00',
    'UTC+2',
    'SystemV/EST5',
    'Factory',
    'a/b/c/d',
  ])('%s is none', (typed) => expect(findZone(typed)).toBeUndefined());

  it('is the same zone under its name of today as under the older one', () => {
    for (const name of Intl.supportedValuesOf('timeZone')) {
      const [older, today] = [name, findZone(name)].map((timeZone) =>
        new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).format(
          Date.UTC(2026, 6, 1),
        ),
      );
      expect([name, today]).toEqual([name, older]);
    }
  });
});

describe('the nearest zone', () => {
  it.each([
    ['berlin', 'Europe/Berlin'],
    ['Europe/New_York', 'America/New_York'],
    ['new york', 'America/New_York'],
    ['Europe/Berln', 'Europe/Berlin'],
    ['Kolkatta', 'Asia/Kolkata'],
    ['America/Los Angeles', 'America/Los_Angeles'],
    ['singapore', 'Asia/Singapore'],
  ])('to %s is %s', (typed, zone) => expect(nearestZone(typed)).toBe(zone));

  it.each(['CEST', 'PST', 'xyzzy', 'please', '!'])('to %s is none', (typed) =>
    expect(nearestZone(typed)).toBeUndefined(),
  );
});
