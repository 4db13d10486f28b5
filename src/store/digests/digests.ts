import type { ExpressionBuilder, Selectable } from 'kysely';
import type { Digest, DigestSettings, PauseReason, Rescheduling } from '../../digests/digest.js';
import { UnreadableDigest } from '../../digests/quarantine.js';
import { readCondition, readRequest, readSchedule, readZones } from '../../digests/stored-settings.js';
import { randomId } from '../../logging/logger.js';
import { deleteByAge } from '../database/expiry.js';
import { changeRows, having, inTransaction, is, plusOne, rowsOf } from '../database/rows.js';
import type { Db, Tables } from '../database/schema.js';
import { restartRunning } from '../posts/waiting.js';
import { countedBy } from '../requests/stored-figures.js';
import { noOffer, pendingOwnerOf, setOffer } from '../saved/offers.js';
import { deleteAlertsWithoutDigest, forgetAlert } from './alert-states.js';
import { deleteReadersWithoutDigest, forgetLastRows } from './manager-readers.js';

type DigestChange = Partial<DigestSettings> & {
  readonly state?: 'active' | 'paused';
  readonly pauseReason?: PauseReason;
  /** `null`: no due time is planned. */
  readonly nextDue: number | null;
  /**
   * When the new owner accepted the digest. The change fails if the digest was not offered to that owner. Without it, a
   * new owner ends an offer.
   */
  readonly acceptedAt?: number | undefined;
  /** From when on readers of a digest for managers are served. */
  readonly coveredUntil?: number | undefined;
  /** The change fails if it gives an owner more digests than this. */
  readonly maxOwned?: number | undefined;
};

export class TooManyDigests extends Error {
  override readonly name = 'TooManyDigests';
}

type DigestRow = Tables['digests'];

export const unreadable: UnreadableDigest['code'] = 'unreadable';

/** False for quarantined digests, which must not fill a page. */
export function isListed({ eb, or }: ExpressionBuilder<Tables, 'digests'>) {
  return or([eb('paused_why', 'is', null), eb('paused_why', '!=', unreadable)]);
}

