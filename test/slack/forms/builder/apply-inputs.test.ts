import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reportNamed } from '../../../../src/catalogue/index.js';
import { refused } from '../../../../src/errors/failure.js';
import { parseCommand } from '../../../../src/requests/parse-command.js';
import { plainRequest, type ReportRequest } from '../../../../src/requests/request.js';
import { withPreset } from '../../../../src/slack/forms/columns.js';
import type { BuilderDraft } from '../../../../src/slack/forms/draft.js';
import { chipOf, withSuggestion } from '../../../../src/slack/forms/filters.js';
import type { InputValue } from '../../../../src/slack/forms/inputs.js';
import { requestIn as readRequest, withFormValues } from '../../../../src/slack/forms/read-draft.js';
import { anyCharacter } from '../../../any-character.js';
import { accepted } from '../../../results.js';
import { draftOf } from './rendered-builder.js';

const withValues: (draft: BuilderDraft, inputs: Record<string, InputValue>) => BuilderDraft = withFormValues;

function requestIn(draft: BuilderDraft): ReportRequest {
  return accepted(readRequest(draft));
}

const engagement = draftOf(plainRequest('engagement'));

describe('the values of the form', () => {
  it('set and reset choices', () => {
    const state = withValues(draftOf(plainRequest('completions')), {
      'range:completions': 'last-month',
      'on:completions': 'created_at',
      'sort:completions': 'email',
      'by:completions': 'departments',
      file: 'csv',
      where: 'me',
      'entries:user.departments': ['Sales', 'HR'],
      'yes-no:user.suspended': 'false',
    });
    expect(requestIn(state)).toEqual({
      ...plainRequest('completions'),
      range: 'last-month',
      dateField: 'created_at',
      sort: 'email',
      by: 'departments',
      filters: [
        { object: 'user_filter', member: 'departments', entries: ['Sales', 'HR'] },
        { object: 'user_filter', member: 'suspended', entries: ['false'] },
      ],
      file: 'csv' as const,
      toMe: true,
    });
    const reset = withValues(state, {
      'on:completions': 'none',
      'sort:completions': 'none',
      'by:completions': 'none',
      'range:completions': 'usual',
      'entries:user.departments': [],
      'yes-no:user.suspended': 'none',
      file: 'none',
      where: 'here',
    });
    expect(requestIn(reset)).toEqual(plainRequest('completions'));
  });

  it('leave hidden inputs unchanged', () => {
    const state = withValues(engagement, {
      'range:engagement': 'dates',
      'first-day': '2026-03-01',
      'range-words': 'x',
    });
    const elsewhere = withValues(withValues(state, { report: 'tracks' }), { 'columns:tracks': ['email'] });
    expect(elsewhere.values).toMatchObject({
      range: 'dates',
      'first-day': '2026-03-01',
      'range-words': 'x',
    });
    const back = withValues(elsewhere, { report: 'engagement' });
    expect(requestIn(withValues(back, { 'last-day': '2026-03-02' }))).toEqual({
      ...plainRequest('engagement'),
      range: '2026-03-01..2026-03-02',
    });
    expect(back.values['columns:tracks']).toEqual(['email']);
  });

  it('belong to the report whose inputs they come from', () => {
    const state = withValues(engagement, {
      report: 'tracks',
      'columns:engagement': ['views'],
      'range:engagement': 'today',
    });
    expect(state.values.report).toBe('tracks');
    expect(state.values['columns:engagement']).toEqual(['views']);
    expect(requestIn(state)).toEqual({ ...plainRequest('tracks'), range: 'today' });
  });

  it('give the same request for overdue assignments as the typed command', () => {
    const overdue = withValues(engagement, { report: 'overdue' });
    const filled = withValues(withValues(overdue, { 'range:overdue': 'last-year', assigned: '2025' }), {
      'yes-no:user.suspended': 'any',
    });
    const typed = accepted(parseCommand('overdue last-year assigned:2025 suspended:any', { savedNames: [] }));
    expect(typed).toEqual({ kind: 'run', request: requestIn(filled) });
    expect(draftOf(requestIn(filled)).values).toMatchObject({ report: 'overdue' });
    // Of another date than the due date, there is one range.
    expect(requestIn(withValues(filled, { 'on:assignments': 'created_at' }))).toMatchObject({
      range: 'last-year',
      assigned: undefined,
    });
    // For other reports, “any” is the default.
    expect(requestIn(withValues(filled, { report: 'assignments' }))).toEqual({
      ...plainRequest('assignments'),
      range: 'last-year',
    });
  });

  it('include suspended people in open assignments as the typed command does', () => {
    const open = withValues(draftOf(plainRequest('assignments')), {
      'states:assignments': ['not-started'],
    });
    const filled = withValues(open, { 'range:overdue': 'last-year', 'yes-no:user.suspended': 'any' });
    const typed = accepted(
      parseCommand('assignments only:not-started assigned:last-year suspended:any', { savedNames: [] }),
    );
    expect(typed).toEqual({ kind: 'run', request: requestIn(filled) });
    expect(requestIn(withValues(filled, { 'states:assignments': ['completed'] })).filters).toEqual([]);
  });

  it('can be future ranges only while the date field can be in the future', () => {
    const assignments = draftOf(plainRequest('assignments'));
    const byDue = withValues(assignments, { 'on:assignments': 'due_date' });
    const nextWeek = withValues(byDue, { 'range:assignments-ahead': 'next-week' });
    expect(requestIn(nextWeek)).toEqual({
      ...plainRequest('assignments'),
      dateField: 'due_date',
      range: 'next-week',
    });
    const { range } = requestIn(withValues(nextWeek, { 'on:assignments': 'assigned_date' }));
    expect(range).toBeUndefined();
    // The value of an input that is not shown is ignored.
    expect(requestIn(withValues(assignments, { 'range:assignments-ahead': 'next-week' }))).toEqual(
      plainRequest('assignments'),
    );
  });

  it('treat overdue assignments as a report', () => {
    const overdue = withValues(engagement, { report: 'overdue' });
    expect(requestIn(overdue)).toEqual({ ...plainRequest('assignments'), view: 'overdue' as const });
    expect(requestIn(withValues(overdue, { report: 'assignments' }))).toEqual(plainRequest('assignments'));
  });

  it('drop a range that the report does not have', () => {
    const ahead = withValues(draftOf(plainRequest('workshops')), {
      'range:workshops': 'next-month',
    });
    expect(requestIn(ahead).range).toBe('next-month');
    expect(requestIn(withValues(ahead, { report: 'engagement' })).range).toBeUndefined();
    expect(requestIn(withValues(ahead, { report: 'assessments' })).range).toBeUndefined();
  });

  it('are ignored if no input of the form can have them', () => {
    const state = withValues(engagement, {
      report: 'nothing',
      where: 'there',
      'by:engagement': 'nothing',
      'sort:engagement': 'email',
      'on:engagement': 'created_at',
      'columns:engagement': ['nothing', 'email'],
      'unknown:thing': 'x',
      unknown: 'x',
    });
    expect(requestIn(state)).toEqual({ ...plainRequest('engagement'), columns: ['email'] });
  });
});

