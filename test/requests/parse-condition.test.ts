import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allReports } from '../../src/catalogue/index.js';
import { figuresOfRequest } from '../../src/figures/summary/named-figures.js';
import { type AlertCondition, formatCondition } from '../../src/requests/alert-condition.js';
import { parseCommand } from '../../src/requests/parse-command.js';
import type { Problem } from '../../src/requests/problem.js';
import { problemMessageText } from '../../src/requests/problem-messages.js';
import { accepted, refusalOf } from '../results.js';

const saved = { savedNames: ['Weekly sales', 'when changed'] };

function conditionIn(typed: string): AlertCondition | undefined {
  const command = accepted(parseCommand(typed, saved));
  return command.kind === 'schedule' ? command.when : undefined;
}

function problemOf(typed: string): Problem {
  return refusalOf(parseCommand(typed, saved));
}

const over50 = {
  kind: 'threshold',
  figure: 'overdue',
  comparison: '>',
  value: 50,
  isPercent: false,
} as const;

describe('a condition', () => {
  it.each<[string, AlertCondition]>([
    ['overdue > 50', over50],
    ['overdue>50', over50],
    ['  OVERDUE   >50 ', over50],
    ['"overdue" > 50', over50],
    ['overdue > +50', over50],
    ['overdue > 50.0', over50],
    ['overdue is above 50', over50],
    ['overdue over 50', over50],
    ['overdue more  than 50', over50],
    ['overdue >= 50', { ...over50, comparison: '>=' }],
    ['overdue ≥50', { ...over50, comparison: '>=' }],
    ['overdue at least 50', { ...over50, comparison: '>=' }],
    ['overdue < 50', { ...over50, comparison: '<' }],
    ['overdue are below 50', { ...over50, comparison: '<' }],
    ['overdue under 50', { ...over50, comparison: '<' }],
    ['overdue fewer than 50', { ...over50, comparison: '<' }],
    ['overdue less than 50', { ...over50, comparison: '<' }],
    ['overdue <= 50', { ...over50, comparison: '<=' }],
    ['overdue ≤ 50', { ...over50, comparison: '<=' }],
    ['overdue at most 50', { ...over50, comparison: '<=' }],
    ['long-overdue > 50', { ...over50, figure: 'long-overdue' }],
    [
      'completion-rate < 80%',
      { ...over50, figure: 'completion-rate', comparison: '<', value: 80, isPercent: true },
    ],
    [
      'Completion Rate < 80.5 %',
      { ...over50, figure: 'completion-rate', comparison: '<', value: 80.5, isPercent: true },
    ],
    ['completion_rate > 0%', { ...over50, figure: 'completion-rate', value: 0, isPercent: true }],
    ['average-score < -1', { ...over50, figure: 'average-score', comparison: '<', value: -1 }],
    ['overdue > -0', { ...over50, value: 0 }],
    ['changed', { kind: 'changed' }],
    ['CHANGED', { kind: 'changed' }],
    ['new-rows', { kind: 'new-rows' }],
    ['New Rows', { kind: 'new-rows' }],
  ])('%s', (typed, condition) => {
    for (const what of ['overdue', 'overdue last-week departments:daily csv', 'Weekly sales to:me'])
      for (const often of ['daily 9', 'weekly mon 09:00 Europe/Berlin', 'hourly'])
        expect(conditionIn(`schedule ${what} When ${typed} ${often}`)).toEqual(condition);
  });

  it('stands beside the same request and cadence as without it', () => {
    const plain = accepted(parseCommand('schedule overdue csv keep:7d weekly mon 9 Europe/Berlin', saved));
    expect(
      accepted(
        parseCommand('schedule overdue csv keep:7d when overdue > 50 weekly mon 9 Europe/Berlin', saved),
      ),
    ).toEqual({ ...plain, when: over50, whenTyped: 'overdue > 50' });
    expect(plain).not.toHaveProperty('when');
  });

  it('is no part of a saved name, and none of an entry', () => {
    expect(accepted(parseCommand('schedule when changed daily 9', saved))).toMatchObject({
      what: { name: 'when changed' },
    });
    const ofEntry = accepted(parseCommand('schedule overdue departments:"when changed" daily 9', saved));
    expect(ofEntry).not.toHaveProperty('when');
  });
});

