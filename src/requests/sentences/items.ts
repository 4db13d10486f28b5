import type { TextSpan } from '../tokens.js';
import { type Fact, type FactOf, factsOf, hasFact } from './facts.js';
import { isOneOf, type Sentence } from './words.js';

/** Words that belong together, and what they say: one of several facts. `start` and `end` are indexes of words. */
export interface Item extends TextSpan {
  /** The keys of its words, with blanks between them. */
  readonly keys: string;
  readonly facts: readonly Fact[];
}

/** After “in”, a department that is called Training is the department. */
export function followsPreposition(sentence: Sentence, at = -1): boolean {
  const before = sentence.is(at - 1, 'the') ? at - 2 : at - 1;
  return sentence.is(before, 'in for from at of');
}

export function factOf<Kind extends Fact['kind']>(
  item: Item | undefined,
  kind: Kind,
): FactOf<Kind> | undefined {
  return factsOf(item?.facts ?? [], kind)[0];
}

export function canBe(item: Item | undefined, ...kinds: readonly Fact['kind'][]): boolean {
  return hasFact(item?.facts ?? [], ...kinds);
}

export function isFillerItem(item: Item | undefined): boolean {
  return item?.facts.every(({ kind }) => kind === 'filler') ?? false;
}

export function isPlural(item: Item | undefined): boolean {
  return /(?:[^s]s|sses)$/.test(item?.keys ?? '');
}

export function beginsWith({ keys }: Item, words: string): boolean {
  return isOneOf(keys.split(' ')[0] ?? '', words);
}

/** The item beside another one, with nothing but “the”, “of” or “called” between them. */
export function neighbourOf(items: readonly Item[], index: number, step: 1 | -1): number {
  const isBetween = ({ keys }: Item) => step > 0 && isOneOf(keys, 'the of called named is or');
  return skipFillers(items, index + step, step, isBetween);
}

/** The index of the first item, back or forth, that is not such a filler. */
export function skipFillers(
  items: readonly Item[],
  from: number,
  step: 1 | -1,
  isSkipped: (item: Item) => boolean,
): number {
  let at = from;
  for (let item = items[at]; item && isFillerItem(item) && isSkipped(item); item = items[at]) at += step;
  return at;
}
