import type { ColumnType, Generated, Kysely, Transaction } from 'kysely';
import {
  type initialStates,
  openStates,
  type PostKind,
  type PostState,
  postStates,
  type SkipReason,
} from '../../posts/states.js';
import { accessTables } from './access-tables.js';
import {
  byHand,
  type Columns,
  conversation,
  counter,
  integer,
  integerOrNull,
  itsConversation,
  itsHashes,
  itsUser,
  itsWords,
  noPerson,
  noPersonOrNull,
  number,
  oneOf,
  orNull,
  type Row,
  type Table,
  table,
  text,
  user,
} from './tables.js';

/*
 * All tables. Everything about a column follows from here: its SQL in both databases, its type, and what an erasure does
 * with it, and when its rows expire. Times are milliseconds since the epoch.
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

const answers = {
  requests: table(
    ['id'],
    {
      id: noPerson,
      /** The ID of its answer's post, or of the digest's run that it belongs to. */
      post: noPerson,
      channel: conversation,
      asker: byHand,
      request: byHand,
      range: noPersonOrNull,
      requested_at: integer,
      /** What its reader could see; null before it is answered. */
      scope: noPersonOrNull,
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
      kind: text<PostKind>('no-person'),
      /** The post that a file belongs to; null for messages. */
      parent: noPersonOrNull,
      /** Null for all but the runs of digests. */
      digest: noPersonOrNull,
      channel: conversation,
      due_at: integer,
      dedupe_key: { ...text<Generated<string>>('no-person'), fallback: '' },
      /** Only `transition` changes it: any other update does not compile. */
      state: {
        ...text<ColumnType<PostState, (typeof initialStates)[number], never>>('no-person'),
        values: postStates,
      },
      ready_at: integerOrNull,
      lease_owner: noPersonOrNull,
      lease_until: integerOrNull,
      attempts: counter,
      limited: counter,
      missed: counter,
      late: counter,
      row_count: integerOrNull,
      message_channel: orNull(byHand),
      message_ts: orNull(byHand),
      message_link: orNull(byHand),
      error_code: noPersonOrNull,
      reason: orNull(text({ holds: 'words', erase: 'take-out' })),
      unwanted: orNull(text<SkipReason>('no-person')),
      settled: orNull(oneOf('arrived', 'sent-again')),
      created_at: integer,
      finished_at: integerOrNull,
      /** The process that works on a post by hand; null for digests. */
      process: noPersonOrNull,
      /** 1 for a run of a digest that a person started: an alert posts then whatever it found. */
      by_hand: counter,
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
      channel: itsConversation,
      /** The `ts` of a message, or the ID of a file. */
      item: noPerson,
      /** Only for messages that a digest posted. */
      digest: noPersonOrNull,
      /** The message that it belongs to. */
      root_channel: orNull(itsConversation),
      root_ts: noPersonOrNull,
      posted_at: integer,
      /** Stays once the item is deleted. */
      delete_at: integerOrNull,
      /** When to try; null while nothing is to be deleted, and at the end. */
      ready_at: integerOrNull,
      refusals: counter,
      ended_at: integerOrNull,
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
    { delivery: itsWords, seen_at: integer },
    { age: 'seen_at', keepDays: 2, indexes: { by_time: 'seen_at' } },
  ),
  /** Deliveries from Slack that start a run or a post, so that another process can continue them. */
  inbox: table(
    ['delivery'],
    {
      /** Equal for two deliveries of the same thing. */
      delivery: noPerson,
      person: byHand,
      /** Null once its work has ended. The key stays, so that a repetition is recognized. */
      payload: orNull(itsWords),
      /** The ID of the request that it makes, if any. */
      request: noPerson,
      arrived_at: integer,
      /** Null while no process works on it. */
      process: noPersonOrNull,
      /** How many processes have worked on it. */
      attempts: integer,
      url_uses: integer,
      /** The message that shows how far the run is, as JSON. */
      progress: noPersonOrNull,
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
    started_at: integerOrNull,
    seen_at: integerOrNull,
    ended_at: integerOrNull,
  }),
  last_figures: table(
    ['figures_of'],
    {
      figures_of: noPerson,
      figures: itsWords,
      taken_at: integer,
      /** Hashes of whose figures they are and of whom filters name. */
      people: orNull(itsHashes),
      /** The digest or the saved report that they are of. */
      kept_with: noPersonOrNull,
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
    { request: noPerson, totals: itsWords, people: itsHashes, kept_at: integer },
    { age: 'kept_at', keepDays: 1, indexes: { by_time: 'kept_at' } },
  ),
  /** `unit_of`: a keyed hash of the query. `through`: the position of the last event that ends figures before it. */
  unit_totals: table(
    ['unit_of'],
    { unit_of: noPerson, figures: noPerson, read_at: integer, through: integer },
    { age: 'read_at', keepDays: 30, indexes: { by_time: 'read_at' } },
  ),
  suggestions: table(
    ['list_name', 'entry'],
    {
      list_name: noPerson,
      entry: itsWords,
      title: orNull(itsWords),
      searched: itsWords,
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
