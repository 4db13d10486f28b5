import { firstTables } from './0001-first-tables.js';
import { builder } from './0002-builder.js';
import { savedReports } from './0003-saved-reports.js';
import { digests } from './0004-digests.js';
import { digestReasons } from './0005-digest-reasons.js';
import { digestPages } from './0006-digest-pages.js';
import { digestTries } from './0007-digest-tries.js';
import { oneLedger } from './0008-one-ledger.js';
import { lastFigures } from './0009-last-figures.js';

/** One step of the database's shape. Its number is its place in the list, from 1 on; a released one is never edited. */
export interface Migration {
  readonly name: string;
  /** SQL that SQLite and PostgreSQL both understand, one statement each. */
  readonly statements: readonly string[];
}

export const migrations: readonly Migration[] = [
  firstTables,
  builder,
  savedReports,
  digests,
  digestReasons,
  digestPages,
  digestTries,
  oneLedger,
  lastFigures,
];
