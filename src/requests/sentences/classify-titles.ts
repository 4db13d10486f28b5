import type { ReportName, TitleOption } from '../../catalogue/index.js';
import { reportsWithTitle } from './build.js';
import {
  factOf,
  filler,
  followsPreposition,
  type Item,
  isFillerItem,
  isPlural,
  isUnknownItem,
  neighbourOf,
  textOf,
} from './items.js';
import { type KnownTitle, type NameIndex, placeMembers } from './known-names.js';
import type { Fact } from './lexicon.js';
import { countOf, type Word } from './words.js';

/** Reads unknown words as titles: those beside “training”, “track”, …, and those that are a part of one known title. */
export function classifyTitles(
  items: readonly Item[],
  words: readonly Word[],
  sentence: string,
  names: NameIndex,
): readonly Item[] {
  let classified = items.map((item) => namedQuote(item, words, names));
  const runs = runsOfUnknown(classified, words);
  // Nobody names that many things at once, and each is looked for among all titles.
  for (const run of runs.length > maxRuns ? [] : runs) {
    const facts = factsOfRun(classified, run, words, sentence, names);
    if (facts.length === 0) continue;
    classified = classified.map((item, index) => {
      if (index < run.from || index >= run.to) return item;
      return index === run.from ? { ...item, facts } : { ...item, facts: filler };
    });
  }
  const named = classified
    .flatMap(({ facts }) => facts)
    .flatMap((fact) => (fact.kind === 'report' && fact.weakly ? [fact.report] : []));
  return classified.map((item, index) => besideTitle(ofReport(item, named), index, classified, words));
}

/** “Registered for” is said of workshops, so a title that is one is read as one. */
function ofReport(item: Item, named: readonly ReportName[]): Item {
  const fitting = item.facts.filter(
    (fact) => fact.kind === 'title' && reportsWithTitle(fact).some((report) => named.includes(report)),
  );
  return fitting.length > 0 ? { ...item, facts: fitting } : item;
}

/** What a run of unknown words names. Empty if that is unclear. */
function factsOfRun(
  items: readonly Item[],
  run: Run,
  words: readonly Word[],
  sentence: string,
  names: NameIndex,
): readonly Fact[] {
  const object = objectOfState(items, run, words);
  const after = factOf(items[run.to], 'thing');
  // “Hasn't done the Safety Test” is about an assigned test, whose title can end with that word.
  if (object === 'content' && after?.option === 'assessment') {
    return assignedTest(run, items, words, sentence, names);
  }
  const beside = thingBeside(items, run, words);
  const telling = items
    .slice(run.from, run.to)
    .filter((item) => isUnknownItem(item))
    .flatMap((item) => words.slice(item.start, item.end).map(({ key }) => key));
  const known = names.titlesWith(telling).filter((title) => !beside || title.option === beside);
  if (known.length === 0 && countsThings(items, run, words)) return [];
  const [one] = known;
  // One title can be that of a content and of a track.
  if (one && known.every(({ title }) => title === one.title)) {
    return known.map(({ option, title, reports }) => ({ kind: 'title', option, text: title, reports }));
  }
  const text = typedRun(items, run, words, sentence);
  // With a title already, other words after “finished” are none.
  const isOther = one !== undefined || items.some((item) => factOf(item, 'title'));
  const option = beside ?? (isOther ? undefined : object);
  const mayBeTrack = !beside && option === 'content' && !names.knowsTracks && fitsTracks(items, run, words);
  const likely = option ? [option] : [...new Set(known.map((title) => title.option))];
  const options: readonly TitleOption[] = mayBeTrack ? [...likely, 'track'] : likely;
  if (options.length > 0) {
    return options.map((each) => ({ kind: 'title', option: each, text, reports: reportsOf(each, known) }));
  }
  // Before any answer has held a name, “in Sales” can only be taken as it is.
  const isPlace = !names.knowsPlaces && followsPreposition(words, items[run.from]?.start ?? 0);
  return isPlace ? placeMembers.map((member) => ({ kind: 'value', member, entry: text })) : [];
}

function reportsOf(option: TitleOption, titles: readonly KnownTitle[]): readonly ReportName[] {
  return titles.flatMap((title) => (title.option === option ? (title.reports ?? []) : []));
}

