import type { Migration } from './index.js';

/** Events are hashed with a key. Last figures stay as long as the digest or the saved report that they are of. */
export const recordKey: Migration = {
  name: 'record-key',
  statements: [
    // Which key it was; null for events that were hashed without one.
    'ALTER TABLE event_chain ADD COLUMN key_id TEXT',
    `CREATE TABLE record_keys (
      workspace TEXT NOT NULL,
      process TEXT NOT NULL,
      key_id TEXT NOT NULL,
      used_at BIGINT NOT NULL,
      PRIMARY KEY (workspace, process)
    )`,
    // Their hashes had no key, so that a guessed address could be compared with them.
    'DELETE FROM last_figures',
    'DELETE FROM answer_totals',
    'ALTER TABLE last_figures ADD COLUMN kept_with TEXT',
  ],
};
