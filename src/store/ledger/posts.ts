import { type Kysely, sql } from 'kysely';
import type { PostedMessage } from '../../posts/post.js';
import { canTransition, type PostState, type SkipReason, type StateBefore } from '../../posts/states.js';
import { preparedQuery } from '../prepared-query.js';
import type { Tables } from '../schema.js';

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
