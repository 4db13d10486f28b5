import type { Migration } from './index.js';

/** What *Details* under an answer shows. Times are milliseconds since the epoch. */
export const details: Migration = {
  name: 'details',
  statements: [
    // What the reader of the answer could see, as JSON without an address. Null for answers of earlier versions.
    'ALTER TABLE asks ADD COLUMN scope TEXT',
    // `people`: hashes of whose totals they are and of whom filters name.
    `CREATE TABLE answer_totals (
      workspace TEXT NOT NULL,
      request TEXT NOT NULL,
      totals TEXT NOT NULL,
      people TEXT NOT NULL,
      kept_at BIGINT NOT NULL,
      PRIMARY KEY (workspace, request)
    )`,
    'CREATE INDEX answer_totals_by_time ON answer_totals (workspace, kept_at)',
  ],
};
