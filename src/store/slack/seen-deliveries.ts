import type { Kysely } from 'kysely';
import { expiryOf } from '../expiry.js';
import type { Tables } from '../schema.js';

/** Recent deliveries from Slack. They make repeated deliveries run once, also across a restart. */
export interface SeenEnvelopes {
  has(envelope: string): Promise<boolean>;
  /** Newest first. */
  latest(limit: number): Promise<readonly string[]>;
  /** Adds up to a few hundred envelopes. Existing ones keep their time. */
  add(seen: readonly { readonly envelope: string; readonly seenAt: number }[]): Promise<void>;
  /** Deletes at most `limit` envelopes seen before `time`. Returns how many. */
  deleteBefore(time: number, limit: number): Promise<number>;
}

export function seenEnvelopesIn(db: Kysely<Tables>): SeenEnvelopes {
  return {
    async has(envelope) {
      const found = db.selectFrom('seen_deliveries').select('delivery').where('delivery', '=', envelope);
      return (await found.executeTakeFirst()) !== undefined;
    },

    async latest(limit) {
      const newest = db
        .selectFrom('seen_deliveries')
        .select('delivery')
        .orderBy('seen_at', 'desc')
        .limit(limit);
      return (await newest.execute()).map(({ delivery }) => delivery);
    },

    async add(seen) {
      if (seen.length === 0) return;
      await db
        .insertInto('seen_deliveries')
        .values(seen.map(({ envelope, seenAt }) => ({ delivery: envelope, seen_at: seenAt })))
        .onConflict((conflict) => conflict.column('delivery').doNothing())
        .execute();
    },

    deleteBefore: expiryOf(db, 'seen_deliveries'),
  };
}
