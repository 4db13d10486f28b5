import type { Kysely, Transaction } from 'kysely';
import { accessTables } from './access-tables.js';
import { answerTables } from './answer-tables.js';
import {
  byHand,
  type Columns,
  counter,
  integer,
  integerOrNull,
  itsConversation,
  itsHashes,
  itsUser,
  itsWords,
  noPerson,
  noPersonOrNull,
  oneOf,
  orNull,
  type Row,
  type Table,
  table,
  text,
  user,
} from './tables.js';

/*
 * All tables, with those of the two files above. Everything about a column follows from them: its SQL in both databases, its
 * type, what an erasure does with it, and when its rows expire. Times are milliseconds since the epoch.
 */

/** A new owner who has yet to accept. */
const offer = {
  pending_owner: orNull(text({ holds: 'user', erase: 'clear' })),
  pending_since: integerOrNull,
  handed_over_at: integerOrNull,
};

const draft = {
  id: noPerson,
  owner: text({ holds: 'user', erase: 'delete', counts: 'other' }),
  content: itsWords,
  revision: integer,
  changed_at: integer,
  used_at: integerOrNull,
  /** The delivery that used it. Only it may use it again, also in another process. */
  used_by: noPersonOrNull,
};

const draftRules = {
  age: 'changed_at',
  keepDays: 7,
  indexes: { by_owner: 'owner', by_time: 'changed_at' },
} as const;