const everyFigure = allReports.flatMap(({ name: report }) =>
  figuresOfRequest({ report }).map(({ id }) => id),
);

const anyCondition: fc.Arbitrary<AlertCondition> = fc.oneof(
  fc.record({
    kind: fc.constant('threshold' as const),
    figure: fc.constantFrom(...everyFigure),
    comparison: fc.constantFrom('>', '>=', '<', '<='),
    value: fc.oneof(
      fc.integer({ min: -1_000_000, max: 999_999_999_999 }),
      fc.integer({ min: -10_000_000, max: 10_000_000 }).map((millionths) => millionths / 1_000_000 + 0),
    ),
    isPercent: fc.boolean(),
  }),
  fc.constant({ kind: 'changed' as const }),
  fc.constant({ kind: 'new-rows' as const }),
);

it('every condition in words is read back as that condition', () => {
  fc.assert(
    fc.property(anyCondition, (condition) => {
      expect(conditionIn(`schedule overdue when ${formatCondition(condition)} daily 9`)).toEqual(condition);
    }),
    { numRuns: 2_000 },
  );
});

describe('refused conditions, with the reason and the whole command put right', () => {
  it.each<[string, string, string, string?]>([
    ['overdue when daily 9', 'condition-missing', 'when'],
    ['overdue when > 50 daily 9', 'figure-missing', '> 50'],
    ['overdue when at least 5 daily 9', 'figure-missing', 'at least 5'],
    [
      'overdue when > 50 overdue daily 9',
      'figure-missing',
      '> 50 overdue',
      'overdue when overdue > 50 daily 9',
    ],
    [
      'overdue when more than 50 are overdue daily 9',
      'figure-missing',
      'more than 50 are overdue',
      'overdue when overdue > 50 daily 9',
    ],
    [
      'tracks when under 80% completion rate daily 9',
      'figure-missing',
      'under 80% completion rate',
      'tracks when completion-rate < 80% daily 9',
    ],
    ['overdue when overdue daily 9', 'comparison-missing', 'overdue'],
    ['overdue when overdue 50 daily 9', 'comparison-missing', 'overdue 50'],
    ['overdue when changes daily 9', 'not-a-condition', 'changes', 'overdue when changed daily 9'],
    [
      'overdue when anything changes daily 9',
      'not-a-condition',
      'anything changes',
      'overdue when changed daily 9',
    ],
    ['overdue when newrow daily 9', 'not-a-condition', 'newrow', 'overdue when new-rows daily 9'],
    [
      'overdue when there are new ones daily 9',
      'not-a-condition',
      'there are new ones',
      'overdue when new-rows daily 9',
    ],
    ['overdue when overdue = 50 daily 9', 'not-a-comparison', '='],
    ['overdue when overdue != 50 daily 9', 'not-a-comparison', '!='],
    ['overdue when overdue => 50 daily 9', 'not-a-comparison', '=>', 'overdue when overdue >= 50 daily 9'],
    ['overdue when overdue =< 50 daily 9', 'not-a-comparison', '=<', 'overdue when overdue <= 50 daily 9'],
    ['overdue when overdue > daily 9', 'value-missing', 'overdue >'],
    ['overdue when overdue > many daily 9', 'not-a-value', 'many'],
    ['overdue when 50 > overdue daily 9', 'not-a-value', 'overdue'],
    ['overdue when overdue > 1e9 daily 9', 'not-a-value', '1e9'],
    ['overdue when overdue > 9999999999999 daily 9', 'not-a-value', '9999999999999'],
    ['overdue when overdue > 1,000 daily 9', 'not-a-value', '1,000', 'overdue when overdue > 1000 daily 9'],
    ['overdue when overdue > 0,5 daily 9', 'not-a-value', '0,5', 'overdue when overdue > 0.5 daily 9'],
    ['overdue when overdue > .5 daily 9', 'not-a-value', '.5', 'overdue when overdue > 0.5 daily 9'],
    ['overdue when overdue > 50, daily 9', 'not-a-value', '50,', 'overdue when overdue > 50 daily 9'],
    [
      'overdue when overdue > 50people daily 9',
      'not-a-value',
      '50people',
      'overdue when overdue > 50 daily 9',
    ],
    [
      'tracks when completion-rate < 80 percent daily 9',
      'not-a-value',
      '80 percent',
      'tracks when completion-rate < 80% daily 9',
    ],
    ['engagement when time > 40h daily 9', 'not-a-value', '40h', 'engagement when time > 40 daily 9'],
    ['engagement when time > 3d daily 9', 'not-a-value', '3d'],
    ['overdue when overdue > 50 people daily 9', 'unit', 'people', 'overdue when overdue > 50 daily 9'],
    ['engagement when time > 40 hours daily 9', 'unit', 'hours', 'engagement when time > 40 daily 9'],
    ['engagement when time > 40 days daily 9', 'words-after', 'days'],
    ['overdue when days-overdue > 30 days daily 9', 'unit', 'days', 'overdue when days-overdue > 30 daily 9'],
    ['overdue when overdue > 50 and people > 5 daily 9', 'one-condition', 'and people > 5'],
    ['overdue when changed or new-rows daily 9', 'one-condition', 'or new-rows'],
    ['overdue when overdue > 50 foo daily 9', 'words-after', 'foo'],
    ['overdue when overdue > 50 dayly 9', 'words-after', 'dayly', 'overdue when overdue > 50 daily 9'],
    ['overdue when changed csvv daily 9', 'words-after', 'csvv', 'overdue csv when changed daily 9'],
    ['overdue when changed csv daily 9', 'options-after', 'csv', 'overdue csv when changed daily 9'],
    [
      'overdue when changed last-week departments:Sales daily 9',
      'options-after',
      'last-week departments:Sales',
      'overdue last-week departments:Sales when changed daily 9',
    ],
    [
      'overdue skip-empty csv when changed daily 9',
      'skip-empty',
      'skip-empty',
      'overdue csv when changed daily 9',
    ],
    [
      'Weekly sales SKIP-EMPTY when changed daily 9',
      'skip-empty',
      'SKIP-EMPTY',
      'Weekly sales when changed daily 9',
    ],
  ])('%s', (typed, reason, word, corrected) => {
    const problem = problemOf(`schedule ${typed}`);
    expect(problem).toMatchObject({ kind: 'when', reason, word });
    expect(problem.corrected).toBe(corrected && `schedule ${corrected}`);
    if (corrected !== undefined) expect(parseCommand(`schedule ${corrected}`, saved).ok).toBe(true);
    expect(problemMessageText(problem)).toMatch(/^[^\n]{20,}[.?]$/);
  });

  it('are put right together with other words', () => {
    expect(problemOf('schedule overdu cvs when overdue => 50 dayly 9').corrected).toBe(
      'schedule overdue csv when overdue >= 50 daily 9',
    );
  });

  it.each([
    ['overdue daily 9 when overdue > 50', 'overdue when overdue > 50 daily 9'],
    ['overdue daily 9 Europe/Berlin when changed', 'overdue when changed daily 9 Europe/Berlin'],
    ['overdue daily 9 when changed Europe/Berlin', 'overdue when changed daily 9 Europe/Berlin'],
    ['overdue hourly when changed', 'overdue when changed hourly'],
  ])('a condition after how often goes before it: %s', (typed, corrected) => {
    expect(problemOf(`schedule ${typed}`)).toMatchObject({
      kind: 'cadence',
      reason: 'options-after',
      corrected: `schedule ${corrected}`,
    });
  });

  it('asks how often, and keeps the condition for the form', () => {
    expect(problemOf('schedule overdue when overdue > 50')).toMatchObject({
      kind: 'cadence-missing',
      understood: 'schedule overdue when overdue > 50',
    });
  });

  it('a condition without a schedule is left out, and other words after when are none', () => {
    expect(problemOf('overdue csv when overdue > 50')).toMatchObject({
      kind: 'only-when-scheduled',
      word: 'when overdue > 50',
      corrected: 'overdue csv',
    });
    expect(problemOf('overdue when ready')).toMatchObject({ kind: 'unknown-word', word: 'when' });
  });
});

it('a long condition without sense is refused quickly', () => {
  const typed = `schedule overdue when ${' x'.repeat(1_400)} daily 9`;
  expect(problemOf(typed)).toMatchObject({ kind: 'when', reason: 'comparison-missing' });
});
