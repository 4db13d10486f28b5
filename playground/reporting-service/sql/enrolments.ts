import { anyOf, attemptSteps, type EventKind, is, kindNumber } from '../world/schema.js';
import {
  inRange,
  instant,
  learnerColumns,
  learnerHistoryColumns,
  type OperationSql,
  otherPersonColumns,
} from './expressions.js';

/** Attempts of the enrolment `e` up to now. */
const attempts = `FROM event INDEXED BY attempt_by_time
  WHERE person = e.person AND content = e.content AND ${anyOf(attemptSteps)} AND at <= @now`;
const started = `${attempts} AND ${is('assessment_started')}`;
const graded = `${attempts} AND ${is('assessment_graded')}`;
const latestFirst = 'ORDER BY at DESC, id DESC LIMIT 1';

/** A record per learner and assessment that was opened to them. */
export const assessmentStatus: OperationSql = {
  columns: {
    assessment_title: 'c.title',
    assessment_status: `CASE l.kind
      WHEN ${kindNumber.assessment_started} THEN 'in_progress'
      WHEN ${kindNumber.assessment_submitted} THEN 'waiting_for_grading'
      WHEN ${kindNumber.assessment_graded} THEN iif(l.amount >= c.pass_mark, 'passed', 'failed')
      ELSE 'not_started' END`,
    assessment_score: `(SELECT amount ${graded} ${latestFirst})`,
    assessment_attempts: `(SELECT count(*) ${started})`,
    assessment_started_date: instant(`(SELECT min(at) ${started})`),
    assessment_completed_date: instant(`CASE l.kind WHEN ${kindNumber.assessment_graded} THEN l.at END`),
    assessment_id: 'c.public_id',
    containing_track: 'k.title',
    containing_track_id: 'k.public_id',
    containing_journey: 'j.title',
    containing_journey_id: 'j.public_id',
    ...learnerColumns,
    ...learnerHistoryColumns,
  },
  defaultDateQuery: 'enrolled',
  dateQueries: {
    enrolled: {
      from: `event e LEFT JOIN event l ON l.id = (SELECT id ${attempts} ${latestFirst})
        LEFT JOIN person p ON p.id = e.person
        LEFT JOIN content c ON c.id = e.content
        LEFT JOIN content k ON k.id = e.track
        LEFT JOIN content j ON j.id = e.journey`,
      where: `${is('assessment_enrolled', 'e')} AND e.at <= @now`,
      order: 'e.at, e.id',
    },
  },
};

/** The tables joined to the enrolment `t`. */
const done = `LEFT JOIN event d ON d.person = t.person AND d.track = t.track AND ${is('track_completed', 'd')}
  AND d.at <= @now`;
const learner = 'LEFT JOIN person p ON p.id = t.person';
const around = `LEFT JOIN content c ON c.id = t.track
  LEFT JOIN content j ON j.id = t.journey
  LEFT JOIN person hand ON hand.id = d.by_person`;
const enrolmentOf = (event: string) =>
  `LEFT JOIN event t ON t.person = ${event}.person AND t.track = ${event}.track AND ${is('track_enrolled', 't')}`;

const steps = (kind: EventKind) =>
  `FROM event WHERE person = t.person AND track = t.track AND ${is(kind)} AND at <= @now`;

const partsDone = `(SELECT count(*) FROM part x
  WHERE x.whole = t.track AND EXISTS (SELECT 1 ${steps('content_completed')} AND content = x.part))`;

const completion = {
  from: `event d ${enrolmentOf('d')} ${learner} ${around}`,
  where: `${is('track_completed', 'd')} AND ${inRange('d.at')}`,
  order: 'd.at, d.id',
};

/** A record per learner and track they were enrolled in. */
export const trackStatus: OperationSql = {
  columns: {
    track_title: 'c.title',
    track_status: `CASE WHEN d.id IS NOT NULL THEN 'completed'
      WHEN EXISTS (SELECT 1 ${steps('track_started')}) OR EXISTS (SELECT 1 ${steps('content_completed')})
      THEN 'in_progress' ELSE 'not_started' END`,
    track_progress: `CASE WHEN d.id IS NOT NULL THEN 100
      ELSE ifnull(100 * ${partsDone} / (SELECT count(*) FROM part WHERE whole = t.track), 0) END`,
    track_completed_date: instant('d.at'),
    track_id: 'c.public_id',
    containing_journey: 'j.title',
    containing_journey_id: 'j.public_id',
    ...learnerColumns,
    ...learnerHistoryColumns,
    ...otherPersonColumns('manual_completed_by', 'hand'),
  },
  defaultDateQuery: 'updated_date',
  dateQueries: {
    updated_date: {
      from: `event u INDEXED BY track_event_by_time ${enrolmentOf('u')} ${done} ${learner} ${around}`,
      where: `u.track IS NOT NULL AND ${inRange('u.at')}`,
      condition: `NOT EXISTS (SELECT 1 FROM event l WHERE l.person = u.person AND l.track = u.track
        AND l.at <= @now AND (l.at, l.id) > (u.at, u.id))`,
      order: 'u.at, u.id',
    },
    assigned_date: {
      from: `event t ${done} ${learner} ${around}`,
      where: `${is('track_enrolled', 't')} AND ${inRange('t.at')}`,
      order: 't.at, t.id',
    },
    completed_date: completion,
    track_completed_date: completion,
    created_at: {
      from: `person p LEFT JOIN event t ON t.person = p.id AND ${is('track_enrolled', 't')} AND t.at <= @now
        ${done} ${around}`,
      where: inRange('p.created_at'),
      condition: 't.id IS NOT NULL',
      order: 'p.created_at, p.id, t.at, t.id',
    },
  },
};
