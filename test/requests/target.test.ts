import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCommand } from '../../src/requests/parse-command.js';
import { applyToSaved, formatRequest } from '../../src/requests/parse-request.js';
import { problemMessageText } from '../../src/requests/problem-messages.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';
import { endOfTarget, formatTarget, hasPassed, parseTarget } from '../../src/requests/target.js';
import { propertyRuns } from '../property-runs.js';

const read = (text: string) => parseCommand(text, { savedNames: [] });

function targetOf(text: string) {
  const parsed = read(text);
  if (!parsed.ok) throw new Error(problemMessageText(parsed.refusal));
  return parsed.value.kind === 'run' ? parsed.value.request.target : undefined;
}

describe('a target', () => {
  test.each([
    ['target:95%@2026-12-31', { percent: 95, by: '2026-12-31' }],
    ['target:95@2026-12-31', { percent: 95, by: '2026-12-31' }],
    ['target:95', { percent: 95 }],
    ['target: 95 %', { percent: 95 }],
    ['TARGET:95%@2026-q4', { percent: 95, by: '2026-Q4' }],
    ['target:92.5%@2026-12', { percent: 92.5, by: '2026-12' }],
    ['target:100%@2026', { percent: 100, by: '2026' }],
    ['target:95 % @ 2026-12-31', { percent: 95, by: '2026-12-31' }],
    ['target:95% by 2026-12-31', { percent: 95, by: '2026-12-31' }],
    ['target:0.5%', { percent: 0.5 }],
    ['target:95% last-week', { percent: 95 }],
    ['target:95% target:95', { percent: 95 }],
  ])('%s', (text, target) => {
    expect(targetOf(`assignments ${text} csv`)).toEqual(target);
  });

  test.each([
    ['assignments target:', 'value', undefined],
    ['assignments target:soon', 'is not a target', undefined],
    ['assignments target:120%', 'at most 100%', undefined],
    ['assignments target:100.01', 'at most 100%', undefined],
    ['assignments target:0', 'above 0%', undefined],
    ['assignments target:-5%', 'above 0%', undefined],
    ['assignments target:0.95@2026-12-31', '95%@2026-12-31', 'assignments target:95%@2026-12-31'],
    ['assignments target:92,5%', '92.5%', 'assignments target:92.5%'],
    ['assignments target:95%@2026-02-30', 'not in the calendar', undefined],
    ['assignments target:95%@soon', 'after the @', undefined],
    ['assignments target:95%@next-month', 'after the @', undefined],
    ['assignments target:95%@2026-01..2026-03', 'after the @', undefined],
    ['assignments target:95%@', 'after the @', undefined],
    ['assignments target:95% target:96%', 'takes one value', undefined],
    ['completions target:95%', 'not for completions', 'completions'],
    ['overdue target:95%', 'have no rate', 'overdue'],
    ['due target:95% last-week', 'have no rate', 'due last-week'],
    ['assignments only:late target:95%', 'have no rate', 'assignments only:late'],
    ['assignments taget:95%', 'target:', 'assignments target:95%'],
  ])('refuses %s', (text, sentence, corrected) => {
    const parsed = read(text);
    expect(parsed.ok).toBe(false);
    if (parsed.ok) return;
    expect(problemMessageText(parsed.refusal)).toContain(sentence);
    expect(parsed.refusal.corrected).toBe(corrected);
  });

  test('states on top of a saved report with a target are refused', () => {
    const saved: ReportRequest = { ...plainRequest('assignments'), target: { percent: 90 } };
    const on = (text: string) => applyToSaved(saved, { text, from: 0, until: text.length });
    expect(on('only:late').ok).toBe(false);
    const other = on('target:95%@2027');
    expect(other.ok && other.value.request.target).toEqual({ percent: 95, by: '2027' });
    const kept = on('last-week');
    expect(kept.ok && kept.value.request.target).toEqual({ percent: 90 });
  });

  test('is formatted so that it reads back to the same', () => {
    const by = fc.constantFrom(undefined, '2026-12-31', '2027-02', '2027-Q1', '2028');
    const percent = fc.integer({ min: 1, max: 10_000 }).map((n) => n / 100);
    fc.assert(
      fc.property(percent, by, (number, day) => {
        fc.pre(number >= 1);
        const target = day === undefined ? { percent: number } : { percent: number, by: day };
        expect(parseTarget(formatTarget(target))).toEqual({ ok: true, value: target });
        const request: ReportRequest = { ...plainRequest('tracks'), target };
        expect(targetOf(formatRequest(request))).toEqual(target);
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  test('counts its last day, in the zone of whoever asks', () => {
    const target = { percent: 95, by: '2026-12' };
    expect(endOfTarget(target, 'America/New_York')).toBe(Date.parse('2027-01-01T05:00:00Z') / 1000);
    const noon = Date.parse('2027-01-01T04:59:59Z');
    expect(hasPassed(target, noon, 'America/New_York')).toBe(false);
    expect(hasPassed(target, noon, 'Asia/Tokyo')).toBe(true);
    expect(hasPassed({ percent: 95 }, noon, 'Asia/Tokyo')).toBe(false);
  });
});
