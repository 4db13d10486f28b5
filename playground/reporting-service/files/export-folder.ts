import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Database } from 'better-sqlite3';
import { stringify } from 'csv-stringify';
import { startTurns, type Turns } from '../turns.js';
import type { World } from '../world/world.js';
import { exportQueries } from './export-queries.js';
import { fileOf, type TableName, tables } from './tables.js';

/** The folder to export to holds something already, which is left alone. */
export class FolderNotEmpty extends Error {
  constructor(readonly folder: string) {
    super(`${folder} is not empty; choose a new folder to export to.`);
    this.name = 'FolderNotEmpty';
  }
}

/**
 * Writes a world as the files that `loadFolder` takes.
 * @throws FolderNotEmpty
 */
export async function exportFolder(folder: string, world: World, signal?: AbortSignal): Promise<void> {
  await refuseUnlessEmpty(folder);
  const turns = startTurns(signal);
  const db = world.connect();
  try {
    for (const table of Object.keys(tables) as TableName[]) {
      await exportTable(join(folder, fileOf(table)), db, table, turns);
    }
  } finally {
    db.close();
  }
}

/** Makes the folder where there is none. */
export async function refuseUnlessEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new FolderNotEmpty(folder);
}

async function exportTable(path: string, db: Database, table: TableName, turns: Turns): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx' });
  const lines = stringify({ header: true, columns: [...tables[table]] });
  lines.pipe(file);
  const written = finished(file);
  // Looked at when everything is written; until then a failure must not count as unhandled.
  written.catch(() => {});
  for (const row of db.prepare<[], Record<string, unknown>>(exportQueries[table]).iterate()) {
    if (!lines.write(row)) await once(lines, 'drain');
    if (turns.due) await turns.take();
  }
  lines.end();
  await written;
}
