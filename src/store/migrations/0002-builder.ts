import type { Migration } from './index.js';

/** Times are milliseconds since the epoch. */
export const builder: Migration = {
  name: 'builder',
  statements: [
    // Open builders with the choices so far. A used one keeps its row, without content.
    `CREATE TABLE builder_drafts (
      id TEXT NOT NULL PRIMARY KEY,
      owner TEXT NOT NULL,
      content TEXT NOT NULL,
      revision BIGINT NOT NULL,
      changed_at BIGINT NOT NULL,
      used_at BIGINT
    )`,
    'CREATE INDEX builder_drafts_by_time ON builder_drafts (changed_at)',
    'CREATE INDEX builder_drafts_by_owner ON builder_drafts (owner)',
    // Filter values from recent answers, offered as suggestions. They contain no person-level data.
    `CREATE TABLE known_values (
      list_name TEXT NOT NULL,
      entry TEXT NOT NULL,
      title TEXT,
      searched TEXT NOT NULL,
      seen_at BIGINT NOT NULL,
      PRIMARY KEY (list_name, entry)
    )`,
    'CREATE INDEX known_values_by_time ON known_values (seen_at)',
    'CREATE INDEX known_values_newest ON known_values (list_name, seen_at)',
  ],
};
