import { type ColumnType, type Kysely, sql } from 'kysely';
import type { PostedMessage } from '../../posts/post.js';
import {
  canTransition,
  type initialStates,
  type PostKind,
  type PostState,
  type StateBefore,
} from '../../posts/states.js';
import type { Tables } from '../database.js';
import { preparedQuery } from '../prepared-query.js';
import type { SkipReason } from './waiting.js';

/** Times are milliseconds since the epoch. */
export interface PostTable {
  id: string;
  kind: PostKind;
  /** The post that a file belongs to; null for messages. */
  parent: string | null;
  /** Null for all but the runs of digests. */
  digest: string | null;
  channel: string;
  due_at: number;
  same_as: string;
  /** Only `transition` changes it: any other update does not compile. */
  state: ColumnType<PostState, (typeof initialStates)[number], never>;
  ready_at: number | null;
  lease_owner: string | null;
  lease_until: number | null;
  attempts: number;
  limited: number;
  missed: number;
  late: number;
  row_count: number | null;
  message_channel: string | null;
  message_ts: string | null;
  message_link: string | null;
  error_code: string | null;
  reason: string | null;
  unwanted: SkipReason | null;
  settled: 'arrived' | 'sent-again' | null;
  made_at: number;
  /** The process that has a post by hand in hand; null for digests. */
  process: string | null;
  finished_at: number | null;
}

/**
 * Starts an update that moves posts to another state. The caller adds conditions and other columns.
 *
 * @throws Error for a move that the transition table does not allow
 */
export function transition<To extends PostState>(
  db: Kysely<Tables>,
  from: readonly StateBefore<To>[],
  to: To,
) {
  for (const state of from) {
    if (!canTransition(state, to)) throw new Error(`A post never moves from ${state} to ${to}`);
  }
  return db
    .updateTable('posts')
    .set({ state: to as never })
    .where('state', 'in', from as readonly PostState[]);
}

/** @param holder `null`: nobody */
export function heldBy(column: string, holder: string | null) {
  const held = sql.ref(column);
  return holder === null ? sql<boolean>`${held} IS NULL` : sql<boolean>`${held} = ${holder}`;
}

export function newPost(
  facts: Pick<PostTable, 'id' | 'kind' | 'channel' | 'due_at' | 'made_at'> & {
    readonly state: (typeof initialStates)[number];
  },
) {
  return {
    parent: null,
    digest: null,
    same_as: '',
    ready_at: null,
    lease_owner: null,
    lease_until: null,
    attempts: 0,
    limited: 0,
    missed: 0,
    late: 0,
    row_count: null,
    message_channel: null,
    message_ts: null,
    message_link: null,
    error_code: null,
    reason: null,
    unwanted: null,
    settled: null,
    process: null,
    finished_at: null,
    ...facts,
  } as const;
}

export function placeColumns({ channel, ts, link }: PostedMessage) {
  return { message_channel: channel, message_ts: ts, message_link: link ?? null };
}

const unwantedOf = preparedQuery((db, { post }: { readonly post: string }) =>
  db.selectFrom('posts').select('unwanted').where('id', '=', post),
);

/** True once an erasure ended the post, or deleted it. Nothing more may be stored about it. */
export async function wasErased(db: Kysely<Tables>, post: string): Promise<boolean> {
  const [found] = (await unwantedOf(db, { post })).rows;
  return !found || (found.unwanted !== null && erasureReasons.has(found.unwanted));
}

export const erasureReasons: ReadonlySet<string> = new Set<SkipReason>(['owner-erased', 'person-erased']);
