import { allLearnerFields, completedByHandFields, learnerEssentials, userFilter } from './learner.js';
import {
  fieldsOf,
  learningFilter,
  learningTitle,
  ofNow,
  open,
  type Report,
  serviceDates,
  statesOf,
} from './report.js';

export const tracks: Report = {
  name: 'tracks',
  operation: 'track-status',
  title: 'Tracks',
  description: 'How far people are on their learning tracks',
  rowWords: ['track enrolment', 'track enrolments'],
  mainRate: 'completion-rate',
  fields: [
    ...fieldsOf('Track', [
      ['track_title', 'Track', 'text', { about: 'track' }],
      ['track_status', 'Status', 'status'],
      ['track_progress', 'Progress', 'number', ofNow],
      ['track_completed_date', 'Track completed', 'date', ofNow],
      ['track_id', 'Track ID', 'identifier', { about: 'track' }],
      ['containing_journey', 'Journey', 'text', { about: 'journey' }],
      ['containing_journey_id', 'Journey ID', 'identifier', { about: 'journey' }],
    ]),
    ...allLearnerFields,
    ...completedByHandFields(['is_purchaser', 'is_suspended']),
  ],
  essentials: [...learnerEssentials, 'track_title', 'track_status', 'track_progress', 'track_completed_date'],
  shortNames: { progress: 'track_progress' },
  filters: [userFilter, learningFilter('track', 'Track')],
  rowIdentity: { item: ['track_id', 'track_title'], occurrence: ['track_completed_date'] },
  states: statesOf(
    ['stalled', 'Under 50% complete', open],
    ['not-started', 'Not started', open],
    ['in-progress', 'In progress', open],
    ['not-completed', 'Not completed', open],
    ['completed', 'Completed'],
  ),
  titleFilters: [learningTitle('track')],
  range: { defaultWords: 'last-week', hasFuture: false, isAdditive: true },
  dateField: {
    choices: [...serviceDates, { flag: 'track_completed_date', words: 'track completion date' }],
  },
  sorts: [],
  examples: ['tracks this-month', 'tracks last-quarter by:track_title csv'],
};
