import type { Kysely } from 'kysely';
import type { DigestRun } from '../../digests/digest.js';
import { openStates } from '../../posts/states.js';
import { randomId } from '../random-id.js';
import type { Tables } from '../tables.js';
import { type Claims, claimsIn } from './claim.js';
import { type Entering, enteringIn } from './enter.js';
import { type Answers, answersIn } from './ledger-answers.js';
import { runOf, selectRuns } from './ledger-rows.js';
import { type Endings, endingsIn } from './transitions.js';
import { type Waiting, waitingIn } from './waiting.js';

/** Whatever is posted, and what became of it: answers by hand, occurrences of digests, and their files. */
export interface Ledger extends Entering, Claims, Endings, Answers, Waiting {
  /** An occurrence of a digest. */
  find(id: string): Promise<DigestRun | undefined>;
  /** A digest's runs, newest first. */
  history(digest: string, limit: number): Promise<readonly DigestRun[]>;
  /** The newest run of each of some digests, by digest. */
  newest(digests: readonly string[]): Promise<ReadonlyMap<string, DigestRun>>;
  /** Deletes at most `limit` posts from before a time that are over. Returns how many. */
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
      const row = await selectRuns(db).where('posts.id', '=', id).executeTakeFirst();
      return row && runOf(row);
    },

    async history(digest, limit) {
      const runs = selectRuns(db).where('posts.digest', '=', digest);
      return (await runs.orderBy('posts.due_at', 'desc').limit(limit).execute()).map(runOf);
    },

    async newest(digests) {
      const rows = await selectRuns(db)
        .innerJoin('digests', (join) =>
          join.on('posts.id', '=', ({ selectFrom }) =>
            selectFrom('posts as newer')
              .select('newer.id')
              .whereRef('newer.digest', '=', 'digests.id')
              .orderBy('newer.due_at', 'desc')
              .limit(1),
          ),
        )
        .where('digests.id', 'in', digests)
        .execute();
      return new Map(rows.map((row) => [row.digest ?? '', runOf(row)]));
    },

    async forgetBefore(time, limit) {
      const old = db
        .selectFrom('posts')
        .select('id')
        .where('made_at', '<', time)
        .where('state', 'not in', openStates)
        .limit(limit);
      const { numDeletedRows } = await db.deleteFrom('posts').where('id', 'in', old).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
