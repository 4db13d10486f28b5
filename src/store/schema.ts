import type { ColumnType, Generated, Kysely, Transaction } from 'kysely';
import {
  type initialStates,
  openStates,
  type PostKind,
  type PostState,
  postStates,
  type SkipReason,
} from '../posts/states.js';
import { accessTables } from './access/access-tables.js';
import {
  type Columns,
  conversation,
  integer,
  itsConversation,
  itsHashes,
  itsUser,
  itsWords,
  noPerson,
  number,
  oneOf,
  orNull,
  type Row,
  type Table,
  table,
  text,
  user,
  words,
} from './tables.js';

/*
 * All tables. Everything about a column follows from here: its SQL in both databases, its type, and what an erasure does
 * with it, and when its rows expire. Times are milliseconds since the epoch.
 */

/** A new owner who has yet to accept. */
const offer = {
  pending_owner: orNull(text({ holds: 'user', erase: 'clear' })),
  pending_since: orNull(integer),
  handed_over_at: orNull(integer),
};

const draft = {
  id: noPerson,
  owner: text({ ...itsUser, counts: 'other' }),
  content: text(itsWords),
  revision: integer,
  changed_at: integer,
  used_at: orNull(integer),
  /** The delivery that used it. Only it may use it again, also in another process. */
  used_by: orNull(noPerson),
};

const draftRules = {
  age: 'changed_at',
  keepDays: 7,
  indexes: { by_owner: 'owner', by_time: 'changed_at' },
} as const;

const answers = {
  requests: table(
    ['id'],
    {
      id: noPerson,
      /** The ID of its answer's post, or of the digest's run that it belongs to. */
      post: noPerson,
      channel: text(conversation),
      asker: text('by-hand'),
      request: text('by-hand'),
      range: orNull(noPerson),
      requested_at: integer,
      /** What its reader could see; null before it is answered. */
      scope: orNull(noPerson),
      /** 0 if another person chose the filters, such as the owner of the saved report. */
      chose_filters: number<Generated<number>>(1),
    },
    {
      keepDays: 'record',
      indexes: { by_asker: 'asker, requested_at', by_post: 'post', by_time: 'requested_at' },
    },
  ),
  posts: table(
    ['id'],
    {
      id: noPerson,
      kind: text<PostKind>('nobody'),
      /** The post that a file belongs to; null for messages. */
      parent: orNull(noPerson),
      /** Null for all but the runs of digests. */
      digest: orNull(noPerson),
      channel: text(conversation),
      due_at: integer,
      dedupe_key: { ...text<Generated<string>>('nobody'), fallback: '' },
      /** Only `transition` changes it: any other update does not compile. */
      state: {
        ...text<ColumnType<PostState, (typeof initialStates)[number], never>>('nobody'),
        values: postStates,
      },
      ready_at: orNull(integer),
      lease_owner: orNull(noPerson),
      lease_until: orNull(integer),
      attempts: number<Generated<number>>(0),
      limited: number<Generated<number>>(0),
      missed: number<Generated<number>>(0),
      late: number<Generated<number>>(0),
      row_count: orNull(integer),
      message_channel: orNull(text('by-hand')),
      message_ts: orNull(text('by-hand')),
      message_link: orNull(text('by-hand')),
      error_code: orNull(noPerson),
      reason: orNull(text(words)),
      unwanted: orNull(text<SkipReason>('nobody')),
      settled: orNull(oneOf('arrived', 'sent-again')),
      created_at: integer,
      finished_at: orNull(integer),
      /** The process that works on a post by hand; null for digests. */
      process: orNull(noPerson),
    },
    {
      age: `created_at WHERE state NOT IN (${openStates.map((state) => `'${state}'`).join(', ')})`,
      keepDays: 'record',
      indexes: {
        by_hand: "created_at WHERE lease_owner IS NULL AND state IN ('running', 'posting')",
        by_message: 'message_channel, message_ts WHERE message_ts IS NOT NULL',
        by_time: 'created_at',
        leased: 'lease_until WHERE lease_until IS NOT NULL',
        of_post: 'parent WHERE parent IS NOT NULL',
        ready: 'ready_at, dedupe_key, id, channel, digest WHERE ready_at IS NOT NULL',
      },
      uniqueIndexes: { of_digest: 'digest, due_at WHERE digest IS NOT NULL' },
    },
  ),
  /** What Rollcall may have to delete from Slack. */
  posted_items: table(
    ['kind', 'channel', 'item'],
    {
      kind: oneOf('message', 'file'),
      channel: text(itsConversation),
      /** The `ts` of a message, or the ID of a file. */
      item: noPerson,
      /** Only for messages that a digest posted. */
      digest: orNull(noPerson),
      /** The message that it belongs to. */
      root_channel: orNull(text(itsConversation)),
      root_ts: orNull(noPerson),
      posted_at: integer,
      /** Stays once the item is deleted. */
      delete_at: orNull(integer),
      /** When to try; null while nothing is to be deleted, and at the end. */
      ready_at: orNull(integer),
      refusals: number<Generated<number>>(0),
      ended_at: orNull(integer),
    },
    {
      age: 'posted_at',
      /** At least as long as a setting can keep messages. */
      keepDays: 400,
      indexes: {
        by_time: 'posted_at',
        of_digest: 'digest, posted_at WHERE digest IS NOT NULL',
        of_root: 'root_channel, root_ts WHERE root_ts IS NOT NULL',
        ready: 'ready_at WHERE ready_at IS NOT NULL',
      },
    },
  ),
  seen_deliveries: table(
    ['delivery'],
    { delivery: text(itsWords), seen_at: integer },
    { age: 'seen_at', keepDays: 2, indexes: { by_time: 'seen_at' } },
  ),
  /** Deliveries from Slack that start a run or a post, so that another process can continue them. */
  inbox: table(
    ['delivery'],
    {
      /** Equal for two deliveries of the same thing. */
      delivery: noPerson,
      person: text('by-hand'),
      /** Null once its work has ended. The key stays, so that a repetition is recognized. */
      payload: orNull(text(itsWords)),
      /** The ID of the request that it makes, if any. */
      request: noPerson,
      arrived_at: integer,
      /** Null while no process works on it. */
      process: orNull(noPerson),
      /** How many processes have worked on it. */
      attempts: integer,
      url_uses: integer,
      /** The message that shows how far the run is, as JSON. */
      progress: orNull(noPerson),
    },
    {
      age: 'arrived_at',
      /** Slack repeats an event for at most 25 hours. */
      keepDays: 2,
      indexes: { by_time: 'arrived_at', open: 'request WHERE payload IS NOT NULL' },
    },
  ),
  /** Queries to the Reporting Service of all processes, by the clock of the database. */
  query_turns: table(['id'], {
    id: noPerson,
    process: noPerson,
    /** The lower, the sooner. */
    rank: integer,
    requested_at: integer,
    /** A process that waits says so again and again. */
    polled_at: integer,
    started_at: orNull(integer),
    seen_at: orNull(integer),
    ended_at: orNull(integer),
  }),
  last_figures: table(
    ['figures_of'],
    {
      figures_of: noPerson,
      figures: text(itsWords),
      taken_at: integer,
      /** Hashes of whose figures they are and of whom filters name. */
      people: orNull(text(itsHashes)),
      /** The digest or the saved report that they are of. */
      kept_with: orNull(noPerson),
    },
    {
      /** Those of digests and saved reports stay as long as these. */
      keepDays: 'record',
      indexes: { by_time: 'taken_at' },
    },
  ),
  /** `people`: hashes, as of `last_figures`. */
  answer_totals: table(
    ['request'],
    { request: noPerson, totals: text(itsWords), people: text(itsHashes), kept_at: integer },
    { age: 'kept_at', keepDays: 1, indexes: { by_time: 'kept_at' } },
  ),
  suggestions: table(
    ['list_name', 'entry'],
    {
      list_name: noPerson,
      entry: text(itsWords),
      title: orNull(text(itsWords)),
      searched: text(itsWords),
      /** At least this many people of the whole company have it. */
      people: integer,
      seen_at: integer,
    },
    { age: 'seen_at', keepDays: 56, indexes: { by_time: 'seen_at', newest: 'list_name, seen_at' } },
  ),
};

