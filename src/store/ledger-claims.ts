import { type Kysely, sql, type Transaction } from 'kysely';
import type { DigestRun } from '../digests/digest.js';
import type { DigestRunRow } from './digests-tables.js';
import { enterNotices } from './ledger-notices.js';
import { runOf } from './ledger-rows.js';
import { leaveOutUnwanted } from './ledger-unwanted.js';
import type { Tables } from './tables.js';

export interface ClaimOrder {
  /** Names this process among all that ever work on this database. */
  readonly worker: string;
  readonly now: number;
  readonly leaseMs: number;
  /** Runs at most, each of another channel. */
  readonly limit: number;
  /** Channels that have their turn already. */
  readonly busyChannels: readonly string[];
}

/** Taking runs on, and taking them from those who died with them. */
export interface Claims {
  /** Takes waiting runs on, the earliest first; those that one question can answer stand together. */
  claim(order: ClaimOrder): Promise<readonly DigestRun[]>;
  /** Holds on to what a worker is working on. */
  renew(ids: readonly string[], worker: string, until: number): Promise<void>;
  /** Who holds runs now, each with the earliest moment at which one of them is not held any more. */
  holders(): Promise<readonly Holder[]>;
  /**
   * Frees what a worker will not finish: that whose lease ran out, or all of it. What had not begun to be posted waits
   * again. What had is unknown, and so is a file on its way: its owner is asked.
   *
   * @param worker `expired`: only that whose lease ran out
   * @param atWork runs that are under way here, whatever the clock says
   * @returns the runs that are unknown now
   */
  takeFrom(
    worker: { readonly name: string; readonly expired: boolean },
    atWork: readonly string[],
    now: number,
  ): Promise<readonly DigestRun[]>;
}

export interface Holder {
  readonly worker: string;
  readonly until: number;
}

/** So many are looked through for different channels. */
const lookedThrough = 200;

export function claimsIn(db: Kysely<Tables>, newId: () => string): Claims {
  return {
    async claim({ worker, now, leaseMs, limit, busyChannels }) {
      const notBusy =
        busyChannels.length === 0 ? sql`` : sql` AND channel NOT IN (${sql.join(busyChannels)})`;
      // The outer condition is looked at once more when the row is written: nobody takes what somebody just took.
      const { rows } = await sql<DigestRunRow>`
        UPDATE digest_runs
        SET lease_owner = ${worker}, lease_until = ${now + leaseMs}, ready_at = NULL, attempts = attempts + 1,
          state = CASE WHEN state = 'due' THEN 'claimed' ELSE state END
        WHERE ready_at <= ${now} AND id IN (
          SELECT id FROM (
            SELECT id, ready_at, same_as,
              ROW_NUMBER() OVER (PARTITION BY channel ORDER BY ready_at, same_as, id) AS place
            FROM (
              SELECT id, channel, ready_at, same_as FROM digest_runs
              WHERE ready_at <= ${now}${notBusy}
              ORDER BY ready_at, same_as, id LIMIT ${lookedThrough}
            ) AS waiting
          ) AS placed
          WHERE place = 1 ORDER BY ready_at, same_as, id LIMIT ${limit}
        )
        RETURNING *`.execute(db);
      return rows.map(runOf);
    },

    async renew(ids, worker, until) {
      if (ids.length === 0) return;
      await db
        .updateTable('digest_runs')
        .set({ lease_until: until })
        .where('id', 'in', ids)
        .where('lease_owner', '=', worker)
        .where('lease_until', '>', 0)
        .execute();
    },

    async holders() {
      const holders = await db
        .selectFrom('digest_runs')
        .select(['lease_owner', (eb) => eb.fn.min('lease_until').as('until')])
        .where('lease_until', '>', 0)
        .groupBy('lease_owner')
        .execute();
      return holders.flatMap(({ lease_owner: worker, until }) =>
        worker === null ? [] : [{ worker, until: Number(until) }],
      );
    },

    takeFrom: (worker, atWork, now) =>
      db.transaction().execute((trx) => free(trx, worker, atWork, now, newId)),
  };
}

/** Whoever had it cannot write anything of it any more. */
const taken = { lease_owner: null, lease_until: null } as const;
/** Whoever had it may still hear from Slack, and that counts. */
const interrupted = { error_code: 'interrupted', reason: null, lease_until: null } as const;

async function free(
  trx: Transaction<Tables>,
  { name, expired }: { readonly name: string; readonly expired: boolean },
  atWork: readonly string[],
  now: number,
  newId: () => string,
): Promise<readonly DigestRun[]> {
  const held = () =>
    trx
      .updateTable('digest_runs')
      .where('lease_until', '>', 0)
      .where('lease_owner', '=', name)
      .$if(atWork.length > 0, (update) => update.where('id', 'not in', atWork))
      .$if(expired, (update) => update.where('lease_until', '<', now));
  const begun = await held()
    .set({ state: 'due', ready_at: now, ...taken })
    .where('state', 'in', ['claimed', 'running'])
    .returning('id')
    .execute();
  await leaveOutUnwanted(
    trx,
    begun.map(({ id }) => id),
  );
  await held()
    .set({ ready_at: now, ...taken })
    .where('state', '=', 'delivered')
    .where('file_state', '=', 'due')
    .execute();
  const posts = await held()
    .set({ state: 'unknown', settled: null, ...interrupted, finished_at: now })
    .where('state', '=', 'posting')
    .returningAll()
    .execute();
  const files = await held()
    .set({ file_state: 'unknown', ...interrupted })
    .where('state', '=', 'delivered')
    .returningAll()
    .execute();
  const unknown = [...posts, ...files];
  for (const run of unknown) {
    const digest = await trx
      .selectFrom('digests')
      .select('owner')
      .where('id', '=', run.digest)
      .executeTakeFirst();
    if (!digest) continue;
    const kind = run.state === 'unknown' ? 'unknown' : 'file-unknown';
    await enterNotices(trx, run.id, { kind, recipients: [digest.owner] }, now, newId);
  }
  return unknown.map(runOf);
}
