import { reportNamed } from '../../catalogue/index.js';
import { DueDates, dateValue } from '../counting/dates.js';
import { MissingValues } from '../counting/missing-values.js';
import {
  inAnyState,
  inStates,
  isNarrowed,
  narrowedFigures,
  stateBits,
  wantedStates,
} from '../counting/narrowing.js';
import {
  addGiven,
  type Contribution,
  type CountedRow,
  count,
  type FigureRule,
  fieldIndexes,
  ifGiven,
  type RecordCounter,
  type ReportFigures,
  type ReportFindings,
  rate,
} from '../counting/report-figures.js';
import { StatusSpread } from '../counting/statuses.js';
import { formatDay, formatMoment } from '../format/dates.js';
import { truncateText } from '../format/text.js';
import type { RecordView } from '../record-view.js';
import type { FiguresPlan, UpcomingSession } from '../result.js';

const flags = [
  'workshop_status',
  'workshop_start_date',
  'workshop_end_date',
  'offered_seats',
  'registered_seats',
  'total_attendees',
  'total_absentees',
  'total_waiting',
  'canceled_registrations',
] as const;

/** The flags that show whether a session is open to people. */
const openFlags = ['archived', 'registration_disabled'] as const;

const at = {
  sessions: 0,
  /** Both of the sessions that were held, give both, and offer at least one seat. */
  offered: 1,
  registered: 2,
  attended: 3,
  absent: 4,
  waiting: 5,
  cancelled: 6,
  endedWithoutAttendance: 7,
  /** Free seats of sessions with free seats. */
  free: 8,
  /** Both of the sessions that are to come, give both, and offer at least one seat. */
  offeredAhead: 9,
  registeredAhead: 10,
  /** Sessions that give these numbers. */
  withWaiting: 11,
  withCancelled: 12,
} as const;

const bits = stateBits('free-seats', 'full', 'waitlist');

export const workshops: ReportFigures = {
  sums: Object.keys(at).length,
  groupedBy: 'workshop_title',
  rules: () => [
    {
      id: 'sessions',
      denominator: 'all-rows',
      label: 'Sessions',
      compared: 'period-before',
      appliesTo: inAnyState,
      value: (row) => count(row.sum(at.sessions)),
    },
    {
      id: 'seats-filled',
      denominator: { rowsOfSums: [at.offered] },
      label: 'Seats filled',
      needs: ['registered_seats'],
      compared: 'period-before',
      appliesTo: inStates('full', 'waitlist'),
      value: (row) => rate(row.sum(at.registered), row.sum(at.offered)),
    },
    {
      id: 'seats-booked',
      denominator: { rowsOfSums: [at.offeredAhead] },
      label: 'Seats booked',
      needs: ['registered_seats'],
      compared: 'last-run',
      appliesTo: inAnyState,
      value: (row) => rate(row.sum(at.registeredAhead), row.sum(at.offeredAhead)),
    },
    {
      id: 'attendance',
      denominator: { rowsOfSums: [at.attended, at.absent] },
      label: 'Attendance',
      compared: 'period-before',
      appliesTo: inStates('full', 'waitlist'),
      value: (row) => rate(row.sum(at.attended), came(row)),
    },
    {
      id: 'no-shows',
      denominator: { rowsOfSums: [at.attended, at.absent] },
      label: 'No-shows',
      compared: 'period-before',
      appliesTo: inStates('full', 'waitlist'),
      value: (row) => rate(row.sum(at.absent), came(row)),
    },
    {
      id: 'waiting',
      denominator: 'all-rows',
      label: 'Waiting',
      compared: 'last-run',
      appliesTo: inAnyState,
      value: (row) => ifGiven(row.sum(at.sessions), row.sum(at.withWaiting), count(row.sum(at.waiting))),
    },
    {
      id: 'cancelled',
      denominator: 'all-rows',
      label: 'Cancelled registrations',
      heading: 'Cancelled',
      compared: 'period-before',
      appliesTo: inAnyState,
      value: (row) => ifGiven(row.sum(at.sessions), row.sum(at.withCancelled), count(row.sum(at.cancelled))),
    },
  ],
  size: (row) => row.sum(at.sessions),
  order: (a, b) => offeredIn(b) - offeredIn(a) || b.sum(at.sessions) - a.sum(at.sessions),
  highlights: [],
  bars: {
    title: 'Seats',
    series: [
      {
        name: 'Offered',
        denominator: { rowsOfSums: [at.offered, at.offeredAhead] },
        // Sessions without a limit offer no number of seats.
        value: (row) => offeredIn(row) || Number.NaN,
      },
      {
        name: 'Registered',
        denominator: { rowsOfSums: [at.offered, at.offeredAhead] },
        value: (row) => row.sum(at.registered) + row.sum(at.registeredAhead),
      },
    ],
  },
  fields: (plan) => [...flags, ...fieldsOfOpenSessions(plan)],
  counter: (plan, fields) => new WorkshopCounter(plan, fields),
};

