import type { Kysely, Selectable } from 'kysely';
import type { Digest, DigestSettings, PauseReason } from '../../digests/digest.js';
import { UnreadableDigest } from '../../digests/quarantine.js';
import { readRequest, readSchedule } from '../../digests/stored-settings.js';
import { randomId, type Tables } from '../database.js';
import { beginAnew } from '../ledger/waiting.js';
import type { DigestRow } from './tables.js';

/** What can be changed about a digest at once. */
export type DigestChange = Partial<DigestSettings> & {
  readonly state?: 'active' | 'paused';
  readonly pauseReason?: PauseReason;
  /** `null`: never, for now. */
  readonly nextDue: number | null;
};

/** When a digest comes next, and what was known of it when that was worked out. */
export interface Rescheduling {
  readonly id: string;
  readonly revision: number;
  readonly was: number | null;
  readonly nextDue: number | null;
}

/** Reports that come by themselves. Those that cannot be read are left out where nothing else is said. */
export interface Digests {
  add(settings: DigestSettings, madeBy: string, nextDue: number | undefined, at: number): Promise<string>;
  /**
   * Also one that was deleted, as long as that can be undone.
   *
   * @throws UnreadableDigest
   */
  find(id: string): Promise<Digest | undefined>;
  /** Those of a channel, oldest first. */
  inChannel(channel: string, limit: number, from?: number): Promise<readonly Digest[]>;
  /** Those of some channels, one channel after the other, the oldest of each first. */
  inChannels(
    channels: readonly string[],
    limit: number,
    options?: { readonly from?: number; readonly notOf?: string },
  ): Promise<readonly Digest[]>;
  ownedBy(owner: string, limit: number, from?: number): Promise<readonly Digest[]>;
  countOwnedBy(owner: string): Promise<number>;
  /** Those that are due, the earliest first. */
  due(now: number, limit: number): Promise<readonly (Digest | UnreadableDigest)[]>;
  /** Active ones, a page at a time: what follows `after`, or the first ones. */
  active(limit: number, after?: string): Promise<readonly (Digest | UnreadableDigest)[]>;
  /**
   * Changes it. Its runs at work that are not being posted yet begin anew, with what it is now.
   * False where somebody has changed it since that revision.
   */
  change(id: string, revision: number, change: DigestChange): Promise<boolean>;
  /** Sets when they come next, each unless it was changed since. */
  reschedule(times: readonly Rescheduling[]): Promise<void>;
  /** Pauses one whatever stands in it, also where it cannot be read. False where it does not run anyway. */
  quarantine(id: string, why: PauseReason): Promise<boolean>;
  delete(id: string, at: number): Promise<boolean>;
  /** Takes a deletion back that is not older than `since`. */
  restore(id: string, since: number, nextDue: number | null): Promise<boolean>;
  succeeded(id: string): Promise<void>;
  /** Removes at most `limit` of those deleted before a time. Returns how many. */
  deleteBefore(time: number, limit: number): Promise<number>;
}

const unreadable: UnreadableDigest['code'] = 'unreadable';

