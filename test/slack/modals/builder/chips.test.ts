import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chipsOf, entriesFromChips, maxChipLength } from '../../../../src/slack/modals/builder/filters.js';

const anyEntries = fc.uniqueArray(
  fc.oneof(
    fc.string({ minLength: 1, maxLength: 120, unit: 'binary' }),
    fc.string({ minLength: 1, maxLength: 9 }),
  ),
  { maxLength: 40 },
);
const most = fc.integer({ min: 2, max: 50 });

function valuesOf(entries: readonly string[], fit: number): readonly string[] {
  return chipsOf(entries, fit).map(({ value }) => value);
}

describe('entries as choices', () => {
  it('fit where Slack shows them, as many as there is room for, no two alike', () => {
    fc.assert(
      fc.property(anyEntries, most, (entries, fit) => {
        const chips = chipsOf(entries, fit);
        expect(chips.length).toBe(Math.min(entries.length, fit));
        expect(new Set(chips.map(({ value }) => value)).size).toBe(chips.length);
        for (const { value, text } of chips) {
          expect(value.length).toBeLessThanOrEqual(maxChipLength);
          expect(text.length).toBeGreaterThan(0);
          expect(text.length).toBeLessThanOrEqual(maxChipLength);
        }
      }),
    );
  });

  it('give back every entry, in order', () => {
    fc.assert(
      fc.property(anyEntries, most, (entries, fit) => {
        expect(entriesFromChips(valuesOf(entries, fit), entries, [])).toEqual(entries);
      }),
    );
  });

  it('can be taken away and added to one after the other, though the form is not drawn anew in between', () => {
    fc.assert(
      fc.property(anyEntries, most, fc.array(fc.nat(), { maxLength: 8 }), (entries, fit, steps) => {
        let shown = [...valuesOf(entries, fit)];
        let kept: readonly string[] = entries;
        const hidden = entries.slice(Math.min(entries.length, fit) - (entries.length > fit ? 1 : 0));
        for (const [step, choice] of steps.entries()) {
          const isRest = (value: string) => hidden.length > 0 && value === valuesOf(entries, fit).at(-1);
          const removable = shown.filter((value) => !isRest(value));
          const gone = removable[choice % Math.max(1, removable.length)];
          shown =
            choice % 2 === 0 || gone === undefined
              ? [...shown, `new ${step}`]
              : shown.filter((v) => v !== gone);
          kept = entriesFromChips(shown, kept, []);
          for (const entry of hidden) expect(kept).toContain(entry);
        }
        expect(kept).toHaveLength(shown.length - (hidden.length > 0 ? 1 : 0) + hidden.length);
      }),
    );
  });

  it('lose the rest when the choice that stands for it is taken away', () => {
    const entries = Array.from({ length: 10 }, (_, number) => `e${number}`);
    expect(chipsOf(entries, 4).map(({ text }) => text)).toEqual(['e0', 'e1', 'e2', 'and 7 more']);
    expect(entriesFromChips(['e0', 'e2'], entries, [])).toEqual(['e0', 'e2']);
  });

  it('that look like marks are themselves', () => {
    for (const entry of ['mark:abc', 'rest:1.2', 'mark:', 'rest:']) {
      expect(entriesFromChips([entry], [], [])).toEqual([entry]);
      expect(entriesFromChips(valuesOf([entry], 5), [entry], [])).toEqual([entry]);
    }
  });
});
