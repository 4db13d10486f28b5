import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayText, truncateText } from '../../../src/figures/format/text.js';

describe('display text', () => {
  test.each([
    ['two\nlines\r\nand\ttabs', 'two lines and tabs'],
    ['\u001b[31mred\u0007', '[31mred'],
    ['\u202egnp.exe', 'gnp.exe'],
    ['a\u2067b\u2069c\u200bd\ufeffe', 'abcde'],
    ['half \ud83d', 'half \ufffd'],
    ['  padded  ', 'padded'],
    ['\u0000\u0001', '(blank)'],
    ['मैं 👩‍🚀 العربية', 'मैं 👩‍🚀 العربية'],
  ])('%j is shown as %j', (text, shown) => expect(displayText(text, 80)).toBe(shown));

  test('is one line within the limit, without half characters', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.integer({ min: 10, max: 60 }),
        (text, most) => {
          const shown = displayText(text, most);
          expect(shown.length).toBeGreaterThan(0);
          expect(shown.length).toBeLessThanOrEqual(most);
          expect(shown).not.toMatch(/[\p{Cc}\p{Surrogate}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
        },
      ),
    );
  });
});

test('text is cut between characters', () => {
  expect(truncateText('abcdef', 6)).toBe('abcdef');
  expect(truncateText('abcdef', 5)).toBe('abcd…');
  expect(truncateText('abc👩def', 5)).toBe('abc…');
});
