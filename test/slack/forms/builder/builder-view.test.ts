import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateView } from '../../../../playground/slack/server/validator/validate.js';
import { allReports, type Report } from '../../../../src/catalogue/index.js';
import { ok } from '../../../../src/errors/failure.js';
import { plainRequest, type ReportRequest } from '../../../../src/requests/request.js';
import type { BuilderDraft } from '../../../../src/slack/forms/draft.js';
import { filtersOfReport, maxLists } from '../../../../src/slack/forms/filters.js';
import { requestIn, withFormValues } from '../../../../src/slack/forms/read-draft.js';
import { anyCharacter } from '../../../any-character.js';
import { propertyRuns } from '../../../property-runs.js';
import { anyRequest } from '../../../requests/random-request.js';
import { draftOf, initialValues, renderedBuilder } from './rendered-builder.js';

describe('the view of the builder', () => {
  it('returns the same request if nothing changes, within Slack’s limits', () => {
    fc.assert(
      fc.property(anyRequest, fc.boolean(), (request, all) => {
        const draft = { ...draftOf(request), filtersShown: all ? ('all' as const) : undefined };
        const view = renderedBuilder(draft);
        expect(validateView(view)).toEqual([]);
        expect(requestIn(withFormValues(draft, initialValues(view)))).toEqual(ok(request));
      }),
      { numRuns: propertyRuns(150) },
    );
  });

  it('keeps any number of entries, whatever they contain', () => {
    const anyEntry = fc
      .string({ unit: anyCharacter, minLength: 1, maxLength: 160 })
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
        const draft = draftOf(request);
        const view = renderedBuilder(draft);
        expect(validateView(view)).toEqual([]);
        expect(requestIn(withFormValues(draft, initialValues(view)))).toEqual(ok(request));
      }),
      { numRuns: propertyRuns(50) },
    );
  });

  it('shows the known titles of identifiers', () => {
    const request: ReportRequest = {
      ...plainRequest('tracks'),
      filters: [{ object: 'track_filter', member: 'content_id', entries: ['0123456789abcdef01234567'] }],
    };
    const view = renderedBuilder(
      draftOf(request),
      new Map([['0123456789abcdef01234567', 'Onboarding '.repeat(20)]]),
    );
    expect(validateView(view)).toEqual([]);
    expect(JSON.stringify(view)).toContain('"Onboarding Onboarding');
    expect(requestIn(withFormValues(draftOf(request), initialValues(view)))).toEqual(ok(request));
  });

  it.each(allReports.map((report) => [report.name, report] as const))(
    'is valid in Slack with everything selected and the longest values: %s',
    (_name, report) => {
      for (const unit of ['x', '€', '"', '\u0001', '😀']) {
        const draft = everythingSelected(report, unit);
        const view = renderedBuilder(draft);
        expect(validateView(view)).toEqual([]);
        expect(view.blocks.length).toBeLessThanOrEqual(100);
        expect(Buffer.byteLength(JSON.stringify(view))).toBeLessThan(250_000);
        expect(filledIn(withFormValues(draft, initialValues(view)))).toMatchObject(filledIn(draft));
      }
    },
  );

  it.each(allReports.map(({ name }) => [name]))('is short when it opens: %s', (name) => {
    const view = renderedBuilder(draftOf(plainRequest(name)));
    expect(validateView(view)).toEqual([]);
    expect(view.blocks.length).toBeLessThan(30);
  });

  it.each([
    ['everything', undefined, undefined],
    [
      'team',
      'With a filter on people, the answer is about your team only.',
      'columns or a breakdown by people',
    ],
    ['totals', 'set the email filter to “me”', 'work for your own records only'],
    ['nothing', 'You may not ask for this report.', undefined],
  ] as const)('says what the level %s does not allow, and keeps what was chosen', (level, filters, file) => {
    for (const report of allReports) {
      const draft = everythingSelected(report, 'x');
      const view = renderedBuilder(draft, new Map(), level);
      expect(validateView(view)).toEqual([]);
      const lines = view.blocks.flatMap((block) => (block.type === 'context' ? [JSON.stringify(block)] : []));
      const says = (words: string) => lines.filter((line) => line.includes(words));
      for (const words of [filters, file]) if (words !== undefined) expect(says(words)).toHaveLength(1);
      expect(says('about your team only')).toHaveLength(level === 'team' ? 2 : 0);
      const hasFile = view.blocks.some(({ block_id: id }) => id === 'file');
      expect(hasFile).toBe(level !== 'nothing');
      expect(filledIn(withFormValues(draft, initialValues(view)))).toMatchObject(filledIn(draft));
    }
  });
});

/** Every field and filter of a report is in use, each with many long entries, and all text fields are full. */
function everythingSelected(report: Report, unit: string): BuilderDraft {
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
  const draft = draftOf({
    ...plainRequest(report.name),
    columns: report.fields.map(({ flag }) => flag),
    filters,
    file: 'csv' as const,
    range: report.range ? '2026-03-01..2026-03-31' : undefined,
    sort: report.sorts[0],
    by: report.fields[0]?.flag,
  });
  const text = unit.repeat(Math.floor(3000 / unit.length));
  const listed = names.map((name) => [`list:${name}`, text] as const);
  const others = { lists: names, where: 'channel', channel: 'C00LEARN01' };
  return { values: { ...draft.values, ...others, ...Object.fromEntries(listed) }, filtersShown: 'all' };
}

/** The values of a draft as a form has them: those of inputs that have any, and one of each menu. */
function filledIn({ values }: BuilderDraft) {
  const filled = Object.entries(values).filter(([, value]) => value !== undefined);
  const isMenu = (name: string) => name.startsWith('yes-no:');
  return Object.fromEntries(filled.map(([name, value]) => [name, isMenu(name) ? [value].flat()[0] : value]));
}