/** The number of “two courses” is no title. That of “Level 2” is a part of one. */
function countsThings(items: readonly Item[], { from, to }: Run, words: readonly Word[]): boolean {
  return items.slice(from, to).some(({ start }) => {
    const isCapital = /^\p{Lu}/u.test(words[start - 1]?.text ?? '');
    return countOf(words[start]?.key ?? '') !== undefined && !isCapital;
  });
}

function assignedTest(
  { from, to }: Run,
  items: readonly Item[],
  words: readonly Word[],
  sentence: string,
  names: NameIndex,
): readonly Fact[] {
  const [first, test] = [items[from], items[to]];
  if (!first || !test) return [];
  const keys = words.slice(first.start, test.end).map(({ key }) => key);
  const [known, another] = names.titlesWith(keys).filter(({ option }) => option !== 'workshop');
  const text = known && !another ? known.title : textOf(first.start, test.end, words, sentence);
  return [{ kind: 'title', option: 'content', text }];
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

/** The unknown words after “in” and the like, as typed. They may be names. */
export function unknownNames(
  items: readonly Item[],
  words: readonly Word[],
  sentence: string,
): readonly string[] {
  return runsOfUnknown(items, words)
    .filter(({ from }) => followsPreposition(words, items[from]?.start ?? 0))
    .map((run) => typedRun(items, run, words, sentence));
}

/** The kind of thing that a state such as “not done” or “passed” is about: the words right after it are a title. */
function objectOfState(items: readonly Item[], run: Run, words: readonly Word[]): TitleOption | undefined {
  const states = stateBefore(items, run, words);
  if (!states) return undefined;
  if (states.assignments !== undefined) return 'content';
  if (states.tracks !== undefined) return 'track';
  return states.assessments !== undefined && states.assessments !== 'waiting' ? 'assessment' : undefined;
}

function fitsTracks(items: readonly Item[], run: Run, words: readonly Word[]): boolean {
  return stateBefore(items, run, words)?.tracks !== undefined;
}

/** The states that the words right before a run can mean, by report. */
function stateBefore(items: readonly Item[], { from }: Run, words: readonly Word[]) {
  let at = from - 1;
  while (
    at >= 0 &&
    isFillerItem(items[at]) &&
    /^(?:the|with|on|of)$/.test(words[items[at]?.start ?? 0]?.key ?? '')
  ) {
    at -= 1;
  }
  return factOf(items[at], 'state')?.states;
}

/** A title in quotes; after “in”, a place that is known. The kind of an unknown title is decided later. */
function namedQuote(item: Item, words: readonly Word[], names: NameIndex): Item {
  const quoted = factOf(item, 'quoted');
  if (!quoted) return item;
  const places = followsPreposition(words, item.start) ? names.places(quoted.text) : [];
  if (places.length > 0) return { ...item, facts: places };
  const { text } = quoted;
  const titles = names.titled(text).map(({ option, title, reports }) => ({ option, text: title, reports }));
  const named = titles.length > 0 ? titles : [{ option: undefined, text }];
  return { ...item, facts: named.map((title): Fact => ({ kind: 'title', ...title })) };
}

const maxRuns = 12;

interface Run {
  readonly from: number;
  readonly to: number;
}

const titleJoints = /^(?:of|and|to|the|a|an|for|with)$/;

/** Unknown words in a row, with at most “of the” and the like between them. */
function runsOfUnknown(items: readonly Item[], words: readonly Word[]): readonly Run[] {
  const keyOf = (item: Item | undefined) => words[item?.start ?? -1]?.key ?? '';
  const canName = (item: Item | undefined) =>
    isUnknownItem(item) && !factOf(item, 'unknown')?.isNoun && words[item?.start ?? -1]?.kind !== 'person';
  const runs: Run[] = [];
  for (let at = 0; at < items.length; at += 1) {
    if (!canName(items[at])) continue;
    let to = at + 1;
    for (let next = to; next < items.length; next += 1) {
      if (canName(items[next])) to = next + 1;
      else if (!isFillerItem(items[next]) || !titleJoints.test(keyOf(items[next]))) break;
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
    isFillerItem(items[at]) &&
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

/** “Track” beside a title says which kind of thing the title is. Then the word itself says nothing more. */
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
