import type { Kysely } from 'kysely';
import type { DigestRun } from '../digests/digest.js';
import { type Answers, answersIn } from './ledger-answers.js';
import { type Claims, claimsIn } from './ledger-claims.js';
import { type Endings, endingsIn } from './ledger-endings.js';
import { type Entering, enteringIn } from './ledger-entering.js';
import { runOf } from './ledger-rows.js';
import { type Waiting, waitingIn } from './ledger-waiting.js';
import { randomId } from './random-id.js';
import type { Tables } from './tables.js';

/** What became of each due time of each digest. */
export interface Ledger extends Entering, Claims, Endings, Answers, Waiting {
  find(id: string): Promise<DigestRun | undefined>;
  /** A digest's runs, newest first. */
  history(digest: string, limit: number): Promise<readonly DigestRun[]>;
  /** The newest run of each of some digests, by digest. */
  newest(digests: readonly string[]): Promise<ReadonlyMap<string, DigestRun>>;
  /** Deletes at most `limit` of those from before a time that are over. Returns how many. */
  forgetBefore(time: number, limit: number): Promise<number>;
}

export function ledgerIn(db: Kysely<Tables>, newId: () => string = randomId): Ledger {
  return {
    ...enteringIn(db, newId),
    ...claimsIn(db, newId),
    ...endingsIn(db, newId),
    ...answersIn(db),
    ...waitingIn(db),

    async find(id) {
      const row = await db.selectFrom('digest_runs').selectAll().where('id', '=', id).executeTakeFirst();
      return row && runOf(row);
    },

    async history(digest, limit) {
      const runs = db.selectFrom('digest_runs').selectAll().where('digest', '=', digest);
      return (await runs.orderBy('due_at', 'desc').limit(limit).execute()).map(runOf);
    },

    async newest(digests) {
      const rows = await db
        .selectFrom('digests')
        .innerJoin('digest_runs', (join) =>
          join.on('digest_runs.id', '=', ({ selectFrom }) =>
            selectFrom('digest_runs as newer')
              .select('newer.id')
              .whereRef('newer.digest', '=', 'digests.id')
              .orderBy('newer.due_at', 'desc')
              .limit(1),
          ),
        )
        .selectAll('digest_runs')
        .where('digests.id', 'in', digests)
        .execute();
      return new Map(rows.map((row) => [row.digest, runOf(row)]));
    },

    async forgetBefore(time, limit) {
      const old = db
        .selectFrom('digest_runs')
        .select('id')
        .where('made_at', '<', time)
        .where('ready_at', 'is', null)
        .where('lease_until', 'is', null)
        .limit(limit);
      const { numDeletedRows } = await db.deleteFrom('digest_runs').where('id', 'in', old).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
