import { distance } from 'fastest-levenshtein';
import { zoneNames } from '../schedule/time-zones.js';

/** No typo of a valid word is longer than this. */
const maxTypoLength = 60;

/**
 * The valid word that was probably meant, ignoring case. In this order:
 * 1. one letter off, or two swapped letters;
 * 2. begins with what was typed;
 * 3. at most two letters, or a third of them, off;
 * 4. contains it as full words, as `this-week` contains `week`.
 */
export function nearest(typed: string, valid: Iterable<string>): string | undefined {
  const word = typed.toLowerCase();
  if (word === '' || word.length > maxTypoLength) return undefined;
  let best: { readonly word: string; readonly rank: number } | undefined;
  for (const candidate of valid) {
    const rank = rankOf(word, candidate.toLowerCase());
    if (rank !== undefined && rank < (best?.rank ?? Number.POSITIVE_INFINITY))
      best = { word: candidate, rank };
  }
  return best?.word;
}

/** Lower is nearer; undefined: not near at all. */
function rankOf(word: string, candidate: string): number | undefined {
  const off = distance(word, candidate);
  if (off <= 1 && off < word.length) return off;
  if (off === 2 && sameLetters(word, candidate)) return 1;
  if (word.length >= 3 && candidate.startsWith(word)) return 2 + candidate.length / 100;
  const allowed = Math.max(word.length >= 4 ? 2 : 1, Math.floor(Math.max(word.length, candidate.length) / 3));
  if (off <= allowed && off < word.length) return 2 + off;
  return word.length >= 3 && isPartOf(word, candidate) ? 100 : undefined;
}

/** True for one or more full words of a name: `week` or `completed_date`. */
function isPartOf(word: string, name: string): boolean {
  const inOneSpelling = (text: string) => `_${text.replace(/[-.:\s]/g, '_')}_`;
  return name.length >= word.length && inOneSpelling(name).includes(inOneSpelling(word));
}

export function sameLetters(word: string, candidate: string): boolean {
  return [...word].sort().join('') === [...candidate].sort().join('');
}

/** How many letters were mistyped; undefined: too many for a typo. Two swapped letters count as one. */
export function typosIn(typed: string, word: string): number | undefined {
  if (Math.abs(typed.length - word.length) > 2) return undefined;
  const off = distance(typed, word);
  if (off <= 1) return off;
  if (off > 2) return undefined;
  if (sameLetters(typed, word)) return 1;
  return typed.length >= 7 ? 2 : undefined;
}

/** Shorter texts are near to some city by chance. */
const minMisspeltLength = 5;

/** The nearest zone: one of that city in any area, else the nearest in spelling. */
export function nearestZone(typed: string): string | undefined {
  const name = typed.trim().replace(/\s+/g, '_').toLowerCase();
  const city = cityOf(name);
  const cities = new Map(zoneNames.map((zone) => [cityOf(zone).toLowerCase(), zone]));
  const near = cities.get(city) ?? nearest(name, zoneNames);
  if (near !== undefined || city.length < minMisspeltLength) return near;
  return cities.get(nearest(city, cities.keys()) ?? '');
}

function cityOf(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1);
}
