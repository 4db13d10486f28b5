import { describe, expect, it } from 'vitest';
import { allReports, reportNamed } from '../../../../src/catalogue/index.js';
import { ok, refused } from '../../../../src/errors/failure.js';
import { parseRangeWords } from '../../../../src/requests/range-words.js';
import { plainRequest, type ReportRequest } from '../../../../src/requests/request.js';
import { rangeChoices, rangeIn, rangeValues } from '../../../../src/slack/forms/ranges.js';
import { runProblems } from '../../../../src/slack/forms/read-draft.js';
import { accepted } from '../../../results.js';
import { draftOf } from './rendered-builder.js';

const engagement = reportNamed('engagement');
const workshops = reportNamed('workshops');

describe('the ranges in the menu', () => {
  it('are canonical and unique, without the default range', () => {
    for (const report of allReports) {
      const offered = rangeChoices(report);
      expect(new Set(offered).size).toBe(offered.length);
      for (const words of offered) expect(accepted(parseRangeWords(words)).words).toBe(words);
      expect(offered).not.toContain(report.range?.defaultWords);
      expect(offered.length > 0).toBe(report.range !== undefined);
    }
  });

  it('include the future for workshops only', () => {
    expect(rangeChoices(workshops)).toEqual(
      expect.arrayContaining(['tomorrow', 'next-month', 'next-30-days']),
    );
    expect(rangeChoices(engagement).filter((words) => /next|tomorrow/.test(words))).toEqual([]);
  });
});

/** The range of a form for a report, with these values. */
function readRange(values: ReturnType<typeof rangeValues>, report: string) {
  const problems: object[] = [];
  const draft = { values: { report, ...values } };
  const range = rangeIn(draft, (input, sentence) => void problems.push({ input, sentence }));
  return problems.length > 0 ? refused(problems) : ok(range);
}

describe('a range', () => {
  it.each([
    [undefined, {}],
    ['last-week', { range: 'last-week' }],
    ['last-30-days', { range: 'last-30-days' }],
    ['last-31-days', { range: 'words', 'range-words': 'last-31-days' }],
    ['2026-03-05', { range: 'dates', 'first-day': '2026-03-05', 'last-day': '2026-03-05' }],
    ['2026-03-01..2026-03-31', { range: 'dates', 'first-day': '2026-03-01', 'last-day': '2026-03-31' }],
    ['2026-03..2026-05-01', { range: 'words', 'range-words': '2026-03..2026-05-01' }],
    ['since:2026-Q1', { range: 'words', 'range-words': 'since:2026-Q1' }],
  ])('%s opens under the right choice and stays the same', (words, values) => {
    expect(rangeValues(words, engagement)).toEqual(values);
    expect(readRange(values, 'engagement')).toEqual(ok(words));
  });

  it.each([
    [{ range: 'dates' }, 'first-day'],
    [{ range: 'dates', 'first-day': '2026-03-01' }, 'last-day'],
    [{ range: 'dates', 'first-day': '2026-03-02', 'last-day': '2026-03-01' }, 'last-day'],
    [{ range: 'dates', 'first-day': '1969-12-31', 'last-day': '2026-03-01' }, 'last-day'],
    [{ range: 'words', 'range-words': ' ' }, 'range-words'],
    [{ range: 'words', 'range-words': '2026-02-30' }, 'range-words'],
    [{ range: 'words', 'range-words': 'last-0-days' }, 'range-words'],
    [{ range: 'words', 'range-words': 'next-week' }, 'range-words'],
    [{ range: 'words', 'range-words': 'last week, perhaps' }, 'range-words'],
  ])('%j is refused under %s', (values, input) => {
    expect(readRange(values, 'engagement')).toEqual(refused([{ input, sentence: expect.any(String) }]));
  });

  it('that is typed into the form is parsed like a typed command', () => {
    const typed = (words: string) => ({ range: 'words', 'range-words': words });
    expect(readRange(typed(' Last 4w '), 'engagement')).toEqual(ok('last-4-weeks'));
    expect(readRange(typed('next week'), 'workshops')).toEqual(ok('next-week'));
  });
});

describe('when the request runs', () => {
  const now = Date.parse('2026-11-20T10:00:00Z');
  const asker = { id: 'U1', zone: 'Europe/Berlin', email: 'ada@example.com' };
  const problems = (request: ReportRequest, by: { id: string; zone: string; email?: string } = asker) => {
    return runProblems(draftOf(request), request, by, now, 'monday');
  };

  it('a future range is refused under its input', () => {
    expect(problems({ ...plainRequest('engagement'), range: '2026-11-21..2026-11-30' })).toEqual([
      { input: 'last-day', sentence: expect.stringContaining('future') },
    ]);
    expect(problems({ ...plainRequest('engagement'), range: '2027' })).toEqual([
      { input: 'range-words', sentence: expect.stringContaining('future') },
    ]);
    expect(problems({ ...plainRequest('workshops'), range: '2027' })).toEqual([]);
    expect(problems({ ...plainRequest('engagement'), range: '2026' })).toEqual([]);
  });

  it('“me” is refused if the address is unknown', () => {
    const mine = {
      ...plainRequest('engagement'),
      filters: [{ object: 'user_filter', member: 'manager_email', entries: ['ME'] }],
    };
    expect(problems(mine)).toEqual([]);
    expect(problems(mine, { id: 'U1', zone: 'UTC' })).toEqual([
      { input: 'entries:user.manager_email', sentence: expect.stringContaining('address') },
    ]);
  });
});
