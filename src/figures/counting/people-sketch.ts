import { lastHash } from '../hash.js';
import type { RecordView } from '../record-view.js';
import type { PeopleSketch } from '../result.js';
import { personKeyFields } from './person-fields.js';
import { noPerson, PersonKeys } from './person-keys.js';
import { fieldIndexes } from './report-figures.js';

/** Each person is in one place of each row, by other bits of the hash. */
const rows = 4;
const placeBits = 14;
const places = 2 ** placeBits;

/** Stands for the rows that name no one, which count as one person. */
const nobody = { high: 0x5bd1e995, low: 0x1b873593 };

/**
 * The people of an answer in constant size, to tell whether two answers are about almost the same: by user ID, by
 * address, and by both where rows join them. A place has the hashes of its people combined, so that one more or less
 * changes it.
 */
export class SketchedPeople {
  private readonly keys;
  private readonly index;
  private hasNobody = false;

  /** @param maxKeys user IDs and addresses together; absent: as many as elsewhere */
  constructor(fields: readonly string[], maxKeys?: number) {
    this.index = fieldIndexes(fields, personKeyFields);
    this.keys = new PersonKeys(maxKeys);
  }

  add(record: Pick<RecordView, 'hashText'>): void {
    const { keys, index } = this;
    if (keys.keyOf(record, index.userid, index.email) === noPerson) this.hasNobody = true;
    else keys.markLastKinds();
  }

  merge(later: SketchedPeople): void {
    this.keys.merge(later.keys);
    this.hasNobody ||= later.hasNobody;
  }

  finish(): PeopleSketch {
    const { keys, hasNobody } = this;
    const [ids, addresses, people] = [emptySketch(), emptySketch(), emptySketch()];
    // By the person: all hashes combined, in whatever order they came.
    const combined = new Int32Array(2 * (keys.count + 1));
    for (let key = 1; key <= keys.count; key++) {
      keys.readHash(key);
      const { high, low } = lastHash;
      if (keys.isOfKind(key, 'id')) put(ids, high, low);
      if (keys.isOfKind(key, 'address')) put(addresses, high, low);
      const at = 2 * keys.personOf(key);
      combined[at] = (combined[at] as number) ^ high;
      combined[at + 1] = (combined[at + 1] as number) ^ low;
    }
    for (let key = 1; key <= keys.count; key++) {
      if (keys.personOf(key) === key)
        put(people, combined[2 * key] as number, combined[2 * key + 1] as number);
    }
    if (hasNobody) put(people, nobody.high, nobody.low);
    return { ids, addresses, people, ...(keys.full && { isFull: true }) };
  }
}

const emptySketch = () => new Int32Array(rows * places);

function put(sketch: Int32Array, high: number, low: number): void {
  for (let row = 0; row < rows; row++) {
    const [from, other] = row % 2 === 0 ? [low, high] : [high, low];
    const place = (from >>> (row < 2 ? 0 : placeBits)) & (places - 1);
    const at = row * places + place;
    // What does not choose the place, so that both halves have to be equal for people to cancel out in all rows.
    sketch[at] = (sketch[at] as number) ^ other;
  }
}

/**
 * True where the people of two answers differ, and by fewer than the smallest group: by user ID, by address, or by both
 * joined.
 *
 * A smaller difference is always found, as long as both answers name a person in the same way: it fills no more places
 * than it has people, and leaves all of them empty once in 2 ** 64. Where an answer names some people by user ID alone and
 * the other names the same ones by address alone, nothing says that they are the same. Five people or more are taken for
 * fewer if two of them are in one place in each row: of five, once in 10 ** 12; of a hundred, where the smallest group
 * is that, once in 200. More are so less often. An answer with more people than are stored counts as too near.
 */
export function differByFew(one: PeopleSketch, other: PeopleSketch, smallestGroup: number): boolean {
  if (one.isFull || other.isFull) return true;
  const isFew = (kind: 'ids' | 'addresses' | 'people') => {
    const differing = countDiffering(one[kind], other[kind], smallestGroup);
    return differing > 0 && differing < smallestGroup;
  };
  return isFew('ids') || isFew('addresses') || isFew('people');
}

/** The differing places of the row that has most of them, up to a limit. */
function countDiffering(one: Int32Array, other: Int32Array, limit: number): number {
  let most = 0;
  for (let row = 0; row < rows; row++) {
    let differing = 0;
    for (let at = row * places; at < (row + 1) * places; at++) {
      if (one[at] === other[at]) continue;
      differing += 1;
      if (differing >= limit) return limit;
    }
    most = Math.max(most, differing);
  }
  return most;
}
