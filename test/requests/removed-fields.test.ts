import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allReports } from '../../src/catalogue/index.js';
import {
  formatRemovedFields,
  removedFieldsOf,
  withoutRemovedFields,
} from '../../src/requests/removed-fields.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';
import { anyRequest } from './random-request.js';

const stale: ReportRequest = {
  ...plainRequest('assignments'),
  range: 'last-fortnight',
  columns: ['email', 'shoe_size'],
  filters: [
    { object: 'user_filter', member: 'departments', entries: ['Sales'] },
    { object: 'user_filter', member: 'cost_centers', entries: ['12'] },
    { object: 'badge_filter', member: 'departments', entries: ['HR'] },
  ],
  dateField: 'signed_date',
  sort: 'shoe_size',
  by: 'hat_size',
  file: 'csv' as const,
};

describe('the removed fields of a request', () => {
  it('are none for any valid request', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        expect(removedFieldsOf(request)).toEqual([]);
        expect(withoutRemovedFields(request)).toBe(request);
      }),
    );
  });

  it('are all parts that the catalogue does not have', () => {
    expect(formatRemovedFields(removedFieldsOf(stale))).toBe(
      'range last-fortnight, column shoe_size, filter cost_centers, filter departments, ' +
        'date signed_date, order shoe_size, breakdown hat_size',
    );
    expect(withoutRemovedFields(stale)).toEqual({
      ...plainRequest('assignments'),
      columns: ['email'],
      filters: [{ object: 'user_filter', member: 'departments', entries: ['Sales'] }],
      file: 'csv' as const,
    });
    expect(removedFieldsOf(withoutRemovedFields(stale))).toEqual([]);
  });

  it('include the range of a report without one', () => {
    expect(removedFieldsOf({ ...plainRequest('assessments'), range: 'last-week' })).toEqual([
      { what: 'range', name: 'last-week' },
    ]);
  });

  it('are the whole report if it was removed', () => {
    const old = { ...stale, report: 'certificates' } as unknown as ReportRequest;
    expect(removedFieldsOf(old)).toEqual([{ what: 'report', name: 'certificates' }]);
    expect(withoutRemovedFields(old)).toEqual(plainRequest(allReports[0]?.name ?? 'assignments'));
  });
});
