import type { Migration } from './index.js';

/** Who may ask what, and the record of it. Times are milliseconds since the epoch. */
export const access: Migration = {
  name: 'access',
  statements: [
    // One level for a person, a user group or everyone. `report` is empty for all reports.
    `CREATE TABLE access_rules (
      workspace TEXT NOT NULL,
      subject_kind TEXT NOT NULL CHECK (subject_kind IN ('everyone', 'group', 'person')),
      subject TEXT NOT NULL,
      report TEXT NOT NULL,
      level TEXT NOT NULL CHECK (level IN ('everything', 'team', 'totals', 'nothing')),
      set_by TEXT NOT NULL,
      set_at BIGINT NOT NULL,
      PRIMARY KEY (workspace, subject_kind, subject, report)
    )`,
    `CREATE TABLE access_admins (
      workspace TEXT NOT NULL,
      person TEXT NOT NULL,
      added_by TEXT NOT NULL,
      added_at BIGINT NOT NULL,
      PRIMARY KEY (workspace, person)
    )`,
    // Channels that were shared with another organization. Their approvals from before never come back.
    `CREATE TABLE shared_channels (
      workspace TEXT NOT NULL,
      channel TEXT NOT NULL,
      shared_at BIGINT NOT NULL,
      PRIMARY KEY (workspace, channel)
    )`,
    // The last request for approval of each channel.
    `CREATE TABLE approval_requests (
      workspace TEXT NOT NULL,
      channel TEXT NOT NULL,
      day TEXT NOT NULL,
      requested_by TEXT NOT NULL,
      decided BIGINT NOT NULL,
      PRIMARY KEY (workspace, channel)
    )`,
    // The owner whom a hand-over waits for, and when the digest was last handed over.
    'ALTER TABLE digests ADD COLUMN pending_owner TEXT',
    'ALTER TABLE digests ADD COLUMN pending_since BIGINT',
    'ALTER TABLE digests ADD COLUMN handed_over_at BIGINT',
    'CREATE INDEX digests_pending ON digests (workspace, pending_owner) WHERE pending_owner IS NOT NULL',

    // The chain of events. People are tokens. No row ever changes.
    `CREATE TABLE event_chain (
      workspace TEXT NOT NULL,
      seq BIGINT NOT NULL,
      at BIGINT NOT NULL,
      kind TEXT NOT NULL,
      person TEXT,
      place TEXT,
      report TEXT,
      details_hash TEXT NOT NULL,
      previous_hash TEXT NOT NULL,
      hash TEXT NOT NULL,
      PRIMARY KEY (workspace, seq)
    )`,
    'CREATE INDEX event_chain_by_time ON event_chain (workspace, at)',
    'CREATE INDEX event_chain_by_person ON event_chain (workspace, person, seq) WHERE person IS NOT NULL',
    'CREATE INDEX event_chain_by_place ON event_chain (workspace, place, seq)',
    'CREATE INDEX event_chain_by_report ON event_chain (workspace, report, seq)',
    'CREATE INDEX event_chain_by_kind ON event_chain (workspace, kind, seq)',
    // Salt and details are null once they are erased.
    `CREATE TABLE event_details (
      workspace TEXT NOT NULL,
      seq BIGINT NOT NULL,
      salt TEXT,
      details TEXT,
      PRIMARY KEY (workspace, seq)
    )`,
    // The people whom an event is about.
    `CREATE TABLE event_subjects (
      workspace TEXT NOT NULL,
      seq BIGINT NOT NULL,
      token TEXT NOT NULL,
      PRIMARY KEY (workspace, seq, token)
    )`,
    'CREATE INDEX event_subjects_by_token ON event_subjects (workspace, token, seq)',
    // Slack user IDs and e-mail addresses behind the tokens. Without a person's row, nobody can tell whose a token was.
    `CREATE TABLE person_tokens (
      workspace TEXT NOT NULL,
      token TEXT NOT NULL,
      person TEXT NOT NULL,
      PRIMARY KEY (workspace, token),
      UNIQUE (workspace, person)
    )`,
  ],
};
