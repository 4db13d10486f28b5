import type { RecordView } from '../record-view.js';
import type { Contribution } from './contribution.js';
import { hashed } from './hashed-text.js';
import { placesOf } from './report-figures.js';

const flags = ['userid', 'email'] as const;

/** The flags that people are told apart by. */
export const personKeyFields: readonly string[] = flags;

/** Puts into a contribution who it is about, by the user ID, else the address. False where the record names nobody. */
export function personKeyReader(
  fields: readonly string[],
): (record: RecordView, into: Contribution) => boolean {
  const { userid, email } = placesOf(fields, flags);
  return (record, into) => {
    into.hasPerson = record.hashText(userid, false) || record.hashText(email, true);
    into.personHigh = hashed.high;
    into.personLow = hashed.low;
    return into.hasPerson;
  };
}
