import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editBudget } from '../../../src/slack/delivery/progress.js';

describe('the edits of progress messages', () => {
  it('never exceed the budget in any minute, whoever asks when', () => {
    const asks = fc.array(fc.tuple(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 8 })), {
      maxLength: 400,
    });
    fc.assert(
      fc.property(asks, (steps) => {
        let now = 1_000_000;
        const budget = editBudget(30, () => now);
        const taken: number[] = [];
        for (const [passed, run] of steps) {
          now += passed;
          if (budget.take(`run ${run}`)) taken.push(now);
        }
        for (const at of taken) {
          expect(taken.filter((other) => other > at - 60_000 && other <= at).length).toBeLessThanOrEqual(30);
        }
      }),
    );
  });

  it('are shared: when they run short, nobody is served twice before everybody once', () => {
    let now = 1_000_000;
    const budget = editBudget(30, () => now);
    const served = new Map<string, number>();
    for (let second = 0; second < 60; second += 2) {
      now += 2000;
      for (const run of ['a', 'b', 'c', 'd']) {
        if (budget.take(run)) served.set(run, (served.get(run) ?? 0) + 1);
      }
    }
    const counts = [...served.values()];
    expect(counts).toHaveLength(4);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(30);
  });

  it('a run that is over is not waited for', () => {
    let now = 1_000_000;
    const budget = editBudget(4, () => now);
    expect(budget.take('gone')).toBe(true);
    now += 1;
    expect(budget.take('here')).toBe(true);
    now += 1;
    expect(budget.take('here')).toBe(false);
    budget.leave('gone');
    expect(budget.take('here')).toBe(true);
  });
});
