import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateView } from '../../../../playground/slack/server/validator/validate.js';
import { allReports, type Report } from '../../../../src/catalogue/index.js';
import { ok } from '../../../../src/errors/result.js';
import { plainRequest, type ReportRequest } from '../../../../src/requests/request.js';
import { filtersOfReport, maxLists } from '../../../../src/slack/modals/builder/filters.js';
import {
  applyInputs,
  requestFromState,
  stateFromRequest,
} from '../../../../src/slack/modals/builder/read-state.js';
import type { BuilderState } from '../../../../src/slack/modals/builder/state.js';
import { anyRequest } from '../../../requests/any-request.js';
import { drawn, untouched } from './rendered-builder.js';

describe('the builder on a form', () => {
  it('asks for the same request when it is submitted untouched, and keeps to Slack’s limits', () => {
    fc.assert(
      fc.property(anyRequest, fc.boolean(), (request, allFilters) => {
        const state = { ...stateFromRequest(request), allFilters };
        const view = drawn(state);
        expect(validateView(view)).toEqual([]);
        expect(requestFromState(applyInputs(state, untouched(view)))).toEqual(ok(request));
      }),
      { numRuns: 150 },
    );
  });

  it('keeps entries of any length and kind, and any number of them, through the form', () => {
    const anyEntry = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 160 })
      .map((text) => text.replaceAll(',', '').trim())
      .filter((text) => text !== '');
    const anyEntries = fc.uniqueArray(anyEntry, { minLength: 1, maxLength: 90 });
    fc.assert(
      fc.property(anyEntries, anyEntries, (departments, identifiers) => {
        const request: ReportRequest = {
          ...plainRequest('tracks'),
          filters: [
            { object: 'user_filter', member: 'departments', entries: departments },
            { object: 'track_filter', member: 'created_by', entries: identifiers },
          ],
        };
        const state = stateFromRequest(request);
        const view = drawn(state);
        expect(validateView(view)).toEqual([]);
        expect(requestFromState(applyInputs(state, untouched(view)))).toEqual(ok(request));
      }),
      { numRuns: 50 },
    );
  });

  it('calls identifiers by their titles where they are known', () => {
    const request: ReportRequest = {
      ...plainRequest('tracks'),
      filters: [{ object: 'track_filter', member: 'content_id', entries: ['0123456789abcdef01234567'] }],
    };
    const view = drawn(
      stateFromRequest(request),
      new Map([['0123456789abcdef01234567', 'Onboarding '.repeat(20)]]),
    );
    expect(validateView(view)).toEqual([]);
    expect(JSON.stringify(view)).toContain('"Onboarding Onboarding');
    expect(requestFromState(applyInputs(stateFromRequest(request), untouched(view)))).toEqual(ok(request));
  });

  it.each(allReports.map((report) => [report.name, report] as const))(
    'with everything selected and the longest values is one that Slack takes: %s',
    (_name, report) => {
      for (const unit of ['x', '€', '"', '\u0001', '😀']) {
        const state = everythingSelected(report, unit);
        const view = drawn(state);
        expect(validateView(view)).toEqual([]);
        expect(view.blocks.length).toBeLessThanOrEqual(100);
        expect(Buffer.byteLength(JSON.stringify(view))).toBeLessThan(250_000);
        expect(applyInputs(state, untouched(view))).toMatchObject({ filters: state.filters });
      }
    },
  );

  it.each(allReports.map(({ name }) => [name]))('is short at first: %s', (name) => {
    const view = drawn(stateFromRequest(plainRequest(name)));
    expect(validateView(view)).toEqual([]);
    expect(view.blocks.length).toBeLessThan(30);
  });
});

/** Every field and filter of a report in use, each with many entries of the longest kind, and full text fields. */
function everythingSelected(report: Report, unit: string): BuilderState {
  const entry = (number: number) => `${number} ${unit.repeat(400)}`;
  const filters = filtersOfReport(report).map(({ object, member }) => ({
    object: object.name,
    member: member.name,
    entries: member.kind === 'yes-no' ? ['true'] : Array.from({ length: 90 }, (_, number) => entry(number)),
  }));
  const names = filtersOfReport(report)
    .filter(({ member }) => member.kind !== 'yes-no')
    .map(({ name }) => name)
    .slice(0, maxLists);
  const state = stateFromRequest({
    ...plainRequest(report.name),
    columns: report.fields.map(({ flag }) => flag),
    filters,
    csv: true,
    range: report.range ? '2026-03-01..2026-03-31' : undefined,
    sort: report.sorts[0],
    by: report.fields[0]?.flag,
  });
  const text = unit.repeat(Math.floor(3000 / unit.length));
  const listed = names.map((name) => [name, { entries: [], ...state.filters[name], text }] as const);
  return {
    ...state,
    allFilters: true,
    lists: names,
    filters: { ...state.filters, ...Object.fromEntries(listed) },
    where: 'channel',
    channel: 'C00LEARN01',
  };
}
