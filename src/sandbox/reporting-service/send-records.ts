import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { startTurns } from './turns.js';

/** About one socket buffer. */
const chunkSize = 64 * 1024;

/** How many rows pass between two looks at the clock. */
const rowsPerLook = 16;

/**
 * Sends records as one JSON array while they are read, in chunks, as fast as they are taken and never for long without
 * giving everything else its turn. Ends early when the other side is gone.
 *
 * @param records JSON texts; null where a row was left out
 */
export async function sendRecords(records: Iterable<string | null>, out: Writable): Promise<void> {
  const turns = startTurns();
  let text = '[';
  let separator = '';
  let rows = 0;
  for (const record of records) {
    if (record !== null) {
      text += separator + record;
      separator = ',';
    }
    if (text.length >= chunkSize) {
      if (!out.write(text)) {
        await drained(out);
        turns.taken();
      }
      text = '';
    }
    rows += 1;
    if (rows % rowsPerLook === 0 && turns.due) await turns.take();
    if (out.destroyed) return;
  }
  out.end(`${text}]`);
}

/** Resolves when more may be written, or when nothing can be any more. */
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
