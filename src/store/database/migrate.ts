import type { Database } from 'better-sqlite3';
import { Failure } from '../../errors/failure.js';
import { databaseUnusable } from './errors.js';
import { schema, tableNames } from './schema.js';
import { createTable, type DatabaseKind, number, orNull, table, text, textTypes } from './tables.js';

/**
 * A change of the tables. Its number is its position in the list, from 2 on: 1 is the first schema. `schema.ts` changes
 * with it, because a new database is created from there. Never edit the SQL of a migration that is in use.
 */
export interface Migration {
  readonly name: string;
  /** One statement each, in SQL that both SQLite and PostgreSQL accept. `TEXT` is only the type of a column. */
  readonly statements: readonly string[];
}

export const migrations: readonly Migration[] = [
  {
    name: 'alerts',
    statements: [
      'ALTER TABLE digests ADD COLUMN condition TEXT',
      'ALTER TABLE digests ADD COLUMN audience TEXT',
      'ALTER TABLE posts ADD COLUMN by_hand BIGINT NOT NULL DEFAULT 0',
      `CREATE TABLE alert_states (workspace TEXT NOT NULL, digest TEXT NOT NULL, run TEXT, basis TEXT NOT NULL,
        content TEXT NOT NULL, known_rows TEXT, content_before TEXT, known_rows_before TEXT,
        accepts_drop BIGINT NOT NULL DEFAULT 0, PRIMARY KEY (workspace, digest))`,
    ],
  },
  {
    name: 'sent rows',
    statements: [
      `CREATE TABLE person_numbers (workspace TEXT NOT NULL, person_id TEXT NOT NULL, address TEXT NOT NULL,
        id_number BIGINT, address_number BIGINT, since BIGINT NOT NULL, seen_at BIGINT NOT NULL,
        PRIMARY KEY (workspace, person_id, address))`,
      'CREATE INDEX person_numbers_by_address ON person_numbers (workspace, address)',
      'CREATE INDEX person_numbers_by_time ON person_numbers (workspace, seen_at)',
      `CREATE TABLE account_addresses (workspace TEXT NOT NULL, account TEXT NOT NULL, since BIGINT NOT NULL,
        address TEXT NOT NULL, seen_at BIGINT NOT NULL, PRIMARY KEY (workspace, account, since))`,
      'CREATE INDEX account_addresses_by_address ON account_addresses (workspace, address, since)',
      'CREATE INDEX account_addresses_by_time ON account_addresses (workspace, seen_at)',
      `CREATE TABLE sent_rows (workspace TEXT NOT NULL, post TEXT NOT NULL, at BIGINT NOT NULL, recipient TEXT,
        report TEXT NOT NULL, what TEXT NOT NULL CHECK (what IN ('file', 'rows', 'people')),
        place TEXT NOT NULL CHECK (place IN ('direct', 'channel', 'command-line')), first_number BIGINT NOT NULL,
        last_number BIGINT NOT NULL, people TEXT, PRIMARY KEY (workspace, post))`,
      'CREATE INDEX sent_rows_by_time ON sent_rows (workspace, at)',
      `CREATE TABLE record_settings (workspace TEXT NOT NULL,
        name TEXT NOT NULL CHECK (name IN ('asker-names', 'next-person')), setting BIGINT NOT NULL, set_by TEXT,
        set_at BIGINT NOT NULL, PRIMARY KEY (workspace, name))`,
    ],
  },
  {
    name: 'kept evidence',
    statements: [
      `CREATE TABLE kept_evidence (workspace TEXT NOT NULL, seq BIGINT NOT NULL, at BIGINT NOT NULL, hash TEXT NOT NULL,
        key_id TEXT NOT NULL, made BIGINT, zip TEXT, PRIMARY KEY (workspace, seq))`,
    ],
  },
  {
    name: 'managers',
    statements: [
      'ALTER TABLE digests ADD COLUMN zones TEXT',
      'ALTER TABLE digests ADD COLUMN covered_until BIGINT',
      'ALTER TABLE digests ADD COLUMN approved_by TEXT',
      `CREATE TABLE manager_readers (workspace TEXT NOT NULL, digest TEXT NOT NULL, reader TEXT NOT NULL,
        last_rows BIGINT, taken_at BIGINT, known_rows TEXT, declined BIGINT NOT NULL DEFAULT 0,
        PRIMARY KEY (workspace, digest, reader))`,
      'CREATE INDEX manager_readers_declined ON manager_readers (workspace, reader) WHERE declined = 1',
      `CREATE TABLE manager_runs (workspace TEXT NOT NULL, run TEXT NOT NULL, digest TEXT NOT NULL,
        counts TEXT NOT NULL, not_reached TEXT NOT NULL, ended_at BIGINT NOT NULL, PRIMARY KEY (workspace, run))`,
      'CREATE INDEX manager_runs_by_time ON manager_runs (workspace, ended_at)',
      'CREATE INDEX manager_runs_of_digest ON manager_runs (workspace, digest)',
    ],
  },
  {
    name: 'figures of units',
    statements: [
      `CREATE TABLE unit_totals (workspace TEXT NOT NULL, unit_of TEXT NOT NULL, figures TEXT NOT NULL,
        read_at BIGINT NOT NULL, through BIGINT NOT NULL, PRIMARY KEY (workspace, unit_of))`,
      'CREATE INDEX unit_totals_by_time ON unit_totals (workspace, read_at)',
    ],
  },
  {
    name: 'long questions',
    statements: [
      `CREATE TABLE long_questions (workspace TEXT NOT NULL, question TEXT NOT NULL, process TEXT NOT NULL,
        call_id TEXT, reply TEXT, opened_at BIGINT NOT NULL, PRIMARY KEY (workspace, question))`,
      'CREATE INDEX long_questions_by_time ON long_questions (workspace, opened_at)',
    ],
  },
  {
    // By time, SQLite took the index of all posts.
    name: 'interrupted posts by state',
    statements: [
      'DROP INDEX posts_by_hand',
      "CREATE INDEX posts_by_hand ON posts (workspace, state) WHERE lease_owner IS NULL AND state IN ('running', 'posting')",
    ],
  },
  {
    name: 'operator settings',
    statements: [
      `CREATE TABLE operator_settings (workspace TEXT NOT NULL, name TEXT NOT NULL, setting TEXT NOT NULL,
        seen_at BIGINT NOT NULL, PRIMARY KEY (workspace, name))`,
    ],
  },
];

