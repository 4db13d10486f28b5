import type { Migration } from './index.js';

/** Several processes on one database. */
export const processes: Migration = {
  name: 'processes',
  statements: [
    // The process that has an answer by hand, its file or its details in hand. Null for digests and earlier versions.
    'ALTER TABLE posts ADD COLUMN process TEXT',
    // Queries to the Reporting Service of all processes. Times are milliseconds since the epoch, by the server's clock.
    `CREATE TABLE query_turns (
      workspace TEXT NOT NULL,
      id TEXT NOT NULL,
      process TEXT NOT NULL,
      rank BIGINT NOT NULL,
      asked_at BIGINT NOT NULL,
      polled_at BIGINT NOT NULL,
      started_at BIGINT,
      seen_at BIGINT,
      ended_at BIGINT,
      PRIMARY KEY (workspace, id)
    )`,
  ],
};
