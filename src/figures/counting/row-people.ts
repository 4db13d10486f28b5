import { lastHash } from '../hash.js';
import type { RecordView } from '../record-view.js';
import { DistinctPeople } from './distinct-people.js';
import { perRowPerson, personKeyFields } from './person-fields.js';
import { fieldIndexes } from './report-figures.js';

/** More people of one file are not told apart. They take 45 MB. */
const maxPeopleInFile = 1_000_000;

const firstPeople = 1024;

/** Unused pages cost no memory, so from this many on, all are reserved. */
const reserveFrom = 65_536;

/** Collects the people of a file's rows while they stream past, in memory that is limited by their number. */
export class PeopleOfRows {
  private readonly pairs: DistinctPeople;
  private people = new Int32Array(perRowPerson * firstPeople);
  /** By person: 1 where one of the rows is certainly in the file. */
  private certain = new Uint8Array(firstPeople);
  /** True where a part had too many. */
  private isFull = false;
  private readonly userid: number;
  private readonly email: number;

  constructor(
    private readonly fields: readonly string[],
    private readonly maxPeople = maxPeopleInFile,
  ) {
    this.pairs = new DistinctPeople(maxPeople);
    const { userid, email } = fieldIndexes(fields, personKeyFields);
    this.userid = userid;
    this.email = email;
  }

  /** @param isCertain false for a row that may turn out at the end not to be counted */
  add(record: RecordView, isCertain: boolean): void {
    let idHigh = 0;
    let idLow = 0;
    if (record.hashText(this.userid, false)) {
      idHigh = lastHash.high;
      idLow = lastHash.low;
    }
    if (record.hashText(this.email, true)) this.note(idHigh, idLow, lastHash.high, lastHash.low, isCertain);
    else if ((idHigh | idLow) !== 0) this.note(idHigh, idLow, 0, 0, isCertain);
  }

  startPart(): PeopleOfRows {
    return new PeopleOfRows(this.fields, this.maxPeople);
  }

  merge({ pairs, people, certain, isFull }: PeopleOfRows): void {
    for (let person = 0; person < pairs.count; person++) {
      const at = perRowPerson * person;
      const [idHigh = 0, idLow = 0, high = 0, low = 0] = people.subarray(at, at + perRowPerson);
      this.note(idHigh, idLow, high, low, certain[person] === 1);
    }
    this.isFull ||= pairs.full || isFull;
  }

  /** `perRowPerson` numbers for each person; undefined: there were too many to tell. */
  finish(countsUncertain: boolean): Int32Array | undefined {
    const { pairs, people, certain } = this;
    if (pairs.full || this.isFull) return undefined;
    const all = people.subarray(0, perRowPerson * pairs.count);
    if (countsUncertain) return all.slice();
    return all.filter((_, index) => certain[Math.floor(index / perRowPerson)] === 1);
  }

  private note(idHigh: number, idLow: number, high: number, low: number, isCertain: boolean): void {
    // Rotated, so that an ID and an address that are equal do not cancel each other out.
    const number = this.pairs.numberOf(
      idHigh ^ ((high << 7) | (high >>> 25)),
      Math.imul(idLow, 0x9e3779b1) ^ low,
    );
    if (number < 0) return;
    if (number >= this.certain.length) this.grow();
    const at = perRowPerson * number;
    this.people[at] = idHigh;
    this.people[at + 1] = idLow;
    this.people[at + 2] = high;
    this.people[at + 3] = low;
    if (isCertain) this.certain[number] = 1;
  }

  private grow(): void {
    const length = 2 * this.certain.length;
    const room = length > reserveFrom ? this.maxPeople : Math.min(length, this.maxPeople);
    const people = new Int32Array(perRowPerson * room);
    people.set(this.people);
    const certain = new Uint8Array(room);
    certain.set(this.certain);
    this.people = people;
    this.certain = certain;
  }
}
