import type { UpdateObject } from 'kysely';
import type { NewSentRows } from '../../access/record.js';
import type { FailureReason } from '../../digests/failure.js';
import type { NotificationRequest } from '../../digests/notification.js';
import type { AttemptCount, Claim, PostedMessage } from '../../posts/post.js';
import type { NewPostedItem } from '../../posts/posted-items.js';
import { detailsPostId, filePostId, type PostState, type StateBefore } from '../../posts/states.js';
import type { AnswerForButtons } from '../../runner/answer-parts.js';
import type { RecordKey } from '../access/event-chain.js';
import { saveSentRows } from '../access/person-numbers.js';
import {
  addRow,
  changeRows,
  inTransaction,
  is,
  minusOne,
  plusOne,
  rowsOf,
  runByShape,
} from '../database/rows.js';
import type { Db, Tables, Trx } from '../database/schema.js';
import { endAlertRun, type NewAlertMemory, saveAlertMemory } from '../digests/alert-states.js';
import { pausedFor } from '../digests/digests.js';
import { addNotifications, settleNotifications } from '../digests/notifications.js';
import { addDigestMessage, addPostedItem, transition } from '../posts/posts.js';
import { skipUnwanted } from '../posts/waiting.js';
import { saveForButtons } from '../requests/stored-figures.js';

interface Posted {
  /** Absent if Slack returns no ID, as for files and answers through a `response_url`. */
  readonly message?: PostedMessage | undefined;
  /** Adds a post for the file, claimed by the same worker. */
  readonly fileFollows: boolean;
  /** What may have to be deleted later, besides the message of a digest. */
  readonly item?: NewPostedItem | undefined;
  /** True for the message of a digest that shows rows. */
  readonly holdsRows?: boolean;
  /** True for a message to a manager, which is one of many of its run. */
  readonly isToManager?: boolean;
}

/** What a run of an alert ends with that posts nothing. */
interface CheckedAlert {
  readonly why: FailureReason;
  /** Absent where their number may not be shown. */
  readonly rows: number | undefined;
  readonly alert: NewAlertMemory;
  readonly notification?: NotificationRequest | undefined;
}

const leaseEnded = { lease_until: null } as const;

export const noError = { error_code: null, reason: null } as const;

function errorColumns({ code, reason }: FailureReason) {
  return { error_code: code, reason: reason ?? null };
}

export function transitionsIn(db: Db, process: string, key: RecordKey) {
  /** Moves a claimed post and runs `then` in the same transaction. */
  function move<To extends PostState>(
    { id, worker, process: holder = process }: Claim,
    from: readonly StateBefore<To>[],
    to: To,
    set: UpdateObject<Tables, 'posts'>,
    then?: (trx: Trx, run: string) => Promise<void>,
  ): Promise<boolean> {
    const isByHand = worker === null;
    // Slack's answer counts, even for a process that lost the post.
    const held = isByHand && to !== 'posted' ? { process: holder } : {};
    // A process that ends a post of another one becomes its process, so that the other one notices.
    const taken = isByHand ? { process } : {};
    return inTransaction(db, async (trx) => {
      const { rows } = await runByShape(
        trx,
        `from ${from} to ${to}`,
        [
          { id, lease_owner: worker, ...held },
          { ...set, ...taken },
        ],
        (db, [which, set]) => transition(db, from, to, which, set).returning('parent'),
      );
      const [post] = rows;
      // Notifications about a file belong to its run.
      if (post) await then?.(trx, post.parent ?? id);
      return post !== undefined;
    });
  }

  return {
    /**
     * Call this before Slack. If it returns false, do not call Slack.
     *
     * @param facts what histories show, without rows where their number may not be shown; `answer`: of a request by hand
     * @param sent rows about people that it sends
     */
    markPosting(
      claim: Claim,
      facts?: {
        readonly rows: number | undefined;
        readonly late: boolean;
        readonly answer?: AnswerForButtons | undefined;
        /** What an alert remembers if Slack takes the message, or may have taken it. */
        readonly alert?: NewAlertMemory | undefined;
      },
      sent?: NewSentRows,
    ) {
      const set = { row_count: facts?.rows, late: facts && Number(facts.late) };
      const { answer, alert } = facts ?? {};
      return move(claim, ['running'], 'posting', set, async (trx, run) => {
        if (answer) await saveForButtons(trx, key, claim.id, answer);
        if (alert) await saveAlertMemory(trx, key, run, alert, false);
        if (sent) await saveSentRows(trx, sent);
      });
    },

    /** Call this only after Slack confirmed the post. */
    markPosted(
      claim: Claim,
      { message, fileFollows, item, holdsRows, isToManager = false }: Posted,
      at: number,
    ) {
      const set = {
        message_channel: message?.channel,
        message_ts: message?.ts,
        message_link: message && (message.link ?? null),
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
        if (run === claim.id || isToManager) await addDigestMessage(trx, run, message, at, holdsRows);
        if (!fileFollows) await endAlertRun(trx, run);
        await changeRows(trx, 'posts', { id: claim.id }, leaseEnded);
      });
    },

    /** The result was empty, or an alert has nothing to say. */
    markSkipped: (claim: Claim, at: number, checked?: CheckedAlert) =>
      move(
        claim,
        ['running'],
        'skipped',
        {
          row_count: checked ? (checked.rows ?? null) : 0,
          finished_at: at,
          ...(checked ? errorColumns(checked.why) : noError),
          ...leaseEnded,
        },
        async (trx, run) => {
          if (!checked) return;
          await saveAlertMemory(trx, key, run, checked.alert, true);
          if (checked.notification) await addNotifications(trx, run, checked.notification, at);
        },
      ),

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
          if (notification) await addNotifications(trx, run, notification, at);
          if (pauseAfter !== undefined) await countFailure(trx, run, reason.code, pauseAfter);
        },
      ),

    /** It is unknown whether the post arrived. Returns false if it was not being posted. */
    markUnconfirmed: (claim: Claim, reason: FailureReason, at: number, notification?: NotificationRequest) =>
      move(
        claim,
        ['posting'],
        'unknown',
        { settled: null, ...errorColumns(reason), finished_at: at, ...leaseEnded },
        async (trx, run) => {
          if (notification) await addNotifications(trx, run, notification, at);
        },
      ),

    /** Puts a post that was not sent back in the queue, or skips it if it was superseded, paused or deleted. */
    release: (claim: Claim, readyAt: number, reason: FailureReason, counts: AttemptCount) =>
      move(
        claim,
        ['running', 'posting', 'unknown'],
        'queued',
        {
          ready_at: readyAt,
          ...errorColumns(reason),
          ...leaseEnded,
          attempts: counts === 'attempt' ? undefined : minusOne('attempts'),
          limited: counts === 'rate-limit' ? plusOne('limited') : undefined,
        },
        async (trx, run) => {
          await settleNotifications(trx, run);
          await skipUnwanted(trx, [claim.id]);
        },
      ),
  };
}

