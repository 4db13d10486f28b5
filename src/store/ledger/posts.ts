import type { UpdateObject } from 'kysely';
import type { DigestRun } from '../../digests/digest.js';
import type { PostedMessage } from '../../posts/post.js';
import { canTransition, type PostState, type SkipReason, type StateBefore } from '../../posts/states.js';
import { preparedQuery } from '../prepared-query.js';
import { having, type RowValues } from '../rows.js';
import type { Db, Tables } from '../schema.js';

/** Moves posts to another state and sets other columns. @throws Error for a move that is not in the table */
export function transition<To extends PostState>(
  db: Db,
  from: readonly StateBefore<To>[],
  to: To,
  which: RowValues<'posts'>,
  set: UpdateObject<Tables, 'posts'>,
) {
  for (const state of from) {
    if (!canTransition(state, to)) throw new Error(`A post never moves from ${state} to ${to}`);
  }
  return db
    .updateTable('posts')
    .set({ ...set, state: to as never })
    .where(having<'posts'>({ ...which, state: from as readonly PostState[] }));
}

export function placeColumns({ channel, ts, link }: PostedMessage) {
  return { message_channel: channel, message_ts: ts, message_link: link ?? null };
}

/** Where a post's message is; undefined while Slack has not confirmed one. */
export function messageOf(row: {
  readonly message_channel: string | null;
  readonly message_ts: string | null;
  readonly message_link?: string | null;
}): PostedMessage | undefined {
  const { message_channel: channel, message_ts: ts, message_link: link } = row;
  return channel !== null && ts !== null ? { channel, ts, link: link ?? undefined } : undefined;
}

const unwantedOf = preparedQuery((db, { post }: { readonly post: string }) =>
  db.selectFrom('posts').select('unwanted').where('id', '=', post),
);

/** True once an erasure ended the post, or deleted it. Nothing more may be stored about it. */
export async function wasErased(db: Db, post: string): Promise<boolean> {
  const [found] = (await unwantedOf(db, { post })).rows;
  return !found || (found.unwanted !== null && erasureReasons.has(found.unwanted));
}

export const erasureReasons: ReadonlySet<string> = new Set<SkipReason>(['owner-erased', 'person-erased']);

/** Runs of digests, each joined with its file. They are told by their kind, because the index of digests is as long. */
export function selectRuns(db: Db) {
  return db
    .selectFrom('posts')
    .leftJoin('posts as file', 'file.parent', 'posts.id')
    .selectAll('posts')
    .select([
      'file.state as file_state',
      'file.ready_at as file_ready_at',
      'file.attempts as file_attempts',
      'file.limited as file_limited',
      'file.error_code as file_error_code',
      'file.reason as file_reason',
    ])
    .where('posts.kind', '=', 'digest');
}

type RunRow = Awaited<ReturnType<ReturnType<typeof selectRuns>['executeTakeFirstOrThrow']>>;

export function runOf(row: RunRow): DigestRun {
  return {
    id: row.id,
    digest: row.digest ?? '',
    channel: row.channel,
    dueAt: row.due_at,
    state: row.state,
    ...attemptsOf(row),
    missed: row.missed,
    late: row.late === 1,
    rows: row.row_count ?? undefined,
    message: messageOf(row),
    settled: row.settled ?? undefined,
    finishedAt: row.finished_at ?? undefined,
  };
}

/** A file exists only after its message is posted, so from then on attempts and errors are those of the file. */
function attemptsOf(row: RunRow) {
  const isOfFile = row.file_state !== null;
  return {
    fileState: row.file_state ?? ('none' as const),
    readyAt: (isOfFile ? row.file_ready_at : row.ready_at) ?? undefined,
    attempts: (isOfFile ? row.file_attempts : row.attempts) ?? 0,
    rateLimited: (isOfFile ? row.file_limited : row.limited) ?? 0,
    errorCode: (isOfFile ? row.file_error_code : row.error_code) ?? undefined,
    reason: (isOfFile ? row.file_reason : row.reason) ?? undefined,
  };
}
