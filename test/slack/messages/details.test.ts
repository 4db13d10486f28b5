import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { plainRequest } from '../../../src/requests/request.js';
import {
  type AnswerTotals,
  keptAnswer,
  resultOf as resultOfTotals,
} from '../../../src/runner/answer-parts.js';
import { type DetailsInput, detailsVariants } from '../../../src/slack/messages/details.js';
import { figuresOf, fixedAnswers, nameOf, resultOf, sixRequests } from '../../figures/fixed-answers.js';
import { anyAnswer } from '../../figures/random-answers.js';
import { propertyRuns } from '../../property-runs.js';
import { asker, expectGood, objectsIn } from './messages.js';

const scope = { rows: 'all', smallestGroup: 1, namesPeople: false, onlyDirect: false } as const;

/** The result of a fixed answer as it comes back from the database. */
function keptResult(request: (typeof sixRequests)[number]): DetailsInput['result'] {
  const answer = fixedAnswers[request.report];
  const result = resultOf(request, answer(60), { before: answer(45) });
  const ofAsker = { id: asker, zone: result.asker.zone };
  const kept = keptAnswer(asker, { ...result, asker: ofAsker, scope, records: 60, values: [] }, 1);
  if (!kept?.totals) throw new Error('They are kept');
  const totals = JSON.parse(JSON.stringify(kept.totals)) as AnswerTotals;
  return resultOfTotals(request, totals, scope);
}

const detailsOf = (result: DetailsInput['result'], more: Partial<DetailsInput> = {}) =>
  detailsVariants({ result, askedBy: asker, isNewRun: false, isDigest: false, isDirect: false, ...more });

