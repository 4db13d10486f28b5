import type { Kysely, Transaction } from 'kysely';
import { nothingWrong } from './ledger-endings.js';
import { forgetNotices, settleNotices } from './ledger-notices.js';
import type { Tables } from './tables.js';

/** What people say of runs that are over. Each answer counts once: false where it came too late. */
export interface Answers {
  /** Its owner says that an unknown one arrived, or wants it sent. */
  settle(id: string, settled: 'arrived' | 'sent-again', at: number): Promise<boolean>;
  /** The same about the file of a delivered one. */
  settleFile(id: string, settled: 'arrived' | 'sent-again', at: number): Promise<boolean>;
  /** Somebody wants a failed one tried again. */
  retry(id: string, at: number): Promise<boolean>;
}

/** Nobody has the file of a run any more that is to be sent again: whoever had it must not show it as well. */
const heldByNobody = { lease_owner: null, lease_until: null } as const;

/** Whatever was tried before, and whoever did not want it then. */
const asNew = { attempts: 0, limited: 0, unwanted: null } as const;

export function answersIn(db: Kysely<Tables>): Answers {
  return {
    settle: (id, settled, at) =>
      db.transaction().execute(async (trx) => {
        // Its lease owner stays: should Slack still say that it has the message, it is not sent again.
        const again = {
          state: 'due',
          ready_at: at,
          finished_at: null,
          ...asNew,
          ...nothingWrong,
        } as const;
        const done = await trx
          .updateTable('digest_runs')
          .set({ settled, ...(settled === 'sent-again' ? again : {}) })
          .where('id', '=', id)
          .where('state', '=', 'unknown')
          .where('settled', 'is', null)
          .executeTakeFirst();
        await nothingToAsk(trx, id, settled);
        return done.numUpdatedRows > 0n;
      }),

    settleFile: (id, settled, at) =>
      db.transaction().execute(async (trx) => {
        const again = {
          file_state: 'due',
          ready_at: at,
          ...asNew,
          ...nothingWrong,
          ...heldByNobody,
        } as const;
        const done = await trx
          .updateTable('digest_runs')
          .set(settled === 'sent-again' ? again : { file_state: 'shared' })
          .where('id', '=', id)
          .where('state', '=', 'delivered')
          .where('file_state', 'in', ['unknown', 'failed'])
          .executeTakeFirst();
        await nothingToAsk(trx, id, settled);
        return done.numUpdatedRows > 0n;
      }),

    retry: (id, at) =>
      db.transaction().execute(async (trx) => {
        const retried = await trx
          .updateTable('digest_runs')
          .set({ state: 'due', ready_at: at, finished_at: null, ...asNew, ...nothingWrong })
          .where('id', '=', id)
          .where('state', '=', 'failed')
          .executeTakeFirst();
        await forgetNotices(trx, id);
        return retried.numUpdatedRows > 0n;
      }),
  };
}

/** Of one that is sent again, everything may be asked and told once more. */
function nothingToAsk(
  trx: Transaction<Tables>,
  id: string,
  settled: 'arrived' | 'sent-again',
): Promise<void> {
  return settled === 'sent-again' ? forgetNotices(trx, id) : settleNotices(trx, id);
}
