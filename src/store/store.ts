import type { Kysely } from 'kysely';
import type { Ledger } from '../digests/ledger.js';
import type {
  DigestDrafts,
  DigestGrace,
  DigestNotifications,
  DigestOutages,
  Digests,
} from '../digests/store-ports.js';
import type { Log } from '../logging/logger.js';
import type { ChannelAges, PostedItems } from '../posts/posted-items.js';
import type { AnswerTotalsStore } from '../runner/answer-totals.js';
import type { LastFigures } from '../runner/ports.js';
import type { Clock } from '../time/clock.js';
import { type Approvals, approvalsIn } from './access/approvals.js';
import { type Events, eventsIn } from './access/events.js';
import { type AccessRules, type Admins, accessRulesIn, adminsIn } from './access/rules.js';
import { deleteReplaced } from './backup.js';
import { type Compaction, compact, vacuum } from './compact.js';
import { openDatabase, type Tables, toKnownError } from './database.js';
import { digestsIn } from './digests/digests.js';
import { digestDraftsIn } from './digests/drafts.js';
import { digestGraceIn } from './digests/grace.js';
import { digestNotificationsIn } from './digests/notifications.js';
import { digestOutagesIn } from './digests/outages.js';
import { type ErasedData, eraseAll, erasePerson } from './erase-person.js';
import { type Installation, installationIn } from './installation.js';
import { ledgerIn } from './ledger/ledger.js';
import { channelAgesIn, postedItemsIn } from './ledger/posted-items.js';
import { isPostgresUrl } from './location.js';
import { newProcessName } from './membership.js';
import { type Overview, overviewIn } from './overview.js';
import { answerTotalsIn } from './requests/answer-totals.js';
import { type BuilderDrafts, builderDraftsIn } from './requests/builder-drafts.js';
import { lastFiguresIn } from './requests/last-figures.js';
import { queryTurnsIn, type StoredQueryTurns } from './requests/query-turns.js';
import { type RequestLog, requestLogIn } from './requests/request-log.js';
import { type SuggestionStore, suggestionsIn } from './requests/suggestions.js';
import { type SavedReports, savedReportsIn } from './saved-reports/saved-reports.js';
import { type Inbox, inboxIn } from './slack/inbox.js';
import { type SeenEnvelopes, seenEnvelopesIn } from './slack/seen-deliveries.js';
import { claimDatabase, WorkspacePlugin, workspaceOf } from './workspace.js';

/** All stored data of one Slack workspace, by subject. Times are milliseconds since the epoch. */
export interface Store<BuilderDraft = unknown> {
  readonly requestLog: RequestLog;
  readonly queryTurns: StoredQueryTurns;
  readonly approvals: Approvals;
  readonly accessRules: AccessRules;
  readonly admins: Admins;
  readonly events: Events;
  readonly seenEnvelopes: SeenEnvelopes;
  readonly inbox: Inbox;
  readonly lastFigures: LastFigures;
  readonly answerTotals: AnswerTotalsStore;
  readonly builderDrafts: BuilderDrafts<BuilderDraft>;
  readonly suggestions: SuggestionStore;
  readonly savedReports: SavedReports;
  readonly digests: Digests;
  readonly ledger: Ledger;
  readonly postedItems: PostedItems;
  readonly channelAges: ChannelAges;
  readonly digestDrafts: DigestDrafts;
  readonly digestNotifications: DigestNotifications;
  readonly digestOutages: DigestOutages;
  readonly digestGrace: DigestGrace;
  readonly installation: Installation;
  readonly overview: Overview;
  /** Removes a person from all stored data. Takes a Slack user ID or an e-mail address. */
  erasePerson(person: string): Promise<ErasedData>;
  /** Removes all data of the workspace. */
  eraseAll(): Promise<void>;
  /**
   * Removes what was erased from the bytes of the files.
   *
   * @throws DatabaseUnusable
   */
  compact(): Promise<Compaction>;
  /**
   * Makes a new database that of a workspace. Until then, the store works with the workspace in the database.
   *
   * @throws DatabaseOfAnotherWorkspace
   */
  useWorkspace(id: string): Promise<void>;
  /** The files beside the database that `rollcall restore` has replaced. */
  readonly replacedDatabases: { deleteBefore(time: number): Promise<number> };
  /**
   * The same data for what the leader alone does. With PostgreSQL, writes throw NotLeading once another process leads,
   * but for the records of what Slack has answered.
   */
  readonly leading: LeadingStore;
  close(): Promise<void>;
}

