import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import Database from 'better-sqlite3';
import type { WorldSize } from '../generator/generate.js';
import { type Likeness, likenessOf } from './made.js';
import { connectTo, type Fill, type World, writeWorld } from './world.js';

/** The file that was to keep a world holds something else, which is left alone. */
export class NotAWorld extends Error {
  constructor(readonly path: string) {
    super(`${path} exists and is not a world of this service; choose another file.`);
    this.name = 'NotAWorld';
  }
}

export interface KeptWorldOptions {
  readonly path: string;
  readonly size: WorldSize;
  /** For how many days after its own a world found in the file still serves. */
  readonly maxAge: number;
  readonly fill: Fill;
}

/**
 * The world in a file that stays: the one that is there, if it is what is wanted, else a new one in its place. A new
 * one takes the place only when it is whole.
 *
 * @throws NotAWorld
 */
export async function keptWorld({ path, size, maxAge, fill }: KeptWorldOptions): Promise<World> {
  const world: World = { connect: () => connectTo(path), remove: async () => {} };
  const found = existsSync(path) ? likeness(path, size, maxAge) : 'another';
  if (found === 'foreign') throw new NotAWorld(path);
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

function likeness(path: string, size: WorldSize, maxAge: number): Likeness {
  let db: Database.Database | undefined;
  try {
    db = connectTo(path);
    return likenessOf(db, size, maxAge);
  } catch (error) {
    if (error instanceof Database.SqliteError) return 'foreign';
    throw error;
  } finally {
    db?.close();
  }
}
