import { describe, expect, it } from 'vitest';
import { allReports } from '../../src/catalogue/index.js';
import { parseCadence } from '../../src/requests/parse-cadence.js';
import { type Command, parseCommand } from '../../src/requests/parse-command.js';
import { applyToSaved } from '../../src/requests/parse-request.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';
import { accepted, refusalOf } from '../results.js';

const savedNames = ['Weekly', 'Weekly sales', 'Überblick', 'daily team', 'csv'];

function parse(text: string): Command {
  return accepted(parseCommand(text, { savedNames }));
}

function run(text: string): ReportRequest | string {
  const command = parse(text);
  return command.kind === 'run' ? command.request : JSON.stringify(command);
}

describe('the first word', () => {
  it.each([
    ['', { kind: 'builder' }],
    ['  \u00a0 ', { kind: 'builder' }],
    ['/report', { kind: 'builder' }],
    ['help', { kind: 'help' }],
    ['HELP', { kind: 'help' }],
    ['help engagement', { kind: 'help', report: 'engagement' }],
    ['help Content-Completion', { kind: 'help', report: 'completions' }],
    ['list', { kind: 'list' }],
    ['Access', { kind: 'access' }],
    ['audit', { kind: 'audit', audit: {} }],
    ['audit @ada', { kind: 'audit', audit: { about: { kind: 'person', typed: 'ada' } } }],
    [
      'audit @Ada Lovelace last week',
      { kind: 'audit', audit: { about: { kind: 'person', typed: 'Ada Lovelace' }, range: 'last-week' } },
    ],
    [
      'AUDIT last-week @U024BE7LH',
      { kind: 'audit', audit: { about: { kind: 'person', typed: 'U024BE7LH' }, range: 'last-week' } },
    ],
    [
      'audit ada@example.com since:2026-11',
      {
        kind: 'audit',
        audit: { about: { kind: 'person', typed: 'ada@example.com' }, range: 'since:2026-11' },
      },
    ],
    [
      'audit #learning 2026-10',
      { kind: 'audit', audit: { about: { kind: 'channel', typed: 'learning' }, range: '2026-10' } },
    ],
    ['audit C024BE91L', { kind: 'audit', audit: { about: { kind: 'channel', typed: 'C024BE91L' } } }],
    ['audit track-status', { kind: 'audit', audit: { about: { kind: 'report', report: 'tracks' } } }],
    ['audit today', { kind: 'audit', audit: { range: 'today' } }],
    ['help due', { kind: 'help', report: 'assignments', view: 'due' }],
    ['engagement', { kind: 'run', request: plainRequest('engagement') }],
    ['/report engagement', { kind: 'run', request: plainRequest('engagement') }],
    ['overdue', { kind: 'run', request: { ...plainRequest('assignments'), view: 'overdue' as const } }],
  ])('%j', (text, command) => expect(parse(text)).toEqual(command));

  it.each(allReports)(
    'names $name by its short name and the service’s own, in any case',
    ({ name, operation }) => {
      for (const typed of [name, name.toUpperCase(), operation, operation.toUpperCase(), `  ${name}\t`]) {
        expect(run(typed)).toEqual(plainRequest(name));
      }
    },
  );
});

