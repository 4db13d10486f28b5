import type { EventKind } from '../world/rows.js';
import { is } from '../world/schema.js';
import { fullName, inPlannedRange, instant, type OperationSql, yesNo } from './expressions.js';

const count = (kind: EventKind) =>
  `(SELECT count(*) FROM event WHERE instance = i.id AND ${is(kind)} AND at <= @now)`;

const canceled = 'ifnull(i.canceled_at <= @now, 0)';

/** A record for every session of a workshop that has been announced; its plan shows, what becomes of it does not. */
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
    registered_seats: `${count('seat_taken')} + ${count('seat_passed_on')} - ${count('seat_given_up')}`,
    total_waiting: `${count('waitlist_joined')} - ${count('seat_passed_on')} - ${count('waitlist_left')}`,
    waitlist_seats: 'ifnull(i.waitlist_seats, 0)',
    waitlist_enabled: yesNo('i.waitlist_seats IS NOT NULL'),
    registration_disabled: yesNo(`(${canceled} OR ifnull(i.closes_at <= @now, 0))`),
    canceled_registrations: count('seat_given_up'),
    total_attendees: count('attended'),
    total_absentees: count('missed'),
  },
  own: 'start',
  readings: {
    start: {
      from: `instance i LEFT JOIN content c ON c.id = i.workshop LEFT JOIN person host ON host.id = i.host`,
      where: inPlannedRange('i.starts_at'),
      shown: 'i.announced_at <= @now',
      order: 'i.starts_at, i.id',
    },
  },
};
