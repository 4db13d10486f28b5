import { randomFillSync } from 'node:crypto';
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Sqlite, { type Database, SqliteError } from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { idAlphabet } from '../logging/log-id.js';
import type { AccessTables } from './access/tables.js';
import type { DigestTables } from './digests/tables.js';
import { DatabaseUnusable } from './errors.js';
import type { PostTable } from './ledger/posts.js';
import { assertKnownVersion, migrate } from './migrate.js';
import { busyTimeoutMs, GroupingDriver } from './sqlite-driver.js';
import { openWriteAheadLog } from './write-ahead-log.js';

/** Only the bot's account may read people's requests. */
export const ownerOnlyMode = 0o600;

/**
 * Opens or creates the database and applies missing migrations. The caller destroys it.
 *
 * @param onUnsaved called once the disk did not take a commit. Every query fails from then on.
 * @throws DatabaseUnusable, DatabaseTooNew
 */
export function openDatabase(
  path: string,
  now: () => number,
  openLog = openWriteAheadLog,
  onUnsaved: (error: unknown) => void = () => {},
): Kysely<Tables> {
  const database = openFile(resolve(path));
  try {
    migrate(database, now);
    // SQLite's own waits block the event loop. While the bot runs, the driver waits: for locks, and for the disk.
    database.pragma('busy_timeout = 0');
    const asKnownError = (error: unknown) => toKnownError(database.name, error);
    const driver = new GroupingDriver(database, openLog(database), asKnownError, onUnsaved);
    return new Kysely<Tables>({ dialect: new GroupingDialect({ database }, driver) });
  } catch (error) {
    database.close();
    throw toKnownError(path, error);
  }
}

class GroupingDialect extends SqliteDialect {
  constructor(
    file: { readonly database: Database },
    private readonly driver: GroupingDriver,
  ) {
    super(file);
  }

  override createDriver(): GroupingDriver {
    return this.driver;
  }
}

/** Opens the file with the bot's settings. Applies no migrations. */
export function openFile(path: string): Database {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // SQLite would create it readable for everybody. Its side files copy the mode of this file.
    closeSync(openSync(path, 'a', ownerOnlyMode));
    chmodSync(path, ownerOnlyMode);
    const database = new Sqlite(path, { timeout: busyTimeoutMs });
    try {
      // Before the first write, so that a file of another program stays unchanged.
      assertKnownVersion(database);
      database.pragma('journal_mode = WAL');
      database.pragma('synchronous = FULL');
      database.pragma('foreign_keys = ON');
      // Deleted data is overwritten.
      database.pragma('secure_delete = ON');
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw toKnownError(path, error);
  }
}

/** Turns an error of the system or SQLite into DatabaseUnusable. Returns other errors unchanged. */
export function toKnownError(path: string, error: unknown): unknown {
  if (error instanceof SqliteError) return new DatabaseUnusable(path, error.code, { cause: error });
  if (error instanceof Error && 'syscall' in error && 'code' in error) {
    return new DatabaseUnusable(path, String(error.code), { cause: error });
  }
  return error;
}

/** Random bytes for the next IDs, because one call for each character would be slow. */
const randomBytesKept = new Uint8Array(1024);
let nextRandom = randomBytesKept.length;

/** A random ID that nobody can guess: ten characters, about 49 bits. */
export function randomId(): string {
  let id = '';
  while (id.length < 10) {
    if (nextRandom === randomBytesKept.length) {
      randomFillSync(randomBytesKept);
      nextRandom = 0;
    }
    const byte = randomBytesKept[nextRandom] ?? 0;
    nextRandom += 1;
    // Each character is as likely as any other.
    if (byte < idAlphabet.length * Math.floor(256 / idAlphabet.length))
      id += idAlphabet[byte % idAlphabet.length];
  }
  return id;
}

/* The columns of the tables. `migrations/` creates them. `WorkspacePlugin` adds the column `workspace` to each. */

export interface Tables extends DigestTables, AccessTables {
  asks: RequestRow;
  posts: PostTable;
  seen_envelopes: { envelope: string; seen_at: number };
  last_figures: LastFiguresRow;
  /** `people`: hashes, as of `last_figures`. */
  answer_totals: { request: string; totals: string; people: string; kept_at: number };
  builder_drafts: BuilderDraftRow;
  known_values: SuggestionRow;
  saved_reports: SavedReportRow;
  posted_items: PostedItemRow;
  query_turns: QueryTurnRow;
  inbox: InboxRow;
  channel_ages: { channel: string; days: number; set_by: string; set_at: number };
}

interface LastFiguresRow {
  figures_of: string;
  figures: string;
  taken_at: number;
  /** Hashes of whose figures they are and of whom filters name. */
  people: string | null;
  /** The digest or the saved report that they are of. */
  kept_with: string | null;
}

export interface InboxRow {
  /** Equal for two deliveries of the same thing. */
  delivery: string;
  person: string;
  /** Null once its work has ended. */
  payload: string | null;
  request: string;
  arrived_at: number;
  /** Null while no process has it in hand. */
  process: string | null;
  /** How many processes had it in hand. */
  attempts: number;
  url_uses: number;
  progress: string | null;
}

interface QueryTurnRow {
  id: string;
  process: string;
  /** The lower, the sooner. */
  rank: number;
  asked_at: number;
  /** A process that waits says so again and again. */
  polled_at: number;
  started_at: number | null;
  seen_at: number | null;
  ended_at: number | null;
}

export interface SavedReportRow {
  id: string;
  channel: string;
  name: string;
  name_key: string;
  owner: string;
  made_by: string;
  request: string;
  revision: number;
  made_at: number;
  changed_at: number;
  last_run_at: number | null;
  last_run_by: string | null;
  deleted_at: number | null;
  pending_owner: string | null;
  pending_since: number | null;
  handed_over_at: number | null;
}

interface PostedItemRow {
  kind: 'message' | 'file';
  channel: string;
  item: string;
  /** Only for messages that a digest posted. */
  digest: string | null;
  root_channel: string | null;
  root_ts: string | null;
  posted_at: number;
  /** Stays once the item is deleted. */
  delete_at: number | null;
  /** When to try; null while nothing is to be deleted, and at the end. */
  ready_at: number | null;
  refusals: number;
  ended_at: number | null;
}

interface BuilderDraftRow {
  id: string;
  owner: string;
  content: string;
  revision: number;
  changed_at: number;
  used_at: number | null;
  /** The delivery that used it. */
  used_by: string | null;
}

interface SuggestionRow {
  list_name: string;
  entry: string;
  title: string | null;
  searched: string;
  /** At least this many people of the whole company have it. */
  people: number;
  seen_at: number;
}

export interface RequestRow {
  id: string;
  /** The ID of its answer's post, or of the digest's run that it belongs to. */
  post: string;
  channel: string;
  asker: string;
  request: string;
  range: string | null;
  asked_at: number;
  /** What its reader could see; null before it is answered. */
  scope: string | null;
  /** 0 if somebody else chose the filters, such as the owner of the saved report. */
  chose_filters: number;
}
