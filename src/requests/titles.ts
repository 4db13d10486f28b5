import { distance } from 'fastest-levenshtein';
import { sameLetters } from './nearest.js';
import { foldText } from './text.js';

/** Something learnt, as the service names it. */
export interface Titled {
  readonly id: string;
  readonly title: string;
}

export interface TitleMatches {
  /** At most `maxListedTitles`, sorted by title. */
  readonly found: readonly Titled[];
  /** How many titles match, the ones in `found` included. */
  readonly count: number;
  /** Where none matches: the nearest titles, the nearest first. */
  readonly nearest: readonly Titled[];
}

/** If more match, people type more of the title. */
export const maxListedTitles = 5;
const maxNearest = 3;

/** Limits of one search, so that its memory stays constant. */
const maxKept = 1_000;
const maxSeen = 20_000;
const maxCompared = 5_000;

/** Searches titles for a text, in constant memory. */
export class TitleSearch {
  private readonly exact;
  private readonly folded;
  private best = Number.POSITIVE_INFINITY;
  private matches = new Map<string, string>();
  private readonly seen = new Set<string>();
  /** Titles to look for the nearest in, until one matches. */
  private compared: Titled[] = [];

  constructor(text: string) {
    this.exact = text.trim().normalize('NFC');
    this.folded = foldText(text);
  }

  add(titled: Titled): void {
    const { id, title } = titled;
    if (this.seen.has(id)) return;
    if (this.seen.size < maxSeen) this.seen.add(id);
    const rank = this.rankOf(titled);
    if (rank === undefined) {
      if (this.isEmpty && this.compared.length < maxCompared) this.compared.push(titled);
      return;
    }
    if (rank > this.best) return;
    if (rank < this.best) this.matches = new Map();
    this.best = rank;
    this.compared = [];
    if (this.matches.size < maxKept) this.matches.set(id, title);
  }

  /** True where nothing has matched. */
  get isEmpty(): boolean {
    return this.matches.size === 0;
  }

  finish(): TitleMatches {
    const found = [...this.matches].map(([id, title]) => ({ id, title })).sort(byTitle);
    return {
      found: found.slice(0, maxListedTitles),
      count: found.length,
      nearest: this.isEmpty ? nearestTitles(this.folded, this.compared) : [],
    };
  }

  /** How well a title matches: its identifier, the same, the same when folded, a part. Only the best matches count. */
  private rankOf({ id, title }: Titled): number | undefined {
    if (id === this.exact) return 0;
    if (title.trim().normalize('NFC') === this.exact) return 1;
    const folded = foldText(title);
    if (this.folded === '' || !folded.includes(this.folded)) return undefined;
    return folded === this.folded ? 2 : 3;
  }
}

/** The things whose titles contain a text, each once. Those that begin with it come first, then by title. */
export function titlesContaining(text: string, all: readonly Titled[]): readonly Titled[] {
  const folded = foldText(text);
  const once = new Map(all.map((titled) => [titled.id, titled]));
  const found = [...once.values()].filter(
    ({ id, title }) => id === text.trim() || foldText(title).includes(folded),
  );
  const rank = ({ title }: Titled) => (foldText(title).startsWith(folded) ? 0 : 1);
  return found.sort((one, other) => rank(one) - rank(other) || byTitle(one, other));
}

function byTitle(one: Titled, other: Titled): number {
  return one.title.localeCompare(other.title, 'en') || (one.id < other.id ? -1 : 1);
}

/** Titles with a lower likeness are not near. */
const minLikeness = 0.55;

/** Longer texts are no mistyped titles. */
const maxTypedLength = 200;

/** @param folded the text, as `foldText` returns it */
function nearestTitles(folded: string, titles: readonly Titled[]) {
  if (folded.length > maxTypedLength) return [];
  return titles
    .map((titled) => ({ titled, likeness: likeness(folded, foldText(titled.title)) }))
    .filter((ranked) => ranked.likeness >= minLikeness)
    .sort(
      (one, other) =>
        other.likeness - one.likeness ||
        one.titled.title.length - other.titled.title.length ||
        byTitle(one.titled, other.titled),
    )
    .slice(0, maxNearest)
    .map(({ titled }) => titled);
}

/** The share of a text that a title has, from 0 to 1: of the letters of its words, misspelt or not, or of its pairs of letters. */
function likeness(text: string, title: string): number {
  const titleWords = wordsIn(title);
  const words = wordsIn(text);
  const shared = words.filter((word) => titleWords.some((other) => isNearWord(word, other)));
  const pairs = pairsIn(text);
  const titlePairs = pairsIn(title);
  const sharedPairs = [...pairs].filter((pair) => titlePairs.has(pair)).length;
  const ofWords = lettersIn(shared) / Math.max(1, lettersIn(words));
  return Math.max(ofWords, sharedPairs / Math.max(1, pairs.size));
}

/** Short words could be of any title, so they do not make it near. */
function wordsIn(text: string) {
  return text.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word.length > 2);
}

function lettersIn(words: readonly string[]): number {
  return words.reduce((sum, { length }) => sum + length, 0);
}

function isNearWord(word: string, other: string): boolean {
  const allowed = Math.max(1, Math.floor(word.length / 3));
  return other.startsWith(word) || distance(word, other) <= allowed || sameLetters(word, other);
}

/** Pairs of letters, which find the likeness of texts without blanks between words too. */
function pairsIn(text: string) {
  const letters = [...text];
  return new Set(letters.slice(1).map((letter, index) => `${letters[index]}${letter}`));
}
