import type { AnswerFile } from './answer-file.js';
import { Byte } from './json.js';

/** The path of the final form of a file, until it replaces the file. */
export function rewrittenCopyOf(path: string): string {
  return `${path}.rewritten`;
}

/** From this offset on, rows have this many cells. */
export interface RowWidth {
  readonly from: number;
  readonly cells: number;
}

const readBytes = 256 * 1024;

/**
 * Copies rows from one file to another, adding empty cells to those that have fewer than the last.
 *
 * @param widths by offset; the first begins after the header, which is not copied
 */
export async function padRows(
  from: AnswerFile,
  to: AnswerFile,
  widths: readonly RowWidth[],
  cells: number,
): Promise<void> {
  let offset = widths[0]?.from ?? 0;
  let width = 0;
  let quoted = false;
  for await (const block of allBlocks(from, offset)) {
    let copied = 0;
    for (let i = 0; i < block.length; i += 1) {
      const byte = block[i];
      if (byte === Byte.quote) quoted = !quoted;
      if (byte !== Byte.carriageReturn || quoted) continue;
      // Outside quotes, a carriage return always ends a row.
      while ((widths[width + 1]?.from ?? Number.POSITIVE_INFINITY) <= offset + i) width += 1;
      to.write(block, copied, i);
      copied = i;
      addCommas(cells - (widths[width]?.cells ?? cells), to);
    }
    to.write(block, copied);
    offset += block.length;
    if (to.isBacklogged) await to.drain();
  }
}

function addCommas(count: number, to: AnswerFile): void {
  to.reserve(count);
  to.out.fill(Byte.comma, to.at, to.at + count);
  to.at += count;
}

/** So many bytes of rows are held in memory at once. A larger file is read once for each part of that size. */
const maxBytesInMemory = 16 * 2 ** 20;

const lineEnd = 2;

interface RowSpan {
  readonly begin: number;
  readonly end: number;
}

/** Ranks and offsets of rows, sixteen bytes a row. Only ranked answers use it. Rows can be left out at the end. */
export class RowOrder {
  private ranks = new Float64Array(1024);
  private begins = new Float64Array(1024);
  /** Rows with a rank. Rows that are held back have no offset yet. */
  ranked = 0;
  private placed = 0;
  private isKept: (rank: number) => boolean = () => true;

  /** True where the rows are in their order as they were written, and all of them stay. */
  get isAsWritten(): boolean {
    const { ranks, ranked, isKept } = this;
    for (let row = 0; row < ranked; row++) {
      const rank = ranks[row] as number;
      if (!isKept(rank) || (row > 0 && rank < (ranks[row - 1] as number))) return false;
    }
    return true;
  }

  /** Leaves out the rows for whose rank `isKept` is false. */
  keep(isKept: (rank: number) => boolean): void {
    this.isKept = isKept;
  }

  rank(rank: number): void {
    if (this.ranked === this.ranks.length) {
      this.ranks = longer(this.ranks);
      this.begins = longer(this.begins);
    }
    this.ranks[this.ranked] = rank;
    this.ranked += 1;
  }

  /** Notes that the next row begins at that offset. Does nothing for rows without ranks. */
  rowBeginsAt(offset: number): void {
    if (this.placed === this.ranked) return;
    this.begins[this.placed] = offset;
    this.placed += 1;
  }

  /** Drops all but the first rows. */
  cutTo(ranked: number): void {
    this.ranked = ranked;
    this.placed = Math.min(this.placed, ranked);
  }

  /** The start and end of each row by ascending rank. Equal ranks keep their order. */
  *inOrder(fileLength: number): Generator<RowSpan> {
    const { ranks, begins, ranked, isKept } = this;
    const rows = Uint32Array.from({ length: ranked }, (_, row) => row).filter((row) =>
      isKept(ranks[row] as number),
    );
    rows.sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0) || a - b);
    for (const row of rows) {
      const begin = begins[row] ?? 0;
      yield { begin, end: row + 1 < ranked ? (begins[row + 1] ?? 0) : fileLength };
    }
  }
}

/** Copies the rows of one file to another in their order, adding empty cells as `padRows` does. */
export async function copyInOrder(
  from: AnswerFile,
  to: AnswerFile,
  order: RowOrder,
  widths: readonly RowWidth[],
  cells: number,
): Promise<void> {
  for await (const { row, begin } of inOrder(from, order)) {
    to.write(row, 0, row.length - lineEnd);
    addCommas(cells - (widths.findLast((width) => width.from <= begin)?.cells ?? cells), to);
    to.write(row, row.length - lineEnd);
    if (to.isBacklogged) await to.drain();
  }
}

/** The rows of a file in their order, one after the other. */
export async function* rowsInOrder(file: AnswerFile, order: RowOrder): AsyncGenerator<Buffer> {
  for await (const { row } of inOrder(file, order)) yield row;
}

/** A file from an offset on, in blocks. A block is not valid any more when the next one is read. */
export async function* allBlocks(file: AnswerFile, from = 0): AsyncGenerator<Buffer> {
  const block = Buffer.allocUnsafe(readBytes);
  let offset = from;
  for (let length = await file.read(block, offset); length > 0; length = await file.read(block, offset)) {
    offset += length;
    yield block.subarray(0, length);
  }
}

async function* inOrder(
  file: AnswerFile,
  order: RowOrder,
): AsyncGenerator<{ readonly row: Buffer; readonly begin: number }> {
  let batch: RowSpan[] = [];
  let bytes = 0;
  for (const span of order.inOrder(file.length)) {
    if (bytes + span.end - span.begin > maxBytesInMemory && batch.length > 0) {
      yield* rowsAt(file, batch, bytes);
      batch = [];
      bytes = 0;
    }
    batch.push(span);
    bytes += span.end - span.begin;
  }
  yield* rowsAt(file, batch, bytes);
}

/** Reads rows forward through the file, whatever their order, since a read for each row takes most of the time. */
async function* rowsAt(file: AnswerFile, batch: readonly RowSpan[], bytes: number) {
  const held = Buffer.allocUnsafe(bytes);
  const places = new Float64Array(batch.length);
  for (let row = 1; row < batch.length; row++) {
    const before = batch[row - 1] as RowSpan;
    places[row] = (places[row - 1] ?? 0) + before.end - before.begin;
  }
  const forward = Uint32Array.from(batch.keys()).sort(
    (a, b) => (batch[a] as RowSpan).begin - (batch[b] as RowSpan).begin,
  );
  let from = 0;
  let block: Buffer = Buffer.alloc(0);
  const reused = Buffer.allocUnsafe(readBytes);
  for (const row of forward) {
    const { begin, end } = batch[row] as RowSpan;
    if (end > from + block.length) {
      from = begin;
      const into = end - begin > readBytes ? Buffer.allocUnsafe(end - begin) : reused;
      block = await readRow(file, begin, end, into);
    }
    block.copy(held, places[row], begin - from, end - from);
  }
  for (const [row, { begin, end }] of batch.entries()) {
    const place = places[row] ?? 0;
    yield { row: held.subarray(place, place + end - begin), begin };
  }
}

/** Reads at least to the end of a row, and as much more as a read brings. */
async function readRow(file: AnswerFile, begin: number, end: number, into: Buffer): Promise<Buffer> {
  let at = 0;
  while (at < end - begin) at += await file.read(into.subarray(at), begin + at);
  return into.subarray(0, at);
}

function longer(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const twice = new Float64Array(2 * array.length);
  twice.set(array);
  return twice;
}
