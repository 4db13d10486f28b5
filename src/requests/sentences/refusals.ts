import { factOf, type Item, isFillerItem, isUnknownItem } from './items.js';
import type { Refusal } from './lexicon.js';
import { countOf, type Word } from './words.js';

/** Of several, the first one is said. A share has a number beside it, and so may somebody who is left out. */
const refusals: readonly Refusal[] = [
  'two',
  'two-scheduled',
  'against',
  'rate',
  'other',
  'never',
  'excluding',
  'comparing',
  'trend',
  'person',
];

export function isRefusal(missing: string | undefined): missing is Refusal {
  return refusals.some((refusal) => refusal === missing);
}

/**
 * Why a sentence can be no command although its words are known: a word of negation, comparison, quantity or rate has no
 * place in what was understood. Undefined: every such word has one.
 */
export function refusalIn(
  items: readonly Item[],
  words: readonly Word[],
  sentence: string,
): Refusal | undefined {
  const found = new Set<Refusal>();
  const key = (at: number) => words[at]?.key ?? '';
  const compares = items.some((item) => factOf(item, 'compare'));
  const hasRange = items.some((item) => factOf(item, 'range') ?? factOf(item, 'before'));
  const hasTitle = items.some((item) => factOf(item, 'title') ?? factOf(item, 'quoted'));
  const isBrokenDown = items.some((item) => factOf(item, 'by') ?? factOf(item, 'compare'));
  for (const [index, item] of items.entries()) {
    const reason = reasonOf(items, index, words);
    const isOthers = compares && /^(?:others?|else)$/.test(keysIn(item, words));
    if (reason) found.add(isOthers ? 'against' : reason);
    // Without a range, whoever did nothing did nothing at all.
    if (factOf(item, 'state') && /thing$/.test(keysIn(item, words)) && !hasRange) found.add('never');
    const ranks = /\b(?:most|least|highest|lowest|fewest|ranked|ranking)\b/.test(keysIn(item, words));
    if (ranks && !factOf(item, 'refused') && !factOf(item, 'sort') && !isNamed(item) && !isBrokenDown)
      found.add('rate');
    const option = factOf(item, 'option');
    if (option && /^[^:]*:\s*!\s*[^\s,]/.test(option.text)) found.add('excluding');
    if (isNeverItem(items, index, words) && !hasTitle) found.add('never');
    // “Workshops with no-shows” are some of them.
    const isSeats = /^(?:no shows?|noshows|cancelled registrations)$/.test(keysIn(item, words));
    if (isSeats && /^(?:with|had|having|have|has)$/.test(key(item.start - 1))) found.add('comparing');
  }
  // A number beside an unknown word may belong to it.
  const hasUnknown = items.some((item) => isUnknownItem(item) && !isNumber(item, words));
  const counts = items.findIndex((item) => isNumber(item, words));
  if (counts >= 0 && (!hasUnknown || countsRows(items[counts + 1], words))) found.add(numberReason(words));
  if (namesSomebody(items, words, sentence)) found.add('person');
  return refusals.find((reason) => found.has(reason));
}

function reasonOf(items: readonly Item[], index: number, words: readonly Word[]): Refusal | undefined {
  const item = items[index];
  const refused = factOf(item, 'refused');
  if (!item || !refused) return undefined;
  // “Without HR” leaves out, “without a manager” asks for what is missing.
  const isLack = refused.reason === 'never' && /^(?:without|no|none|nobody)$/.test(keysIn(item, words));
  const isThe = /^(?:the|my)$/.test(words[item.end]?.key ?? '') && keysIn(item, words) === 'without';
  return isLack && (isThe || isBesideName(items, index, words)) ? 'excluding' : refused.reason;
}

function isBesideName(items: readonly Item[], index: number, words: readonly Word[]): boolean {
  const rest = items.slice(index + 1);
  const next = rest.find((item) => !/^(?:the|any|of|in|from|at)$/.test(keysIn(item, words)));
  const isMine = factOf(next, 'filter') !== undefined;
  return isMine || (next?.facts.some(({ kind }) => /^(?:value|title|quoted)$/.test(kind)) ?? false);
}

