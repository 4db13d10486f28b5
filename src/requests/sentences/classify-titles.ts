import type { ReportName, TitleOption } from '../../catalogue/index.js';
import { countOf } from '../calendar-words.js';
import { type Fact, type FactOf, factsOf, filler } from './facts.js';
import {
  beginsWith,
  canBe,
  factOf,
  followsPreposition,
  type Item,
  isFillerItem,
  isPlural,
  neighbourOf,
  skipFillers,
} from './items.js';
import { type KnownTitle, type NameIndex, placeMembers } from './known-names.js';
import { reportsWithTitle } from './subjects.js';
import type { Sentence } from './words.js';

/** Reads unknown words as titles: those beside “training”, “track”, …, and those that are a part of one known title. */
export function classifyTitles(
  items: readonly Item[],
  sentence: Sentence,
  names: NameIndex,
): readonly Item[] {
  let classified = items.map((item) => namedQuote(item, sentence, names));
  const runs = runsOfUnknown(classified, sentence);
  // A sentence does not name that many things, and each is looked for among all titles.
  for (const run of runs.length > maxRuns ? [] : runs) {
    const facts = factsOfRun(classified, run, sentence, names);
    if (facts.length === 0) continue;
    classified = classified.map((item, index) => {
      if (index < run.from || index >= run.to) return item;
      return { ...item, facts: index === run.from ? facts : filler };
    });
  }
  const reports = classified.flatMap(({ facts }) => factsOf(facts, 'report'));
  const named = reports.flatMap(({ report, weakly }) => (weakly ? [report] : []));
  return classified.map((item, index) => besideTitle(ofReport(item, named), index, classified));
}

/** “Registered for” is said of workshops, so a title that is one is read as one. */
function ofReport(item: Item, named: readonly ReportName[]): Item {
  const fitting = factsOf(item.facts, 'title').filter((title) =>
    reportsWithTitle(title).some((report) => named.includes(report)),
  );
  return fitting.length > 0 ? { ...item, facts: fitting } : item;
}

/** What a run of unknown words names. Empty if that is unclear. */
function factsOfRun(items: readonly Item[], run: Run, sentence: Sentence, names: NameIndex): readonly Fact[] {
  const state = stateBefore(items, run);
  const object = state && objectOf(state);
  const test = items[run.to];
  // “Hasn't done the Safety Test” is about an assigned test, whose title can end with that word.
  if (test && object === 'content' && factOf(test, 'thing')?.option === 'assessment') {
    return [assignedTest({ start: run.start, end: test.end }, sentence, names)];
  }
  const beside = thingBeside(items, run, sentence);
  const telling = items.slice(run.from, run.to).filter((item) => canBe(item, 'unknown'));
  const known = names
    .titlesWith(telling.flatMap(({ keys }) => keys.split(' ')))
    .filter((title) => !beside || title.option === beside);
  if (known.length === 0 && countsThings(telling, sentence)) return [];
  const [one] = known;
  // One title can be that of a content and of a track.
  if (one && known.every(({ title }) => title === one.title)) {
    return known.map(({ option, title, reports }) => ({ kind: 'title', option, text: title, reports }));
  }
  const text = sentence.textOf(run);
  // With a title already, other words after “finished” are none.
  const isOther = one !== undefined || items.some((item) => canBe(item, 'title'));
  const option = beside ?? (isOther ? undefined : object);
  const mayBeTrack = !beside && option === 'content' && !names.knowsTracks && state?.tracks !== undefined;
  const likely = option ? [option] : [...new Set(known.map((title) => title.option))];
  const options: readonly TitleOption[] = mayBeTrack ? [...likely, 'track'] : likely;
  if (options.length > 0) {
    return options.map((each) => ({ kind: 'title', option: each, text, reports: reportsOf(each, known) }));
  }
  // Before any answer has held a name, “in Sales” can only be taken as it is.
  const isPlace = !names.knowsPlaces && followsPreposition(sentence, run.start);
  return isPlace ? placeMembers.map((member) => ({ kind: 'value', member, entry: text })) : [];
}

function reportsOf(option: TitleOption, titles: readonly KnownTitle[]) {
  return titles.flatMap((title) => (title.option === option ? (title.reports ?? []) : []));
}

/** The number of “two courses” is no title. That of “Level 2” is a part of one. */
function countsThings(items: readonly Item[], sentence: Sentence): boolean {
  return items.some(
    ({ start }) => countOf(sentence.key(start)) !== undefined && !sentence.isCapital(start - 1),
  );
}

