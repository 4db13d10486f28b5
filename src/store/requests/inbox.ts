import type { PostedMessage } from '../../posts/post.js';
import type { PostState } from '../../posts/states.js';
import { isUnreachable } from '../database/errors.js';
import {
  changeRows,
  countRows,
  inCertainTransaction,
  inTransaction,
  isSet,
  plusOne,
  rowsOf,
  runByShape,
} from '../database/rows.js';
import type { Db, Tables } from '../database/schema.js';

/** A delivery from Slack whose work must not end with the process. */
export interface NewDelivery {
  /** Equal for two deliveries of the same thing. */
  readonly key: string;
  /** The Slack user ID of the person who caused it. */
  readonly person: string;
  /** The part of its body that listeners need, as JSON without tokens. */
  readonly payload: string;
  /** The ID that its request has in the request log, if it makes one. */
  readonly request: string;
  readonly arrivedAt: number;
}

/** A delivery of a process that has ended. */
export interface TakenDelivery extends NewDelivery {
  /** How often its response URL was used. */
  readonly urlUses: number;
  readonly progress?: PostedMessage | undefined;
  /** Of the post of its request; absent if none was recorded. */
  readonly state?: PostState | undefined;
  /** True if this process continues it. */
  readonly goesOn: boolean;
}

/** Limits on the deliveries that another process may continue. */
export interface GoOnLimits {
  readonly arrivedAfter: number;
  /** How many processes may work on a delivery, one after the other. */
  readonly maxAttempts: number;
}

function insertNew(db: Db, rows: readonly Tables['inbox'][]) {
  return db
    .insertInto('inbox')
    .values(rows)
    .onConflict((conflict) => conflict.column('delivery').doNothing())
    .returning('delivery');
}

/** Deliveries that start a run or a post. Each is stored from before its acknowledgement until its work has ended. */
export function inboxIn(db: Db, process: string) {
  return {
    /** Adds deliveries to this process. Returns the keys of new ones. */
    async add(deliveries: readonly NewDelivery[]): Promise<ReadonlySet<string>> {
      if (deliveries.length === 0) return new Set();
      const rows: Tables['inbox'][] = [];
      for (const { key, person, payload, request, arrivedAt } of padded(deliveries)) {
        const work = { process, attempts: 1, url_uses: 0, progress: null };
        rows.push({ delivery: key, person, payload, request, arrived_at: arrivedAt, ...work });
      }
      const insert = async () => (await runByShape(db, 'add to the inbox', rows, insertNew)).rows;
      const added = await insert().catch(async (error: unknown) => {
        if (!isUnreachable(error)) throw error;
        // The first insert may have arrived when the connection broke. No other row has these requests.
        await insert();
        const request = deliveries.map((delivery) => delivery.request);
        return rowsOf(db, 'inbox', { request, process }).select('delivery').execute();
      });
      return new Set(added.map(({ delivery }) => delivery));
    },

    /** Ends deliveries of this process, and deletes their payloads. */
    async end(keys: readonly string[]) {
      if (keys.length > 0) await changeRows(db, 'inbox', { delivery: padded(keys), process }, endedDelivery);
    },

    async countUrlUse(key: string) {
      await changeRows(db, 'inbox', { delivery: key, process }, { url_uses: plusOne('url_uses') });
    },

    async saveProgress(request: string, { channel, ts }: PostedMessage) {
      const set = { progress: JSON.stringify({ channel, ts }) };
      await changeRows(db, 'inbox', { request, process, payload: isSet }, set);
    },

    /** The other processes with deliveries. `null`: deliveries without a process. */
    async holders() {
      const held = await db
        .selectFrom('inbox')
        .select('process')
        .distinct()
        .where('payload', 'is not', null)
        .where('process', 'is distinct from', process)
        .execute();
      return held.map((row) => row.process);
    },

    /**
     * Takes the oldest deliveries of a process that has ended, with their requests that are running. Each is returned to
     * one process only. This process continues some of them; of the others only the key is left.
     *
     * @param limits absent: none continues
     */
    take(from: string | null, limit: number, limits?: GoOnLimits) {
      let taken: readonly TakenDelivery[] = [];
      return inCertainTransaction(db, async (trx, isRepeat) => {
        const [first] = taken;
        // They are no longer with the process that has ended, so no process would look for them.
        if (isRepeat && first && (await countRows(trx, 'inbox', { delivery: first.key, process })) > 0)
          return taken;
        const rows = await trx
          .selectFrom('inbox')
          .leftJoin('posts', 'posts.id', 'inbox.request')
          .selectAll('inbox')
          .select('posts.state')
          .where('inbox.payload', 'is not', null)
          .where('inbox.process', 'is not distinct from', from)
          .orderBy('inbox.arrived_at')
          .orderBy('inbox.delivery')
          .limit(limit)
          .execute();
        taken = rows.map((row) => takenOf(row, limits));
        for (const { key, request, goesOn } of taken) {
          const taking = { process, attempts: plusOne('attempts'), progress: null };
          await changeRows(trx, 'inbox', { delivery: key }, { ...taking, ...(!goesOn && endedDelivery) });
          const running = { id: request, state: 'running', process: from } as const;
          if (goesOn) await changeRows(trx, 'posts', running, { process });
        }
        return taken;
      });
    },

    /** Lets another process take the delivery of a request that is running. False if there is none to take. */
    release: (request: string) =>
      inTransaction(db, async (trx) => {
        const running = rowsOf(trx, 'posts', { id: request, state: 'running', process }).select('id');
        const which = { process, request: running, payload: isSet };
        if ((await changeRows(trx, 'inbox', which, { process: null })) === 0) return false;
        await changeRows(trx, 'posts', { id: request }, { process: null });
        return true;
      }),
  };
}

