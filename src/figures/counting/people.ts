import { truncateText } from '../format/text.js';
import type { RecordView } from '../record-view.js';
import type { PeopleToLookAt } from '../result.js';
import { type Contribution, fieldIndexes } from './report-figures.js';

const keyFlags = ['userid', 'email'] as const;

/** The flags that people are told apart by. */
export const personKeyFields: readonly string[] = keyFlags;

/** Puts into a contribution who it is about, by the user ID, else the address. False where the record names nobody. */
export function personKeyReader(
  fields: readonly string[],
): (record: RecordView, into: Contribution) => boolean {
  const { userid, email } = fieldIndexes(fields, keyFlags);
  return (record, into) => {
    into.hasPerson = record.hashText(userid, false) || record.hashText(email, true);
    into.personHigh = lastHash.high;
    into.personLow = lastHash.low;
    return into.hasPerson;
  };
}

const nameFlags = ['first_name', 'last_name', 'email'] as const;

/** The flags that a person's name is made of. */
export const nameFields: readonly string[] = nameFlags;

/** So much of a name is kept. */
const MAX_NAME_LENGTH = 120;

/** Says who a record is about: the name, else the address. */
export function nameReader(fields: readonly string[]): (record: RecordView) => string {
  const place = fieldIndexes(fields, nameFlags);
  return (record) => {
    const names = [record.text(place.first_name), record.text(place.last_name)];
    const name = names
      .map((part) => part?.trim())
      .filter(Boolean)
      .join(' ');
    return truncateText(
      name || record.text(place.email)?.trim() || 'Somebody without a name',
      MAX_NAME_LENGTH,
    );
  };
}

type Listed = PeopleToLookAt['listed'][number];

/** So many are listed. */
const MAX_LISTED = 10;

/** The first few by some measure, the largest first, and how many there were in all. */
export class PeopleList {
  private constructor(
    private readonly measures: number[],
    private readonly listed: Listed[],
    private rows: number,
  ) {}

  static empty(): PeopleList {
    return new PeopleList([], [], 0);
  }

  /** Counts one more; true when it belongs among the listed, and `list` is to be called. */
  count(measure: number): boolean {
    this.rows++;
    return this.listed.length < MAX_LISTED || measure > (this.measures.at(-1) ?? Number.NEGATIVE_INFINITY);
  }

  insert(measure: number, person: Listed): void {
    const before = this.measures.findIndex((other) => other < measure);
    const at = before < 0 ? this.measures.length : before;
    this.measures.splice(at, 0, measure);
    this.listed.splice(at, 0, person);
    this.measures.length = Math.min(this.measures.length, MAX_LISTED);
    this.listed.length = Math.min(this.listed.length, MAX_LISTED);
  }

  copy(): PeopleList {
    return new PeopleList([...this.measures], [...this.listed], this.rows);
  }

  finish(why: PeopleToLookAt['why']): PeopleToLookAt {
    return { why, rows: this.rows, listed: [...this.listed] };
  }
}

/** Two 32-bit halves of a 64-bit hash, read after each `hashText` and `hashAscii`. */
export const lastHash = { high: 0, low: 0 };

const start = { high: 0xdeadbeef | 0, low: 0x41c6ce57 };

/** Hashes text into `hashed`, in one pass and without allocating. */
export function hashText(text: string): void {
  let { high, low } = start;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x85ebca77);
    low = Math.imul(low ^ unit, 0xc2b2ae3d);
    // Rotated, so that what stood early in the text reaches the low bits too.
    high = (high << 13) | (high >>> 19);
    low = (low << 17) | (low >>> 15);
  }
  finish(high, low, text.length);
}

/**
 * Hashes text that is all ASCII from its bytes, into the same as `hashText` does. False where a byte is not ASCII: then
 * nothing is hashed.
 */
export function hashAscii(bytes: Uint8Array, from: number, end: number, inLowerCase: boolean): boolean {
  let { high, low } = start;
  for (let i = from; i < end; i++) {
    let unit = bytes[i] as number;
    if (unit >= 0x80) return false;
    // A to Z.
    if (inLowerCase && unit >= 0x41 && unit <= 0x5a) unit |= 0x20;
    high = Math.imul(high ^ unit, 0x85ebca77);
    low = Math.imul(low ^ unit, 0xc2b2ae3d);
    high = (high << 13) | (high >>> 19);
    low = (low << 17) | (low >>> 15);
  }
  finish(high, low, end - from);
  return true;
}

function finish(high: number, low: number, length: number): void {
  lastHash.high = avalanche(high ^ Math.imul(low, 0x27d4eb2f) ^ length);
  lastHash.low = avalanche(low ^ Math.imul(high, 0x165667b1));
}

/** Spreads each bit over all of them, as MurmurHash3 ends. */
function avalanche(bits: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
