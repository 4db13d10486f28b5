import type { RecordView } from '../../reports/record-view.js';
import { placesOf } from './report-figures.js';

const flags = ['userid', 'email'] as const;

/** The flags that people are told apart by. */
export const personKeyFields: readonly string[] = flags;

/** What identifies the person of a record: the user ID, else the address; undefined where it names nobody. */
export function personKeyReader(fields: readonly string[]): (record: RecordView) => string | undefined {
  const place = placesOf(fields, flags);
  return (record) => record.text(place.userid) ?? record.text(place.email)?.toLowerCase();
}
