import type { TitleOption } from '../../catalogue/index.js';
import { findZone } from '../../schedule/time-zones.js';
import { cadenceAt, timeAt } from './cadences.js';
import { classifyTitles } from './classify-titles.js';
import { columnsAt, sortAt } from './columns.js';
import type { Today } from './dates.js';
import {
  type FactOf,
  factOf,
  filler,
  followsPreposition,
  type Item,
  isPlural,
  isUnknownItem,
  neighbourOf,
  textOf,
  unknown,
} from './items.js';
import type { NameIndex } from './known-names.js';
import { type Fact, type Phrase, phraseAt } from './lexicon.js';
import { spokenRangeAt } from './ranges.js';
import type { Word } from './words.js';

/** Finds out what the words of a sentence say. Words that say nothing known are `unknown`. */
export function classifyWords(
  words: readonly Word[],
  sentence: string,
  names: NameIndex,
  today: Today,
): readonly Item[] {
  const items = cityTimes(titleWords(phrasesIn(words, names, today), words), words);
  return classifyTitles(classifyNouns(items, words, sentence), words, sentence, names);
}

/** The words by their own meaning, without regard to those beside them. */
export function phrasesIn(words: readonly Word[], names: NameIndex, today: Today): readonly Item[] {
  const items: Item[] = [];
  for (let at = 0; at < words.length; ) {
    const found = itemAt(words, at, names, today);
    items.push({ start: at, end: at + found.length, facts: found.facts });
    at += found.length;
  }
  return items;
}

/** In “New York time”, the city is no location of people. */
function cityTimes(items: readonly Item[], words: readonly Word[]): readonly Item[] {
  return items.map((item, index) => {
    const next = items[index + 1];
    const isTime = isUnknownItem(next) && words[next?.start ?? -1]?.key === 'time';
    return isTime && factOf(item, 'value') ? { ...item, facts: unknown } : item;
  });
}

interface Found {
  readonly length: number;
  readonly facts: readonly Fact[];
}

function itemAt(words: readonly Word[], at: number, names: NameIndex, today: Today): Found {
  const word = words[at];
  if (!word) throw new Error('There is no word at this index');
  switch (word.kind) {
    case 'comma':
      return { length: 1, facts: [{ kind: 'filler', isJoint: true }] };
    case 'dash':
      return { length: 1, facts: filler };
    case 'option':
      return { length: 1, facts: [{ kind: 'option', text: word.text }] };
    case 'email':
      return { length: 1, facts: [{ kind: 'filter', member: 'email', entry: word.text }] };
    case 'quoted':
      return { length: 1, facts: [{ kind: 'quoted', text: word.text }] };
    case 'person':
      // Not a department of that name, which has no `@`.
      return names.personAt(words, at) ?? { length: 1, facts: unknown };
    case 'zone':
      return { length: 1, facts: [{ kind: 'zone', zone: findZone(word.text) ?? word.text }] };
    default:
      return wordsAt(words, at, names, today);
  }
}

const shortZones = /^(?:utc|gmt|cet)$/;