export function digestsIn(db: Kysely<Tables>, newId: () => string = randomId): Digests {
  const kept = () => db.selectFrom('digests').selectAll().where('deleted_at', 'is', null);
  // What was found to be unreadable takes no place on a page.
  const listed = () =>
    db
      .selectFrom('digests')
      .where('deleted_at', 'is', null)
      .where(({ eb, or }) => or([eb('paused_why', 'is', null), eb('paused_why', '!=', unreadable)]));

  return {
    async add(settings, madeBy, nextDue, at) {
      const id = newId();
      await db
        .insertInto('digests')
        .values({
          id,
          ...columnsOf(settings),
          made_by: madeBy,
          state: 'active',
          paused_why: null,
          next_due: nextDue ?? null,
          revision: 1,
          failures: 0,
          made_at: at,
          deleted_at: null,
        })
        .execute();
      return id;
    },

    async find(id) {
      const row = await db.selectFrom('digests').selectAll().where('id', '=', id).executeTakeFirst();
      return row && digestOf(row);
    },

    async inChannel(channel, limit, from = 0) {
      const theirs = listed().selectAll().where('channel', '=', channel).orderBy('made_at').orderBy('id');
      return readable(await theirs.limit(limit).offset(from).execute());
    },

    async inChannels(channels, limit, { from = 0, notOf } = {}) {
      if (channels.length === 0) return [];
      const all = listed().selectAll().where('channel', 'in', channels);
      const theirs = notOf === undefined ? all : all.where('owner', '!=', notOf);
      const rows = theirs.orderBy('channel').orderBy('made_at').orderBy('id').limit(limit).offset(from);
      return readable(await rows.execute());
    },

    async ownedBy(owner, limit, from = 0) {
      const theirs = listed().selectAll().where('owner', '=', owner).orderBy('made_at').orderBy('id');
      return readable(await theirs.limit(limit).offset(from).execute());
    },

    async countOwnedBy(owner) {
      const theirs = listed().where('owner', '=', owner);
      const { count } = await theirs
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    async due(now, limit) {
      const due = db.selectFrom('digests').selectAll().where('next_due', '<=', now);
      return (await due.orderBy('next_due').limit(limit).execute()).map(digestOrNot);
    },

    async active(limit, after = '') {
      const page = kept().where('state', '=', 'active').where('id', '>', after);
      return (await page.orderBy('id').limit(limit).execute()).map(digestOrNot);
    },

    change: (id, revision, { state, pauseReason, nextDue, ...settings }) =>
      db.transaction().execute(async (trx) => {
        const changed = await trx
          .updateTable('digests')
          .set((eb) => ({
            ...columnsOf(settings),
            ...(state ? { state, paused_why: pauseReason ?? null } : {}),
            ...(state === 'paused' ? {} : { failures: 0 }),
            next_due: nextDue,
            revision: eb('revision', '+', 1),
          }))
          .where('id', '=', id)
          .where('revision', '=', revision)
          .where('deleted_at', 'is', null)
          .executeTakeFirst();
        if (changed.numUpdatedRows === 0n) return false;
        await beginAnew(trx, id);
        return true;
      }),

    reschedule: (times) =>
      db.transaction().execute(async (trx) => {
        for (const { id, revision, was, nextDue } of times) {
          await trx
            .updateTable('digests')
            .set({ next_due: nextDue })
            .where('id', '=', id)
            .where('revision', '=', revision)
            .where('next_due', 'is', was)
            .execute();
        }
      }),

    async quarantine(id, why) {
      const paused = await db
        .updateTable('digests')
        .set((eb) => ({
          state: 'paused',
          paused_why: why,
          next_due: null,
          revision: eb('revision', '+', 1),
        }))
        .where('id', '=', id)
        .where('state', '=', 'active')
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      return paused.numUpdatedRows > 0n;
    },

    async delete(id, at) {
      const deleted = await db
        .updateTable('digests')
        .set((eb) => ({ deleted_at: at, next_due: null, revision: eb('revision', '+', 1) }))
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      return deleted.numUpdatedRows > 0n;
    },

    async restore(id, since, nextDue) {
      const restored = await db
        .updateTable('digests')
        .set((eb) => ({ deleted_at: null, next_due: nextDue, revision: eb('revision', '+', 1) }))
        .where('id', '=', id)
        .where('deleted_at', '>=', since)
        .executeTakeFirst();
      return restored.numUpdatedRows > 0n;
    },

    async succeeded(id) {
      // Nothing is written where nothing failed before, as is usual.
      const failed = db.updateTable('digests').set({ failures: 0 }).where('id', '=', id);
      await failed.where('failures', '>', 0).execute();
    },

    async deleteBefore(time, limit) {
      const old = db.selectFrom('digests').select('id').where('deleted_at', '<', time).limit(limit);
      const { numDeletedRows } = await db.deleteFrom('digests').where('id', 'in', old).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

type Columns = Pick<DigestRow, 'channel' | 'owner' | 'request' | 'schedule' | 'skip_empty'>;
type SettingColumns<Settings> = Settings extends DigestSettings ? Columns : Partial<Columns>;

/** Settings as they are kept; of a part of them, that part. */
export function columnsOf<Settings extends Partial<DigestSettings>>(
  settings: Settings,
): SettingColumns<Settings>;
export function columnsOf({ channel, owner, request, schedule, skipEmpty }: Partial<DigestSettings>) {
  return {
    ...(channel === undefined ? {} : { channel }),
    ...(owner === undefined ? {} : { owner }),
    ...(request === undefined ? {} : { request: JSON.stringify(request) }),
    ...(schedule === undefined ? {} : { schedule: JSON.stringify(schedule) }),
    ...(skipEmpty === undefined ? {} : { skip_empty: skipEmpty ? 1 : 0 }),
  };
}

/** @throws UnreadableDigest */
export function digestOf(row: Selectable<DigestRow>): Digest {
  return {
    id: row.id,
    channel: row.channel,
    owner: row.owner,
    createdBy: row.made_by,
    ...whatAndWhen(row),
    skipEmpty: row.skip_empty === 1,
    state: row.state,
    ...(row.paused_why === null ? {} : { pauseReason: row.paused_why }),
    ...(row.next_due === null ? {} : { nextDue: row.next_due }),
    revision: row.revision,
    failures: row.failures,
    createdAt: row.made_at,
    ...(row.deleted_at === null ? {} : { deletedAt: row.deleted_at }),
  };
}

/** The same, with the error in the place of a digest that cannot be read: others go on beside it. */
export function digestOrNot(row: Selectable<DigestRow>): Digest | UnreadableDigest {
  try {
    return digestOf(row);
  } catch (error) {
    if (error instanceof UnreadableDigest) return error;
    throw error;
  }
}

/** Digests to be shown, without those that cannot be read. */
export function readable(rows: readonly Selectable<DigestRow>[]): readonly Digest[] {
  return rows.map(digestOrNot).flatMap((digest) => (digest instanceof UnreadableDigest ? [] : [digest]));
}

function whatAndWhen(row: Selectable<DigestRow>): Pick<Digest, 'request' | 'schedule'> {
  try {
    return { request: readRequest(row.request), schedule: readSchedule(row.schedule) };
  } catch (cause) {
    throw new UnreadableDigest(row.id, row.owner, row.channel, { cause });
  }
}
