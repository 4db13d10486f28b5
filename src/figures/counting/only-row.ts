import type { Field, Report } from '../../catalogue/index.js';
import { truncateText } from '../../requests/text.js';
import { formatDay, formatMoment } from '../format/values.js';
import type { RecordView } from '../record-view.js';
import type { FiguresResult } from '../result.js';
import { formatStatus } from './statuses.js';

/** Limits of the only row: characters of a value, and fields. */
const maxValueLength = 200;
const maxFields = 20;

const unreadable: ReadonlySet<Field['kind']> = new Set(['image', 'metadata', 'identifier']);

/**
 * The values of the only record of an answer, in words. Person-level fields only if people may be named.
 *
 * @param fields the flags that the reading was opened with
 */
export function formatOnlyRow(
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
      const text = formatFieldValue(record, fields.indexOf(field.flag), field, (instant, dayOnly) =>
        dayOnly ? formatDay(instant, 'UTC') : formatMoment(instant, zone),
      );
      return text === undefined
        ? []
        : [
            {
              flag: field.flag,
              text: truncateText(text, maxValueLength),
              personLevel: field.personLevel,
            },
          ];
    })
    .slice(0, maxFields);
}

/** A value in words; undefined where there is none. */
export function formatFieldValue(
  record: RecordView,
  index: number,
  { kind }: Field,
  formatDate: (instant: number, dayOnly: boolean) => string,
): string | undefined {
  if (kind === 'yes-no') {
    const answer = record.yesOrNo(index);
    if (answer !== undefined) return answer ? 'Yes' : 'No';
  }
  if (kind === 'date') {
    const instant = record.instant(index);
    if (Math.abs(instant) < 8.64e15) return formatDate(instant, record.isDayOnly(index));
  }
  const text = record.text(index);
  return kind === 'status' && text !== undefined ? formatStatus(text) : text;
}
