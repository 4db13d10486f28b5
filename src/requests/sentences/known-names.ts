import type { ReportName, TitleOption } from '../../catalogue/index.js';
import type { Fact, FactOf } from './facts.js';
import { keysOf, type Word } from './words.js';

/** Names of recent answers. Never person-level. */
export interface KnownNames {
  /** Entries by the filter member that takes them: `departments`, `Sales`. */
  readonly values: readonly KnownValue[];
  readonly titles: readonly KnownTitle[];
  /** People whom words of the sentence name, each with the words. Absent: nobody was looked up. */
  readonly people?: readonly { readonly words: string; readonly email: string }[];
  /** True where a department, a location or a team is known that may be left out here. Absent: the values tell. */
  readonly knowsPlaces?: boolean;
  /** False where any title may be that of a track, because none of a track is known yet. Absent: the titles tell. */
  readonly knowsTracks?: boolean;
}

export interface KnownValue {
  readonly member: string;
  readonly entry: string;
}

export interface KnownTitle {
  readonly option: TitleOption;
  readonly title: string;
  /** The reports whose records held it. Absent: nobody knows. */
  readonly reports?: readonly ReportName[];
}

export const noKnownNames: KnownNames = { values: [], titles: [] };

interface Name {
  readonly keys: readonly string[];
  readonly fact: FactOf<'value' | 'title' | 'saved' | 'filter'>;
}

const keysOfNames = new WeakMap<KnownValue | KnownTitle, readonly string[]>();

/** The words of a name. Kept as long as the name is, because a misspelt sentence is read a dozen times. */
export function keysOfName(name: KnownValue | KnownTitle): readonly string[] {
  const known = keysOfNames.get(name);
  if (known) return known;
  const keys = keysOf('title' in name ? name.title : name.entry);
  keysOfNames.set(name, keys);
  return keys;
}

interface NamesAt {
  readonly length: number;
  readonly facts: readonly Fact[];
}

/** Finds known names in a sentence. */
export interface NameIndex {
  /** The longest names that begin at an index, in full. */
  at(index: number): NamesAt | undefined;
  /** The people whose name begins at an index. */
  personAt(index: number): NamesAt | undefined;
  /** False where no answer has held a department, a location or a team yet. */
  readonly knowsPlaces: boolean;
  /** False where no title of a track is known yet. */
  readonly knowsTracks: boolean;
  /** The departments, locations and teams of that name. */
  places(name: string): readonly Fact[];
  /** The titles of that name, in any case. */
  titled(name: string): readonly KnownTitle[];
  /** The titles that contain all of some words, in any order. */
  titlesWith(keys: readonly string[]): readonly KnownTitle[];
}

/** The filter members that “in …” can mean. */
export const placeMembers: readonly string[] = ['departments', 'locations', 'teams'];

/** Words too short to tell titles apart. */
const minTitleWord = 2;

/** Only the names that begin with a word of the sentence are looked at closely, since there can be thousands. */
export function indexNames(
  {
    values,
    titles,
    people = [],
    knowsPlaces = values.some(({ member }) => placeMembers.includes(member)),
    knowsTracks = titles.some(({ option }) => option === 'track'),
  }: KnownNames,
  savedNames: readonly string[],
  words: readonly Word[],
): NameIndex {
  const present = new Set(words.flatMap(({ key }) => [key, key.replace(/s$/, '')]));
  // By the first two words: thousands of titles can begin with the same one.
  const byStart = new Map<string, Name[]>();
  const peopleByStart = new Map<string, Name[]>();
  const add = (keys: readonly string[], fact: Name['fact'], to = byStart) => {
    const [first] = keys;
    if (first === undefined || !present.has(first)) return;
    const start = keys.slice(0, 2).join(' ');
    const known = to.get(start);
    if (known) known.push({ keys, fact });
    else to.set(start, [{ keys, fact }]);
  };
  const couldBePresent = (text: string) => {
    const first = /[\p{L}\p{N}]/u.exec(text)?.[0].toLowerCase();
    return first !== undefined && initials.has(first);
  };
  const initials = new Set([...present].map((key) => key.charAt(0)));
  for (const value of values) {
    if (couldBePresent(value.entry)) add(keysOfName(value), { kind: 'value', ...value });
  }
  for (const known of titles) {
    const { option, title, reports } = known;
    if (couldBePresent(title)) add(keysOfName(known), { kind: 'title', option, text: title, reports });
  }
  for (const name of savedNames) add(keysOf(name), { kind: 'saved', name });
  for (const { words: named, email } of people) {
    add(keysOf(named), { kind: 'filter', member: 'email', entry: email }, peopleByStart);
  }
  const hasKey = (keys: readonly string[], key: string) =>
    keys.some((known) => known === key || known === `${key}s` || known === key.replace(/s$/, ''));
  return {
    knowsPlaces,
    knowsTracks,
    at: (index) => longestAt(byStart, words, index),
    personAt: (index) => longestAt(peopleByStart, words, index),
    places(name) {
      const same = name.toLowerCase();
      return values
        .filter(({ member, entry }) => placeMembers.includes(member) && entry.toLowerCase() === same)
        .map(({ member, entry }) => ({ kind: 'value', member, entry }));
    },
    titled(name) {
      const same = name.toLowerCase();
      return titles.filter(({ title }) => title.toLowerCase() === same);
    },
    titlesWith(wanted) {
      const telling = wanted.filter((key) => key.length >= minTitleWord);
      if (telling.length === 0) return [];
      const found = titles.filter((each) => {
        const keys = keysOfName(each);
        return telling.every((key) => hasKey(keys, key));
      });
      return [...new Map(found.map((each) => [`${each.option} ${each.title}`, each])).values()];
    },
  };
}

function longestAt(
  byStart: ReadonlyMap<string, readonly Name[]>,
  words: readonly Word[],
  at: number,
): NamesAt | undefined {
  const key = words[at]?.key ?? '';
  const [next] = words[at + 1]?.key.split(' ') ?? [];
  const starts = [key, key.replace(/s$/, ''), `${key} ${next}`];
  const found = [...new Set(starts)].flatMap((start) =>
    (byStart.get(start) ?? []).flatMap((name) => {
      const length = lengthAt(name, words, at);
      return length === undefined ? [] : [{ name, length }];
    }),
  );
  const longest = found.reduce((most, { length }) => Math.max(most, length), 0);
  const facts = found.filter(({ length }) => length === longest).map(({ name }) => name.fact);
  return longest === 0 ? undefined : { length: longest, facts: withoutRepeats(facts) };
}

/** How many words a name takes up there; undefined: it is not there. Quotes can be a part of it, and not its beginning. */
function lengthAt({ keys, fact }: Name, words: readonly Word[], at: number): number | undefined {
  let end = at;
  for (let read = 0; read < keys.length; end += 1) {
    const word = words[end];
    if (!word || word.kind === 'option' || (word.kind === 'quoted' && read === 0)) return undefined;
    const inside = word.kind === 'quoted' ? keysOf(word.text) : [word.key];
    // “Videos” are of the type Video.
    const isPlural = fact.kind === 'value' && fact.member === 'entity_type' && word.key === `${keys[read]}s`;
    const start = read;
    if (!isPlural && !inside.every((key, index) => key === keys[start + index])) return undefined;
    read += Math.max(1, inside.length);
  }
  return end - at;
}

function withoutRepeats(facts: readonly Name['fact'][]): readonly Fact[] {
  return [...new Map(facts.map((fact) => [JSON.stringify(fact), fact])).values()];
}