describe('the columns', () => {
  const chosen = draftOf({
    ...plainRequest('engagement'),
    columns: ['views', 'email', 'departments'],
  });

  it('keep their typed order if nobody changes them', () => {
    expect(withValues(chosen, { 'columns:engagement': ['views', 'email', 'departments'] })).toEqual(chosen);
    // Slack may sort them like the options.
    const offered = reportNamed('engagement').fields.map(({ flag }) => flag);
    const sorted = [...(requestIn(chosen).columns ?? [])].sort(
      (a, b) => offered.indexOf(a) - offered.indexOf(b),
    );
    expect(withValues(chosen, { 'columns:engagement': sorted })).toEqual(chosen);
  });

  it('have the order in which they were picked', () => {
    const touched = withValues(chosen, { 'columns:engagement': ['email', 'departments', 'views', 'likes'] });
    expect(requestIn(touched).columns).toEqual(['email', 'departments', 'views', 'likes']);
  });

  it('are left out of the request if they are unchanged, empty or the Essentials preset', () => {
    const { essentials } = reportNamed('engagement');
    expect(requestIn(withValues(engagement, { 'columns:engagement': essentials })).columns).toBeUndefined();
    expect(requestIn(withValues(chosen, { 'columns:engagement': [] })).columns).toBeUndefined();
    expect(requestIn(withPreset(chosen, 'essentials')).columns).toBeUndefined();
    expect(requestIn(draftOf({ ...plainRequest('engagement'), columns: essentials })).columns).toEqual(
      essentials,
    );
  });

  it('from a preset stay when a form from before the preset arrives', () => {
    const everything = withPreset(chosen, 'everything');
    const late = withValues(everything, { 'columns:engagement': ['views'] });
    expect(requestIn(late).columns).toEqual(reportNamed('engagement').fields.map(({ flag }) => flag));
    expect(requestIn(withValues(late, { 'columns:engagement#1': ['views'] })).columns).toEqual(['views']);
  });
});

describe('the entries of a filter', () => {
  const anyText = fc
    .oneof(
      fc.string({ unit: anyCharacter, maxLength: 200 }),
      fc.string({
        unit: fc.constantFrom('a', '\n', '\t', '\u00a0', '\u200d', ':', 'mark:', 'rest:'),
        maxLength: 30,
      }),
    )
    .map((text) => text.replaceAll(',', '').trim())
    .filter((text) => text !== '');

  it('are the suggested ones, whatever they contain', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyText, { minLength: 1, maxLength: 6 }), (texts) => {
        const state = texts.reduce((before, text) => withSuggestion(before, 'user.teams', text), engagement);
        const chosen = withValues(state, { 'entries:user.teams': texts.map((text) => chipOf(text).value) });
        expect(requestIn(chosen).filters).toEqual([
          { object: 'user_filter', member: 'teams', entries: texts },
        ]);
      }),
    );
  });

  it('are the chosen ones and the lines of the list, without duplicates', () => {
    const listed = withValues(engagement, { 'lists:engagement': ['user.email'] });
    const state = withValues(listed, {
      'entries:user.email': ['me'],
      'list:user.email': ' a@example.com \r\n\nb@example.com\na@example.com\nme',
    });
    expect(requestIn(state).filters[0]?.entries).toEqual(['me', 'a@example.com', 'b@example.com']);
    expect(requestIn(withValues(state, { 'lists:engagement': [] })).filters[0]?.entries).toEqual(['me']);
    const again = withValues(withValues(state, { 'lists:engagement': [] }), {
      'lists:engagement': ['user.email'],
    });
    expect(requestIn(again).filters[0]?.entries).toHaveLength(3);
  });

  it('are refused under their input if they contain a comma', () => {
    const listed = withValues(engagement, {
      'lists:engagement': ['user.teams'],
      'list:user.teams': 'ok\na,b',
    });
    expect(readRequest(listed)).toEqual(
      refused([{ input: 'list:user.teams', sentence: expect.stringContaining('“a,b” contains a comma') }]),
    );
  });
});