/** The number of the schema of this program. */
export const schemaVersion = versionAfter(migrations);

export function versionAfter(steps: readonly Migration[]): number {
  return 1 + steps.length;
}

/** Lists the applied migrations. A database with this table is one of Rollcall. */
export const createListOfMigrations =
  'CREATE TABLE IF NOT EXISTS rollcall_schema (version INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)';

/** The list of migrations of development versions, which nothing can bring to the first schema. */
export const listBeforeRelease = 'rollcall_migrations';

/** The tables of the database itself. */
const databaseTables = {
  /** One row: the workspace whose data the database holds. */
  rollcall_workspace: table(['id'], { id: text('no-person'), uninstalled_at: orNull(number()) }),
  /** The processes on a PostgreSQL database. `pid`, `role` and `session_began` name the session of a process. */
  rollcall_members: table(
    ['name'],
    {
      name: text('no-person'),
      kind: text('no-person'),
      pid: number(),
      role: number(),
      session_began: number(),
      server_began: number(),
      missing_since: orNull(number()),
      leads: number(),
    },
    { uniqueIndexes: { leader: 'leads WHERE leads = 1' } },
  ),
  /** One row: the channel of PostgreSQL's NOTIFY, and the key of what is sent there. */
  rollcall_channel: table(['id'], { id: number(), name: text('no-person'), secret: text('no-person') }),
};

