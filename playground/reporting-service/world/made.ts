import type { Database } from 'better-sqlite3';
import type { WorldSize } from '../generator/generate.js';

/** Marks a database as a world of this service, in SQLite's own field for it. */
const applicationId = 0x524f4c4c;

/** To be raised with every change to the tables or to what the generator makes up: older files are made anew. */
const version = 1;

const day = 24 * 60 * 60;

/** Writes into a world what it was made from. */
export function writeMade(db: Database, { seed, learners, now }: WorldSize): void {
  db.pragma(`application_id = ${applicationId}`);
  db.pragma(`user_version = ${version}`);
  const insert = db.prepare('INSERT INTO made (about, value) VALUES (?, ?)');
  insert.run('seed', String(seed));
  insert.run('learners', String(learners));
  insert.run('day', String(Math.floor(now / day)));
}

/** What a database is to somebody who wants a world of that size. */
export type Likeness = 'foreign' | 'another' | 'the same';

/**
 * @param maxAge for how many days after the one it was anchored to a world still serves
 */
export function likenessOf(db: Database, { seed, learners, now }: WorldSize, maxAge: number): Likeness {
  if (db.pragma('application_id', { simple: true }) !== applicationId) return 'foreign';
  if (db.pragma('user_version', { simple: true }) !== version) return 'another';
  const value = db.prepare<[string], string>('SELECT value FROM made WHERE about = ?').pluck();
  const age = Math.floor(now / day) - Number(value.get('day'));
  const same = value.get('seed') === String(seed) && value.get('learners') === String(learners);
  return same && age >= 0 && age <= maxAge ? 'the same' : 'another';
}
