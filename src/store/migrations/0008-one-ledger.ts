import type { Migration } from './index.js';

/** Times are milliseconds since the epoch. */
export const oneLedger: Migration = {
  name: 'one-ledger',
  statements: [
    // All posts. `ready_at` is set while a post waits, `lease_until` while a worker has it.
    // There is no check on `kind`, so that a new kind does not need a new table.
    `CREATE TABLE posts (
      id TEXT NOT NULL PRIMARY KEY,
      kind TEXT NOT NULL,
      parent TEXT,
      digest TEXT,
      channel TEXT NOT NULL,
      due_at BIGINT NOT NULL,
      same_as TEXT NOT NULL DEFAULT '',
      state TEXT NOT NULL CHECK (state IN
        ('queued', 'running', 'posting', 'posted', 'failed', 'unknown', 'skipped', 'cancelled')),
      ready_at BIGINT,
      lease_owner TEXT,
      lease_until BIGINT,
      attempts BIGINT NOT NULL DEFAULT 0,
      limited BIGINT NOT NULL DEFAULT 0,
      missed BIGINT NOT NULL DEFAULT 0,
      late BIGINT NOT NULL DEFAULT 0,
      row_count BIGINT,
      message_channel TEXT,
      message_ts TEXT,
      message_link TEXT,
      error_code TEXT,
      reason TEXT,
      unwanted TEXT,
      settled TEXT CHECK (settled IN ('arrived', 'sent-again')),
      made_at BIGINT NOT NULL,
      finished_at BIGINT
    )`,
    // While a file was pending, the run's attempts, lease and error were those of the file.
    `INSERT INTO posts (id, kind, digest, channel, due_at, same_as, state, ready_at, lease_owner, lease_until, attempts,
      limited, missed, late, row_count, message_channel, message_ts, message_link, error_code, reason, unwanted,
      settled, made_at, finished_at)
    SELECT id, 'digest', digest, channel, due_at, same_as,
      CASE
        WHEN state = 'due' THEN 'queued'
        WHEN state = 'claimed' THEN 'running'
        WHEN state = 'delivered' THEN 'posted'
        WHEN state = 'unknown' AND settled = 'arrived' THEN 'posted'
        ELSE state
      END,
      CASE WHEN state = 'delivered' THEN NULL ELSE ready_at END,
      lease_owner,
      CASE WHEN state = 'delivered' THEN NULL ELSE lease_until END,
      CASE WHEN file_state = 'none' THEN attempts ELSE 1 END,
      CASE WHEN file_state = 'none' THEN limited ELSE 0 END,
      missed, late, row_count, message_channel, message_ts, message_link,
      CASE WHEN state = 'delivered' THEN NULL ELSE error_code END,
      CASE WHEN state = 'delivered' THEN NULL ELSE reason END,
      unwanted, settled, made_at, finished_at
    FROM digest_runs`,
    `INSERT INTO posts (id, kind, parent, channel, due_at, same_as, state, ready_at, lease_owner, lease_until, attempts,
      limited, error_code, reason, made_at, finished_at)
    SELECT id || '-file', 'file', id, channel, due_at, same_as,
      CASE
        WHEN file_state = 'due' AND lease_until IS NOT NULL THEN 'running'
        WHEN file_state = 'due' THEN 'queued'
        WHEN file_state = 'sharing' THEN 'posting'
        WHEN file_state = 'shared' THEN 'posted'
        ELSE file_state
      END,
      CASE WHEN file_state = 'due' AND lease_until IS NULL THEN COALESCE(ready_at, due_at) END,
      lease_owner, lease_until, attempts, limited, error_code, reason, made_at,
      CASE WHEN file_state IN ('shared', 'failed', 'unknown') THEN finished_at END
    FROM digest_runs WHERE file_state <> 'none' AND state = 'delivered'`,
    'DROP TABLE digest_runs',
    // The post has the state of the answer. This table keeps the request.
    `CREATE TABLE requests_kept (
      id TEXT NOT NULL PRIMARY KEY,
      post TEXT NOT NULL,
      team TEXT NOT NULL,
      channel TEXT NOT NULL,
      asker TEXT NOT NULL,
      request TEXT NOT NULL,
      range TEXT,
      asked_at BIGINT NOT NULL
    )`,
    `INSERT INTO posts (id, kind, channel, due_at, state, attempts, row_count, message_channel, message_ts,
      message_link, error_code, made_at, finished_at)
    SELECT id, 'answer', channel, asked_at, CASE WHEN state = 'answered' THEN 'posted' ELSE state END, 1, row_count,
      message_channel, message_ts, message_link, error_code, asked_at, finished_at
    FROM asks`,
    `INSERT INTO requests_kept (id, post, team, channel, asker, request, range, asked_at)
    SELECT id, id, team, channel, asker, request, range, asked_at FROM asks`,
    'DROP TABLE asks',
    'ALTER TABLE requests_kept RENAME TO asks',
    'CREATE INDEX asks_by_time ON asks (asked_at)',
    'CREATE INDEX asks_by_asker ON asks (asker, asked_at)',
    'CREATE UNIQUE INDEX posts_of_digest ON posts (digest, due_at) WHERE digest IS NOT NULL',
    'CREATE INDEX posts_of_post ON posts (parent) WHERE parent IS NOT NULL',
    'CREATE INDEX posts_ready ON posts (ready_at, same_as, id, channel) WHERE ready_at IS NOT NULL',
    'CREATE INDEX posts_leased ON posts (lease_until) WHERE lease_until IS NOT NULL',
    'CREATE INDEX posts_by_time ON posts (made_at)',
    // Posts without a lease: answers and their files, which end with their process.
    `CREATE INDEX posts_by_hand ON posts (made_at)
      WHERE lease_owner IS NULL AND state IN ('running', 'posting')`,
  ],
};