/** What brings a database to this version. `found`: the number of its schema; undefined for an empty one. */
export function missingSteps(
  found: number | undefined,
  kind: DatabaseKind,
  steps: readonly Migration[] = migrations,
): readonly (Migration & { readonly version: number })[] {
  if (found === undefined)
    return [{ version: versionAfter(steps), name: 'created', statements: createStatements(kind) }];
  return steps.slice(found - 1).map(({ name, statements }, index) => ({
    name,
    statements: statements.map((statement) => statement.replace(/\bTEXT\b/g, textTypes[kind])),
    version: found + 1 + index,
  }));
}

function createStatements(kind: DatabaseKind): readonly string[] {
  return [
    ...tableNames.flatMap((name) => createTable(name, schema[name], kind, 'workspace')),
    ...Object.entries(databaseTables).flatMap(([name, one]) => createTable(name, one, kind)),
    `INSERT INTO rollcall_workspace (id) VALUES ('')`,
    ...(kind === 'postgres' ? [jsonMember] : []),
  ];
}

/** A member of a JSON text; null where there is none, and where the text is not JSON. */
const jsonMember = `CREATE FUNCTION rollcall_json_member(content TEXT, member TEXT) RETURNS TEXT LANGUAGE plpgsql IMMUTABLE AS $$
  BEGIN RETURN content::json ->> member; EXCEPTION WHEN OTHERS THEN RETURN NULL; END $$`;

/**
 * Creates the tables, or applies the missing migrations, in one transaction, so that a crash never leaves half of them.
 * Two processes that start at once take turns.
 *
 * @throws `database-too-new` for a database of a newer version
 * @throws `database-unusable` for a file of another program, or of a version before the first schema
 */
export function migrate(
  database: Database,
  now: () => number,
  steps: readonly Migration[] = migrations,
): void {
  // Without a write, a start does not wait for another process's write.
  if (assertKnownVersion(database, steps) === versionAfter(steps)) return;
  database
    .transaction(() => {
      database.exec(createListOfMigrations);
      const applied = database.prepare(
        'INSERT INTO rollcall_schema (version, name, applied_at) VALUES (?, ?, ?)',
      );
      // Read again inside the transaction, because another process may have applied them.
      for (const { version, name, statements } of missingSteps(versionOf(database), 'sqlite', steps)) {
        for (const statement of statements) database.exec(statement);
        applied.run(version, name, now());
      }
    })
    .immediate();
}

/**
 * Returns the version of a database that this program can use; undefined for an empty one. Writes nothing.
 *
 * @throws `database-too-new`, `database-unusable`
 */
export function assertKnownVersion(database: Database, steps = migrations): number | undefined {
  const found = versionOf(database);
  if (found === undefined && tablesOf(database).length > 0) {
    throw databaseUnusable(database.name, 'not-ours');
  }
  assertNotNewer(database.name, found, versionAfter(steps));
  return found;
}

/** @throws `database-too-new` */
export function assertNotNewer(path: string, found: number | undefined, known = schemaVersion): void {
  if (found !== undefined && found > known) throw new Failure('database-too-new', { path, found, known });
}

/**
 * The number of a file's schema; undefined for a file without Rollcall's tables.
 *
 * @throws `database-unusable` for a database of a version before the first schema
 */
export function versionOf(database: Database): number | undefined {
  const tables = tablesOf(database);
  if (tables.includes(listBeforeRelease)) throw databaseUnusable(database.name, 'before-release');
  if (!tables.includes('rollcall_schema')) return undefined;
  const row = database.prepare('SELECT MAX(version) AS version FROM rollcall_schema').get();
  const version = typeof row === 'object' && row !== null && 'version' in row ? row.version : null;
  return typeof version === 'number' ? version : undefined;
}

function tablesOf(database: Database): string[] {
  return database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
    .pluck()
    .all()
    .map((name) => String(name));
}
