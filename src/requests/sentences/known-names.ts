import type { ReportName, TitleOption } from '../../catalogue/index.js';
import type { Fact, FactOf, Found } from './facts.js';
import { keysOf, type Word } from './words.js';

/** Names of recent answers. Never person-level. */
export interface KnownNames {
  /** Entries by the filter member that takes them: `departments`, `Sales`. */
  readonly values: readonly KnownValue[];
  readonly titles: readonly KnownTitle[];
  /** People whom words of the sentence name, each with the words. Absent: no one was looked up. */
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
  /** The reports whose records held it. Absent: unknown. */
  readonly reports?: readonly ReportName[];
}

export const noKnownNames: KnownNames = { values: [], titles: [] };

interface Name {
  readonly keys: readonly string[];
  readonly fact: FactOf<'value' | 'title' | 'saved' | 'filter'>;
}

const keysOfNames = new WeakMap<KnownValue | KnownTitle, readonly string[]>();

/** The words of a name. Cached for the lifetime of the name, because a misspelt sentence is read a dozen times. */
export function keysOfName(name: KnownValue | KnownTitle): readonly string[] {
  const known = keysOfNames.get(name);
  if (known) return known;
  const keys = keysOf('title' in name ? name.title : name.entry);
  keysOfNames.set(name, keys);
  return keys;
}

/** Finds known names in a sentence. */
export type NameIndex = ReturnType<typeof indexNames>;

/** The filter members that “in …” can mean. */
export const placeMembers: readonly string[] = ['departments', 'locations', 'teams'];

/** Words too short to tell titles apart. */
const minTitleWord = 2;

/** True where an answer has held a department, a location or a team. */
export function knowsPlacesOf({ knowsPlaces, values }: KnownNames): boolean {
  return knowsPlaces ?? values.some(({ member }) => placeMembers.includes(member));
}

/** True where the title of a track is known. */
export function knowsTracksOf({ knowsTracks, titles }: KnownNames): boolean {
  return knowsTracks ?? titles.some(({ option }) => option === 'track');
}

/** Only the names that begin with a word of the sentence are looked at closely, since there can be thousands. */
export function indexNames(known: KnownNames, savedNames: readonly string[], words: readonly Word[]) {
  const { values, titles, people = [] } = known;
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
  const initials = new Set([...present].map((key) => key.charAt(0)));
  const couldBePresent = (text: string) => initials.has(/[\p{L}\p{N}]/u.exec(text)?.[0].toLowerCase() ?? ' ');
  for (const value of values) {
    if (couldBePresent(value.entry)) add(keysOfName(value), { kind: 'value', ...value });
  }
  for (const titled of titles) {
    const { option, title, reports } = titled;
    if (couldBePresent(title)) add(keysOfName(titled), { kind: 'title', option, text: title, reports });
  }
  for (const name of savedNames) add(keysOf(name), { kind: 'saved', name });
  for (const { words: named, email } of people) {
    add(keysOf(named), { kind: 'filter', member: 'email', entry: email }, peopleByStart);
  }
  const hasKey = (keys: readonly string[], key: string) =>
    keys.some((known) => known === key || known === `${key}s` || known === key.replace(/s$/, ''));
  return {
    knowsPlaces: knowsPlacesOf(known),
    knowsTracks: knowsTracksOf(known),
    /** The longest names that begin at an index, in full. */
    at: (index: number) => longestAt(byStart, words, index),
    /** The people whose name begins at an index. */
    personAt: (index: number) => longestAt(peopleByStart, words, index),
    /** The departments, locations and teams of that name. */
    places(name: string): readonly Fact[] {
      const same = name.toLowerCase();
      return values.flatMap(({ member, entry }) =>
        placeMembers.includes(member) && entry.toLowerCase() === same
          ? [{ kind: 'value', member, entry }]
          : [],
      );
    },
    /** The titles of that name, in any case. */
    titled(name: string): readonly KnownTitle[] {
      return titles.filter(({ title }) => title.toLowerCase() === name.toLowerCase());
    },
    /** The titles that contain all of some words, in any order. */
    titlesWith(wanted: readonly string[]): readonly KnownTitle[] {
      const telling = wanted.filter((key) => key.length >= minTitleWord);
      if (telling.length === 0) return [];
      const found = titles.filter((each) => telling.every((key) => hasKey(keysOfName(each), key)));
      return [...new Map(found.map((each) => [`${each.option} ${each.title}`, each])).values()];
    },
  };
}

function longestAt(
  byStart: ReadonlyMap<string, readonly Name[]>,
  words: readonly Word[],
  at: number,
): Found | undefined {
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

function withoutRepeats(facts: readonly Name['fact'][]) {
  return [...new Map(facts.map((fact) => [JSON.stringify(fact), fact])).values()];
}
