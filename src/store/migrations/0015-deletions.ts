import type { Migration } from './index.js';

/** What Rollcall posted and may have to delete. Times are milliseconds since the epoch. */
export const deletions: Migration = {
  name: 'deletions',
  statements: [
    'ALTER TABLE digests ADD COLUMN replaces BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE digests ADD COLUMN keep_days BIGINT',
    // `item` is the `ts` of a message or the ID of a file. `root_channel` and `root_ts` are the message that it belongs to.
    `CREATE TABLE posted_items (
      workspace TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('message', 'file')),
      channel TEXT NOT NULL,
      item TEXT NOT NULL,
      digest TEXT,
      root_channel TEXT,
      root_ts TEXT,
      posted_at BIGINT NOT NULL,
      delete_at BIGINT,
      ready_at BIGINT,
      refusals BIGINT NOT NULL DEFAULT 0,
      ended_at BIGINT,
      PRIMARY KEY (workspace, kind, channel, item)
    )`,
    'CREATE INDEX posted_items_ready ON posted_items (workspace, ready_at) WHERE ready_at IS NOT NULL',
    'CREATE INDEX posted_items_of_digest ON posted_items (workspace, digest, posted_at) WHERE digest IS NOT NULL',
    'CREATE INDEX posted_items_of_root ON posted_items (workspace, root_channel, root_ts) WHERE root_ts IS NOT NULL',
    'CREATE INDEX posted_items_by_time ON posted_items (workspace, posted_at)',
    // Admins' settings: after how many days files and rows are deleted.
    `CREATE TABLE channel_ages (
      workspace TEXT NOT NULL,
      channel TEXT NOT NULL,
      days BIGINT NOT NULL,
      set_by TEXT NOT NULL,
      set_at BIGINT NOT NULL,
      PRIMARY KEY (workspace, channel)
    )`,
  ],
};
