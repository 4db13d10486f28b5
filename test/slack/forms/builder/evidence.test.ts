import { describe, expect, it } from 'vitest';
import { parseCommand } from '../../../../src/requests/parse-command.js';
import { plainRequest, type ReportRequest } from '../../../../src/requests/request.js';
import { inputNames } from '../../../../src/slack/forms/draft.js';
import { requestIn, withFormValues } from '../../../../src/slack/forms/read-draft.js';
import { accepted } from '../../../results.js';
import { draftOf } from './rendered-builder.js';

/** The form with *Evidence* chosen under *File*. */
const chosen = (request: ReportRequest) =>
  requestIn(withFormValues(draftOf(request), { [inputNames.file]: 'evidence' }));

describe('evidence in the form', () => {
  it.each(['assignments last-month', 'completions 2026-Q3', 'engagement last-week', 'workshops last-year'])(
    'is the same request as the typed words: %s',
    (words) => {
      const without = accepted(parseCommand(words, { savedNames: [] }));
      const typed = accepted(parseCommand(`${words} evidence`, { savedNames: [] }));
      if (without.kind !== 'run') throw new Error('These words are a request');
      expect(typed).toEqual({ kind: 'run', request: accepted(chosen(without.request)) });
    },
  );

  it('names the range that the form has by default', () => {
    const request = accepted(chosen(plainRequest('assignments')));
    expect(request).toMatchObject({ file: 'evidence', range: 'last-90-days' });
  });

  it('is refused beside the choice of file where the report has no range', () => {
    expect(chosen(plainRequest('assessments'))).toMatchObject({ ok: false });
    expect(JSON.stringify(chosen(plainRequest('assessments')))).toContain('this report has none');
  });
});
