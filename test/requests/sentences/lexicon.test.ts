import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Fact } from '../../../src/requests/sentences/facts.js';
import { phraseAt, phrases } from '../../../src/requests/sentences/lexicon.js';
import { Sentence } from '../../../src/requests/sentences/words.js';
import { propertyRuns } from '../../property-runs.js';
import { world } from './world.js';

/** Each way to say a pattern, spelled out. */
function spellings(pattern: string): readonly string[] {
  return pattern.split(' ').reduce<readonly string[]>(
    (all, slot) => {
      const words = slot.replace(/\?$/, '').replaceAll('+', ' ').split('|');
      return all.flatMap((before) =>
        (slot.endsWith('?') ? ['', ...words] : words).map((word) => `${before} ${word}`.trim()),
      );
    },
    [''],
  );
}

const factsBySpelling = new Map<string, Fact[]>();
for (const { fact, patterns } of phrases) {
  for (const spelled of new Set(patterns.flatMap(spellings))) {
    const facts = factsBySpelling.get(spelled) ?? [];
    const isKnown = facts.some((other) => JSON.stringify(other) === JSON.stringify(fact));
    factsBySpelling.set(spelled, isKnown ? facts : [...facts, fact]);
  }
}

function phraseAtNaively({ words }: Sentence, at: number) {
  for (let length = words.length - at; length > 0; length -= 1) {
    const typed = words.slice(at, at + length);
    const facts = factsBySpelling.get(typed.map(({ key }) => key).join(' '));
    if (facts && typed.every(({ kind }) => kind === 'word' || kind === 'comma')) return { length, facts };
  }
  return undefined;
}

test('the longest phrase at a word is that of the phrases spelled out', () => {
  const spelled = [...factsBySpelling.keys()];
  const phrase = fc.nat(spelled.length - 1).map((at) => spelled[at] ?? '');
  fc.assert(
    fc.property(fc.array(phrase, { minLength: 1, maxLength: 3 }), fc.nat(3), (said, left) => {
      // A phrase that is cut short is another one, or none.
      const sentence = new Sentence(said.join(' ').split(' ').slice(left).join(' '), world);
      for (const at of sentence.words.keys())
        expect(phraseAt(sentence, at)).toEqual(phraseAtNaively(sentence, at));
    }),
    { numRuns: propertyRuns(4000) },
  );
});
