import { describe, expect, it } from 'vitest';
import { reportNamed } from '../../src/catalogue/index.js';
import { startCounting } from '../../src/figures/reports/count-report.js';
import { AnswerStream } from '../../src/reporting-api/answer/read-answer.js';
import { suggestionListsIn } from '../../src/runner/queries.js';

/** The values noted of an answer, through the reader of answers itself. */
async function valuesIn(report: 'engagement' | 'tracks' | 'completions', records: readonly object[]) {
  const fields = [...new Set(records.slice(0, 5).flatMap((record) => Object.keys(record)))];
  const reading = new AnswerStream(
    { fields, lists: suggestionListsIn(reportNamed(report), fields) },
    startCounting,
  );
  await reading.beginAnswer();
  await reading.write(Buffer.from(JSON.stringify(records)));
  await reading.endAnswer();
  return (await reading.finish()).values?.map(({ people: _, ...name }) => name);
}

describe('values of an answer', () => {
  it('are noted as they were sent: texts, lists, objects with names', async () => {
    const values = await valuesIn('engagement', [
      { departments: ['Sales', 'Field Operations'], grade: 'G7', email: 'ada@example.com' },
      { departments: 'Support', grade: null, email: 'ben@example.com' },
      { departments: [{ id: 9, name: 'HR' }, 'Sales'], grade: '  G7 ', email: '' },
    ]);
    expect(values).toEqual([
      { list: 'departments', entry: 'Sales' },
      { list: 'departments', entry: 'Field Operations' },
      { list: 'departments', entry: 'Support' },
      { list: 'departments', entry: 'HR' },
      { list: 'grade', entry: 'G7' },
    ]);
  });

  it('are taken out of lists that come as one text, but for what was listed whole before or after', async () => {
    const records = [
      { departments: 'Sales; R&D; Labs', locations: 'Oslo, Bergen', grade: 'G7; G8' },
      { departments: ['R&D; Labs', 'Legal, Tax'], locations: [] },
      { departments: 'Legal, Tax, Support', locations: 'Bergen ,, ' },
    ];
    const entries = async (order: readonly object[]) =>
      (await valuesIn('engagement', order))?.map(({ list, entry }) => `${list}: ${entry}`).sort();
    expect(await entries(records)).toEqual([
      'departments: R&D; Labs',
      'departments: Sales',
      'departments: Support',
      'grade: G7; G8',
      'locations: Bergen',
      'locations: Oslo',
    ]);
    expect(await entries([...records].reverse())).toEqual(await entries(records));
  });

  it('come with titles where they are identifiers', async () => {
    expect(
      await valuesIn('tracks', [{ track_id: 't1', track_title: 'Onboarding' }, { track_id: 't2' }]),
    ).toEqual([
      { list: 'track_id', entry: 't1', title: 'Onboarding' },
      { list: 'track_id', entry: 't2' },
    ]);
    const content = { id: 'c1', title: 'Fire safety', type: 'course', assigner_email: 'ada@example.com' };
    expect(await valuesIn('completions', [{ content, journey: { id: 'j1', title: 'First year' } }])).toEqual([
      { list: 'content.type', entry: 'course' },
      { list: 'content.id', entry: 'c1', title: 'Fire safety' },
      { list: 'journey.id', entry: 'j1', title: 'First year' },
    ]);
  });

  it('are left out where no filter can be set to them', async () => {
    const values = await valuesIn('engagement', [
      { departments: ['Sales, Europe', 'x'.repeat(76), 'two\nlines', '', 'x'.repeat(75)] },
    ]);
    expect(values).toEqual([{ list: 'departments', entry: 'x'.repeat(75) }]);
  });

  it('are never about people', async () => {
    const values = await valuesIn('engagement', [
      {
        email: 'ada@example.com',
        manager_email: 'b@example.com',
        first_name: 'Ada',
        userid: '7',
        partner: 'Nord',
      },
    ]);
    expect(values).toEqual([{ list: 'partner', entry: 'Nord' }]);
  });

  it('are few, and from everywhere in a long answer', async () => {
    const different = Array.from({ length: 3_000 }, (_, number) => ({ departments: `D${number}` }));
    expect(await valuesIn('engagement', different)).toHaveLength(200);
    const late = Array.from({ length: 30_000 }, (_, number) => ({
      departments: number < 20_000 ? 'A' : 'B',
    }));
    expect(await valuesIn('engagement', late)).toEqual([
      { list: 'departments', entry: 'A' },
      { list: 'departments', entry: 'B' },
    ]);
  });
});
