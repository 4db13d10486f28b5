import { describe, expect, it } from 'vitest';
import { validateView } from '../../../../playground/slack/server/validator/validate.js';
import { allReports } from '../../../../src/catalogue/index.js';
import { ok } from '../../../../src/errors/failure.js';
import { parseCommand } from '../../../../src/requests/parse-command.js';
import { plainRequest, type ReportRequest, type TitleChoice } from '../../../../src/requests/request.js';
import type { InputValue } from '../../../../src/slack/forms/inputs.js';
import { requestIn, withFormValues } from '../../../../src/slack/forms/read-draft.js';
import { foundChoice, titleValue } from '../../../../src/slack/forms/which-rows.js';
import { accepted } from '../../../results.js';
import { draftOf, initialValues, renderedBuilder } from './rendered-builder.js';

const content = (text: string, id?: string): TitleChoice => ({ option: 'content', text, id });

function withInputs(request: ReportRequest, inputs: Record<string, InputValue>): ReportRequest {
  return accepted(requestIn(withFormValues(draftOf(request), inputs)));
}

const blockIds = (report: ReportRequest['report']) =>
  renderedBuilder(draftOf(plainRequest(report))).blocks.map(({ block_id: id }) => id);

describe('which rows', () => {
  it('can be chosen for each report by its states and titles', () => {
    const offered = Object.fromEntries(
      allReports.map(({ name }) => [name, blockIds(name).filter((id) => id && /^(states|titles)/.test(id))]),
    );
    expect(offered).toEqual({
      assignments: ['states:assignments', 'titles-content:assignments'],
      tracks: ['states:tracks', 'titles-track:tracks'],
      completions: ['titles-content:completions', 'titles-track:completions'],
      assessments: ['states:assessments', 'titles-assessment:assessments'],
      engagement: ['states:engagement'],
      workshops: ['states:workshops', 'titles-workshop:workshops'],
    });
  });

  it('are the same request as the typed words', () => {
    const typed = accepted(parseCommand('assignments only:late,overdue', { savedNames: [] }));
    const built = withInputs(plainRequest('assignments'), { 'states:assignments': ['late', 'overdue', 'x'] });
    expect(typed).toEqual({ kind: 'run', request: built });
    expect(withInputs(built, { 'states:assignments': [] })).toEqual(plainRequest('assignments'));
  });

  it('change the default range with an open state', () => {
    const open = draftOf({ ...plainRequest('assignments'), states: ['overdue'] });
    const menus = JSON.stringify(renderedBuilder(open).blocks);
    expect(menus).toContain('range:overdue');
    const states = renderedBuilder(open).blocks.find(({ block_id: id }) => id === 'states:assignments');
    expect(states).toMatchObject({ dispatch_action: true });
  });

  it('are titles with their identifiers, in the order of the catalogue', () => {
    const built = withInputs(plainRequest('completions'), {
      'titles-track:completions': [titleValue({ id: 't1', text: 'Onboarding' })],
      'titles-content:completions': [
        titleValue({ id: 'c1', text: 'GDPR' }),
        titleValue({ id: 'c2', text: 'Fire' }),
      ],
    });
    expect(built.titles).toEqual([
      content('GDPR', 'c1'),
      content('Fire', 'c2'),
      { option: 'track', text: 'Onboarding', id: 't1' },
    ]);
    expect(withInputs(built, { 'titles-content:completions': [] }).titles).toEqual([
      { option: 'track', text: 'Onboarding', id: 't1' },
    ]);
  });

  it('keep the full title of an earlier choice, and titles that are not found yet', () => {
    const long = 'A long title '.repeat(20).trim();
    const request = { ...plainRequest('assignments'), titles: [content(long, 'c1'), content('gdpr')] };
    const view = renderedBuilder(draftOf(request));
    const values = initialValues(view);
    expect(requestIn(withFormValues(draftOf(request), values))).toEqual(ok(request));
    const shown = JSON.stringify(view.blocks);
    expect(shown).toContain('Not found yet');
    const left = [...(values['titles-content:assignments'] ?? [])].slice(1);
    expect(withInputs(request, { 'titles-content:assignments': left }).titles).toEqual([content('gdpr')]);
  });

  it.each(['<!channel> *x*', '\u202Eesrever', '"quotes" “and” more', 'x'.repeat(3_000), '安全教育', ''])(
    'show the title %s within the limits of Slack',
    (title) => {
      const request = { ...plainRequest('assignments'), titles: [content(title, 'c1'), content(title)] };
      expect(validateView(renderedBuilder(draftOf(request)))).toEqual([]);
    },
  );

  it('tell things with the same title apart', () => {
    const same = [
      { id: 'c1', title: 'Onboarding' },
      { id: 'c2', title: 'Onboarding' },
      { id: 'c3', title: 'Fire' },
    ];
    expect(same.map((titled) => foundChoice(titled, same))).toEqual([
      { value: 'c1', text: 'Onboarding', description: 'c1' },
      { value: 'c2', text: 'Onboarding', description: 'c2' },
      { value: 'c3', text: 'Fire', description: undefined },
    ]);
  });
});
