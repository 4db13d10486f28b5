import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayText, distinctTexts, truncateText } from '../../src/requests/text.js';
import { anyCharacter } from '../any-character.js';
import { propertyRuns } from '../property-runs.js';

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
        fc.string({ unit: anyCharacter, maxLength: 300 }),
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

describe('texts that must differ', () => {
  test.each([
    [
      ['Field Operations North', 'Field Operations North-East', 'Sales', 'Field Operations No…'],
      ['…Operations North', '…North-East', 'Sales', '…Operations No…'],
    ],
    // Without shared words, both ends tell them apart.
    [
      ['Onboardingfornewcolleagues-2025', 'Onboardingfornewcolleagues-2026'],
      ['Onboardin…agues-2025', 'Onboardin…agues-2026'],
    ],
    [
      ['Sales', 'Sales', 'Sales 1'],
      ['Sales 2', 'Sales 3', 'Sales 1'],
    ],
    [['Data protection at work'], ['Data protection at…']],
  ])('%j are cut to %j', (texts, cut) => expect(distinctTexts(texts, 20)).toEqual(cut));

  test('are always unique, and as short as they must be', () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 40 }),
      fc.constantFrom('a', 'a 1', 'a 2', '', 'x'.repeat(30), `${'x '.repeat(20)}y`, `${'x '.repeat(20)}z`),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 20 }), (texts) => {
        const distinct = distinctTexts(texts, 20);
        expect(new Set(distinct).size).toBe(texts.length);
        for (const one of distinct) expect(one.length).toBeLessThanOrEqual(20);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});