function fieldsOfOpenSessions(plan: FiguresPlan): readonly string[] {
  if (!plan.figuresOnly) return [...openFlags, 'workshop_title'];
  return isNarrowed(plan) ? openFlags : [];
}

/** The sessions that are in some states. */
export function workshopsIn(plan: FiguresPlan): ReportFigures {
  const freeSeats: FigureRule = {
    id: 'free-seats',
    denominator: 'all-rows',
    label: 'Free seats',
    compared: 'last-run',
    appliesTo: inStates('free-seats'),
    value: (row) => count(row.sum(at.free)),
  };
  const narrowed = narrowedFigures(workshops, plan, {
    count: (row) => row.sum(at.sessions),
    rules: (whole) => {
      const [all, ...others] = workshops.rules(whole);
      return [...(all ? [all] : []), freeSeats, ...others];
    },
    ofNow: ['free-seats', 'waitlist'],
  });
  const { order, highlights, bars } = workshops;
  return { ...narrowed, order, highlights, bars };
}

/** The seats of all sessions that were held or are to come. */
function offeredIn(row: CountedRow): number {
  return row.sum(at.offered) + row.sum(at.offeredAhead);
}

function came(row: CountedRow): number {
  return row.sum(at.attended) + row.sum(at.absent);
}

class WorkshopCounter implements RecordCounter {
  private readonly index: Readonly<Record<(typeof flags)[number], number>>;
  /** Absent where nothing asks whether a session is open. */
  private readonly openIndex: Readonly<Record<(typeof openFlags)[number], number>> | undefined;
  /** Bits of states; 0: every record counts. */
  private readonly wanted: number;
  private readonly dates: DueDates;
  private readonly missing: MissingValues;
  private readonly statuses = new StatusSpread();
  private readonly upcoming: UpcomingSessions | undefined;

  constructor(plan: FiguresPlan, fields: readonly string[]) {
    this.index = fieldIndexes(fields, flags);
    this.wanted = wantedStates(plan, bits);
    this.dates = new DueDates(plan.now, plan.zone);
    this.missing = new MissingValues(fields);
    this.upcoming = plan.figuresOnly ? undefined : new UpcomingSessions(fields, plan.zone);
    this.openIndex = this.wanted !== 0 || this.upcoming ? fieldIndexes(fields, openFlags) : undefined;
  }