/** “Two videos”, “five completions” and “30 days” are a condition. */
function countsRows(next: Item | undefined, words: readonly Word[]): boolean {
  if (next && /^(?:hours?|minutes?|days?|weeks?|months?|years?|percent|times)$/.test(keysIn(next, words)))
    return true;
  const counted = /^(?:thing|report|value|noun|state|view)$/;
  return next?.facts.some(({ kind }) => counted.test(kind)) ?? false;
}

function numberReason(words: readonly Word[]): Refusal {
  return words.some(({ key }) => /^(?:rates?|percentage)$/.test(key)) ? 'rate' : 'comparing';
}

/** A number that is no day, time or range. “Quick one” is no number. */
function isNumber(item: Item, words: readonly Word[]): boolean {
  const word = words[item.start];
  if (!isUnknownItem(item) || word?.kind !== 'word') return false;
  return /^\d+(?:[.,]\d+)?%$|^%$/.test(word.text) || (word.key !== 'one' && countOf(word.key) !== undefined);
}

/** `has never logged in`, `has not completed anything`: whoever it is has not done it at all. */
function isNeverItem(items: readonly Item[], index: number, words: readonly Word[]): boolean {
  const item = items[index];
  if (!item || !factOf(item, 'state')) return false;
  const keys = keysIn(item, words);
  if (/\bnever\b/.test(keys)) return true;
  const after = words[item.end]?.key ?? '';
  return /\bnot\b|nt\b/.test(keys) && /^(?:any|anything|a)$/.test(after) && !/\bany/.test(keys);
}

/** A known name, or one in quotes. */
function isNamed({ facts }: Item): boolean {
  return facts.some(({ kind }) => /^(?:value|title|quoted|saved)$/.test(kind));
}

function keysIn({ start, end }: Item, words: readonly Word[]): string {
  return words
    .slice(start, end)
    .map(({ key }) => key)
    .join(' ');
}

/**
 * `Ada Lovelace`, `May Parker`, `what has Will done`: an unknown name after another capital, or a word in the middle that
 * is written as a name.
 */
function namesSomebody(items: readonly Item[], words: readonly Word[], sentence: string): boolean {
  const isCapital = (item: Item | undefined) => /^\p{Lu}\p{Ll}/u.test(words[item?.start ?? -1]?.text ?? '');
  // “Show Me Who Is Late” has capitals everywhere.
  const open = items.filter((item) => item.start > 0 && !isNamed(item));
  if (open.filter(isCapital).length > Math.max(2, open.length / 2)) return false;
  const asks = /^(?:is|has|did|does|was|will)$/.test(words[0]?.key ?? '');
  return items.some((item, index) => {
    const isOwner = /['’]s$/.test(words[item.end - 1]?.text ?? '') && index < items.length - 1;
    const isTitled = /^(?:mr|mrs|ms|miss|dr)$/.test(words[item.start - 1]?.key ?? '');
    const isSubject = (asks && item.start === 1) || isOwner || isTitled;
    if (isSubject && isUnknownItem(item) && isCapital(item)) return true;
    if (words[item.start]?.kind === 'person' && isUnknownItem(item)) return true;
    if (!isCapital(item)) return false;
    const isWill = words[item.start]?.key === 'will' && item.start > 0;
    if (isFillerItem(item))
      return isWill && !/[?.!]\s*$/.test(sentence.slice(0, words[item.start]?.start ?? 0));
    const next = items[index + 1];
    const isSurname = isUnknownItem(next) && isCapital(next) && !isCapital(items[index - 1]);
    const isMonth = factOf(item, 'range') !== undefined && item.end - item.start === 1;
    return isSurname && (isUnknownItem(item) || isMonth || factOf(item, 'value') !== undefined);
  });
}
