import { isAddress, type LeftOutCheck } from '../../access/left-out.js';
import { hashText, lastHash } from '../../figures/hash.js';

/** What is read of a record. */
interface PersonOfRecord {
  text(field: number): string | undefined;
  /** Hashes the text without blanks around it. False where it is missing. */
  hashTrimmed(field: number, inLowerCase: boolean): boolean;
}

/** The flags that say whose row it is. */
export const leftOutFields = ['userid', 'email'] as const;

const nobody = -1;

/**
 * Finds the rows of people who are left out, and counts these people. A list takes the same memory for any number of
 * rows, and a row of somebody else costs two hashes.
 */
export class LeftOutRows {
  private readonly userid: number;
  private readonly email: number;

  private readonly entries: ListedEntries;
  private readonly own: string | undefined;
  /** By entry: whether a row had it, and an entry of the same person, or itself. */
  private readonly wasFound: Uint8Array;
  private readonly sameAs: Int32Array;

  /** @param fields of the read plan */
  constructor({ people, own }: LeftOutCheck, fields: readonly string[]) {
    this.own = own;
    this.entries = ListedEntries.of(people);
    this.wasFound = new Uint8Array(this.entries.count);
    this.sameAs = Int32Array.from(this.wasFound, (_, entry) => entry);
    this.userid = fields.indexOf('userid');
    this.email = fields.indexOf('email');
    if (this.userid < 0 || this.email < 0) throw new Error('Rows cannot be left out without their people');
  }

  /** Adds the rows of the next part of the answer. */
  merge({ wasFound, sameAs }: LeftOutRows): void {
    for (const [entry, found] of wasFound.entries()) {
      if (found === 1) this.wasFound[entry] = 1;
      this.sameAs[this.personOf(entry)] = this.personOf(sameAs[entry] as number);
    }
  }

  /** True for the row of a person on the list, unless it is the reader's own and only those were asked for. */
  leavesOut(record: PersonOfRecord): boolean {
    const { entries, own } = this;
    const byId = record.hashTrimmed(this.userid, false) ? entries.find('id') : nobody;
    const byAddress = record.hashTrimmed(this.email, true) ? entries.find('address') : nobody;
    if (byId === nobody && byAddress === nobody) return false;
    if (own !== undefined && record.text(this.email)?.trim().toLowerCase() === own) return false;
    if (byId !== nobody) this.wasFound[byId] = 1;
    if (byAddress !== nobody) this.wasFound[byAddress] = 1;
    if (byId !== nobody && byAddress !== nobody) this.sameAs[this.personOf(byId)] = this.personOf(byAddress);
    return true;
  }

  /** The people of the rows that were left out. An address and a user ID that a row has together are one person. */
  get people(): number {
    const people = new Set<number>();
    for (const [entry, found] of this.wasFound.entries()) if (found === 1) people.add(this.personOf(entry));
    return people.size;
  }

  private personOf(entry: number): number {
    let person = entry;
    while (this.sameAs[person] !== person) person = this.sameAs[person] as number;
    return person;
  }
}

/** The entries of a list, by their hashes. Never changes, so readings share it. */
class ListedEntries {
  /** Nearly all readings have the same list. */
  private static last: ListedEntries | undefined;

  readonly count: number;
  /** High and low half, by entry. */
  private readonly hashes: Int32Array;
  /** Entries by the low half of their hash, plus one; 0: free. */
  private readonly slots: Int32Array;

  private constructor(private readonly people: string) {
    const entries = people === '' ? [] : people.split('\n');
    this.count = entries.length;
    this.hashes = new Int32Array(2 * entries.length);
    this.slots = new Int32Array(2 ** Math.ceil(Math.log2(4 * entries.length + 4)));
    for (const [index, entry] of entries.entries()) this.enter(index, entry);
  }

  static of(people: string): ListedEntries {
    if (ListedEntries.last?.people !== people) ListedEntries.last = new ListedEntries(people);
    return ListedEntries.last;
  }

  /** The entry of the text that was just hashed. */
  find(kind: 'id' | 'address'): number {
    const { slots, hashes } = this;
    const mask = slots.length - 1;
    const high = highOf(kind);
    for (let slot = lastHash.low & mask; ; slot = (slot + 1) & mask) {
      const index = (slots[slot] as number) - 1;
      if (index < 0) return nobody;
      if (hashes[2 * index] === high && hashes[2 * index + 1] === lastHash.low) return index;
    }
  }

  private enter(index: number, entry: string): void {
    hashText(entry);
    this.hashes[2 * index] = highOf(isAddress(entry) ? 'address' : 'id');
    this.hashes[2 * index + 1] = lastHash.low;
    const mask = this.slots.length - 1;
    let slot = lastHash.low & mask;
    while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
    this.slots[slot] = index + 1;
  }
}

/** One bit keeps user IDs and addresses apart. */
function highOf(kind: 'id' | 'address'): number {
  return (lastHash.high & ~1) | (kind === 'id' ? 0 : 1);
}
