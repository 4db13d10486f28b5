import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reportNamed } from '../../../../src/catalogue/index.js';
import { refused } from '../../../../src/errors/result.js';
import { parseCommand } from '../../../../src/requests/parse-command.js';
import { plainRequest, type ReportRequest } from '../../../../src/requests/request.js';
import { withPreset } from '../../../../src/slack/modals/builder/columns.js';
import { chipOf, withSuggestion } from '../../../../src/slack/modals/builder/filters.js';
import {
  applyInputs,
  requestFromState,
  stateFromRequest,
} from '../../../../src/slack/modals/builder/read-state.js';
import type { BuilderState, InputValue } from '../../../../src/slack/modals/builder/state.js';
import { accepted } from '../../../results.js';

function filled(state: BuilderState, inputs: Record<string, InputValue>): BuilderState {
  return applyInputs(state, new Map(Object.entries(inputs)));
}

function requestIn(state: BuilderState): ReportRequest {
  return accepted(requestFromState(state));
}

const engagement = stateFromRequest(plainRequest('engagement'));

describe('filling in the builder', () => {
  it('takes what stands in its inputs', () => {
    const state = filled(stateFromRequest(plainRequest('completions')), {
      'range:completions': 'last-month',
      'on:completions': 'created_at',
      'sort:completions': 'email',
      'by:completions': 'departments',
      csv: 'yes',
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
      csv: true,
      toMe: true,
    });
    const taken = filled(state, {
      'on:completions': 'none',
      'sort:completions': 'none',
      'by:completions': 'none',
      'range:completions': 'usual',
      'entries:user.departments': [],
      'yes-no:user.suspended': 'none',
      csv: 'no',
      where: 'here',
    });
    expect(requestIn(taken)).toEqual(plainRequest('completions'));
  });

  it('changes nothing of what is not shown', () => {
    const state = filled(engagement, {
      'range:engagement': 'dates',
      'first-day': '2026-03-01',
      'range-words': 'x',
    });
    const elsewhere = filled(filled(state, { report: 'tracks' }), { 'columns:tracks': ['email'] });
    expect(elsewhere.range).toMatchObject({ choice: 'dates', firstDay: '2026-03-01', words: 'x' });
    const back = filled(elsewhere, { report: 'engagement' });
    expect(requestIn(filled(back, { 'last-day': '2026-03-02' }))).toEqual({
      ...plainRequest('engagement'),
      range: '2026-03-01..2026-03-02',
    });
    expect(back.ofReports.tracks?.columns).toEqual(['email']);
  });

  it('takes choices that came from the form of another report for that report', () => {
    const state = filled(engagement, {
      report: 'tracks',
      'columns:engagement': ['views'],
      'range:engagement': 'today',
    });
    expect(state.report).toBe('tracks');
    expect(state.ofReports.engagement?.columns).toEqual(['views']);
    expect(requestIn(state)).toEqual({ ...plainRequest('tracks'), range: 'today' });
  });

  it('makes the request of overdue assignments that words make', () => {
    const overdue = filled(engagement, { report: 'overdue' });
    const made = filled(filled(overdue, { 'range:overdue': 'last-year' }), {
      'yes-no:user.suspended': 'any',
    });
    const typed = accepted(parseCommand('overdue assigned:last-year suspended:any', { savedNames: [] }));
    expect(typed).toEqual({ kind: 'run', request: requestIn(made) });
    expect(stateFromRequest(requestIn(made))).toMatchObject({ report: 'assignments', overdueOnly: true });
    // Elsewhere “any” is the same as nothing chosen.
    expect(requestIn(filled(made, { report: 'assignments' }))).toEqual({
      ...plainRequest('assignments'),
      range: 'last-year',
    });
  });

  it('offers ranges ahead for a date that can lie ahead, and forgets them with it', () => {
    const assignments = stateFromRequest(plainRequest('assignments'));
    const byDue = filled(assignments, { 'on:assignments': 'due_date' });
    const nextWeek = filled(byDue, { 'range:assignments-ahead': 'next-week' });
    expect(requestIn(nextWeek)).toEqual({
      ...plainRequest('assignments'),
      dateField: 'due_date',
      range: 'next-week',
    });
    const { range } = requestIn(filled(nextWeek, { 'on:assignments': 'assigned_date' }));
    expect(range).toBeUndefined();
    // What stood in the input of another form is not taken.
    expect(requestIn(filled(assignments, { 'range:assignments-ahead': 'next-week' }))).toEqual(
      plainRequest('assignments'),
    );
  });

  it('knows the overdue assignments as a report of their own', () => {
    const overdue = filled(engagement, { report: 'overdue' });
    expect(requestIn(overdue)).toEqual({ ...plainRequest('assignments'), overdueOnly: true });
    expect(requestIn(filled(overdue, { report: 'assignments' }))).toEqual(plainRequest('assignments'));
  });

  it('uses no range that the report does not have', () => {
    const ahead = filled(stateFromRequest(plainRequest('workshops')), { 'range:workshops': 'next-month' });
    expect(requestIn(ahead).range).toBe('next-month');
    expect(requestIn(filled(ahead, { report: 'engagement' })).range).toBeUndefined();
    expect(requestIn(filled(ahead, { report: 'assessments' })).range).toBeUndefined();
  });

  it('passes over whatever no input of ours can hold', () => {
    const state = filled(engagement, {
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
  const chosen = stateFromRequest({
    ...plainRequest('engagement'),
    columns: ['views', 'email', 'departments'],
  });

  it('stay in the order they were typed in while they are not touched', () => {
    expect(filled(chosen, { 'columns:engagement': ['views', 'email', 'departments'] })).toEqual(chosen);
    // Should Slack give them in the order in which they are offered.
    const offered = reportNamed('engagement').fields.map(({ flag }) => flag);
    const sorted = [...(requestIn(chosen).columns ?? [])].sort(
      (a, b) => offered.indexOf(a) - offered.indexOf(b),
    );
    expect(filled(chosen, { 'columns:engagement': sorted })).toEqual(chosen);
  });

  it('take the order in which they were picked', () => {
    const touched = filled(chosen, { 'columns:engagement': ['email', 'departments', 'views', 'likes'] });
    expect(requestIn(touched).columns).toEqual(['email', 'departments', 'views', 'likes']);
  });

  it('are the Essentials, not said, where they were left alone, taken away or chosen by the preset', () => {
    const { essentials } = reportNamed('engagement');
    expect(requestIn(filled(engagement, { 'columns:engagement': essentials })).columns).toBeUndefined();
    expect(requestIn(filled(chosen, { 'columns:engagement': [] })).columns).toBeUndefined();
    expect(requestIn(withPreset(chosen, reportNamed('engagement'), 'essentials')).columns).toBeUndefined();
    expect(
      requestIn(stateFromRequest({ ...plainRequest('engagement'), columns: essentials })).columns,
    ).toEqual(essentials);
  });

  it('that a preset chose are not undone by a form that was drawn before it', () => {
    const everything = withPreset(chosen, reportNamed('engagement'), 'everything');
    const late = filled(everything, { 'columns:engagement': ['views'] });
    expect(requestIn(late).columns).toEqual(reportNamed('engagement').fields.map(({ flag }) => flag));
    expect(requestIn(filled(late, { 'columns:engagement#1': ['views'] })).columns).toEqual(['views']);
  });
});

describe('entries', () => {
  const anyText = fc
    .oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({
        unit: fc.constantFrom('a', '\n', '\t', '\u00a0', '\u200d', ':', 'mark:', 'rest:'),
        maxLength: 30,
      }),
    )
    .map((text) => text.replaceAll(',', '').trim())
    .filter((text) => text !== '');

  it('of any length and kind are those that were offered for what was typed', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyText, { minLength: 1, maxLength: 6 }), (texts) => {
        const state = texts.reduce((before, text) => withSuggestion(before, 'user.teams', text), engagement);
        const chosen = filled(state, { 'entries:user.teams': texts.map((text) => chipOf(text).value) });
        expect(requestIn(chosen).filters).toEqual([
          { object: 'user_filter', member: 'teams', entries: texts },
        ]);
      }),
    );
  });

  it('of a list are its lines, each once, besides those that were chosen', () => {
    const listed = filled(engagement, { 'lists:engagement': ['user.email'] });
    const state = filled(listed, {
      'entries:user.email': ['me'],
      'list:user.email': ' a@example.com \r\n\nb@example.com\na@example.com\nme',
    });
    expect(requestIn(state).filters[0]?.entries).toEqual(['me', 'a@example.com', 'b@example.com']);
    expect(requestIn(filled(state, { 'lists:engagement': [] })).filters[0]?.entries).toEqual(['me']);
    const again = filled(filled(state, { 'lists:engagement': [] }), { 'lists:engagement': ['user.email'] });
    expect(requestIn(again).filters[0]?.entries).toHaveLength(3);
  });

  it('that hold a comma are refused where they stand', () => {
    const listed = filled(engagement, { 'lists:engagement': ['user.teams'], 'list:user.teams': 'ok\na,b' });
    expect(requestFromState(listed)).toEqual(
      refused([{ input: 'list:user.teams', sentence: expect.stringContaining('“a,b” contains a comma') }]),
    );
  });
});
