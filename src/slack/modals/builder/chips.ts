import { hashed, hashText } from '../../../figures/counting/hashed-text.js';
import { showable } from '../../../figures/format/showable.js';

/** An entry as one choice among others: its words and its value have room for 75 characters each. */
export interface Chip {
  readonly value: string;
  readonly text: string;
}

export const LONGEST_CHIP = 75;

const marks = /^(?:mark|rest):/;

/**
 * Entries as choices. Where there are too many of them, the last choice stands for the rest; where one is too long, or
 * holds what does not belong on a line, its value is a mark by which the entry is found again.
 */
export function chipsOf(entries: readonly string[], most: number): readonly Chip[] {
  if (entries.length <= most) return entries.map(chipOf);
  const shown = entries.slice(0, most - 1);
  const rest = entries.slice(most - 1);
  const value = `rest:${markOf(rest[0] ?? '')}.${markOf(rest.at(-1) ?? '')}`;
  return [...shown.map(chipOf), { value, text: `and ${rest.length} more` }];
}

/**
 * The entries that these values of choices stand for, each once.
 *
 * @param before the entries that were there
 * @param offered texts that were offered besides them, under their marks
 */
export function entriesFromChips(
  values: readonly string[],
  before: readonly string[],
  offered: readonly string[],
): readonly string[] {
  const marked = values.some((value) => marks.test(value));
  const all = [...offered, ...before];
  const places = new Map(marked ? all.map((entry, place) => [markOf(entry), place]) : []);
  const entries = values.flatMap((value) => {
    const [, first = '', last = ''] = /^rest:([^.]+)\.(.+)$/.exec(value) ?? [];
    const from = places.get(first);
    const to = places.get(last);
    if (from !== undefined && to !== undefined) return all.slice(from, to + 1);
    const place = value.startsWith('mark:') ? places.get(value.slice('mark:'.length)) : undefined;
    return place === undefined ? [value] : all.slice(place, place + 1);
  });
  return [...new Set(entries)];
}

/** An entry as a choice. */
export function chipOf(entry: string): Chip {
  const plain = entry.length <= LONGEST_CHIP && !/\p{C}|[^\S ]/u.test(entry) && !marks.test(entry);
  return { value: plain ? entry : `mark:${markOf(entry)}`, text: showable(entry, LONGEST_CHIP) };
}

/** Short enough for a value, and of this entry alone. */
function markOf(entry: string): string {
  hashText(entry);
  return `${hashed.high.toString(36)}-${hashed.low.toString(36)}`;
}
