import { countOf } from '../calendar-words.js';
import { type Fact, hasFact, type Refusal, refusals } from './facts.js';
import { canBe, factOf, type Item, isFillerItem, skipFillers } from './items.js';
import { isOneOf, type Sentence } from './words.js';

export function isRefusal(missing: string | undefined): missing is Refusal {
  return refusals.some((refusal) => refusal === missing);
}

/**
 * Why a sentence can be no command although its words are known: a word of negation, comparison, quantity or rate has no
 * place in what was understood. Undefined: every such word has one.
 */
export function refusalIn(items: readonly Item[], sentence: Sentence): Refusal | undefined {
  const found = new Set<Refusal>();
  const facts = items.flatMap((item) => item.facts);
  const hasRange = hasFact(facts, 'range', 'before');
  const hasTitle = hasFact(facts, 'title', 'quoted');
  const compares = hasFact(facts, 'compare');
  const isBrokenDown = compares || hasFact(facts, 'by');
  for (const [index, item] of items.entries()) {
    const { keys } = item;
    const reason = reasonOf(items, index, sentence);
    const isOthers = compares && isOneOf(keys, 'other others else');
    if (reason) found.add(isOthers ? 'against' : reason);
    // Without a range, whoever did nothing did nothing at all.
    const isNothing = canBe(item, 'state') && keys.endsWith('thing') && !hasRange;
    if (isNothing || (isNeverItem(item, sentence) && !hasTitle)) found.add('never');
    const ranks = /\b(?:most|least|highest|lowest|fewest|ranked|ranking)\b/.test(keys);
    if (ranks && !canBe(item, 'refused', 'sort', ...namedKinds) && !isBrokenDown) found.add('rate');
    // “Workshops with no-shows” are some of them.
    const isSeats = /^(?:no shows?|noshows|cancelled registrations)$/.test(keys);
    if (isSeats && sentence.is(item.start - 1, 'with had having have has')) found.add('comparing');
  }
  // A number beside an unknown word may belong to it.
  const hasUnknown = items.some((item) => canBe(item, 'unknown') && !isNumber(item, sentence));
  const counts = items.findIndex((item) => isNumber(item, sentence));
  if (counts >= 0 && (!hasUnknown || isCounted(items[counts + 1]))) {
    found.add(sentence.has('rate rates percentage') ? 'rate' : 'comparing');
  }
  if (namesSomebody(items, sentence)) found.add('person');
  if (isEitherOr(items)) found.add('two');
  if (found.size === 0 && !compares) {
    if (asksForUnsaidShare(items, sentence)) return 'rate';
    if (asksForAll(items)) return 'other';
  }
  return refusals.find((reason) => found.has(reason));
}

/** Shares that no answer has as a rate: “what percentage is overdue”, “the inactive rate”, “average completions”. */
function asksForUnsaidShare(items: readonly Item[], sentence: Sentence): boolean {
  const isShare = items.some((item) => canBe(item, 'share') && /percent|share|proportion/.test(item.keys));
  return items.some((item, index) => {
    if (item.keys === 'average')
      return !averages.test(sentence.keysOf({ start: item.end, end: item.end + 2 }));
    if (isOneOf(item.keys, 'rate rates')) {
      const next = items[skipFillers(items, index + 1, 1, () => true)];
      return [items[index - 1], next].some(isOpenState);
    }
    return isShare && isOpenState(item);
  });
}

const averages = /^(?:the )?(?:scores?|progress|ratings?|results?|quiz|test|exam|assessments?)\b/;

/** A state whose share is no rate of its report. */
function isOpenState(item: Item | undefined): boolean {
  const state = item && factOf(item, 'state');
  if (!item || !state) return canBe(item, 'view');
  const { completions, engagement, assessments } = state.states;
  return completions === undefined && engagement !== 'active' && assessments !== 'passed';
}

/** “Who has completed everything”, “who passed all tests”: rows say what somebody did, and not that it was all. */
function asksForAll(items: readonly Item[]): boolean {
  if (!items.some((item) => canBe(item, 'people'))) return false;
  const isDone = items.some((item) => {
    const state = factOf(item, 'state');
    return state && (state.states.completions !== undefined || state.states.assessments === 'passed');
  });
  return items.some(({ keys }, index) => {
    if (!isDone || !isOneOf(keys, 'everything all every each')) return false;
    const next = items[skipFillers(items, index + 1, 1, () => true)];
    return keys === 'everything' || next === undefined || canBe(next, 'thing', 'report', 'by');
  });
}

