import { anyOf, attemptSteps, is, kindNumber } from '../world/schema.js';
import { instant, learnerColumns, learnerHistoryColumns, type OperationSql } from './expressions.js';

/** What the learner of the enrolment `e` did in its assessment so far, of any kind or of one. */
const attempts = `FROM event INDEXED BY attempt_by_time
  WHERE person = e.person AND content = e.content AND ${anyOf(attemptSteps)} AND at <= @now`;
const started = `${attempts} AND ${is('assessment_started')}`;
const graded = `${attempts} AND ${is('assessment_graded')}`;
const latestFirst = 'ORDER BY at DESC, id DESC LIMIT 1';

/** A record for every learner and every assessment that was opened to them. */
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
  own: 'enrolled',
  readings: {
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
