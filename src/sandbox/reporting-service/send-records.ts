import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Turns } from './turns.js';

/** About one socket buffer. */
const chunkSize = 64 * 1024;

/** How many rows pass between two looks at the clock. */
const rowsPerLook = 16;

/**
 * Sends records as one JSON array while they are read, in chunks, as fast as they are taken and never for long without
 * giving everything else its turn. Ends early when the other side is gone.
 *
 * @param batches lists of JSON texts; null where a row was left out
 */
export async function sendRecords(
  batches: AsyncIterable<Iterable<string | null>>,
  out: Writable,
  turns: Turns,
): Promise<void> {
  let text = '[';
  let separator = '';
  let rows = 0;
  for await (const records of batches) {
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
  }
  out.end(`${text}]`);
}

/** Sends the beginning of an answer, at most half a chunk of it, and breaks off. */
export async function sendCutShort(
  batches: AsyncIterable<Iterable<string | null>>,
  out: Writable,
): Promise<void> {
  let text = '[';
  for await (const records of batches) {
    for (const record of records) {
      if (record !== null) text += `${record},`;
      if (text.length >= chunkSize) break;
    }
    if (text.length >= chunkSize) break;
  }
  out.write(text.slice(0, Math.ceil(text.length / 2)), () => out.destroy());
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
