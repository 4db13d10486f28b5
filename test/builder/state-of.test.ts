import { describe, expect, it } from 'vitest';
import { requestOf } from '../../src/builder/request-of.js';
import { stateOf } from '../../src/builder/state-of.js';
import { plainRequest } from '../../src/reports/request.js';

describe('the builder for a request', () => {
  it('leaves out what the catalogue does not have any more', () => {
    const state = stateOf({
      ...plainRequest('completions'),
      range: 'last-month',
      dateField: 'baptised_at',
      sort: 'shoe_size',
      by: 'shoe_size',
      columns: ['shoe_size', 'email'],
      filters: [
        { object: 'user_filter', member: 'shoe_size', entries: ['43'] },
        { object: 'user_filter', member: 'teams', entries: ['Blue'] },
      ],
    });
    expect(requestOf(state)).toEqual({
      request: {
        ...plainRequest('completions'),
        range: 'last-month',
        columns: ['email'],
        filters: [{ object: 'user_filter', member: 'teams', entries: ['Blue'] }],
      },
    });
  });

  it('says under the range that it is none any more, rather than run another one', () => {
    expect(requestOf(stateOf({ ...plainRequest('completions'), range: 'last-fortnight' }))).toEqual({
      problems: [{ input: 'range-words', sentence: expect.stringContaining('not a range') }],
    });
  });
});
