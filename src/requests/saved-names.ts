import { ok, type Result, refused } from '../errors/failure.js';
import { hasRangeForm, maxRangeWords } from './range-words.js';
import { commandWord, reportWord } from './vocabulary.js';

const maxSavedNameLength = 60;

/** Why a name was refused, after “it can't be a name:”. */
export const savedNameReasons = {
  empty: 'it needs at least one character',
  'too-long': `it may have ${maxSavedNameLength} characters at most`,
  colon: 'it may not hold a colon',
  semicolon: 'it may not hold a semicolon, which separates the lines of a scorecard',
  'begins-with-report': "it begins with a report's name, so the two could not be told apart",
  'begins-with-command': 'it begins with a word that is a command of its own',
  'begins-with-range': 'it begins with a range, so the two could not be told apart',
};

export type SavedNameError = keyof typeof savedNameReasons;

/** Validates a name for a saved report. Returns it with single blanks. The store checks whether it is taken. */
export function validateSavedName(typed: string): Result<string, SavedNameError> {
  const name = withSingleBlanks(typed);
  if (name === '') return refused('empty');
  if ([...name].length > maxSavedNameLength) return refused('too-long');
  if (name.includes(':')) return refused('colon');
  if (name.includes(';')) return refused('semicolon');
  const words = name.split(' ');
  const [first = ''] = words;
  if (reportWord(first)) return refused('begins-with-report');
  if (commandWord(first)) return refused('begins-with-command');
  const beginsWithRange = words
    .slice(0, maxRangeWords)
    .some((_word, index) => hasRangeForm(words.slice(0, index + 1).join(' ')));
  return beginsWithRange ? refused('begins-with-range') : ok(name);
}

/** The valid name nearest to an invalid one. */
export function possibleSavedName(typed: string): string | undefined {
  const short = [...withSingleBlanks(typed.replaceAll(';', ' '))]
    .slice(0, maxSavedNameLength)
    .join('')
    .trim();
  return [short, `My ${short}`].find((candidate) => validateSavedName(candidate).ok);
}

/** Equal for two spellings of one name: case and the length of blanks do not count. */
export function savedNameKey(name: string): string {
  return withSingleBlanks(name).normalize('NFC').toLowerCase();
}

function withSingleBlanks(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

/** The longest saved name at an offset of the text, and where it ends. */
export function findSavedName(text: string, start: number, savedNames: readonly string[]) {
  const byKey = new Map(savedNames.map((name) => [savedNameKey(name), name]));
  const found = possibleNamesAt(text, start).flatMap(({ key, end }) => {
    const name = byKey.get(key);
    return name === undefined ? [] : [{ name, end }];
  });
  return found.at(-1);
}

/** What can be a saved name at an offset of the text, as keys: its first word, its first two words, and so on. */
export function possibleNamesAt(text: string, start: number) {
  const word = /\S+/g;
  word.lastIndex = start;
  const found: { key: string; end: number }[] = [];
  while (found.length < maxSavedNameLength && word.exec(text)) {
    const end = word.lastIndex;
    found.push({ key: savedNameKey(text.slice(start, end)), end });
    if (end - start > 8 * maxSavedNameLength) break;
  }
  return found;
}
