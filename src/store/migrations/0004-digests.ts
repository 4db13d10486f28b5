import type { Migration } from './index.js';

/** Times are milliseconds since the epoch. */
export const digests: Migration = {
  name: 'digests',
  statements: [
    // `next_due` is null while a digest is paused or deleted.
    `CREATE TABLE digests (
      id TEXT NOT NULL PRIMARY KEY,
      channel TEXT NOT NULL,
      owner TEXT NOT NULL,
      made_by TEXT NOT NULL,
      request TEXT NOT NULL,
      schedule TEXT NOT NULL,
      skip_empty BIGINT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('active', 'paused')),
      paused_why TEXT,
      next_due BIGINT,
      revision BIGINT NOT NULL,
      failures BIGINT NOT NULL,
      made_at BIGINT NOT NULL,
      deleted_at BIGINT
    )`,
    'CREATE INDEX digests_due ON digests (next_due)',
    'CREATE INDEX digests_by_channel ON digests (channel)',
    'CREATE INDEX digests_by_owner ON digests (owner)',
    'CREATE INDEX digests_deleted ON digests (deleted_at)',
    // The ledger of runs. `ready_at` is set while a run waits, `lease_until` while a worker has it.
    `CREATE TABLE digest_runs (
      id TEXT NOT NULL PRIMARY KEY,
      digest TEXT NOT NULL,
      channel TEXT NOT NULL,
      due_at BIGINT NOT NULL,
      same_as TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN
        ('due', 'claimed', 'running', 'posting', 'delivered', 'skipped', 'failed', 'unknown')),
      ready_at BIGINT,
      lease_owner TEXT,
      lease_until BIGINT,
      attempts BIGINT NOT NULL,
      missed BIGINT NOT NULL,
      late BIGINT NOT NULL,
      row_count BIGINT,
      message_channel TEXT,
      message_ts TEXT,
      message_link TEXT,
      file_state TEXT NOT NULL CHECK (file_state IN
        ('none', 'due', 'sharing', 'shared', 'failed', 'unknown')),
      error_code TEXT,
      settled TEXT CHECK (settled IN ('arrived', 'sent-again')),
      made_at BIGINT NOT NULL,
      finished_at BIGINT,
      UNIQUE (digest, due_at)
    )`,
    'CREATE INDEX digest_runs_ready ON digest_runs (ready_at, same_as, id, channel)',
    'CREATE INDEX digest_runs_leased ON digest_runs (lease_until)',
    'CREATE INDEX digest_runs_by_time ON digest_runs (made_at)',
    // Notifications, one for each recipient and subject. `ready_at` is set until a notification is closed.
    `CREATE TABLE digest_notices (
      id TEXT NOT NULL PRIMARY KEY,
      recipient TEXT NOT NULL,
      kind TEXT NOT NULL,
      subject TEXT NOT NULL,
      made_at BIGINT NOT NULL,
      ready_at BIGINT,
      sent_at BIGINT,
      UNIQUE (recipient, kind, subject)
    )`,
    'CREATE INDEX digest_notices_ready ON digest_notices (ready_at)',
    'CREATE INDEX digest_notices_by_subject ON digest_notices (subject)',
    'CREATE INDEX digest_notices_by_time ON digest_notices (made_at)',
    // Outages that stop all digests.
    `CREATE TABLE digest_outages (
      id TEXT NOT NULL PRIMARY KEY,
      cause TEXT NOT NULL CHECK (cause IN ('service', 'slack')),
      code TEXT NOT NULL,
      since BIGINT NOT NULL,
      ended_at BIGINT
    )`,
    'CREATE INDEX digest_outages_open ON digest_outages (cause, ended_at)',
    'CREATE INDEX digest_outages_ended ON digest_outages (ended_at)',
    // Digests that people are setting up. They do not run until confirmed.
    `CREATE TABLE digest_drafts (
      id TEXT NOT NULL PRIMARY KEY,
      owner TEXT NOT NULL,
      content TEXT NOT NULL,
      changed_at BIGINT NOT NULL,
      used_at BIGINT
    )`,
    'CREATE INDEX digest_drafts_by_time ON digest_drafts (changed_at)',
    'CREATE INDEX digest_drafts_by_owner ON digest_drafts (owner)',
  ],
};
