import type { Kysely } from 'kysely';
import { ok, refused } from '../../errors/result.js';
import type { ReportRequest } from '../../requests/request.js';
import { savedNameKey } from '../../requests/saved-names.js';
import { randomId } from '../database.js';
import { noOffer, type PendingOwner, pendingOwnerOf, setOffer } from '../offers.js';
import type { Tables } from '../schema.js';

interface NewSavedReport {
  /** A channel, or a person's direct messages with the bot. */
  readonly channel: string;
  readonly name: string;
  readonly request: ReportRequest;
  /** The Slack user ID of the first owner. */
  readonly createdBy: string;
}

export interface SavedReport extends NewSavedReport {
  readonly id: string;
  readonly owner: string;
  /** Increases with every change, so that nobody overwrites a change they have not seen. */
  readonly revision: number;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly lastRun?: { readonly at: number; readonly by: string };
  /** The person who has yet to accept a hand-over, and since when. */
  readonly pendingOwner?: PendingOwner | undefined;
  /** When it was last handed over. From then on, only the owner and admins may edit it. */
  readonly handedOverAt?: number | undefined;
  readonly deletedAt?: number;
}

type SavedReportChange = Partial<Pick<SavedReport, 'name' | 'request'>>;

/** How many saved reports a channel can have, and a person can own. Absent: any number. */
interface MaxSaved {
  readonly inChannel?: number;
  readonly owned?: number;
}

