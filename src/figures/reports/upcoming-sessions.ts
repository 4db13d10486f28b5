import { placesOf } from '../counting/report-figures.js';
import { sayDay, sayMoment } from '../format/dates.js';
import { cutText } from '../format/text.js';
import type { RecordView } from '../record-view.js';
import type { UpcomingSession } from '../result.js';

/** So many of the next sessions are named, and so much of their titles. */
const mostNamed = 5;
const longestTitle = 120;

const flags = ['workshop_title', 'archived', 'registration_disabled'] as const;

/** The flags that say whether a session is open to people. */
export const upcomingFields: readonly string[] = flags;

interface Session {
  readonly starts: number;
  readonly dayOnly: boolean;
  readonly title: string;
  readonly free: number;
  readonly offered: number;
}

/** The next sessions that still have room, the earliest first. */
export class UpcomingSessions {
  private readonly place: Readonly<Record<(typeof flags)[number], number>>;

  private constructor(
    private readonly fields: readonly string[],
    private readonly zone: string,
    private readonly sessions: Session[],
  ) {
    this.place = placesOf(fields, flags);
  }

  static start(fields: readonly string[], zone: string): UpcomingSessions {
    return new UpcomingSessions(fields, zone, []);
  }

  /**
   * Notes a session to come.
   *
   * @param offered NaN where the service gives no number
   */
  note(record: RecordView, starts: number, dayOnly: boolean, offered: number, registered: number): void {
    const { place, sessions } = this;
    const free = offered - registered;
    if (!(free > 0)) return;
    if (record.yesOrNo(place.archived) === true || record.yesOrNo(place.registration_disabled) === true)
      return;
    const later = sessions.findIndex((other) => other.starts > starts);
    const at = later < 0 ? sessions.length : later;
    if (at >= mostNamed) return;
    const title = cutText(
      record.text(place.workshop_title)?.trim() || 'A workshop without a title',
      longestTitle,
    );
    sessions.splice(at, 0, { starts, dayOnly, title, free, offered });
    sessions.length = Math.min(sessions.length, mostNamed);
  }

  copy(): UpcomingSessions {
    return new UpcomingSessions(this.fields, this.zone, [...this.sessions]);
  }

  finish(): UpcomingSession[] {
    return this.sessions.map(({ starts, dayOnly, title, free, offered }) => ({
      title,
      when: dayOnly ? sayDay(starts, 'UTC') : sayMoment(starts, this.zone),
      free,
      offered,
    }));
  }
}
