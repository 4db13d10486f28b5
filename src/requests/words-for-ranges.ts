import { type ReportName, reportNamed } from '../catalogue/index.js';
import type { RangeRefusal } from './date-range.js';

/** Why a range was refused, with the way out; fits after a sentence that quotes the range, and stands alone too. */
export function sayRangeRefusal(refused: RangeRefusal['refused'], reportName: ReportName): string {
  const { title, range } = reportNamed(reportName);
  const instead = range ? `Try ${range.byDefault}, for example.` : 'Leave the range out.';
  switch (refused) {
    case 'no-range':
      return `${title} show how things are now and have no range. ${instead}`;
    case 'not-a-range':
      return `That is not a range. ${instead}`;
    case 'no-such-date':
      return 'There is no such date in the calendar. Dates go like 2026-03-05, 2026-03, 2026-Q1 or 2026.';
    case 'count':
      return 'The number has to be from 1 to 99999, as in last-30-days.';
    case 'backwards':
      return 'The range ends before it begins. Put the earlier date first.';
    case 'before-1970':
      return 'The range begins before 1970, and nothing is older than that. Choose a later start.';
    case 'future':
      return `The range begins in the future, and ${title.toLowerCase()} can only look back from now. ${instead}`;
    case 'since-ahead':
      return `The range begins in the future, and since: ends now. Type both ends, as in 2027-01-01..2027-03-31.`;
    case 'empty':
      return `The range is empty: not one second of it has passed in your time zone. ${instead}`;
  }
}

/**
 * Why a digest cannot have a range at one of its due times, with the way out.
 *
 * @param moment that due time in words
 */
export function sayRangeRefusedWhenDue(
  { refused, words }: RangeRefusal,
  reportName: ReportName,
  moment: string,
): string {
  const { title, range } = reportNamed(reportName);
  if (refused === 'empty') {
    const before = /^this-/.test(words) ? words.replace('this-', 'last-') : range?.byDefault;
    const instead = words === 'today' ? 'yesterday' : (before ?? 'another range');
    return `On ${moment}, ${words} would be empty: nothing of it has passed by then. Choose a later time, or ${instead}.`;
  }
  if (refused === 'since-ahead') {
    return `On ${moment}, ${words} would not have begun, and since: ends at that time. Type both ends, as in 2027-01-01..2027-03-31.`;
  }
  if (refused === 'future') {
    return `On ${moment}, ${words} would not have begun, and ${title.toLowerCase()} can only look back. Choose a range that has begun by then, such as ${range?.byDefault ?? 'last-week'}.`;
  }
  return `I can't use ${words}. ${sayRangeRefusal(refused, reportName)}`;
}
