import type { Kysely } from 'kysely';
import type { Ledger } from '../digests/ledger.js';
import type { DigestDrafts, DigestNotifications, DigestOutages, Digests } from '../digests/store-ports.js';
import type { ChannelAges, PostedItems } from '../posts/posted-items.js';
import type { AnswerTotalsStore } from '../runner/answer-totals.js';
import type { LastFigures } from '../runner/ports.js';
import { type Approvals, approvalsIn } from './access/approvals.js';
import type { EventHead } from './access/event-chain.js';
import { type Events, eventsIn } from './access/events.js';
import { type FormSearches, formSearchesIn } from './access/form-searches.js';
import { useRecordKey } from './access/record-keys.js';
import { type AccessRules, type Admins, accessRulesIn, adminsIn } from './access/rules.js';
import { deleteReplaced } from './backup.js';
import { type Compaction, compact, vacuum } from './compact.js';
import { openDatabase, toFailure } from './database.js';
import { digestsIn } from './digests/digests.js';
import { digestDraftsIn } from './digests/drafts.js';
import { digestNotificationsIn } from './digests/notifications.js';
import { digestOutagesIn } from './digests/outages.js';
import { type ErasedData, eraseAll, erasePerson } from './erase-person.js';
import { type Installation, installationIn } from './installation.js';
import { ledgerIn } from './ledger/ledger.js';
import { channelAgesIn, postedItemsIn } from './ledger/posted-items.js';
import { isPostgresUrl } from './location.js';
import { newProcessName } from './membership.js';
import { type Overview, overviewIn } from './overview.js';
import { type RecordKey, recordKeyBeside, recordKeyOf } from './record-key.js';
import { answerTotalsIn } from './requests/answer-totals.js';
import { type BuilderDrafts, builderDraftsIn } from './requests/builder-drafts.js';
import { lastFiguresIn } from './requests/last-figures.js';
import { queryTurnsIn, type StoredQueryTurns } from './requests/query-turns.js';
import { type RequestLog, requestLogIn } from './requests/request-log.js';
import { type SuggestionStore, suggestionsIn } from './requests/suggestions.js';
import { type SavedReports, savedReportsIn } from './saved-reports/saved-reports.js';
import type { Tables } from './schema.js';
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
  readonly formSearches: FormSearches;
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
  readonly installation: Installation;
  readonly overview: Overview;
  /**
   * Removes a person from all stored data.
   *
   * @param people one or all of: Slack user IDs, e-mail addresses, names, learner IDs
   * @param options `isRehearsal`: only tells what would be erased
   */
  erasePerson(
    people: string | readonly string[],
    options?: { readonly isRehearsal?: boolean },
  ): Promise<ErasedData>;
  /** Removes all data of the workspace. */
  eraseAll(): Promise<void>;
  /**
   * Removes what was erased from the bytes of the files.
   *
   * @throws `database-unusable`
   */
  compact(): Promise<Compaction>;
  /**
   * Makes a new database that of a workspace. Until then, the store works with the workspace in the database.
   *
   * @throws `database-of-another-workspace`
   */
  useWorkspace(id: string): Promise<void>;
  /**
   * Makes the key of this process that of the record. The commands of `rollcall` only work with the key that it has.
   *
   * @param hasEnded true for a process that writes nothing any more
   * @returns the last event with another key, after which the record goes on; undefined if there is none
   * @throws `record-key-differs` if a process that runs has another key
   */
  useRecordKey(hasEnded: (process: string) => Promise<boolean>): Promise<EventHead | undefined>;
  /** The files beside the database that `rollcall restore` has replaced. */
  readonly replacedDatabases: { deleteBefore(time: number): Promise<number> };
  /**
   * The same data, for work of the leader. With PostgreSQL, writes throw `not-leading` once another process leads, except
   * those that record an answer of Slack.
   */
  readonly leading: LeadingStore;
  close(): Promise<void>;
}

export type LeadingStore = Omit<Store, 'leading' | 'useWorkspace' | 'close'>;

interface StoreOptions {
  /** The name of this process among those that use the database. */
  readonly process?: string | undefined;
  /** `RECORD_KEY`. Absent: the one in a file beside the SQLite file, which is made if it is not there. */
  readonly recordKey?: string | undefined;
  /** Called once the disk did not take a commit of SQLite. Every query fails from then on. */
  readonly onUnsaved?: ((error: unknown) => void) | undefined;
}

