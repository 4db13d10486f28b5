import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { numberedKinds, schema } from './schema.js';

/** A finished world. Nothing writes to it any more. */
export interface World {
  /** A read connection of its own, to be closed by whoever asked for it. */
  connect(): Database.Database;
  /** Removes the file, unless it is kept. */
  remove(): Promise<void>;
}

/** Fills the empty tables of a world. */
export type Fill = (db: Database.Database) => Promise<void>;

/** A world in a temporary file that lives as long as the service. Nothing is left of it when `fill` fails. */
export async function temporaryWorld(fill: Fill): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-world-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'world.db');
    await writeWorld(path, fill);
    return { connect: () => connectTo(path), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Makes the file of a world; it is of no use when this fails. */
export async function writeWorld(path: string, fill: Fill): Promise<void> {
  const db = new Database(path);
  try {
    // Nobody else sees the file before it is whole, and it is thrown away when it does not become so.
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

/** @throws SqliteError where there is no such file, or it is none of SQLite's */
export function connectTo(path: string): Database.Database {
  return new Database(path, { readonly: true, fileMustExist: true });
}
