import type { Digest } from '../../digests/digest.js';
import { ok, refused } from '../../errors/failure.js';
import { randomId } from '../../logging/logger.js';
import type { ReportRequest } from '../../requests/request.js';
import { savedNameKey } from '../../requests/saved-names.js';
import {
  changeRows,
  countRows,
  inTransaction,
  is,
  plusOne,
  type RowValues,
  rowsOf,
} from '../database/rows.js';
import type { Db, Tables } from '../database/schema.js';
import { noOffer, pendingOwnerOf, setOffer } from './offers.js';

interface NewSavedReport {
  /** A channel, or a person's direct messages with the bot. */
  readonly channel: string;
  readonly name: string;
  readonly request: ReportRequest;
  /** The Slack user ID of the first owner. */
  readonly createdBy: string;
}

export interface SavedReport
  extends NewSavedReport,
    Pick<Digest, 'id' | 'owner' | 'revision' | 'createdAt' | 'pendingOwner' | 'handedOverAt' | 'deletedAt'> {
  readonly changedAt: number;
  readonly lastRun?: { readonly at: number; readonly by: string };
}

type SavedReportChange = Partial<Pick<SavedReport, 'name' | 'request'>>;

/** How many saved reports a channel can have, and a person can own. Absent: any number. */
interface MaxSaved {
  readonly inChannel?: number;
  readonly owned?: number;
}

/** Saved reports. Names are unique in a channel, compared by their key. */
export function savedReportsIn(db: Db) {
  const current = (which: RowValues<'saved_reports'>, from: Db = db) =>
    rowsOf(from, 'saved_reports', { ...which, deleted_at: null }).selectAll();

  /** Sorted by name. */
  async function page(which: RowValues<'saved_reports'>, limit: number, from = 0) {
    const sorted = current(which).orderBy('name_key').orderBy('channel');
    return (await sorted.limit(limit).offset(from).execute()).map(savedReportOf);
  }

  async function limitReached(
    from: Db,
    { channel, owner }: Pick<SavedReport, 'channel' | 'owner'>,
    { inChannel = Number.POSITIVE_INFINITY, owned = Number.POSITIVE_INFINITY }: MaxSaved,
  ): Promise<'full' | 'too-many' | undefined> {
    const count = (which: { readonly channel: string } | { readonly owner: string }) =>
      countRows<'saved_reports'>(from, 'saved_reports', { ...which, deleted_at: null });
    if ((await count({ channel })) >= inChannel) return 'full';
    return (await count({ owner })) >= owned ? 'too-many' : undefined;
  }

  /** True if another report of the channel has the name. */
  async function isTaken({ channel, id }: { channel: string; id?: string }, name: string, from: Db) {
    const row = await current({ channel, name_key: savedNameKey(name) }, from).executeTakeFirst();
    return row !== undefined && row.id !== id;
  }

  return {
    async find(id: string) {
      const row = await rowsOf(db, 'saved_reports', { id }).selectAll().executeTakeFirst();
      return row && savedReportOf(row);
    },

    // One transaction, so that two people cannot both save the last report that fits.
    save: ({ channel, name, request, createdBy }: NewSavedReport, at: number, max: MaxSaved = {}) =>
      inTransaction(db, async (trx) => {
        const limit = await limitReached(trx, { channel, owner: createdBy }, max);
        if (limit) return refused(limit);
        if (await isTaken({ channel }, name, trx)) return refused('taken');
        const id = randomId();
        await trx
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
          })
          .execute();
        return ok(id);
      }),

    countOwnedBy: (owner: string) => countRows(db, 'saved_reports', { owner, deleted_at: null }),

    async findByName(channel: string, name: string) {
      const row = await current({ channel, name_key: savedNameKey(name) }).executeTakeFirst();
      return row && savedReportOf(row);
    },

    async namesIn(channel: string) {
      const names = rowsOf(db, 'saved_reports', { channel, deleted_at: null }).select('name');
      return (await names.execute()).map(({ name }) => name);
    },

    /** Reports of other conversations with one of these names, as keys; the longest name first. */
    async namedElsewhere(channel: string, keys: readonly string[], limit: number) {
      const named = current({ name_key: keys }).where('channel', '!=', channel);
      const longestFirst = named.orderBy(({ fn }) => fn('length', ['name_key']), 'desc').orderBy('id');
      return (await longestFirst.limit(limit).execute()).map(savedReportOf);
    },

    inChannels: (channels: readonly string[], limit: number, from = 0) =>
      page({ channel: channels }, limit, from),

    ownedBy: (owner: string, limit: number) => page({ owner }, limit),

    all: (limit: number) => page({}, limit),

    change: (id: string, revision: number, { name, request }: SavedReportChange, at: number) =>
      inTransaction(db, async (trx) => {
        const row = await current({ id }, trx).executeTakeFirst();
        if (!row) return refused('gone');
        if (row.revision !== revision) return refused('stale');
        if (name !== undefined && (await isTaken(row, name, trx))) return refused('taken');
        await changeRows(
          trx,
          'saved_reports',
          { id },
          {
            name,
            name_key: name && savedNameKey(name),
            request: request && JSON.stringify(request),
            revision: revision + 1,
            changed_at: at,
          },
        );
        return ok(undefined);
      }),

    /** As `setOffer`. The owner stays until the new one accepts. */
    offer: (id: string, revision: number, to: string | undefined, at: number) =>
      setOffer(db, 'saved_reports', { id, revision }, to, at),

    /** Makes a person the owner of a report that is offered to them. Returns false if it changed or is not offered. */
    async accept(id: string, revision: number, owner: string, at: number) {
      const offered = { id, revision, pending_owner: owner, deleted_at: null };
      const set = { owner, ...noOffer, handed_over_at: at, revision: revision + 1, changed_at: at };
      return (await changeRows(db, 'saved_reports', offered, set)) > 0;
    },

    /** Returns false if it was already deleted. */
    async remove(id: string, at: number) {
      const set = { deleted_at: at, revision: plusOne('revision') };
      return (await changeRows(db, 'saved_reports', { id, deleted_at: null }, set)) > 0;
    },

    /** Undoes a deletion made at or after `since`. `gone`: there is no such deletion; otherwise as `save`. */
    restore: (id: string, since: number, max: MaxSaved = {}) =>
      inTransaction(db, async (trx) => {
        const deleted = rowsOf(trx, 'saved_reports', { id, deleted_at: is('>=', since) });
        const row = await deleted.selectAll().executeTakeFirst();
        if (!row) return refused('gone');
        if (await isTaken(row, row.name, trx)) return refused('taken');
        const limit = await limitReached(trx, row, max);
        if (limit) return refused(limit);
        await changeRows(trx, 'saved_reports', { id }, { deleted_at: null, revision: plusOne('revision') });
        return ok(undefined);
      }),

    /** Records a run. The revision stays. */
    async recordRun(id: string, by: string, at: number) {
      await changeRows(db, 'saved_reports', { id }, { last_run_at: at, last_run_by: by });
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
