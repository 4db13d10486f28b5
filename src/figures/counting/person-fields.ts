import { truncateText } from '../../requests/text.js';
import { hashText, lastHash } from '../hash.js';
import type { RecordView } from '../record-view.js';
import type { FigureUnit, PeopleToLookAt, RowPerson } from '../result.js';
import { FirstEntries } from './first-entries.js';
import { type Contribution, fieldIndexes } from './report-figures.js';

export const personKeyFields = ['userid', 'email'] as const;

/** Hashes the user ID of a record's person, or else the address, into a contribution. False if it names no one. */
export function personKeyReader(
  fields: readonly string[],
): (record: RecordView, into: Contribution) => boolean {
  const { userid, email } = fieldIndexes(fields, personKeyFields);
  return (record, into) => {
    into.hasPerson = record.hashText(userid, false) || record.hashText(email, true);
    into.personHigh = lastHash.high;
    into.personLow = lastHash.low;
    return into.hasPerson;
  };
}

/** The numbers of a `RowPerson`. */
export const perRowPerson = 4;

/** Reads whose row a record is. Undefined where it names nobody. */
export function rowPersonReader(fields: readonly string[]): (record: RecordView) => RowPerson | undefined {
  const { userid, email } = fieldIndexes(fields, personKeyFields);
  return (record) => {
    const hasId = record.hashText(userid, false);
    const [idHigh, idLow] = hasId ? [lastHash.high, lastHash.low] : [0, 0];
    const hasAddress = record.hashText(email, true);
    if (!hasId && !hasAddress) return undefined;
    return [idHigh, idLow, hasAddress ? lastHash.high : 0, hasAddress ? lastHash.low : 0];
  };
}

/** Fields whose values are those of the learner of a row. Others may name somebody else, such as the manager. */
const ownFields: ReadonlySet<string> = new Set([...personKeyFields, 'first_name', 'last_name', 'address']);

/** Whom each group of a person-level field is about. A group of several people is about none of them. */
export class PeopleOfGroups {
  private readonly people = new Map<string, RowPerson | 'several'>();
  private readonly whoOf: ReturnType<typeof rowPersonReader>;
  private readonly index: number;

  /** @param max groups; of more, there is no table */
  constructor(
    fields: readonly string[],
    private readonly flag: string,
    private readonly max: number,
  ) {
    this.whoOf = rowPersonReader(fields);
    this.index = fields.indexOf(flag);
  }

  add(record: RecordView): void {
    for (const entry of record.entries(this.index)) {
      const label = entry.trim();
      const who = ownFields.has(this.flag) ? this.whoOf(record) : personOfAddress(label);
      if (who) this.note(label, who);
    }
  }

  merge({ people }: PeopleOfGroups): void {
    for (const [label, who] of people) this.note(label, who);
  }

  find(label: string | null): RowPerson | undefined {
    const who = label === null ? undefined : this.people.get(label);
    return who === 'several' ? undefined : who;
  }

  private note(label: string, who: RowPerson | 'several'): void {
    const known = this.people.get(label);
    if (known === undefined) {
      if (this.people.size < this.max) this.people.set(label, who);
    } else if (known !== 'several' && (who === 'several' || !this.isSame(known, who)))
      this.people.set(label, 'several');
  }

  private isSame(one: RowPerson, other: RowPerson): boolean {
    const isKey = (personKeyFields as readonly string[]).includes(this.flag);
    return isKey || one.every((number, index) => number === other[index]);
  }
}

function personOfAddress(text: string): RowPerson | undefined {
  if (!text.includes('@')) return undefined;
  hashText(text.toLowerCase());
  return [0, 0, lastHash.high, lastHash.low];
}

export const nameFields = ['first_name', 'last_name', 'email'] as const;

const maxNameLength = 120;

/** Reads the person of a record: the name, else the address. */
export function nameReader(fields: readonly string[]): (record: RecordView) => string {
  const index = fieldIndexes(fields, nameFields);
  return (record) => {
    const names = [record.text(index.first_name), record.text(index.last_name)];
    const name = names
      .map((part) => part?.trim())
      .filter(Boolean)
      .join(' ');
    return truncateText(name || record.text(index.email)?.trim() || 'Somebody without a name', maxNameLength);
  };
}

const maxTitleLength = 120;

const maxListed = 10;

/** The first people by the order of their rows, and the number of all rows. */
export class PeopleList {
  private readonly nameOf: (record: RecordView) => string;
  private readonly titleIndex;
  private readonly whoOf: ReturnType<typeof rowPersonReader> | undefined;
  private readonly first = new FirstEntries<PeopleToLookAt['listed'][number]>(maxListed);

  /**
   * @param titleField the flag of a listed row's title; absent: rows have no title
   * @param unit of the amounts of the rows
   * @param tellsPeople true where it is recorded who is listed
   */
  constructor(
    fields: readonly string[],
    titleField: string | undefined,
    private readonly unit: FigureUnit,
    tellsPeople = false,
  ) {
    this.whoOf = tellsPeople ? rowPersonReader(fields) : undefined;
    this.titleIndex = titleField === undefined ? -1 : fields.indexOf(titleField);
    this.nameOf = nameReader(fields);
  }

  /** Counts the row, and lists its person with the amount (NaN: none) while it is among the first ten. */
  add(record: RecordView, order: number, amount: number): void {
    if (!this.first.count(order)) return;
    const title = this.titleIndex < 0 ? undefined : record.text(this.titleIndex)?.trim();
    this.first.add(order, {
      name: this.nameOf(record),
      about: title ? truncateText(title, maxTitleLength) : undefined,
      value: Number.isNaN(amount) ? undefined : { kind: 'amount', amount, unit: this.unit },
      ...(this.whoOf && { who: this.whoOf(record) }),
    });
  }

  merge({ first }: PeopleList): void {
    this.first.merge(first);
  }

  finish(why: PeopleToLookAt['why']): PeopleToLookAt {
    return { why, rows: this.first.total, listed: this.first.all };
  }
}
