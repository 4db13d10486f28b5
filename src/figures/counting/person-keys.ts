import { type HashKey, lastHash, rehashWith } from '../hash.js';
import type { RecordView } from '../record-view.js';
import { DistinctPeople } from './distinct-people.js';

/** The key of all rows that name nobody: they count as one person. */
export const nobody = 0;

/** The key of a row after more keys than are kept. Nobody can tell who it is. */
export const unknownPerson = -1;

/** User IDs and addresses together. They take 50 MB. */
const maxKeys = 2_000_000;

/**
 * Tells people apart by their user IDs and addresses. Rows may have either or both, and one row with both shows that
 * they belong to the same person. So a row has a key at first, and only after the last row it is known whose key it is.
 *
 * Two user IDs with one address are one person.
 */
export class PersonKeys {
  private constructor(
    private readonly keys: DistinctPeople,
    /** By the key, another key of the same person; that of the person is its own. */
    private parents: Int32Array,
    private readonly secret: HashKey | undefined,
  ) {}

  /** @param secret for hashes that are kept longer than an answer; absent: they need none */
  static start(limit = maxKeys, secret?: HashKey): PersonKeys {
    return new PersonKeys(DistinctPeople.withLimit(limit), new Int32Array(64), secret);
  }

  /** True if there were more keys than are kept. People cannot be told apart then. */
  get full(): boolean {
    return this.keys.full;
  }

  /**
   * The key of the record's person.
   *
   * @param userid the index of the user ID among the fields of the record
   * @param email that of the address, which is compared without its case
   */
  keyOf(record: RecordView, userid: number, email: number): number {
    const byId = record.hashText(userid, false) ? this.numberOfLastHash() : nobody;
    const byAddress = record.hashText(email, true) ? this.numberOfLastHash() : nobody;
    if (this.full) return unknownPerson;
    if (byId === nobody || byAddress === nobody) return this.personOf(byId === nobody ? byAddress : byId);
    return this.join(byId, byAddress);
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

  copy(): PersonKeys {
    return new PersonKeys(this.keys.copy(), this.parents.slice(), this.secret);
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