/** “Sales or Berlin”, “overdue or not started”: a command asks for rows that meet both, and “or” means either. */
function isEitherOr(items: readonly Item[]): boolean {
  return items.some(({ keys }, index) => {
    if (keys !== 'or') return false;
    const kindsBeside = (step: 1 | -1) =>
      items[skipFillers(items, index + step, step, () => true)]?.facts.flatMap(kindOf) ?? [];
    const [before, after] = [kindsBeside(-1), kindsBeside(1)];
    return before.length > 0 && after.length > 0 && !before.some((kind) => after.includes(kind));
  });
}

/** What narrows rows, by what it is about. Of one kind, “or” joins. */
function kindOf(fact: Fact): string | readonly string[] {
  if (fact.kind === 'value' || fact.kind === 'filter') return fact.member;
  return fact.kind === 'state' || fact.kind === 'view' || fact.kind === 'title' ? fact.kind : [];
}

function reasonOf(items: readonly Item[], index: number, sentence: Sentence): Refusal | undefined {
  const item = items[index];
  const refused = factOf(item, 'refused');
  if (!item || !refused) return undefined;
  // “Without HR” leaves out, “without a manager” asks for what is missing.
  const isLack = refused.reason === 'never' && isOneOf(item.keys, 'without no none nobody');
  const isThe = item.keys === 'without' && sentence.is(item.end, 'the my');
  const next = items.slice(index + 1).find(({ keys }) => !isOneOf(keys, 'the any of in from at'));
  const isBesideName = canBe(next, 'filter', 'value', 'title', 'quoted');
  return isLack && (isThe || isBesideName) ? 'excluding' : refused.reason;
}

/** “Two videos”, “five completions” and “30 days” are a condition. */
function isCounted(item: Item | undefined): boolean {
  const isUnit = /^(?:(?:hour|minute|day|week|month|year)s?|percent|times)$/.test(item?.keys ?? '');
  return isUnit || canBe(item, 'thing', 'report', 'value', 'noun', 'state', 'view');
}

/** A number that is no day, time or range. “Quick one” is no number. */
function isNumber(item: Item, { words }: Sentence): boolean {
  const word = words[item.start];
  if (!canBe(item, 'unknown') || word?.kind !== 'word') return false;
  return /^\d+(?:[.,]\d+)?%$|^%$/.test(word.text) || (word.key !== 'one' && countOf(word.key) !== undefined);
}

/** `has never logged in`, `has not completed anything`: whoever it is has not done it at all. */
function isNeverItem(item: Item, sentence: Sentence): boolean {
  if (!canBe(item, 'state')) return false;
  const isNot = /\bnot\b|nt\b/.test(item.keys) && !/\bany/.test(item.keys);
  return /\bnever\b/.test(item.keys) || (isNot && sentence.is(item.end, 'any anything a'));
}

/** Known names, and those in quotes. */
const namedKinds = ['value', 'title', 'quoted', 'saved'] as const;

/** `Ada Lovelace`, `what has Will done`: an unknown name after another capital, or a word inside written as a name. */
function namesSomebody(items: readonly Item[], sentence: Sentence): boolean {
  const { text, words } = sentence;
  const isCapital = (item: Item | undefined) => /^\p{Lu}\p{Ll}/u.test(words[item?.start ?? -1]?.text ?? '');
  // “Show Me Who Is Late” has capitals everywhere.
  const open = items.filter((item) => item.start > 0 && !canBe(item, ...namedKinds));
  if (open.filter(isCapital).length > Math.max(2, open.length / 2)) return false;
  const asks = sentence.is(0, 'is has did does was will');
  return items.some((item, index) => {
    const { start, end } = item;
    const isUnknown = canBe(item, 'unknown');
    const isOwner = /['’]s$/.test(words[end - 1]?.text ?? '') && index < items.length - 1;
    const isTitled = sentence.is(start - 1, 'mr mrs ms miss dr');
    const isSubject = (asks && start === 1) || isOwner || isTitled;
    if (isUnknown && ((isSubject && isCapital(item)) || words[start]?.kind === 'person')) return true;
    if (!isCapital(item)) return false;
    const isInside = start > 0 && !/[?.!]\s*$/.test(text.slice(0, words[start]?.start ?? 0));
    if (isFillerItem(item)) return isInside && sentence.key(start) === 'will';
    const next = items[index + 1];
    const isSurname = canBe(next, 'unknown') && isCapital(next) && !isCapital(items[index - 1]);
    const isMonth = canBe(item, 'range') && end - start === 1;
    return isSurname && (isUnknown || isMonth || canBe(item, 'value'));
  });
}
