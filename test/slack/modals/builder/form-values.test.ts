import { describe, expect, it } from 'vitest';
import { ok } from '../../../../src/errors/result.js';
import { plainRequest } from '../../../../src/requests/request.js';
import { withFormValues, withFormValuesAt } from '../../../../src/slack/modals/builder/open.js';
import { requestFromState, stateFromRequest } from '../../../../src/slack/modals/builder/read-state.js';
import type { BuilderDraft } from '../../../../src/slack/modals/builder/state.js';

const draft: BuilderDraft = {
  state: stateFromRequest(plainRequest('engagement')),
  purpose: 'run',
  extra: { 'own:name': 'Weekly' },
  remarks: [],
};

function form(range: string, by: string) {
  return new Map([
    ['range:engagement', range],
    ['by:engagement', by],
  ]);
}

describe('the values of a form at a time', () => {
  it('replace only older ones, in whatever order they arrive', () => {
    const early = form('today', 'none');
    const late = form('today', 'departments');
    const expected = ok({ ...plainRequest('engagement'), range: 'today', by: 'departments' });
    const inOrder = withFormValuesAt(1002.5, withFormValuesAt(1001.25, draft, early), late);
    const crossed = withFormValuesAt(1001.25, withFormValuesAt(1002.5, draft, late), early);
    expect(requestFromState(inOrder.state)).toEqual(expected);
    expect(crossed).toEqual(inOrder);
  });
});

describe('the values of a form', () => {
  it('store the inputs of purposes separately, and ignore an unknown purpose', () => {
    const filled = withFormValues(
      draft,
      new Map([
        ['own:day', 'mon'],
        ['purpose', 'fly'],
      ]),
    );
    expect(filled).toEqual({ ...draft, extra: { 'own:name': 'Weekly', 'own:day': 'mon' } });
  });
});
