import type { DigestDraft } from '../digests/digest.js';
import { type RecordKey, recordKeyOf, useRecordKey } from './access/event-chain.js';
import { evidenceIn } from './access/evidence.js';
import { formSearchesIn } from './access/form-searches.js';
import { personNumbersIn, sentRowsIn } from './access/person-numbers.js';
import { recordKeyBeside } from './access/record-key.js';
import { accessRulesIn, adminsIn, approvalsIn, recordSettingsIn } from './access/rules.js';
import { deleteReplaced } from './database/backup.js';
import { compact, openDatabase, toFailure, vacuum } from './database/database.js';
import { deleteByAge } from './database/expiry.js';
import { isPostgresUrl } from './database/location.js';
import { inTransaction } from './database/rows.js';
import type { Db, TableName } from './database/schema.js';
import { claimDatabase, WorkspacePlugin, workspaceOf } from './database/workspace.js';
import { alertStatesIn } from './digests/alert-states.js';
import { digestsIn } from './digests/digests.js';
import { managerReadersIn } from './digests/manager-readers.js';
import { digestNotificationsIn } from './digests/notifications.js';
import { digestOutagesIn } from './digests/outages.js';
import { eraseAll, erasePerson } from './erasure/erase-person.js';
import { eventsIn } from './erasure/events.js';
import { keptDataIn } from './erasure/kept-data.js';
import { ownRecordIn } from './erasure/own-record.js';
import { installationIn } from './installation.js';
import { ledgerIn } from './ledger/ledger.js';
import { newProcessName } from './membership.js';
import { overviewIn } from './overview.js';
import { channelAgesIn, postedItemsIn } from './posts/posts.js';
import { inboxIn, seenDeliveriesIn } from './requests/inbox.js';
import { longQuestionsIn } from './requests/long-questions.js';
import { queryTurnsIn } from './requests/query-turns.js';
import { requestLogIn } from './requests/request-log.js';
import { answerTotalsIn, lastFiguresIn } from './requests/stored-figures.js';
import { suggestionsIn } from './requests/suggestions.js';
import { unitTotalsIn } from './requests/unit-totals.js';
import { draftsIn } from './saved/drafts.js';
import { savedReportsIn } from './saved/saved-reports.js';

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
) {
  let workspace = '';
  const opened = await openLocation(location, now, process, onUnsaved);
  const { db: whole, fenced, name, ...files } = opened;
  try {
    workspace = await workspaceOf(whole);
    const key = keyOf(location, recordKey);
    const limited = (db: Db) => db.withPlugin(new WorkspacePlugin(() => workspace));
    const subjectsIn = (db: Db) => storeIn<BuilderDraft>(limited(db), now, process, key);
    const store = {
      ...subjectsIn(whole),
      /** Deletes the files beside the database that `rollcall restore` replaced before a time. */
      deleteReplacedDatabases: files.deleteReplacedBefore,
      /** Removes what was erased from the bytes of the files. @throws DatabaseUnusable */
      compact: files.compact,
    };
    return {
      ...store,
      /**
       * The same data, for work of the leader. With PostgreSQL, writes throw NotLeading once another process leads, except
       * those that record an answer of Slack.
       */
      leading: fenced ? fencedStore(store, subjectsIn(fenced), fenced) : store,
      /**
       * Makes a new database that of a workspace. Until then, the store works with the workspace in the database.
       *
       * @throws DatabaseOfAnotherWorkspace
       */
      async useWorkspace(id: string) {
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

export type Store<BuilderDraft = unknown> = Awaited<ReturnType<typeof openStore<BuilderDraft>>>;

export type LeadingStore = Store['leading'];

function keyOf(location: string, recordKey: string | undefined): RecordKey {
  if (recordKey !== undefined) return recordKeyOf(recordKey);
  if (isPostgresUrl(location)) throw new Error('PostgreSQL needs RECORD_KEY');
  return recordKeyBeside(location);
}

/** The parts that differ between SQLite and PostgreSQL. */
async function openLocation(
  location: string,
  now: () => number,
  process: string,
  onUnsaved: ((error: unknown) => void) | undefined,
) {
  if (isPostgresUrl(location)) {
    // Loaded here, because most installations use SQLite.
    const { openPostgres } = await import('./postgres/open-postgres.js');
    const opened = await openPostgres(location, now, process);
    return { ...opened, compact: () => vacuum(opened.db), deleteReplacedBefore: async (_time: number) => 0 };
  }
  const db = openDatabase(location, now, undefined, onUnsaved);
  return {
    db,
    /** Refuses to write while another process leads; absent where there is one process. */
    fenced: undefined,
    /** How messages name it. */
    name: location,
    deleteReplacedBefore: async (time: number) => deleteReplaced(location, time),
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
function fencedStore<Unfenced extends ReturnType<typeof storeIn>>(
  store: Unfenced,
  fenced: ReturnType<typeof storeIn>,
  db: Db,
): Unfenced {
  const { markPosted, markUnconfirmed, markFailed, release } = store.ledger;
  /** For what Slack is called with before anything is written. */
  const asLeader =
    <Found>(find: (at: number, limit: number) => Promise<Found>) =>
    (at: number, limit: number) =>
      inTransaction(db, async () => {}).then(() => find(at, limit));
  const { digestNotifications, postedItems } = fenced;
  return {
    ...store,
    ...fenced,
    events: store.events,
    ledger: { ...fenced.ledger, markPosted, markUnconfirmed, markFailed, release },
    digestNotifications: {
      ...digestNotifications,
      sent: store.digestNotifications.sent,
      ready: asLeader(digestNotifications.ready),
    },
    postedItems: { ...postedItems, due: asLeader(postedItems.due) },
  };
}

/**
 * All stored data of one Slack workspace, by subject. Times are milliseconds since the epoch.
 *
 * @param db limited to one workspace
 * @param process the name of this process
 */
export function storeIn<BuilderDraft>(db: Db, now: () => number, process: string, key: RecordKey) {
  const requestLog = requestLogIn(db, process, key);
  const events = eventsIn(db, now, key);
  const lastFigures = lastFiguresIn(db, key);
  const digests = digestsIn(db);
  const personNumbers = personNumbersIn(db, now, key);
  const sentRows = sentRowsIn(db, personNumbers);
  const recordSettings = recordSettingsIn(db, key);
  /** Tables whose rows expire by a rule of their own. */
  const own: Partial<Record<TableName, { deleteBefore(time: number, limit: number): Promise<number> }>> = {
    requests: requestLog,
    event_chain: events,
    last_figures: lastFigures,
    digests,
    person_numbers: personNumbers,
    account_addresses: { deleteBefore: personNumbers.deleteAccountsBefore },
  };
  return {
    requestLog,
    queryTurns: queryTurnsIn(db, process),
    longQuestions: longQuestionsIn(db, process, now, key),
    approvals: approvalsIn(db, key),
    accessRules: accessRulesIn(db, key),
    admins: adminsIn(db, key),
    events,
    personNumbers,
    evidence: evidenceIn(db, key),
    recordSettings,
    sentRows,
    ownRecord: ownRecordIn(db, {
      events,
      sentRows,
      personNumbers,
      askerNamesFrom: recordSettings.askerNamesFrom,
    }),
    keptData: keptDataIn(db),
    formSearches: formSearchesIn(db, now, key),
    seenDeliveries: seenDeliveriesIn(db),
    inbox: inboxIn(db, process),
    lastFigures,
    answerTotals: answerTotalsIn(db, key),
    unitTotals: unitTotalsIn(db, now, key, events),
    builderDrafts: draftsIn<BuilderDraft>(db, 'builder_drafts'),
    suggestions: suggestionsIn(db),
    savedReports: savedReportsIn(db),
    digests,
    alertStates: alertStatesIn(db, key),
    managerReaders: managerReadersIn(db, key),
    ledger: ledgerIn(db, process, key),
    postedItems: postedItemsIn(db),
    channelAges: channelAgesIn(db, key),
    digestDrafts: draftsIn<DigestDraft>(db, 'digest_drafts'),
    digestNotifications: digestNotificationsIn(db),
    digestOutages: digestOutagesIn(db),
    installation: installationIn(db),
    overview: overviewIn(db),
    /** Deletes at most `limit` rows of a table that expired before `time`. Returns how many. */
    deleteBefore: (table: TableName, time: number, limit: number) =>
      own[table]?.deleteBefore(time, limit) ?? deleteByAge(db, table, time, limit),
    /**
     * Removes a person from all stored data.
     *
     * @param people one or all of: Slack user IDs, e-mail addresses, names, learner IDs
     * @param options `isRehearsal`: only tells what would be erased
     */
    erasePerson: (people: string | readonly string[], options?: { readonly isRehearsal?: boolean }) =>
      erasePerson(db, key, { people: [people].flat(), ...options }, now()),
    eraseAll: () => eraseAll(db),
    /**
     * Makes the key of this process that of the record. The commands of `rollcall` only work with the key that it has.
     *
     * @param hasEnded true for a process that writes nothing any more
     * @returns the last event with another key, after which the record continues; undefined if there is none
     * @throws RecordKeyDiffers if a process that runs has another key
     */
    useRecordKey: (hasEnded: (process: string) => Promise<boolean>) =>
      useRecordKey(db, key, { process, hasEnded }, now()),
  };
}