describe('a range', () => {
  it.each([
    ['engagement last-week', 'last-week'],
    ['engagement last week', 'last-week'],
    ['engagement Last  Week csv', 'last-week'],
    ['engagement last\u2009week', 'last-week'],
    ['engagement last-30d', 'last-30-days'],
    ['engagement last 30 days', 'last-30-days'],
    ['engagement last 30d csv', 'last-30-days'],
    ['engagement csv last 30 days', 'last-30-days'],
    ['engagement departments:Sales last week', 'last-week'],
    ['engagement departments:Sales, HR this year csv', 'this-year'],
    ['engagement 2026 03 05', '2026-03-05'],
    ['engagement 2026 Q1', '2026-Q1'],
    ['engagement 2026', '2026'],
    ['engagement 2026-03-01..2026-03-31', '2026-03-01..2026-03-31'],
    ['engagement 2026-03-01 .. 2026-03-31', '2026-03-01..2026-03-31'],
    ['engagement 2026 03 01 .. 2026 03 31 csv', '2026-03-01..2026-03-31'],
    ['engagement since:2026-03-01', 'since:2026-03-01'],
    ['engagement SINCE: 2026-q1', 'since:2026-Q1'],
    ['engagement last-1-week', 'last-week'],
    ['engagement last-week last-week', 'last-week'],
    ['engagement last-week last 1 week', 'last-week'],
    ['workshops next week', 'next-week'],
    ['workshops next 2 days', 'next-2-days'],
    ['workshops tomorrow', 'tomorrow'],
    ['overdue last-year', 'last-year'],
    ['overdue last-year assigned:2025', 'last-year'],
    ['assignments only:overdue assigned:2025', '2025'],
    ['assignments Assigned: last 30 days only:completed,not-started csv', 'last-30-days'],
    ['assignments assigned:2025 only:in-progress 2025', '2025'],
    ['engagement since: 2026 03 csv', 'since:2026-03'],
    ['assignments next-week on:due_date', 'next-week'],
    ['assignments on:due_date tomorrow', 'tomorrow'],
  ])('%s', (text, range) => expect(run(text)).toMatchObject({ range }));

  it('is missing if none was typed', () => {
    expect(run('engagement csv')).toMatchObject({ range: undefined });
  });
});

