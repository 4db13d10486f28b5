import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { chunkWriter } from './chunk-writer.js';
import type { Turns } from './turns.js';

/** How many rows pass between two looks at the clock. */
const rowsPerLook = 16;

type Batches = AsyncIterable<Iterable<string | null>>;

/**
 * Sends records as one JSON array while they are read, in chunks, as fast as they are taken and never for long without
 * giving everything else its turn. Ends early when the other side is gone.
 *
 * @param batches lists of JSON texts; null where a row was left out
 */
export async function sendRecords(batches: Batches, out: Writable, turns: Turns): Promise<void> {
  const chunks = chunkWriter(out);
  chunks.add('[');
  let first = true;
  let rows = 0;
  for await (const records of batches) {
    for (const record of records) {
      if (record !== null) {
        if (!first) chunks.add(',');
        chunks.add(record);
        first = false;
        if (out.writableNeedDrain) await drained(out);
      }
      rows += 1;
      if (rows % rowsPerLook === 0 && turns.due) await turns.take();
      if (out.destroyed) return;
    }
  }
  chunks.add(']');
  chunks.end();
}

/** Sends about half of the records, or of the first thousand, and breaks off. */
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
 * Resolves when more may be written, or when nothing can be any more. That is no turn of the event loop: a socket that
 * takes everything at once drains before the loop goes round.
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
