import type { ColumnType, Generated } from 'kysely';
import { type Level, levels, type Subject } from '../access/levels.js';
import type { ReportName } from '../catalogue/index.js';
import {
  type initialStates,
  openStates,
  type PostKind,
  type PostState,
  postStates,
  type SkipReason,
} from '../posts/states.js';
import type { EventKind } from './access/event-chain.js';
import { type Columns, number, oneOf, orNull, type Row, type Table, table, text } from './tables.js';

/*
 * All tables. Everything about a column follows from here: its SQL in both databases, its type, and what an erasure does
 * with it, and when its rows expire. Times are milliseconds since the epoch.
 */

const user = { holds: 'user', erase: 'replace' } as const;
const approver = { ...user, counts: 'approvals' } as const;
/** The row belongs to this person. */
const itsUser = { holds: 'user', erase: 'delete' } as const;
const words = { holds: 'words', erase: 'take-out' } as const;
/** Rows that mean nothing without a person whom they name, or that come back by themselves. */
const itsWords = { holds: 'words', erase: 'delete' } as const;
/** The row is about these people. */
const itsHashes = { holds: 'hashes', erase: 'delete' } as const;

/** A new owner who has yet to accept. */
const offer = {
  pending_owner: orNull(text('by-hand')),
  pending_since: orNull(number()),
  handed_over_at: orNull(number()),
};

