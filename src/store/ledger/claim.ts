import { type ExpressionBuilder, sql } from 'kysely';
import type { ClaimOptions, DigestRun } from '../../digests/digest.js';
import { inTransaction, is, plusOne, rowsOf } from '../database/rows.js';
import type { Db, Tables } from '../database/schema.js';
import { addNotifications } from '../digests/notifications.js';
import { runOf, selectRuns, transition } from '../posts/posts.js';
import { skipUnwanted } from '../posts/waiting.js';

/** How many waiting posts a claim reads to find different channels. */
const maxCandidates = 200;

const readyOrder = sql`ready_at, dedupe_key, id`;

export function claimsIn(db: Db) {
  return {
    /**
     * Claims waiting runs, earliest first. Runs that share a query come together. If the message of a run is posted, the
     * claim is on its file.
     */
    async claim({ worker, now, leaseMs, limit, busyChannels, skipBusyOwners = false }: ClaimOptions) {
      const waiting = db
        .selectFrom('posts')
        .select(['id', 'channel', 'ready_at', 'dedupe_key'])
        .where('ready_at', '<=', now)
        .where('channel', 'not in', busyChannels)
        .$if(skipBusyOwners, (posts) => posts.where((eb) => isOfFreeOwner(eb, db)))
        .orderBy(readyOrder)
        .limit(maxCandidates);
      const placed = db.selectFrom(waiting.as('waiting')).select(({ fn }) => [
        'id',
        'ready_at',
        'dedupe_key',
        fn
          .agg<number>('row_number')
          .over((over) => over.partitionBy('channel').orderBy(readyOrder))
          .as('place'),
      ]);
      const first = db
        .selectFrom(placed.as('placed'))
        .select('id')
        .where('place', '=', 1)
        .orderBy(readyOrder)
        .limit(limit);
      // The outer conditions are checked again on write, so that two workers never claim the same post.
      const lease = { lease_owner: worker, lease_until: now + leaseMs };
      const set = { ...lease, ready_at: null, attempts: plusOne('attempts') };
      const claimed = await transition(db, ['queued'], 'running', { id: first }, set)
        // Not by its index, which would read everything that waits.
        .where((eb) => eb(eb('ready_at', '+', 0), '<=', now))
        .returning(['id', 'parent'])
        .execute();
      return runsOf(db, claimed);
    },

    /** Extends a worker's leases. */
    async renewLeases(ids: readonly string[], worker: string, until: number) {
      if (ids.length === 0) return;
      await db
        .updateTable('posts')
        .set({ lease_until: until })
        .where(runOfPost, 'in', ids)
        .where('lease_owner', '=', worker)
        .where('lease_until', '>', 0)
        .execute();
    },

    /** Workers with leases. `until` is when the first lease of each ends. */
    async leaseHolders() {
      const holders = await db
        .selectFrom('posts')
        .select(['lease_owner', (eb) => eb.fn.min('lease_until').as('until')])
        .where('lease_until', '>', 0)
        .groupBy('lease_owner')
        .execute();
      return holders.flatMap(({ lease_owner: worker, until }) =>
        worker === null ? [] : [{ worker, until: Number(until) }],
      );
    },

    /**
     * Ends the leases of a worker that will not finish. Posts that it had not begun to send wait again. Messages and files
     * that it was sending become `unknown`, and their owners are asked.
     *
     * @param worker `expired`: true for expired leases only, false for all
     * @param activeRuns runs of this process, which keep their leases whatever the clock says
     * @returns the runs that became unknown, and those whose file waits again
     */
    reclaim: (
      { name, expired }: { readonly name: string; readonly expired: boolean },
      activeRuns: readonly string[],
      now: number,
    ) =>
      inTransaction(db, async (trx) => {
        const held = rowsOf(trx, 'posts', { lease_owner: name, lease_until: is('>', 0) })
          .select('id')
          .$if(activeRuns.length > 0, (posts) => posts.where(runOfPost, 'not in', activeRuns))
          .where('lease_until', '<', expired ? now : Number.MAX_SAFE_INTEGER);
        // Clearing the lease owner stops the former worker from writing.
        // The message to a manager waits for its run, and not by itself.
        const readyAt = sql<number | null>`CASE WHEN kind = 'manager' THEN NULL ELSE ${sql.lit(now)} END`;
        const waiting = { ready_at: readyAt, lease_owner: null, lease_until: null };
        const begun = await transition(trx, ['running'], 'queued', { id: held }, waiting)
          .returning(['id', 'parent', 'kind'])
          .execute();
        await skipUnwanted(
          trx,
          begun.map(({ id }) => id),
        );
        // The lease owner stays: the former worker may still get an answer from Slack and record it.
        const interrupted = { error_code: 'interrupted', reason: null, lease_until: null, finished_at: now };
        const unknown = await transition(
          trx,
          ['posting'],
          'unknown',
          { id: held },
          { ...interrupted, settled: null },
        )
          .returning(['id', 'parent', 'kind'])
          .execute();
        // The owner reads how many messages to managers are unconfirmed, and cannot tell whether they arrived.
        const askedAbout = unknown.filter(({ kind }) => kind !== 'manager');
        for (const { id, parent, kind } of askedAbout) {
          const run = parent ?? id;
          const digest = await trx
            .selectFrom('posts')
            .innerJoin('digests', 'digests.id', 'posts.digest')
            .select('digests.owner')
            .where('posts.id', '=', run)
            .executeTakeFirst();
          if (!digest) continue;
          const notification = {
            kind: kind === 'file' ? 'file-unknown' : 'unknown',
            recipients: [digest.owner],
          } as const;
          await addNotifications(trx, run, notification, now);
        }
        return runsOf(trx, [...askedAbout, ...begun.filter(({ kind }) => kind === 'file')]);
      }),
  };
}

/** True for the runs of owners who have no run in progress, and for all files. */
function isOfFreeOwner({ eb, or }: ExpressionBuilder<Tables, 'posts'>, db: Db) {
  const busyOwners = db
    .selectFrom('posts as held')
    .innerJoin('digests as theirs', 'theirs.id', 'held.digest')
    .select('theirs.owner')
    .where('held.lease_until', '>', 0);
  const digestsOfBusyOwners = db
    .selectFrom('digests as owned')
    .select('owned.id')
    .where('owned.owner', 'in', busyOwners)
    .where('owned.deleted_at', 'is', null);
  return or([eb('digest', 'is', null), eb('digest', 'not in', digestsOfBusyOwners)]);
}

/** A lease on a run covers its file and its messages to managers. */
const runOfPost = sql<string>`coalesce(parent, id)`;

/** The runs of some posts, which are messages or files. */
async function runsOf(
  db: Db,
  posts: readonly { readonly id: string; readonly parent: string | null }[],
): Promise<readonly DigestRun[]> {
  if (posts.length === 0) return [];
  const ids = posts.map(({ id, parent }) => parent ?? id);
  return (await selectRuns(db).where('posts.id', 'in', ids).execute()).map(runOf);
}
