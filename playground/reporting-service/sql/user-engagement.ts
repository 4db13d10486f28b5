import type { EventKind } from '../world/rows.js';
import { is } from '../world/schema.js';
import {
  inPlannedRange,
  inRange,
  learnerColumns,
  learnerHistoryColumns,
  type OperationSql,
} from './expressions.js';

const events = (kind: EventKind) => `FROM event WHERE person = p.id AND ${is(kind)} AND ${inRange('at')}`;
const count = (kind: EventKind) => `(SELECT count(*) ${events(kind)})`;
const soFar = (kind: EventKind) =>
  `(SELECT count(*) FROM event WHERE person = p.id AND ${is(kind)} AND at < @until)`;

/** A record for everybody with an account, whether or not they did anything in the range. */
export const userEngagement: OperationSql = {
  columns: {
    sessions: count('signed_in'),
    views: count('viewed'),
    seconds_viewed: `(SELECT ifnull(sum(amount), 0) ${events('viewed')})`,
    assignments_completed: count('assignment_completed'),
    assignments_pending: `${soFar('assigned')} - ${soFar('assignment_completed')}`,
    tracks_started: count('track_started'),
    tracks_completed: count('track_completed'),
    // Attendance can be recorded days late; it counts for the range in which the session began.
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
  own: 'account',
  readings: {
    account: { from: 'person p', shown: 'p.created_at <= @now', order: 'p.id' },
  },
};