export function digestsIn(db: Db) {
  /** Oldest first. */
  const page = async (query: ReturnType<typeof listedIn>, limit: number, from: number) => {
    const sorted = query.selectAll().orderBy('created_at').orderBy('id');
    return readableDigests(await sorted.limit(limit).offset(from).execute());
  };

  return {
    // One transaction, so that two new digests cannot both be the last one that fits.
    add: (
      settings: DigestSettings,
      createdBy: string,
      nextDue: number | undefined,
      at: number,
      maxOwned?: number,
    ) =>
      inTransaction(db, async (trx) => {
        if (await isFull(trx, settings.owner, maxOwned)) throw new TooManyDigests();
        const id = randomId();
        await trx
          .insertInto('digests')
          .values({
            id,
            ...columnsOf(settings),
            covered_until: settings.audience ? at : null,
            created_by: createdBy,
            state: 'active',
            next_due: nextDue,
            revision: 1,
            failures: 0,
            created_at: at,
          })
          .execute();
        return id;
      }),

    /** Also finds a deleted digest while the deletion can be undone. @throws UnreadableDigest */
    async find(id: string) {
      const row = await rowsOf(db, 'digests', { id }).selectAll().executeTakeFirst();
      const digest = row && digestOrError(row);
      if (digest instanceof UnreadableDigest) throw digest;
      return digest;
    },

    /** Oldest first. */
    inChannel: (channel: string, limit: number, from = 0) =>
      page(listedIn(db).where('channel', '=', channel), limit, from),

    /** Sorted by channel, then oldest first. */
    inChannels(
      channels: readonly string[],
      limit: number,
      { from = 0, excludeOwner }: { readonly from?: number; readonly excludeOwner?: string } = {},
    ) {
      const theirs = listedIn(db)
        .where('channel', 'in', channels)
        .$if(excludeOwner !== undefined, (all) => all.where('owner', '!=', excludeOwner ?? ''));
      return page(theirs.orderBy('channel'), limit, from);
    },

    ownedBy: (owner: string, limit: number, from = 0) =>
      page(listedIn(db).where('owner', '=', owner), limit, from),

    countOwnedBy: (owner: string) => countOwnedBy(db, owner),

    /** Earliest due time first. */
    async due(now: number, limit: number) {
      const due = db.selectFrom('digests').selectAll().where('next_due', '<=', now);
      return (await due.orderBy('next_due').limit(limit).execute()).map(digestOrError);
    },

    /** One page of active digests, sorted by ID. `after` is the last ID of the previous page. */
    async active(limit: number, after = '') {
      const page = rowsOf(db, 'digests', { state: 'active', deleted_at: null }).selectAll();
      return (await page.where('id', '>', after).orderBy('id').limit(limit).execute()).map(digestOrError);
    },

    /**
     * Changes a digest. Runs that a worker has claimed but not begun to post start again with the new settings.
     * Returns false if the digest has another revision by now.
     */
    change: (
      id: string,
      revision: number,
      { state, pauseReason, nextDue, acceptedAt, maxOwned, coveredUntil, ...settings }: DigestChange,
    ) =>
      inTransaction(db, async (trx) => {
        if (settings.owner !== undefined && (await isFull(trx, settings.owner, maxOwned))) return false;
        const before = await rowsOf(trx, 'digests', { id })
          .select(['request', 'condition'])
          .executeTakeFirst();
        const changed = await trx
          .updateTable('digests')
          .set({
            ...columnsOf(settings),
            state,
            paused_why: state && (pauseReason ?? null),
            failures: state === 'paused' ? undefined : 0,
            ...(settings.owner === undefined ? {} : noOffer),
            handed_over_at: acceptedAt,
            covered_until: coveredUntil,
            next_due: nextDue,
            revision: plusOne('revision'),
          })
          .where(having<'digests'>({ id, revision, deleted_at: null }))
          .$if(acceptedAt !== undefined, (digest) =>
            digest.where('pending_owner', '=', settings.owner ?? null),
          )
          .executeTakeFirst();
        if (changed.numUpdatedRows === 0n) return false;
        if (before && waitsForOther(before, settings)) {
          await forgetAlert(trx, id);
          await forgetLastRows(trx, id);
        }
        await restartRunning(trx, id);
        return true;
      }),

    /** As `setOffer`. The owner stays until the new one accepts. */
    offer: (id: string, revision: number, to: string | undefined, at: number) =>
      setOffer(db, 'digests', { id, revision }, to, at),

    /** Skips digests that changed since. */
    reschedule: (times: readonly Rescheduling[]) =>
      inTransaction(db, async (trx) => {
        for (const { id, revision, previousDue, nextDue } of times) {
          await changeRows(trx, 'digests', { id, revision, next_due: previousDue }, { next_due: nextDue });
        }
      }),

    /** Pauses a digest without reading its settings. Returns false if it is not active. */
    quarantine: async (id: string, why: PauseReason) =>
      (await changeRows(db, 'digests', { id, state: 'active', deleted_at: null }, pausedFor(why))) > 0,

    async delete(id: string, at: number) {
      const set = { deleted_at: at, next_due: null, revision: plusOne('revision') };
      return (await changeRows(db, 'digests', { id, deleted_at: null }, set)) > 0;
    },

    /** Undoes a deletion made at or after `since`. What came due before `at` is not made up. */
    async restore(id: string, since: number, nextDue: number | null, at?: number) {
      const times = { next_due: nextDue, covered_until: at };
      const set = { deleted_at: null, ...times, revision: plusOne('revision') };
      return (await changeRows(db, 'digests', { id, deleted_at: is('>=', since) }, set)) > 0;
    },

    /** Deletes at most `limit` digests that were deleted before a time, with what they remember. */
    deleteBefore: (time: number, limit: number) =>
      inTransaction(db, async (trx) => {
        const deleted = await deleteByAge(trx, 'digests', time, limit);
        if (deleted > 0) {
          await deleteAlertsWithoutDigest(trx);
          await deleteReadersWithoutDigest(trx);
        }
        return deleted;
      }),

    /** All digests for managers that are not deleted, the oldest first. */
    async listForManagers() {
      const found = rowsOf(db, 'digests', { audience: 'managers', deleted_at: null }).where(isListed);
      return readableDigests(await found.selectAll().orderBy('created_at').orderBy('id').execute());
    },

    async succeeded(id: string) {
      // Avoids a write in the usual case of no failures.
      await changeRows(db, 'digests', { id, failures: is('>', 0) }, { failures: 0 });
    },
  };
}

