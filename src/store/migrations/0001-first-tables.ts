import type { Migration } from './index.js';

/** Times are milliseconds since the epoch. */
export const firstTables: Migration = {
  name: 'first-tables',
  statements: [
    // Requests: who asked, where, and the result.
    `CREATE TABLE asks (
      id TEXT NOT NULL PRIMARY KEY,
      team TEXT NOT NULL,
      channel TEXT NOT NULL,
      asker TEXT NOT NULL,
      request TEXT NOT NULL,
      range TEXT,
      asked_at BIGINT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('running', 'answered', 'failed', 'cancelled')),
      finished_at BIGINT,
      row_count BIGINT,
      message_channel TEXT,
      message_ts TEXT,
      message_link TEXT,
      error_code TEXT
    )`,
    'CREATE INDEX asks_by_time ON asks (asked_at)',
    'CREATE INDEX asks_by_asker ON asks (asker, asked_at)',
    "CREATE INDEX asks_running ON asks (asked_at) WHERE state = 'running'",
    // Channels that admins approved for person-level data.
    `CREATE TABLE approved_channels (
      channel TEXT NOT NULL PRIMARY KEY,
      approved_by TEXT NOT NULL,
      approved_at BIGINT NOT NULL
    )`,
    // Metadata keys that admins released for every channel.
    `CREATE TABLE released_keys (
      metadata_key TEXT NOT NULL PRIMARY KEY,
      released_by TEXT NOT NULL,
      released_at BIGINT NOT NULL
    )`,
    // Recent deliveries from Slack, so that repeated ones run once.
    `CREATE TABLE seen_envelopes (
      envelope TEXT NOT NULL PRIMARY KEY,
      seen_at BIGINT NOT NULL
    )`,
    'CREATE INDEX seen_envelopes_by_time ON seen_envelopes (seen_at)',
    // The last figures of a request, for reports that have no earlier period to compare with.
    `CREATE TABLE last_figures (
      figures_of TEXT NOT NULL PRIMARY KEY,
      figures TEXT NOT NULL,
      taken_at BIGINT NOT NULL
    )`,
    'CREATE INDEX last_figures_by_time ON last_figures (taken_at)',
  ],
};
