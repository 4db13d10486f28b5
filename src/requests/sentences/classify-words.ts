import type { TitleOption } from '../../catalogue/index.js';
import { findZone } from '../../schedule/time-zones.js';
import { cadenceAt, timeAt } from './cadences.js';
import { classifyTitles } from './classify-titles.js';
import { columnsAt, sortAt } from './columns.js';
import { type Fact, type FactOf, type Found, factsOf, filler, unknown } from './facts.js';
import { beginsWith, canBe, factOf, followsPreposition, type Item, isPlural, neighbourOf } from './items.js';
import type { NameIndex } from './known-names.js';
import { phraseAt } from './lexicon.js';
import { spokenRangeAt } from './ranges.js';
import { isOneOf, type Sentence } from './words.js';

/** Finds out what the words of a sentence say. Words that say nothing known are `unknown`. */
export function classifyWords(sentence: Sentence, names: NameIndex): readonly Item[] {
  const items = cityTimes(titleWords(phrasesIn(sentence, names), sentence));
  return classifyTitles(classifyNouns(items, sentence), sentence, names);
}

/** The words by their own meaning, without regard to those beside them. */
export function phrasesIn(sentence: Sentence, names: NameIndex): readonly Item[] {
  const items: Item[] = [];
  for (let start = 0; start < sentence.words.length; ) {
    const { length, facts } = foundAt(sentence, start, names);
    const end = start + length;
    items.push({ start, end, keys: sentence.keysOf({ start, end }), facts });
    start = end;
  }
  return items;
}

/** In “New York time”, the city is no location of people. */
function cityTimes(items: readonly Item[]) {
  return items.map((item, index) => {
    const next = items[index + 1];
    const isTime = canBe(next, 'unknown') && next?.keys === 'time';
    return isTime && canBe(item, 'value') ? { ...item, facts: unknown } : item;
  });
}

function foundAt(sentence: Sentence, at: number, names: NameIndex): Found {
  const { kind, text } = sentence.words[at] ?? { kind: 'dash', text: '' };
  const one = (fact: Fact): Found => ({ length: 1, facts: [fact] });
  switch (kind) {
    case 'comma':
      return one({ kind: 'filler', isJoint: true });
    case 'dash':
      return one({ kind: 'filler' });
    case 'option':
      return one({ kind, text });
    case 'email':
      return one({ kind: 'filter', member: 'email', entry: text });
    case 'quoted':
      return one({ kind, text });
    case 'person':
      // Not a department of that name, which has no `@`.
      return names.personAt(at) ?? one({ kind: 'unknown' });
    case 'zone':
      return one({ kind, zone: findZone(text) ?? text });
    default:
      return longestAt(sentence, at, names);
  }
}

/** The longest meaning that begins here. Of equally long ones, the first in the list: cadences and ranges go first. */
function longestAt(sentence: Sentence, at: number, names: NameIndex): Found {
  const { words } = sentence;
  // `quarterly-numbers` is a name.
  const cadence = words[at + 1]?.isJoined ? undefined : cadenceAt(sentence, at);
  const zone = isOneOf(sentence.key(at), 'utc gmt cet') ? findZone(words[at]?.text ?? '') : undefined;
  const phrase = phraseAt(sentence, at);
  const name = names.at(at);
  const isMeant = name && (followsPreposition(sentence, at) || isCalled(sentence, at + name.length));
  const isNoName = (next: number) => words[next]?.kind !== 'quoted' && !names.at(next);
  const candidates: readonly (Found | undefined)[] = [
    names.personAt(at),
    cadence,
    zone ? { length: 1, facts: [{ kind: 'zone', zone }] } : undefined,
    timeAt(sentence, at),
    spokenRangeAt(sentence, at),
    isMeant && !isOrdinary(sentence, at, phrase) ? name : undefined,
    sortAt(sentence, at),
    phrase && { ...phrase, facts: factsAt(phrase, sentence, at) },
    columnsAt(sentence, at, isNoName),
    name,
  ];
  const best = candidates.reduce<Found | undefined>(
    (longest, found) => (found && found.length > (longest?.length ?? 0) ? found : longest),
    undefined,
  );
  return best ?? { length: 1, facts: unknown };
}

