import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chipsOf, entriesFromChips, maxChipLength } from '../../../../src/slack/forms/filters.js';
import { anyCharacter } from '../../../any-character.js';

const anyEntries = fc.uniqueArray(
  fc.oneof(
    fc.string({ minLength: 1, maxLength: 120, unit: anyCharacter }),
    fc.string({ minLength: 1, maxLength: 9 }),
  ),
  { maxLength: 40 },
);
const anyMaximum = fc.integer({ min: 2, max: 50 });

function valuesOf(entries: readonly string[], maxShown: number): readonly string[] {
  return chipsOf(entries, maxShown).map(({ value }) => value);
}

describe('entries as options', () => {
  it('are unique, and keep to the limits on length and number', () => {
    fc.assert(
      fc.property(anyEntries, anyMaximum, (entries, maxShown) => {
        const chips = chipsOf(entries, maxShown);
        expect(chips.length).toBe(Math.min(entries.length, maxShown));
        expect(new Set(chips.map(({ value }) => value)).size).toBe(chips.length);
        for (const { value, text } of chips) {
          expect(value.length).toBeLessThanOrEqual(maxChipLength);
          expect(text.length).toBeGreaterThan(0);
          expect(text.length).toBeLessThanOrEqual(maxChipLength);
        }
      }),
    );
  });

  it('resolve to every entry, in order', () => {
    fc.assert(
      fc.property(anyEntries, anyMaximum, (entries, maxShown) => {
        expect(entriesFromChips(valuesOf(entries, maxShown), entries, [])).toEqual(entries);
      }),
    );
  });

  it('can be removed and added one by one, without an update of the form in between', () => {
    fc.assert(
      fc.property(
        anyEntries,
        anyMaximum,
        fc.array(fc.nat(), { maxLength: 8 }),
        (entries, maxShown, steps) => {
          let shown = [...valuesOf(entries, maxShown)];
          let kept: readonly string[] = entries;
          const hidden = entries.slice(
            Math.min(entries.length, maxShown) - (entries.length > maxShown ? 1 : 0),
          );
          for (const [step, choice] of steps.entries()) {
            const isRest = (value: string) =>
              hidden.length > 0 && value === valuesOf(entries, maxShown).at(-1);
            const removable = shown.filter((value) => !isRest(value));
            const removed = removable[choice % Math.max(1, removable.length)];
            shown =
              choice % 2 === 0 || removed === undefined
                ? [...shown, `new ${step}`]
                : shown.filter((v) => v !== removed);
            kept = entriesFromChips(shown, kept, []);
            for (const entry of hidden) expect(kept).toContain(entry);
          }
          expect(kept).toHaveLength(shown.length - (hidden.length > 0 ? 1 : 0) + hidden.length);
        },
      ),
    );
  });

  it('lose all hidden entries when the last option is removed', () => {
    const entries = Array.from({ length: 10 }, (_, number) => `e${number}`);
    expect(chipsOf(entries, 4).map(({ text }) => text)).toEqual(['e0', 'e1', 'e2', 'and 7 more']);
    expect(entriesFromChips(['e0', 'e2'], entries, [])).toEqual(['e0', 'e2']);
  });

  it('may look like hashes', () => {
    for (const entry of ['mark:abc', 'rest:1.2', 'mark:', 'rest:']) {
      expect(entriesFromChips([entry], [], [])).toEqual([entry]);
      expect(entriesFromChips(valuesOf([entry], 5), [entry], [])).toEqual([entry]);
    }
  });
});
