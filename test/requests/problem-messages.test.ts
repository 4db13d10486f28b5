import { describe, expect, it } from 'vitest';
import { parseCommand } from '../../src/requests/parse-command.js';
import type { Problem } from '../../src/requests/problem.js';
import { problemMessageText } from '../../src/requests/problem-messages.js';
import { refusalOf } from '../results.js';

function parse(text: string) {
  return parseCommand(text, { savedNames: ['Weekly sales', 'Roundup'] });
}

function problemOf(text: string): Problem {
  return refusalOf(parse(text));
}

describe('near misses: the word is quoted, with the nearest valid word and a corrected command', () => {
  it.each([
    ['assignment', 'assignment', 'assignments', 'assignments'],
    ['engagment last-week csv', 'engagment', 'engagement', 'engagement last-week csv'],
    ['eng', 'eng', 'engagement', 'engagement'],
    ['user engagement csv', 'user engagement', 'engagement', 'engagement csv'],
    ['contentcompletion', 'contentcompletion', 'content-completion', 'content-completion'],
    ['*engagement*', '*engagement*', 'engagement', 'engagement'],
    ['@engagement', '@engagement', 'engagement', 'engagement'],
    ['halp', 'halp', 'help', 'help'],
    ['overdo', 'overdo', 'overdue', 'overdue'],
    ['weekly sals csv', 'weekly sals', 'Weekly sales', 'Weekly sales csv'],
    ['rundup', 'rundup', 'Roundup', 'Roundup'],
    ['help engagements', 'engagements', 'engagement', 'help engagement'],
    ['engagement lst-week', 'lst-week', 'last-week', 'engagement last-week'],
    ['engagement lastweek csv', 'lastweek', 'last-week', 'engagement last-week csv'],
    ['engagement last weak csv', 'last weak', 'last-week', 'engagement last-week csv'],
    ['engagement last 30 dys', 'last 30 dys', 'last-30-days', 'engagement last-30-days'],
    ['engagement last-30days', 'last-30days', 'last-30-days', 'engagement last-30-days'],
    ['engagement 2026-3-5', '2026-3-5', '2026-03-05', 'engagement 2026-03-05'],
    ['engagement 2026/03/05', '2026/03/05', '2026-03-05', 'engagement 2026-03-05'],
    ['workshops tommorow', 'tommorow', 'tomorrow', 'workshops tomorrow'],
    ['engagement cvs', 'cvs', 'csv', 'engagement csv'],
    [
      'assignments fields:user_metadata',
      'user_metadata',
      'assignee_metadata',
      'assignments fields:assignee_metadata',
    ],
    [
      'engagement fields:email,assignee_metadata csv',
      'assignee_metadata',
      'user_metadata',
      'engagement fields:email,user_metadata csv',
    ],
    [
      'assignments by:"learner metadata"',
      'learner metadata',
      'assignee_metadata',
      'assignments by:assignee_metadata',
    ],
    [
      'assessments fields:completed_date',
      'completed_date',
      'assessment_completed_date',
      'assessments fields:assessment_completed_date',
    ],
    ['tracks fields:user_departments', 'user_departments', 'departments', 'tracks fields:departments'],
    ['overdue assined:2025', 'assined:', 'assigned:', 'overdue assigned:2025'],
    ['overdue assigned:2026-02-30', 'assigned:2026-02-30', '2026-02-28', 'overdue 2026-02-28'],
    ['engagement department:Sales csv', 'department:', 'departments:', 'engagement departments:Sales csv'],
    ['engagement Field:email', 'Field:', 'fields:', 'engagement fields:email'],
    ['tracks track.department:a', 'track.department:', 'track.departments:', 'tracks track.departments:a'],
    ['engagement manager-email:me', 'manager-email:', 'manager_email:', 'engagement manager_email:me'],
    ['engagement fields:emial,views', 'emial', 'email', 'engagement fields:email,views'],
    [
      'engagement fields:views,"First name"',
      'First name',
      'first_name',
      'engagement fields:views,first_name',
    ],
    ['engagement by:department', 'department', 'departments', 'engagement by:departments'],
    ['assignments on:due', 'due', 'due_date', 'assignments on:due_date'],
    ['completions sort:update_date', 'update_date', 'updated_date', 'completions sort:updated_date'],
    ['engagement to:you', 'you', 'me', 'engagement to:me'],
    ['engagement suspended:ye', 'ye', 'yes', 'engagement suspended:yes'],
    ['engagement departments Sales', 'departments', 'departments:', 'engagement departments:Sales'],
    [
      'engagement departments=Sales csv',
      'departments=Sales',
      'departments:Sales',
      'engagement departments:Sales csv',
    ],
    ['engagement departments :Sales', 'departments', 'departments:', 'engagement departments:Sales'],
    ['schedule engagement dayly 9:00', 'dayly', 'daily', 'schedule engagement daily 9:00'],
    ['schedule engagment daily 9', 'engagment', 'engagement', 'schedule engagement daily 9'],
    ['save a: engagment csv', 'engagment', 'engagement', 'save a: engagement csv'],
    [
      'engagement departments:Field Operations csv',
      'Operations',
      '"Field Operations"',
      'engagement departments:"Field Operations" csv',
    ],
  ])('%s', (text, word, nearest, corrected) => {
    expect(problemOf(text)).toMatchObject({ word, nearest, corrected });
    expect(parse(corrected).ok).toBe(true);
  });
});

