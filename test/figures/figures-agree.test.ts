import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fieldsToCount } from '../../src/figures/reports/count-report.js';
import type { FiguresPlan } from '../../src/figures/result.js';
import { propertyRuns } from '../property-runs.js';
import { figuresOf, figuresOfParts } from './fixed-answers.js';
import { naiveFigures, naiveGroups, naiveLabels, naiveTogether, shownFigures } from './naive/figures.js';
import { Row } from './naive/row.js';
import { countedRows } from './naive/states.js';
import { anyAnswer, now } from './random-answers.js';

function rowsOf(plan: FiguresPlan, records: readonly object[]): readonly Row[] {
  return records.map((record) => new Row(fieldsToCount(plan), record));
}

describe('figures counted on the way agree with figures computed from the whole answer', () => {
  test('every key figure, over any answer', () => {
    fc.assert(
      fc.property(anyAnswer, ({ plan, records }) => {
        const result = figuresOf(plan, records);
        const rows = rowsOf(plan, records);
        expect(Object.fromEntries(result.figures.map(({ id, value }) => [id, value]))).toEqual(
          shownFigures(naiveFigures(rows, plan), result, plan),
        );
        expect(result.records).toBe(records.length);
        expect(result.counted).toBe(countedRows(rows, plan).length);
      }),
      { numRuns: propertyRuns(600) },
    );
  });

  test('every figure of every requested group', () => {
    fc.assert(
      fc.property(anyAnswer, ({ plan, records }) => {
        const result = figuresOf(plan, records);
        const { breakdown } = result;
        if (plan.by === undefined || breakdown?.kind !== 'groups') return;
        const groups = [...naiveGroups(rowsOf(plan, records), plan, plan.by)].map(([label, figures]) => ({
          label: label !== null && label.length > 200 ? `${label.slice(0, 199)}…` : label,
          figures: shownFigures(figures, result, plan),
        }));
        if (new Set(groups.map(({ label }) => label)).size < groups.length) return;
        const counted = breakdown.rows.map(({ label, values }) => ({
          label,
          figures: Object.fromEntries(values.map((value, i) => [breakdown.columns[i]?.id ?? '', value])),
        }));
        const byLabel = (a: { label: string | null }, b: { label: string | null }) =>
          String(a.label) < String(b.label) ? -1 : 1;
        expect([...counted].sort(byLabel)).toEqual(groups.sort(byLabel));
      }),
      { numRuns: propertyRuns(600) },
    );
  });

  test('every tail of a breakdown: records in several of its groups count once', () => {
    fc.assert(
      fc.property(anyAnswer, ({ plan, records }) => {
        const { breakdown } = figuresOf(plan, records);
        if (breakdown?.kind !== 'groups') return;
        const { by, rows, tails, columns } = breakdown;
        const counted = rowsOf(plan, records);
        const cut = (label: string | null) =>
          label !== null && label.length > 200 ? `${label.slice(0, 199)}…` : label;
        const all = [...new Set(naiveLabels(countedRows(counted, plan), plan, by).flat())];
        // Long names with the same beginning have the same label.
        if (new Set(all.map(cut)).size < all.length) return;
        expect(tails.map(({ groups }) => groups)).toEqual(rows.map((_, place) => rows.length - place));
        for (const [place, { values }] of tails.entries()) {
          const behind = rows.slice(place).map(({ label }) => label);
          const expected = naiveTogether(
            counted,
            plan,
            by,
            all.filter((label) => behind.includes(cut(label))),
          );
          for (const [i, value] of values.entries()) {
            const id = columns[i]?.id ?? '';
            // Medians over several groups are not counted.
            const isMedian = expected[id]?.kind === 'median';
            const wanted = isMedian ? expect.objectContaining({ kind: 'unknown' }) : expected[id];
            expect({ id, value }).toEqual({ id, value: wanted });
          }
        }
      }),
      { numRuns: propertyRuns(400) },
    );
  });

  test('the order of the rows changes nothing', () => {
    fc.assert(
      fc.property(anyAnswer, ({ plan, records }) => {
        const there = figuresOf(plan, records);
        const back = figuresOf(plan, [...records].reverse());
        expect(back.figures).toEqual(there.figures);
        const labels =
          there.breakdown?.kind === 'groups' ? there.breakdown.rows.map(({ label }) => label) : [];
        fc.pre(new Set(labels).size === labels.length);
        expect(back.breakdown).toEqual(there.breakdown);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  test('the sum of any parts is the count of the whole, also after parts that were dropped', () => {
    fc.assert(
      fc.property(
        anyAnswer,
        fc.array(fc.nat(40), { maxLength: 4 }),
        fc.boolean(),
        ({ plan, records }, ends, then) => {
          const asked = then ? { ...plan, asOf: now - 10 * 86_400_000 } : plan;
          expect(figuresOfParts(asked, records, ends)).toEqual(figuresOf(asked, records));
        },
      ),
      { numRuns: propertyRuns(600) },
    );
  });

  test('the result is plain data that can be sent to another thread', () => {
    fc.assert(
      fc.property(anyAnswer, ({ plan, records }) => {
        const result = figuresOf(plan, records);
        expect(structuredClone(result)).toEqual(result);
        expect(JSON.parse(JSON.stringify(result))).toEqual(result);
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});
