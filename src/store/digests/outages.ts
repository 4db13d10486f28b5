import type { FailureReason } from '../../digests/failure.js';
import type { BegunOutage, Outage, OutageCause } from '../../digests/outage.js';
import { randomId } from '../../logging/logger.js';
import { changeRows, inTransaction, rowsOf } from '../database/rows.js';
import type { Db, Tables } from '../database/schema.js';

/** A failure this soon after an outage continues that outage. People already know about it. */
const reopenWithinMs = 10 * 60_000;

export function digestOutagesIn(db: Db) {
  return {
    async find(id: string) {
      const row = await rowsOf(db, 'digest_outages', { id }).selectAll().executeTakeFirst();
      return row && outageOf(row);
    },

    async open() {
      // Both, so that the index is used.
      const open = rowsOf(db, 'digest_outages', { cause: ['service', 'slack'], ended_at: null });
      return (await open.selectAll().execute()).map(outageOf);
    },

    /** Returns the open outage, reopens one that ended a few minutes ago, or starts a new one. */
    begin: (cause: OutageCause, { code, reason }: FailureReason, at: number): Promise<BegunOutage> =>
      inTransaction(db, async (trx) => {
        const known = rowsOf(trx, 'digest_outages', { cause }).selectAll();
        const open = await known.where('ended_at', 'is', null).executeTakeFirst();
        if (open) return { outage: outageOf(open), state: 'open' };
        const recent = await known
          .where('ended_at', '>', at - reopenWithinMs)
          .orderBy('ended_at', 'desc')
          .executeTakeFirst();
        const why = { code, reason: reason ?? null, ended_at: null };
        if (recent) {
          await changeRows(trx, 'digest_outages', { id: recent.id }, why);
          return { outage: outageOf({ ...recent, ...why }), state: 'reopened' };
        }
        const outage = { id: randomId(), cause, since: at, ...why };
        await trx.insertInto('digest_outages').values(outage).execute();
        return { outage: outageOf(outage), state: 'new' };
      }),

    /** Returns false if no outage was open. */
    end: async (cause: OutageCause, at: number) =>
      (await changeRows(db, 'digest_outages', { cause, ended_at: null }, { ended_at: at })) > 0,
  };
}

type OutageRow = Omit<Tables['digest_outages'], 'ended_at'>;

export function outageOf({ id, cause, code, reason, since }: OutageRow): Outage {
  return { id, cause, code, since, reason: reason ?? undefined };
}