export type Inbox = ReturnType<typeof inboxIn>;

/** Only the key stays, so that a repetition is recognized. */
export const endedDelivery = { payload: null, progress: null, person: '' } as const;

/** Repeats the last item up to a power of two, for few different statements. A repeated delivery is added once. */
function padded<Item>(items: readonly Item[]): readonly Item[] {
  const length = 2 ** Math.ceil(Math.log2(items.length));
  return [...items, ...Array<Item>(length - items.length).fill(items.at(-1) as Item)];
}

function takenOf(
  row: Tables['inbox'] & { readonly state: PostState | null },
  limits: GoOnLimits | undefined,
): TakenDelivery {
  const state = row.state ?? undefined;
  const mayGoOn =
    limits !== undefined && row.attempts < limits.maxAttempts && row.arrived_at > limits.arrivedAfter;
  const goesOn = mayGoOn && (state === undefined || state === 'running');
  return {
    key: row.delivery,
    person: row.person,
    payload: row.payload ?? '',
    request: row.request,
    arrivedAt: row.arrived_at,
    urlUses: row.url_uses,
    progress: row.progress === null ? undefined : JSON.parse(row.progress),
    state,
    goesOn,
  };
}

/** Recent deliveries from Slack. They make repeated deliveries run once, also across a restart. */
export function seenDeliveriesIn(db: Db) {
  return {
    has: async (envelope: string) => (await countRows(db, 'seen_deliveries', { delivery: envelope })) > 0,

    /** Adds one, and waits for it. False if any process had it before. */
    async claim(envelope: string, seenAt: number): Promise<boolean> {
      const added = await db
        .insertInto('seen_deliveries')
        .values({ delivery: envelope, seen_at: seenAt })
        .onConflict((conflict) => conflict.column('delivery').doNothing())
        .returning('delivery')
        .execute();
      return added.length > 0;
    },

    /** Newest first. */
    async latest(limit: number) {
      const newest = db
        .selectFrom('seen_deliveries')
        .select('delivery')
        .orderBy('seen_at', 'desc')
        .limit(limit);
      return (await newest.execute()).map(({ delivery }) => delivery);
    },

    /** Adds up to a few hundred envelopes. Existing ones keep their time. */
    async add(seen: readonly { readonly envelope: string; readonly seenAt: number }[]) {
      if (seen.length === 0) return;
      await db
        .insertInto('seen_deliveries')
        .values(seen.map(({ envelope, seenAt }) => ({ delivery: envelope, seen_at: seenAt })))
        .onConflict((conflict) => conflict.column('delivery').doNothing())
        .execute();
    },
  };
}

export type SeenDeliveries = ReturnType<typeof seenDeliveriesIn>;
