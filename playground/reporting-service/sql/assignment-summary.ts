import { anyOf, assignmentSteps, is, kindNumber, rowKinds } from '../world/schema.js';
import {
  inPlannedRange,
  inRange,
  instant,
  learnerColumns,
  type OperationSql,
  otherPersonColumns,
  structure,
  yesNo,
} from './expressions.js';

/** The tables joined to the assignment `a`. */
const given = `LEFT JOIN event s ON s.assignment = a.id AND ${is('assigned', 's')}`;
const done = `LEFT JOIN event d ON d.assignment = a.id AND ${is('assignment_completed', 'd')} AND d.at <= @now`;
const learner = 'LEFT JOIN person p ON p.id = a.person';
const around = `LEFT JOIN content c ON c.id = a.content
  LEFT JOIN person assigner ON assigner.id = a.assigner
  LEFT JOIN person hand ON hand.id = d.by_person`;

const begun = `SELECT 1 FROM event WHERE assignment = a.id AND ${is('assignment_started')} AND at <= @now`;

/** An assigned track counts when the whole track is completed; other content when it is completed last. */
const contentCompletedOn = `CASE c.type
  WHEN 'track' THEN (SELECT max(at) FROM event
    WHERE person = a.person AND track = a.content AND ${is('track_completed')} AND at <= @now)
  ELSE (SELECT max(at) FROM event INDEXED BY completion_of_content
    WHERE person = a.person AND content = a.content AND ${is('content_completed')} AND at <= @now) END`;

const laterStep = (event: string) => `SELECT 1 FROM event l WHERE l.assignment = ${event}.assignment
  AND ${anyOf(assignmentSteps, 'l')} AND l.at <= @now AND (l.at, l.id) > (${event}.at, ${event}.id)`;

const laterCompletion = `SELECT 1 FROM event l INDEXED BY completion_of_content
  WHERE l.person = f.person AND l.content = f.content
  AND ${is('content_completed', 'l')} AND l.at <= @now AND (l.at, l.id) > (f.at, f.id)`;

/** A record per assignment. */
export const assignmentSummary: OperationSql = {
  columns: {
    assignment_id: 'a.public_id',
    assignment_status: `CASE WHEN d.id IS NOT NULL THEN 'completed'
      WHEN EXISTS (${begun}) THEN 'in_progress' ELSE 'assigned' END`,
    assigned_date: instant('s.at'),
    due_date: instant('a.due_at'),
    completed_date: instant('d.at'),
    updated_date: instant(`(SELECT max(l.at) FROM event l
      WHERE l.assignment = a.id AND ${anyOf(assignmentSteps, 'l')} AND l.at <= @now)`),
    content_title: 'c.title',
    content_type: 'c.type',
    content_id: 'c.public_id',
    content_completed_on: instant(contentCompletedOn),
    content_archived: yesNo('c.archived'),
    content_metadata: structure('c.metadata'),
    assignee_metadata: structure('p.metadata'),
    ...learnerColumns,
    ...otherPersonColumns('assigner', 'assigner'),
    ...otherPersonColumns('manual_completed_by', 'hand'),
  },
  defaultDateQuery: 'assigned_date',
  dateQueries: {
    assigned_date: {
      from: `event s LEFT JOIN assignment a ON a.id = s.assignment ${done} ${learner} ${around}`,
      where: `${is('assigned', 's')} AND ${inRange('s.at')}`,
      order: 's.at, s.id',
    },
    completed_date: {
      from: `event d LEFT JOIN assignment a ON a.id = d.assignment ${given} ${learner} ${around}`,
      where: `${is('assignment_completed', 'd')} AND ${inRange('d.at')}`,
      order: 'd.at, d.id',
    },
    updated_date: {
      from: `event u INDEXED BY event_by_time LEFT JOIN assignment a ON a.id = u.assignment ${given} ${done} ${learner} ${around}`,
      where: `${anyOf(rowKinds, 'u')} AND ${inRange('u.at')}`,
      condition: `${anyOf(assignmentSteps, 'u')} AND NOT EXISTS (${laterStep('u')})`,
      order: 'u.at, u.id',
    },
    due_date: {
      from: `assignment a ${given} ${done} ${learner} ${around}`,
      where: inPlannedRange('a.due_at'),
      condition: 's.at <= @now',
      order: 'a.due_at, a.id',
    },
    content_completed_on: {
      from: `event f INDEXED BY event_by_time LEFT JOIN assignment a ON a.person = f.person
        AND a.content = CASE f.kind WHEN ${kindNumber.track_completed} THEN f.track ELSE f.content END
        ${given} ${done} ${learner} ${around}`,
      where: `${anyOf(rowKinds, 'f')} AND ${inRange('f.at')}`,
      condition: `${anyOf(['content_completed', 'track_completed'], 'f')} AND s.at <= @now AND NOT EXISTS (${laterCompletion})`,
      order: 'f.at, f.id, a.id',
    },
    created_at: {
      from: `person p LEFT JOIN event s ON s.person = p.id AND ${is('assigned', 's')} AND s.at <= @now
        LEFT JOIN assignment a ON a.id = s.assignment ${done} ${around}`,
      where: inRange('p.created_at'),
      condition: 's.id IS NOT NULL',
      order: 'p.created_at, p.id, s.at, s.id',
    },
  },
};