describe('a filter', () => {
  const departments = (...entries: string[]) => [{ object: 'user_filter', member: 'departments', entries }];
  it.each([
    ['departments:Sales,"Field Operations"', departments('Sales', 'Field Operations')],
    ['Departments:sales', departments('sales')],
    ['departments:“Field Operations”', departments('Field Operations')],
    ['departments:„Field Operations“', departments('Field Operations')],
    ['departments:”Field Operations”', departments('Field Operations')],
    ['departments:‟Field Operations”', departments('Field Operations')],
    ['departments: Sales', departments('Sales')],
    ['departments:\u00a0Sales\u2003,\n"Field Operations"', departments('Sales', 'Field Operations')],
    ['departments:Sales , HR ,Ops', departments('Sales', 'HR', 'Ops')],
    ['departments:,Sales,,HR,', departments('Sales', 'HR')],
    ['departments:Sales,""," "', departments('Sales')],
    ['departments:"  Sales  "', departments('Sales')],
    ['departments:Sales departments:HR,Sales', departments('Sales', 'HR')],
    ['user.departments:HR departments:Sales', departments('HR', 'Sales')],
    ['departments:a\\b,c\\"d e"', departments('a\\b', 'c\\d e')],
    ['departments:"a\\"', departments('a\\')],
    ['departments:R&D', departments('R&D')],
    ['departments:a:b', departments('a:b')],
    ['departments:"fields:email"', departments('fields:email')],
    ['departments:Field" Ops"', departments('Field Ops')],
    ['departments:csv', departments('csv')],
    ['departments:last-week', departments('last-week')],
    ['departments:Sales, csv', departments('Sales', 'csv')],
  ])('%s', (text, filters) => {
    expect(run(`engagement ${text}`)).toEqual({ ...plainRequest('engagement'), filters });
  });

  it.each([
    ['yes', 'true'],
    ['NO', 'false'],
    ['True', 'true'],
    ['false', 'false'],
  ])('that is true or false takes %s', (typed, entry) => {
    expect(run(`engagement suspended:${typed}`)).toMatchObject({
      filters: [{ object: 'user_filter', member: 'suspended', entries: [entry] }],
    });
  });

  it.each([
    ['yes', 'true'],
    ['no', 'false'],
    ['Any', 'any'],
  ])('overdue suspended:%s', (typed, entry) => {
    expect(run(`overdue suspended:${typed}`)).toMatchObject({
      view: 'overdue' as const,
      filters: [{ object: 'user_filter', member: 'suspended', entries: [entry] }],
    });
  });

  it.each([
    ['due suspended:any', { view: 'due', filters: [{ entries: ['any'] }] }],
    ['due', { report: 'assignments', view: 'due', range: undefined, assigned: undefined }],
    ['due next-week', { view: 'due', range: 'next-week' }],
    ['due this month assigned:2025', { view: 'due', range: 'this-month', assigned: '2025' }],
    ['due assigned: last 30 days next 14 days', { range: 'next-14-days', assigned: 'last-30-days' }],
    ['due assigned:2025 assigned:2025', { assigned: '2025' }],
    ['due on:due_date', { view: 'due', dateField: undefined }],
    ['overdue on:due_date', { view: 'overdue', dateField: 'due_date' }],
    ['overdue 2025 assigned:2025', { range: '2025', assigned: '2025', dateField: undefined }],
    ['overdue assigned:2025', { view: 'overdue', range: undefined, assigned: '2025' }],
    ['OVERDUE Assigned: last 30 days csv', { range: undefined, assigned: 'last-30-days' }],
    ['overdue assigned:"last 30 days"', { assigned: 'last-30-days' }],
    ['overdue assigned:since:2024', { assigned: 'since:2024' }],
    ['overdue assigned:2025 on:assigned_date', { assigned: '2025', dateField: undefined }],
    ['assignments suspended:any only:due-soon', { filters: [{ entries: ['any'] }] }],
    ['assignments only:completed,overdue user.suspended:ANY', { filters: [{ entries: ['any'] }] }],
  ])('%s', (text, expected) => expect(run(text)).toMatchObject(expected));

  it('keeps me as it is: it is the asker of each run', () => {
    expect(run('engagement manager_email:me email:me,ada@example.com')).toMatchObject({
      filters: [
        { member: 'manager_email', entries: ['me'] },
        { member: 'email', entries: ['me', 'ada@example.com'] },
      ],
    });
  });

  it.each([
    ['tracks departments:a', 'user_filter'],
    ['tracks user.departments:a', 'user_filter'],
    ['tracks track.departments:a', 'track_filter'],
    ['assessments assessment.departments:a', 'assessment_filter'],
    ['workshops departments:a', 'workshop_filter'],
    ['workshops workshop.departments:a', 'workshop_filter'],
    ['assignments content_id:a', 'assignment_filter'],
    ['assignments assignment.content_id:a', 'assignment_filter'],
    ['completions entity_id:a', 'entity_filter'],
    ['completions ENTITY.entity_id:a', 'entity_filter'],
    ['tracks categories:a', 'track_filter'],
  ])('%s goes into %s', (text, object) => expect(run(text)).toMatchObject({ filters: [{ object }] }));

  it('can be any member of any filter object of any report, by its name in full', () => {
    for (const report of allReports) {
      for (const object of report.filters) {
        for (const member of object.members) {
          const entry = member.kind === 'yes-no' ? 'true' : 'x';
          expect(run(`${report.name} ${object.prefix}.${member.name}:${entry}`)).toEqual({
            ...plainRequest(report.name),
            filters: [{ object: object.name, member: member.name, entries: [entry] }],
          });
        }
      }
    }
  });

  it('comes out in the order of the catalogue, whatever the order it was typed in', () => {
    expect(run('tracks track.teams:a role:b departments:c')).toMatchObject({
      filters: [{ member: 'departments' }, { member: 'role' }, { object: 'track_filter', member: 'teams' }],
    });
  });
});

