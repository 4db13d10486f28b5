import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FiguresPlan, FiguresReader } from '../../src/figures/plan.js';
import type { FiguresResult } from '../../src/figures/result.js';
import { figureFields, startFigures } from '../../src/figures/start-figures.js';
import { plainRecord } from '../answer/plain-record.js';
import { countedRows, naiveFigures, naiveGroups } from './naive/figures.js';
import { Row } from './naive/row.js';
import { anyAnswer } from './random-answers.js';

function read(reader: FiguresReader, plan: FiguresPlan, records: readonly object[]): FiguresResult {
  const fields = figureFields(plan);
  for (const record of records) reader.add(plainRecord(fields, record));
  return reader.finish();
}

function figuresOf(plan: FiguresPlan, records: readonly object[]): FiguresResult {
  return read(startFigures(plan, figureFields(plan)), plan, records);
}

function rowsOf(plan: FiguresPlan, records: readonly object[]): readonly Row[] {
  return records.map((record) => new Row(figureFields(plan), record));
}

describe('figures counted on the way agree with figures computed from the whole answer', () => {
  test('every key figure, over any answer', () => {
    fc.assert(
      fc.property(anyAnswer, ({ plan, records }) => {
        const result = figuresOf(plan, records);
        const rows = rowsOf(plan, records);
        expect(Object.fromEntries(result.figures.map(({ id, value }) => [id, value]))).toEqual(
          naiveFigures(rows, plan),
        );
        expect(result.records).toBe(records.length);
        expect(result.counted).toBe(countedRows(rows, plan).length);
      }),
      { numRuns: 600 },
    );
  });

  test('every figure of every group that was asked for', () => {
    fc.assert(
      fc.property(anyAnswer, ({ plan, records }) => {
        const { breakdown } = figuresOf(plan, records);
        if (plan.by === undefined || breakdown?.kind !== 'groups') return;
        const groups = [...naiveGroups(rowsOf(plan, records), plan, plan.by)].map(([label, figures]) => ({
          label: label !== null && label.length > 200 ? `${label.slice(0, 199)}…` : label,
          figures,
        }));
        const counted = breakdown.rows.map(({ label, values }) => ({
          label,
          figures: Object.fromEntries(values.map((value, i) => [breakdown.columns[i]?.id ?? '', value])),
        }));
        const byLabel = (a: { label: string | null }, b: { label: string | null }) =>
          String(a.label) < String(b.label) ? -1 : 1;
        expect([...counted].sort(byLabel)).toEqual(groups.sort(byLabel));
      }),
      { numRuns: 600 },
    );
  });

  test('a copy goes on alone: reading again from it gives what was never interrupted', () => {
    fc.assert(
      fc.property(anyAnswer, fc.nat(40), ({ plan, records }, cut) => {
        const fields = figureFields(plan);
        const reader = startFigures(plan, fields);
        for (const record of records.slice(0, cut)) reader.add(plainRecord(fields, record));
        const checkpoint = reader.copy();
        const whole = read(reader, plan, records.slice(cut));
        expect(read(checkpoint.copy(), plan, records.slice(cut))).toEqual(whole);
        expect(read(checkpoint, plan, records.slice(cut))).toEqual(whole);
        expect(whole).toEqual(figuresOf(plan, records));
      }),
      { numRuns: 200 },
    );
  });

  test('what was counted is plain data that crosses to another thread', () => {
    fc.assert(
      fc.property(anyAnswer, ({ plan, records }) => {
        const result = figuresOf(plan, records);
        expect(structuredClone(result)).toEqual(result);
        expect(JSON.parse(JSON.stringify(result))).toEqual(result);
      }),
      { numRuns: 100 },
    );
  });
});
