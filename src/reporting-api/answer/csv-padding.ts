import type { CsvFile } from './csv-file.js';
import { Byte } from './json.js';

/** From this place in the file on, rows have so many cells. */
export interface RowWidth {
  readonly from: number;
  readonly cells: number;
}

const readBytes = 256 * 1024;

/**
 * Copies rows from one file to another, adding empty cells to those that have fewer than the last.
 *
 * @param widths by their places; the first begins behind the header, which is not copied
 * @param cells how many each row is to have
 */
export async function padRows(
  from: CsvFile,
  to: CsvFile,
  widths: readonly RowWidth[],
  cells: number,
): Promise<void> {
  const block = Buffer.allocUnsafe(readBytes);
  let place = widths[0]?.from ?? 0;
  let width = 0;
  let quoted = false;
  for (let length = await from.read(block, place); length > 0; length = await from.read(block, place)) {
    let copied = 0;
    for (let i = 0; i < length; i += 1) {
      const byte = block[i];
      if (byte === Byte.quote) quoted = !quoted;
      if (byte !== Byte.carriageReturn || quoted) continue;
      // Outside quotes a carriage return is the end of a row, and nothing else.
      while ((widths[width + 1]?.from ?? Number.POSITIVE_INFINITY) <= place + i) width += 1;
      copy(block, copied, i, to);
      copied = i;
      addCommas(cells - (widths[width]?.cells ?? cells), to);
    }
    copy(block, copied, length, to);
    place += length;
    if (to.isBehind) await to.caughtUp();
  }
}

function copy(bytes: Buffer, start: number, end: number, to: CsvFile): void {
  to.reserve(end - start);
  bytes.copy(to.out, to.at, start, end);
  to.at += end - start;
}

/** Adds so many empty cells to the end of a row. */
export function addCommas(count: number, to: CsvFile): void {
  to.reserve(count);
  to.out.fill(Byte.comma, to.at, to.at + count);
  to.at += count;
}