const settings = {
  builder_drafts: table(['id'], draft, draftRules),
  saved_reports: table(
    ['id'],
    {
      id: noPerson,
      channel: text(itsConversation),
      name: text('by-hand'),
      name_key: text('by-hand'),
      owner: text('by-hand'),
      created_by: text(user),
      request: text('by-hand'),
      revision: integer,
      created_at: integer,
      changed_at: integer,
      last_run_at: orNull(integer),
      last_run_by: orNull(text(user)),
      deleted_at: orNull(integer),
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
      channel: text(itsConversation),
      owner: text('by-hand'),
      created_by: text(user),
      request: text('by-hand'),
      schedule: noPerson,
      skip_empty: integer,
      state: oneOf('active', 'paused'),
      paused_why: orNull(noPerson),
      next_due: orNull(integer),
      revision: integer,
      failures: integer,
      created_at: integer,
      deleted_at: orNull(integer),
      ...offer,
      replaces: number<Generated<number>>(0),
      keep_days: orNull(integer),
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
  notifications: table(
    ['id'],
    {
      id: noPerson,
      recipient: text(itsUser),
      kind: noPerson,
      subject: noPerson,
      created_at: integer,
      ready_at: orNull(integer),
      sent_at: orNull(integer),
      message_channel: orNull(noPerson),
      message_ts: orNull(noPerson),
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
      reason: orNull(text(words)),
      since: integer,
      ended_at: orNull(integer),
    },
    { age: 'ended_at', keepDays: 'record', indexes: { ended: 'ended_at', open: 'cause, ended_at' } },
  ),
  /** After how many days files and rows are deleted. */
  channel_ages: table(['channel'], {
    channel: noPerson,
    days: integer,
    set_by: text(user),
    set_at: integer,
  }),
};

/** The tables of a workspace's data. Each has the column `workspace`, which comes first in all its keys. */
export const schema = { ...answers, ...settings, ...accessTables };

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
