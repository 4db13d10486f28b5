import type { Database } from 'better-sqlite3';
import { type SortRow, sortedIds } from './sorted-ids.js';
import type { Plan, Statement } from './sql/statement.js';
import type { Turns } from './turns.js';
import type { World } from './world/world.js';

/** Records read for as many ids in one go: about a turn's worth. */
const idsAtOnce = 256;

/**
 * Reads an answer, batch after batch of JSON texts, null where a row is left out, with a connection of its own that is
 * closed when the last batch was read or the reader stops.
 *
 * @param reshape applied to every record
 */
export async function* readRecords(
  { records, keys }: Plan,
  world: World,
  turns: Turns,
  reshape?: (record: string) => string,
): AsyncGenerator<Iterable<string | null>> {
  const db = world.connect();
  try {
    if (!keys) {
      yield reshaped(rowsOf(db, records), reshape);
      return;
    }
    const keyRows = world.connect();
    try {
      const rows = keyRows.prepare<[Statement['parameters']], SortRow>(keys.sql).iterate(keys.parameters);
      for await (const ids of sortedIds(rows, turns, idsAtOnce)) {
        const listed = { ...records.parameters, ids: JSON.stringify(ids) };
        yield reshaped(rowsOf(db, { ...records, parameters: listed }), reshape);
      }
    } finally {
      keyRows.close();
    }
  } finally {
    db.close();
  }
}

function rowsOf(db: Database, { sql, parameters }: Statement): Iterable<string | null> {
  return db.prepare<[typeof parameters], string | null>(sql).pluck().iterate(parameters);
}

function reshaped(
  rows: Iterable<string | null>,
  reshape: ((record: string) => string) | undefined,
): Iterable<string | null> {
  return reshape ? eachReshaped(rows, reshape) : rows;
}

function* eachReshaped(
  rows: Iterable<string | null>,
  reshape: (record: string) => string,
): Generator<string | null> {
  for (const row of rows) yield row === null ? null : reshape(row);
}
