import type { Kysely, Transaction } from 'kysely';
import type { DigestRun, FileState, RunState } from '../digests/digest.js';
import type { Why } from '../digests/failures/words-for-codes.js';
import type { DigestRunRow } from './digests-tables.js';
import { enterNotices, settleNotices, type Told } from './ledger-notices.js';
import { leaveOutUnwanted } from './ledger-unwanted.js';
import type { Tables } from './tables.js';

/** Who works on a run: nobody else can write what became of it. */
export interface Held {
  readonly id: string;
  readonly worker: string;
}

/** Whether a try counts as one of the run's own, as one at which Slack asked to wait, or not at all. */
export type TryCounts = 'as its own' | 'as limited' | 'not';

/**
 * Writing down how far a run has come, and in the same step who has to hear of it, since a process may end at any
 * moment. Where somebody else has the run by now, nothing is written.
 */
export interface Endings {
  running(held: Held): Promise<boolean>;
  /** Written before Slack is called, and only by whoever has the run: false means that Slack must not be called. */
  posting(held: Held, facts: { readonly rows: number; readonly late: boolean }): Promise<boolean>;
  /** From Slack's own answer. With a file to follow, the run stays held. */
  delivered(
    held: Held,
    message: NonNullable<DigestRun['message']>,
    fileFollows: boolean,
    at: number,
  ): Promise<void>;
  /** Nothing was found. */
  skipped(held: Held, at: number): Promise<void>;
  /** Its digest is not there any more. */
  dropped(held: Held, at: number): Promise<void>;
  /** @param pauseAfter so many failures in a row pause its digest; absent: this one does not count */
  failed(held: Held, why: Why, at: number, told?: Told, pauseAfter?: number): Promise<void>;
  /** False where it was not being posted. */
  unknown(held: Held, code: string, at: number, told: Told): Promise<boolean>;
  /** Not posted: it waits again, unless nobody wants it any more. */
  again(held: Held, readyAt: number, why: Why, counts: TryCounts): Promise<void>;
  /** Written before the step that shows the file: false means that it must not be shown. */
  sharing(held: Held): Promise<boolean>;
  fileShared(held: Held): Promise<void>;
  /** It does not come, or nobody can know whether it did. */
  fileEnded(held: Held, state: 'failed' | 'unknown', why: Why, at: number, told?: Told): Promise<void>;
  fileAgain(held: Held, readyAt: number, why: Why, counts: TryCounts): Promise<void>;
}

const free = { lease_until: null } as const;

/** No error stands beside a run. */
export const nothingWrong = { error_code: null, reason: null } as const;

function because({ code, reason }: Why): Pick<DigestRunRow, 'error_code' | 'reason'> {
  return { error_code: code, reason: reason ?? null };
}

interface Step {
  readonly from: readonly RunState[];
  readonly set: Partial<DigestRunRow>;
  /** Absent: whatever has become of its file. */
  readonly fileFrom?: readonly FileState[];
  /** Absent: as its own. */
  readonly counts?: TryCounts;
}

/** States in which it is not known yet, or not surely, that nothing was posted. */
const underWay = ['claimed', 'running', 'posting', 'unknown'] as const;

