import { phrasesIn } from './classify-words.js';
import { canBe, isFillerItem } from './items.js';
import { indexNames } from './known-names.js';
import type { SentenceContext, SentenceReading } from './read-sentence.js';
import { isRefusal } from './refusals.js';
import { Sentence, type Word } from './words.js';

/** Longer names are found by a part of them. */
const maxNameWords = 4;
/** A sentence with more unknown words is hardly about people. */
const maxUnknownWords = 12;

/** Words before a person's name, also where it is typed in lower case. */
const beforeName = 'for of by from about to has have had is was did does hows whats';

/**
 * The words of a sentence that could name a person: those with an `@`, capitalized words that say nothing else, and
 * unknown words in the place of a name if it cannot be read without them. The longest first.
 */
export function possibleNames(
  typed: string,
  context: SentenceContext,
  { readings, missing, isForeign }: Pick<SentenceReading, 'readings' | 'missing' | 'isForeign'>,
): readonly string[] {
  // Whatever they name, the rest cannot be asked.
  if (isForeign || (isRefusal(missing) && missing !== 'person')) return [];
  const sentence = new Sentence(typed, context);
  const { text, words } = sentence;
  const items = phrasesIn(sentence, indexNames(context.known, context.savedNames, words));
  const nameable = items.flatMap((item) => {
    const word = words[item.start];
    if (word?.kind === 'person') return [item.start];
    if (word?.kind !== 'word') return [];
    const isCapital = sentence.isCapital(item.start) && item.start > 0 && item.end - item.start === 1;
    const isPlace = sentence.is(item.start - 1, beforeName) || /['’]s$/.test(word.text);
    const isUnknown = canBe(item, 'unknown') && (isCapital || (isPlace && readings.length === 0));
    return isUnknown || (isCapital && isFillerItem(item)) ? [item.start] : [];
  });
  if (nameable.length > maxUnknownWords) return [];
  const names = new Set<string>();
  for (let length = maxNameWords; length > 0; length -= 1) {
    for (let start = 0; start + length <= words.length; start += 1) {
      const end = start + length;
      if (!nameable.some((at) => start <= at && at < end) || !isOneName(words, start, end)) continue;
      const [first, last] = [words[start], words[end - 1]];
      if (first && last) names.add(text.slice(first.start, last.end).replace(/['’]s?$/, ''));
    }
  }
  return [...names];
}

/** An `@` begins a name, and signs other than those inside of names end it. */
function isOneName(words: readonly Word[], start: number, end: number): boolean {
  return words.slice(start, end).every((word, index) => {
    const isPlace = word.kind === 'word' || (word.kind === 'person' && index === 0);
    return isPlace && !/\d/.test(word.kind === 'word' ? word.text : '');
  });
}
