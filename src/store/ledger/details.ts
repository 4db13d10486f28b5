import type { Kysely } from 'kysely';
import { detailsPostId } from '../../posts/states.js';
import type { Tables } from '../schema.js';
import { transition } from './posts.js';
import { noError } from './transitions.js';

export function detailsPostsIn(db: Kysely<Tables>, process: string) {
  return {
    /**
     * Enters the details of an answer as a post that this process holds, or takes one up that failed. Its ID is that of
     * `detailsPostId`.
     *
     * @param request the ID of the answer's entry in the request log
     * @param options `again`: a person wants an unconfirmed one sent again
     * @returns `begun` for one caller at a time; the state for all others, which post nothing
     */
    beginDetails: (
      request: string,
      channel: string,
      at: number,
      { again = false }: { readonly again?: boolean } = {},
    ) =>
      db.transaction().execute(async (trx) => {
        const id = detailsPostId(request);
        const post = { id, kind: 'details', channel, due_at: at, state: 'running', created_at: at } as const;
        const { numInsertedOrUpdatedRows: entered = 0n } = await trx
          .insertInto('posts')
          .values({ ...post, attempts: 1, process })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .executeTakeFirstOrThrow();
        if (entered > 0n) return 'begun';
        const { state } = await trx
          .selectFrom('posts')
          .select('state')
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        if (state !== 'failed' && !(state === 'unknown' && again)) return state;
        const { numUpdatedRows: taken } = await transition(trx, ['failed', 'unknown'], 'queued')
          .set({ finished_at: null, ...noError })
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        if (taken === 0n) return 'running';
        await transition(trx, ['queued'], 'running')
          .set((eb) => ({ channel, process, attempts: eb('attempts', '+', 1) }))
          .where('id', '=', id)
          .execute();
        return 'begun';
      }),
  };
}
