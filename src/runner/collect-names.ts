import type { TitleFilter, ValueSource } from '../catalogue/index.js';
import { personKeyFields } from '../figures/counting/person-fields.js';
import { noPerson, PersonKeys, unknownPerson } from '../figures/counting/person-keys.js';
import { KnownEntries, mayBeList } from '../figures/list-text.js';
import type { RecordView } from '../figures/record-view.js';
import { type TitleMatches, TitleSearch } from '../requests/titles.js';
import {
  isSuggested,
  listOf,
  maxCountedPeople,
  maxTitleLength,
  type Suggestion,
  type SuggestionList,
} from './suggestions.js';

/** Asks for all names of an answer, with their people. Plain data: it is sent to the thread that reads. */
export interface LookPlan {
  /** Titles that fewer people have are not searched. */
  readonly minPeople: number;
  /** People of a name are counted up to this many. */
  readonly countUpTo: number;
}

/** A text, and the positions of titles in the records. */
export interface TitleQuery {
  readonly text: string;
  readonly sources: TitleFilter['sources'];
}

/** Some names of an answer that was asked for something else, so that long answers cost little. */
const someNames = {
  /** All of the first records are read, and then one in `thenEvery`. */
  allUpTo: 500,
  thenEvery: 64,
  /** Names of a list, and how many of them are passed on: the main thread must not take long to receive them. */
  maxPerList: 200,
  maxPassedOn: 200,
  /** Texts that may be lists. */
  maxTexts: 200,
};

/** All names of an answer that was asked for them. 120,000 titles take about 40 MB. */
const allNames: typeof someNames = {
  allUpTo: Number.POSITIVE_INFINITY,
  thenEvery: 1,
  maxPerList: 120_000,
  maxPassedOn: 5_000,
  maxTexts: 5_000,
};

const maxTextLength = 1_000;

/** Where records hold names, or identifiers and their titles. */
interface Position {
  readonly field: number;
  readonly member?: string | undefined;
  /** The index of the title's field, or the name of the title's member. */
  readonly title?: number | string | undefined;
}

function positionOf({ field, member, title }: ValueSource, fields: readonly string[]): Position {
  const ownTitle = title === undefined ? -1 : fields.indexOf(title);
  const titleField = ownTitle < 0 ? undefined : ownTitle;
  return { field: fields.indexOf(field), member, title: member === undefined ? titleField : title };
}

function idAt(record: RecordView, { field, member }: Position): string | undefined {
  return member === undefined ? record.text(field) : record.member(field, member).text();
}

function titleAt(record: RecordView, { field, title }: Position): string | undefined {
  if (title === undefined) return undefined;
  const text = typeof title === 'number' ? record.text(title) : record.member(field, title).text();
  return text?.trim().slice(0, maxTitleLength) || undefined;
}

interface Place extends Position {
  readonly list: string;
  readonly isPublic: boolean;
  /** Set if the field is a list. Its texts are split at the end. */
  readonly texts?: { readonly undecided: Map<string, CountedName>; readonly whole: KnownEntries };
  readonly names: Map<string, CountedName>;
}

interface CountedName {
  title: string | undefined;
  /** Keys of people, each once. A person may have two, so that twice as many are stored as are counted. */
  readonly keys: number[];
}

/** Collects names of an answer and counts their people, in constant memory. */
export class NameCollector {
  private seen = 0;
  private isWhole = true;
  private readonly limits;
  private readonly countUpTo;
  private readonly keys = new PersonKeys();
  private readonly userid: number;
  private readonly email: number;
  private readonly everybody: CountedName = { title: undefined, keys: [] };
  private readonly places: readonly Place[];

  /** @param look absent: only some of the names are collected */
  constructor(
    lists: readonly SuggestionList[],
    fields: readonly string[],
    private readonly look?: LookPlan,
  ) {
    this.limits = look ? allNames : someNames;
    this.countUpTo = look?.countUpTo ?? maxCountedPeople;
    [this.userid = -1, this.email = -1] = personKeyFields.map((flag) => fields.indexOf(flag));
    this.places = lists.map(({ list, isList, isPublic = false, ...source }) => ({
      ...positionOf(source, fields),
      list,
      isPublic,
      texts: isList ? { undecided: new Map(), whole: new KnownEntries() } : undefined,
      names: new Map(),
    }));
  }

  add(record: RecordView): void {
    this.seen += 1;
    const { allUpTo, thenEvery } = this.limits;
    if (this.seen > allUpTo && this.seen % thenEvery !== 0) return;
    const person = this.personIn(record);
    this.count(this.everybody, person);
    for (const place of this.places) {
      if (place.member === undefined && place.title === undefined) this.addNames(record, place, person);
      else this.addTitled(record, place, person);
    }
  }

