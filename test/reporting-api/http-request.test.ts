import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildHttpCall, splitByRange } from '../../src/reporting-api/client.js';

const settings = {
  baseUrl: 'http://service.test',
  token: 'secret',
  authScheme: 'raw',
  idleTimeoutMs: 1000,
} as const;
const engagement = {
  operation: 'user-engagement',
  range: { from: 1762646400, until: 1763251200 },
  addsUp: false,
  body: { email: true, user_filter: { departments: 'Sales,Field Operations' } },
};

it.each([
  ['http://service.test', 'http://service.test/api/v1/reports/user-engagement/1762646400/1763251200'],
  ['http://service.test/', 'http://service.test/api/v1/reports/user-engagement/1762646400/1763251200'],
  [
    'https://service.test:8443/lms//',
    'https://service.test:8443/lms/api/v1/reports/user-engagement/1762646400/1763251200',
  ],
])('adds the path to %s', (baseUrl, url) => {
  expect(buildHttpCall(engagement, { ...settings, baseUrl }).url).toBe(url);
});

it('leaves out the range of a report without one', () => {
  const query = { operation: 'assessment-status', addsUp: false, body: {} };
  expect(buildHttpCall(query, settings).url).toBe('http://service.test/api/v1/reports/assessment-status');
});

it('sends the token as configured, and the body unchanged', () => {
  expect(buildHttpCall(engagement, settings)).toMatchObject({
    headers: { authorization: 'secret', 'content-type': 'application/json' },
    body: '{"email":true,"user_filter":{"departments":"Sales,Field Operations"}}',
    idleTimeoutMs: 1000,
  });
  expect(buildHttpCall(engagement, { ...settings, authScheme: 'bearer' }).headers.authorization).toBe(
    'Bearer secret',
  );
});

const day = 86_400;
const query = (from: number, until: number, addsUp = true) => ({
  operation: 'track-status',
  range: { from, until },
  addsUp,
  body: { email: true },
});

describe('a range in windows', () => {
  it('is one window if it fits, without a limit, and without a range', () => {
    const week = query(0, 7 * day);
    expect(splitByRange(week, 7)).toEqual([week]);
    expect(splitByRange(query(0, 9999 * day, false), 0)).toEqual([query(0, 9999 * day, false)]);
    const withoutRange = { operation: 'assessment-status', addsUp: false, body: {} };
    expect(splitByRange(withoutRange, 1)).toEqual([withoutRange]);
  });

  it('is split into adjacent windows within the limit that cover the range', () => {
    fc.assert(
      fc.property(
        fc.nat(2e9),
        fc.integer({ min: 1, max: 400 * day }),
        fc.integer({ min: 1, max: 100 }),
        (from, length, days) => {
          const windows = splitByRange(query(from, from + length), days).map(({ range }) => range);
          expect(windows[0]?.from).toBe(from);
          expect(windows.at(-1)?.until).toBe(from + length);
          for (const [place, window] of windows.entries()) {
            expect(window && window.until - window.from).toBeGreaterThan(0);
            expect(window && window.until - window.from).toBeLessThanOrEqual(days * day);
            expect(window?.from).toBe(place === 0 ? from : windows[place - 1]?.until);
          }
          expect(windows.length).toBe(Math.ceil(length / (days * day)));
        },
      ),
    );
  });

  it('is refused if the figures cannot be added up', () => {
    const split = () => splitByRange(query(0, 7 * day + 2 * 3600, false), 7);
    expect(split).toThrow(
      expect.objectContaining({
        code: 'range-too-long',
        details: { operation: 'track-status', days: 7.1, maximumDays: 7 },
      }),
    );
  });

  it('is one window if only the hour of a clock change makes it longer', () => {
    const week = query(0, 7 * day + 3600, false);
    expect(splitByRange(week, 7)).toEqual([week]);
    expect(() => splitByRange(query(0, 7 * day + 3601, false), 7)).toThrow(
      expect.objectContaining({ code: 'range-too-long' }),
    );
  });
});
