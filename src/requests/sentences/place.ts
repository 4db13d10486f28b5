import type { TitleOption } from '../../catalogue/index.js';
import { findZone } from '../../schedule/time-zones.js';
import { cadenceAt, timeAt } from './cadences.js';
import { type NameIndex, placeMembers } from './known.js';
import { type Fact, type Phrase, phraseAt } from './lexicon.js';
import { spokenRangeAt, type Today } from './ranges.js';
import type { Word } from './words.js';

/** Words that belong together, and what they say: one of several facts. */
export interface Item {
  /** Indexes of the words, from `start` up to but without `end`. */
  readonly start: number;
  readonly end: number;
  readonly facts: readonly Fact[];
}

type FactKind = Fact['kind'];
type FactOf<Kind extends FactKind> = Extract<Fact, { readonly kind: Kind }>;

const unknown: readonly Fact[] = [{ kind: 'unknown' }];
const filler: readonly Fact[] = [{ kind: 'filler' }];

/** Gives each word of a sentence its place. A word that has none is `unknown`. */
export function placeWords(
  words: readonly Word[],
  sentence: string,
  names: NameIndex,
  today: Today,
): readonly Item[] {
  const items: Item[] = [];
  for (let at = 0; at < words.length; ) {
    const found = itemAt(words, at, names, today);
    items.push({ start: at, end: at + found.length, facts: found.facts });
    at += found.length;
  }
  return placeTitles(placeNouns(titleWords(items, words), words, sentence), words, sentence, names);
}

interface Found {
  readonly length: number;
  readonly facts: readonly Fact[];
}

function itemAt(words: readonly Word[], at: number, names: NameIndex, today: Today): Found {
  const word = words[at];
  if (!word) throw new Error('There is no word at this place');
  switch (word.kind) {
    case 'comma':
    case 'dash':
      return { length: 1, facts: filler };
    case 'option':
      return { length: 1, facts: [{ kind: 'option', text: word.text }] };
    case 'email':
      return { length: 1, facts: [{ kind: 'filter', member: 'email', entry: word.text }] };
    case 'quoted':
      return { length: 1, facts: [{ kind: 'quoted', text: word.text }] };
    case 'zone':
      return { length: 1, facts: [{ kind: 'zone', zone: findZone(word.text) ?? word.text }] };
    default:
      return wordsAt(words, at, names, today);
  }
}

const shortZones = /^(?:utc|gmt|cet)$/;

/** The longest thing that the words can be. Of several, what a schedule or a range says goes before other meanings. */
function wordsAt(words: readonly Word[], at: number, names: NameIndex, today: Today): Found {
  const cadence = cadenceAt(words, at);
  const zone = shortZones.test(words[at]?.key ?? '') ? findZone(words[at]?.text ?? '') : undefined;
  const time = timeAt(words, at);
  const range = spokenRangeAt(words, at, today);
  const phrase = phraseAt((index) => (words[index]?.kind === 'word' ? words[index]?.key : undefined), at);
  const name = names.at(words, at);
  const candidates: readonly (Found | undefined)[] = [
    cadence && { length: cadence.length, facts: [{ kind: 'cadence', cadence: cadence.cadence }] },
    zone ? { length: 1, facts: [{ kind: 'zone', zone }] } : undefined,
    time && { length: time.length, facts: [{ kind: 'time', time: time.time }] },
    range && { length: range.length, facts: [{ kind: 'range', range: range.range }] },
    name &&
    (followsPreposition(words, at) || isCalled(words, at + name.length)) &&
    !isOrdinary(words, at, phrase)
      ? name
      : undefined,
    phrase && { length: phrase.keys.length, facts: phrase.facts },
    name,
  ];
  const best = candidates.reduce<Found | undefined>(
    (longest, found) => (found && found.length > (longest?.length ?? 0) ? found : longest),
    undefined,
  );
  return best ?? { length: 1, facts: unknown };
}

/** In lower case, “for people” means people, also where a department is called People. */
function isOrdinary(words: readonly Word[], at: number, phrase: Phrase | undefined): boolean {
  const word = words[at];
  const isFiller = phrase?.facts.every(({ kind }) => kind === 'filler') ?? false;
  return isFiller && word?.text === word?.text.toLowerCase() && !isCalled(words, at + 1);
}

