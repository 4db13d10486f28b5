import type { Kysely } from 'kysely';
import type { FailureReason } from '../../digests/failure.js';
import { randomId, type Tables } from '../database.js';
import type { DigestOutageRow } from './tables.js';

/** What does not work: the Reporting Service, or the bot's own access to Slack. */
export type OutageCause = 'service' | 'slack';

/** A time in which something that all digests need did not work. */
export interface Outage {
  readonly id: string;
  readonly cause: OutageCause;
  /** The code of the failure it began with. */
  readonly code: string;
  /** The same as people are told it. */
  readonly reason?: string;
  readonly since: number;
}

export interface BegunOutage {
  readonly outage: Outage;
  /** `before`: it was open already. `again`: it was over for a moment. */
  readonly began: 'now' | 'before' | 'again';
}

export interface DigestOutages {
  find(id: string): Promise<Outage | undefined>;
  open(): Promise<readonly Outage[]>;
  /** The outage that is open already, the last one where that ended a moment ago, or a new one. */
  begin(cause: OutageCause, why: FailureReason, at: number): Promise<BegunOutage>;
  /** False where there was none. */
  end(cause: OutageCause, at: number): Promise<boolean>;
  deleteBefore(time: number, limit: number): Promise<number>;
}

/** What fails again so soon after it worked did not work yet: people have been told of it. */
const sameWithin = 10 * 60_000;

export function digestOutagesIn(db: Kysely<Tables>, newId: () => string = randomId): DigestOutages {
  const columns = ['id', 'cause', 'code', 'reason', 'since'] as const;
  return {
    async find(id) {
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

    begin: (cause, { code, reason }, at) =>
      db.transaction().execute(async (trx) => {
        const known = trx.selectFrom('digest_outages').select(columns).where('cause', '=', cause);
        const open = await known.where('ended_at', 'is', null).executeTakeFirst();
        if (open) return { outage: outageOf(open), began: 'before' };
        const recent = await known
          .where('ended_at', '>', at - sameWithin)
          .orderBy('ended_at', 'desc')
          .executeTakeFirst();
        const why = { code, reason: reason ?? null, ended_at: null };
        if (recent) {
          await trx.updateTable('digest_outages').set(why).where('id', '=', recent.id).execute();
          return { outage: outageOf({ ...recent, code, reason: why.reason }), began: 'again' };
        }
        const outage = { id: newId(), cause, since: at, ...why };
        await trx.insertInto('digest_outages').values(outage).execute();
        return { outage: outageOf(outage), began: 'now' };
      }),

    async end(cause, at) {
      const ended = await db
        .updateTable('digest_outages')
        .set({ ended_at: at })
        .where('cause', '=', cause)
        .where('ended_at', 'is', null)
        .executeTakeFirst();
      return ended.numUpdatedRows > 0n;
    },

    async deleteBefore(time, limit) {
      const old = db.selectFrom('digest_outages').select('id').where('ended_at', '<', time).limit(limit);
      const { numDeletedRows } = await db
        .deleteFrom('digest_outages')
        .where('id', 'in', old)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

function outageOf({ id, cause, code, reason, since }: Omit<DigestOutageRow, 'ended_at'>): Outage {
  return { id, cause, code, since, ...(reason === null ? {} : { reason }) };
}