describe('the other options', () => {
  it.each([
    ['engagement fields:email,views', { columns: ['email', 'views'] }],
    ['engagement fields: Views , EMAIL,views', { columns: ['views', 'email'] }],
    ['engagement fields:email fields:views', { columns: ['email', 'views'] }],
    ['assignments on:due_date', { dateField: 'due_date' }],
    ['assignments on:Created_At on:created_at', { dateField: 'created_at' }],
    ['completions sort:updated_date', { sort: 'updated_date' }],
    ['engagement by:departments', { by: 'departments' }],
    ['engagement BY:Email by:email', { by: 'email' }],
    ['engagement CSV csv', { file: 'csv' as const }],
    ['engagement XLSX xlsx', { file: 'xlsx' }],
    ['engagement Rows rows csv', { showRows: true, file: 'csv' }],
    ['assignments only:late', { states: ['late'] }],
    ['assignments only:Completed,overdue only:OVERDUE', { states: ['overdue', 'completed'] }],
    ['tracks only:stalled track:GDPR', { states: ['stalled'], titles: [{ option: 'track', text: 'GDPR' }] }],
    [
      'completions track:Onboarding content:"GDPR basics",Fire content:"Fire" Content:“Lift, push”',
      {
        titles: [
          { option: 'content', text: 'GDPR basics' },
          { option: 'content', text: 'Fire' },
          { option: 'content', text: 'Lift, push' },
          { option: 'track', text: 'Onboarding' },
        ],
      },
    ],
    ['assessments assessment:"Основы 安全"', { titles: [{ option: 'assessment', text: 'Основы 安全' }] }],
    ['workshops workshop:a only:full,waitlist', { states: ['full', 'waitlist'] }],
    ['engagement to:me', { toMe: true }],
    ['engagement to: ME', { toMe: true }],
    [
      'engagement to:me csv last-week by:role',
      { toMe: true, file: 'csv' as const, range: 'last-week', by: 'role' },
    ],
  ])('%s', (text, expected) => expect(run(text)).toMatchObject(expected));

  it('take every field of every report as column and breakdown, and every date and order it has', () => {
    for (const report of allReports) {
      for (const { flag } of report.fields) {
        expect(run(`${report.name} fields:${flag} by:${flag}`)).toMatchObject({ columns: [flag], by: flag });
      }
      for (const { flag } of report.dateField?.choices ?? []) {
        expect(run(`${report.name} on:${flag}`)).toMatchObject({ dateField: flag });
      }
      for (const { name } of report.states) {
        expect(run(`${report.name} only:${name}`)).toMatchObject({ states: [name] });
      }
      for (const { option } of report.titleFilters) {
        expect(run(`${report.name} ${option}:x`)).toMatchObject({ titles: [{ option, text: 'x' }] });
      }
      for (const sort of report.sorts) expect(run(`${report.name} sort:${sort}`)).toMatchObject({ sort });
    }
  });
});

