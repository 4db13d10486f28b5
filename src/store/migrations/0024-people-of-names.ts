import type { Migration } from './index.js';

/**
 * Names with the number of people who have them, in place of who may see them. Nobody knows how many have the names of
 * before, so they are learned again.
 */
export const peopleOfNames: Migration = {
  name: 'people-of-names',
  statements: [
    'DROP TABLE known_values',
    `CREATE TABLE known_values (
      workspace TEXT NOT NULL,
      list_name TEXT NOT NULL,
      entry TEXT NOT NULL,
      title TEXT,
      searched TEXT NOT NULL,
      people BIGINT NOT NULL,
      seen_at BIGINT NOT NULL,
      PRIMARY KEY (workspace, list_name, entry)
    )`,
    'CREATE INDEX known_values_by_time ON known_values (workspace, seen_at)',
    'CREATE INDEX known_values_newest ON known_values (workspace, list_name, seen_at)',
  ],
};
