import { truncateText } from '../format/text.js';
import { lastHash } from '../hash.js';
import type { RecordView } from '../record-view.js';
import type { FigureUnit, PeopleToLookAt } from '../result.js';
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

/** Longer titles are cut. */
const MAX_TITLE_LENGTH = 120;

const MAX_LISTED = 10;

/** The first few people by some measure, the largest first, and how many rows there were in all. */
export class PeopleList {
  private constructor(
    private readonly nameOf: (record: RecordView) => string,
    private readonly titleIndex: number,
    private readonly unit: FigureUnit,
    private readonly measures: number[],
    private readonly listed: PeopleToLookAt['listed'][number][],
    private rows: number,
  ) {}

  /**
   * @param titleField the flag of the title that a listed row is about; absent: it is about the person alone
   * @param unit what the amounts of the rows are counted in
   */
  static start(fields: readonly string[], titleField: string | undefined, unit: FigureUnit): PeopleList {
    const titleIndex = titleField === undefined ? -1 : (fieldIndexes(fields, [titleField])[titleField] ?? -1);
    return new PeopleList(nameReader(fields), titleIndex, unit, [], [], 0);
  }

  /**
   * Counts the row, and lists its person with the amount while no more than ten rows have a larger measure.
   *
   * @param amount NaN: none
   */
  add(record: RecordView, measure: number, amount: number): void {
    this.rows++;
    const { measures, listed, unit } = this;
    if (listed.length >= MAX_LISTED && measure <= (measures.at(-1) ?? 0)) return;
    const title = this.titleIndex < 0 ? undefined : record.text(this.titleIndex)?.trim();
    const before = measures.findIndex((other) => other < measure);
    const at = before < 0 ? measures.length : before;
    measures.splice(at, 0, measure);
    listed.splice(at, 0, {
      name: this.nameOf(record),
      about: title ? truncateText(title, MAX_TITLE_LENGTH) : undefined,
      value: Number.isNaN(amount) ? undefined : { kind: 'amount', amount, unit },
    });
    measures.length = Math.min(measures.length, MAX_LISTED);
    listed.length = Math.min(listed.length, MAX_LISTED);
  }

  copy(): PeopleList {
    const { nameOf, titleIndex, unit, measures, listed, rows } = this;
    return new PeopleList(nameOf, titleIndex, unit, [...measures], [...listed], rows);
  }

  finish(why: PeopleToLookAt['why']): PeopleToLookAt {
    return { why, rows: this.rows, listed: [...this.listed] };
  }
}
