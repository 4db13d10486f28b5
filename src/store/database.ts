import { randomInt } from 'node:crypto';
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Sqlite, { type Database, SqliteError } from 'better-sqlite3';
import { CompiledQuery, type DatabaseConnection, Kysely, SqliteDialect, SqliteDriver } from 'kysely';
import type { DigestTables } from './digests/tables.js';
import { DatabaseUnusable } from './errors.js';
import type { PostTable } from './ledger/posts.js';
import { assertKnownVersion, migrate } from './migrate.js';

/** How long a statement waits for another process's write to end. */
const busyTimeoutMs = 5000;

/** Only the account that runs the bot reads what people asked. */
export const ownerOnlyMode = 0o600;

/**
 * Opens the database, makes it where it is not there yet, and brings it to the newest shape. The caller destroys it.
 *
 * @throws DatabaseUnusable, DatabaseTooNew
 */
export function openDatabase(path: string, now: () => number): Kysely<Tables> {
  const database = openFile(resolve(path));
  try {
    migrate(database, now);
  } catch (error) {
    database.close();
    throw toKnownError(path, error);
  }
  return new Kysely<Tables>({ dialect: new ImmediateDialect({ database }) });
}

/** Transactions are there to write: one that began by reading could not wait for another process's write to end. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('BEGIN IMMEDIATE'));
  }
}

class ImmediateDialect extends SqliteDialect {
  constructor(private readonly file: { readonly database: Database }) {
    super(file);
  }

  override createDriver(): ImmediateDriver {
    return new ImmediateDriver(this.file);
  }
}

/** The file as the bot works with it, in whatever earlier shape it is. */
export function openFile(path: string): Database {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // SQLite would make it readable for everybody. Its own side files take the mode of this one.
    closeSync(openSync(path, 'a', ownerOnlyMode));
    chmodSync(path, ownerOnlyMode);
    const database = new Sqlite(path, { timeout: busyTimeoutMs });
    try {
      // Before the first write: a file that is not ours stays as it is.
      assertKnownVersion(database);
      database.pragma('journal_mode = WAL');
      database.pragma('synchronous = FULL');
      database.pragma('foreign_keys = ON');
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw toKnownError(path, error);
  }
}

/** What the system or SQLite says about the file, as one of our own errors; anything else stays as it is. */
export function toKnownError(path: string, error: unknown): unknown {
  if (error instanceof SqliteError) return new DatabaseUnusable(path, error.code, { cause: error });
  if (error instanceof Error && 'syscall' in error && 'code' in error) {
    return new DatabaseUnusable(path, String(error.code), { cause: error });
  }
  return error;
}

/** Without letters and digits that people take for each other. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz';

/** A short text that nobody can guess: ten characters, almost fifty bits. */
export function randomId(): string {
  return Array.from({ length: 10 }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/*
 * The tables as queries see them. Their making is in `migrations/`.
 */

export interface Tables extends DigestTables {
  asks: RequestRow;
  posts: PostTable;
  approved_channels: { channel: string; approved_by: string; approved_at: number };
  released_keys: { metadata_key: string; released_by: string; released_at: number };
  seen_envelopes: { envelope: string; seen_at: number };
  last_figures: { figures_of: string; figures: string; taken_at: number };
  builder_drafts: BuilderDraftRow;
  known_values: SuggestionRow;
  saved_reports: SavedReportRow;
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
}

interface BuilderDraftRow {
  id: string;
  owner: string;
  content: string;
  revision: number;
  changed_at: number;
  used_at: number | null;
}

interface SuggestionRow {
  list_name: string;
  entry: string;
  title: string | null;
  searched: string;
  seen_at: number;
}

export interface RequestRow {
  id: string;
  /** What became of it: its own post, or the occurrence of a digest that it stands under. */
  post: string;
  team: string;
  channel: string;
  asker: string;
  request: string;
  range: string | null;
  asked_at: number;
}
