import { describe, expect, it } from 'vitest';
import { parseCommand } from '../../src/requests/parse-command.js';
import { applyToSaved, formatRequest } from '../../src/requests/parse-request.js';
import { refusalOf } from '../results.js';
import { requestOf } from './request-of.js';

const refused = (words: string) => refusalOf(parseCommand(words, { savedNames: [] }));

describe('a sign that means “not”', () => {
  it.each([
    ['engagement !departments:Sales', 'engagement departments:!Sales'],
    ['engagement -departments:Sales,HR csv', 'engagement departments:!Sales,HR csv'],
    ['engagement departments:≠Sales', 'engagement departments:!Sales'],
    ['engagement departments:！Sales,HR', 'engagement departments:!Sales,HR'],
    ['engagement departments:not Sales', 'engagement departments:!Sales'],
    ['engagement departments:not Field Operations csv', 'engagement departments:!"Field Operations" csv'],
    ['engagement departments:! Sales', 'engagement departments:!Sales'],
    ['engagement only:!active', 'engagement only:inactive'],
    ['tracks only:-completed', 'tracks only:not-completed'],
    // Nothing that is near means the same.
    ['engagement fields:!email', undefined],
    ['assessments only:!passed', undefined],
    ['engagement !only:active', undefined],
    ['engagement departments:HR,not Sales', undefined],
    ['engagement departments:! csv', undefined],
  ])('is left out of no correction: %s', (words, corrected) =>
    expect(refused(words).corrected).toBe(corrected),
  );

  it.each(['engagement departments:"≠Sales"', 'engagement departments:"！Sales"'])(
    'is a character of its entry in quotes: %s',
    (words) => expect(formatRequest(requestOf(words))).toBe(words),
  );
});

describe('signs that look like those of commands', () => {
  it.each([
    ['engagement departments：Sales', 'engagement departments:Sales', 'departments：Sales'],
    ['engagement departments:＂Field Operations＂', 'engagement departments:"Field Operations"', '＂Field'],
    ['engagement departments:«Field Operations» csv', 'engagement departments:"Field Operations" csv', '«'],
    ['engagement departments:‘Field Operations’,HR', 'engagement departments:"Field Operations",HR', '‘'],
    ["overdue departments:'Field Operations'", 'overdue departments:"Field Operations"', "'Field"],
    ['assessments score:＜６０', 'assessments score:<60', ''],
    ['assessments score:<６０', 'assessments score:<60', ''],
    ['assignments target:９５％＠2026-12-31', 'assignments target:95%@2026-12-31', '９５％＠2026-12-31'],
    ['save x: overdue；tracks', 'save x: overdue;tracks', 'overdue；tracks'],
    ['engagement 2026-03-01…2026-03-31', 'engagement 2026-03-01..2026-03-31', '…'],
    ['engagement since:2026‑03‑01 csv', 'engagement since:2026-03-01 csv', 'since:2026‑03‑01'],
  ])('are put right in the whole command: %s', (words, corrected, word) => {
    const problem = refused(words);
    expect(problem.corrected).toBe(corrected);
    expect(problem.word).toContain(word);
  });
});

describe('words on top of a saved report', () => {
  const onTop = (typed: string) => {
    const text = `Team pulse ${typed}`;
    return applyToSaved(requestOf('engagement csv'), { text, from: 10, until: text.length });
  };

  it.each([
    ['departments：HR', 'Team pulse departments:HR'],
    ['weekly mon 9', 'schedule Team pulse weekly mon 9'],
    [
      'last-month replace daily 9 Europe/Berlin',
      'schedule Team pulse last-month replace daily 9 Europe/Berlin',
    ],
    ['only:!active', 'Team pulse only:inactive'],
  ])('are put right in the same way: %s', (typed, corrected) =>
    expect(refusalOf(onTop(typed)).corrected).toBe(corrected),
  );
});

describe('a number', () => {
  it.each([
    ['assessments score:<.5', 'assessments score:<0.5'],
    ['assessments score:<1,5', 'assessments score:<1.5'],
    // Five thousand, or five.
    ['engagement views:>5,000', undefined],
  ])('is corrected only where its meaning is clear: %s', (words, corrected) =>
    expect(refused(words).corrected).toBe(corrected),
  );
});

describe('words apart', () => {
  it.each([
    ['engagement departments:Field Operations,HR', 'engagement departments:"Field Operations",HR'],
    [
      'engagement departments:Field Operations North last week',
      'engagement departments:"Field Operations North" last week',
    ],
    ['engagement fields:first name,email', 'engagement fields:first_name,email'],
    ['engagement by:job title csv', 'engagement by:job_title csv'],
    ['engagement 2026-03-01..2026-03-31. csv', 'engagement 2026-03-01..2026-03-31 csv'],
    ['“engagement last-week csv”', 'engagement last-week csv'],
    ['engagement over:12 weeks csv', 'engagement over:12w csv'],
    ['engagement over:last 6 months', 'engagement over:6m'],
    ['engagement against:last week', 'engagement against:last-year'],
    ['assignments days_overdu:>30', 'assignments days_overdue:>30'],
    ['engagement last-week weekly mon 9', 'schedule engagement last-week weekly mon 9'],
    ['overdue when overdue > 50 daily 9', 'schedule overdue when overdue > 50 daily 9'],
  ])('are corrected together: %s', (words, corrected) => expect(refused(words).corrected).toBe(corrected));

  it.each([
    ['engagement against:last year', 'engagement against:last-year'],
    ['assignments target:95 percent', 'assignments target:95%'],
  ])('are one value: %s', (words, canonical) => expect(formatRequest(requestOf(words))).toBe(canonical));
});
