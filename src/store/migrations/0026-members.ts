import type { Migration } from './index.js';

/** The processes on a PostgreSQL database, and how they reach each other. Unused with SQLite, which has one process. */
export const members: Migration = {
  name: 'members',
  statements: [
    // `pid`, `role` and `session_began` name the session of the process. PostgreSQL's numbers, times in microseconds.
    `CREATE TABLE rollcall_members (
      name TEXT NOT NULL PRIMARY KEY,
      kind TEXT NOT NULL,
      pid BIGINT NOT NULL,
      role BIGINT NOT NULL,
      session_began BIGINT NOT NULL,
      server_began BIGINT NOT NULL,
      missing_since BIGINT,
      leads BIGINT NOT NULL
    )`,
    'CREATE UNIQUE INDEX rollcall_members_leader ON rollcall_members (leads) WHERE leads = 1',
    // One row: the channel of NOTIFY, and the key of what is sent there.
    'CREATE TABLE rollcall_channel (id BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL, secret TEXT NOT NULL)',
  ],
};
