import type { ColumnType, Generated } from 'kysely';
import {
  type initialStates,
  openStates,
  type PostKind,
  type PostState,
  postStates,
  type SkipReason,
} from '../../posts/states.js';
import {
  byHand,
  conversation,
  counter,
  integer,
  integerOrNull,
  itsConversation,
  itsHashes,
  itsWords,
  noPerson,
  noPersonOrNull,
  number,
  oneOf,
  orNull,
  table,
  text,
} from './tables.js';

/* The tables of what is asked and answered: requests, posts, what was counted, and names. */

export const answerTables = {
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
        by_hand: "state WHERE lease_owner IS NULL AND state IN ('running', 'posting')",
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
  /** Questions of assistants that run longer than their clients wait, so that any process can give their answers. */
  long_questions: table(
    ['question'],
    {
      /** A keyed hash of who asks what. */
      question: noPerson,
      /** The process that runs it, and that deletes the row when it has ended. */
      process: noPerson,
      /** The call of another process that waits for the answer. */
      call_id: noPersonOrNull,
      /** What that call gets: totals as JSON, for seconds. */
      reply: orNull(itsWords),
      opened_at: integer,
    },
    { age: 'opened_at', keepDays: 1 / 24, indexes: { by_time: 'opened_at' } },
  ),
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