function isCalled(words: readonly Word[], next: number): boolean {
  return /^(?:department|dept|division|location|office|group)$/.test(words[next]?.key ?? '');
}

/** After “in”, a department that is called Training is the department. */
function followsPreposition(words: readonly Word[], at: number): boolean {
  const before = words[at - 1]?.key === 'the' ? words[at - 2] : words[at - 1];
  return /^(?:in|for|from|at|of)$/.test(before?.key ?? '');
}

function factOf<Kind extends FactKind>(item: Item | undefined, kind: Kind): FactOf<Kind> | undefined {
  return item?.facts.find((fact): fact is FactOf<Kind> => fact.kind === kind);
}

function isSilent(item: Item | undefined): boolean {
  return item?.facts.every(({ kind }) => kind === 'filler') ?? false;
}

function isUnknown(item: Item | undefined): boolean {
  return factOf(item, 'unknown') !== undefined;
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

const breakdownWords = /^(?:by|per|across|between|each|every|most|least|top|best|worst|highest|lowest)$/;
/** `departments with the most overdue`: several are compared. */
const superlatives = /^(?:most|least|highest|lowest|best|worst|ranked|top|fewest)$/;
const passedOver = /^(?:the|all|different|individual|our)$/;

/** True after “by”, “per”, “for each”, “compare” or “which”. */
function isBreakdown(words: readonly Word[], start: number, items: readonly Item[]): boolean {
  let at = start - 1;
  while (at >= 0 && passedOver.test(words[at]?.key ?? '')) at -= 1;
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
function placeNouns(items: readonly Item[], words: readonly Word[], sentence: string): readonly Item[] {
  const placed = [...items];
  for (const [index, item] of items.entries()) {
    const noun = factOf(item, 'noun');
    const thing = factOf(item, 'thing');
    if (!noun && !thing) continue;
    const isCompared = noun && isPlural(words, item) && words.some(({ key }) => superlatives.test(key));
    if (isBreakdown(words, item.start, items) || isCompared) {
      const isWhich = factOf(items[index - 1], 'which') !== undefined;
      if (thing?.option === 'workshop' && isWhich) continue;
      const by: Fact = { kind: 'by', by: noun ? noun.by : titleFields[thing?.option ?? 'content'] };
      const tracked = thing && isWhich && thing.option !== 'content' ? [by, thing] : [by];
      placed[index] = { ...item, facts: [tracked.length > 1 ? { ...by, of: thing?.option } : by] };
      const before = items[index - 1];
      const isSuperlative =
        before && isUnknown(before) && breakdownWords.test(words[before.start]?.key ?? '');
      if (before && (isWhich || isSuperlative)) placed[index - 1] = { ...before, facts: filler };
      continue;
    }
    if (noun) placeNoun(placed, index, noun, words, sentence);
  }
  return placed;
}

function isPlural(words: readonly Word[], item: Item | undefined): boolean {
  return /(?:[^s]s|sses)$/.test(words[(item?.end ?? 0) - 1]?.key ?? '');
}

/** A noun with a name beside it: `department Sales`, `the Platform team`, `team “Blue”`. */
function placeNoun(
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
      for (const [place, entry] of quoted) {
        items[place] = { ...(items[place] ?? beside), facts: [{ kind: 'filter', member, entry }] };
      }
      items[index] = { ...item, facts: filler };
      return;
    }
    const isNamed =
      isUnknown(beside) && (step === 1 ? !isPlural(words, item) : followsPreposition(words, beside.start));
    if (!isNamed) continue;
    const typed = textOf(beside.start, beside.end, words, sentence);
    items[at] = { ...beside, facts: [{ kind: 'filter', member, entry: typed }] };
    items[index] = { ...item, facts: filler };
    return;
  }
  const rest = item.facts.filter(({ kind }) => kind !== 'noun');
  items[index] = { ...item, facts: rest.length > 0 ? rest : [{ kind: 'unknown', isNoun: true }] };
}

