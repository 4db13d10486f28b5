import { describe, expect, it } from 'vitest';
import { allReports, reportNamed } from '../../../../src/catalogue/index.js';
import { ok, refused } from '../../../../src/errors/result.js';
import { parseRangeWords } from '../../../../src/requests/range-words.js';
import { plainRequest, type ReportRequest } from '../../../../src/requests/request.js';
import {
  parseChosenRange,
  rangeChoices,
  rangeFromChoice,
} from '../../../../src/slack/modals/builder/ranges.js';
import { runProblems, stateFromRequest } from '../../../../src/slack/modals/builder/read-state.js';
import { accepted } from '../../../results.js';

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

describe('a range', () => {
  it.each([
    [undefined, { choice: 'usual', words: '' }],
    ['last-week', { choice: 'last-week', words: '' }],
    ['last-30-days', { choice: 'last-30-days', words: '' }],
    ['last-31-days', { choice: 'words', words: 'last-31-days' }],
    ['2026-03-05', { choice: 'dates', firstDay: '2026-03-05', lastDay: '2026-03-05', words: '' }],
    ['2026-03-01..2026-03-31', { choice: 'dates', firstDay: '2026-03-01', lastDay: '2026-03-31', words: '' }],
    ['2026-03..2026-05-01', { choice: 'words', words: '2026-03..2026-05-01' }],
    ['since:2026-Q1', { choice: 'words', words: 'since:2026-Q1' }],
  ])('%s opens under the right choice and stays the same', (words, chosen) => {
    expect(parseChosenRange(words, engagement)).toEqual(chosen);
    expect(rangeFromChoice(chosen, engagement)).toEqual(ok(words));
  });

  it.each([
    [{ choice: 'dates', words: '' }, 'first-day'],
    [{ choice: 'dates', firstDay: '2026-03-01', words: '' }, 'last-day'],
    [{ choice: 'dates', firstDay: '2026-03-02', lastDay: '2026-03-01', words: '' }, 'last-day'],
    [{ choice: 'dates', firstDay: '1969-12-31', lastDay: '2026-03-01', words: '' }, 'last-day'],
    [{ choice: 'words', words: ' ' }, 'range-words'],
    [{ choice: 'words', words: '2026-02-30' }, 'range-words'],
    [{ choice: 'words', words: 'last-0-days' }, 'range-words'],
    [{ choice: 'words', words: 'next-week' }, 'range-words'],
    [{ choice: 'words', words: 'last week, perhaps' }, 'range-words'],
  ])('%j is refused under %s', (chosen, input) => {
    expect(rangeFromChoice(chosen, engagement)).toEqual(refused([{ input, sentence: expect.any(String) }]));
  });

  it('that is typed into the form is parsed like a typed command', () => {
    expect(rangeFromChoice({ choice: 'words', words: ' Last 4w ' }, engagement)).toEqual(ok('last-4-weeks'));
    expect(rangeFromChoice({ choice: 'words', words: 'next week' }, workshops)).toEqual(ok('next-week'));
  });
});

describe('when the request runs', () => {
  const now = Date.parse('2026-11-20T10:00:00Z');
  const asker = { id: 'U1', zone: 'Europe/Berlin', email: 'ada@example.com' };
  const problems = (request: ReportRequest, by: { id: string; zone: string; email?: string } = asker) => {
    const state = stateFromRequest(request);
    return runProblems(state, request, by, now, 'monday');
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
