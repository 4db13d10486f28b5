import { truncateText } from '../format/text.js';
import { lastHash } from '../hash.js';
import type { RecordView } from '../record-view.js';
import type { FigureUnit, PeopleToLookAt } from '../result.js';
import { type Contribution, fieldIndexes } from './report-figures.js';

/** The flags that identify a person. */
export const personKeyFields = ['userid', 'email'] as const;

/** Hashes the user ID of a record's person, or else the address, into a contribution. False if it names nobody. */
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

/** The flags of a person's name. */
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

/** Longer titles are cut. */
const maxTitleLength = 120;

const maxListed = 10;

/** The first people by a measure, the largest first, and the number of all rows. */
export class PeopleList {
  private readonly nameOf: (record: RecordView) => string;
  private readonly titleIndex: number;
  private readonly measures: number[] = [];
  private readonly listed: PeopleToLookAt['listed'][number][] = [];
  private rows = 0;

  /**
   * @param titleField the flag of a listed row's title; absent: rows have no title
   * @param unit of the amounts of the rows
   */
  constructor(
    fields: readonly string[],
    titleField: string | undefined,
    private readonly unit: FigureUnit,
  ) {
    this.titleIndex = titleField === undefined ? -1 : (fieldIndexes(fields, [titleField])[titleField] ?? -1);
    this.nameOf = nameReader(fields);
  }

  /**
   * Counts the row, and lists its person with the amount while no more than ten rows have a larger measure.
   *
   * @param amount NaN: none
   */
  add(record: RecordView, measure: number, amount: number): void {
    this.rows++;
    const { measures, listed, unit } = this;
    if (listed.length >= maxListed && measure <= (measures.at(-1) ?? 0)) return;
    const title = this.titleIndex < 0 ? undefined : record.text(this.titleIndex)?.trim();
    this.insert(measure, {
      name: this.nameOf(record),
      about: title ? truncateText(title, maxTitleLength) : undefined,
      value: Number.isNaN(amount) ? undefined : { kind: 'amount', amount, unit },
    });
  }

  merge({ measures, listed, rows }: PeopleList): void {
    this.rows += rows;
    listed.forEach((person, i) => {
      this.insert(measures[i] as number, person);
    });
  }

  private insert(measure: number, person: PeopleToLookAt['listed'][number]): void {
    const { measures, listed } = this;
    const before = measures.findIndex((other) => other < measure);
    const at = before < 0 ? measures.length : before;
    measures.splice(at, 0, measure);
    listed.splice(at, 0, person);
    measures.length = Math.min(measures.length, maxListed);
    listed.length = Math.min(listed.length, maxListed);
  }

  finish(why: PeopleToLookAt['why']): PeopleToLookAt {
    return { why, rows: this.rows, listed: [...this.listed] };
  }
}
