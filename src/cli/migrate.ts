import { checkConfig, storeConfigFrom } from '../config/config.js';
import { copyDatabase } from '../store/copy-database.js';
import { databaseName } from '../store/location.js';
import { WrongUsage } from './errors.js';

/**
 * Copies a database into an empty one.
 *
 * @param print called with a line for each table
 * @returns a message
 * @throws WrongUsage, and what `copyDatabase` throws
 */
export async function migrateDatabase(
  options: { readonly from?: string; readonly to?: string },
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const from = locationOf(options.from, '--from');
  const to = locationOf(options.to, '--to');
  if (from === to) throw new WrongUsage('--from and --to name the same database.');
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
  return `Copied ${total.toLocaleString('en')} rows to ${databaseName(to)}, and found the same content there. Set DATABASE_URL to it and start Rollcall.`;
}

function locationOf(url: string | undefined, option: string): string {
  if (url === undefined) throw new WrongUsage(`migrate needs ${option} and the address of a database.`);
  const config = checkConfig(storeConfigFrom, { DATABASE_URL: url });
  if (!config.ok) {
    throw new WrongUsage(
      `${option} is invalid: give sqlite: and the path of a file, or an address such as postgres://user:password@host:5432/rollcall.`,
    );
  }
  return config.value.database;
}
