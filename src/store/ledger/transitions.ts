import type { ExpressionBuilder, Kysely, Transaction, UpdateObject } from 'kysely';
import type { FailureReason } from '../../digests/failure.js';
import type { NotificationRequest } from '../../digests/ports.js';
import type { AttemptCount, Claim, PostedMessage } from '../../posts/post.js';
import type { NewPostedItem } from '../../posts/posted-items.js';
import { detailsPostId, filePostId, type PostState, type StateBefore } from '../../posts/states.js';
import type { AnswerForButtons } from '../../runner/answer-totals.js';
import { addNotifications, settleNotifications } from '../digests/notifications.js';
import type { RecordKey } from '../record-key.js';
import { saveForButtons } from '../requests/answer-totals.js';
import type { Tables } from '../schema.js';
import { addDigestMessage, addPostedItem } from './posted-items.js';
import { heldBy, placeColumns, transition } from './posts.js';
import { skipUnwanted } from './waiting.js';

interface Posted {
  /** Absent if Slack returns no ID, as for files and answers through a `response_url`. */
  readonly message?: PostedMessage | undefined;
  /** Adds a post for the file, claimed by the same worker. */
  readonly fileFollows: boolean;
  /** What may have to be deleted later, besides the message of a digest. */
  readonly item?: NewPostedItem | undefined;
  /** True for the message of a digest that shows rows. */
  readonly holdsRows?: boolean;
}

type Changes = (eb: ExpressionBuilder<Tables, 'posts'>) => UpdateObject<Tables, 'posts'>;
const leaseEnded = { lease_until: null } as const;

export const noError = { error_code: null, reason: null } as const;

function errorColumns({ code, reason }: FailureReason) {
  return { error_code: code, reason: reason ?? null };
}