type LeadingStore = Omit<Store, 'leading' | 'useWorkspace' | 'close'>;

/**
 * Opens the store, and creates its tables if necessary.
 *
 * @param location the path of an SQLite file, or the address of a PostgreSQL database
 * @param process the name of this process among those that use the database
 * @throws DatabaseUnusable, DatabaseTooNew
 */
export async function openStore<BuilderDraft = unknown>(
  location: string,
  now: () => number,
  process: string = newProcessName(),
): Promise<Store<BuilderDraft>> {
  let workspace = '';
  const { db: whole, fenced, name, ...files } = await openLocation(location, now, () => workspace, process);
  try {
    workspace = await workspaceOf(whole);
    const limited = (db: Kysely<Tables>) => db.withPlugin(new WorkspacePlugin(() => workspace));
    const store = {
      ...storeIn<BuilderDraft>(limited(whole), now, process),
      replacedDatabases: { deleteBefore: files.deleteReplacedBefore },
      compact: files.compact,
    };
    return {
      ...store,
      leading: fenced ? fencedStore(store, limited(fenced), now, process) : store,
      async useWorkspace(id) {
        await claimDatabase(whole, name, id);
        workspace = id;
      },
      close: () => whole.destroy(),
    };
  } catch (error) {
    await whole.destroy();
    throw isPostgresUrl(location) ? error : toKnownError(name, error);
  }
}

/** What the two databases do in different ways. */
interface OpenedDatabase {
  readonly db: Kysely<Tables>;
  /** Refuses to write while another process leads; absent where there is one process. */
  readonly fenced?: Kysely<Tables>;
  /** How messages name it. */
  readonly name: string;
  readonly compact: Store['compact'];
  deleteReplacedBefore(time: number): Promise<number>;
}

async function openLocation(
  location: string,
  now: () => number,
  workspace: () => string,
  process: string,
): Promise<OpenedDatabase> {
  if (isPostgresUrl(location)) {
    // Loaded here, because most installations use SQLite.
    const { openPostgres } = await import('./postgres/open-postgres.js');
    const opened = await openPostgres(location, now, workspace, process);
    return { ...opened, compact: () => vacuum(opened.db), deleteReplacedBefore: async () => 0 };
  }
  const db = openDatabase(location, now);
  return {
    db,
    name: location,
    deleteReplacedBefore: async (time) => deleteReplaced(location, time),
    compact: () =>
      compact(db).catch((error) => {
        throw toKnownError(location, error);
      }),
  };
}

/**
 * What Slack has answered is recorded in any case. A claim protects these writes: they change nothing once another worker
 * has the post.
 */
function fencedStore(
  store: LeadingStore,
  db: Kysely<Tables>,
  now: () => number,
  process: string,
): LeadingStore {
  const { markPosted, markUnconfirmed, markFailed, release } = store.ledger;
  const fenced = storeIn(db, now, process);
  const { digestNotifications, postedItems } = fenced;
  const assertLeads = () => db.transaction().execute(async () => {});
  return {
    ...store,
    ...fenced,
    events: store.events,
    ledger: { ...fenced.ledger, markPosted, markUnconfirmed, markFailed, release },
    // Slack is called for these before anything is written.
    digestNotifications: {
      ...digestNotifications,
      sent: store.digestNotifications.sent,
      async ready(at, limit) {
        await assertLeads();
        return digestNotifications.ready(at, limit);
      },
    },
    postedItems: {
      ...postedItems,
      async due(at, limit) {
        await assertLeads();
        return postedItems.due(at, limit);
      },
    },
  };
}

