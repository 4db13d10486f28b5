import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { EventLoopYield } from './event-loop.js';
import type { Plan, Statement } from './sql/statement.js';
import type { ReadConnection, World } from './world/world.js';

/** Records read per batch of IDs, about as many as fit between two yields. */
const idsPerBatch = 256;

/**
 * Reads an answer in batches of JSON texts, with null for filtered rows. Uses its own connection, which is
 * closed after the last batch or when the reader stops.
 *
 * @param reshape applied to every record
 */
export async function* readRecords(
  { records, keys }: Plan,
  world: World,
  eventLoop: EventLoopYield,
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
      for await (const ids of sortedIds(rows, eventLoop, idsPerBatch)) {
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

function rowsOf(db: ReadConnection, { sql, parameters }: Statement): Iterable<string | null> {
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

interface SortRow {
  /** null if the row is filtered out. */
  readonly id: number | null;
  readonly key: string | number | null;
}

/** Rows per insert into the index. */
const rowsPerInsert = 32;

/**
 * Sorts any number of rows by key, null last. Rows with the same key keep their order.
 * Inserts them into an index in a temporary file. Unlike a sort in one statement, this can be
 * interrupted at any row and needs little memory.
 *
 * @returns the IDs in lists of at most `listLength`
 */
async function* sortedIds(
  rows: Iterable<SortRow>,
  eventLoop: EventLoopYield,
  listLength: number,
): AsyncGenerator<readonly number[]> {
  // A database without a name is a temporary file that SQLite deletes when it is closed.
  const db = new Database('');
  try {
    db.pragma('journal_mode = OFF');
    db.exec(`CREATE TABLE sorted (missing INTEGER, key, rank INTEGER, id INTEGER, PRIMARY KEY (missing, key, rank))
      WITHOUT ROWID; BEGIN`);
    const one = '(?, ?, ?, ?)';
    const insert = db.prepare(`INSERT OR FAIL INTO sorted VALUES ${one}`);
    const insertMany = db.prepare(
      `INSERT OR FAIL INTO sorted VALUES ${Array(rowsPerInsert).fill(one).join(', ')}`,
    );
    let rank = 0;
    const pending: (string | number)[] = [];
    for (const { id, key } of rows) {
      rank += 1;
      if (id !== null) pending.push(Number(key === null), key ?? '', rank, id);
      if (pending.length === 4 * rowsPerInsert) {
        insertMany.run(pending);
        pending.length = 0;
      }
      if (rank % rowsPerInsert === 0 && eventLoop.isDue) await eventLoop.yield();
    }
    while (pending.length > 0) insert.run(pending.splice(0, 4));

    let list: number[] = [];
    const inOrder = db.prepare<[], number>('SELECT id FROM sorted ORDER BY missing, key, rank').pluck();
    for (const id of inOrder.iterate()) {
      list.push(id);
      if (list.length < listLength) continue;
      yield list;
      list = [];
    }
    if (list.length > 0) yield list;
  } finally {
    db.close();
  }
}

/** Rows between two checks of the clock. */
const rowsPerCheck = 16;

/** A slowed answer pauses for at least this many milliseconds, because timers are not more exact. */
const minPauseMs = 20;

type Batches = AsyncIterable<Iterable<string | null>>;

/**
 * Sends records as one JSON array while they are read, in chunks, with back pressure and regular
 * yields to the event loop. Ends early if the client disconnects.
 *
 * @param batches lists of JSON texts, with null for filtered rows
 * @param recordsPerSecond 0 for as many as fit
 */
export async function sendRecords(
  batches: Batches,
  out: Writable,
  eventLoop: EventLoopYield,
  recordsPerSecond = 0,
): Promise<void> {
  const chunks = chunkWriter(out);
  const startedAt = performance.now();
  chunks.add('[');
  let records = 0;
  let rows = 0;
  for await (const batch of batches) {
    for (const record of batch) {
      if (record !== null) {
        if (records > 0) chunks.add(',');
        chunks.add(record);
        records += 1;
        if (out.writableNeedDrain) await drained(out);
      }
      rows += 1;
      if (rows % rowsPerCheck === 0 && eventLoop.isDue) await eventLoop.yield();
      if (recordsPerSecond > 0) {
        const earlyMs = startedAt + (records * 1000) / recordsPerSecond - performance.now();
        if (earlyMs >= minPauseMs) await sleep(earlyMs);
      }
      if (out.destroyed) return;
    }
  }
  chunks.add(']');
  chunks.end();
}

/** Sends about half of the records, or of the first thousand, and closes the connection. */
export async function sendCutShort(batches: Batches, out: Writable): Promise<void> {
  const some: string[] = [];
  for await (const records of batches) {
    for (const record of records) {
      if (record !== null) some.push(record);
      if (some.length === 1000) break;
    }
    if (some.length === 1000) break;
  }
  const text = `[${some.join(',')}`;
  out.write(text.slice(0, Math.ceil(text.length / 2)), () => out.destroy());
}

/**
 * Resolves when the stream drains or closes. This does not replace a yield to the event loop: a socket that
 * accepts everything drains in the same turn.
 */
async function drained(out: Writable): Promise<void> {
  if (out.destroyed || !out.writableNeedDrain) return;
  const over = new AbortController();
  const { signal } = over;
  try {
    await Promise.race([once(out, 'drain', { signal }), once(out, 'close', { signal })]);
  } finally {
    over.abort();
  }
}

/** Joins short texts into chunks. */
interface ChunkWriter {
  add(text: string): void;
  /** Writes the rest, and ends the stream. */
  end(): void;
}

/** About one socket buffer. */
const chunkSize = 64 * 1024;

/** Maximum UTF-8 bytes per UTF-16 unit. */
const bytesPerUnit = 3;

/**
 * Writes texts as UTF-8 in chunks of at most 64 KiB. Buffers are reused once the stream
 * has written them, so that memory does not grow with the length of the answer.
 */
function chunkWriter(out: Writable): ChunkWriter {
  const free: Buffer[] = [];
  let chunk: Buffer = Buffer.allocUnsafeSlow(chunkSize);
  let used = 0;

  function flush(): void {
    if (used === 0) return;
    const full = chunk;
    out.write(full.subarray(0, used), () => free.push(full));
    chunk = free.pop() ?? Buffer.allocUnsafeSlow(chunkSize);
    used = 0;
  }

  return {
    add(text) {
      const maxBytes = text.length * bytesPerUnit;
      if (used + maxBytes > chunkSize) flush();
      if (maxBytes > chunkSize) out.write(text);
      else used += chunk.write(text, used);
    },
    end() {
      out.end(chunk.subarray(0, used));
    },
  };
}
