import { describe, expect, it } from 'vitest';
import { zoneNamed, zoneNames } from '../../src/language/index.js';
import { nearestZone } from '../../src/language/zone-names.js';

describe('zones by name', () => {
  it('has every zone of the platform, by its name of today, in any case', () => {
    const platform = Intl.supportedValuesOf('timeZone');
    expect(zoneNames.length).toBeGreaterThan(400);
    expect(new Set(platform.map(zoneNamed))).toEqual(
      new Set(zoneNames.filter((name) => name !== 'UTC' || platform.includes('UTC'))),
    );
    for (const name of zoneNames) {
      expect(zoneNamed(name)).toBe(name);
      expect(zoneNamed(name.toLowerCase())).toBe(name);
      expect(zoneNamed(name.toUpperCase())).toBe(name);
    }
  });

  it.each([
    ['asia/calcutta', 'Asia/Kolkata'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['europe/kiev', 'Europe/Kyiv'],
    ['america/buenos_aires', 'America/Argentina/Buenos_Aires'],
    ['utc', 'UTC'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
    ['america/port-au-prince', 'America/Port-au-Prince'],
  ])('%s is %s', (typed, name) => expect(zoneNamed(typed)).toBe(name));

  it.each(['US/Eastern', 'Zulu', 'Japan', 'EST5EDT', 'Etc/UTC', 'GB'])(
    '%s is one of the older names',
    (typed) => {
      const name = zoneNamed(typed) ?? '';
      expect(() => new Intl.DateTimeFormat('en-US', { timeZone: name })).not.toThrow();
    },
  );

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
  ])('%s is none', (typed) => expect(zoneNamed(typed)).toBeUndefined());

  it('is the same zone under its name of today as under the older one', () => {
    for (const name of Intl.supportedValuesOf('timeZone')) {
      const [older, today] = [name, zoneNamed(name)].map((timeZone) =>
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