/** The longest meaning that begins here. Of equally long ones, the first in the list: cadences and ranges go first. */
function wordsAt(words: readonly Word[], at: number, names: NameIndex, today: Today): Found {
  // `quarterly-numbers` is a name.
  const cadence = words[at + 1]?.isJoined ? undefined : cadenceAt(words, at);
  const zone = shortZones.test(words[at]?.key ?? '') ? findZone(words[at]?.text ?? '') : undefined;
  const time = timeAt(words, at);
  const range = spokenRangeAt(words, at, today);
  const phrase = phraseAt((index) => {
    const word = words[index];
    return word?.kind === 'word' || word?.kind === 'comma' ? word.key : undefined;
  }, at);
  const name = names.at(words, at);
  const isNoName = (next: number) => words[next]?.kind !== 'quoted' && !names.at(words, next);
  const candidates: readonly (Found | undefined)[] = [
    names.personAt(words, at),
    cadence && { length: cadence.length, facts: [{ kind: 'cadence', cadence: cadence.cadence }] },
    zone ? { length: 1, facts: [{ kind: 'zone', zone }] } : undefined,
    time && { length: time.length, facts: [{ kind: 'time', time: time.time }] },
    range && { length: range.length, facts: [{ kind: 'range', range: range.range }] },
    name &&
    (followsPreposition(words, at) || isCalled(words, at + name.length)) &&
    !isOrdinary(words, at, phrase)
      ? name
      : undefined,
    sortAt(words, at),
    phrase && { length: phrase.keys.length, facts: factsAt(phrase, words, at) },
    columnsAt(words, at, isNoName),
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
function factsAt({ facts, keys }: Phrase, words: readonly Word[], at: number): readonly Fact[] {
  const isPolite = ({ key }: Word) => politeWords.test(key);
  const refused = facts.filter((fact) => fact.kind === 'refused' && fact.only !== undefined);
  const [limited] = refused;
  if (limited?.kind !== 'refused') return facts;
  if (limited.only === 'not-last') return words.slice(at + keys.length).every(isPolite) ? filler : refused;
  if (words.slice(0, at).every(isPolite)) return refused;
  const others = facts.filter((fact) => !refused.includes(fact));
  return others.length > 0 ? others : unknown;
}

const politeWords =
  /^(?:please|pls|can|could|would|will|you|hey|hi|hello|rollcall|just|kindly|ok|okay|and|then|i|want|need|id|like|to|,)$/;

/** In lower case, “for people” means people, also where a department is called People. */
function isOrdinary(words: readonly Word[], at: number, phrase: Phrase | undefined): boolean {
  const word = words[at];
  const isFiller = phrase?.facts.every(({ kind }) => kind === 'filler') ?? false;
  return isFiller && word?.text === word?.text.toLowerCase() && !isCalled(words, at + 1);
}

function isCalled(words: readonly Word[], next: number): boolean {
  return /^(?:department|dept|division|location|office|group)$/.test(words[next]?.key ?? '');
}

/** Words such as “excel” or “manager” right before “course” or “track” are part of a title. */
function titleWords(items: readonly Item[], words: readonly Word[]): readonly Item[] {
  return items.map((item, index) => {
    const thing = factOf(items[index + 1], 'thing');
    if (!thing || item.end - item.start > 1) return item;
    const noun = factOf(item, 'noun');
    const isFileName = words[item.start]?.key === 'excel' && thing.option === 'content';
    const isTitleNoun = noun?.members.length === 0 && !isBreakdown(words, item.start, items);
    return isFileName || isTitleNoun ? { ...item, facts: unknown } : item;
  });
}

const breakdownWords =
  /^(?:by|per|across|over|among|amongst|between|each|every|most|least|top|best|worst|highest|lowest)$/;
/** `departments with the most overdue`: several are compared. */
const superlatives = /^(?:most|least|highest|lowest|best|worst|ranked|ranking|rank|top|fewest)$/;
const skippedWords = /^(?:the|all|different|individual|our)$/;

/** True after “by”, “per”, “for each”, “compare” or “which”. */
function isBreakdown(words: readonly Word[], start: number, items: readonly Item[]): boolean {
  let at = start - 1;
  while (at >= 0 && skippedWords.test(words[at]?.key ?? '')) at -= 1;
  if (at < 0) return false;
  if (breakdownWords.test(words[at]?.key ?? '')) return true;
  const before = items.find((item) => item.start <= at && at < item.end);
  // `most active departments`
  if (before && /^(?:most|least)$/.test(words[before.start]?.key ?? '')) return true;
  return factOf(before, 'compare') !== undefined || factOf(before, 'which') !== undefined;
}

const titleFields: Readonly<Record<TitleOption, readonly string[]>> = {
  content: ['content_title', 'content'],
  track: ['track_title', 'track', 'containing_track'],
  assessment: ['assessment_title'],
  workshop: ['workshop_title'],
};

/** Nouns say what the summary is broken down by, or what the name beside them is. */
function classifyNouns(items: readonly Item[], words: readonly Word[], sentence: string): readonly Item[] {
  const classified = [...items];
  const isBrokenDown = words.some(({ key }) => /^(?:which|by|per)$/.test(key));
  for (const [index, item] of items.entries()) {
    const noun = factOf(item, 'noun');
    const thing = factOf(item, 'thing');
    if (!noun && !thing) continue;
    const isCompared = noun && isPlural(words, item) && words.some(({ key }) => superlatives.test(key));
    if (isBreakdown(words, item.start, items) || isCompared) {
      const isWhich = factOf(items[index - 1], 'which') !== undefined;
      if (thing?.option === 'workshop' && isWhich) continue;
      // “Which location completed the most courses”
      if (thing && superlatives.test(words[item.start - 1]?.key ?? '') && isBrokenDown) continue;
      const by: Fact = { kind: 'by', by: noun ? noun.by : titleFields[thing?.option ?? 'content'] };
      const tracked = thing && isWhich && thing.option !== 'content' ? [by, thing] : [by];
      classified[index] = { ...item, facts: [tracked.length > 1 ? { ...by, of: thing?.option } : by] };
      const before = items[index - 1];
      const isSuperlative =
        before && isUnknownItem(before) && breakdownWords.test(words[before.start]?.key ?? '');
      if (before && (isWhich || isSuperlative)) classified[index - 1] = { ...before, facts: filler };
      continue;
    }
    if (noun) classifyNoun(classified, index, noun, words, sentence);
  }
  return classified;
}

/** A noun with a name beside it: `department Sales`, `the Platform team`, `team “Blue”`. */
function classifyNoun(
  items: Item[],
  index: number,
  noun: FactOf<'noun'>,
  words: readonly Word[],
  sentence: string,
): void {
  const item = items[index];
  if (!item) return;
  const [member] = noun.members;
  for (const step of [1, -1]) {
    const at = neighbourOf(items, index, step, words);
    const beside = at === undefined ? undefined : items[at];
    if (at === undefined || !beside) continue;
    const person = step < 0 && member === 'teams' ? factOf(beside, 'filter') : undefined;
    if (person?.member === 'email' && person.entry !== 'me') {
      // `Ada’s team`
      items[at] = { ...beside, facts: beside.facts.map((fact) => asManager(fact)) };
      items[index] = { ...item, facts: filler };
      return;
    }
    const values = beside.facts.filter((fact) => fact.kind === 'value' && noun.members.includes(fact.member));
    const exact = values.filter((fact) => fact.kind === 'value' && fact.member === member);
    if (values.length > 0) {
      items[at] = { ...beside, facts: exact.length > 0 ? exact : values };
      items[index] = { ...item, facts: filler };
      return;
    }
  }
  for (const step of [1, -1]) {
    const at = neighbourOf(items, index, step, words);
    const beside = at === undefined ? undefined : items[at];
    if (at === undefined || !beside || member === undefined) continue;
    const quoted = quotedFrom(items, at, words);
    if (quoted.length > 0) {
      for (const [position, entry] of quoted) {
        items[position] = { ...(items[position] ?? beside), facts: [{ kind: 'filter', member, entry }] };
      }
      items[index] = { ...item, facts: filler };
      return;
    }
    const isNamed =
      isUnknownItem(beside) &&
      words[beside.start]?.kind !== 'person' &&
      !isPossessive(words[beside.end - 1]) &&
      (step === 1 ? !isPlural(words, item) : isNamedBefore(words, beside.start));
    if (!isNamed) continue;
    const typed = textOf(beside.start, beside.end, words, sentence);
    items[at] = { ...beside, facts: [{ kind: 'filter', member, entry: typed }] };
    items[index] = { ...item, facts: filler };
    return;
  }
  const rest = item.facts.filter(({ kind }) => kind !== 'noun');
  items[index] = { ...item, facts: rest.length > 0 ? rest : [{ kind: 'unknown', isNoun: true }] };
}

/** `Novak’s team` is that of a person. */
function isPossessive(word: Word | undefined): boolean {
  return /['’]s$/.test(word?.text ?? '');
}

/** `in Logistics`, `the Logistics department`, `Logistics department` */
function isNamedBefore(words: readonly Word[], start: number): boolean {
  const isCapital = /^\p{Lu}/u.test(words[start]?.text ?? '');
  return followsPreposition(words, start) || words[start - 1]?.key === 'the' || isCapital;
}

function asManager(fact: Fact): Fact {
  return fact.kind === 'filter' && fact.member === 'email' ? { ...fact, member: 'manager_email' } : fact;
}

/** The quotes from an item on, with “or” and commas between them, each with its index. */
function quotedFrom(
  items: readonly Item[],
  from: number,
  words: readonly Word[],
): readonly (readonly [index: number, text: string])[] {
  const found: [number, string][] = [];
  for (let at = from; at < items.length; at += 1) {
    const item = items[at];
    const quoted = factOf(item, 'quoted');
    if (quoted) found.push([at, quoted.text]);
    else if (found.length === 0 || !/^(?:or|and|,)$/.test(words[item?.start ?? -1]?.key ?? '')) break;
  }
  return found;
}