/**
 * “Book” asks to do something where a sentence begins with it, and elsewhere means something else. “Sales instead” takes
 * the place of what was asked before, and “instead HR” leaves out.
 */
function factsAt({ facts, length }: Found, { words }: Sentence, at: number): readonly Fact[] {
  const isPolite = ({ key }: { readonly key: string }) => isOneOf(key, politeWords);
  const refused = factsOf(facts, 'refused').filter(({ only }) => only !== undefined);
  const [limited] = refused;
  if (!limited) return facts;
  if (limited.only === 'not-last') return words.slice(at + length).every(isPolite) ? filler : refused;
  if (words.slice(0, at).every(isPolite)) return refused;
  const others = facts.filter((fact) => fact.kind !== 'refused' || fact.only === undefined);
  return others.length > 0 ? others : unknown;
}

const politeWords =
  'please pls can could would will you hey hi hello rollcall just kindly ok okay and then i want need id like to ,';

/** In lower case, “for people” means people, also where a department is called People. */
function isOrdinary(sentence: Sentence, at: number, phrase: Found | undefined): boolean {
  const text = sentence.words[at]?.text;
  const isFiller = phrase?.facts.every(({ kind }) => kind === 'filler') ?? false;
  return isFiller && text === text?.toLowerCase() && !isCalled(sentence, at + 1);
}

function isCalled(sentence: Sentence, next: number): boolean {
  return sentence.is(next, 'department dept division location office group');
}

/** Words such as “excel” or “manager” right before “course” or “track” are part of a title. */
function titleWords(items: readonly Item[], sentence: Sentence) {
  return items.map((item, index) => {
    const thing = factOf(items[index + 1], 'thing');
    if (!thing || item.end - item.start > 1) return item;
    const isFileName = item.keys === 'excel' && thing.option === 'content';
    const isTitleNoun =
      factOf(item, 'noun')?.members.length === 0 && !isBreakdown(sentence, item.start, items);
    return isFileName || isTitleNoun ? { ...item, facts: unknown } : item;
  });
}

const breakdownWords =
  'by per across over among amongst between each every most least top best worst highest lowest';
/** `departments with the most overdue`: several are compared. */
const superlatives = 'most least highest lowest best worst ranked ranking rank top fewest';

/** True after “by”, “per”, “for each”, “compare” or “which”. */
function isBreakdown(sentence: Sentence, start: number, items: readonly Item[]): boolean {
  let at = start - 1;
  while (sentence.is(at, 'the all different individual our')) at -= 1;
  if (sentence.is(at, breakdownWords)) return true;
  const before = items.find((item) => item.start <= at && at < item.end);
  // `most active departments`
  return (
    canBe(before, 'compare', 'which') || (before !== undefined && sentence.is(before.start, 'most least'))
  );
}

const titleFields: Readonly<Record<TitleOption, readonly string[]>> = {
  content: ['content_title', 'content'],
  track: ['track_title', 'track', 'containing_track'],
  assessment: ['assessment_title'],
  workshop: ['workshop_title'],
};

/** Nouns say what the summary is broken down by, or what the name beside them is. */
function classifyNouns(items: readonly Item[], sentence: Sentence) {
  const classified = [...items];
  const isBrokenDown = sentence.has('which by per');
  for (const [index, item] of items.entries()) {
    const noun = factOf(item, 'noun');
    const thing = factOf(item, 'thing');
    const by = noun?.by ?? (thing && titleFields[thing.option]);
    if (!by) continue;
    const isCompared = noun && isPlural(item) && sentence.has(superlatives);
    if (isBreakdown(sentence, item.start, items) || isCompared) {
      const before = items[index - 1];
      const isWhich = canBe(before, 'which');
      if (thing?.option === 'workshop' && isWhich) continue;
      // “Which location completed the most courses”
      if (thing && sentence.is(item.start - 1, superlatives) && isBrokenDown) continue;
      const of = isWhich && thing?.option !== 'content' ? thing?.option : undefined;
      classified[index] = { ...item, facts: [{ kind: 'by', by, of }] };
      const isSuperlative = before && canBe(before, 'unknown') && sentence.is(before.start, breakdownWords);
      if (before && (isWhich || isSuperlative)) classified[index - 1] = { ...before, facts: filler };
      continue;
    }
    if (noun) classifyNoun(classified, index, noun, sentence);
  }
  return classified;
}