/** Adds the file of a message just posted, claimed by the same worker. This is its first attempt. */
async function enterFile(trx: Trx, { id, worker }: Claim, at: number): Promise<void> {
  const { lease_until, ...post } = await rowsOf(trx, 'posts', { id })
    .select(['channel', 'due_at', 'dedupe_key', 'lease_until', 'process'])
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('posts')
    .values({
      ...post,
      id: filePostId(id),
      kind: 'file',
      state: 'running',
      created_at: at,
      parent: id,
      lease_owner: worker,
      // If the lease was reclaimed, an expired one lets other workers find the file.
      lease_until: worker === null ? null : (lease_until ?? at),
      attempts: 1,
    })
    .execute();
}

/** Counts a failure of the run's digest. Pauses the digest at `pauseAfter` failures in a row. */
async function countFailure(trx: Trx, run: string, code: string, pauseAfter: number): Promise<void> {
  const post = await rowsOf(trx, 'posts', { id: run }).select('digest').executeTakeFirst();
  const id = post?.digest ?? '';
  await changeRows(trx, 'digests', { id }, { failures: plusOne('failures') });
  const failing = { id, state: 'active', deleted_at: null, failures: is('>=', pauseAfter) } as const;
  await changeRows(trx, 'digests', failing, pausedFor(code));
}

export function detailsPostsIn(db: Db, process: string) {
  return {
    /**
     * Enters the details of an answer as a post that this process holds, or takes one up that failed. Its ID is that of
     * `detailsPostId`.
     *
     * @param request the ID of the answer's entry in the request log
     * @param again a person wants an unconfirmed one sent again
     * @returns `begun` for one caller at a time; the state for all others, which post nothing
     */
    beginDetails: (request: string, channel: string, at: number, again = false) =>
      inTransaction(db, async (trx) => {
        const id = detailsPostId(request);
        const post = { id, kind: 'details', channel, due_at: at, state: 'running', created_at: at } as const;
        if (await addRow(trx, 'posts', { ...post, attempts: 1, process })) return 'begun';
        const { state } = await rowsOf(trx, 'posts', { id }).select('state').executeTakeFirstOrThrow();
        if (state !== 'failed' && !(state === 'unknown' && again)) return state;
        const attempt = { channel, process, attempts: plusOne('attempts') };
        await transition(
          trx,
          ['failed', 'unknown'],
          'queued',
          { id },
          { finished_at: null, ...noError },
        ).execute();
        await transition(trx, ['queued'], 'running', { id }, attempt).execute();
        return 'begun';
      }),
  };
}
