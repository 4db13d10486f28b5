import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { WorldSize } from '../generator/generate.js';
import { numberedKinds, schema } from './schema.js';

/** A generated or loaded organization, read-only. */
export interface World {
  /** A read connection. The caller closes it. */
  connect(): ReadConnection;
  /** Removes the file, unless it is a saved world. Call it when all connections are closed. */
  remove(): Promise<void>;
}

export interface ReadConnection {
  readonly prepare: Database.Database['prepare'];
  close(): void;
}

/** Fills the empty tables of a world. */
export type FillWorld = (db: Database.Database) => Promise<void>;

/** Creates a world in a temporary file. The file is removed if `fill` fails. */
export async function temporaryWorld(fill: FillWorld): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-world-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'world.db');
    await writeWorld(path, fill);
    const { connect, closeIdle } = connectionsTo(path);
    return {
      connect,
      async remove() {
        closeIdle();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Writes the file of a world. If this fails, the file is unusable. */
export async function writeWorld(path: string, fill: FillWorld): Promise<void> {
  const db = new Database(path);
  try {
    // The file is not shared before it is complete, and it is deleted on failure, so it needs no journal.
    db.pragma('journal_mode = OFF');
    db.pragma('synchronous = OFF');
    db.pragma('foreign_keys = OFF');
    db.pragma('cache_size = -131072');
    db.exec('BEGIN');
    db.exec(schema);
    const name = db.prepare('INSERT INTO event_kind (name) VALUES (?)');
    for (const kind of numberedKinds) name.run(kind);
    await fill(db);
    db.exec('COMMIT');
  } finally {
    db.close();
  }
}

/** @throws SqliteError if the file does not exist or is not a database */
export function connectTo(path: string): Database.Database {
  return new Database(path, { readonly: true, fileMustExist: true });
}

const maxIdleConnections = 2;
const maxStatements = 20;

/** Connections are reused with their statements: most answers take less time than to read the schema and to plan. */
function connectionsTo(path: string) {
  const idle: { readonly db: Database.Database; readonly statements: Map<string, Database.Statement> }[] = [];
  return {
    connect(): ReadConnection {
      const { db, statements } = idle.pop() ?? { db: connectTo(path), statements: new Map() };
      const prepare = (sql: string) => {
        const statement = statements.get(sql) ?? db.prepare(sql);
        if (statements.size >= maxStatements) statements.clear();
        statements.set(sql, statement);
        return statement;
      };
      return {
        prepare: prepare as ReadConnection['prepare'],
        close() {
          if (idle.length < maxIdleConnections) idle.push({ db, statements });
          else db.close();
        },
      };
    },
    closeIdle() {
      for (const { db } of idle.splice(0)) db.close();
    },
  };
}

/** The file for a saved world has other content, which is not changed. */
export class NotASavedWorld extends Error {
  constructor(readonly path: string) {
    super(`${path} was not written by this service. Choose another file.`);
    this.name = 'NotASavedWorld';
  }
}

export interface SavedWorldOptions {
  readonly path: string;
  readonly size: WorldSize;
  /** Days that a saved world is reused after its own day. */
  readonly maxAge: number;
  readonly fill: FillWorld;
}

/**
 * Opens the world in a file, if it has the wanted size and age. Otherwise replaces it by a new one. A new
 * one replaces the file only when it is complete.
 *
 * @throws NotASavedWorld
 */
export async function openSavedWorld({ path, size, maxAge, fill }: SavedWorldOptions): Promise<World> {
  const { connect, closeIdle } = connectionsTo(path);
  const world: World = { connect, remove: async () => closeIdle() };
  const found = existsSync(path) ? compareSavedWorld(path, size, maxAge) : 'another';
  if (found === 'foreign') throw new NotASavedWorld(path);
  if (found === 'the same') return world;
  const draft = `${path}.${process.pid}.new`;
  try {
    await rm(draft, { force: true });
    await writeWorld(draft, fill);
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  return world;
}

function compareSavedWorld(path: string, size: WorldSize, maxAge: number): WorldComparison {
  let db: Database.Database | undefined;
  try {
    db = connectTo(path);
    return compareWorlds(db, size, maxAge);
  } catch (error) {
    if (error instanceof Database.SqliteError) return 'foreign';
    throw error;
  } finally {
    db?.close();
  }
}

/** Marks a database as a world of this service, in SQLite's application ID. */
const applicationId = 0x524f4c4c;

/** Increase with every change of the tables or the generator. Older files are then replaced. */
const version = 1;

const day = 24 * 60 * 60;

/** Stores what a world was generated from. */
export function writeWorldSize(db: Database.Database, { seed, learners, now }: WorldSize): void {
  db.pragma(`application_id = ${applicationId}`);
  db.pragma(`user_version = ${version}`);
  const insert = db.prepare('INSERT INTO made (about, value) VALUES (?, ?)');
  insert.run('seed', String(seed));
  insert.run('learners', String(learners));
  insert.run('day', String(Math.floor(now / day)));
}

/** A saved world compared with the wanted one; `foreign` is not a world. */
type WorldComparison = 'foreign' | 'another' | 'the same';

/**
 * @param maxAge days that a world is reused after its own day
 */
function compareWorlds(
  db: Database.Database,
  { seed, learners, now }: WorldSize,
  maxAge: number,
): WorldComparison {
  if (db.pragma('application_id', { simple: true }) !== applicationId) return 'foreign';
  if (db.pragma('user_version', { simple: true }) !== version) return 'another';
  const value = db.prepare<[string], string>('SELECT value FROM made WHERE about = ?').pluck();
  const age = Math.floor(now / day) - Number(value.get('day'));
  const same = value.get('seed') === String(seed) && value.get('learners') === String(learners);
  return same && age >= 0 && age <= maxAge ? 'the same' : 'another';
}
