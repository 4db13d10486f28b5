import { allLearnerFields, learnerEssentials, userFilter } from './learner.js';
import { fieldsOf, ofNow, type Report, statesOf } from './report.js';

export const engagement: Report = {
  name: 'engagement',
  operation: 'user-engagement',
  title: 'Engagement',
  description: 'How much people learn: sign-ins, views, time and completions',
  rowWords: ['person', 'people'],
  mainRate: 'active-share',
  fields: [
    ...fieldsOf('Activity', [
      ['sessions', 'Sessions', 'number'],
      ['views', 'Views', 'number'],
      ['seconds_viewed', 'Seconds viewed', 'number'],
      ['assignments_completed', 'Assignments completed', 'number'],
      ['assignments_pending', 'Assignments pending', 'number', ofNow],
      ['tracks_started', 'Tracks started', 'number'],
      ['tracks_completed', 'Tracks completed', 'number'],
      ['workshops_attended', 'Workshops attended', 'number'],
      ['comments', 'Comments', 'number'],
      ['likes', 'Likes', 'number'],
      ['shares', 'Shares', 'number'],
      ['ratings', 'Ratings', 'number'],
      ['ratings_average', 'Average rating', 'number'],
    ]),
    ...allLearnerFields,
  ],
  essentials: [
    ...learnerEssentials,
    'sessions',
    'views',
    'seconds_viewed',
    'assignments_completed',
    'tracks_completed',
    'workshops_attended',
  ],
  filters: [userFilter],
  states: statesOf(['active', 'Active'], ['inactive', 'Inactive']),
  titleFilters: [],
  range: { defaultWords: 'last-week', hasFuture: false, isAdditive: false },
  sorts: [],
  examples: ['engagement last-week', 'engagement last-month departments:Sales,"Field Operations" csv'],
};
