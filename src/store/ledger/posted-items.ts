import type { Kysely, Transaction } from 'kysely';
import { directMessages, type NewPostedItem, type PostedItem } from '../../posts/posted-items.js';
import type { Tables } from '../schema.js';

const dayMs = 24 * 3_600_000;

export function postedItemsIn(db: Kysely<Tables>) {
  const itemIn = ({ kind, channel, item }: PostedItem) =>
    db
      .updateTable('posted_items')
      .where('kind', '=', kind)
      .where('channel', '=', channel)
      .where('item', '=', item)
      .where('ended_at', 'is', null);

  return {
    /** Records an item that is no part of an answer or a digest. */
    add: (item: NewPostedItem, at: number) => db.transaction().execute((trx) => addPostedItem(trx, item, at)),

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

    /** How many items there are to delete now. */
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
      await itemIn(item).set({ ready_at: null, ended_at: at }).execute();
    },

    /** @param isRefusal counts towards giving up */
    async postpone(item: PostedItem, readyAt: number, isRefusal: boolean) {
      await itemIn(item)
        .set((eb) => ({
          ready_at: readyAt,
          refusals: isRefusal ? eb('refusals', '+', 1) : undefined,
        }))
        .execute();
    },
  };
}

/** Records an item. It is deleted with its root at the latest, and a file by the setting of its channel. */
export async function addPostedItem(
  trx: Transaction<Tables>,
  { kind, channel, item, root, holdsRows = false, isOfDigest = false }: NewPostedItem,
  at: number,
): Promise<void> {
  const rootRow =
    root &&
    (await trx
      .selectFrom('posted_items')
      .select('delete_at')
      .where('kind', '=', 'message')
      .where('channel', '=', root.channel)
      .where('item', '=', root.ts)
      .executeTakeFirst());
  const days = kind === 'file' || holdsRows ? await channelAgesIn(trx).find(channel) : undefined;
  const rootEnds = rootRow?.delete_at ?? undefined;
  // Somebody may ask in a thread whose first message is gone.
  const withRoot = rootEnds !== undefined && (isOfDigest || rootEnds > at) ? rootEnds : undefined;
  const times = [withRoot, days === undefined ? undefined : at + days * dayMs];
  await insertItem(trx, { kind, channel, item, root }, undefined, at, earliest(times));
}

/**
 * Records the message of a digest. A digest that replaces its messages has the one before deleted now, with its thread.
 *
 * @param message absent if nobody knows where the message is
 * @param holdsRows true for a message that shows rows
 */
export async function addDigestMessage(
  trx: Transaction<Tables>,
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
  const days = [
    digest.keep_days ?? undefined,
    holdsRows ? await channelAgesIn(trx).find(message.channel) : undefined,
  ];
  const deleteAt = earliest(days.map((some) => (some === undefined ? undefined : at + some * dayMs)));
  const item = { kind: 'message', channel: message.channel, item: message.ts } as const;
  await insertItem(trx, item, digest.id, at, deleteAt);
}

async function deleteLast(trx: Transaction<Tables>, digest: string, at: number): Promise<void> {
  const last = await trx
    .selectFrom('posted_items')
    .select(['channel', 'item'])
    .where('digest', '=', digest)
    .orderBy('posted_at', 'desc')
    .orderBy('item', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!last) return;
  await trx
    .updateTable('posted_items')
    .set({ delete_at: at, ready_at: at })
    .where(({ eb, and, or }) =>
      or([
        and([eb('kind', '=', 'message'), eb('channel', '=', last.channel), eb('item', '=', last.item)]),
        and([eb('root_channel', '=', last.channel), eb('root_ts', '=', last.item)]),
      ]),
    )
    .where('ended_at', 'is', null)
    .where(({ eb, or }) => or([eb('delete_at', 'is', null), eb('delete_at', '>', at)]))
    .execute();
}

async function insertItem(
  trx: Transaction<Tables>,
  { kind, channel, item, root }: NewPostedItem,
  digest: string | undefined,
  at: number,
  deleteAt: number | undefined,
): Promise<void> {
  await trx
    .insertInto('posted_items')
    .values({
      kind,
      channel,
      item,
      digest: digest ?? null,
      root_channel: root?.channel ?? null,
      root_ts: root?.ts ?? null,
      posted_at: at,
      delete_at: deleteAt ?? null,
      ready_at: deleteAt ?? null,
      refusals: 0,
      ended_at: null,
    })
    .onConflict((conflict) => conflict.columns(['kind', 'channel', 'item']).doNothing())
    .execute();
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

export function channelAgesIn(db: Kysely<Tables>) {
  return {
    /** For direct messages without a setting of their own, that of all direct messages. */
    async find(channel: string) {
      const subjects = channel.startsWith(directMessages) ? [channel, directMessages] : [channel];
      const ages = await db
        .selectFrom('channel_ages')
        .select(['channel', 'days'])
        .where('channel', 'in', subjects)
        .execute();
      return (ages.find((age) => age.channel === channel) ?? ages[0])?.days;
    },

    async all() {
      return db.selectFrom('channel_ages').select(['channel', 'days']).orderBy('channel').execute();
    },

    /** @param days absent: they stay */
    async set(channel: string | typeof directMessages, days: number | undefined, by: string, at: number) {
      if (days === undefined) {
        await db.deleteFrom('channel_ages').where('channel', '=', channel).execute();
        return;
      }
      const values = { days, set_by: by, set_at: at };
      await db
        .insertInto('channel_ages')
        .values({ channel, ...values })
        .onConflict((conflict) => conflict.column('channel').doUpdateSet(values))
        .execute();
    },
  };
}