describe('a saved report', () => {
  it.each([
    ['weekly', 'Weekly', ''],
    ['Weekly last-month', 'Weekly', ' last-month'],
    ['WEEKLY Sales', 'Weekly sales', ''],
    ['weekly   sales last-month csv', 'Weekly sales', ' last-month csv'],
    ['überblick', 'Überblick', ''],
    ['u\u0308berblick csv', 'Überblick', ' csv'],
    ['csv', 'csv', ''],
  ])('%s', (text, name, rest) => {
    const command = parse(text);
    expect(command).toMatchObject({ kind: 'saved', name });
    expect(command.kind === 'saved' && text.slice(command.onTop.from, command.onTop.until)).toBe(rest);
  });

  const saved: ReportRequest = {
    ...plainRequest('engagement'),
    range: 'last-week',
    columns: ['email'],
    filters: [
      { object: 'user_filter', member: 'departments', entries: ['Sales'] },
      { object: 'user_filter', member: 'role', entries: ['learner'] },
    ],
  };
  const onTop = (text: string) => {
    const command = parse(text);
    if (command.kind !== 'saved') throw new Error(`${text} is no saved report`);
    return applyToSaved(saved, command.onTop);
  };

  it('has what was typed in place of the states, titles, file and range it was saved with', () => {
    const words = (text: string) => ({ text, from: 0, until: text.length });
    const due: ReportRequest = {
      ...plainRequest('assignments'),
      view: 'due',
      range: 'next-week',
      assigned: '2025',
      states: ['not-started'],
      titles: [{ option: 'content', text: 'Fire', id: 'c1' }],
      filters: [{ object: 'assignment_filter', member: 'assignment_id', entries: ['a1'] }],
      file: 'csv',
    };
    expect(accepted(applyToSaved(due, words(''))).request).toEqual(due);
    expect(
      accepted(applyToSaved(due, words('this-week xlsx only:in-progress content:GDPR rows'))).request,
    ).toEqual({
      ...due,
      range: 'this-week',
      states: ['in-progress'],
      titles: [{ option: 'content', text: 'GDPR' }],
      showRows: true,
      file: 'xlsx',
    });
    expect(accepted(applyToSaved(due, words('assigned:2026 content_id:c2'))).request).toEqual({
      ...due,
      assigned: '2026',
      titles: undefined,
      filters: [{ object: 'assignment_filter', member: 'content_id', entries: ['c2'] }, ...due.filters],
    });
    const byId: ReportRequest = {
      ...plainRequest('assignments'),
      filters: [{ object: 'assignment_filter', member: 'content_id', entries: ['c2'] }],
    };
    expect(accepted(applyToSaved(byId, words('content:GDPR'))).request).toEqual({
      ...plainRequest('assignments'),
      titles: [{ option: 'content', text: 'GDPR' }],
    });
  });

  it('uses the assigned date again if assigned: is added to another date', () => {
    const words = (text: string) => ({ text, from: 0, until: text.length });
    const overdue = {
      ...plainRequest('assignments'),
      view: 'overdue' as const,
      range: '2026',
      dateField: 'due_date',
    };
    expect(accepted(applyToSaved(overdue, words('2025')))).toMatchObject({
      request: { ...overdue, range: '2025' },
    });
    expect(accepted(applyToSaved(overdue, words('assigned:2025 suspended:any')))).toEqual({
      request: {
        ...plainRequest('assignments'),
        view: 'overdue' as const,
        range: '2026',
        assigned: '2025',
        filters: [{ object: 'user_filter', member: 'suspended', entries: ['any'] }],
      },
      skipEmpty: false,
    });
    const byCreation = accepted(
      applyToSaved({ ...overdue, dateField: 'created_at' }, words('assigned:2025')),
    );
    expect(byCreation.request).toEqual({ ...plainRequest('assignments'), view: 'overdue', assigned: '2025' });
    expect(accepted(applyToSaved(byCreation.request, words('2024 on:created_at'))).request).toEqual({
      ...plainRequest('assignments'),
      view: 'overdue',
      range: '2024',
      dateField: 'created_at',
    });
  });

  it('of open assignments takes assigned: and suspended:any, and loses the latter with its states', () => {
    const words = (text: string) => ({ text, from: 0, until: text.length });
    const open: ReportRequest = { ...plainRequest('assignments'), states: ['not-started'] };
    const { request } = accepted(applyToSaved(open, words('assigned:2025 suspended:any')));
    const any = { object: 'user_filter', member: 'suspended', entries: ['any'] };
    expect(request).toEqual({ ...open, range: '2025', filters: [any] });
    expect(accepted(applyToSaved(request, words('only:completed'))).request).toEqual({
      ...open,
      range: '2025',
      states: ['completed'],
    });
    expect(applyToSaved(open, words('only:completed suspended:any')).ok).toBe(false);
  });

  it('can have a future range if the saved report uses a date that can be in the future', () => {
    const text = 'next-week';
    const due = { ...plainRequest('assignments'), dateField: 'due_date' };
    expect(accepted(applyToSaved(due, { text, from: 0, until: text.length }))).toMatchObject({
      request: { range: text },
    });
    expect(
      refusalOf(applyToSaved(plainRequest('assignments'), { text, from: 0, until: text.length })),
    ).toMatchObject({
      kind: 'range',
      reason: 'future',
    });
  });

  it('is unchanged if no words are added', () => {
    expect(accepted(onTop('weekly'))).toEqual({ request: saved, skipEmpty: false });
  });

  it('takes the added range and filters, and keeps the others', () => {
    expect(
      accepted(onTop('weekly last-month departments:HR,IT teams:Blue csv to:me fields:views by:role')),
    ).toEqual({
      request: {
        ...saved,
        range: 'last-month',
        columns: ['views'],
        by: 'role',
        filters: [
          { object: 'user_filter', member: 'departments', entries: ['HR', 'IT'] },
          { object: 'user_filter', member: 'teams', entries: ['Blue'] },
          { object: 'user_filter', member: 'role', entries: ['learner'] },
        ],
        file: 'csv' as const,
        toMe: true,
      },
      skipEmpty: false,
    });
  });

  it('reports a problem in the added words, with a correction of the whole command', () => {
    expect(refusalOf(onTop('weekly sales department:HR'))).toMatchObject({
      kind: 'unknown-option',
      corrected: 'weekly sales departments:HR',
    });
  });
});

