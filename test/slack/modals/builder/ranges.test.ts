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

describe('the ranges on offer', () => {
  it('are ranges in their canonical words, each once, without the one that is usual', () => {
    for (const report of allReports) {
      const offered = rangeChoices(report);
      expect(new Set(offered).size).toBe(offered.length);
      for (const words of offered) expect(accepted(parseRangeWords(words)).words).toBe(words);
      expect(offered).not.toContain(report.range?.defaultWords);
      expect(offered.length > 0).toBe(report.range !== undefined);
    }
  });

  it('reach into the future for workshops alone', () => {
    expect(rangeChoices(workshops)).toEqual(
      expect.arrayContaining(['tomorrow', 'next-month', 'next-30-days']),
    );
    expect(rangeChoices(engagement).filter((words) => /next|tomorrow/.test(words))).toEqual([]);
  });
});

describe('a range that was asked for', () => {
  it.each([
    [undefined, { choice: 'usual', words: '' }],
    ['last-week', { choice: 'last-week', words: '' }],
    ['last-30-days', { choice: 'last-30-days', words: '' }],
    ['last-31-days', { choice: 'words', words: 'last-31-days' }],
    ['2026-03-05', { choice: 'dates', firstDay: '2026-03-05', lastDay: '2026-03-05', words: '' }],
    ['2026-03-01..2026-03-31', { choice: 'dates', firstDay: '2026-03-01', lastDay: '2026-03-31', words: '' }],
    ['2026-03..2026-05-01', { choice: 'words', words: '2026-03..2026-05-01' }],
    ['since:2026-Q1', { choice: 'words', words: 'since:2026-Q1' }],
  ])('%s is shown as it was meant, and stays what it is', (words, chosen) => {
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

  it('in words is read as a typed one', () => {
    expect(rangeFromChoice({ choice: 'words', words: ' Last 4w ' }, engagement)).toEqual(ok('last-4-weeks'));
    expect(rangeFromChoice({ choice: 'words', words: 'next week' }, workshops)).toEqual(ok('next-week'));
  });
});

describe('at the moment of running', () => {
  const now = Date.parse('2026-11-20T10:00:00Z');
  const asker = { id: 'U1', zone: 'Europe/Berlin', email: 'ada@example.com' };
  const problems = (request: ReportRequest, who: { id: string; zone: string; email?: string } = asker) => {
    const state = stateFromRequest(request);
    return runProblems(state, request, who, now, 'monday');
  };

  it('a range that begins in the future is refused where it was chosen', () => {
    expect(problems({ ...plainRequest('engagement'), range: '2026-11-21..2026-11-30' })).toEqual([
      { input: 'last-day', sentence: expect.stringContaining('future') },
    ]);
    expect(problems({ ...plainRequest('engagement'), range: '2027' })).toEqual([
      { input: 'range-words', sentence: expect.stringContaining('future') },
    ]);
    expect(problems({ ...plainRequest('workshops'), range: '2027' })).toEqual([]);
    expect(problems({ ...plainRequest('engagement'), range: '2026' })).toEqual([]);
  });

  it('me is refused where nobody knows the address', () => {
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