/** @param process the process that moves posts */
export function transitionsIn(db: Kysely<Tables>, process: string, key: RecordKey, newId: () => string) {
  /** Moves a claimed post and runs `then` in the same transaction. */
  function move<To extends PostState>(
    { id, worker, process: holder = process }: Claim,
    from: readonly StateBefore<To>[],
    to: To,
    set: UpdateObject<Tables, 'posts'> | Changes,
    then: (trx: Transaction<Tables>, run: string) => Promise<void> = async () => {},
  ): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const moved = await transition(trx, from, to)
        .set(typeof set === 'function' ? set : () => set)
        .where('id', '=', id)
        // A process that ends a post of another one takes it over, so that the other one notices.
        .$if(worker === null, (post) => post.set({ process }).where('lease_owner', 'is', null))
        // Slack's answer counts, even for a process that lost the post.
        .$if(worker === null && to !== 'posted', (post) => post.where(heldBy('process', holder)))
        .$if(worker !== null, (post) => post.where('lease_owner', '=', worker))
        .returning('parent')
        .executeTakeFirst();
      // Notifications about a file belong to its run.
      if (moved) await then(trx, moved.parent ?? id);
      return moved !== undefined;
    });
  }

  return {
    /**
     * Call this before Slack. If it returns false, do not call Slack.
     *
     * @param facts what histories show, without rows where their number may not be shown; `answer`: of a request by hand
     */
    markPosting(
      claim: Claim,
      facts?: {
        readonly rows: number | undefined;
        readonly late: boolean;
        readonly answer?: AnswerForButtons | undefined;
      },
    ) {
      const set = { row_count: facts?.rows, late: facts && Number(facts.late) };
      return move(claim, ['running'], 'posting', set, async (trx) => {
        if (facts?.answer) await saveForButtons(trx, key, claim.id, facts.answer);
      });
    },

    /** Call this only after Slack confirmed the post. */
    markPosted(claim: Claim, { message, fileFollows, item, holdsRows }: Posted, at: number) {
      const set = {
        ...(message && placeColumns(message)),
        finished_at: at,
        ready_at: null,
        ...noError,
      };
      // Another process may have reclaimed this post, and its owner may have queued it again. Slack's answer decides.
      return move(claim, ['posting', 'unknown', 'queued'], 'posted', set, async (trx, run) => {
        if (item) await addPostedItem(trx, item, at);
        if (fileFollows) await enterFile(trx, claim, at);
        // Posts by hand have neither notifications nor a lease.
        if (claim.worker === null) return;
        await settleNotifications(trx, run);
        if (run === claim.id) await addDigestMessage(trx, run, message, at, holdsRows);
        await trx.updateTable('posts').set(leaseEnded).where('id', '=', claim.id).execute();
      });
    },

    /** The result was empty. */
    markSkipped: (claim: Claim, at: number) =>
      move(claim, ['running'], 'skipped', { row_count: 0, finished_at: at, ...noError, ...leaseEnded }),

    /** The digest no longer exists. */
    markDeleted: (claim: Claim, at: number) =>
      move(claim, ['running'], 'skipped', {
        finished_at: at,
        ...errorColumns({ code: 'deleted' }),
        ...leaseEnded,
      }),

    /** The asker cancelled the request. */
    markCancelled: (claim: Claim, at: number) =>
      move(claim, ['running', 'posting'], 'cancelled', { finished_at: at, ...leaseEnded }),

    /** @param pauseAfter failures in a row that pause the digest; absent: this failure does not count */
    markFailed: (
      claim: Claim,
      reason: FailureReason,
      at: number,
      notification?: NotificationRequest,
      pauseAfter?: number,
    ) =>
      move(
        claim,
        ['running', 'posting', 'unknown'],
        'failed',
        { ...errorColumns(reason), finished_at: at, ...leaseEnded },
        async (trx, run) => {
          await settleNotifications(trx, run);
          if (notification) await addNotifications(trx, run, notification, at, newId);
          if (pauseAfter !== undefined) await countFailure(trx, run, reason.code, pauseAfter);
        },
      ),

    /** Nobody can know whether the post arrived. Returns false if it was not being posted. */
    markUnconfirmed: (claim: Claim, reason: FailureReason, at: number, notification?: NotificationRequest) =>
      move(
        claim,
        ['posting'],
        'unknown',
        { settled: null, ...errorColumns(reason), finished_at: at, ...leaseEnded },
        async (trx, run) => {
          if (notification) await addNotifications(trx, run, notification, at, newId);
        },
      ),

    /** Puts a post that was not sent back in the queue, or skips it if it was superseded, paused or deleted. */
    release: (claim: Claim, readyAt: number, reason: FailureReason, counts: AttemptCount) =>
      move(
        claim,
        ['running', 'posting', 'unknown'],
        'queued',
        (eb) => ({
          ready_at: readyAt,
          ...errorColumns(reason),
          ...leaseEnded,
          attempts: counts === 'attempt' ? undefined : eb('attempts', '-', 1),
          limited: counts === 'rate-limit' ? eb('limited', '+', 1) : undefined,
        }),
        async (trx, run) => {
          await settleNotifications(trx, run);
          await skipUnwanted(trx, [claim.id]);
        },
      ),
  };
}

/** Adds the file of a message just posted, claimed by the same worker. This is its first attempt. */
async function enterFile(trx: Transaction<Tables>, { id, worker }: Claim, at: number): Promise<void> {
  const { channel, due_at, dedupe_key, lease_until, process } = await trx
    .selectFrom('posts')
    .select(['channel', 'due_at', 'dedupe_key', 'lease_until', 'process'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('posts')
    .values({
      id: filePostId(id),
      kind: 'file',
      channel,
      due_at,
      state: 'running',
      created_at: at,
      parent: id,
      dedupe_key,
      lease_owner: worker,
      // If the lease was reclaimed, an expired one lets other workers find the file.
      lease_until: worker === null ? null : (lease_until ?? at),
      attempts: 1,
      process,
    })
    .execute();
}

/** Counts a failure of the run's digest. Pauses the digest at `pauseAfter` failures in a row. */
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
