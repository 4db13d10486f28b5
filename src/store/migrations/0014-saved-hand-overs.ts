import type { Migration } from './index.js';

/** Hand-overs of saved reports wait until the new owner accepts, as those of digests do. */
export const savedHandOvers: Migration = {
  name: 'saved-hand-overs',
  statements: [
    'ALTER TABLE saved_reports ADD COLUMN pending_owner TEXT',
    'ALTER TABLE saved_reports ADD COLUMN pending_since BIGINT',
    'ALTER TABLE saved_reports ADD COLUMN handed_over_at BIGINT',
    `CREATE INDEX saved_reports_pending ON saved_reports (workspace, pending_owner)
      WHERE pending_owner IS NOT NULL`,
  ],
};
