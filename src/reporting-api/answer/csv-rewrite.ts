import type { CsvFile } from './csv-file.js';
import { Byte } from './json.js';

/** Where the padded copy of a file grows until it takes the file's place. */
export function paddedCopyOf(path: string): string {
  return `${path}.padded`;
}

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
    if (to.isBacklogged) await to.drain();
  }
}

function copy(bytes: Buffer, start: number, end: number, to: CsvFile): void {
  to.reserve(end - start);
  bytes.copy(to.out, to.at, start, end);
  to.at += end - start;
}

/** Adds so many empty cells to the end of a row. */
function addCommas(count: number, to: CsvFile): void {
  to.reserve(count);
  to.out.fill(Byte.comma, to.at, to.at + count);
  to.at += count;
}

/** A file up to this size is held while its rows are put into order; the rows of a larger one are read one by one. */
const maxBytesInMemory = 16 * 2 ** 20;

const lineEnd = 2;

/** Ranks of rows and the places where they begin: sixteen bytes a row, which only the rows of a part of an answer need. */
export class RowOrder {
  private ranks = new Float64Array(1024);
  private begins = new Float64Array(1024);
  /** Rows that have a rank; those held back have no place yet. */
  ranked = 0;
  private placed = 0;

  rank(rank: number): void {
    if (this.ranked === this.ranks.length) {
      this.ranks = longer(this.ranks);
      this.begins = longer(this.begins);
    }
    this.ranks[this.ranked] = rank;
    this.ranked += 1;
  }

  /** The next row begins at that place of the file. Does nothing for rows without ranks. */
  rowBeginsAt(place: number): void {
    if (this.placed === this.ranked) return;
    this.begins[this.placed] = place;
    this.placed += 1;
  }

  /** Forgets all but the first so many rows. */
  cutTo(ranked: number): void {
    this.ranked = ranked;
    this.placed = Math.min(this.placed, ranked);
  }

  /** The rows from the lowest rank on, equal ones as they were written: where each begins and ends. */
  *inOrder(fileLength: number): Generator<{ readonly begin: number; readonly end: number }> {
    const { ranks, begins, ranked } = this;
    const rows = Uint32Array.from({ length: ranked }, (_, row) => row);
    rows.sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0) || a - b);
    for (const row of rows) {
      const begin = begins[row] ?? 0;
      yield { begin, end: row + 1 < ranked ? (begins[row + 1] ?? 0) : fileLength };
    }
  }
}

/**
 * Copies the rows of one file to another in their order, adding empty cells to those that have fewer than the last.
 *
 * @param widths by their places
 * @param cells how many each row is to have
 */
export async function copyInOrder(
  from: CsvFile,
  to: CsvFile,
  order: RowOrder,
  widths: readonly RowWidth[],
  cells: number,
): Promise<void> {
  const held = from.length <= maxBytesInMemory ? await readAll(from, 0, from.length) : undefined;
  for (const { begin, end } of order.inOrder(from.length)) {
    const row = held ? held.subarray(begin, end) : await readAll(from, begin, end);
    to.write(row.subarray(0, row.length - lineEnd));
    addCommas(cells - (widths.findLast((width) => width.from <= begin)?.cells ?? cells), to);
    to.write(row.subarray(row.length - lineEnd));
    if (to.isBacklogged) await to.drain();
  }
}

async function readAll(file: CsvFile, begin: number, end: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(end - begin);
  for (let at = 0; at < bytes.length; ) {
    at += await file.read(bytes.subarray(at), begin + at);
  }
  return bytes;
}

function longer(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const twice = new Float64Array(2 * array.length);
  twice.set(array);
  return twice;
}
