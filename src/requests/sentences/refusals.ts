import { factOf, type Item, isFillerItem, isUnknownItem } from './items.js';
import { countOf, type Word } from './words.js';

/**
 * What no command can say, although people ask for it.
 * - `excluding`: rows are to be left out.
 * - `never`: what somebody has not done at all, or what is missing.
 * - `comparing`: a number or a date as a condition.
 * - `rate`: a share as a condition, or a ranking of people.
 * - `trend`: one figure over several units.
 * - `against`: a comparison that answers do not make.
 * - `person`: somebody's name.
 * - `two`: two requests at once.
 * - `other`: something that is no question, or has no report.
 */
export type Refusal = (typeof refusals)[number];

/** Of several, the first one is said. A share has a number beside it, and so may somebody who is left out. */
const refusals = [
  'two',
  'against',
  'rate',
  'never',
  'excluding',
  'comparing',
  'trend',
  'person',
  'other',
] as const;

export function isRefusal(missing: string | undefined): missing is Refusal {
  return refusals.some((refusal) => refusal === missing);
}

/** Words whose meaning would get lost in a command, by what they ask for. */
const meaningWords: readonly (readonly [Refusal, RegExp])[] = [
  ['two', /^either$/],
  ['against', /^(?:better|worse|beat|beats|outperform|outperforms)$/],
  [
    'rate',
    /^(?:best|worst|top|bottom|reach|reached|reaching|percentage|percentages|percent|quota|ratio|target)$/,
  ],
  ['never', /^(?:never|nothing|nobody|none|noone|no|nowhere|hardly|barely)$/],
  [
    'excluding',
    /^(?:except|excepting|exceptions?|excluding|excludes?|excluded|without|but|minus|besides|apart|aside|else|outside|unless|not|neither|nor|non|barring|rather|instead|ignoring|skipping|omitting|isnt|arent|wasnt|werent|dont|doesnt|didnt|hasnt|havent|hadnt|cannot|cant|wont|wouldnt)$/,
  ],
  [
    'comparing',
    /^(?:more|less|fewer|above|below|under|beneath|than|beyond|exceed\w*|longer|shorter|older|newer|higher|lower|bigger|smaller|larger|twice|once|half|double|dozens?|hired|minimum|maximum|several|many|few|before|after)$/,
  ],
  [
    'trend',
    /^(?:trends?|trending|develop|develops|developed|developing|development|evolve\w*|evolution|timeline)$/,
  ],
  ['other', /^(?:why|remind\w*|delete|remove|cancel|invite|forecast|predict|recommend)$/],
];

const units = /^(?:day|week|month|quarter|year)s?$/;

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
  let hasOtherUnknown = false;
  let isWord = false;
  const key = (at: number) => words[at]?.key ?? '';
  const hasTitle = items.some((item) => factOf(item, 'title') ?? factOf(item, 'quoted'));
  const isBrokenDown = items.some((item) => factOf(item, 'by') ?? factOf(item, 'compare'));
  for (const [index, item] of items.entries()) {
    const isOpen = isFillerItem(item) || isUnknownItem(item);
    for (let at = item.start; at < item.end; at += 1) {
      const reason = isOpen ? reasonOf(words, at, items[index + 1]) : undefined;
      if (reason) found.add(reason);
      else if (isUnknownItem(item)) hasOtherUnknown = true;
      if (reason && !isCount(words, at)) isWord = true;
      const ranks = /^(?:most|least|highest|lowest|fewest)$/.test(key(at)) && key(at - 1) !== 'at';
      if (ranks && !isBrokenDown) found.add('rate');
      if (words[at]?.kind === 'option' && /^[^:]*:\s*!\s*[^\s,]/.test(words[at]?.text ?? ''))
        found.add('excluding');
    }
    if (isNeverItem(items, index, words) && !hasTitle) found.add('never');
    // “Workshops with no-shows” are some of them.
    const isSeats = /^(?:no shows?|noshows|cancelled registrations)$/.test(keysIn(item, words));
    if (isSeats && /^(?:with|had|having|have|has)$/.test(key(item.start - 1))) found.add('comparing');
  }
  if (namesSomebody(items, words, sentence)) found.add('person');
  // A number beside an unknown word may belong to it.
  if (hasOtherUnknown && !isWord) found.delete('comparing');
  return refusals.find((reason) => found.has(reason));
}

