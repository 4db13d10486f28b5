import { type EventKind, is } from '../world/schema.js';
import {
  fullName,
  inPlannedRange,
  inRange,
  instant,
  learnerColumns,
  learnerHistoryColumns,
  type OperationSql,
  yesNo,
} from './expressions.js';

const events = (kind: EventKind) => `FROM event WHERE person = p.id AND ${is(kind)} AND ${inRange('at')}`;
const count = (kind: EventKind) => `(SELECT count(*) ${events(kind)})`;
const soFar = (kind: EventKind) =>
  `(SELECT count(*) FROM event WHERE person = p.id AND ${is(kind)} AND at < @until)`;

/** A record per person with an account, also without activity in the range. */
export const userEngagement: OperationSql = {
  columns: {
    sessions: count('signed_in'),
    views: count('viewed'),
    seconds_viewed: `(SELECT ifnull(sum(amount), 0) ${events('viewed')})`,
    assignments_completed: count('assignment_completed'),
    assignments_pending: `${soFar('assigned')} - ${soFar('assignment_completed')}`,
    tracks_started: count('track_started'),
    tracks_completed: count('track_completed'),
    // Attendance can be recorded late. It counts for the range of the session's start.
    workshops_attended: `(SELECT count(*) FROM event a JOIN instance i ON i.id = a.instance
      WHERE a.person = p.id AND ${is('attended', 'a')} AND a.at <= @now AND ${inPlannedRange('i.starts_at')})`,
    comments: count('commented'),
    likes: count('liked'),
    shares: count('shared'),
    ratings: count('rated'),
    ratings_average: `(SELECT avg(amount) ${events('rated')})`,
    ...learnerColumns,
    ...learnerHistoryColumns,
  },
  defaultDateQuery: 'account',
  dateQueries: {
    account: { from: 'person p', condition: 'p.created_at <= @now', order: 'p.id' },
  },
};

const seatsWith = (kind: EventKind) =>
  `(SELECT count(*) FROM event WHERE instance = i.id AND ${is(kind)} AND at <= @now)`;

const canceled = 'ifnull(i.canceled_at <= @now, 0)';

/** A record per announced workshop session. Its plan is included, later events are not. */
export const workshopEngagement: OperationSql = {
  columns: {
    workshop_title: 'c.title',
    workshop_status: `CASE WHEN ${canceled} THEN 'canceled' WHEN i.ends_at <= @now THEN 'completed'
      WHEN i.starts_at <= @now THEN 'in_progress' ELSE 'scheduled' END`,
    workshop_start_date: instant('i.starts_at'),
    workshop_end_date: instant('i.ends_at'),
    workshop_duration: '(i.ends_at - i.starts_at) / 60',
    host_name: fullName('host'),
    archived: yesNo('c.archived'),
    workshop_id: 'c.public_id',
    workshop_instance_id: 'i.public_id',
    offered_seats: 'i.offered_seats',
    registered_seats: `${seatsWith('seat_taken')} + ${seatsWith('seat_passed_on')} - ${seatsWith('seat_given_up')}`,
    total_waiting: `${seatsWith('waitlist_joined')} - ${seatsWith('seat_passed_on')} - ${seatsWith('waitlist_left')}`,
    waitlist_seats: 'ifnull(i.waitlist_seats, 0)',
    waitlist_enabled: yesNo('i.waitlist_seats IS NOT NULL'),
    registration_disabled: yesNo(`(${canceled} OR ifnull(i.closes_at <= @now, 0))`),
    canceled_registrations: seatsWith('seat_given_up'),
    total_attendees: seatsWith('attended'),
    total_absentees: seatsWith('missed'),
  },
  defaultDateQuery: 'start',
  dateQueries: {
    start: {
      from: `instance i LEFT JOIN content c ON c.id = i.workshop LEFT JOIN person host ON host.id = i.host`,
      where: inPlannedRange('i.starts_at'),
      condition: 'i.announced_at <= @now',
      order: 'i.starts_at, i.id',
    },
  },
};
