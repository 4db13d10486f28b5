import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KnownEntries, mayBeList } from '../../src/figures/list-text.js';
import { propertyRuns } from '../property-runs.js';

function split(text: string, listed: readonly string[] = []): readonly string[] {
  const whole = new KnownEntries();
  whole.add(listed);
  return whole.split(text);
}

/** Compares the rest of the text with every known entry. */
function splitNaively(text: string, listed: readonly string[]): readonly string[] {
  const rest = text.trim();
  if (rest === '') return [];
  const whole = listed
    .map((entry) => entry.trim())
    .filter((entry) => mayBeList(entry) && rest.startsWith(entry))
    .filter((entry) => /^\s*(?:[;,]|$)/.test(rest.slice(entry.length)))
    .sort((a, b) => b.length - a.length)[0];
  const first = whole ?? rest.split(rest.includes(';') ? ';' : ',')[0] ?? '';
  const after = rest.slice(first.length).trimStart().slice(1);
  return [first.trim(), ...splitNaively(after, listed)].filter((entry) => entry !== '');
}

describe('a list that came as one text', () => {
  test.each([
    ['Sales; Finance', ['Sales', 'Finance']],
    ['A, B', ['A', 'B']],
    ['Field Operations;Engineering', ['Field Operations', 'Engineering']],
    ['Legal, Tax; Sales', ['Legal, Tax', 'Sales']],
    [' ;; Sales ; ', ['Sales']],
    ['Sales', ['Sales']],
    [',', []],
  ])('%s', (text, entries) => expect(split(text)).toEqual(entries));

  test.each([
    ['A, B', ['A, B'], ['A, B']],
    ['A, B, C', ['A, B'], ['A, B', 'C']],
    ['C; A, B', ['A, B'], ['C', 'A, B']],
    ['A, B; C', ['A, B; C', 'A, B'], ['A, B; C']],
    ['R&D; Labs , Sales', ['R&D; Labs'], ['R&D; Labs', 'Sales']],
    ['A, Bergen', ['A, B'], ['A', 'Bergen']],
    ['A, B', ['A', 'B'], ['A', 'B']],
  ])('%s where a list held %j', (text, listed, entries) => expect(split(text, listed)).toEqual(entries));

  test('any text is taken apart as by trying every known entry', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', ',', ';'), maxLength: 24 });
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 5 }), (whole, listed) => {
        expect(split(whole, listed)).toEqual(splitNaively(whole, listed));
      }),
      { numRuns: propertyRuns(4000) },
    );
  });

  test('a long text of separators takes no long time', () => {
    const listed = ['x,'.repeat(200)];
    const text = `${'a,'.repeat(20_000)}b`;
    expect(split(text, listed)).toHaveLength(20_001);
  });
});
