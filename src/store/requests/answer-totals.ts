import type { Kysely, Transaction } from 'kysely';
import type { ScopeLimits } from '../../access/scope.js';
import type { AnswerForButtons, AnswerTotals, KeptAnswer } from '../../runner/answer-totals.js';
import { wasErased } from '../ledger/posts.js';
import type { RecordKey } from '../record-key.js';
import type { Tables } from '../schema.js';
import { peopleIn } from './people-in-requests.js';

export function answerTotalsIn(db: Kysely<Tables>, key: RecordKey) {
  return {
    /**
     * Keeps an answer, unless an erasure ended its post.
     *
     * @param id of the request
     * @param post of the answer, or of the digest's run
     */
    keep: (id: string, post: string, kept: KeptAnswer, at: number) =>
      db.transaction().execute(async (trx) => {
        if (await wasErased(trx, post)) return;
        await saveForButtons(trx, key, id, { range: undefined, kept, at });
      }),

    /**
     * Replaces the totals of an answer once its changes are known. Returns false once an erasure has ended the request.
     *
     * @param totals absent where none are stored
     */
    addChanges: (id: string, totals: AnswerTotals | undefined) =>
      db.transaction().execute(async (trx) => {
        if (await wasErased(trx, id)) return false;
        // Where an erasure has deleted the totals, none are stored again.
        const changed = trx.updateTable('answer_totals').set({ totals: JSON.stringify(totals) });
        if (totals) await changed.where('request', '=', id).execute();
        return true;
      }),

    async find(
      id: string,
    ): Promise<{ readonly scope?: ScopeLimits; readonly totals?: AnswerTotals } | undefined> {
      const row = await db
        .selectFrom('requests')
        .leftJoin('answer_totals', 'answer_totals.request', 'requests.id')
        .select(['requests.scope', 'answer_totals.totals'])
        .where('requests.id', '=', id)
        .executeTakeFirst();
      return row && { scope: parsed(row.scope), totals: parsed(row.totals) };
    },
  };
}

/** @param id of the request, in a transaction that an erasure of its post has not preceded */
export async function saveForButtons(
  trx: Transaction<Tables>,
  key: RecordKey,
  id: string,
  { range, kept, at }: AnswerForButtons,
): Promise<void> {
  const { address, ...limits } = kept?.scope ?? {};
  const columns = {
    range: range && JSON.stringify(range),
    scope: kept && JSON.stringify(limits),
  };
  if (range || kept) await trx.updateTable('requests').set(columns).where('id', '=', id).execute();
  if (!kept?.totals) return;
  const people = peopleIn(key, kept.request, [kept.asker, address ?? '']);
  const totals = { totals: JSON.stringify(kept.totals), people, kept_at: at };
  await trx
    .insertInto('answer_totals')
    .values({ request: id, ...totals })
    .onConflict((conflict) => conflict.column('request').doUpdateSet(totals))
    .execute();
}

function parsed(text: string | null) {
  return text === null ? undefined : JSON.parse(text);
}