/**
 * @param db limited to one workspace
 * @param process the name of this process
 */
export function storeIn<BuilderDraft>(
  db: Kysely<Tables>,
  now: () => number,
  process: string,
): Omit<Store<BuilderDraft>, 'leading' | 'useWorkspace' | 'compact' | 'close' | 'replacedDatabases'> {
  return {
    requestLog: requestLogIn(db, process),
    queryTurns: queryTurnsIn(db, process),
    approvals: approvalsIn(db),
    accessRules: accessRulesIn(db),
    admins: adminsIn(db),
    events: eventsIn(db, now),
    seenEnvelopes: seenEnvelopesIn(db),
    inbox: inboxIn(db, process),
    lastFigures: lastFiguresIn(db),
    answerTotals: answerTotalsIn(db),
    builderDrafts: builderDraftsIn(db),
    suggestions: suggestionsIn(db),
    savedReports: savedReportsIn(db),
    digests: digestsIn(db),
    ledger: ledgerIn(db, process),
    postedItems: postedItemsIn(db),
    channelAges: channelAgesIn(db),
    digestDrafts: digestDraftsIn(db),
    digestNotifications: digestNotificationsIn(db),
    digestOutages: digestOutagesIn(db),
    digestGrace: digestGraceIn(db),
    installation: installationIn(db),
    overview: overviewIn(db),
    erasePerson: (person) => erasePerson(db, person, now()),
    eraseAll: () => eraseAll(db),
  };
}

const hour = 3_600_000;
const day = 24 * hour;

/** Milliseconds. Slack repeats an event for at most 25 hours. */
export const retentionMs = {
  requests: 400 * day,
  events: 400 * day,
  seenEnvelopes: 2 * day,
  inbox: 2 * day,
  lastFigures: 400 * day,
  answerTotals: day,
  builderDrafts: 7 * day,
  suggestions: 56 * day,
  /** After the deletion, which people can undo for ten minutes. */
  savedReports: hour,
  runs: 400 * day,
  /** At least as long as a setting can keep messages. */
  postedItems: 400 * day,
  /** Databases that `rollcall restore` replaced. */
  replacedDatabases: 30 * day,
  deletedDigests: day,
  digestNotifications: 400 * day,
  digestOutages: 400 * day,
  digestGrace: 30 * day,
  digestDrafts: 7 * day,
  /** Everything, after Slack told that the app was uninstalled. */
  uninstalled: 30 * day,
} as const;

/** Small batches keep write locks short. */
const batchSize = 100;

/** Deletes expired entries now and every hour. Returns a function that stops it. */
export function startCleanup(store: LeadingStore, clock: Clock, log: Log): () => Promise<void> {
  const stop = new AbortController();
  const done = deleteExpiredHourly(store, clock, log, stop.signal);
  return async () => {
    stop.abort();
    await done;
  };
}

export async function deleteExpired(store: LeadingStore, now: number, signal?: AbortSignal): Promise<void> {
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
    [store.digestGrace, retentionMs.digestGrace],
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
  signal: AbortSignal,
): Promise<void> {
  for (let hours = 0; !signal.aborted; hours += 1) {
    try {
      await eraseUninstalled(store, clock.now(), log);
      await deleteExpired(store, clock.now(), signal);
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
  if (at === undefined || now - at < retentionMs.uninstalled) return;
  await store.eraseAll();
  const compaction = await store.compact();
  log.warn({ compaction }, 'Rollcall was uninstalled 30 days ago, so all data of the workspace was erased');
}

/** The log is kept elsewhere, so that nobody can cut off the record without a trace. */
export async function logHead({ events }: Pick<Store, 'events'>, log: Log): Promise<void> {
  const { seq, hash } = await events.head();
  if (seq > 0) log.info({ head: `${seq}:${hash}` }, 'The record of access reaches up to this head');
}
