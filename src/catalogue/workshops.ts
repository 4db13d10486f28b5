import { fieldsOf } from './field.js';
import { learningFilter } from './filter.js';
import type { Report } from './report.js';

export const workshops: Report = {
  name: 'workshops',
  operation: 'workshop-engagement',
  title: 'Workshops',
  answers: 'How workshops fill, and who came',
  rowWords: ['workshop session', 'workshop sessions'],
  fields: [
    ...fieldsOf('Workshop', [
      ['workshop_title', 'Workshop', 'text'],
      ['workshop_status', 'Status', 'status'],
      ['workshop_start_date', 'Starts', 'date'],
      ['workshop_end_date', 'Ends', 'date'],
      ['workshop_duration', 'Duration', 'number'],
      ['host_name', 'Host', 'text', { person: true }],
      ['archived', 'Archived', 'yes-no'],
      ['workshop_id', 'Workshop ID', 'identifier'],
      ['workshop_instance_id', 'Session ID', 'identifier'],
    ]),
    ...fieldsOf('Seats', [
      ['offered_seats', 'Seats offered', 'number'],
      ['registered_seats', 'Seats registered', 'number'],
      ['total_waiting', 'Waiting', 'number'],
      ['waitlist_seats', 'Waitlist seats', 'number'],
      ['waitlist_enabled', 'Has a waitlist', 'yes-no'],
      ['registration_disabled', 'Registration closed', 'yes-no'],
      ['canceled_registrations', 'Cancelled registrations', 'number'],
      ['total_attendees', 'Attended', 'number'],
      ['total_absentees', 'Absent', 'number'],
    ]),
  ],
  essentials: [
    'workshop_title',
    'workshop_status',
    'workshop_start_date',
    'workshop_end_date',
    'offered_seats',
    'registered_seats',
    'total_waiting',
    'canceled_registrations',
    'total_attendees',
    'total_absentees',
  ],
  filters: [learningFilter('workshop', 'Workshop')],
  range: { byDefault: 'this-month', hasFuture: true, addsUp: true },
  sorts: [],
  examples: ['workshops next-month', 'workshops this-quarter by:workshop_title'],
};