/** Saved reports. Names are unique in a channel, compared by their key. */
export function savedReportsIn(db: Kysely<Tables>, newId: () => string = randomId) {
  const kept = (from: Kysely<Tables> = db) =>
    from.selectFrom('saved_reports').selectAll().where('deleted_at', 'is', null);

  async function find(id: string) {
    const row = await db.selectFrom('saved_reports').selectAll().where('id', '=', id).executeTakeFirst();
    return row && savedReportOf(row);
  }

  async function count(from: Kysely<Tables>, column: 'channel' | 'owner', value: string): Promise<number> {
    const counted = await from
      .selectFrom('saved_reports')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where(column, '=', value)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    return Number(counted.count);
  }

  async function limitReached(
    from: Kysely<Tables>,
    { channel, owner }: Pick<SavedReport, 'channel' | 'owner'>,
    { inChannel = Number.POSITIVE_INFINITY, owned = Number.POSITIVE_INFINITY }: MaxSaved,
  ): Promise<'full' | 'too-many' | undefined> {
    if ((await count(from, 'channel', channel)) >= inChannel) return 'full';
    return (await count(from, 'owner', owner)) >= owned ? 'too-many' : undefined;
  }

  async function isTaken(saved: SavedReport, name: string, from?: Kysely<Tables>) {
    const row = await kept(from)
      .where('channel', '=', saved.channel)
      .where('name_key', '=', savedNameKey(name))
      .executeTakeFirst();
    return row !== undefined && row.id !== saved.id;
  }

  return {
    find,

    // One transaction, so that two people cannot both save the last report that fits.
    save: ({ channel, name, request, createdBy }: NewSavedReport, at: number, max: MaxSaved = {}) =>
      db.transaction().execute(async (trx) => {
        const limit = await limitReached(trx, { channel, owner: createdBy }, max);
        if (limit) return refused(limit);
        const id = newId();
        const { numInsertedOrUpdatedRows: inserted = 0n } = await trx
          .insertInto('saved_reports')
          .values({
            id,
            channel,
            name,
            name_key: savedNameKey(name),
            owner: createdBy,
            created_by: createdBy,
            request: JSON.stringify(request),
            revision: 1,
            created_at: at,
            changed_at: at,
            last_run_at: null,
            last_run_by: null,
            deleted_at: null,
          })
          .onConflict((conflict) =>
            conflict.columns(['channel', 'name_key']).where('deleted_at', 'is', null).doNothing(),
          )
          .executeTakeFirst();
        return inserted > 0n ? ok(id) : refused('taken');
      }),

    countOwnedBy: (owner: string) => count(db, 'owner', owner),

    async findByName(channel: string, name: string) {
      const named = kept().where('channel', '=', channel).where('name_key', '=', savedNameKey(name));
      const row = await named.executeTakeFirst();
      return row && savedReportOf(row);
    },

    async namesIn(channel: string) {
      const names = db
        .selectFrom('saved_reports')
        .select('name')
        .where('channel', '=', channel)
        .where('deleted_at', 'is', null);
      return (await names.execute()).map(({ name }) => name);
    },

    /** Reports of other conversations with one of these names, as keys; the longest name first. */
    async namedElsewhere(channel: string, keys: readonly string[], limit: number) {
      if (keys.length === 0) return [];
      const named = kept().where('name_key', 'in', keys).where('channel', '!=', channel);
      const longestFirst = named.orderBy(({ fn }) => fn('length', ['name_key']), 'desc').orderBy('id');
      return (await longestFirst.limit(limit).execute()).map(savedReportOf);
    },

    /** Sorted by name. */
    async inChannels(channels: readonly string[], limit: number, from = 0) {
      if (channels.length === 0) return [];
      const page = kept().where('channel', 'in', channels).orderBy('name_key').orderBy('channel');
      return (await page.limit(limit).offset(from).execute()).map(savedReportOf);
    },

    /** Sorted by name. */
    async ownedBy(owner: string, limit: number) {
      const own = kept().where('owner', '=', owner).orderBy('name_key').orderBy('channel');
      return (await own.limit(limit).execute()).map(savedReportOf);
    },

    async change(id: string, revision: number, { name, request }: SavedReportChange, at: number) {
      const { numUpdatedRows } = await db
        .updateTable('saved_reports')
        .set({
          // Undefined leaves a column as it is.
          name,
          name_key: name === undefined ? undefined : savedNameKey(name),
          request: request && JSON.stringify(request),
          revision: revision + 1,
          changed_at: at,
        })
        .where('id', '=', id)
        .where('revision', '=', revision)
        .where('deleted_at', 'is', null)
        .$if(name !== undefined, (update) =>
          update.where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('saved_reports as other')
                  .select('other.id')
                  .whereRef('other.channel', '=', 'saved_reports.channel')
                  .where('other.name_key', '=', savedNameKey(name ?? ''))
                  .where('other.deleted_at', 'is', null)
                  .where('other.id', '!=', id),
              ),
            ),
          ),
        )
        .executeTakeFirst();
      if (numUpdatedRows > 0n) return ok(undefined);
      const now = await find(id);
      if (!now || now.deletedAt !== undefined) return refused('gone');
      const taken = name !== undefined && now.revision === revision && (await isTaken(now, name));
      return refused(taken ? 'taken' : 'stale');
    },

    /**
     * Offers a report to a new owner, or ends the offer where `to` is absent. The owner stays until the new one accepts.
     * Returns false if the report has another revision by now, or was deleted.
     */
    offer: (id: string, revision: number, to: string | undefined, at: number) =>
      setOffer(db, 'saved_reports', { id, revision }, to, at),

    /** Makes a person the owner of a report that is offered to them. Returns false if it changed or is not offered. */
    async accept(id: string, revision: number, owner: string, at: number) {
      const { numUpdatedRows } = await db
        .updateTable('saved_reports')
        .set({ owner, ...noOffer, handed_over_at: at, revision: revision + 1, changed_at: at })
        .where('id', '=', id)
        .where('revision', '=', revision)
        .where('pending_owner', '=', owner)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Returns false if it was already deleted. */
    async remove(id: string, at: number) {
      const { numUpdatedRows } = await db
        .updateTable('saved_reports')
        .set((eb) => ({ deleted_at: at, revision: eb('revision', '+', 1) }))
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Undoes a deletion made at or after `since`. `gone`: there is no such deletion; otherwise as `save`. */
    restore: (id: string, since: number, max: MaxSaved = {}) =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .selectFrom('saved_reports')
          .selectAll()
          .where('id', '=', id)
          .where('deleted_at', '>=', since)
          .executeTakeFirst();
        if (!row) return refused('gone');
        const deleted = savedReportOf(row);
        if (await isTaken(deleted, deleted.name, trx)) return refused('taken');
        const limit = await limitReached(trx, deleted, max);
        if (limit) return refused(limit);
        await trx
          .updateTable('saved_reports')
          .set((eb) => ({ deleted_at: null, revision: eb('revision', '+', 1) }))
          .where('id', '=', id)
          .execute();
        return ok(undefined);
      }),

    /** Records a run. The revision stays. */
    async recordRun(id: string, by: string, at: number) {
      await db
        .updateTable('saved_reports')
        .set({ last_run_at: at, last_run_by: by })
        .where('id', '=', id)
        .execute();
    },
  };
}

function savedReportOf(row: Tables['saved_reports']): SavedReport {
  const { last_run_at: ranAt, last_run_by: ranBy, deleted_at: deletedAt } = row;
  return {
    id: row.id,
    channel: row.channel,
    name: row.name,
    request: JSON.parse(row.request),
    owner: row.owner,
    createdBy: row.created_by,
    revision: row.revision,
    createdAt: row.created_at,
    changedAt: row.changed_at,
    lastRun: ranAt === null || ranBy === null ? undefined : { at: ranAt, by: ranBy },
    pendingOwner: pendingOwnerOf(row),
    handedOverAt: row.handed_over_at ?? undefined,
    deletedAt: deletedAt ?? undefined,
  };
}