  read(record: RecordView, { sums }: Contribution): boolean {
    const { index, missing } = this;
    const status = this.statuses.read(record, index.workshop_status);
    const start = missing.instant(record, index.workshop_start_date);
    const offered = missing.number(record, index.offered_seats);
    const registered = missing.number(record, index.registered_seats);
    const waiting = missing.optionalNumber(record, index.total_waiting);
    const isCancelled = status?.meaning === 'cancelled';
    const free = !isCancelled && this.isOpen(record, start) ? offered - registered : 0;
    if (this.wanted !== 0) {
      const isFull = offered > 0 && registered >= offered;
      const states =
        (free > 0 ? bits['free-seats'] : 0) | (isFull ? bits.full : 0) | (waiting > 0 ? bits.waitlist : 0);
      if ((this.wanted & states) === 0) return false;
    }

    this.statuses.count(status, record, index.workshop_status, missing);
    const attended = missing.optionalNumber(record, index.total_attendees);
    const absent = missing.optionalNumber(record, index.total_absentees);

    sums[at.sessions] = 1;
    const hasEnded = isCancelled ? undefined : this.hasEnded(record, start);
    if (offered > 0 && !Number.isNaN(registered) && hasEnded !== undefined) {
      sums[hasEnded ? at.offered : at.offeredAhead] = offered;
      sums[hasEnded ? at.registered : at.registeredAhead] = registered;
    }
    const hasAttendance = !Number.isNaN(attended + absent);
    if (hasAttendance) {
      sums[at.attended] = attended;
      sums[at.absent] = absent;
    }
    addGiven(sums, at.waiting, at.withWaiting, waiting);
    const cancelled = missing.optionalNumber(record, index.canceled_registrations);
    addGiven(sums, at.cancelled, at.withCancelled, cancelled);
    if (free > 0) sums[at.free] = free;
    if (isCancelled) return true;
    if (hasEnded && !(attended + absent > 0)) sums[at.endedWithoutAttendance] = 1;
    if (free > 0)
      this.upcoming?.note(record, start, record.isDayOnly(index.workshop_start_date), offered, free);
    return true;
  }

  finish(total: CountedRow): ReportFindings {
    return {
      unread: this.missing.unreadFields(),
      spreads: this.statuses.finish(),
      upcoming: this.upcoming?.finish(),
      notes: [
        ...this.missing.notes(reportNamed('workshops')),
        { kind: 'fact', fact: 'attendance-may-come-late', rows: total.sum(at.endedWithoutAttendance) },
      ],
    };
  }

  /** True for a session that has not begun, as far as anybody can tell, and whose registration is open. */
  private isOpen(record: RecordView, start: number): boolean {
    const { index, openIndex, dates } = this;
    if (!openIndex || Number.isNaN(start)) return false;
    if (dates.isPast(dateValue(record, index.workshop_start_date, start))) return false;
    return (
      record.yesOrNo(openIndex.archived) !== true && record.yesOrNo(openIndex.registration_disabled) !== true
    );
  }

  /** Past its end, or past its start where it gives no end. Undefined where it gives neither. */
  private hasEnded(record: RecordView, start: number): boolean | undefined {
    const { index, missing, dates } = this;
    const end = missing.optionalInstant(record, index.workshop_end_date);
    if (!Number.isNaN(end)) return dates.isPast(dateValue(record, index.workshop_end_date, end));
    if (Number.isNaN(start)) return undefined;
    return dates.isPast(dateValue(record, index.workshop_start_date, start));
  }
}

/** Limits of the next sessions: how many, and characters of a title. */
const maxSessions = 5;
const maxTitleLength = 120;

interface Session {
  readonly starts: number;
  readonly dayOnly: boolean;
  readonly title: string;
  readonly free: number;
  readonly offered: number;
}

/** The next sessions that still have room, the earliest first. */
class UpcomingSessions {
  private readonly titleIndex: number;
  private readonly sessions: Session[] = [];

  constructor(
    fields: readonly string[],
    private readonly zone: string,
  ) {
    this.titleIndex = fieldIndexes(fields, ['workshop_title']).workshop_title;
  }

  /** Notes an open session with free seats. */
  note(record: RecordView, starts: number, dayOnly: boolean, offered: number, free: number): void {
    if (this.placeOf(starts) >= maxSessions) return;
    const title = record.text(this.titleIndex)?.trim() || 'A workshop without a title';
    this.insert({ starts, dayOnly, title: truncateText(title, maxTitleLength), free, offered });
  }

  merge({ sessions }: UpcomingSessions): void {
    for (const session of sessions) this.insert(session);
  }

  private insert(session: Session): void {
    this.sessions.splice(this.placeOf(session.starts), 0, session);
    this.sessions.length = Math.min(this.sessions.length, maxSessions);
  }

  private placeOf(starts: number): number {
    const later = this.sessions.findIndex((other) => other.starts > starts);
    return later < 0 ? this.sessions.length : later;
  }

  finish(): UpcomingSession[] {
    return this.sessions.map(({ starts, dayOnly, title, free, offered }) => ({
      title,
      when: dayOnly ? formatDay(starts, 'UTC') : formatMoment(starts, this.zone),
      free,
      offered,
    }));
  }
}
