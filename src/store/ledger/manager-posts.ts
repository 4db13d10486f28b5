import type { ManagersRunEnd } from '../../digests/managers-plan.js';
import type { NotificationRequest } from '../../digests/notification.js';
import type { Claim } from '../../posts/post.js';
import type { PostState } from '../../posts/states.js';
import type { RecordKey } from '../access/event-chain.js';
import { addRow, changeRows, inTransaction, isSet, plusOne, putRow, rowsOf } from '../database/rows.js';
import type { Db, Trx } from '../database/schema.js';
import { type NewAlertMemory, saveAlertMemory } from '../digests/alert-states.js';
import { addNotifications } from '../digests/notifications.js';
import { transition } from '../posts/posts.js';
import { skipUnwanted } from '../posts/waiting.js';
import { hashOfPerson } from '../requests/stored-figures.js';

/** What identifies a message to a manager, however often its run starts. */
interface ManagerPost {
  readonly run: string;
  readonly digest: string;
  /** A Slack user ID. */
  readonly user: string;
  /** What it is one of: the day on which the reader's hour came, or the run that a person started. */
  readonly occurrence: string;
}

/** How many messages of a run ended in which state. */
export type ManagerPostCounts = ReadonlyMap<PostState, number>;

const noLease = { ready_at: null, lease_owner: null, lease_until: null } as const;

/* Messages to managers: each is a post of its own, and its run is the parent. */

export function managerPostsIn(db: Db, key: RecordKey) {
  return {
    /**
     * Enters a message as a post that the worker of the run holds, or takes up one that was not sent.
     *
     * @returns its claim; the state of one that was sent, may have been sent, or was refused; `stopped` once the run has
     *   another worker, or is not wanted any more
     */
    beginManagerPost: (
      { run, digest, user, occurrence }: ManagerPost,
      worker: string,
      at: number,
    ): Promise<Claim | PostState | 'stopped'> =>
      inTransaction(db, async (trx) => {
        const parent = await rowsOf(trx, 'posts', { id: run, state: 'running', lease_owner: worker })
          .select(['due_at', 'lease_until', 'unwanted'])
          .executeTakeFirst();
        if (!parent || parent.unwanted !== null) return 'stopped';
        const named = JSON.stringify(['manager', digest, user, occurrence]);
        const id = key.hash('person', named).slice(0, 32);
        const lease = { lease_owner: worker, lease_until: parent.lease_until ?? at };
        const isNew = await addRow(trx, 'posts', {
          id,
          kind: 'manager',
          parent: run,
          channel: hashOfPerson(key, user),
          due_at: parent.due_at,
          state: 'running',
          created_at: at,
          attempts: 1,
          ...lease,
        });
        if (isNew) return { id, worker };
        const post = await rowsOf(trx, 'posts', { id })
          .select(['state', 'lease_owner'])
          .executeTakeFirstOrThrow();
        if (post.state === 'running' && post.lease_owner === worker) return { id, worker };
        if (post.state !== 'queued') return post.state;
        const again = { parent: run, attempts: plusOne('attempts'), ...lease };
        await transition(trx, ['queued'], 'running', { id }, again).execute();
        return { id, worker };
      }),

    /** A message that was not sent waits for its run. */
    async releaseManagerPost({ id, worker }: Claim) {
      const which = { id, lease_owner: worker };
      await transition(db, ['running', 'posting'], 'queued', which, noLease).execute();
    },

    async countManagerPosts(run: string): Promise<ManagerPostCounts> {
      const rows = await rowsOf(db, 'posts', { parent: run, kind: 'manager' })
        .select(['state', ({ fn }) => fn.countAll<number>().as('count')])
        .groupBy('state')
        .execute();
      return new Map(rows.map(({ state, count }) => [state, Number(count)]));
    },

    /**
     * Ends a run of a digest for managers, and notes until when readers were served and in which zones they are. False
     * if another worker has the run.
     */
    endManagersRun: (
      { id, worker }: Claim,
      { end, digest, coveredUntil, zones, alert }: ManagersRunOutcome,
      notification: NotificationRequest | undefined,
      at: number,
    ) =>
      inTransaction(db, async (trx) => {
        const which = { id, lease_owner: worker };
        const ended = { finished_at: at, lease_until: null, error_code: null, reason: null };
        const isPosted = end.sent + end.unconfirmed > 0;
        const set = { ...ended, row_count: end.rows };
        const moved = isPosted
          ? await transition(trx, ['running'], 'posting', which, set).executeTakeFirst()
          : await transition(trx, ['running'], 'skipped', which, {
              ...set,
              ready_at: null,
            }).executeTakeFirst();
        if (moved.numUpdatedRows === 0n) return false;
        if (isPosted) await transition(trx, ['posting'], 'posted', which, { ready_at: null }).execute();
        await endOpenPosts(trx, digest, at);
        await changeRows(
          trx,
          'digests',
          { id: digest },
          { covered_until: coveredUntil, zones: JSON.stringify(zones), failures: 0 },
        );
        await keepEnd(trx, id, digest, end, at);
        if (alert) await saveAlertMemory(trx, key, id, alert, true);
        if (notification) await addNotifications(trx, id, notification, at);
        return true;
      }),

    /**
     * How far a run came that was paused, deleted or superseded on its way. The messages of one that starts again, has
     * another worker, or has a later wave after it still wait.
     */
    keepStoppedManagersRun: (
      { id, worker }: Claim,
      { end, digest }: Pick<ManagersRunOutcome, 'end' | 'digest'>,
      notification: NotificationRequest | undefined,
      at: number,
    ) =>
      inTransaction(db, async (trx) => {
        const unwanted = { id, lease_owner: worker, unwanted: isSet };
        await transition(trx, ['running'], 'queued', unwanted, noLease).execute();
        await skipUnwanted(trx, [id]);
        const run = { id, state: 'skipped' } as const;
        const ended = await rowsOf(trx, 'posts', run).select('error_code').executeTakeFirst();
        if (!ended) return;
        await keepEnd(trx, id, digest, end, at);
        if (ended.error_code === 'superseded') return;
        await endOpenPosts(trx, digest, at);
        if (notification) await addNotifications(trx, id, notification, at);
      }),
  };
}

interface ManagersRunOutcome {
  readonly end: ManagersRunEnd;
  readonly digest: string;
  /** Absent: it was no wave. */
  readonly coveredUntil: number | undefined;
  readonly zones: readonly string[];
  /** How many rows its answers had, where it is an alert. */
  readonly alert?: NewAlertMemory | undefined;
}

async function keepEnd(
  trx: Trx,
  run: string,
  digest: string,
  end: ManagersRunEnd,
  at: number,
): Promise<void> {
  const { notReached, ...counts } = end;
  await putRow(trx, 'manager_runs', {
    run,
    digest,
    counts: JSON.stringify(counts),
    not_reached: JSON.stringify(notReached),
    ended_at: at,
  });
}

/** Messages that were never sent, of this run and of earlier ones that it takes the place of. */
async function endOpenPosts(trx: Trx, digest: string, at: number): Promise<void> {
  const parent = rowsOf(trx, 'posts', { digest }).select('id');
  const set = { ...noLease, error_code: 'superseded', reason: null, finished_at: at };
  await transition(trx, ['queued', 'running'], 'skipped', { parent, kind: 'manager' }, set).execute();
}
