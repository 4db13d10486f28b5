import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { hashText, lastHash } from './hash.js';
import { type HashKey, rehashWith } from './keyed-hash.js';

/** More rows are never compared. */
export const maxKnownRows = 1_000_000;

/**
 * The rows of one answer as keyed hashes, by person. A person has one part, so an erasure can drop it. Rows that name
 * no person are the last part, without names.
 *
 * Everything is in the order of its hash, because the order of an answer tells the alphabet.
 *
 * Names and items have 64 bits. A new row is missed if its hashes are those of a known row: among 1,000,000 rows with two
 * names each once in 10^13 new rows for the names, and once in 10^13 for the item where all rows are of one person. An
 * occurrence has 32 bits: a renewed row is missed once in 4 * 10^9 for each known occurrence of its item and person.
 */
export interface KnownRows {
  /** The two halves of each hash of a user ID or an address. */
  readonly names: Int32Array;
  /** The person of each name, from 0 on. */
  readonly personOfName: Int32Array;
  /** By person: how many rows there are up to the end of their part. */
  readonly ends: Int32Array;
  /** The two halves of the hash of each item, and its occurrence; 0: it has none. */
  readonly rows: Int32Array;
}

/** The numbers of one of these rows. */
export const perKnownRow = 3;
const header = 4;
const version = 1;

/** At most two names for each row, and a person. */
const maxBytes = 4 * (header + maxKnownRows * (2 * 3 + 1 + perKnownRow));

/** The bytes to store: four for each number, the lowest first, compressed to half of that or less. */
export function encodeKnownRows({ names, personOfName, ends, rows }: KnownRows): Uint8Array {
  const parts = [
    [version, personOfName.length, ends.length, rows.length / perKnownRow],
    names,
    personOfName,
    ends,
    rows,
  ];
  const bytes = new DataView(new ArrayBuffer(4 * parts.reduce((sum, { length }) => sum + length, 0)));
  let at = 0;
  for (const part of parts) {
    for (const number of part) {
      bytes.setInt32(at, number, true);
      at += 4;
    }
  }
  // A higher level takes longer for the same. Copied, because a small `Buffer` shares its bytes with others.
  return new Uint8Array(deflateRawSync(bytes, { level: 1 }));
}

const none = new Int32Array();

/** No rows, in base64: other than where none are known, all rows after them are new. */
export const noKnownRows = Buffer.from(
  encodeKnownRows({ names: none, personOfName: none, ends: none, rows: none }),
).toString('base64');

/** @returns undefined for bytes of another version, and for damaged ones */
export function decodeKnownRows(compressed: Uint8Array): KnownRows | undefined {
  const bytes = inflated(compressed);
  if (!bytes || bytes.length < 4 * header) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const take = (length: number) => {
    const numbers = new Int32Array(length);
    for (let i = 0; i < length; i++, at += 4) numbers[i] = view.getInt32(at, true);
    return numbers;
  };
  const [found, names = 0, people = 0, rows = 0] = take(header);
  const length = header + 3 * names + people + perKnownRow * rows;
  if (found !== version || Math.min(names, people, rows) < 0 || bytes.length !== 4 * length) return undefined;
  return {
    names: take(2 * names),
    personOfName: take(names),
    ends: take(people),
    rows: take(perKnownRow * rows),
  };
}

function inflated(bytes: Uint8Array): Uint8Array | undefined {
  try {
    return inflateRawSync(bytes, { maxOutputLength: maxBytes });
  } catch {
    return undefined;
  }
}

/**
 * The same without the parts of these people. Seen again, their rows are new.
 *
 * @param people user IDs, e-mail addresses and other texts
 * @returns undefined if none of them is known
 */
export function withoutPeople(
  bytes: Uint8Array,
  people: readonly string[],
  key: HashKey,
): Uint8Array | undefined {
  const known = decodeKnownRows(bytes);
  if (!known) return undefined;
  const erased = new Set<number>();
  for (const text of people) {
    // It is not known which of them are addresses.
    for (const name of new Set([text.trim(), text.trim().toLowerCase()])) {
      hashText(name);
      rehashWith(key);
      const person = personOf(known, lastHash.high, lastHash.low);
      if (person >= 0) erased.add(person);
    }
  }
  return erased.size === 0 ? undefined : encodeKnownRows(onlyPeople(known, (person) => !erased.has(person)));
}

function onlyPeople(known: KnownRows, isKept: (person: number) => boolean): KnownRows {
  const numbers = new Int32Array(known.ends.length).fill(nobodyKnown);
  const ends: number[] = [];
  const rows = new Int32Array(known.rows.length);
  let filled = 0;
  for (let person = 0; person < known.ends.length; person++) {
    if (!isKept(person)) continue;
    const part = known.rows.subarray(
      perKnownRow * startOf(known, person),
      perKnownRow * endOf(known, person),
    );
    rows.set(part, filled);
    filled += part.length;
    numbers[person] = ends.length;
    ends.push(filled / perKnownRow);
  }
  const names: number[] = [];
  const personOfName: number[] = [];
  known.personOfName.forEach((person, name) => {
    const number = numbers[person] ?? nobodyKnown;
    if (number < 0) return;
    names.push(known.names[2 * name] ?? 0, known.names[2 * name + 1] ?? 0);
    personOfName.push(number);
  });
  return {
    names: Int32Array.from(names),
    personOfName: Int32Array.from(personOfName),
    ends: Int32Array.from(ends),
    rows: rows.subarray(0, filled),
  };
}

export const nobodyKnown = -1;

/** The person whose name has this hash; `nobodyKnown`: none. */
export function personOf({ names, personOfName }: KnownRows, high: number, low: number): number {
  let from = 0;
  let end = personOfName.length;
  while (from < end) {
    const middle = (from + end) >>> 1;
    const order = (names[2 * middle] as number) - high || (names[2 * middle + 1] as number) - low;
    if (order === 0) return personOfName[middle] as number;
    if (order < 0) from = middle + 1;
    else end = middle;
  }
  return nobodyKnown;
}

/** The last part, where it has no names; `nobodyKnown`: there is none. */
export function namelessPart({ personOfName, ends }: KnownRows): number {
  const last = ends.length - 1;
  return personOfName.includes(last) ? nobodyKnown : last;
}

/**
 * Whether a person has an item with this occurrence. One without an occurrence stands for all later ones: a date may be
 * there only once the row is completed, and it is no other row then.
 */
export function hasRow(
  known: KnownRows,
  person: number,
  high: number,
  low: number,
  occurrence: number,
): boolean {
  if (person < 0) return false;
  return (
    includes(known, person, high, low, occurrence) ||
    (occurrence !== 0 && includes(known, person, high, low, 0))
  );
}

function includes(known: KnownRows, person: number, high: number, low: number, occurrence: number): boolean {
  const { rows } = known;
  let from = startOf(known, person);
  let end = endOf(known, person);
  while (from < end) {
    const middle = (from + end) >>> 1;
    const order = compareRow(rows, middle, high, low, occurrence);
    if (order === 0) return true;
    if (order < 0) from = middle + 1;
    else end = middle;
  }
  return false;
}

function compareRow(rows: Int32Array, row: number, high: number, low: number, occurrence: number): number {
  const at = perKnownRow * row;
  return (
    (rows[at] as number) - high || (rows[at + 1] as number) - low || (rows[at + 2] as number) - occurrence
  );
}

function startOf({ ends }: KnownRows, person: number): number {
  return person === 0 ? 0 : (ends[person - 1] as number);
}

function endOf({ ends }: KnownRows, person: number): number {
  return ends[person] as number;
}
