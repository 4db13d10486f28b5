import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { WorldSize } from '../generator/generate.js';
import { numberedKinds, schema } from './schema.js';

/** A finished world. Nothing writes to it any more. */
export interface World {
  /** A read connection of its own, to be closed by whoever asked for it. */
  connect(): Database.Database;
  /** Removes the file, unless it is kept. */
  remove(): Promise<void>;
}

/** Fills the empty tables of a world. */
export type FillWorld = (db: Database.Database) => Promise<void>;

/** A world in a temporary file that lives as long as the service. Nothing is left of it when `fill` fails. */
export async function temporaryWorld(fill: FillWorld): Promise<World> {
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
export async function writeWorld(path: string, fill: FillWorld): Promise<void> {
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

/** The file that was to keep a world holds something else, which is left alone. */
export class NotASavedWorld extends Error {
  constructor(readonly path: string) {
    super(`${path} exists and is not a world of this service; choose another file.`);
    this.name = 'NotAWorld';
  }
}

export interface SavedWorldOptions {
  readonly path: string;
  readonly size: WorldSize;
  /** For how many days after its own a world found in the file still serves. */
  readonly maxAge: number;
  readonly fill: FillWorld;
}

/**
 * The world in a file that stays: the one that is there, if it is what is wanted, else a new one in its place. A new
 * one takes the place only when it is whole.
 *
 * @throws NotAWorld
 */
export async function openSavedWorld({ path, size, maxAge, fill }: SavedWorldOptions): Promise<World> {
  const world: World = { connect: () => connectTo(path), remove: async () => {} };
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

/** Marks a database as a world of this service, in SQLite's own field for it. */
const applicationId = 0x524f4c4c;

/** To be raised with every change to the tables or to what the generator makes up: older files are made anew. */
const version = 1;

const day = 24 * 60 * 60;

/** Writes into a world what it was made from. */
export function writeWorldSize(db: Database.Database, { seed, learners, now }: WorldSize): void {
  db.pragma(`application_id = ${applicationId}`);
  db.pragma(`user_version = ${version}`);
  const insert = db.prepare('INSERT INTO made (about, value) VALUES (?, ?)');
  insert.run('seed', String(seed));
  insert.run('learners', String(learners));
  insert.run('day', String(Math.floor(now / day)));
}

/** What a database is to somebody who wants a world of that size. */
type WorldComparison = 'foreign' | 'another' | 'the same';

/**
 * @param maxAge for how many days after the one it was anchored to a world still serves
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
