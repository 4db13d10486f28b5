import { describe, expect, it } from 'vitest';
import { ok } from '../../../../src/errors/failure.js';
import { formatRequest } from '../../../../src/requests/parse-request.js';
import { plainRequest } from '../../../../src/requests/request.js';
import { requestIn, withFormValues } from '../../../../src/slack/forms/read-draft.js';
import { requestOf } from '../../../requests/request-of.js';
import { accepted } from '../../../results.js';
import { draftOf, initialValues, renderedBuilder } from './rendered-builder.js';

describe('conditions in the form', () => {
  it.each([
    'overdue departments:!Sales,HR days_overdue:>30 suspended:any',
    'assessments assessment_status:=passed score:>=50 score:<60',
    'engagement hired_on:this-year last_login:none views:!1,2',
    'assignments departments:!"Research, north","none" due_date:any hired_on:<2024-Q2',
    'tracks track_title:!"Say “hello”" progress:<=12.5',
    'completions content_metadata.cost_center:!X is_manager:!yes hired_on:!last-30-days',
    // Five have inputs of their own, and the others are words.
    'assessments departments:!Sales grade:none hired_on:since:2024 last_login:any score:>10 score:<90 email:any assessment:!"Quiz, one"',
  ])('are the same command when the form opens and runs: %s', (words) => {
    const request = requestOf(words);
    expect(request.conditions?.length).toBeGreaterThan(0);
    const opened = withFormValues(draftOf(request), initialValues(renderedBuilder(draftOf(request))));
    const read = requestIn(opened);
    expect(read).toEqual(ok(request));
    expect(formatRequest(accepted(read))).toBe(formatRequest(request));
  });

  it.each([
    ['number', 'views', 'abc', 'is none'],
    ['number', 'views', '1,5', 'Enter one value'],
    ['date', 'hired_on', 'soon', 'is none'],
    ['list', 'departments', ' , ', 'Enter a value'],
  ])('refuse what is no value at its input: %s', (kind, field, typed, sentence) => {
    const sign = kind === 'list' ? '!' : '>';
    const read = requestIn(
      withFormValues(draftOf(plainRequest('engagement')), {
        'condition:engagement:0:field': field,
        [`condition:engagement:0:sign-${kind}`]: `sign ${sign}`,
        [`condition:engagement:0:value-${kind}`]: typed,
      }),
    );
    expect(read).toMatchObject({ ok: false });
    expect(JSON.stringify(read)).toContain(`0:value-${kind}`);
    expect(JSON.stringify(read)).toContain(sentence);
  });

  it('refuse what no row can meet at the later one', () => {
    const two = requestOf('assessments score:>60 grade:none');
    const values = initialValues(renderedBuilder(draftOf(two)));
    const contradicting = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, value === 'grade' ? 'assessment_score' : value]),
    );
    const read = requestIn(
      withFormValues(draftOf(two), {
        ...contradicting,
        'condition:assessments:0:field': 'assessment_score',
        'condition:assessments:0:sign-number': 'sign <',
        'condition:assessments:0:value-number': '50',
        'condition:assessments:1:field': 'assessment_score',
        'condition:assessments:1:sign-number': 'sign >',
        'condition:assessments:1:value-number': '60',
      }),
    );
    expect(read).toMatchObject({ ok: false });
    expect(JSON.stringify(read)).toContain('No row can meet both');
  });
});
