import type { Kysely } from 'kysely';
import type { Tables } from '../schema.js';

/** Recent deliveries from Slack. They make repeated deliveries run once, also across a restart. */
export function seenEnvelopesIn(db: Kysely<Tables>) {
  return {
    async has(envelope: string) {
      const found = db.selectFrom('seen_deliveries').select('delivery').where('delivery', '=', envelope);
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
