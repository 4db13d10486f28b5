import type { DigestRun } from '../../digests/digest.js';
import { filePostId, openStates, type PostState } from '../../posts/states.js';
import type { RecordKey } from '../access/event-chain.js';
import { inTransaction } from '../database/rows.js';
import type { Db } from '../database/schema.js';
import { deleteNotifications, settleNotifications } from '../digests/notifications.js';
import { addDigestMessage, runOf, selectRuns, transition } from '../posts/posts.js';
import { waitingRunsIn } from '../posts/waiting.js';
import { claimsIn } from './claim.js';
import { runCreationIn } from './enter.js';
import { managerPostsIn } from './manager-posts.js';
import { detailsPostsIn, noError, transitionsIn } from './transitions.js';

export function ledgerIn(db: Db, process: string, key: RecordKey) {
  return {
    ...runCreationIn(db),
    ...claimsIn(db),
    ...transitionsIn(db, process, key),
    ...ownerDecisionsIn(db),
    ...waitingRunsIn(db),
    ...detailsPostsIn(db, process),
    ...managerPostsIn(db, key),

    async find(id: string) {
      const row = await selectRuns(db).where('posts.id', '=', id).executeTakeFirst();
      return row && runOf(row);
    },

    /** Newest first. */
    async history(digest: string, limit: number) {
      const runs = selectRuns(db).where('posts.digest', '=', digest);
      return (await runs.orderBy('posts.due_at', 'desc').limit(limit).execute()).map(runOf);
    },

    /** The newest run of each digest, of all or of those in one state, by digest ID. */
    async newest(digests: readonly string[], state?: PostState): Promise<ReadonlyMap<string, DigestRun>> {
      if (digests.length === 0) return new Map();
      const rows = await selectRuns(db)
        .innerJoin('digests', (join) =>
          join.on('posts.id', '=', ({ selectFrom }) =>
            selectFrom('posts as newer')
              .select('newer.id')
              .whereRef('newer.digest', '=', 'digests.id')
              .$if(state !== undefined, (newer) => newer.where('newer.state', '=', state ?? 'posted'))
              .orderBy('newer.due_at', 'desc')
              .limit(1),
          ),
        )
        .where('digests.id', 'in', digests)
        .execute();
      return new Map(rows.map((row) => [row.digest ?? '', runOf(row)]));
    },

    /**
     * Runs of digests that wait (`queued`); that are due and not ended (`due`), digests whose run is not entered yet
     * included; and those of them that were due before `lateBefore` (`late`).
     */
    async backlog(now: number, lateBefore: number) {
      const runs = await db
        .selectFrom('posts')
        .select((eb) => [
          eb.fn.count<number>('id').filterWhere('state', '=', 'queued').as('queued'),
          eb.fn.count<number>('id').filterWhere('due_at', '<=', now).as('due'),
          eb.fn.count<number>('id').filterWhere('due_at', '<', lateBefore).as('late'),
        ])
        .where('kind', '=', 'digest')
        .where('state', 'in', openStates)
        .executeTakeFirstOrThrow();
      const notEntered = await db
        .selectFrom('digests')
        .select((eb) => [
          eb.fn.countAll<number>().as('due'),
          eb.fn.count<number>('id').filterWhere('next_due', '<', lateBefore).as('late'),
        ])
        .where('next_due', '<=', now)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow();
      return {
        queued: runs.queued,
        due: runs.due + notEntered.due,
        late: runs.late + notEntered.late,
      };
    },
  };
}

const resetAttempts = { attempts: 0, limited: 0, unwanted: null, finished_at: null } as const;

function ownerDecisionsIn(db: Db) {
  return {
    /**
     * The owner confirms that an unknown message arrived, or has it sent again. With `isFile`, the same for the file of a
     * posted run. A failed file can also be sent again.
     */
    settle: (run: string, settled: 'arrived' | 'sent-again', at: number, isFile = false) =>
      inTransaction(db, async (trx) => {
        const again = { settled, ready_at: at, ...resetAttempts, ...noError };
        const which = { id: isFile ? filePostId(run) : run };
        let moved = transition(trx, ['unknown'], 'posted', which, { settled, ...noError });
        if (settled === 'sent-again') {
          moved = isFile
            ? // Clearing the lease owner stops the former worker from sharing the same file.
              transition(trx, ['unknown', 'failed'], 'queued', which, {
                ...again,
                lease_owner: null,
                lease_until: null,
              })
            : // The lease owner stays: if its worker still learns that Slack has the message, it is not sent again.
              transition(trx, ['unknown'], 'queued', which, again);
        }
        const isSettled = (await moved.executeTakeFirst()).numUpdatedRows > 0n;
        if (isSettled && settled === 'arrived' && !isFile) await addDigestMessage(trx, run, undefined, at);
        // Those of a run that is sent again can be sent once more.
        await (settled === 'sent-again' ? deleteNotifications(trx, run) : settleNotifications(trx, run));
        return isSettled;
      }),

    /** Queues a failed run again. */
    retry: (id: string, at: number) =>
      inTransaction(db, async (trx) => {
        const again = { ready_at: at, ...resetAttempts, ...noError };
        const retried = await transition(trx, ['failed'], 'queued', { id }, again).executeTakeFirst();
        await deleteNotifications(trx, id);
        return retried.numUpdatedRows > 0n;
      }),
  };
}
