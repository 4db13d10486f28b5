import { rowsOf } from '../rows.js';
import type { Db } from '../schema.js';

/** Recent deliveries from Slack. They make repeated deliveries run once, also across a restart. */
export function seenEnvelopesIn(db: Db) {
  return {
    async has(envelope: string) {
      const found = rowsOf(db, 'seen_deliveries', { delivery: envelope }).select('delivery');
      return (await found.executeTakeFirst()) !== undefined;
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

export type SeenEnvelopes = ReturnType<typeof seenEnvelopesIn>;