  /**
   * @returns `values`: those of the most people first in each list. `people`: at least this many are in the answer.
   *   `isWhole`: true if no name was left out
   */
  finish() {
    for (const place of this.places) this.splitTexts(place);
    const values = this.places.flatMap((place) => this.namesOf(place));
    return { values, people: this.peopleOf(this.everybody), isWhole: this.isWhole };
  }

  /** The matches of each query among the titles that enough people have. Call it after `finish`. */
  matches(queries: readonly TitleQuery[]): readonly TitleMatches[] {
    return queries.map(({ text, sources }) => {
      const search = new TitleSearch(text);
      const lists = new Set(sources.map(listOf));
      for (const place of this.places) {
        if (!lists.has(place.list)) continue;
        for (const [id, name] of place.names) {
          if (place.isPublic || this.peopleOf(name) >= (this.look?.minPeople ?? 1))
            search.add({ id, title: name.title ?? id });
        }
      }
      return search.finish();
    });
  }

  /** A key of the record's person; `noPerson` where the record does not say who it is. */
  private personIn(record: RecordView): number {
    const { userid, email, keys } = this;
    const person = userid < 0 || email < 0 ? noPerson : keys.keyOf(record, userid, email);
    return person === unknownPerson ? noPerson : person;
  }

  private addNames(record: RecordView, place: Place, person: number): void {
    const { field, texts } = place;
    const entries = record.entries(field);
    const [only = ''] = entries;
    if (texts && record.isText(field) && mayBeList(only)) {
      const undecided = texts.undecided.get(only);
      if (undecided) this.count(undecided, person);
      else if (texts.undecided.size < this.limits.maxTexts && only.length <= maxTextLength) {
        texts.undecided.set(only, this.count({ title: undefined, keys: [] }, person));
      } else this.isWhole = false;
      return;
    }
    if (texts && texts.whole.characters < this.limits.maxTexts * maxTextLength) texts.whole.add(entries);
    for (const entry of entries) {
      const name = this.noted(place, entry, undefined);
      if (name) this.count(name, person);
    }
  }

  private addTitled(record: RecordView, place: Place, person: number): void {
    const entry = idAt(record, place);
    if (entry === undefined) return;
    const known = place.names.get(entry);
    const isNamed = known?.title !== undefined || place.title === undefined;
    const name = known && isNamed ? known : this.noted(place, entry, titleAt(record, place));
    if (name) this.count(name, person);
  }

  /** The name of the place; undefined if it cannot be suggested, or there are too many. */
  private noted({ names }: Place, text: string, title: string | undefined): CountedName | undefined {
    const entry = text.trim();
    const known = names.get(entry);
    if (known) {
      known.title ??= title;
      return known;
    }
    if (!isSuggested(entry)) return undefined;
    if (names.size >= this.limits.maxPerList) {
      this.isWhole = false;
      return undefined;
    }
    const name = { title, keys: [] };
    names.set(entry, name);
    return name;
  }

  private count(name: CountedName, person: number): CountedName {
    const { keys } = name;
    if (person !== noPerson && keys.length < 2 * this.countUpTo && !keys.includes(person)) keys.push(person);
    return name;
  }

  private splitTexts(place: Place): void {
    const { texts } = place;
    if (!texts) return;
    for (const [text, { keys }] of texts.undecided) {
      for (const entry of texts.whole.split(text)) {
        const name = this.noted(place, entry, undefined);
        if (name) for (const person of keys) this.count(name, person);
      }
    }
    texts.undecided.clear();
  }

  private namesOf({ list, isPublic, names }: Place): readonly Suggestion[] {
    const all = [...names].map(([entry, name]) => ({
      list,
      entry,
      title: name.title,
      people: isPublic ? maxCountedPeople : this.peopleOf(name),
    }));
    if (all.length <= this.limits.maxPassedOn) return all;
    this.isWhole = false;
    return all.sort((one, other) => other.people - one.people).slice(0, this.limits.maxPassedOn);
  }

  /** Keys that a later record joined are one person. */
  private peopleOf({ keys }: CountedName): number {
    return Math.min(new Set(keys.map((key) => this.keys.personOf(key))).size, this.countUpTo);
  }
}

/** Searches the titles of all records of an answer, in constant memory. */
export class TitleCollector {
  private readonly searches;

  constructor(queries: readonly TitleQuery[], fields: readonly string[]) {
    this.searches = queries.map(({ text, sources }) => ({
      search: new TitleSearch(text),
      positions: sources
        .filter(({ field }) => fields.includes(field))
        .map((source) => positionOf(source, fields)),
    }));
  }

  add(record: RecordView): void {
    for (const { search, positions } of this.searches) {
      for (const position of positions) {
        const id = idAt(record, position)?.trim();
        // A comma would make two entries of it.
        if (id && !id.includes(',')) search.add({ id, title: titleAt(record, position) ?? id });
      }
    }
  }

  finish(): readonly TitleMatches[] {
    return this.searches.map(({ search }) => search.finish());
  }
}
