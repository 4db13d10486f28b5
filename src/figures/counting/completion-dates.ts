import type { RecordView } from '../record-view.js';
import { dayAlone, ZoneDays } from './dates.js';
import type { GivenDate } from './due-dates.js';
import { isInCalendar } from './missing-values.js';

/** Under which names a nested object may say when it was completed; the service does not tell. */
const names = [
  'completed_date',
  'completed_at',
  'completed_on',
  'content_completed_on',
  'completion_date',
  'date_completed',
  'completedAt',
  'completedDate',
] as const;

/** Finds the day of a completion in the objects of its record. */
export class CompletionDates {
  private readonly days: ZoneDays;
  private readonly candidates: { readonly place: number; readonly name: string }[];

  /** @param places the objects that may say it, the likeliest first */
  constructor(places: readonly number[], zone: string) {
    this.days = new ZoneDays(zone);
    this.candidates = places.flatMap((place) => names.map((name) => ({ place, name })));
  }

  /** Days since 1 January 1970; undefined where nothing readable says it. */
  dayOf(record: RecordView): number | undefined {
    const { instant, dayOnly } = this.dateOf(record);
    if (Number.isNaN(instant)) return undefined;
    return dayOnly ? dayAlone(instant) : this.days.dayOf(instant);
  }

  /** Its instant is NaN where nothing readable says it. */
  dateOf(record: RecordView): GivenDate {
    for (const { place, name } of this.candidates) {
      const member = record.member(place, name);
      const instant = member.instant();
      if (isInCalendar(instant)) return { instant, dayOnly: member.isDayOnly() };
    }
    return { instant: Number.NaN, dayOnly: false };
  }
}
