import { compact, truncateText } from '../../requests/text.js';
import { DueDates, isWholeDay } from '../counting/dates.js';
import { FirstEntries } from '../counting/first-entries.js';
import { MissingValues } from '../counting/missing-values.js';
import { fieldIndexes, type RecordCounter, type ReportFigures } from '../counting/report-figures.js';
import {
  addGiven,
  byMost,
  figure,
  inAnyState,
  inStates,
  isNarrowed,
  numbered,
  shareOf,
  stateBits,
  sumIfGiven,
  sumOf,
  wantedStates,
} from '../counting/rules.js';
import { Statuses } from '../counting/statuses.js';
import { formatDay, formatMoment } from '../format/values.js';
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

/** Those of them that a session need not have. */
const optional = [
  'workshop_end_date',
  'total_attendees',
  'total_absentees',
  'total_waiting',
  'canceled_registrations',
];

/** The flags that show whether a session is open to people. */
const openFlags = ['archived', 'registration_disabled'] as const;

const at = numbered(
  'sessions',
  // Both of the sessions that were held, give both, and offer at least one seat.
  'offered',
  'registered',
  'attended',
  'absent',
  'waiting',
  'cancelled',
  'endedWithoutAttendance',
  // Free seats of sessions with free seats.
  'free',
  // Both of the sessions that are to come, give both, and offer at least one seat.
  'offeredAhead',
  'registeredAhead',
  // Sessions that give these numbers.
  'withWaiting',
  'withCancelled',
);

const bits = stateBits('free-seats', 'full', 'waitlist');

/** The seats of all sessions that were held or are to come. */
const seats = [at.offered, at.offeredAhead] as const;
const came = [at.attended, at.absent] as const;
const held = inStates(['full', 'waitlist']);

export const workshops: ReportFigures = {
  sums: at,
  rows: at.sessions,
  size: at.sessions,
  groupedBy: 'workshop_title',
  rules: () => [
    figure('sessions', 'Sessions', 'period-before', sumOf(at.sessions), inAnyState),
    figure('free-seats', 'Free seats', 'last-run', sumOf(at.free), {
      ...inStates(['free-seats']),
      onlyInStates: true,
    }),
    figure('seats-filled', 'Seats filled', 'period-before', shareOf(at.registered, [at.offered]), {
      needs: ['registered_seats'],
      ...held,
    }),
    figure('seats-booked', 'Seats booked', 'last-run', shareOf(at.registeredAhead, [at.offeredAhead]), {
      needs: ['registered_seats'],
      ...inAnyState,
    }),
    figure('attendance', 'Attendance', 'period-before', shareOf(at.attended, came), held),
    figure('no-shows', 'No-shows', 'period-before', shareOf(at.absent, came), held),
    figure('waiting', 'Waiting', 'last-run', sumIfGiven(at.waiting, at.withWaiting, at.sessions), inAnyState),
    figure(
      'cancelled',
      'Cancelled registrations',
      'period-before',
      sumIfGiven(at.cancelled, at.withCancelled, at.sessions),
      { heading: 'Cancelled', ...inAnyState },
    ),
  ],
  order: (a, b) => b.sumOf(seats) - a.sumOf(seats) || byMost(at.sessions)(a, b),
  highlights: [],
  bars: {
    title: 'Seats',
    series: [
      // Sessions without a limit offer no number of seats.
      {
        name: 'Offered',
        denominator: { rowsOfSums: seats },
        value: (row) => row.sumOf(seats) || Number.NaN,
      },
      {
        name: 'Registered',
        denominator: { rowsOfSums: seats },
        value: (row) => row.sumOf([at.registered, at.registeredAhead]),
      },
    ],
  },
  keepsOrder: true,
  statesOfNow: ['free-seats', 'waitlist'],
  fields: (plan) =>
    compact(
      flags,
      (isNarrowed(plan) || !plan.figuresOnly) && openFlags,
      !plan.figuresOnly && 'workshop_title',
    ),
  counter: countWorkshops,
};

