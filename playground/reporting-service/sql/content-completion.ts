import { type EventKind, is } from '../world/schema.js';
import {
  inRange,
  instant,
  learnerColumns,
  learnerHistoryColumns,
  type OperationSql,
  objectOf,
  structure,
  yesNo,
} from './expressions.js';

/** The tables joined to the completion `f`. */
const learner = 'LEFT JOIN person p ON p.id = f.person';
const around = `LEFT JOIN content c ON c.id = f.content
  LEFT JOIN content k ON k.id = f.track
  LEFT JOIN content j ON j.id = f.journey
  LEFT JOIN assignment a ON a.id = f.assignment`;

const ofTrack = (kind: EventKind) => `(SELECT min(at) FROM event
  WHERE person = f.person AND track = f.track AND ${is(kind)} AND at <= @now)`;
const ofAssignment = (kind: EventKind) =>
  `(SELECT min(at) FROM event WHERE assignment = a.id AND ${is(kind)} AND at <= @now)`;

/** Completions do not change, so their update time is their creation time. */
const completion = {
  from: `event f ${learner} ${around}`,
  where: `${is('content_completed', 'f')} AND ${inRange('f.at')}`,
  order: 'f.at, f.id',
  sortedBy: ['completed_date', 'updated_date'],
};

/** A record per completion of content. */
export const contentCompletion: OperationSql = {
  columns: {
    content: objectOf('c.id', {
      id: 'c.public_id',
      title: 'c.title',
      type: 'c.type',
      minutes: 'c.minutes',
      archived: yesNo('c.archived'),
      completed_at: instant('f.at'),
    }),
    track: objectOf('k.id', {
      id: 'k.public_id',
      title: 'k.title',
      status: `iif(${ofTrack('track_completed')} IS NULL, 'in_progress', 'completed')`,
      completed_at: instant(ofTrack('track_completed')),
    }),
    journey: objectOf('j.id', { id: 'j.public_id', title: 'j.title' }),
    assignment: objectOf('a.id', {
      id: 'a.public_id',
      status: `iif(${ofAssignment('assignment_completed')} IS NULL, 'in_progress', 'completed')`,
      assigned_at: instant(ofAssignment('assigned')),
      due_at: instant('a.due_at'),
      completed_at: instant(ofAssignment('assignment_completed')),
      assigner_email: '(SELECT email FROM person WHERE id = a.assigner)',
    }),
    content_metadata: structure('c.metadata'),
    ...learnerColumns,
    ...learnerHistoryColumns,
  },
  defaultDateQuery: 'completed_date',
  dateQueries: {
    completed_date: completion,
    updated_date: completion,
    assigned_date: {
      from: `event s LEFT JOIN event f ON f.assignment = s.assignment AND ${is('content_completed', 'f')}
        AND f.at <= @now ${learner} ${around}`,
      where: `${is('assigned', 's')} AND ${inRange('s.at')}`,
      condition: 'f.id IS NOT NULL',
      order: 's.at, s.id, f.at, f.id',
      sortedBy: ['assigned_date'],
    },
    created_at: {
      from: `person p LEFT JOIN event f ON f.person = p.id AND ${is('content_completed', 'f')} AND f.at <= @now
        ${around}`,
      where: inRange('p.created_at'),
      condition: 'f.id IS NOT NULL',
      order: 'p.created_at, p.id, f.at, f.id',
      sortedBy: ['created_at'],
    },
  },
  sorting: {
    keys: {
      completed_date: 'f.at',
      updated_date: 'f.at',
      assigned_date: ofAssignment('assigned'),
      created_at: 'p.created_at',
    },
    id: 'f.id',
    // json_each keeps the order of the list, and CROSS JOIN makes SQLite read it first.
    from: `json_each(@ids) listed CROSS JOIN event f ON f.id = listed.value ${learner} ${around}`,
  },
};
