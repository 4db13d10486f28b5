import type { Kysely, Transaction } from 'kysely';
import { fileOf } from '../../posts/states.js';
import { forgetNotices, settleNotices } from '../digests/ledger-notices.js';
import type { Tables } from '../tables.js';
import { moving } from './posts.js';
import { nothingWrong } from './transitions.js';

/** What people say of runs that are over. Each answer counts once: false where it came too late. */
export interface Answers {
  /** Its owner says that an unknown one arrived, or wants it sent. */
  settle(id: string, settled: 'arrived' | 'sent-again', at: number): Promise<boolean>;
  /** The same about the file of a posted one; one that failed can be sent again too. */
  settleFile(id: string, settled: 'arrived' | 'sent-again', at: number): Promise<boolean>;
  /** Somebody wants a failed one tried again. */
  retry(id: string, at: number): Promise<boolean>;
}

/** Nobody has the file of a run any more that is to be sent again: whoever had it must not show it as well. */
const heldByNobody = { lease_owner: null, lease_until: null } as const;

/** Whatever was tried before, and whoever did not want it then. */
const asNew = { attempts: 0, limited: 0, unwanted: null, finished_at: null } as const;

export function answersIn(db: Kysely<Tables>): Answers {
  return {
    settle: (id, settled, at) =>
      db.transaction().execute(async (trx) => {
        const moved =
          settled === 'arrived'
            ? moving(trx, ['unknown'], 'posted').set({ settled, ...nothingWrong })
            : // Its lease owner stays: should Slack still say that it has the message, it is not sent again.
              moving(trx, ['unknown'], 'queued').set({ settled, ready_at: at, ...asNew, ...nothingWrong });
        const done = await moved.where('id', '=', id).executeTakeFirst();
        await nothingToAsk(trx, id, settled);
        return done.numUpdatedRows > 0n;
      }),

    settleFile: (id, settled, at) =>
      db.transaction().execute(async (trx) => {
        const moved =
          settled === 'arrived'
            ? moving(trx, ['unknown'], 'posted').set({ settled, ...nothingWrong })
            : moving(trx, ['unknown', 'failed'], 'queued').set({
                settled,
                ready_at: at,
                ...asNew,
                ...nothingWrong,
                ...heldByNobody,
              });
        const done = await moved.where('id', '=', fileOf(id)).executeTakeFirst();
        await nothingToAsk(trx, id, settled);
        return done.numUpdatedRows > 0n;
      }),

    retry: (id, at) =>
      db.transaction().execute(async (trx) => {
        const retried = await moving(trx, ['failed'], 'queued')
          .set({ ready_at: at, ...asNew, ...nothingWrong })
          .where('id', '=', id)
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