function countWorkshops(plan: FiguresPlan, fields: readonly string[]): RecordCounter {
  const index = fieldIndexes(fields, flags);
  const wanted = wantedStates(plan, bits);
  const dates = new DueDates(plan.now, plan.zone);
  const missing = new MissingValues(fields, optional);
  const statuses = new Statuses(index.workshop_status, missing);
  const upcoming = plan.figuresOnly ? undefined : new UpcomingSessions(fields, plan.zone);
  const openIndex = wanted !== 0 || upcoming ? fieldIndexes(fields, openFlags) : undefined;

  /** True for a session that has not begun, as far as its date tells, and whose registration is open. */
  function isOpen(record: RecordView, start: number): boolean {
    if (!openIndex || Number.isNaN(start) || dates.isPast(start)) return false;
    return (
      record.yesOrNo(openIndex.archived) !== true && record.yesOrNo(openIndex.registration_disabled) !== true
    );
  }

  return {
    parts: { missing, spread: statuses.spread, upcoming },
    read(record, { sums }) {
      const status = statuses.read(record);
      const start = missing.date(record, index.workshop_start_date);
      const offered = missing.number(record, index.offered_seats);
      const registered = missing.number(record, index.registered_seats);
      const waiting = missing.number(record, index.total_waiting);
      const isCancelled = status?.meaning === 'cancelled';
      const free = !isCancelled && isOpen(record, start) ? offered - registered : 0;
      if (wanted !== 0) {
        const isFull = offered > 0 && registered >= offered;
        const states =
          (free > 0 ? bits['free-seats'] : 0) | (isFull ? bits.full : 0) | (waiting > 0 ? bits.waitlist : 0);
        if ((wanted & states) === 0) return false;
      }

      statuses.count(status, record);
      const attended = missing.number(record, index.total_attendees);
      const absent = missing.number(record, index.total_absentees);

      sums[at.sessions] = 1;
      const ownEnd = isCancelled ? Number.NaN : missing.date(record, index.workshop_end_date);
      const end = Number.isNaN(ownEnd) ? start : ownEnd;
      const hasEnded = !isCancelled && dates.isPast(end);
      if (offered > 0 && !Number.isNaN(registered) && !isCancelled && !Number.isNaN(end)) {
        sums[hasEnded ? at.offered : at.offeredAhead] = offered;
        sums[hasEnded ? at.registered : at.registeredAhead] = registered;
      }
      if (!Number.isNaN(attended + absent)) {
        sums[at.attended] = attended;
        sums[at.absent] = absent;
      }
      addGiven(sums, at.waiting, at.withWaiting, waiting);
      const cancelled = missing.number(record, index.canceled_registrations);
      addGiven(sums, at.cancelled, at.withCancelled, cancelled);
      if (hasEnded && !(attended + absent > 0)) sums[at.endedWithoutAttendance] = 1;
      if (free > 0) {
        sums[at.free] = free;
        upcoming?.note(record, start, offered, free);
      }
      return true;
    },
    finish: (total) => ({
      upcoming: upcoming?.finish(),
      notes: [{ kind: 'fact', fact: 'attendance-may-come-late', rows: total.sum(at.endedWithoutAttendance) }],
    }),
  };
}

/** Limits of the next sessions: how many, and characters of a title. */
const maxSessions = 5;
const maxTitleLength = 120;

/** The next sessions that still have room, the earliest first. */
class UpcomingSessions {
  private readonly titleIndex;
  private readonly first = new FirstEntries<Omit<UpcomingSession, 'when'> & { readonly start: number }>(
    maxSessions,
  );

  constructor(
    fields: readonly string[],
    private readonly zone: string,
  ) {
    this.titleIndex = fieldIndexes(fields, ['workshop_title']).workshop_title;
  }

  /** Notes an open session with free seats. */
  note(record: RecordView, start: number, offered: number, free: number): void {
    if (!this.first.count(start)) return;
    const title = record.text(this.titleIndex)?.trim() || 'A workshop without a title';
    this.first.add(start, { title: truncateText(title, maxTitleLength), start, free, offered });
  }

  merge({ first }: UpcomingSessions): void {
    this.first.merge(first);
  }

  finish(): UpcomingSession[] {
    return this.first.all.map(({ start, ...session }) => ({
      ...session,
      when: isWholeDay(start) ? formatDay(start, 'UTC') : formatMoment(start, this.zone),
    }));
  }
}
