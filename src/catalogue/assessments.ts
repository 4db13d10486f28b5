import { allLearnerFields, learnerEssentials, userFilter } from './learner.js';
import { fieldsOf, learningFilter, learningTitle, ofNow, type Report, statesOf } from './report.js';

/** The service does not specify its statuses. These mean passed. */
export const passedStatuses = ['passed', 'pass', 'success', 'successful', 'succeeded'] as const;

export const assessments: Report = {
  name: 'assessments',
  operation: 'assessment-status',
  title: 'Assessments',
  description: 'Scores, attempts and who passed (as of now: it has no range)',
  rowWords: ['assessment result', 'assessment results'],
  mainRate: 'pass-rate',
  fields: [
    ...fieldsOf('Assessment', [
      ['assessment_title', 'Assessment', 'text'],
      ['assessment_status', 'Status', 'status'],
      ['assessment_score', 'Score', 'number', ofNow],
      ['assessment_attempts', 'Attempts', 'number', ofNow],
      ['assessment_started_date', 'Started', 'date', ofNow],
      ['assessment_completed_date', 'Completed', 'date', ofNow],
      ['assessment_id', 'Assessment ID', 'identifier'],
      ['containing_track', 'Track', 'text', { about: 'track' }],
      ['containing_track_id', 'Track ID', 'identifier', { about: 'track' }],
      ['containing_journey', 'Journey', 'text', { about: 'journey' }],
      ['containing_journey_id', 'Journey ID', 'identifier', { about: 'journey' }],
    ]),
    ...allLearnerFields,
  ],
  essentials: [
    ...learnerEssentials,
    'assessment_title',
    'assessment_status',
    'assessment_score',
    'assessment_attempts',
    'assessment_completed_date',
  ],
  shortNames: { score: 'assessment_score' },
  filters: [userFilter, learningFilter('assessment', 'Assessment')],
  rowIdentity: {
    item: ['assessment_id', 'assessment_title'],
    occurrence: ['assessment_started_date', 'assessment_completed_date'],
  },
  states: statesOf(['passed', 'Passed'], ['failed', 'Failed'], ['waiting', 'Waiting for grading']),
  titleFilters: [learningTitle('assessment')],
  sorts: [],
  examples: ['assessments departments:Support', 'assessments by:assessment_title csv'],
};
