import type { Kysely } from 'kysely';
import type { Tables } from './tables.js';

/** What Slack delivered lately, so that what comes twice runs once, also over a restart. */
export interface SeenEnvelopes {
  /** True for the first to ask about an envelope; it is remembered from then on. */
  isNew(envelope: string, now: number): Promise<boolean>;
  /** Deletes at most `limit` of those seen before a time. Returns how many. */
  forgetBefore(time: number, limit: number): Promise<number>;
}

export function seenEnvelopesIn(db: Kysely<Tables>): SeenEnvelopes {
  return {
    async isNew(envelope, now) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('seen_envelopes')
        .values({ envelope, seen_at: now })
        .onConflict((conflict) => conflict.column('envelope').doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    async forgetBefore(time, limit) {
      const old = db.selectFrom('seen_envelopes').select('envelope').where('seen_at', '<', time).limit(limit);
      const { numDeletedRows } = await db
        .deleteFrom('seen_envelopes')
        .where('envelope', 'in', old)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
