import type { ExpressionBuilder, Kysely, Transaction, UpdateObject } from 'kysely';
import type { FailureReason } from '../../digests/failure.js';
import type { Transitions } from '../../digests/ledger.js';
import type { Claim } from '../../posts/post.js';
import { filePostId, type PostState, type StateBefore } from '../../posts/states.js';
import type { Tables } from '../database.js';
import { addNotifications, settleNotifications } from '../digests/notifications.js';
import { newPost, placeColumns, transition } from './posts.js';
import { skipUnwanted } from './waiting.js';

type Changes = (eb: ExpressionBuilder<Tables, 'posts'>) => UpdateObject<Tables, 'posts'>;
const leaseEnded = { lease_until: null } as const;

/** No error stands beside a post. */
export const noError = { error_code: null, reason: null } as const;

function errorColumns({ code, reason }: FailureReason) {
  return { error_code: code, reason: reason ?? null };
}

export function transitionsIn(db: Kysely<Tables>, newId: () => string): Transitions {
  /** Moves a post that is held, and does the rest in the same step: all of it or nothing. */
  function move<To extends PostState>(
    { id, worker }: Claim,
    from: readonly StateBefore<To>[],
    to: To,
    set: UpdateObject<Tables, 'posts'> | Changes,
    then: (trx: Transaction<Tables>, run: string) => Promise<void> = async () => {},
  ): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const moved = await transition(trx, from, to)
        .set(typeof set === 'function' ? set : () => set)
        .where('id', '=', id)
        .$if(worker === null, (post) => post.where('lease_owner', 'is', null))
        .$if(worker !== null, (post) => post.where('lease_owner', '=', worker))
        .returning('parent')
        .executeTakeFirst();
      // Of a file people are told as of its run.
      if (moved) await then(trx, moved.parent ?? id);
      return moved !== undefined;
    });
  }

  return {
    markPosting: (held, facts) =>
      move(held, ['running'], 'posting', {
        ...(facts ? { row_count: facts.rows, late: facts.late ? 1 : 0 } : {}),
      }),

    markPosted(held, { message, fileFollows }, at) {
      const set = {
        ...(message ? placeColumns(message) : {}),
        finished_at: at,
        ready_at: null,
        ...noError,
      };
      // Somebody may have taken this worker for dead, and its owner may have said to send it: what Slack says counts.
      return move(held, ['posting', 'unknown', 'queued'], 'posted', set, async (trx, run) => {
        await settleNotifications(trx, run);
        if (fileFollows) await enterFile(trx, held, at);
        await trx.updateTable('posts').set(leaseEnded).where('id', '=', held.id).execute();
      });
    },

    markSkipped: (held, at) =>
      move(held, ['running'], 'skipped', { row_count: 0, finished_at: at, ...noError, ...leaseEnded }),

    markDeleted: (held, at) =>
      move(held, ['running'], 'skipped', {
        finished_at: at,
        ...errorColumns({ code: 'deleted' }),
        ...leaseEnded,
      }),

    markCancelled: (held, at) =>
      move(held, ['running', 'posting'], 'cancelled', { finished_at: at, ...leaseEnded }),

    markFailed: (held, why, at, told, pauseAfter) =>
      move(
        held,
        ['running', 'posting', 'unknown'],
        'failed',
        { ...errorColumns(why), finished_at: at, ...leaseEnded },
        async (trx, run) => {
          await settleNotifications(trx, run);
          if (told) await addNotifications(trx, run, told, at, newId);
          if (pauseAfter !== undefined) await countFailure(trx, run, why.code, pauseAfter);
        },
      ),

    markUnconfirmed: (held, why, at, told) =>
      move(
        held,
        ['posting'],
        'unknown',
        { settled: null, ...errorColumns(why), finished_at: at, ...leaseEnded },
        async (trx, run) => {
          if (told) await addNotifications(trx, run, told, at, newId);
        },
      ),

    release: (held, readyAt, why, counts) =>
      move(
        held,
        ['running', 'posting', 'unknown'],
        'queued',
        (eb) => ({
          ready_at: readyAt,
          ...errorColumns(why),
          ...leaseEnded,
          ...(counts === 'attempt' ? {} : { attempts: eb('attempts', '-', 1) }),
          ...(counts === 'rate-limit' ? { limited: eb('limited', '+', 1) } : {}),
        }),
        async (trx, run) => {
          await settleNotifications(trx, run);
          await skipUnwanted(trx, [held.id]);
        },
      ),
  };
}

/** The file of a message that has just been posted, in the same hands. This is its first try. */
async function enterFile(trx: Transaction<Tables>, { id, worker }: Claim, at: number): Promise<void> {
  const { channel, due_at, same_as, lease_until } = await trx
    .selectFrom('posts')
    .select(['channel', 'due_at', 'same_as', 'lease_until'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('posts')
    .values({
      ...newPost({ id: filePostId(id), kind: 'file', channel, due_at, state: 'running', made_at: at }),
      parent: id,
      same_as,
      lease_owner: worker,
      // A lease that was taken away is there again, though it is over: others find the file.
      lease_until: worker === null ? null : (lease_until ?? at),
      attempts: 1,
    })
    .execute();
}

/** One more failure in a row of a run's digest, which so many of them pause. */
async function countFailure(
  trx: Transaction<Tables>,
  run: string,
  code: string,
  pauseAfter: number,
): Promise<void> {
  const itsDigest = trx
    .selectFrom('posts')
    .select('digest')
    .$narrowType<{ digest: string }>()
    .where('id', '=', run);
  await trx
    .updateTable('digests')
    .set((eb) => ({ failures: eb('failures', '+', 1) }))
    .where('id', 'in', itsDigest)
    .execute();
  await trx
    .updateTable('digests')
    .set((eb) => ({ state: 'paused', paused_why: code, next_due: null, revision: eb('revision', '+', 1) }))
    .where('id', 'in', itsDigest)
    .where('state', '=', 'active')
    .where('deleted_at', 'is', null)
    .where('failures', '>=', pauseAfter)
    .execute();
}
