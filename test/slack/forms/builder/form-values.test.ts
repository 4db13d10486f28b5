import { describe, expect, it } from 'vitest';
import { ok } from '../../../../src/errors/failure.js';
import { plainRequest } from '../../../../src/requests/request.js';
import { purposeOf } from '../../../../src/slack/builder/purposes.js';
import { requestIn, withFormValues, withFormValuesAt } from '../../../../src/slack/forms/read-draft.js';
import { draftOf } from './rendered-builder.js';

const draft = draftOf(plainRequest('engagement'));

function form(range: string, by: string) {
  return { 'range:engagement': range, 'by:engagement': by };
}

describe('the values of a form at a time', () => {
  it('replace only older ones, in whatever order they arrive', () => {
    const early = form('today', 'none');
    const late = form('today', 'departments');
    const expected = ok({ ...plainRequest('engagement'), range: 'today', by: 'departments' });
    const inOrder = withFormValuesAt(1002.5, withFormValuesAt(1001.25, draft, early), late);
    const crossed = withFormValuesAt(1001.25, withFormValuesAt(1002.5, draft, late), early);
    expect(requestIn(inOrder)).toEqual(expected);
    expect(crossed).toEqual(inOrder);
  });
});

describe('the purpose of a form', () => {
  it('is to run, if it is unknown', () => {
    expect(purposeOf(withFormValues(draft, { purpose: 'save' })).name).toBe('save');
    expect(purposeOf(withFormValues(draft, { purpose: 'fly' })).name).toBe('run');
  });
});