/** @param next the item after that of the word */
function reasonOf(words: readonly Word[], at: number, next: Item | undefined): Refusal | undefined {
  const key = (offset: number) => words[at + offset]?.key ?? '';
  const word = key(0);
  if (/^\d+(?:[.,]\d+)?%$|^%$/.test(words[at]?.text ?? '') || isCount(words, at)) {
    return words.some((each) => /^(?:rates?|reach|percentage)$/.test(each.key)) ? 'rate' : 'comparing';
  }
  if (word === 'same') return units.test(key(1)) ? 'against' : undefined;
  if (word === 'other') return key(1) === 'than' ? 'excluding' : undefined;
  if (word === 'save') return key(1) === 'for' ? 'excluding' : undefined;
  if (word === 'over') return key(1) === 'time' ? 'trend' : undefined;
  if (word === 'at') return /^(?:least|most)$/.test(key(1)) ? 'comparing' : undefined;
  if (/^(?:least|most)$/.test(word) && key(-1) === 'at') return undefined;
  if (/^(?:each|every|per|by)$/.test(word) && units.test(key(1))) return 'trend';
  if (units.test(word) && key(1) === 'by' && key(2) === word) return 'trend';
  if (word === 'line' && /^(?:a|as)$/.test(key(-1))) return 'trend';
  if (word === 'assign' || word === 'email') return at === 0 ? 'other' : undefined;
  if (/^(?:nobody|none)$/.test(word) && /^(?:from|in|of)$/.test(key(1))) return 'excluding';
  // “Without HR” leaves out, “without a manager” asks for what is missing.
  const isNamed = next?.facts.some(({ kind }) => /^(?:value|title|filter|quoted)$/.test(kind)) ?? false;
  if (word === 'without') return isNamed || /^(?:the|my)$/.test(key(1)) ? 'excluding' : 'never';
  if (word === 'many' || word === 'few') return key(-1) === 'how' ? undefined : 'comparing';
  return meaningWords.find(([, form]) => form.test(word))?.[0];
}

/** A number that is no day, time or range. “Quick one” is no number. */
function isCount(words: readonly Word[], at: number): boolean {
  const word = words[at];
  return word?.kind === 'word' && word.key !== 'one' && countOf(word.key) !== undefined;
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

function keysIn({ start, end }: Item, words: readonly Word[]): string {
  return words
    .slice(start, end)
    .map(({ key }) => key)
    .join(' ');
}

/** `Ada Lovelace`, `what has Will done`: an unknown name of two words, or a word in the middle that is written as one. */
function namesSomebody(items: readonly Item[], words: readonly Word[], sentence: string): boolean {
  const isCapital = (at: number) => /^\p{Lu}\p{Ll}/u.test(words[at]?.text ?? '');
  const isLone = words.filter((_, at) => at > 0 && isCapital(at)).length <= Math.ceil(words.length / 3);
  return items.some((item, index) => {
    const at = item.start;
    if (words[at]?.kind === 'person' && isUnknownItem(item)) return true;
    if (!isCapital(at) || !isLone) return false;
    if (isFillerItem(item)) return at > 0 && words[at]?.key === 'will' && !/[?.!]\s*$/.test(before(at));
    const next = items[index + 1];
    const isUnknown = isUnknownItem(item);
    const isNextUnknown = next !== undefined && isUnknownItem(next) && isCapital(next.start);
    const isValue = factOf(item, 'value') !== undefined;
    const isAlone = !isCapital(at - 1) || at === 0;
    return isNextUnknown && isAlone && next.start === item.end && (isUnknown || isValue);
  });

  function before(at: number): string {
    return sentence.slice(0, words[at]?.start ?? 0);
  }
}
