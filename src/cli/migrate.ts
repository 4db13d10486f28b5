import { existsSync } from 'node:fs';
import { checkConfig, databaseFrom } from '../config/config.js';
import { recordKeyFile } from '../store/access/record-key.js';
import { copyDatabase } from '../store/copy-database.js';
import { databaseName, isPostgresUrl } from '../store/database/location.js';
import { wrongUsage } from './operator-messages.js';

/**
 * Copies a database into an empty one.
 *
 * @param print called with a line for each table
 * @returns a message
 * @throws `wrong-usage`, and what `copyDatabase` throws
 */
export async function migrateDatabase(
  options: { readonly from: string; readonly to: string },
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const from = locationOf(options.from, '--from');
  const to = locationOf(options.to, '--to');
  if (from === to) throw wrongUsage('--from and --to name the same database.');
  // Before anything is locked, because a lock makes files.
  if (!isPostgresUrl(from) && !existsSync(from))
    throw wrongUsage(
      `There is no database at ${from}. Type its path after --from, as in sqlite:data/rollcall.db.`,
    );
  let total = 0;
  await copyDatabase(
    { from, to },
    Date.now,
    ({ table, rows }) => {
      total += rows;
      if (rows > 0) print(`${table}: ${rows.toLocaleString('en')}`);
    },
    signal,
  );
  return `Copied ${total.toLocaleString('en')} rows to ${databaseName(to)}, and found the same content there. ${keySentence(from)} Set DATABASE_URL to it and start Rollcall.`;
}

/** The key is in no database, so it is not copied. */
function keySentence(from: string): string {
  const file = recordKeyFile(from);
  const key = !isPostgresUrl(from) && existsSync(file) ? `the content of ${file}` : 'the same key as before';
  return `Set RECORD_KEY to ${key}, so that the record can be verified there.`;
}

function locationOf(url: string, option: string): string {
  const config = checkConfig(databaseFrom, { DATABASE_URL: url });
  if (!config.ok) {
    throw wrongUsage(
      `${option} is invalid: give sqlite: and the path of a file, or an address such as postgres://user:password@host:5432/rollcall.`,
    );
  }
  return config.value;
}
