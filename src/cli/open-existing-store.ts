import { existsSync } from 'node:fs';
import { storeConfigFrom } from '../config/config.js';
import { loadConfig } from '../config/load.js';
import { DatabaseUnusable } from '../store/errors.js';
import { openStore, type Store } from '../store/store.js';

/** The path of the database that the settings name. */
export function databasePath(): string {
  return loadConfig(storeConfigFrom).databasePath;
}

/**
 * Works with the store of a bot that may be running, and closes it.
 *
 * @throws DatabaseUnusable where there is none yet: looking at it must not make one
 */
export async function withExistingStore<Outcome>(work: (store: Store) => Promise<Outcome>): Promise<Outcome> {
  const path = databasePath();
  if (!existsSync(path)) throw new DatabaseUnusable(path, 'ENOENT');
  const store = await openStore(path, Date.now);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
