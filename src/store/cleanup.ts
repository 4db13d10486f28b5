import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../logging/logger.js';
import { type Clock, repeatedBy } from '../time/clock.js';
import { expiringTables, replacedDatabasesMs, retentionMs, uninstalledMs } from './database/expiry.js';
import type { LeadingStore, Store } from './store.js';

const hour = 3_600_000;

/** Small batches keep write locks short. */
const batchSize = 100;

/** Deletes expired entries now and every hour. Returns a function that stops it. */
export function startCleanup(
  store: LeadingStore,
  clock: Clock,
  log: Log,
  keepRecordDays: number,
): () => Promise<void> {
  let hours = 0;
  const clean = async (signal: AbortSignal) => {
    const isDaily = hours % 24 === 0;
    hours += 1;
    await eraseUninstalled(store, clock.now(), log);
    await deleteExpired(store, clock.now(), keepRecordDays, signal);
    if (isDaily) await logHead(store, log);
  };
  return repeatedBy(clock, hour, clean, (err) =>
    log.warn({ err }, 'Could not delete expired entries from the database. Rollcall tries again in an hour'),
  );
}

export async function deleteExpired(
  store: LeadingStore,
  now: number,
  keepRecordDays: number,
  signal?: AbortSignal,
): Promise<void> {
  for (const table of expiringTables) {
    const before = now - retentionMs(table, keepRecordDays);
    while (!signal?.aborted && (await store.deleteBefore(table, before, batchSize)) === batchSize) {
      await nextTurn();
    }
  }
  if (!signal?.aborted) await store.deleteReplacedDatabases(now - replacedDatabasesMs);
}

/** Erases everything of a workspace from which the app was uninstalled long ago. */
export async function eraseUninstalled(
  store: Pick<Store, 'installation' | 'eraseAll' | 'compact'>,
  now: number,
  log: Log,
): Promise<void> {
  const at = await store.installation.uninstalledAt();
  if (at === undefined || now - at < uninstalledMs) return;
  await store.eraseAll();
  const compaction = await store.compact();
  log.warn({ compaction }, 'Rollcall was uninstalled 30 days ago, so all data of the workspace was erased');
}

/** The log is stored elsewhere, so that no one can cut off the record without a trace. */
export async function logHead({ events }: Pick<Store, 'events'>, log: Log): Promise<void> {
  const { seq, hash } = await events.head();
  if (seq > 0) log.info({ head: `${seq}:${hash}` }, 'The record of access reaches up to this head');
}