/** Whether a change gives a digest another condition, or figures of something else. */
function waitsForOther(
  before: Pick<DigestRow, 'request' | 'condition'>,
  { request, when }: Pick<DigestChange, 'request' | 'when'>,
): boolean {
  if (when !== undefined && before.condition !== (when && JSON.stringify(when))) return true;
  if (!request || before.request === JSON.stringify(request)) return false;
  const [earlier, later] = [JSON.parse(before.request), request].map((one) => JSON.stringify(countedBy(one)));
  return earlier !== later;
}

/** A new revision makes workers and open forms notice it. */
export function pausedFor(why: string) {
  return { state: 'paused', paused_why: why, next_due: null, revision: plusOne('revision') } as const;
}

function listedIn(db: Db) {
  return rowsOf(db, 'digests', { deleted_at: null }).where(isListed);
}

async function countOwnedBy(db: Db, owner: string): Promise<number> {
  const { count } = await listedIn(db)
    .where('owner', '=', owner)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

async function isFull(db: Db, owner: string, maxOwned: number | undefined): Promise<boolean> {
  return maxOwned !== undefined && (await countOwnedBy(db, owner)) >= maxOwned;
}

/** In an update, Kysely leaves columns that are undefined as they are. */
type Columns = Pick<DigestRow, 'channel' | 'owner' | 'request' | 'schedule' | 'skip_empty'> & {
  readonly replaces?: number;
  readonly keep_days?: number | null;
  readonly condition?: string | null;
  readonly audience?: 'managers' | null;
  readonly zones?: string | null;
  readonly approved_by?: string | null;
};
type SettingColumns<Settings> = Settings extends DigestSettings ? Columns : Partial<Columns>;

function columnsOf<Settings extends Partial<DigestSettings>>(settings: Settings): SettingColumns<Settings>;
function columnsOf({
  channel,
  owner,
  request,
  schedule,
  skipEmpty,
  replace,
  keepDays,
  when,
  audience,
  zones,
  approvedBy,
}: Partial<DigestSettings>) {
  return {
    channel,
    owner,
    request: request && JSON.stringify(request),
    schedule: schedule && JSON.stringify(schedule),
    skip_empty: skipEmpty === undefined ? undefined : Number(skipEmpty),
    replaces: replace === undefined ? undefined : Number(replace),
    keep_days: keepDays,
    condition: when && JSON.stringify(when),
    audience,
    zones: zones && JSON.stringify(zones),
    approved_by: approvedBy,
  };
}

/** Returns the error instead of throwing it, so that one unreadable digest does not stop the others. */
function digestOrError(row: Selectable<DigestRow>): Digest | UnreadableDigest {
  let settings: Pick<Digest, 'request' | 'schedule' | 'when' | 'zones'>;
  try {
    const when = row.condition === null ? undefined : readCondition(row.condition);
    const zones = row.zones === null ? undefined : readZones(row.zones);
    settings = { request: readRequest(row.request), schedule: readSchedule(row.schedule), when, zones };
  } catch (cause) {
    return new UnreadableDigest(row.id, row.owner, row.channel, { cause });
  }
  return {
    id: row.id,
    channel: row.channel,
    owner: row.owner,
    createdBy: row.created_by,
    ...settings,
    skipEmpty: row.skip_empty === 1,
    replace: row.replaces === 1 || undefined,
    keepDays: row.keep_days ?? undefined,
    state: row.state,
    pauseReason: row.paused_why ?? undefined,
    nextDue: row.next_due ?? undefined,
    revision: row.revision,
    failures: row.failures,
    createdAt: row.created_at,
    pendingOwner: pendingOwnerOf(row),
    handedOverAt: row.handed_over_at ?? undefined,
    deletedAt: row.deleted_at ?? undefined,
    audience: row.audience ?? undefined,
    approvedBy: row.approved_by ?? undefined,
    coveredUntil: row.covered_until ?? undefined,
  };
}

export function readableDigests(rows: readonly Selectable<DigestRow>[]): readonly Digest[] {
  return rows.map(digestOrError).flatMap((digest) => (digest instanceof UnreadableDigest ? [] : [digest]));
}
