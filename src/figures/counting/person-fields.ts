import { truncateText } from '../format/text.js';
import { lastHash } from '../hash.js';
import type { RecordView } from '../record-view.js';
import type { PeopleToLookAt } from '../result.js';
import { type Contribution, fieldIndexes } from './report-figures.js';

/** The flags that identify a person. */
export const personKeyFields = ['userid', 'email'] as const;

/** Hashes the person of a record, by the user ID or else the address, into a contribution. False: it names nobody. */
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

/** The flags that a person's name is made of. */
export const nameFields = ['first_name', 'last_name', 'email'] as const;

const MAX_NAME_LENGTH = 120;

/** Reads who a record is about: the name, else the address. */
export function nameReader(fields: readonly string[]): (record: RecordView) => string {
  const index = fieldIndexes(fields, nameFields);
  return (record) => {
    const names = [record.text(index.first_name), record.text(index.last_name)];
    const name = names
      .map((part) => part?.trim())
      .filter(Boolean)
      .join(' ');
    return truncateText(
      name || record.text(index.email)?.trim() || 'Somebody without a name',
      MAX_NAME_LENGTH,
    );
  };
}

type Listed = PeopleToLookAt['listed'][number];

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
