import type { DateChoice } from './report.js';

/** Dates that the service takes as `range_target` whether or not the report can show them. */
export const serviceDates: readonly DateChoice[] = [
  { flag: 'assigned_date', words: 'assigned date' },
  { flag: 'completed_date', words: 'completed date' },
  { flag: 'created_at', words: 'created date' },
  { flag: 'updated_date', words: 'updated date' },
];
