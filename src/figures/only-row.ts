import type { Field, Report } from '../catalogue/index.js';
import { sayDay, sayMoment } from './format/dates.js';
import { cutText } from './format/text.js';
import type { RecordView } from './record-view.js';
import type { FiguresResult } from './result.js';

/** So much of a value is kept, and so many fields. */
const longestValue = 200;
const mostFields = 12;

/** What nobody wants to read in a line. */
const unreadable: ReadonlySet<Field['kind']> = new Set(['image', 'metadata', 'identifier']);

/**
 * What one record holds, in words, for an answer that has no other. Person-level fields only where people may be named.
 *
 * @param fields the flags that the reading was opened with
 */
export function rowInWords(
  record: RecordView,
  fields: readonly string[],
  report: Report,
  { people, zone }: { readonly people: boolean; readonly zone: string },
): NonNullable<FiguresResult['onlyRow']> {
  return report.fields
    .filter(
      ({ flag, kind, personLevel }) =>
        fields.includes(flag) && !unreadable.has(kind) && (people || !personLevel),
    )
    .flatMap((field) => {
      const text = valueInWords(record, fields.indexOf(field.flag), field, zone);
      return text === undefined
        ? []
        : [{ label: field.label, text: cutText(text, longestValue), personLevel: field.personLevel }];
    })
    .slice(0, mostFields);
}

function valueInWords(record: RecordView, place: number, { kind }: Field, zone: string): string | undefined {
  if (kind === 'yes-no') {
    const answer = record.yesOrNo(place);
    if (answer !== undefined) return answer ? 'Yes' : 'No';
  }
  if (kind === 'date') {
    const instant = record.instant(place);
    if (Math.abs(instant) < 8.64e15)
      return record.isDayOnly(place) ? sayDay(instant, 'UTC') : sayMoment(instant, zone);
  }
  return record.text(place);
}
