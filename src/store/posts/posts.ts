import type { UpdateObject } from 'kysely';
import type { DigestRun } from '../../digests/digest.js';
import type { PostedMessage } from '../../posts/post.js';
import { directMessages, type NewPostedItem, type PostedItem } from '../../posts/posted-items.js';
import { canTransition, type PostState, type SkipReason, type StateBefore } from '../../posts/states.js';
import { appendEvent, type RecordKey } from '../access/event-chain.js';
import {
  addRow,
  changeRows,
  countRows,
  deleteRows,
  having,
  inTransaction,
  is,
  plusOne,
  putRow,
  type RowValues,
  rowsOf,
} from '../database/rows.js';
import type { Db, Tables, Trx } from '../database/schema.js';
import { preparedQuery } from '../database/workspace.js';

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
    .leftJoin('posts as file', (join) =>
      join.onRef('file.parent', '=', 'posts.id').on('file.kind', '=', 'file'),
    )
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
  // A file exists only after its message is posted, so from then on attempts and errors are those of the file.
  const isOfFile = row.file_state !== null;
  return {
    id: row.id,
    digest: row.digest ?? '',
    channel: row.channel,
    dueAt: row.due_at,
    state: row.state,
    fileState: row.file_state ?? 'none',
    readyAt: (isOfFile ? row.file_ready_at : row.ready_at) ?? undefined,
    attempts: (isOfFile ? row.file_attempts : row.attempts) ?? 0,
    rateLimited: (isOfFile ? row.file_limited : row.limited) ?? 0,
    errorCode: (isOfFile ? row.file_error_code : row.error_code) ?? undefined,
    reason: (isOfFile ? row.file_reason : row.reason) ?? undefined,
    missed: row.missed,
    late: row.late === 1,
    isByHand: row.by_hand === 1,
    rows: row.row_count ?? undefined,
    message: messageOf(row),
    settled: row.settled ?? undefined,
    finishedAt: row.finished_at ?? undefined,
  };
}

/* What Rollcall posted and may have to delete again, and after how long. */

export function postedItemsIn(db: Db) {
  /** Changes an item that has not ended. */
  const change = ({ kind, channel, item }: PostedItem, set: UpdateObject<Tables, 'posted_items'>) =>
    changeRows(db, 'posted_items', { kind, channel, item, ended_at: null }, set);

  return {
    /** Records an item that is no part of an answer or a digest. */
    add: (item: NewPostedItem, at: number) => inTransaction(db, (trx) => addPostedItem(trx, item, at)),

    /** Items to delete now, the longest waiting first. */
    async due(now: number, limit: number) {
      return db
        .selectFrom('posted_items')
        .select(['kind', 'channel', 'item', 'refusals'])
        .where('ready_at', '<=', now)
        .orderBy('ready_at')
        .orderBy('item')
        .limit(limit)
        .execute();
    },

    countDue: (now: number) => countRows(db, 'posted_items', { ready_at: is('<=', now) }),

    /** The item is gone from Slack, or Rollcall has given up. */
    async end(item: PostedItem, at: number) {
      await change(item, { ready_at: null, ended_at: at });
    },

    /** @param isRefusal counts towards giving up */
    async postpone(item: PostedItem, readyAt: number, isRefusal: boolean) {
      await change(item, { ready_at: readyAt, refusals: isRefusal ? plusOne('refusals') : undefined });
    },
  };
}

/** Records an item. It is deleted with its root at the latest, and a file by the setting of its channel. */
export async function addPostedItem(
  trx: Trx,
  { kind, channel, item, root, holdsRows = false, isOfDigest = false }: NewPostedItem,
  at: number,
): Promise<void> {
  const rootItem = { kind: 'message', channel: root?.channel, item: root?.ts } as const;
  const rootRow =
    root && (await rowsOf(trx, 'posted_items', rootItem).select('delete_at').executeTakeFirst());
  const days = kind === 'file' || holdsRows ? await ageIn(trx, channel) : undefined;
  const rootEnds = rootRow?.delete_at ?? undefined;
  // A person may ask in a thread whose first message is gone.
  const withRoot = rootEnds !== undefined && (isOfDigest || rootEnds > at) ? rootEnds : undefined;
  const delete_at = firstEnd(at, [days], withRoot);
  await addRow(trx, 'posted_items', {
    kind,
    channel,
    item,
    root_channel: root?.channel,
    root_ts: root?.ts,
    posted_at: at,
    delete_at,
    ready_at: delete_at,
  });
}