const answers = {
  requests: table(
    ['id'],
    {
      id: text('nobody'),
      /** The ID of its answer's post, or of the digest's run that it belongs to. */
      post: text('nobody'),
      channel: text('by-hand'),
      asker: text('by-hand'),
      request: text('by-hand'),
      range: orNull(text('nobody')),
      requested_at: number(),
      /** What its reader could see; null before it is answered. */
      scope: orNull(text('nobody')),
      /** 0 if somebody else chose the filters, such as the owner of the saved report. */
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
      id: text('nobody'),
      kind: text<PostKind>('nobody'),
      /** The post that a file belongs to; null for messages. */
      parent: orNull(text('nobody')),
      /** Null for all but the runs of digests. */
      digest: orNull(text('nobody')),
      channel: text('by-hand'),
      due_at: number(),
      dedupe_key: { ...text<Generated<string>>('nobody'), fallback: '' },
      /** Only `transition` changes it: any other update does not compile. */
      state: {
        ...text<ColumnType<PostState, (typeof initialStates)[number], never>>('nobody'),
        values: postStates,
      },
      ready_at: orNull(number()),
      lease_owner: orNull(text('nobody')),
      lease_until: orNull(number()),
      attempts: number<Generated<number>>(0),
      limited: number<Generated<number>>(0),
      missed: number<Generated<number>>(0),
      late: number<Generated<number>>(0),
      row_count: orNull(number()),
      message_channel: orNull(text('by-hand')),
      message_ts: orNull(text('by-hand')),
      message_link: orNull(text('by-hand')),
      error_code: orNull(text('nobody')),
      reason: orNull(text(words)),
      unwanted: orNull(text<SkipReason>('nobody')),
      settled: orNull(oneOf('arrived', 'sent-again')),
      created_at: number(),
      finished_at: orNull(number()),
      /** The process that has a post by hand in hand; null for digests. */
      process: orNull(text('nobody')),
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
      channel: text('by-hand'),
      /** The `ts` of a message, or the ID of a file. */
      item: text('nobody'),
      /** Only for messages that a digest posted. */
      digest: orNull(text('nobody')),
      /** The message that it belongs to. */
      root_channel: orNull(text('by-hand')),
      root_ts: orNull(text('nobody')),
      posted_at: number(),
      /** Stays once the item is deleted. */
      delete_at: orNull(number()),
      /** When to try; null while nothing is to be deleted, and at the end. */
      ready_at: orNull(number()),
      refusals: number<Generated<number>>(0),
      ended_at: orNull(number()),
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
    { delivery: text(itsWords), seen_at: number() },
    { age: 'seen_at', keepDays: 2, indexes: { by_time: 'seen_at' } },
  ),
  /** Deliveries from Slack that start a run or a post, so that another process can go on with them. */
  inbox: table(
    ['delivery'],
    {
      /** Equal for two deliveries of the same thing. */
      delivery: text('nobody'),
      person: text('by-hand'),
      /** Null once its work has ended. The key stays, so that a repetition is recognized. */
      payload: orNull(text(itsWords)),
      /** The ID of the request that it makes, if any. */
      request: text('nobody'),
      arrived_at: number(),
      /** Null while no process has it in hand. */
      process: orNull(text('nobody')),
      /** How many processes had it in hand. */
      attempts: number(),
      url_uses: number(),
      /** The message that shows how far the run is, as JSON. */
      progress: orNull(text('nobody')),
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
    id: text('nobody'),
    process: text('nobody'),
    /** The lower, the sooner. */
    rank: number(),
    requested_at: number(),
    /** A process that waits says so again and again. */
    polled_at: number(),
    started_at: orNull(number()),
    seen_at: orNull(number()),
    ended_at: orNull(number()),
  }),
  last_figures: table(
    ['figures_of'],
    {
      figures_of: text('nobody'),
      figures: text(itsWords),
      taken_at: number(),
      /** Hashes of whose figures they are and of whom filters name. */
      people: orNull(text(itsHashes)),
      /** The digest or the saved report that they are of. */
      kept_with: orNull(text('nobody')),
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
    { request: text('nobody'), totals: text(itsWords), people: text(itsHashes), kept_at: number() },
    { age: 'kept_at', keepDays: 1, indexes: { by_time: 'kept_at' } },
  ),
  suggestions: table(
    ['list_name', 'entry'],
    {
      list_name: text('nobody'),
      entry: text(itsWords),
      title: orNull(text(itsWords)),
      searched: text(itsWords),
      /** At least this many people of the whole company have it. */
      people: number(),
      seen_at: number(),
    },
    { age: 'seen_at', keepDays: 56, indexes: { by_time: 'seen_at', newest: 'list_name, seen_at' } },
  ),
};

const settings = {
  builder_drafts: table(
    ['id'],
    {
      id: text('nobody'),
      owner: text({ ...itsUser, counts: 'other' }),
      content: text(itsWords),
      revision: number(),
      changed_at: number(),
      used_at: orNull(number()),
      /** The delivery that used it. Only it may use it again, in the hands of another process. */
      used_by: orNull(text('nobody')),
    },
    { age: 'changed_at', keepDays: 7, indexes: { by_owner: 'owner', by_time: 'changed_at' } },
  ),
  saved_reports: table(
    ['id'],
    {
      id: text('nobody'),
      channel: text('by-hand'),
      name: text('by-hand'),
      name_key: text('by-hand'),
      owner: text('by-hand'),
      created_by: text(user),
      request: text('by-hand'),
      revision: number(),
      created_at: number(),
      changed_at: number(),
      last_run_at: orNull(number()),
      last_run_by: orNull(text(user)),
      deleted_at: orNull(number()),
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
      id: text('nobody'),
      channel: text('by-hand'),
      owner: text('by-hand'),
      created_by: text(user),
      request: text('by-hand'),
      schedule: text('nobody'),
      skip_empty: number(),
      state: oneOf('active', 'paused'),
      paused_why: orNull(text('nobody')),
      next_due: orNull(number()),
      revision: number(),
      failures: number(),
      created_at: number(),
      deleted_at: orNull(number()),
      ...offer,
      replaces: number<Generated<number>>(0),
      keep_days: orNull(number()),
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
  digest_drafts: table(
    ['id'],
    {
      id: text('nobody'),
      owner: text(itsUser),
      content: text(itsWords),
      changed_at: number(),
      used_at: orNull(number()),
    },
    { age: 'changed_at', keepDays: 7, indexes: { by_owner: 'owner', by_time: 'changed_at' } },
  ),
  notifications: table(
    ['id'],
    {
      id: text('nobody'),
      recipient: text(itsUser),
      kind: text('nobody'),
      subject: text('nobody'),
      created_at: number(),
      ready_at: orNull(number()),
      sent_at: orNull(number()),
      message_channel: orNull(text('nobody')),
      message_ts: orNull(text('nobody')),
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
      id: text('nobody'),
      cause: oneOf('service', 'slack'),
      code: text('nobody'),
      reason: orNull(text(words)),
      since: number(),
      ended_at: orNull(number()),
    },
    { age: 'ended_at', keepDays: 'record', indexes: { ended: 'ended_at', open: 'cause, ended_at' } },
  ),
  /** After how many days files and rows are deleted. */
  channel_ages: table(['channel'], {
    channel: text('nobody'),
    days: number(),
    set_by: text(user),
    set_at: number(),
  }),
};

const access = {
  approved_channels: table(['channel'], {
    channel: text('nobody'),
    approved_by: text(approver),
    approved_at: number(),
  }),
  released_keys: table(['metadata_key'], {
    metadata_key: text('nobody'),
    released_by: text(approver),
    released_at: number(),
  }),
  access_rules: table(['subject_kind', 'subject', 'report'], {
    subject_kind: oneOf<Subject['kind']>('everyone', 'group', 'person'),
    /** Empty for everyone. IDs of groups are none of people. */
    subject: text({ ...itsUser, counts: 'rules' }),
    /** Empty for all reports. */
    report: text<ReportName | ''>('nobody'),
    level: oneOf<Level>(...levels),
    set_by: text(user),
    set_at: number(),
  }),
  access_admins: table(['person'], {
    person: text({ ...itsUser, counts: 'rules' }),
    added_by: text(user),
    added_at: number(),
  }),
  shared_channels: table(['channel'], { channel: text('nobody'), shared_at: number() }),
  approval_requests: table(['channel'], {
    channel: text('nobody'),
    day: text('nobody'),
    requested_by: text(user),
    decided: number(),
  }),
  /** Events of the record of access. It names people by tokens. */
  event_chain: table(
    ['seq'],
    {
      seq: number(),
      at: number(),
      kind: text<EventKind>('nobody'),
      person: orNull(text('nobody')),
      place: orNull(text('nobody')),
      report: orNull(text<ReportName>('nobody')),
      details_hash: text('nobody'),
      previous_hash: text('nobody'),
      hash: text('nobody'),
      /** The key that the hash was made with; null for events of earlier versions. */
      key_id: orNull(text('nobody')),
    },
    {
      keepDays: 'record',
      indexes: {
        by_kind: 'kind, seq',
        by_person: 'person, seq WHERE person IS NOT NULL',
        by_place: 'place, seq',
        by_report: 'report, seq',
        by_time: 'at',
      },
    },
  ),
  event_details: table(['seq'], {
    seq: number(),
    salt: orNull(text('by-hand')),
    details: orNull(text('by-hand')),
  }),
  event_subjects: table(
    ['seq', 'token'],
    { seq: number(), token: text('nobody') },
    { indexes: { by_token: 'token, seq' } },
  ),
  person_tokens: table(['token'], { token: text('nobody'), person: text('by-hand') }, { unique: ['person'] }),
  /** The key of each process that runs on the database, by its ID. */
  record_keys: table(['process'], { process: text('nobody'), key_id: text('nobody'), used_at: number() }),
  /** What people typed last into fields of open forms that suggest titles and names, until the record has it. */
  form_searches: table(
    ['form', 'field'],
    {
      form: text('nobody'),
      field: text('nobody'),
      person: text(itsUser),
      place: text('nobody'),
      report: text<ReportName>('nobody'),
      content: text(itsWords),
      typed_at: number(),
    },
    { indexes: { by_person: 'person', by_time: 'typed_at' } },
  ),
};

/** The tables of a workspace's data. Each has the column `workspace`, which comes first in all its keys. */
export const schema = { ...answers, ...settings, ...access };

type RowsOf<Described> = {
  [Name in keyof Described]: Described[Name] extends Table<infer Of extends Columns> ? Row<Of> : never;
};

/** The rows of a workspace. `WorkspacePlugin` adds the column `workspace` to each. */
export type Tables = RowsOf<typeof schema>;

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
