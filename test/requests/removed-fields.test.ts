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
  csv: true,
};

describe('what is gone from a request', () => {
  it('is nothing for any request that can be asked', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        expect(removedFieldsOf(request)).toEqual([]);
        expect(withoutRemovedFields(request)).toBe(request);
      }),
    );
  });

  it('is everything that the catalogue does not know', () => {
    expect(formatRemovedFields(removedFieldsOf(stale))).toBe(
      'range last-fortnight, column shoe_size, filter cost_centers, filter departments, ' +
        'date signed_date, order shoe_size, breakdown hat_size',
    );
    expect(withoutRemovedFields(stale)).toEqual({
      ...plainRequest('assignments'),
      columns: ['email'],
      filters: [{ object: 'user_filter', member: 'departments', entries: ['Sales'] }],
      csv: true,
    });
    expect(removedFieldsOf(withoutRemovedFields(stale))).toEqual([]);
  });

  it('is the range, for a report that has none', () => {
    expect(removedFieldsOf({ ...plainRequest('assessments'), range: 'last-week' })).toEqual([
      { what: 'range', name: 'last-week' },
    ]);
  });

  it('is the whole report, where that is not asked for any more', () => {
    const old = { ...stale, report: 'certificates' } as unknown as ReportRequest;
    expect(removedFieldsOf(old)).toEqual([{ what: 'report', name: 'certificates' }]);
    expect(withoutRemovedFields(old)).toEqual(plainRequest(allReports[0]?.name ?? 'assignments'));
  });
});
