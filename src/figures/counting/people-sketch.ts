import { lastHash } from '../hash.js';
import type { RecordView } from '../record-view.js';
import type { PeopleSketch } from '../result.js';
import { DistinctPeople } from './distinct-people.js';
import { personKeyFields } from './person-fields.js';
import { fieldIndexes } from './report-figures.js';

/** User IDs, and as many addresses. */
const maxPeople = 2_000_000;

/** Far more than SMALLEST_GROUP, so that two of few people are hardly ever in one place. */
const places = 4_096;

/**
 * The people of an answer in constant size, to tell whether two answers are about almost the same. Each person is in
 * one of many places, by user ID and by address, and a place has the hashes of its people combined so that one more or
 * less changes it.
 */
export class SketchedPeople {
  private readonly ids = new DistinctPeople(maxPeople);
  private readonly addresses = new DistinctPeople(maxPeople);
  private readonly index;

  constructor(fields: readonly string[]) {
    this.index = fieldIndexes(fields, personKeyFields);
  }

  add(record: RecordView): void {
    if (record.hashText(this.index.userid, false)) this.ids.numberOf(lastHash.high, lastHash.low);
    if (record.hashText(this.index.email, true)) this.addresses.numberOf(lastHash.high, lastHash.low);
  }

  merge({ ids, addresses }: SketchedPeople): void {
    this.ids.merge(ids);
    this.addresses.merge(addresses);
  }

  finish(): PeopleSketch {
    const isFull = this.ids.full || this.addresses.full;
    return { ids: sketchOf(this.ids), addresses: sketchOf(this.addresses), ...(isFull && { isFull }) };
  }
}

function sketchOf(people: DistinctPeople): Uint32Array {
  const sketch = new Uint32Array(2 * places);
  for (let person = 0; person < people.count; person++) {
    people.readHash(person);
    const at = 2 * (lastHash.low & (places - 1));
    sketch[at] = (sketch[at] as number) ^ lastHash.high;
    sketch[at + 1] = (sketch[at + 1] as number) ^ lastHash.low;
  }
  return sketch;
}

/**
 * True where the people of two answers differ, and by fewer than the smallest group, as far as can be told. More never
 * count as more than they are: people in one place are taken for one.
 */
export function differByFew(one: PeopleSketch, other: PeopleSketch, smallestGroup: number): boolean {
  if (one.isFull || other.isFull) return true;
  const isFew = (a: Uint32Array, b: Uint32Array) => {
    let differing = 0;
    for (let at = 0; at < a.length; at += 2) if (a[at] !== b[at] || a[at + 1] !== b[at + 1]) differing += 1;
    return differing > 0 && differing < smallestGroup;
  };
  return isFew(one.ids, other.ids) || isFew(one.addresses, other.addresses);
}