const settingTables = {
  builder_drafts: table(['id'], draft, draftRules),
  saved_reports: table(
    ['id'],
    {
      id: noPerson,
      channel: itsConversation,
      name: byHand,
      name_key: byHand,
      owner: byHand,
      created_by: user,
      request: byHand,
      revision: integer,
      created_at: integer,
      changed_at: integer,
      last_run_at: integerOrNull,
      last_run_by: orNull(user),
      deleted_at: integerOrNull,
      ...offer,
    },
    {
      age: 'deleted_at',
      /** People can undo a deletion for ten minutes. */
      keepDays: 1 / 24,
      indexes: {
        by_owner: 'owner, name_key WHERE deleted_at IS NULL',
        deleted: 'deleted_at WHERE deleted_at IS NOT NULL',
        pending: 'pending_owner WHERE pending_owner IS NOT NULL',
      },
      uniqueIndexes: { by_name: 'channel, name_key WHERE deleted_at IS NULL' },
    },
  ),
  digests: table(
    ['id'],
    {
      id: noPerson,
      channel: itsConversation,
      owner: byHand,
      created_by: user,
      request: byHand,
      schedule: noPerson,
      skip_empty: integer,
      state: oneOf('active', 'paused'),
      paused_why: noPersonOrNull,
      next_due: integerOrNull,
      revision: integer,
      failures: integer,
      created_at: integer,
      deleted_at: integerOrNull,
      ...offer,
      replaces: counter,
      keep_days: integerOrNull,
      /** What an alert waits for, as JSON; null for a digest that posts at every run. */
      condition: noPersonOrNull,
      /** Who gets it; null: its channel. */
      audience: orNull(text<'managers'>('no-person')),
      /** Of a digest for managers: their zones, as a JSON list. */
      zones: noPersonOrNull,
      covered_until: integerOrNull,
      approved_by: orNull(user),
    },
    {
      age: 'deleted_at',
      keepDays: 1,
      indexes: {
        deleted: 'deleted_at WHERE deleted_at IS NOT NULL',
        due: 'next_due WHERE next_due IS NOT NULL',
        of_channel: 'channel, created_at, id WHERE deleted_at IS NULL',
        of_owner: 'owner, created_at, id WHERE deleted_at IS NULL',
        pending: 'pending_owner WHERE pending_owner IS NOT NULL',
      },
    },
  ),
  digest_drafts: table(['id'], draft, draftRules),
  /** What alerts remember from run to run. A row stays as long as its digest. */
  alert_states: table(['digest'], {
    digest: noPerson,
    /** The run whose message decides whether this or what was before holds; null: this holds. */
    run: noPersonOrNull,
    /** A keyed hash of what was asked, and within which limits. Runs with another one begin anew. */
    basis: noPerson,
    /** What it found, as JSON: figures and times. */
    content: noPerson,
    /** The rows that it knows, for `new-rows`: keyed hashes. */
    known_rows: orNull(byHand),
    content_before: noPersonOrNull,
    known_rows_before: orNull(byHand),
    /** 1 once its owner has said that a sudden drop of rows is true. */
    accepts_drop: counter,
  }),
  /** What digests for managers know of each reader. A row stays as long as its digest, unless the person is erased. */
  manager_readers: table(
    ['digest', 'reader'],
    {
      digest: noPerson,
      /** A keyed hash of the Slack user ID. */
      reader: itsHashes,
      /** How many rows the last run had for them; null: none yet. */
      last_rows: integerOrNull,
      /** When that run was due. */
      taken_at: integerOrNull,
      /** The rows that their last run had, for `new-rows`: keyed hashes. */
      known_rows: orNull(byHand),
      /** 1 from *Not for me* until it is taken back. */
      declined: counter,
    },
    { indexes: { declined: 'reader WHERE declined = 1' } },
  ),
  /** How runs of digests for managers ended. */
  manager_runs: table(
    ['run'],
    {
      run: noPerson,
      digest: noPerson,
      /** Numbers, as JSON. */
      counts: noPerson,
      /** Who could not be reached, and why, as JSON. */
      not_reached: text({ holds: 'words', erase: 'take-out' }),
      ended_at: integer,
    },
    { age: 'ended_at', keepDays: 'record', indexes: { by_time: 'ended_at', of_digest: 'digest' } },
  ),
  notifications: table(
    ['id'],
    {
      id: noPerson,
      recipient: itsUser,
      kind: noPerson,
      subject: noPerson,
      created_at: integer,
      ready_at: integerOrNull,
      sent_at: integerOrNull,
      message_channel: noPersonOrNull,
      message_ts: noPersonOrNull,
    },
    {
      age: 'created_at WHERE ready_at IS NULL',
      keepDays: 'record',
      indexes: {
        by_subject: 'subject',
        by_time: 'created_at',
        open: 'recipient, created_at, id WHERE ready_at IS NOT NULL',
        ready: 'ready_at WHERE ready_at IS NOT NULL',
      },
      unique: ['recipient', 'kind', 'subject'],
    },
  ),
  digest_outages: table(
    ['id'],
    {
      id: noPerson,
      cause: oneOf('service', 'slack'),
      code: noPerson,
      reason: orNull(text({ holds: 'words', erase: 'take-out' })),
      since: integer,
      ended_at: integerOrNull,
    },
    { age: 'ended_at', keepDays: 'record', indexes: { ended: 'ended_at', open: 'cause, ended_at' } },
  ),
  /** After how many days files and rows are deleted. */
  channel_ages: table(['channel'], {
    channel: noPerson,
    days: integer,
    set_by: user,
    set_at: integer,
  }),
};

/** The tables of a workspace's data. Each has the column `workspace`, which comes first in all its keys. */
export const schema = { ...answerTables, ...settingTables, ...accessTables };

type RowsOf<Described> = {
  [Name in keyof Described]: Described[Name] extends Table<infer Of extends Columns> ? Row<Of> : never;
};

/** The rows of a workspace. `WorkspacePlugin` adds the column `workspace` to each. */
export type Tables = RowsOf<typeof schema>;

/** A database, a transaction of it, or its part of one workspace. */
export type Db = Kysely<Tables>;

export type Trx = Transaction<Tables>;

export type TableName = keyof Tables;

export const tableNames = Object.keys(schema) as readonly TableName[];

/** The columns of a table's primary key, in their order. */
export function keyOf(name: TableName): readonly string[] {
  return ['workspace', ...schema[name].key];
}

/** The text columns of all tables, with what an erasure does with them. */
export function textColumns() {
  return tableNames.flatMap((name) =>
    Object.entries(schema[name].columns as Columns).flatMap(([column, { erasure }]) =>
      erasure === undefined ? [] : [{ table: name, column, erasure }],
    ),
  );
}
