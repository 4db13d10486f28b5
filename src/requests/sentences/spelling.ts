import { monthNames, unitWords, weekdayNames } from '../calendar-words.js';
import { typosIn } from '../nearest.js';
import { lazily } from '../text-tables.js';
import { steps } from './dates.js';
import { type KnownNames, keysOfName, knowsPlacesOf, knowsTracksOf } from './known-names.js';
import { lexiconWords } from './lexicon.js';
import { readWords, type Word } from './words.js';

/** Longer sentences are not corrected. */
const maxWords = 40;

const maxMisspelt = 4;
const maxCandidates = 4;

/** The most corrections of one sentence that are tried. */
const maxSentences = 12;

const others =
  'today yesterday tomorrow since from until between before first second third fourth half start beginning end every daily weekly monthly quarterly hourly weekdays weekday mondays tuesdays wednesdays thursdays fridays';

const knownWords = lazily(
  () =>
    new Set(
      [
        ...monthNames.map((name) => name.toLowerCase()),
        // Of two days that are equally near, Sunday is offered first.
        'sunday',
        ...weekdayNames,
        ...steps.keys(),
        ...unitWords.keys(),
        ...others.split(' '),
        ...lexiconWords(),
      ].filter((word) => word.length > 2),
    ),
);

/** A sentence with its misspelt words corrected, in the likeliest ways. The caller decides which ones make sense. */
export function correctedSentences(sentence: string, known: KnownNames): readonly string[] {
  const words = readWords(sentence);
  if (words.length > maxWords) return [];
  const nameKeys = new Set([...known.values, ...known.titles].flatMap(keysOfName));
  const misspelt = words.flatMap((word) => {
    const candidates = candidatesFor(word, nameKeys);
    return candidates.length > 0 ? [{ word, candidates }] : [];
  });
  if (misspelt.length === 0 || misspelt.length > maxMisspelt) return [];
  // From the end, so that the positions of earlier words stay valid.
  let sentences: readonly string[] = [sentence];
  for (const { word, candidates } of misspelt.reverse()) {
    sentences = candidates
      .flatMap((candidate) =>
        sentences.map((text) => text.slice(0, word.start) + candidate + text.slice(word.end)),
      )
      .slice(0, maxSentences);
  }
  return sentences;
}

/** The valid words nearest to a misspelt one. Empty for a valid word. */
function candidatesFor({ kind, key }: Word, nameKeys: ReadonlySet<string>): readonly string[] {
  const isValid = knownWords().has(key) || nameKeys.has(key) || /\d/.test(key);
  if (kind !== 'word' || key.length < 3 || key.length > 30 || isValid) return [];
  const near = [...nameKeys, ...knownWords()].map((word) => ({ word, off: typosIn(key, word) }));
  const [fewest] = near.flatMap(({ off }) => off ?? []).sort((a, b) => a - b);
  return near
    .filter(({ off }) => off !== undefined && off === fewest)
    .slice(0, maxCandidates)
    .map(({ word }) => word);
}

/**
 * Returns a quick measure of the words that a name shares, or nearly, with a sentence; 0: none. Names without any do not
 * change how the sentence is read. Those with all of their words in it come before all others. It splits names without
 * regard to grammar, because there can be many thousands.
 */
export function likenessTo(sentence: string): (name: string) => number {
  const typed = readWords(sentence).map(({ key }) => key);
  const keys = new Set(typed.flatMap((key) => [key, ...wordsIn(key)]));
  const spelled = [...new Set(typed)].filter((key) => key.length > 1).slice(0, maxWords);
  const isNear = (word: string) =>
    keys.has(word) ||
    keys.has(`${word}s`) ||
    keys.has(word.replace(/s$/, '')) ||
    (word.length > 3 && spelled.some((key) => typosIn(key, word) !== undefined));
  // Names share most of their words, so results are cached.
  const known = new Map<string, boolean>();
  return (name) => {
    let shared = 0;
    let isWhole = true;
    for (const word of wordsIn(name)) {
      const near = known.get(word) ?? isNear(word);
      known.set(word, near);
      if (near) shared += 1;
      else isWhole &&= word === '';
    }
    return shared > 0 && isWhole ? shared + wholeNames : shared;
  };
}

/** More than the words of a sentence. */
const wholeNames = 1_000;

/** The words between blanks and signs, without what an apostrophe adds. */
function wordsIn(text: string) {
  // Most names have simple letters, for which this is several times as fast.
  if (/^[\w .,:;/()&+-]*$/.test(text)) return text.toLowerCase().split(/[^a-z0-9]+/);
  const plain = text.normalize('NFKC').toLowerCase();
  return plain.replace(/['’ʼ`´](?:s(?![\p{L}\p{N}]))?/gu, '').split(/[^\p{L}\p{N}]+/u);
}

/** The names that share a word, or nearly, with the sentence. Fewer names make reading quick. */
export function namesNear(sentence: string, known: KnownNames): KnownNames {
  const likeness = likenessTo(sentence);
  return {
    ...known,
    values: known.values.filter(({ entry }) => likeness(entry) > 0),
    titles: known.titles.filter(({ title }) => likeness(title) > 0),
    // Names that are far from the sentence are known all the same.
    knowsPlaces: knowsPlacesOf(known),
    knowsTracks: knowsTracksOf(known),
  };
}