/** The quotes from a place on, with “or” and commas between them, each with its place. */
function quotedFrom(
  items: readonly Item[],
  from: number,
  words: readonly Word[],
): readonly (readonly [place: number, text: string])[] {
  const found: [number, string][] = [];
  for (let at = from; at < items.length; at += 1) {
    const item = items[at];
    const quoted = factOf(item, 'quoted');
    if (quoted) found.push([at, quoted.text]);
    else if (found.length === 0 || !/^(?:or|and|,)$/.test(words[item?.start ?? -1]?.key ?? '')) break;
  }
  return found;
}

/** The item beside another one, with nothing but “the”, “of” or “called” between them. */
function neighbourOf(
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
      isSilent(item) && between.test(words[item.start]?.key ?? '') && item.end - item.start === 1;
    if (!isBetween) return at;
  }
  return undefined;
}

function textOf(start: number, end: number, words: readonly Word[], sentence: string): string {
  const [first, last] = [words[start], words[end - 1]];
  if (!first || !last) return '';
  return sentence
    .slice(first.start, last.end)
    .replace(/["“”„‟,]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/['’]s$/, '')
    .trim();
}

/** Names what stands beside “training”, “track”, … and what is a part of one known title. */
function placeTitles(
  items: readonly Item[],
  words: readonly Word[],
  sentence: string,
  names: NameIndex,
): readonly Item[] {
  let placed = items.map((item) => namedQuote(item));
  const runs = runsOfUnknown(placed, words);
  // Nobody names that many things at once, and each is looked for among all titles.
  for (const run of runs.length > maxRuns ? [] : runs) {
    const facts = factsOfRun(placed, run, words, sentence, names);
    if (facts.length === 0) continue;
    placed = placed.map((item, index) => {
      if (index < run.from || index >= run.to) return item;
      return index === run.from ? { ...item, facts } : { ...item, facts: filler };
    });
  }
  return placed.map((item, index) => besideTitle(item, index, placed, words));
}

/** What words without a place name; nothing: nobody can tell. */
function factsOfRun(
  items: readonly Item[],
  run: Run,
  words: readonly Word[],
  sentence: string,
  names: NameIndex,
): readonly Fact[] {
  const beside = thingBeside(items, run, words);
  const telling = items
    .slice(run.from, run.to)
    .filter((item) => isUnknown(item))
    .flatMap((item) => words.slice(item.start, item.end).map(({ key }) => key));
  const known = names.titlesWith(telling).filter((title) => !beside || title.option === beside);
  const [one, another] = known;
  if (one && !another) return [{ kind: 'title', option: one.option, text: one.title }];
  const text = typedRun(items, run, words, sentence);
  const option = beside ?? (one ? undefined : objectOfState(items, run, words));
  const options = option ? [option] : [...new Set(known.map((title) => title.option))];
  if (options.length > 0) return options.map((each) => ({ kind: 'title', option: each, text }));
  // Before any answer has held a name, “in Sales” can only be taken as it is.
  const isPlace = !names.knowsPlaces && followsPreposition(words, items[run.from]?.start ?? 0);
  return isPlace ? placeMembers.map((member) => ({ kind: 'value', member, entry: text })) : [];
}

function typedRun(
  items: readonly Item[],
  { from, to }: Run,
  words: readonly Word[],
  sentence: string,
): string {
  const [first, last] = [items[from], items[to - 1]];
  return first && last ? textOf(first.start, last.end, words, sentence) : '';
}

/** The names after “in” and the like that have no place, as typed. */
export function namesWithoutPlace(
  items: readonly Item[],
  words: readonly Word[],
  sentence: string,
): readonly string[] {
  return runsOfUnknown(items, words)
    .filter(({ from }) => followsPreposition(words, items[from]?.start ?? 0))
    .map((run) => typedRun(items, run, words, sentence));
}

/** What is not done, passed or stalled: the words right after such a state are the title of a thing. */
function objectOfState(
  items: readonly Item[],
  { from }: Run,
  words: readonly Word[],
): TitleOption | undefined {
  let at = from - 1;
  while (
    at >= 0 &&
    isSilent(items[at]) &&
    /^(?:the|with|on|of)$/.test(words[items[at]?.start ?? 0]?.key ?? '')
  ) {
    at -= 1;
  }
  const states = factOf(items[at], 'state')?.states;
  if (!states) return undefined;
  if (states.assignments !== undefined) return 'content';
  if (states.tracks !== undefined) return 'track';
  return states.assessments !== undefined && states.assessments !== 'waiting' ? 'assessment' : undefined;
}

/** A title in quotes. What reads it decides which kind of thing it is. */
function namedQuote(item: Item): Item {
  const quoted = factOf(item, 'quoted');
  return quoted ? { ...item, facts: [{ kind: 'title', option: undefined, text: quoted.text }] } : item;
}

const maxRuns = 12;

interface Run {
  readonly from: number;
  readonly to: number;
}

/** Never a part of a title: what they say would be forgotten. */
const negations =
  /^(?:not|no|never|nothing|without|except|excluding|exclude|but|other|nor|unless|nobody|none|[a-z]+nt)$/;
const quantities =
  /^(?:once|twice|popular|best|worst|good|bad|many|much|more|less|fewer|than|under|above|below|why)$/;
const orders =
  /^(?:save|delete|remove|cancel|stop|pause|resume|remind|email|create|add|assign|invite|update|edit|rename|ignore|forget)$/;

function canBeInTitle(key: string): boolean {
  return ![negations, quantities, orders].some((words) => words.test(key));
}

const titleJoints = /^(?:of|and|to|the|a|an|for|with)$/;

/** Words without a place that follow each other, with at most “of the” and the like between them. */
function runsOfUnknown(items: readonly Item[], words: readonly Word[]): readonly Run[] {
  const keyOf = (item: Item | undefined) => words[item?.start ?? -1]?.key ?? '';
  const canName = (item: Item | undefined) =>
    isUnknown(item) && !factOf(item, 'unknown')?.isNoun && canBeInTitle(keyOf(item));
  const runs: Run[] = [];
  for (let at = 0; at < items.length; at += 1) {
    if (!canName(items[at])) continue;
    let to = at + 1;
    for (let next = to; next < items.length; next += 1) {
      if (canName(items[next])) to = next + 1;
      else if (!isSilent(items[next]) || !titleJoints.test(keyOf(items[next]))) break;
    }
    runs.push({ from: at, to });
    at = to - 1;
  }
  return runs;
}

/** The kind of thing that stands right beside a run: `welding course`, `training on welding`. */
function thingBeside(
  items: readonly Item[],
  { from, to }: Run,
  words: readonly Word[],
): TitleOption | undefined {
  const after = factOf(items[to], 'thing');
  if (after) return after.option;
  let at = from - 1;
  while (
    at >= 0 &&
    isSilent(items[at]) &&
    /^(?:on|in|about|called|named|the|for|of)$/.test(words[items[at]?.start ?? 0]?.key ?? '')
  ) {
    at -= 1;
  }
  const before = items[at];
  // `tracks foo` is no track called foo, but `tracks on foo` and `track foo` are.
  const isOnlyReport =
    isPlural(words, before) && !/^(?:on|about|called|named)$/.test(words[before?.end ?? 0]?.key ?? '');
  return isOnlyReport ? undefined : factOf(before, 'thing')?.option;
}

/** “Track” beside the title of a track says nothing more, and limits a title that several kinds of things share. */
function besideTitle(item: Item, index: number, items: readonly Item[], words: readonly Word[]): Item {
  const beside = (step: number) => {
    const at = neighbourOf(items, index, step, words);
    return at === undefined ? undefined : items[at];
  };
  const thing = factOf(item, 'thing');
  if (thing)
    return factOf(beside(1), 'title') || factOf(beside(-1), 'title') ? { ...item, facts: filler } : item;
  if (!factOf(item, 'title')) return item;
  const near = factOf(beside(1), 'thing') ?? factOf(beside(-1), 'thing');
  if (!near) return item;
  const named = item.facts.map((fact) =>
    fact.kind === 'title' && fact.option === undefined ? { ...fact, option: near.option } : fact,
  );
  const fitting = named.filter((fact) => fact.kind !== 'title' || fact.option === near.option);
  return { ...item, facts: fitting.length > 0 ? fitting : named };
}
