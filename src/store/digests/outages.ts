import type { Kysely } from 'kysely';
import type { FailureReason } from '../../digests/failure.js';
import type { BegunOutage, Outage, OutageCause } from '../../digests/ports.js';
import { randomId } from '../database.js';
import type { Tables } from '../schema.js';

/** A failure this soon after an outage continues that outage. People already know about it. */
const reopenWithinMs = 10 * 60_000;

export function digestOutagesIn(db: Kysely<Tables>, newId: () => string = randomId) {
  const columns = ['id', 'cause', 'code', 'reason', 'since'] as const;
  return {
    async find(id: string) {
      const row = await db
        .selectFrom('digest_outages')
        .select(columns)
        .where('id', '=', id)
        .executeTakeFirst();
      return row && outageOf(row);
    },

    async open() {
      const rows = await db
        .selectFrom('digest_outages')
        .select(columns)
        .where('cause', 'in', ['service', 'slack'])
        .where('ended_at', 'is', null)
        .execute();
      return rows.map(outageOf);
    },

    /** Returns the open outage, reopens one that ended a few minutes ago, or starts a new one. */
    begin: (cause: OutageCause, { code, reason }: FailureReason, at: number): Promise<BegunOutage> =>
      db.transaction().execute(async (trx) => {
        const known = trx.selectFrom('digest_outages').select(columns).where('cause', '=', cause);
        const open = await known.where('ended_at', 'is', null).executeTakeFirst();
        if (open) return { outage: outageOf(open), state: 'open' };
        const recent = await known
          .where('ended_at', '>', at - reopenWithinMs)
          .orderBy('ended_at', 'desc')
          .executeTakeFirst();
        const why = { code, reason: reason ?? null, ended_at: null };
        if (recent) {
          await trx.updateTable('digest_outages').set(why).where('id', '=', recent.id).execute();
          return { outage: outageOf({ ...recent, code, reason: why.reason }), state: 'reopened' };
        }
        const outage = { id: newId(), cause, since: at, ...why };
        await trx.insertInto('digest_outages').values(outage).execute();
        return { outage: outageOf(outage), state: 'new' };
      }),

    /** Returns false if no outage was open. */
    async end(cause: OutageCause, at: number) {
      const ended = await db
        .updateTable('digest_outages')
        .set({ ended_at: at })
        .where('cause', '=', cause)
        .where('ended_at', 'is', null)
        .executeTakeFirst();
      return ended.numUpdatedRows > 0n;
    },
  };
}

export function outageOf({
  id,
  cause,
  code,
  reason,
  since,
}: Omit<Tables['digest_outages'], 'ended_at'>): Outage {
  return { id, cause, code, since, reason: reason ?? undefined };
}