/** A noun with a name beside it: `department Sales`, `the Platform team`, `team “Blue”`. */
function classifyNoun(items: Item[], index: number, noun: FactOf<'noun'>, sentence: Sentence): void {
  const item = items[index];
  if (!item) return;
  const steps = [1, -1] as const;
  const named =
    steps.map((step) => knownBeside(items, index, noun, step)).find((found) => found.length > 0) ??
    steps.map((step) => typedBeside(items, index, noun, step, sentence)).find((found) => found.length > 0);
  for (const beside of named ?? []) items[items.findIndex(({ start }) => start === beside.start)] = beside;
  const rest = item.facts.filter(({ kind }) => kind !== 'noun');
  const alone: readonly Fact[] = rest.length > 0 ? rest : [{ kind: 'unknown', isNoun: true }];
  items[index] = { ...item, facts: named ? filler : alone };
}

/** The item beside a noun, if it is a known name or a person: `Ada’s team`. */
function knownBeside(items: readonly Item[], index: number, { members }: FactOf<'noun'>, step: 1 | -1) {
  const beside = items[neighbourOf(items, index, step)];
  if (!beside) return [];
  const [member] = members;
  const person = step < 0 && member === 'teams' ? factOf(beside, 'filter') : undefined;
  if (person?.member === 'email' && person.entry !== 'me') {
    return [{ ...beside, facts: beside.facts.map(asManager) }];
  }
  const values = factsOf(beside.facts, 'value').filter((value) => members.includes(value.member));
  const exact = values.filter((value) => value.member === member);
  return values.length > 0 ? [{ ...beside, facts: exact.length > 0 ? exact : values }] : [];
}

/** The items beside a noun, if they are an unknown name or in quotes. */
function typedBeside(
  items: readonly Item[],
  index: number,
  { members: [member] }: FactOf<'noun'>,
  step: 1 | -1,
  sentence: Sentence,
): readonly Item[] {
  const at = neighbourOf(items, index, step);
  const beside = items[at];
  if (!beside || member === undefined) return [];
  const as = (item: Item, entry: string): Item => ({ ...item, facts: [{ kind: 'filter', member, entry }] });
  const quoted = quotedFrom(items, at);
  if (quoted.length > 0) return quoted.map((item) => as(item, factOf(item, 'quoted')?.text ?? ''));
  const isNamed =
    canBe(beside, 'unknown') &&
    sentence.words[beside.start]?.kind !== 'person' &&
    // `Novak’s team` is that of a person.
    !/['’]s$/.test(sentence.words[beside.end - 1]?.text ?? '') &&
    (step === 1 ? !isPlural(items[index]) : isNamedBefore(sentence, beside.start));
  return isNamed ? [as(beside, sentence.textOf(beside))] : [];
}

/** `in Logistics`, `the Logistics department`, `Logistics department` */
function isNamedBefore(sentence: Sentence, start: number): boolean {
  const isThe = sentence.is(start - 1, 'the');
  return followsPreposition(sentence, start) || isThe || sentence.isCapital(start);
}

function asManager(fact: Fact): Fact {
  return fact.kind === 'filter' && fact.member === 'email' ? { ...fact, member: 'manager_email' } : fact;
}

/** The quotes from an item on, with “or” and commas between them. */
function quotedFrom(items: readonly Item[], from: number) {
  const found: Item[] = [];
  for (const item of items.slice(from)) {
    if (canBe(item, 'quoted')) found.push(item);
    else if (found.length === 0 || !beginsWith(item, 'or and ,')) break;
  }
  return found;
}
