import { describe, expect, it } from 'vitest';
import { formatSlackDate, isoDay } from '../../../../../playground/slack/web/text/dates.js';

const moment = Date.UTC(2026, 10, 20, 8, 5, 9) / 1000;
const berlin = { zone: 'Europe/Berlin', now: Date.UTC(2026, 10, 20, 12) };

describe("Slack's dates", () => {
  it.each([
    ['{date_num}', '2026-11-20'],
    ['{date_slash}', '11/20/2026'],
    ['{date}', 'November 20th, 2026'],
    ['{date_short}', 'Nov 20, 2026'],
    ['{date_long}', 'Friday, November 20th, 2026'],
    ['{date_short_pretty} at {time}', 'today at 9:05 AM'],
    ['{time_secs}', '9:05:09 AM'],
    ['{day_divider_pretty}', 'Today'],
    ['{ago}', '3 hours ago'],
    ['{unknown} stays', '{unknown} stays'],
  ])('writes %s', (format, expected) => {
    expect(formatSlackDate(moment, format, berlin)).toBe(expected);
  });

  it("follows the reader's zone over midnight", () => {
    const late = Date.UTC(2026, 10, 19, 23, 30) / 1000;
    expect(isoDay(late * 1000, 'Europe/Berlin')).toBe('2026-11-20');
    expect(formatSlackDate(late, '{date_pretty}', berlin)).toBe('today');
    expect(formatSlackDate(late, '{date_pretty}', { ...berlin, zone: 'America/New_York' })).toBe('yesterday');
  });
});
