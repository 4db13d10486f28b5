import type { ScopeLimits } from '../../access/scope.js';
import type { AnswerForButtons, AnswerTotals, KeptAnswer } from '../../runner/answer-parts.js';
import { wasErased } from '../ledger/posts.js';
import type { RecordKey } from '../record-key.js';
import { changeRows, inTransaction, putRow } from '../rows.js';
import type { Db, Trx } from '../schema.js';
import { peopleIn } from './people-in-requests.js';

export function answerTotalsIn(db: Db, key: RecordKey) {
  return {
    /**
     * Stores an answer, unless an erasure ended its post.
     *
     * @param id of the request
     * @param post of the answer, or of the digest's run
     */
    keep: (id: string, post: string, kept: KeptAnswer, at: number) =>
      inTransaction(db, async (trx) => {
        if (await wasErased(trx, post)) return;
        await saveForButtons(trx, key, id, { range: undefined, kept, at });
      }),

    /**
     * Replaces the totals of an answer once its changes are known. Returns false once an erasure has ended the request.
     *
     * @param totals absent where none are stored
     */
    addChanges: (id: string, totals: AnswerTotals | undefined) =>
      inTransaction(db, async (trx) => {
        if (await wasErased(trx, id)) return false;
        // Where an erasure has deleted the totals, none are stored again.
        if (totals)
          await changeRows(trx, 'answer_totals', { request: id }, { totals: JSON.stringify(totals) });
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
  trx: Trx,
  key: RecordKey,
  id: string,
  { range, kept, at }: AnswerForButtons,
): Promise<void> {
  const { address, ...limits } = kept?.scope ?? {};
  const columns = {
    range: range && JSON.stringify(range),
    scope: kept && JSON.stringify(limits),
  };
  if (range || kept) await changeRows(trx, 'requests', { id }, columns);
  if (!kept?.totals) return;
  const people = peopleIn(key, kept.request, [kept.asker, address ?? '']);
  await putRow(trx, 'answer_totals', {
    request: id,
    totals: JSON.stringify(kept.totals),
    people,
    kept_at: at,
  });
}

function parsed(text: string | null) {
  return text === null ? undefined : JSON.parse(text);
}