describe('save', () => {
  it.each([
    [
      'save Weekly views: engagement last-week csv',
      'Weekly views',
      { report: 'engagement', range: 'last-week', file: 'csv' as const },
    ],
    ['save  Late ones :overdue', 'Late ones', { report: 'assignments', view: 'overdue' as const }],
    ['SAVE a:tracks departments:Sales', 'a', { filters: [{ entries: ['Sales'] }] }],
  ])('%s', (text, name, request) => expect(parse(text)).toMatchObject({ kind: 'save', name, request }));
});

describe('schedule', () => {
  it.each([
    [
      'schedule engagement last-week weekly mon 09:00',
      'weekly mon 09:00',
      { report: 'engagement', range: 'last-week' },
    ],
    ['schedule engagement daily 17:00 Europe/Berlin', 'daily 17:00 Europe/Berlin', {}],
    [
      'schedule overdue manager_email:me to:me Weekdays 8:30',
      'Weekdays 8:30',
      { view: 'overdue' as const, toMe: true },
    ],
    ['schedule engagement csv cron "0 9 * * 1-5"', 'cron "0 9 * * 1-5"', { file: 'csv' as const }],
    ['schedule engagement hourly :15', 'hourly :15', {}],
    ['schedule engagement departments:daily hourly', 'hourly', { filters: [{ entries: ['daily'] }] }],
  ])('%s', (text, cadenceTyped, request) => {
    const cadence = accepted(parseCadence(cadenceTyped));
    expect(parse(text)).toMatchObject({
      kind: 'schedule',
      cadenceTyped,
      ...cadence,
      what: { request, skipEmpty: false },
    });
  });

  it('takes replace and keep among the options, for 1 to 365 days', () => {
    expect(parse('schedule engagement REPLACE keep:7D daily 9')).toMatchObject({
      what: { replace: true, keepDays: 7 },
    });
    expect(parse('schedule engagement keep:365d daily 9')).toMatchObject({ what: { keepDays: 365 } });
    expect(parseCommand('schedule engagement keep:7 daily 9', { savedNames: [] })).toMatchObject({
      refusal: { kind: 'keep-days', word: '7', corrected: 'schedule engagement keep:7d daily 9' },
    });
    for (const days of ['0d', '366d', '1.5d', '-1d', 'week', '2w']) {
      expect(parseCommand(`schedule engagement keep:${days} daily 9`, { savedNames: [] })).toMatchObject({
        refusal: { kind: 'keep-days', word: days },
      });
    }
    expect(parseCommand('schedule engagement keep:7d keep:8d daily 9', { savedNames: [] })).toMatchObject({
      refusal: { kind: 'one-value' },
    });
  });

  it('takes skip-empty among the options', () => {
    expect(parse('schedule engagement skip-empty last-week daily 9')).toMatchObject({
      what: { skipEmpty: true, request: { range: 'last-week' } },
    });
  });

  it('takes a saved report with words on top', () => {
    const text = 'schedule daily team last-month csv daily 9am';
    const command = parse(text);
    expect(command).toMatchObject({
      kind: 'schedule',
      cadence: { kind: 'daily', time: '09:00' },
      cadenceTyped: 'daily 9am',
      what: { name: 'daily team' },
    });
    if (command.kind !== 'schedule' || !('onTop' in command.what)) throw new Error('Expected words on top');
    const { onTop } = command.what;
    expect(accepted(applyToSaved(plainRequest('tracks'), onTop, true))).toMatchObject({
      request: { report: 'tracks', range: 'last-month', file: 'csv' as const },
    });
  });
});