export function endingsIn(db: Kysely<Tables>, newId: () => string): Endings {
  async function move(
    within: Kysely<Tables>,
    held: Held,
    { from, set, fileFrom, counts = 'as its own' }: Step,
  ): Promise<boolean> {
    const moved = await within
      .updateTable('digest_runs')
      .set((eb) => ({
        ...set,
        ...(counts === 'as its own' ? {} : { attempts: eb('attempts', '-', 1) }),
        ...(counts === 'as limited' ? { limited: eb('limited', '+', 1) } : {}),
      }))
      .where('id', '=', held.id)
      .where('lease_owner', '=', held.worker)
      .where('state', 'in', from)
      // What its owner has said of one that nobody knew about stands.
      .where(({ eb, or }) => or([eb('state', '!=', 'unknown'), eb('settled', 'is', null)]))
      .$if(fileFrom !== undefined, (update) => update.where('file_state', 'in', fileFrom ?? []))
      .executeTakeFirst();
    return moved.numUpdatedRows > 0n;
  }

  /** All of it or nothing. */
  function moveAnd(held: Held, step: Step, then: (trx: Transaction<Tables>) => Promise<void>) {
    return db.transaction().execute(async (trx) => {
      const moved = await move(trx, held, step);
      if (moved) await then(trx);
      return moved;
    });
  }

  return {
    running: (held) => move(db, held, { from: ['claimed'], set: { state: 'running' } }),

    posting: (held, { rows, late }) =>
      move(db, held, {
        from: ['running'],
        set: { state: 'posting', row_count: rows, late: late ? 1 : 0 },
      }),

    async delivered(held, { channel, ts, link = null }, fileFollows, at) {
      await db.transaction().execute(async (trx) => {
        const delivered = await trx
          .updateTable('digest_runs')
          .set((eb) => ({
            state: 'delivered',
            message_channel: channel,
            message_ts: ts,
            message_link: link,
            finished_at: at,
            ready_at: null,
            ...nothingWrong,
            file_state: fileFollows ? 'due' : 'none',
            // Its file has tries of its own, of which this is the first.
            ...(fileFollows ? { attempts: 1, limited: 0 } : {}),
            // A lease that was taken away is there again, though it is over: others find the file.
            lease_until: fileFollows ? eb.fn.coalesce('lease_until', eb.val(at)) : null,
          }))
          .where('id', '=', held.id)
          .where('lease_owner', '=', held.worker)
          // Somebody may have taken this worker for dead, and its owner may have said to send it: what Slack says counts.
          .where('state', 'in', ['posting', 'unknown', 'due'])
          .executeTakeFirst();
        if (delivered.numUpdatedRows > 0n) await settleNotices(trx, held.id);
      });
    },

    async skipped(held, at) {
      const set = { state: 'skipped', row_count: 0, finished_at: at, ...nothingWrong, ...free } as const;
      await move(db, held, { from: ['claimed', 'running'], set });
    },

    async dropped(held, at) {
      const why = because({ code: 'deleted' });
      const set = { state: 'skipped', finished_at: at, ...why, ...free } as const;
      await move(db, held, { from: ['claimed', 'running'], set });
    },

    async failed(held, why, at, told, pauseAfter) {
      const set = { state: 'failed', ...because(why), finished_at: at, ...free } as const;
      await moveAnd(held, { from: underWay, set }, async (trx) => {
        await settleNotices(trx, held.id);
        if (told) await enterNotices(trx, held.id, told, at, newId);
        if (pauseAfter !== undefined) await countFailure(trx, held.id, why.code, pauseAfter);
      });
    },

    unknown(held, code, at, told) {
      const set = {
        state: 'unknown',
        settled: null,
        ...because({ code }),
        finished_at: at,
        ...free,
      } as const;
      return moveAnd(held, { from: ['posting'], set }, (trx) => enterNotices(trx, held.id, told, at, newId));
    },

    async again(held, readyAt, why, counts) {
      const set = { state: 'due', ready_at: readyAt, ...because(why), ...free } as const;
      await moveAnd(held, { from: underWay, set, counts }, async (trx) => {
        await settleNotices(trx, held.id);
        await leaveOutUnwanted(trx, [held.id]);
      });
    },

    sharing: (held) =>
      move(db, held, { from: ['delivered'], fileFrom: ['due'], set: { file_state: 'sharing' } }),

    async fileShared(held) {
      const set = { file_state: 'shared', ...nothingWrong, ...free } as const;
      const step = { from: ['delivered'], fileFrom: ['due', 'sharing', 'unknown'], set } as const;
      await moveAnd(held, step, (trx) => settleNotices(trx, held.id));
    },

    async fileEnded(held, state, why, at, told) {
      const set = { file_state: state, ...because(why), ...free } as const;
      await moveAnd(
        held,
        { from: ['delivered'], fileFrom: ['due', 'sharing', 'unknown'], set },
        async (trx) => {
          await settleNotices(trx, held.id);
          if (told) await enterNotices(trx, held.id, told, at, newId);
        },
      );
    },

    async fileAgain(held, readyAt, why, counts) {
      const set = { file_state: 'due', ready_at: readyAt, ...because(why), ...free } as const;
      const step = { from: ['delivered'], fileFrom: ['due', 'sharing', 'unknown'], set, counts } as const;
      await moveAnd(held, step, (trx) => settleNotices(trx, held.id));
    },
  };
}

/** One more failure in a row of a run's digest, which so many of them pause. */
async function countFailure(
  trx: Transaction<Tables>,
  run: string,
  code: string,
  pauseAfter: number,
): Promise<void> {
  const itsDigest = trx.selectFrom('digest_runs').select('digest').where('id', '=', run);
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
