import type { Migration } from './index.js';

/** Times are milliseconds since the epoch. */
export const savedReports: Migration = {
  name: 'saved-reports',
  statements: [
    // A deleted report stays for a while, but its name is free at once.
    `CREATE TABLE saved_reports (
      id TEXT NOT NULL PRIMARY KEY,
      channel TEXT NOT NULL,
      name TEXT NOT NULL,
      name_key TEXT NOT NULL,
      owner TEXT NOT NULL,
      made_by TEXT NOT NULL,
      request TEXT NOT NULL,
      revision BIGINT NOT NULL,
      made_at BIGINT NOT NULL,
      changed_at BIGINT NOT NULL,
      last_run_at BIGINT,
      last_run_by TEXT,
      deleted_at BIGINT
    )`,
    'CREATE UNIQUE INDEX saved_reports_by_name ON saved_reports (channel, name_key) WHERE deleted_at IS NULL',
    'CREATE INDEX saved_reports_by_owner ON saved_reports (owner, name_key) WHERE deleted_at IS NULL',
    'CREATE INDEX saved_reports_deleted ON saved_reports (deleted_at) WHERE deleted_at IS NOT NULL',
  ],
};
