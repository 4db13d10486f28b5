import { lastHash } from '../hash.js';
import { type HashKey, rehashWith } from '../keyed-hash.js';
import type { RecordView } from '../record-view.js';
import { DistinctPeople } from './distinct-people.js';

/** The key of all rows that name no one: they count as one person. */
export const noPerson = 0;

/** The key of a row after more keys than are stored: its person is unknown. */
export const unknownPerson = -1;

/** The marks of a key, by what it is. */
const kinds = { id: 1, address: 2 } as const;

/** User IDs and addresses together. They take 50 MB. */
const maxKeys = 2_000_000;

/**
 * Tells people apart by their user IDs and addresses. Rows may have either or both, and one row with both shows that
 * they belong to the same person. So a row has a key at first, and only after the last row it is known whose key it is.
 *
 * Two user IDs with one address are one person.
 */
export class PersonKeys {
  private readonly keys;
  /** By the key, another key of the same person; that of the person is its own. */
  private parents = new Int32Array(64);
  /** The keys of the last record's user ID and of its address, whoever's they are; `noPerson`: it has none. */
  lastId = noPerson;
  lastAddress = noPerson;

  /** @param secret for hashes that are stored longer than an answer; absent: they need none */
  constructor(
    limit = maxKeys,
    private readonly secret?: HashKey,
  ) {
    this.keys = new DistinctPeople(limit);
  }

  /** True if there were more keys than are stored. People cannot be told apart then. */
  get full(): boolean {
    return this.keys.full;
  }

  /** The number of keys. The first is 1. */
  get count(): number {
    return this.keys.count;
  }

  /** Makes the hash of a key's user ID or address the last hash. */
  readHash(key: number): void {
    this.keys.readHash(key - 1);
  }

  /**
   * The key of the record's person.
   *
   * @param userid the index of the user ID among the fields of the record
   * @param email that of the address, which is compared without its case
   */
  keyOf(record: Pick<RecordView, 'hashText'>, userid: number, email: number): number {
    const byId = record.hashText(userid, false) ? this.numberOfLastHash() : noPerson;
    const byAddress = record.hashText(email, true) ? this.numberOfLastHash() : noPerson;
    this.lastId = byId;
    this.lastAddress = byAddress;
    if (this.full) return unknownPerson;
    if (byId === noPerson || byAddress === noPerson)
      return this.personOf(byId === noPerson ? byAddress : byId);
    return this.join(byId, byAddress);
  }

  /** Remembers of which kinds the keys of the last record are. */
  markLastKinds(): void {
    if (this.lastId > noPerson) this.keys.mark(this.lastId - 1, kinds.id);
    if (this.lastAddress > noPerson) this.keys.mark(this.lastAddress - 1, kinds.address);
  }

  /** True for a key that was remembered as a user ID, or as an address. */
  isOfKind(key: number, kind: keyof typeof kinds): boolean {
    return this.keys.isMarked(key - 1, kinds[kind]);
  }

  /** The person of a key: after the last row, the same number for all keys of a person. */
  personOf(key: number): number {
    const { parents } = this;
    if (key < 0) return key;
    let person = key;
    for (let parent = parents[person] as number; parent !== person; parent = parents[person] as number) {
      const above = parents[parent] as number;
      parents[person] = above;
      person = above;
    }
    return person;
  }

  /** @returns the person here of a key of `later` */
  merge(later: PersonKeys): (key: number) => number {
    const before = this.keys.count;
    const numbers = this.keys.merge(later.keys);
    for (let key = before + 1; key <= this.keys.count; key++) this.addParent(key);
    const keyOf = (key: number) => {
      if (key <= noPerson) return key;
      const number = numbers[key - 1] as number;
      return number < 0 ? unknownPerson : this.personOf(number + 1);
    };
    for (let key = 1; key <= numbers.length; key++) {
      const [one, other] = [keyOf(key), keyOf(later.parents[key] as number)];
      if (one > noPerson && other > noPerson) this.join(one, other);
    }
    return keyOf;
  }

  private numberOfLastHash(): number {
    if (this.secret) rehashWith(this.secret);
    const { high, low } = lastHash;
    const before = this.keys.count;
    const key = this.keys.numberOf(high, low) + 1;
    if (this.keys.count > before) this.addParent(key);
    return key;
  }

  private addParent(key: number): void {
    if (key >= this.parents.length) {
      const grown = new Int32Array(2 * this.parents.length);
      grown.set(this.parents);
      this.parents = grown;
    }
    this.parents[key] = key;
  }

  private join(one: number, other: number): number {
    const [a, b] = [this.personOf(one), this.personOf(other)];
    const person = Math.min(a, b);
    this.parents[Math.max(a, b)] = person;
    return person;
  }
}
