import type { EventKind } from '../world/event-kinds.js';
import { learnerColumns, learnerHistoryColumns } from './learner.js';
import type { OperationSql } from './operation.js';

const inRange = (kind: EventKind) =>
  `FROM event WHERE person = p.id AND kind = '${kind}' AND at >= @from AND at < @until`;
const count = (kind: EventKind) => `(SELECT count(*) ${inRange(kind)})`;
const soFar = (kind: EventKind) =>
  `(SELECT count(*) FROM event WHERE person = p.id AND kind = '${kind}' AND at < @until)`;

/** A record for everybody with an account, whether or not they did anything in the range. */
export const userEngagement: OperationSql = {
  columns: {
    sessions: count('signed_in'),
    views: count('viewed'),
    seconds_viewed: `(SELECT ifnull(sum(amount), 0) ${inRange('viewed')})`,
    assignments_completed: count('assignment_completed'),
    assignments_pending: `${soFar('assigned')} - ${soFar('assignment_completed')}`,
    tracks_started: count('track_started'),
    tracks_completed: count('track_completed'),
    // Attendance can be recorded days late; it counts for the range in which the session began.
    workshops_attended: `(SELECT count(*) FROM event a JOIN instance i ON i.id = a.instance
      WHERE a.person = p.id AND a.kind = 'attended' AND a.at <= @now
        AND i.starts_at >= @from AND i.starts_at < @until)`,
    comments: count('commented'),
    likes: count('liked'),
    shares: count('shared'),
    ratings: count('rated'),
    ratings_average: `(SELECT avg(amount) ${inRange('rated')})`,
    ...learnerColumns,
    ...learnerHistoryColumns,
  },
  readings: {
    account: { from: 'person p', shown: 'p.created_at <= @now', order: 'p.id' },
  },
};
