import type { Kysely } from 'kysely';
import type { DigestRun, FileState, RunState } from '../digests/digest.js';
import type { Why } from '../digests/failures/words-for-codes.js';
import type { DigestRunRow } from './digests-tables.js';
import { type Claims, claimsIn } from './ledger-claims.js';
import { type Entering, enteringIn } from './ledger-entering.js';
import { runOf } from './ledger-rows.js';
import { type Waiting, waitingIn } from './ledger-waiting.js';
import { randomId } from './random-id.js';
import type { Tables } from './tables.js';

/** Who works on a run: nobody else can write what became of it. */
export interface Held {
  readonly id: string;
  readonly worker: string;
}

/** What became of each due time of each digest. */
export interface Ledger extends Claims, Entering, Waiting {
  find(id: string): Promise<DigestRun | undefined>;
  /** A digest's runs, newest first. */
  history(digest: string, limit: number): Promise<readonly DigestRun[]>;
  /** The newest run of each of some digests, by digest. */
  newest(digests: readonly string[]): Promise<ReadonlyMap<string, DigestRun>>;
  running(held: Held): Promise<boolean>;
  /** Written before Slack is called, and only while the lease holds: false means that it must not be called. */
  posting(held: Held, facts: { readonly rows: number; readonly late: boolean }): Promise<boolean>;
  /** From Slack's own answer. With a file to follow, the lease stays. */
  delivered(
    held: Held,
    message: NonNullable<DigestRun['message']>,
    fileFollows: boolean,
    at: number,
  ): Promise<void>;
  skipped(held: Held, rows: number, at: number): Promise<void>;
  failed(held: Held, why: Why, at: number): Promise<void>;
  /** False where it was not being posted. */
  unknown(held: Held, code: string, at: number): Promise<boolean>;
  /** Not posted: it waits again. `counted`: false where the try does not count as one of its own. */
  again(held: Held, readyAt: number, why: Why, counted: boolean): Promise<void>;
  /** Written before the step that shows the file. */
  sharing(held: Held): Promise<boolean>;
  file(held: Held, state: Exclude<FileState, 'none' | 'due' | 'sharing'>, why?: Why): Promise<void>;
  fileAgain(held: Held, readyAt: number, why: Why, counted: boolean): Promise<void>;
  /** Its owner says that an unknown one arrived, or wants it sent. False where that was said before. */
  settle(id: string, settled: 'arrived' | 'sent-again', at: number): Promise<boolean>;
  /** The same about the file of a delivered one. */
  settleFile(id: string, settled: 'arrived' | 'sent-again', at: number): Promise<boolean>;
  /** Somebody wants a failed one tried again. */
  retry(id: string, at: number): Promise<boolean>;
  /** Deletes at most `limit` of those from before a time that are over. Returns how many. */
  forgetBefore(time: number, limit: number): Promise<number>;
}

const free = { lease_until: null } as const;
const nothingWrong = { error_code: null, reason: null } as const;

function because(why?: Why): Pick<DigestRunRow, 'error_code' | 'reason'> {
  return why ? { error_code: why.code, reason: why.reason ?? null } : nothingWrong;
}

