import { completedByHandFields, learnerEssentials, learnerFields, userFilter } from './learner.js';
import {
  fieldsOf,
  membersOf,
  ofNow,
  open,
  personal,
  personFields,
  type Report,
  serviceDates,
  statesOf,
  titled,
} from './report.js';

export const assignments: Report = {
  name: 'assignments',
  operation: 'assignment-summary',
  title: 'Assignments',
  description: 'Who was assigned what, what is done and what is overdue',
  rowWords: ['assignment', 'assignments'],
  mainRate: 'completion-rate',
  fields: [
    ...fieldsOf('Assignment', [
      ['assignment_id', 'Assignment ID', 'identifier'],
      ['assignment_status', 'Status', 'status'],
      ['assigned_date', 'Assigned', 'date'],
      ['due_date', 'Due', 'date'],
      ['completed_date', 'Completed', 'date', ofNow],
      ['updated_date', 'Updated', 'date', ofNow],
    ]),
    ...fieldsOf('Content', [
      ['content_title', 'Content', 'text', { about: 'content' }],
      ['content_type', 'Content type', 'text', { about: 'content' }],
      ['content_id', 'Content ID', 'identifier', { about: 'content' }],
      ['content_completed_on', 'Content completed on', 'date', ofNow],
      ['content_archived', 'Content archived', 'yes-no'],
      ['content_metadata', 'Content metadata', 'metadata'],
    ]),
    ...learnerFields,
    ...fieldsOf('Account', [['assignee_metadata', 'Learner metadata', 'metadata']]),
    ...personFields('Assigner', 'assigner', 'Assigned by'),
    ...completedByHandFields(['is_purchaser']),
  ],
  essentials: [
    ...learnerEssentials,
    'content_title',
    'content_type',
    'assignment_status',
    'assigned_date',
    'due_date',
    'completed_date',
  ],
  hasDaysOverdue: true,
  filters: [
    userFilter,
    {
      name: 'assignment_filter',
      prefix: 'assignment',
      label: 'Assignment',
      members: membersOf(
        ['content_id', 'Content ID', 'identifiers', { common: true, sources: [titled('content')] }],
        ['assignment_id', 'Assignment ID', 'identifiers'],
        ['assigner_id', 'Assigner ID', 'identifiers', personal],
      ),
    },
  ],
  rowIdentity: { item: ['content_id', 'content_title'], occurrence: ['assignment_id', 'assigned_date'] },
  states: statesOf(
    ['overdue', 'Overdue', open],
    ['due-soon', 'Due soon', open],
    ['not-started', 'Not started', open],
    ['in-progress', 'In progress', open],
    ['not-completed', 'Not completed', open],
    ['completed', 'Completed'],
    ['late', 'Completed late'],
  ),
  titleFilters: [
    {
      option: 'content',
      object: 'assignment_filter',
      member: 'content_id',
      sources: [titled('content')],
    },
  ],
  range: { defaultWords: 'last-90-days', hasFuture: false, isAdditive: true },
  dateField: {
    defaultFlag: 'assigned_date',
    choices: [
      ...serviceDates,
      { flag: 'due_date', words: 'due date', canBeFuture: true },
      { flag: 'content_completed_on', words: 'content completion date' },
    ],
  },
  sorts: [],
  examples: [
    'assignments last-30-days departments:Sales',
    'assignments 2026-Q1 on:due_date by:content_title',
  ],
};
