import type { Log } from '../logging/logger.js';
import type { Clock } from '../time/clock.js';
import type { LeadingStore, Store } from './store.js';

const hour = 3_600_000;
const day = 24 * hour;

/**
 * How long what is kept, in milliseconds. Slack repeats an event for at most 25 hours.
 *
 * @param keepRecordDays KEEP_RECORD_DAYS
 */
export function retentionFor(keepRecordDays: number) {
  const record = keepRecordDays * day;
  return {
    requests: record,
    events: record,
    seenEnvelopes: 2 * day,
    inbox: 2 * day,
    /** Those of digests and saved reports stay as long as these. */
    lastFigures: record,
    answerTotals: day,
    builderDrafts: 7 * day,
    suggestions: 56 * day,
    /** After the deletion, which people can undo for ten minutes. */
    savedReports: hour,
    runs: record,
    /** At least as long as a setting can keep messages. */
    postedItems: 400 * day,
    /** Databases that `rollcall restore` replaced. */
    replacedDatabases: 30 * day,
    deletedDigests: day,
    digestNotifications: record,
    digestOutages: record,
    digestDrafts: 7 * day,
    /** Everything, after Slack told that the app was uninstalled. */
    uninstalled: uninstalledMs,
  } as const;
}

const uninstalledMs = 30 * day;

/** Small batches keep write locks short. */
const batchSize = 100;

/** Deletes expired entries now and every hour. Returns a function that stops it. */
export function startCleanup(
  store: LeadingStore,
  clock: Clock,
  log: Log,
  keepRecordDays: number,
): () => Promise<void> {
  const stop = new AbortController();
  const done = deleteExpiredHourly(store, clock, log, keepRecordDays, stop.signal);
  return async () => {
    stop.abort();
    await done;
  };
}

export async function deleteExpired(
  store: LeadingStore,
  now: number,
  keepRecordDays: number,
  signal?: AbortSignal,
): Promise<void> {
  const retentionMs = retentionFor(keepRecordDays);
  const subjects = [
    [store.requestLog, retentionMs.requests],
    [store.events, retentionMs.events],
    [store.seenEnvelopes, retentionMs.seenEnvelopes],
    [store.inbox, retentionMs.inbox],
    [store.lastFigures, retentionMs.lastFigures],
    [store.answerTotals, retentionMs.answerTotals],
    [store.builderDrafts, retentionMs.builderDrafts],
    [store.suggestions, retentionMs.suggestions],
    [store.savedReports, retentionMs.savedReports],
    [store.ledger, retentionMs.runs],
    [store.postedItems, retentionMs.postedItems],
    [store.digests, retentionMs.deletedDigests],
    [store.digestNotifications, retentionMs.digestNotifications],
    [store.digestOutages, retentionMs.digestOutages],
    [store.digestDrafts, retentionMs.digestDrafts],
    [store.replacedDatabases, retentionMs.replacedDatabases],
  ] as const;
  for (const [subject, maxAgeMs] of subjects) {
    while (!signal?.aborted && (await subject.deleteBefore(now - maxAgeMs, batchSize)) === batchSize) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

async function deleteExpiredHourly(
  store: LeadingStore,
  clock: Clock,
  log: Log,
  keepRecordDays: number,
  signal: AbortSignal,
): Promise<void> {
  for (let hours = 0; !signal.aborted; hours += 1) {
    try {
      await eraseUninstalled(store, clock.now(), log);
      await deleteExpired(store, clock.now(), keepRecordDays, signal);
      if (hours % 24 === 0) await logHead(store, log);
    } catch (error) {
      log.warn(
        { err: error },
        'Could not delete expired entries from the database. Rollcall tries again in an hour',
      );
    }
    await clock.sleep(hour, signal).catch(() => {});
  }
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

/** The log is kept elsewhere, so that nobody can cut off the record without a trace. */
export async function logHead({ events }: Pick<Store, 'events'>, log: Log): Promise<void> {
  const { seq, hash } = await events.head();
  if (seq > 0) log.info({ head: `${seq}:${hash}` }, 'The record of access reaches up to this head');
}