export function ledgerIn(db: Kysely<Tables>, newId: () => string = randomId): Ledger {
  /** `counted`: false where the try that ends here does not count as one. */
  async function move(
    held: Held,
    from: readonly RunState[],
    set: Partial<DigestRunRow>,
    counted = true,
  ): Promise<boolean> {
    const moved = await db
      .updateTable('digest_runs')
      .set((eb) => ({ ...set, ...(counted ? {} : { attempts: eb('attempts', '-', 1) }) }))
      .where('id', '=', held.id)
      .where('lease_owner', '=', held.worker)
      .where('state', 'in', from)
      .executeTakeFirst();
    return moved.numUpdatedRows > 0n;
  }

  return {
    ...claimsIn(db, newId),
    ...enteringIn(db, newId),
    ...waitingIn(db),

    async find(id) {
      const row = await db.selectFrom('digest_runs').selectAll().where('id', '=', id).executeTakeFirst();
      return row && runOf(row);
    },

    async history(digest, limit) {
      const runs = db.selectFrom('digest_runs').selectAll().where('digest', '=', digest);
      return (await runs.orderBy('due_at', 'desc').limit(limit).execute()).map(runOf);
    },

    async newest(digests) {
      const rows = await db
        .selectFrom('digests')
        .innerJoin('digest_runs', (join) =>
          join.on('digest_runs.id', '=', ({ selectFrom }) =>
            selectFrom('digest_runs as newer')
              .select('newer.id')
              .whereRef('newer.digest', '=', 'digests.id')
              .orderBy('newer.due_at', 'desc')
              .limit(1),
          ),
        )
        .selectAll('digest_runs')
        .where('digests.id', 'in', digests)
        .execute();
      return new Map(rows.map((row) => [row.digest, runOf(row)]));
    },

    running: (held) => move(held, ['claimed'], { state: 'running' }),

    posting: (held, { rows, late }) =>
      move(held, ['running'], { state: 'posting', row_count: rows, late: late ? 1 : 0 }),

    async delivered(held, message, fileFollows, at) {
      const { channel, ts, link = null } = message;
      const known = {
        message_channel: channel,
        message_ts: ts,
        message_link: link,
        finished_at: at,
        ...nothingWrong,
      };
      const file = fileFollows ? ({ file_state: 'due' } as const) : { ...free, file_state: 'none' as const };
      // Also where somebody took this worker for dead meanwhile: what Slack says counts.
      const moved = await move(held, ['posting', 'unknown'], { state: 'delivered', ...known, ...file });
      if (moved)
        await db
          .updateTable('digest_notices')
          .set({ ready_at: null })
          .where('subject', '=', held.id)
          .execute();
    },

    async skipped(held, rows, at) {
      await move(held, ['claimed', 'running'], {
        state: 'skipped',
        row_count: rows,
        finished_at: at,
        ...nothingWrong,
        ...free,
      });
    },

    async failed(held, why, at) {
      await move(held, ['claimed', 'running', 'posting'], {
        state: 'failed',
        ...because(why),
        finished_at: at,
        ...free,
      });
    },

    async unknown(held, code, at) {
      return move(held, ['posting'], { state: 'unknown', ...because({ code }), finished_at: at, ...free });
    },

    async again(held, readyAt, why, counted) {
      const waits = { state: 'due', ready_at: readyAt, ...because(why), ...free } as const;
      await move(held, ['claimed', 'running', 'posting'], waits, counted);
    },

    async sharing(held) {
      return move(held, ['delivered'], { file_state: 'sharing' });
    },

    async file(held, state, why) {
      await move(held, ['delivered'], { file_state: state, ...because(why), ...free });
    },

    async fileAgain(held, readyAt, why, counted) {
      const waits = { file_state: 'due', ready_at: readyAt, ...because(why), ...free } as const;
      await move(held, ['delivered'], waits, counted);
    },

    async settle(id, settled, at) {
      const again = { state: 'due', ready_at: at, attempts: 0, finished_at: null, ...nothingWrong } as const;
      const done = await db
        .updateTable('digest_runs')
        .set({ settled, ...(settled === 'sent-again' ? again : {}) })
        .where('id', '=', id)
        .where('state', '=', 'unknown')
        .where('settled', 'is', null)
        .executeTakeFirst();
      await db.updateTable('digest_notices').set({ ready_at: null }).where('subject', '=', id).execute();
      return done.numUpdatedRows > 0n;
    },

    async settleFile(id, settled, at) {
      const again = { file_state: 'due', ready_at: at, attempts: 0, ...nothingWrong } as const;
      const done = await db
        .updateTable('digest_runs')
        .set(settled === 'sent-again' ? again : { file_state: 'shared' })
        .where('id', '=', id)
        .where('state', '=', 'delivered')
        .where('file_state', 'in', ['unknown', 'failed'])
        .executeTakeFirst();
      await db.deleteFrom('digest_notices').where('subject', '=', id).execute();
      return done.numUpdatedRows > 0n;
    },

    async retry(id, at) {
      const retried = await db
        .updateTable('digest_runs')
        .set({ state: 'due', ready_at: at, attempts: 0, finished_at: null, ...nothingWrong })
        .where('id', '=', id)
        .where('state', '=', 'failed')
        .executeTakeFirst();
      // Should it fail once more, that is news.
      await db.deleteFrom('digest_notices').where('subject', '=', id).execute();
      return retried.numUpdatedRows > 0n;
    },

    async forgetBefore(time, limit) {
      const old = db
        .selectFrom('digest_runs')
        .select('id')
        .where('made_at', '<', time)
        .where('ready_at', 'is', null)
        .where('lease_until', 'is', null)
        .limit(limit);
      const { numDeletedRows } = await db.deleteFrom('digest_runs').where('id', 'in', old).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
