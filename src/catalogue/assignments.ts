import { fieldsOf, personFields } from './field.js';
import { completedByHandFields, learnerFields, userFilter } from './learner.js';
import type { Report } from './report.js';
import { serviceDates } from './service-dates.js';

export const assignments: Report = {
  name: 'assignments',
  operation: 'assignment-summary',
  title: 'Assignments',
  answers: 'Who was assigned what, what is done and what is overdue',
  rowWords: ['assignment', 'assignments'],
  fields: [
    ...fieldsOf('Assignment', [
      ['assignment_id', 'Assignment ID', 'identifier'],
      ['assignment_status', 'Status', 'status'],
      ['assigned_date', 'Assigned', 'date'],
      ['due_date', 'Due', 'date'],
      ['completed_date', 'Completed', 'date'],
      ['updated_date', 'Updated', 'date'],
    ]),
    ...fieldsOf('Content', [
      ['content_title', 'Content', 'text', { about: 'content' }],
      ['content_type', 'Content type', 'text', { about: 'content' }],
      ['content_id', 'Content ID', 'identifier', { about: 'content' }],
      ['content_completed_on', 'Content completed on', 'date'],
      ['content_archived', 'Content archived', 'yes-no'],
      ['content_metadata', 'Content metadata', 'metadata'],
    ]),
    ...learnerFields,
    ...fieldsOf('Account', [['assignee_metadata', 'Learner metadata', 'metadata']]),
    ...personFields('Assigner', 'assigner', 'Assigned by', [
      'email',
      'first_name',
      'last_name',
      'userid',
      'job_title',
      'is_manager',
      'is_purchaser',
      'is_suspended',
      'image',
    ]),
    ...completedByHandFields([
      'email',
      'first_name',
      'last_name',
      'userid',
      'job_title',
      'is_manager',
      'is_suspended',
      'image',
    ]),
  ],
  essentials: [
    'first_name',
    'last_name',
    'email',
    'departments',
    'content_title',
    'content_type',
    'assignment_status',
    'assigned_date',
    'due_date',
    'completed_date',
  ],
  filters: [
    userFilter,
    {
      name: 'assignment_filter',
      prefix: 'assignment',
      label: 'Assignment',
      members: [
        {
          name: 'content_id',
          label: 'Content ID',
          kind: 'identifiers',
          personLevel: false,
          common: true,
          heldBy: [{ field: 'content_id', title: 'content_title' }],
        },
        { name: 'assignment_id', label: 'Assignment ID', kind: 'identifiers', personLevel: false },
        { name: 'assigner_id', label: 'Assigner ID', kind: 'identifiers', personLevel: true },
      ],
    },
  ],
  range: { byDefault: 'last-90-days', hasFuture: false, addsUp: true },
  dateField: {
    byDefault: 'assigned_date',
    choices: [
      ...serviceDates,
      { flag: 'due_date', words: 'due date', ahead: true },
      { flag: 'content_completed_on', words: 'content completion date' },
    ],
  },
  sorts: [],
  examples: [
    'assignments last-30-days departments:Sales',
    'assignments 2026-Q1 on:due_date by:content_title',
  ],
};
