import { nextDueOf } from '../digests/digest.js';
import { readSchedule, readZones } from '../digests/stored-settings.js';
import { changeRows, having, inTransaction, plusOne, rowsOf } from './database/rows.js';
import type { Db, Tables } from './database/schema.js';
import type { WorkspaceTable } from './database/workspace.js';
import { pausedFor } from './digests/digests.js';
import { skipAll } from './posts/waiting.js';

/** Whether the app is installed in the workspace that `db` is limited to. Times are milliseconds since the epoch. */
export function installationIn(db: Db) {
  // The table has one row: the workspace of the database.
  const workspaces = (of: Db) => of.withoutPlugins().withTables<WorkspaceTable>();

  async function uninstalledAt(of: Db): Promise<number | undefined> {
    const row = workspaces(of).selectFrom('rollcall_workspace').select('uninstalled_at');
    return (await row.executeTakeFirst())?.uninstalled_at ?? undefined;
  }

  return {
    /** When Slack reported that the app was uninstalled; undefined while it is installed. */
    uninstalledAt: () => uninstalledAt(db),

    /** Pauses all digests and skips their open runs. A repeated event keeps the first time. */
    markUninstalled: (at: number) =>
      inTransaction(db, async (trx) => {
        const workspace = workspaces(trx).updateTable('rollcall_workspace').set({ uninstalled_at: at });
        await workspace.where('uninstalled_at', 'is', null).execute();
        const paused = await trx
          .updateTable('digests')
          .set(pausedFor('uninstalled'))
          .where(having<'digests'>({ state: 'active', deleted_at: null }))
          .returning('id')
          .execute();
        for (const { id } of paused) await skipAll(trx, id, 'uninstalled', at);
      }),

    /** Resumes the digests that paused for it, from their next times on. Returns false if the app was installed already. */
    markInstalled: (at: number) =>
      inTransaction(db, async (trx) => {
        if ((await uninstalledAt(trx)) === undefined) return false;
        const paused = rowsOf(trx, 'digests', { state: 'paused', paused_why: 'uninstalled' });
        const columns = ['id', 'schedule', 'audience', 'zones'] as const;
        for (const { id, ...timed } of await paused.select(columns).execute()) {
          const times = { next_due: nextDue(timed, at), covered_until: at, revision: plusOne('revision') };
          await changeRows(trx, 'digests', { id }, { state: 'active', paused_why: null, ...times });
        }
        await workspaces(trx).updateTable('rollcall_workspace').set({ uninstalled_at: null }).execute();
        return true;
      }),
  };
}

/** Now for settings that are invalid, so that the scheduler finds them and tells the owner. */
function nextDue(
  { schedule, audience, zones }: Pick<Tables['digests'], 'schedule' | 'audience' | 'zones'>,
  at: number,
): number | null {
  try {
    const inZones = zones === null ? undefined : readZones(zones);
    return nextDueOf({ schedule: readSchedule(schedule), audience, zones: inZones }, at) ?? null;
  } catch {
    return at;
  }
}
