import { cutText } from '../format/text.js';
import type { RecordView } from '../record-view.js';
import { placesOf } from './report-figures.js';

const flags = ['first_name', 'last_name', 'email'] as const;

/** The flags that a person's name is made of. */
export const nameFields: readonly string[] = flags;

/** So much of a name is kept. */
const longestName = 120;

/** Says who a record is about: the name, else the address. */
export function nameReader(fields: readonly string[]): (record: RecordView) => string {
  const place = placesOf(fields, flags);
  return (record) => {
    const names = [record.text(place.first_name), record.text(place.last_name)];
    const name = names
      .map((part) => part?.trim())
      .filter(Boolean)
      .join(' ');
    return cutText(name || record.text(place.email)?.trim() || 'Somebody without a name', longestName);
  };
}
