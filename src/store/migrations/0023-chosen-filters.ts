import type { Migration } from './index.js';

/** Whether the asker chose the filters of a request, and not somebody who saved it as a report. */
export const chosenFilters: Migration = {
  name: 'chosen-filters',
  statements: ['ALTER TABLE asks ADD COLUMN chose_filters INTEGER NOT NULL DEFAULT 1'],
};
