import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.js';
import { endWaiting } from './ledger-unwanted.js';

/** Runs that wait, all of them or those of one digest: there may be very many. */
export interface Waiting {
  /** The owners of all digests of which a run waits. */
  waitingOwners(): Promise<readonly string[]>;
  /**
   * Runs that wait are ready now, those first that were due first: what they wait for is over.
   *
   * @param from those that would wait for longer than until then; absent: all of them
   */
  wakeAll(now: number, from?: number): Promise<void>;
  /** Nothing of a digest is to be posted any more that is not on its way: it was paused or deleted. */
  dropWaiting(digest: string, why: 'by-hand' | 'deleted', at: number): Promise<void>;
}

/** Few enough for a statement to hold nobody up. */
const atATime = 200;

export function waitingIn(db: Kysely<Tables>): Waiting {
  return {
    async waitingOwners() {
      const owners = new Set<string>();
      let after: Place | undefined = { ready_at: 0, same_as: '', id: '' };
      while (after) {
        const page: readonly WaitingRow[] = await waitingAfter(db, after);
        for (const { owner } of page) if (owner !== null) owners.add(owner);
        after = page.length < atATime ? undefined : page.at(-1);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return [...owners];
    },

    async wakeAll(now, from = now) {
      const waiting = db.selectFrom('posts').select('id').where('ready_at', '>', from);
      for (;;) {
        const woken = await db
          .updateTable('posts')
          .set((eb) => ({
            ready_at: eb.case().when('due_at', '<', now).then(eb.ref('due_at')).else(now).end(),
          }))
          .where('id', 'in', waiting.orderBy('ready_at').limit(atATime))
          .executeTakeFirst();
        if (woken.numUpdatedRows < BigInt(atATime)) return;
        await new Promise((resolve) => setImmediate(resolve));
      }
    },

    dropWaiting: (digest, why, at) => db.transaction().execute((trx) => endWaiting(trx, digest, why, at)),
  };
}

/** Where a run stands among those that wait. */
interface Place {
  readonly ready_at: number;
  readonly same_as: string;
  readonly id: string;
}

interface WaitingRow extends Place {
  readonly owner: string | null;
}

async function waitingAfter(db: Kysely<Tables>, { ready_at, same_as, id }: Place) {
  // A file waits for the owner of the digest that it belongs to.
  const { rows } = await sql<WaitingRow>`
    SELECT posts.ready_at, posts.same_as, posts.id, digests.owner
    FROM posts
      LEFT JOIN posts AS parents ON parents.id = posts.parent
      LEFT JOIN digests ON digests.id = COALESCE(posts.digest, parents.digest)
    WHERE posts.ready_at IS NOT NULL
      AND (posts.ready_at, posts.same_as, posts.id) > (${ready_at}, ${same_as}, ${id})
    ORDER BY posts.ready_at, posts.same_as, posts.id LIMIT ${atATime}`.execute(db);
  return rows;
}
