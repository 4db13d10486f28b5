import type { Fact } from './lexicon.js';
import type { Word } from './words.js';

/** Words that belong together, and what they say: one of several facts. */
export interface Item {
  /** Indexes of the words, from `start` up to but without `end`. */
  readonly start: number;
  readonly end: number;
  readonly facts: readonly Fact[];
}

type FactKind = Fact['kind'];
export type FactOf<Kind extends FactKind> = Extract<Fact, { readonly kind: Kind }>;

export const unknown: readonly Fact[] = [{ kind: 'unknown' }];
export const filler: readonly Fact[] = [{ kind: 'filler' }];

/** After “in”, a department that is called Training is the department. */
export function followsPreposition(words: readonly Word[], at: number): boolean {
  const before = words[at - 1]?.key === 'the' ? words[at - 2] : words[at - 1];
  return /^(?:in|for|from|at|of)$/.test(before?.key ?? '');
}

export function factOf<Kind extends FactKind>(item: Item | undefined, kind: Kind): FactOf<Kind> | undefined {
  return item?.facts.find((fact): fact is FactOf<Kind> => fact.kind === kind);
}

export function isFillerItem(item: Item | undefined): boolean {
  return item?.facts.every(({ kind }) => kind === 'filler') ?? false;
}

export function isUnknownItem(item: Item | undefined): boolean {
  return factOf(item, 'unknown') !== undefined;
}

export function isPlural(words: readonly Word[], item: Item | undefined): boolean {
  return /(?:[^s]s|sses)$/.test(words[(item?.end ?? 0) - 1]?.key ?? '');
}

/** The item beside another one, with nothing but “the”, “of” or “called” between them. */
export function neighbourOf(
  items: readonly Item[],
  index: number,
  step: number,
  words: readonly Word[],
): number | undefined {
  const between = step > 0 ? /^(?:the|of|called|named|is|or)$/ : /^$/;
  for (let at = index + step; at >= 0 && at < items.length; at += step) {
    const item = items[at];
    if (!item) return undefined;
    const isBetween =
      isFillerItem(item) && between.test(words[item.start]?.key ?? '') && item.end - item.start === 1;
    if (!isBetween) return at;
  }
  return undefined;
}

export function textOf(start: number, end: number, words: readonly Word[], sentence: string): string {
  const [first, last] = [words[start], words[end - 1]];
  if (!first || !last) return '';
  return sentence
    .slice(first.start, last.end)
    .replace(/["“”„‟,]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/['’]s$/, '')
    .trim();
}