function assignedTest(words: { start: number; end: number }, sentence: Sentence, names: NameIndex): Fact {
  const keys = sentence.keysOf(words).split(' ');
  const [known, another] = names.titlesWith(keys).filter(({ option }) => option !== 'workshop');
  const text = known && !another ? known.title : sentence.textOf(words);
  return { kind: 'title', option: 'content', text };
}

/** The unknown words after “in” and the like, as typed. They may be names. */
export function unknownNames(items: readonly Item[], sentence: Sentence): readonly string[] {
  return runsOfUnknown(items, sentence)
    .filter(({ start }) => followsPreposition(sentence, start))
    .map((run) => sentence.textOf(run));
}

type States = FactOf<'state'>['states'];

/** The kind of thing that a state such as “not done” or “passed” is about: the words right after it are a title. */
function objectOf({ assignments, tracks, assessments }: States): TitleOption | undefined {
  if (assignments !== undefined) return 'content';
  if (tracks !== undefined) return 'track';
  return assessments !== undefined && assessments !== 'waiting' ? 'assessment' : undefined;
}

/** The states that the words right before a run can mean, by report. */
function stateBefore(items: readonly Item[], { from }: Run): States | undefined {
  const at = skipFillers(items, from - 1, -1, (item) => beginsWith(item, 'the with on of'));
  return factOf(items[at], 'state')?.states;
}

/** A title in quotes; after “in”, a place that is known. The kind of an unknown title is decided later. */
function namedQuote(item: Item, sentence: Sentence, names: NameIndex): Item {
  const quoted = factOf(item, 'quoted');
  if (!quoted) return item;
  const { text } = quoted;
  const places = followsPreposition(sentence, item.start) ? names.places(text) : [];
  if (places.length > 0) return { ...item, facts: places };
  const titles = names.titled(text).map(({ option, title, reports }) => ({ option, text: title, reports }));
  const named = titles.length > 0 ? titles : [{ option: undefined, text }];
  return { ...item, facts: named.map((title): Fact => ({ kind: 'title', ...title })) };
}

const maxRuns = 12;

/** Items from `from` up to but without `to`, and their words. */
interface Run {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
}

/** Unknown words in a row, with at most “of the” and the like between them. */
function runsOfUnknown(items: readonly Item[], { words }: Sentence): readonly Run[] {
  const canName = (item: Item) =>
    canBe(item, 'unknown') && !factOf(item, 'unknown')?.isNoun && words[item.start]?.kind !== 'person';
  const runs: Run[] = [];
  for (const [from, item] of items.entries()) {
    if (!canName(item) || from < (runs.at(-1)?.to ?? 0)) continue;
    const { start } = item;
    let run: Run = { from, to: from + 1, start, end: item.end };
    for (const [index, each] of items.slice(from + 1).entries()) {
      if (canName(each)) run = { from, to: from + index + 2, start, end: each.end };
      else if (!isFillerItem(each) || !beginsWith(each, 'of and to the a an for with')) break;
    }
    runs.push(run);
  }
  return runs;
}

/** The kind of thing that stands right beside a run: `welding course`, `training on welding`. */
function thingBeside(items: readonly Item[], { from, to }: Run, sentence: Sentence): TitleOption | undefined {
  const after = factOf(items[to], 'thing');
  if (after) return after.option;
  const isBetween = (item: Item) => beginsWith(item, 'on in about called named the for of');
  const before = items[skipFillers(items, from - 1, -1, isBetween)];
  // `tracks foo` is no track called foo, but `tracks on foo` and `track foo` are.
  const isOnlyReport = isPlural(before) && !sentence.is(before?.end ?? 0, 'on about called named');
  return isOnlyReport ? undefined : factOf(before, 'thing')?.option;
}

/** “Track” beside a title says which kind of thing the title is. Then the word itself says nothing more. */
function besideTitle(item: Item, index: number, items: readonly Item[]): Item {
  const beside = ([1, -1] as const).map((step) => items[neighbourOf(items, index, step)]);
  if (canBe(item, 'thing')) {
    return beside.some((each) => canBe(each, 'title')) ? { ...item, facts: filler } : item;
  }
  const near = beside.flatMap((each) => factOf(each, 'thing') ?? [])[0];
  if (!near || !canBe(item, 'title')) return item;
  const named = item.facts.map((fact) =>
    fact.kind === 'title' && fact.option === undefined ? { ...fact, option: near.option } : fact,
  );
  const fitting = named.filter((fact) => fact.kind !== 'title' || fact.option === near.option);
  return { ...item, facts: fitting.length > 0 ? fitting : named };
}