/**
 * Records the message of a digest. A digest that replaces its messages has the one before deleted now, with its thread.
 *
 * @param message absent if it is unknown where the message is
 * @param holdsRows true for a message that shows rows
 */
export async function addDigestMessage(
  trx: Trx,
  run: string,
  message: { readonly channel: string; readonly ts: string } | undefined,
  at: number,
  holdsRows = false,
): Promise<void> {
  const digest = await trx
    .selectFrom('posts')
    .innerJoin('digests', 'digests.id', 'posts.digest')
    .select(['digests.id', 'digests.replaces', 'digests.keep_days'])
    .where('posts.id', '=', run)
    .executeTakeFirst();
  if (!digest) return;
  if (digest.replaces === 1) await deleteLast(trx, digest.id, at);
  if (!message) return;
  const days = holdsRows ? await ageIn(trx, message.channel) : undefined;
  const delete_at = firstEnd(at, [digest.keep_days, days]);
  const item = { kind: 'message', channel: message.channel, item: message.ts, digest: digest.id } as const;
  await addRow(trx, 'posted_items', { ...item, posted_at: at, delete_at, ready_at: delete_at });
}

async function deleteLast(trx: Trx, digest: string, at: number): Promise<void> {
  const last = await rowsOf(trx, 'posted_items', { digest })
    .select(['channel', 'item'])
    .orderBy('posted_at', 'desc')
    .orderBy('item', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!last) return;
  const { channel, item } = last;
  await trx
    .updateTable('posted_items')
    .set({ delete_at: at, ready_at: at })
    .where(({ or }) =>
      or([
        having<'posted_items'>({ kind: 'message', channel, item }),
        having<'posted_items'>({ root_channel: channel, root_ts: item }),
      ]),
    )
    .where('ended_at', 'is', null)
    .where(({ eb, or }) => or([eb('delete_at', 'is', null), eb('delete_at', '>', at)]))
    .execute();
}

const dayMs = 24 * 3_600_000;

/** The first of the ends of some numbers of days after a time, and of `first`; undefined where there is none. */
function firstEnd(at: number, ages: readonly (number | null | undefined)[], first?: number) {
  let end = first;
  for (const days of ages) {
    if (typeof days === 'number') end = Math.min(end ?? Number.POSITIVE_INFINITY, at + days * dayMs);
  }
  return end;
}

async function ageIn(db: Db, channel: string): Promise<number | undefined> {
  const subjects = channel.startsWith(directMessages) ? [channel, directMessages] : [channel];
  const ages = await rowsOf(db, 'channel_ages', { channel: subjects }).selectAll().execute();
  return (ages.find((age) => age.channel === channel) ?? ages[0])?.days;
}

/** After how many days files are deleted. Each change is also an event of the record. */
export function channelAgesIn(db: Db, key: RecordKey) {
  return {
    /** For direct messages without a setting of their own, that of all direct messages. */
    find: (channel: string) => ageIn(db, channel),

    async all() {
      return db.selectFrom('channel_ages').select(['channel', 'days']).orderBy('channel').execute();
    },

    /** @param days absent: they stay */
    set: (channel: string | typeof directMessages, days: number | undefined, by: string, at: number) =>
      inTransaction(db, async (trx) => {
        const before = await rowsOf(trx, 'channel_ages', { channel }).select('days').executeTakeFirst();
        if (before?.days === days) return;
        if (days === undefined) await deleteRows(trx, 'channel_ages', { channel });
        else await putRow(trx, 'channel_ages', { channel, days, set_by: by, set_at: at });
        const place = channel === directMessages ? undefined : channel;
        const details = { setting: 'file-age', before: before?.days, after: days };
        await appendEvent(trx, key, { kind: 'setting-changed', at, person: by, place, details });
      }),
  };
}
