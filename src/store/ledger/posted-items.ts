import type { UpdateObject } from 'kysely';
import { directMessages, type NewPostedItem, type PostedItem } from '../../posts/posted-items.js';
import { addRow, changeRows, deleteRows, having, inTransaction, plusOne, putRow, rowsOf } from '../rows.js';
import type { Db, Tables, Trx } from '../schema.js';

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

    async countDue(now: number) {
      const { due } = await db
        .selectFrom('posted_items')
        .select(({ fn }) => fn.countAll().as('due'))
        .where('ready_at', '<=', now)
        .executeTakeFirstOrThrow();
      return Number(due);
    },

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
  const days = kind === 'file' || holdsRows ? await channelAgesIn(trx).find(channel) : undefined;
  const rootEnds = rootRow?.delete_at ?? undefined;
  // A person may ask in a thread whose first message is gone.
  const withRoot = rootEnds !== undefined && (isOfDigest || rootEnds > at) ? rootEnds : undefined;
  const delete_at = earliest(withRoot, daysAfter(at, days));
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
  const days = holdsRows ? await channelAgesIn(trx).find(message.channel) : undefined;
  const delete_at = earliest(daysAfter(at, digest.keep_days), daysAfter(at, days));
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

function daysAfter(at: number, days: number | null | undefined): number | undefined {
  return days === undefined || days === null ? undefined : at + days * dayMs;
}

function earliest(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

export function channelAgesIn(db: Db) {
  return {
    /** For direct messages without a setting of their own, that of all direct messages. */
    async find(channel: string) {
      const subjects = channel.startsWith(directMessages) ? [channel, directMessages] : [channel];
      const ages = await rowsOf(db, 'channel_ages', { channel: subjects }).selectAll().execute();
      return (ages.find((age) => age.channel === channel) ?? ages[0])?.days;
    },

    async all() {
      return db.selectFrom('channel_ages').select(['channel', 'days']).orderBy('channel').execute();
    },

    /** @param days absent: they stay */
    async set(channel: string | typeof directMessages, days: number | undefined, by: string, at: number) {
      if (days === undefined) await deleteRows(db, 'channel_ages', { channel });
      else await putRow(db, 'channel_ages', { channel, days, set_by: by, set_at: at });
    },
  };
}
