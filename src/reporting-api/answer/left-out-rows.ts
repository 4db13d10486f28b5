import { isAddress, type LeftOutCheck } from '../../access/left-out.js';
import { personKeyFields } from '../../figures/counting/person-fields.js';
import { fieldIndexes } from '../../figures/counting/report-figures.js';
import { hashText, lastHash } from '../../figures/hash.js';
import type { RecordView } from '../../figures/record-view.js';

const noEntry = -1;

/**
 * Finds the rows of people who are left out, and counts these people. A list takes the same memory for any number of
 * rows, and a row of another person costs two hashes.
 */
export class LeftOutRows {
  private readonly index;
  private readonly entries;
  private readonly own;
  /** By entry: whether a row had it, and an entry of the same person, or itself. */
  private readonly wasFound;
  private readonly sameAs;
  /** Of the last row. One object, so that reading allocates nothing. */
  private readonly found = { byId: noEntry, byAddress: noEntry };

  /** @param fields of the read plan */
  constructor({ people, own }: LeftOutCheck, fields: readonly string[]) {
    this.own = own;
    this.entries = ListedEntries.of(people);
    this.wasFound = new Uint8Array(this.entries.count);
    this.sameAs = Int32Array.from(this.wasFound, (_, entry) => entry);
    this.index = fieldIndexes(fields, personKeyFields);
  }

  /** Adds the rows of the next part of the answer. */
  merge({ wasFound, sameAs }: LeftOutRows): void {
    for (const [entry, found] of wasFound.entries()) {
      if (found === 1) this.wasFound[entry] = 1;
      this.sameAs[this.personOf(entry)] = this.personOf(sameAs[entry] as number);
    }
  }

  /** True for the row of a person on the list, unless it is the reader's own and only those were asked for. */
  leavesOut(record: RecordView): boolean {
    const { byId, byAddress } = this.entriesOf(record);
    if (!this.isLeftOut(record, byId, byAddress)) return false;
    if (byId !== noEntry) this.wasFound[byId] = 1;
    if (byAddress !== noEntry) this.wasFound[byAddress] = 1;
    if (byId !== noEntry && byAddress !== noEntry)
      this.sameAs[this.personOf(byId)] = this.personOf(byAddress);
    return true;
  }

  /** The same for a row that is in no answer: its person is not counted. */
  lists(record: RecordView): boolean {
    const { byId, byAddress } = this.entriesOf(record);
    return this.isLeftOut(record, byId, byAddress);
  }

  /** The people of the rows that were left out. An address and a user ID that a row has together are one person. */
  get people(): number {
    const people = new Set<number>();
    for (const [entry, found] of this.wasFound.entries()) if (found === 1) people.add(this.personOf(entry));
    return people.size;
  }

  private isLeftOut(record: RecordView, byId: number, byAddress: number): boolean {
    if (byId === noEntry && byAddress === noEntry) return false;
    const { own } = this;
    return own === undefined || record.text(this.index.email)?.trim().toLowerCase() !== own;
  }

  private entriesOf(record: RecordView) {
    const { entries, index, found } = this;
    found.byId = record.hashText(index.userid, false) ? entries.find('id') : noEntry;
    found.byAddress = record.hashText(index.email, true) ? entries.find('address') : noEntry;
    return found;
  }

  private personOf(entry: number): number {
    let person = entry;
    while (this.sameAs[person] !== person) person = this.sameAs[person] as number;
    return person;
  }
}

/** The entries of a list, by the halves of their hashes. Never changes, so readings share it. */
class ListedEntries {
  /** Nearly all readings have the same list. */
  private static last: ListedEntries | undefined;

  readonly count: number;
  private readonly byLow = new Map<number, Map<number, number>>();

  private constructor(private readonly people: string) {
    const entries = people === '' ? [] : people.split('\n');
    this.count = entries.length;
    for (const [index, entry] of entries.entries()) {
      hashText(entry);
      const byHigh = this.byLow.get(lastHash.low) ?? new Map<number, number>();
      this.byLow.set(lastHash.low, byHigh.set(highOf(isAddress(entry) ? 'address' : 'id'), index));
    }
  }

  static of(people: string): ListedEntries {
    if (ListedEntries.last?.people !== people) ListedEntries.last = new ListedEntries(people);
    return ListedEntries.last;
  }

  /** The entry of the text that was just hashed. */
  find(kind: 'id' | 'address'): number {
    return this.byLow.get(lastHash.low)?.get(highOf(kind)) ?? noEntry;
  }
}

/** One bit keeps user IDs and addresses apart. */
function highOf(kind: 'id' | 'address'): number {
  return (lastHash.high & ~1) | (kind === 'id' ? 0 : 1);
}