/**
 * Opens the store, and creates its tables if necessary.
 *
 * @param location the path of an SQLite file, or the address of a PostgreSQL database
 * @throws `database-unusable`, `database-too-new`, `record-key-unusable`
 */
export async function openStore<BuilderDraft = unknown>(
  location: string,
  now: () => number,
  { process = newProcessName(), recordKey, onUnsaved }: StoreOptions = {},
): Promise<Store<BuilderDraft>> {
  let workspace = '';
  const opened = await openLocation(location, now, process, onUnsaved);
  const { db: whole, fenced, name, ...files } = opened;
  try {
    workspace = await workspaceOf(whole);
    const key = keyOf(location, recordKey);
    const limited = (db: Kysely<Tables>) => db.withPlugin(new WorkspacePlugin(() => workspace));
    const store = {
      ...storeIn<BuilderDraft>(limited(whole), now, process, key),
      replacedDatabases: { deleteBefore: files.deleteReplacedBefore },
      compact: files.compact,
    };
    return {
      ...store,
      leading: fenced ? fencedStore(store, limited(fenced), now, process, key) : store,
      async useWorkspace(id) {
        await claimDatabase(whole, name, id);
        workspace = id;
      },
      close: () => whole.destroy(),
    };
  } catch (error) {
    await whole.destroy();
    throw isPostgresUrl(location) ? error : toFailure(name, error);
  }
}

function keyOf(location: string, recordKey: string | undefined): RecordKey {
  if (recordKey !== undefined) return recordKeyOf(recordKey);
  if (isPostgresUrl(location)) throw new Error('PostgreSQL needs RECORD_KEY');
  return recordKeyBeside(location);
}

/** The parts that differ between SQLite and PostgreSQL. */
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
  process: string,
  onUnsaved: ((error: unknown) => void) | undefined,
): Promise<OpenedDatabase> {
  if (isPostgresUrl(location)) {
    // Loaded here, because most installations use SQLite.
    const { openPostgres } = await import('./postgres/open-postgres.js');
    const opened = await openPostgres(location, now, process);
    return { ...opened, compact: () => vacuum(opened.db), deleteReplacedBefore: async () => 0 };
  }
  const db = openDatabase(location, now, undefined, onUnsaved);
  return {
    db,
    name: location,
    deleteReplacedBefore: async (time) => deleteReplaced(location, time),
    compact: () =>
      compact(db).catch((error) => {
        throw toFailure(location, error);
      }),
  };
}

/**
 * Answers of Slack are recorded even by a process that no longer leads. A claim protects these writes: they change
 * nothing once another worker has the post.
 */
function fencedStore(
  store: LeadingStore,
  db: Kysely<Tables>,
  now: () => number,
  process: string,
  key: RecordKey,
): LeadingStore {
  const { markPosted, markUnconfirmed, markFailed, release } = store.ledger;
  const fenced = storeIn(db, now, process, key);
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
  key: RecordKey,
): Omit<Store<BuilderDraft>, 'leading' | 'useWorkspace' | 'compact' | 'close' | 'replacedDatabases'> {
  return {
    requestLog: requestLogIn(db, process, key),
    queryTurns: queryTurnsIn(db, process),
    approvals: approvalsIn(db, key),
    accessRules: accessRulesIn(db, key),
    admins: adminsIn(db, key),
    events: eventsIn(db, now, key),
    formSearches: formSearchesIn(db, now, key),
    seenEnvelopes: seenEnvelopesIn(db),
    inbox: inboxIn(db, process),
    lastFigures: lastFiguresIn(db, key),
    answerTotals: answerTotalsIn(db, key),
    builderDrafts: builderDraftsIn(db),
    suggestions: suggestionsIn(db),
    savedReports: savedReportsIn(db),
    digests: digestsIn(db),
    ledger: ledgerIn(db, process, key),
    postedItems: postedItemsIn(db),
    channelAges: channelAgesIn(db),
    digestDrafts: digestDraftsIn(db),
    digestNotifications: digestNotificationsIn(db),
    digestOutages: digestOutagesIn(db),
    installation: installationIn(db),
    overview: overviewIn(db),
    erasePerson: (people, options) => erasePerson(db, key, { people: [people].flat(), ...options }, now()),
    eraseAll: () => eraseAll(db),
    useRecordKey: (hasEnded) => useRecordKey(db, key, { process, hasEnded }, now()),
  };
}