it('a weekday is no slip for “today”', () => {
  expect(problemOf('engagement monday')).toMatchObject({ kind: 'unknown-word', word: 'monday' });
  expect(problemOf('engagement monday').corrected).toBeUndefined();
});

describe('refused commands and the reasons', () => {
  it.each([
    ['xyzzy', { kind: 'unknown-report' }],
    [
      'last-week engagement csv',
      { kind: 'report-missing', word: 'last-week', corrected: 'engagement last-week csv' },
    ],
    ['departments:Sales tracks', { kind: 'report-missing', corrected: 'tracks departments:Sales' }],
    ['last week', { kind: 'report-missing', word: 'last week' }],
    ['engagement xyzzy', { kind: 'unknown-word', word: 'xyzzy' }],
    ['engagement xyzzy:1', { kind: 'unknown-option', word: 'xyzzy:' }],
    ['engagement :Sales', { kind: 'unknown-option', word: ':Sales' }],
    ['engagement https://example.com', { kind: 'unknown-option', word: 'https:' }],
    ['engagement departments', { kind: 'colon-missing', nearest: 'departments:' }],
    ['engagement fields:xyzzy', { kind: 'unknown-field', option: 'fields:', word: 'xyzzy' }],
    ['workshops by:email', { kind: 'unknown-field', option: 'by:', word: 'email' }],
    ['completions sort:user_metadata', { kind: 'unknown-choice', option: 'sort:' }],
    ['tracks on:hired_on', { kind: 'unknown-choice', option: 'on:' }],
    ['engagement suspended:maybe', { kind: 'unknown-choice', option: 'suspended:', choices: ['yes', 'no'] }],
    [
      'engagement on:due_date',
      {
        kind: 'not-for-report',
        word: 'on:',
        reports: ['assignments', 'tracks', 'completions'],
        corrected: 'engagement',
      },
    ],
    ['tracks sort:email csv', { kind: 'not-for-report', reports: ['completions'], corrected: 'tracks csv' }],
    ['workshops email:a@b.example', { kind: 'not-for-report', word: 'email:' }],
    ['engagement entity_id:1', { kind: 'not-for-report', reports: ['completions'] }],
    ['engagement departments:', { kind: 'value-missing', word: 'departments:' }],
    ['engagement departments: ,, ""', { kind: 'value-missing' }],
    ['engagement departments: fields:email', { kind: 'value-missing' }],
    ['engagement fields:', { kind: 'value-missing' }],
    ['engagement since:', { kind: 'value-missing' }],
    ['engagement suspended:yes,no', { kind: 'one-value', option: 'suspended:', word: 'no' }],
    ['engagement suspended:yes suspended:yes', { kind: 'one-value', option: 'suspended:' }],
    ['engagement by:email,role', { kind: 'one-value', option: 'by:' }],
    ['engagement by:email by:role', { kind: 'one-value', word: 'role' }],
    ['assignments on:due_date on:created_at', { kind: 'one-value', option: 'on:' }],
    ['completions sort:email sort:role', { kind: 'one-value', option: 'sort:' }],
    ['engagement since:2026,2027', { kind: 'one-value', option: 'since:' }],
    ['engagement departments:"Sales, EMEA"', { kind: 'comma-in-entry', word: 'Sales, EMEA' }],
    [
      'engagement departments:a, fields:email',
      {
        kind: 'option-after-comma',
        word: 'fields:email',
        corrected: 'engagement departments:a fields:email',
      },
    ],
    ['engagement departments:"Sales', { kind: 'quote-not-closed', word: '"Sales' }],
    ['engagement departments:“Sales"', { kind: 'quote-not-closed' }],
    ['engagement csv "', { kind: 'quote-not-closed', word: '"' }],
    [
      'engagement last-week this-week',
      { kind: 'two-ranges', other: 'last-week', word: 'this-week', corrected: 'engagement last-week' },
    ],
    ['engagement since:2026 2026', { kind: 'two-ranges' }],
    ['engagement next-week', { kind: 'range', reason: 'future' }],
    ['engagement tomorrow', { kind: 'range', reason: 'future' }],
    ['assessments last-week csv', { kind: 'range', reason: 'no-range', corrected: 'assessments csv' }],
    ['assessments since:2026', { kind: 'range', reason: 'no-range', corrected: 'assessments' }],
    ['engagement 2026-02-30', { kind: 'range', reason: 'no-such-date', nearest: '2026-02-28' }],
    ['engagement 2026-13', { kind: 'range', reason: 'no-such-date' }],
    [
      'engagement since:2026-02-30',
      { kind: 'range', reason: 'no-such-date', corrected: 'engagement since:2026-02-28' },
    ],
    ['assessments since:2026-03-01', { kind: 'range', reason: 'no-range', word: 'since:2026-03-01' }],
    ['assessments 2026 Q1', { kind: 'range', reason: 'no-range', word: '2026 Q1' }],
    ['overdue assigned:2025 assigned:2024', { kind: 'two-ranges', other: '2025', word: 'assigned:2024' }],
    ['overdue 2025 2024', { kind: 'two-ranges', other: '2025', word: '2024' }],
    ['assignments 2025 only:overdue assigned:2024', { kind: 'two-ranges', other: '2025' }],
    ['overdue 2025 on:assigned_date assigned:2024', { kind: 'two-dates', word: 'on:assigned_date' }],
    ['assignments only:overdue assigned:2025 on:due_date', { kind: 'two-dates', word: 'on:due_date' }],
    ['overdue assigned:next-week', { kind: 'range', reason: 'future', word: 'assigned:next-week' }],
    [
      'assignments only:completed assigned:last 30 days rows',
      {
        kind: 'only-for-open',
        word: 'assigned:last 30 days',
        corrected: 'assignments only:completed last 30 days rows',
      },
    ],
    ['assignments only:late suspended:any', { kind: 'unknown-choice', choices: ['yes', 'no'] }],
    [
      'assignments assigned:2025 csv',
      { kind: 'only-for-open', word: 'assigned:2025', corrected: 'assignments 2025 csv' },
    ],
    ['assessments assigned:2025', { kind: 'only-for-open', corrected: 'assessments' }],
    [
      'overdue assigned:2025 on:due_date csv',
      { kind: 'two-dates', word: 'on:due_date', corrected: 'overdue assigned:2025 csv' },
    ],
    ['overdue assigned:2025,2024', { kind: 'one-value', option: 'assigned:' }],
    ['overdue assigned:whenever', { kind: 'range', reason: 'not-a-range', word: 'assigned:whenever' }],
    [
      'overdue next week rows',
      {
        kind: 'range',
        reason: 'future',
        word: 'next week',
        nearest: 'due next-week',
        corrected: 'due next week rows',
      },
    ],
    [
      'overdue next-week on:due_date',
      { kind: 'range', reason: 'future', corrected: 'due next-week on:due_date' },
    ],
    ['assignments next-week', { kind: 'range', reason: 'future' }],
    ['assignments next-week on:assigned_date', { kind: 'range', reason: 'future' }],
    ['tracks next-week', { kind: 'range', reason: 'future' }],
    ['assignments suspended:any', { kind: 'unknown-choice', choices: ['yes', 'no'] }],
    ['overdue suspended:maybe', { kind: 'unknown-choice', choices: ['yes', 'no', 'any'] }],

    ['engagement since:whenever', { kind: 'range', reason: 'not-a-range' }],
    ['engagement last-0-days', { kind: 'range', reason: 'count', nearest: 'yesterday' }],
    [
      'engagement 2026-03-31..2026-03-01 csv',
      { kind: 'range', reason: 'backwards', corrected: 'engagement 2026-03-01..2026-03-31 csv' },
    ],
    ['engagement 1969', { kind: 'range', reason: 'before-1970' }],
    ['engagement skip-empty', { kind: 'only-when-scheduled', corrected: 'engagement' }],
    ['engagement replace', { kind: 'only-when-scheduled', corrected: 'engagement' }],
    ['engagement keep:7d', { kind: 'only-when-scheduled', corrected: 'engagement' }],
    ['list everything', { kind: 'words-too-many', after: 'list', corrected: 'list' }],
    ['help engagement csv', { kind: 'words-too-many', after: 'help engagement' }],
    ['save', { kind: 'save-form' }],
    ['save Weekly engagement', { kind: 'save-form' }],
    ['save x:', { kind: 'save-form' }],
    ['save : engagement', { kind: 'save-form' }],
    ['save engagement weekly: engagement', { kind: 'saved-name', reason: 'begins-with-report' }],
    ['audit everything', { kind: 'audit-form', word: 'everything' }],
    ['audit @ada #learning', { kind: 'audit-form', word: '#learning' }],
    ['audit tracks engagement', { kind: 'audit-form', word: 'engagement' }],
    ['audit departments:Sales', { kind: 'audit-form', word: 'departments:Sales' }],
    ['audit today yesterday', { kind: 'two-ranges', word: 'yesterday' }],
    ['audit 2026-02-30', { kind: 'range', reason: 'no-such-date', word: '2026-02-30' }],
    ['workshops next-quarter', { kind: 'unknown-word', corrected: undefined }],
    ['engagement next-14-dys', { kind: 'unknown-word', corrected: undefined }],
    [
      'engagement last day',
      { kind: 'unknown-word', nearest: 'yesterday', corrected: 'engagement yesterday' },
    ],
    [
      'assignments track:x',
      { kind: 'not-for-report', nearest: 'content:', corrected: 'assignments content:x' },
    ],
    ['assignments days_overdue:>1e5', { kind: 'condition', reason: 'not-a-number', corrected: undefined }],
    ['schedule engagement daily 25:00', { kind: 'cadence', reason: 'not-a-time', otherWords: undefined }],
    ['schedule engagement cron "* * * * *"', { kind: 'cadence', otherWords: undefined }],
    [
      'schedule engagement last-week daily 9 evidence',
      { reason: 'options-after', corrected: 'schedule engagement last-week evidence daily 9' },
    ],
    [
      'schedule overdue when overdue > 50 skip-empty daily 9',
      { reason: 'skip-empty', corrected: 'schedule overdue when overdue > 50 daily 9' },
    ],
    ['schedule', { kind: 'schedule-form' }],
    ['schedule engagement last-week', { kind: 'cadence-missing' }],
    ['schedule Roundup csv', { kind: 'cadence-missing' }],
  ])('%s', (text, problem) => {
    const found = problemOf(text);
    expect(found).toMatchObject(problem);
    const said = problemMessageText(found);
    expect(said).toMatch(/[.?…"]$/);
    expect(said).not.toMatch(/undefined|!/);
  });
});

describe('all that is wrong with a command', () => {
  it.each([
    [
      'enagement lst-week csvv',
      'engagement last-week csv',
      "I don't understand “enagement”, “lst-week” and “csvv”. Did you mean this?",
    ],
    [
      'engagement over:4w by:departments rows',
      'engagement over:4w',
      'An answer over time has one line for each unit and no breakdown. Leave out “by:departments”. Check “rows” too.',
    ],
    [
      'engagment over:4w rows',
      'engagement over:4w',
      'An answer over time has one line for each unit and no rows. Leave out “rows”. Check “engagment” too.',
    ],
    [
      'overdue csv xlsx only:late over:4w',
      'assignments csv only:late',
      'An answer has one file, and you typed csv and “xlsx”. Keep one of them. Check “over:4w” and “only:late” too.',
    ],
    ['show me the engagement report for last week please', 'engagement last week', /Did you mean this\?$/],
    ['engagement last week by department in excel', 'engagement last week by:departments xlsx', /“excel”/],
    [
      'assignments only:not completed by:department',
      'assignments only:not-completed by:departments',
      /“not c/,
    ],
    [
      'assignments only:done',
      'assignments only:completed',
      /takes overdue, .* or late\. Did you mean “completed”/,
    ],
    ['tracks stalled csvv', 'tracks only:stalled csv', /“stalled” and “csvv”/],
    ['assignments due next-week rows', 'due next-week rows', /“due” here/],
    ['tracks content:GDPR lst-week', 'tracks track:GDPR last-week', /“content:” and “lst-week”/],
    ['assignments title:"GDPR basics"', 'assignments content:"GDPR basics"', /no option “title:”/],
    ['assignments content:GDPR basics', 'assignments content:"GDPR basics"', /quotes: content:"GDPR basics"/],
    [
      'engagement csv xlsx',
      'engagement csv',
      'An answer has one file, and you typed csv and “xlsx”. Keep one of them.',
    ],
    ['due on:assigned_date', 'due on:due_date', /“assigned_date”/],
    ['overdue next week rowss', 'due next week rows', /“next week” and “rowss”/],
    [
      'overdue next-week',
      'due next-week',
      'Nothing in “next-week” is overdue yet. Did you mean “due next-week”?',
    ],
    ['tracks assigned:2025', 'tracks 2025', /for overdue, due and open assignments/],
    ['completions only:completed csv', 'completions csv', /“only:” is for assignments/],
    ['engagement row', 'engagement rows', /“rows”/],
    ['engagement departments:Sales and HR', 'engagement departments:Sales,HR', /does not need “and”/],
    ['tracks only:stalled or completed', 'tracks only:stalled,completed', /does not need “or”/],
    ['overdue tome', 'overdue to:me', /“to:me”/],
    ['overdue t:me', 'overdue to:me', /no option “t:”/],
    ['engagement y:departments', 'engagement by:departments', /no option “y:”/],
    ['assignments n:due_date onlyoverdue', 'assignments on:due_date only:overdue', /“onlyoverdue”/],
    ['asignments bydepartments', 'assignments by:departments', /“bydepartments”/],
    ['due content"GDPR basics" rows', 'due content:"GDPR basics" rows', /“content:"GDPR basics"”/],
    ['due content:GDPR basics" rows', 'due content:"GDPR basics" rows', /never closed|“basics/],
    [
      'save Weekly engagement last-week by:teams',
      'save Weekly: engagement last-week by:teams',
      /^After save/,
    ],
    ['last-week enagement', 'engagement last-week', /“last-week” came first/],
    ['schedule engagement dayly 9 rows', 'schedule engagement rows daily 9', /“dayly” and “rows”/],
    ['schedule overdu weekly mon 9', 'schedule overdue weekly mon 9', /“overdue”/],
    ['save Weekly engagment last-week', 'save Weekly: engagement last-week', /^After save comes a name/],
    [
      'engagement departments:"Field Operations csv',
      'engagement departments:"Field Operations" csv',
      /never closed/,
    ],
    [
      'overdue departments:Sales department:HR rowss',
      'overdue departments:Sales departments:HR rows',
      /“rowss”/,
    ],
  ])('%s', (text, corrected, message) => {
    const problem = problemOf(text);
    expect(problem).toMatchObject({ corrected, understood: corrected });
    expect(problemMessageText(problem)).toEqual(
      message instanceof RegExp ? expect.stringMatching(message) : message,
    );
    expect(parse(corrected).ok).toBe(true);
  });

  it.each([
    [
      'enagement lst-week xyzzy csv',
      'engagement last-week csv',
      /^I don't understand “xyzzy” .* Check “enagement” and “lst-week” too\.$/,
    ],
    [
      'engagement only:overdue csvv',
      'engagement csv',
      /no state “overdue” in engagement: only: takes active or inactive\. Check “csvv”/,
    ],
    ['engagement fields:emial,xyzzy csv', 'engagement fields:email csv', /“xyzzy” is no field/],
    ['engagement next-week csv', 'engagement csv', /begins in the future/],
    ['due assigned:next-week rows', 'due rows', /“assigned:next-week”/],
    ['xyzzy last-week departments:Sales', 'assignments last-week departments:Sales', /^I don't know “xyzzy”/],
    [
      'schedule enagement lst-week',
      'schedule engagement last-week',
      /^How often\? .* Check “enagement” and “lst-week” too/,
    ],
    ['schedule engagement csvv weekly mon', 'schedule engagement csv', /“weekly mon”\. Add the time/],
    ['engagement departments:"Sales, EMEA",HR to:you', 'engagement departments:HR to:me', /comma/],
  ])(
    'has no correction where a word has none, and fills the form with the rest: %s',
    (text, understood, message) => {
      const problem = problemOf(text);
      expect(problem).toMatchObject({ corrected: undefined, understood });
      expect(problemMessageText(problem)).toMatch(message);
    },
  );
});

describe('the word that is quoted', () => {
  it('is shortened', () => {
    const { word } = problemOf(`engagement ${'x'.repeat(39_000)}`);
    expect([...word]).toHaveLength(80);
    expect(word.endsWith('…')).toBe(true);
  });

  it.each([
    ['text that turns the direction around', 'engage\u202ement', 'engage\ufffdment'],
    ['control characters', 'a\u0000b\u001b[31m', 'a\ufffdb\ufffd[31m'],
    ['invisible ones', 'engage\u200bment', 'engage\ufffdment'],
    ['half a character', 'a\ud83d', 'a\ufffd'],
    ['a whole one', 'a😀', 'a😀'],
  ])('cannot change the text around it: %s', (_case, typed, word) => {
    expect(problemOf(typed).word).toBe(word);
  });
});

describe('very long texts', () => {
  it.each([
    ['one word', 'x'.repeat(40_000)],
    ['commas', `engagement departments:${','.repeat(39_000)}`],
    ['colons', `engagement ${':'.repeat(39_000)}`],
    ['quotes', `engagement departments:${'"'.repeat(39_001)}`],
    ['open quotes', `engagement ${'a:“ '.repeat(9000)}`],
    ['words', `engagement ${'last '.repeat(7000)}`],
    ['numbers', `engagement 2026 ${'03 '.repeat(12_000)}`],
    ['dots', `engagement ${'..'.repeat(19_000)}`],
    ['brackets', '<'.repeat(40_000)],
    ['option after option', `engagement ${'fields:nothing '.repeat(2600)}`],
  ])('are not understood: %s', (_case, text) => {
    expect(problemOf(text).word.length).toBeLessThan(200);
  });

  it('are understood if they are valid', () => {
    const entries = Array.from({ length: 5000 }, (_, index) => `d${index}`);
    const command = parseCommand(`engagement departments:${entries.join(' , ')} csv`, { savedNames: [] });
    expect(command).toMatchObject({
      ok: true,
      value: { kind: 'run', request: { file: 'csv' as const, filters: [{ entries }] } },
    });
  });
});