describe('the details of an answer', () => {
  test.each(sixRequests.map((request) => [nameOf(request), request] as const))(
    '%s: all figures with what they changed from, a table in pages of five, and what they mean',
    (_name, request) => {
      const result = keptResult(request);
      const [full, , plain] = detailsOf(result);
      for (const message of detailsOf(result)) expectGood(message);
      const words = JSON.stringify(full.blocks);
      for (const { label } of result.figures.figures) expect(words).toContain(`*${label}*`);
      expect(words).toContain('What the figures mean');
      const { breakdown } = result.figures;
      const tables = objectsIn(full.blocks).filter(({ type }) => type === 'data_table');
      expect(tables).toHaveLength(breakdown?.kind === 'groups' ? 1 : 0);
      for (const { page_size, row_header_column_index, rows } of tables) {
        expect({ page_size, row_header_column_index }).toEqual({ page_size: 5, row_header_column_index: 0 });
        const [heading, ...body] = rows as { type: string; value?: number }[][];
        expect(heading?.every(({ type }) => type === 'raw_text')).toBe(true);
        for (const [name, ...cells] of body) {
          expect(name?.type).toBe('raw_text');
          expect(cells.every(({ type, value }) => (type === 'raw_number') === (value !== undefined))).toBe(
            true,
          );
        }
      }
      expect(JSON.stringify(plain?.blocks)).not.toContain('data_table');
      expect(full.text.startsWith('Details: ')).toBe(true);
      expect(full.text).toContain(`<@${asker}>`);
    },
  );

  it('are made of totals without rows and people', () => {
    for (const request of sixRequests) {
      const { figures } = keptResult(request);
      expect(Object.keys(figures)).not.toEqual(expect.arrayContaining(['people']));
      expect(Object.keys(figures)).not.toEqual(expect.arrayContaining(['onlyRow']));
      expect(JSON.stringify(figures)).not.toContain('@');
    }
  });

  it('name people first in direct messages, and nobody elsewhere', () => {
    const request = { ...plainRequest('assignments'), view: 'overdue' as const };
    const result = resultOf(request, fixedAnswers.assignments(60), { people: true });
    const named = result.figures.people?.listed.map(({ name }) => name) ?? [];
    expect(named.length).toBeGreaterThan(5);
    const [direct] = detailsOf(result, { isDirect: true });
    expectGood(direct);
    for (const name of named) {
      expect(JSON.stringify(direct.blocks)).toContain(name);
      expect(direct.text).toContain(name);
    }
    expect(JSON.stringify(direct.blocks?.[2])).toContain('Longest overdue (10 of 24)');
    expect(direct.text).not.toContain('Asked by');
    for (const message of detailsOf(result)) expect(JSON.stringify(message)).not.toContain(named[0]);
  });

  it('explain no figures of fewer than three rows', () => {
    const meaningsOf = (rows: number) =>
      JSON.stringify(detailsOf(resultOf(plainRequest('completions'), fixedAnswers.completions(rows))));
    expect(meaningsOf(2)).not.toContain('What the figures mean');
    expect(meaningsOf(3)).toContain('What the figures mean');
  });

  it('keep no totals of an answer that lists people', () => {
    const request = { ...plainRequest('assignments'), view: 'overdue' as const };
    const result = resultOf(request, fixedAnswers.assignments(60), { people: true });
    const ofAsker = { id: asker, zone: 'UTC' };
    const kept = keptAnswer(asker, { ...result, asker: ofAsker, scope, records: 60, values: [] }, 1);
    expect(kept).toMatchObject({ asker, request, scope, totals: undefined });
    expect(kept?.recent?.figures.people).toBeDefined();
  });

  it('remember no rows of an answer that lists people', () => {
    const request = { ...plainRequest('assignments'), view: 'overdue' as const };
    const rows = { columns: [], total: 1, listed: [{ cells: [{ text: 'Ada' }] }] };
    const result = { ...resultOf(request, fixedAnswers.assignments(60), { people: true }), rows };
    const ofAsker = { id: asker, zone: 'UTC' };
    const answer = { ...result, asker: ofAsker, scope, records: 60, values: [] };
    expect(keptAnswer(asker, answer, 1)?.recent).not.toHaveProperty('rows');
    const figures = { ...result.figures, onlyRow: [] };
    expect(keptAnswer(asker, { ...answer, figures }, 1)?.recent).toBeUndefined();
  });

  it('keep no totals of a breakdown by person', () => {
    const request = { ...plainRequest('engagement'), by: 'manager_email' };
    const result = resultOf(request, fixedAnswers.engagement(60));
    expect(result.figures.breakdown?.by).toBe('manager_email');
    const ofAsker = { id: asker, zone: 'UTC' };
    const kept = keptAnswer(asker, { ...result, asker: ofAsker, scope, records: 60, values: [] }, 1);
    expect(kept).toMatchObject({ asker, request, scope, totals: undefined });
    expect(kept?.recent).toBeUndefined();
  });

  it('keep no totals that may be about fewer people than anybody may see', () => {
    const ofAsker = { id: asker, zone: 'UTC' };
    const totalsOf = (report: 'engagement' | 'workshops', smallestGroup: number) => {
      const result = resultOf(plainRequest(report), fixedAnswers[report](60));
      const answer = { ...result, asker: ofAsker, records: 60, values: [] };
      return keptAnswer(asker, { ...answer, scope: { ...scope, smallestGroup } }, 5)?.totals;
    };
    expect(totalsOf('engagement', 1)).toBeUndefined();
    expect(totalsOf('engagement', 5)).toBeDefined();
    // They have no learners.
    expect(totalsOf('workshops', 1)).toBeDefined();
  });

  it('say that the report was run again, and whose team they are limited to', () => {
    const request = plainRequest('assignments');
    const result = { ...keptResult(request), scope: { rows: 'team' } } as const;
    const [full] = detailsOf(result, { isNewRun: true, isDigest: true });
    expect(full.text).toContain('for the same dates.');
    expect(full.text).toContain("Limited to the owner's team");
    expect(full.text).toContain(`Set up by <@${asker}>`);
    expect(JSON.stringify(full.blocks)).toContain('for the same dates.');
  });

  it('obey the rules of Slack whatever the answer holds', () => {
    fc.assert(
      fc.property(anyAnswer, ({ plan, records }) => {
        const request = { ...plainRequest(plan.report), view: plan.view, states: plan.states, by: plan.by };
        const result = { ...resultOf(request, []), figures: figuresOf({ ...plan, people: false }, records) };
        for (const message of detailsOf(result)) expectGood(message);
      }),
      { numRuns: propertyRuns(60) },
    );
  });
});
