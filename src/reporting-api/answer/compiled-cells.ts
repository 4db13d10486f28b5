import type { ColumnLayout } from './columns.js';
import { Kind } from './json.js';
import type { ObjectReader } from './object-reader.js';
import type { Loops, Scanner } from './scanner.js';

/** The words of the class `Column` of `assembly/scanner.ts`. */
const wordsPerColumn = 4;

/** Writes the usual cells of CSV rows with the compiled loop of a scanner. */
export class CompiledCells {
  /** The column before which the loop stopped; the number of columns at the end of the row. */
  stoppedAt = 0;
  private readonly stopped;
  /** A kind that always stops the loop, for columns without a slot that it reaches. */
  private readonly unusual;
  private table: Int32Array = new Int32Array(0);
  private layout: ColumnLayout | undefined;
  private columns = 0;
  private reachesTable = false;
  private out: Buffer | undefined;
  private reachesOut = false;

  constructor(
    private readonly scanner: Scanner,
    private readonly loops: Loops,
  ) {
    this.stopped = scanner.words(1);
    this.unusual = scanner.bytes(1);
    this.unusual[0] = Kind.json;
  }

  /** Prepares for a layout. False if the loop does not reach one of the places. */
  canWrite(layout: ColumnLayout, out: Buffer, input: Buffer): boolean {
    if (layout !== this.layout || layout.columns.length !== this.columns) this.use(layout);
    if (out !== this.out) {
      this.out = out;
      this.reachesOut = this.scanner.has(out);
    }
    return this.reachesOut && this.reachesTable && input === this.scanner.input;
  }

  /** Lets the loop write objects as JSON into a column, if it reaches the column's slot. */
  allowObjects(column: number): void {
    const { table, unusual } = this;
    const at = column * wordsPerColumn;
    if (table[at] !== unusual.byteOffset) table[at + 3] = 1;
  }

  /**
   * Writes cells of the prepared layout from column `first` on, each after its separator. Returns the offset after the
   * last. Sets `stoppedAt`: that cell has its separator and is not written.
   */
  write(first: number, out: Buffer, at: number): number {
    const { stopped, columns, table } = this;
    const { byteOffset } = out;
    const behind = this.loops.writeCells(
      table.byteOffset,
      first,
      columns,
      byteOffset + at,
      stopped.byteOffset,
    );
    this.stoppedAt = stopped[0] as number;
    return behind - byteOffset;
  }

  private use(layout: ColumnLayout): void {
    const { scanner, unusual } = this;
    const { readers, slots } = layout;
    const { length } = layout.columns;
    if (length * wordsPerColumn > this.table.length) this.table = scanner.words(2 * length * wordsPerColumn);
    this.layout = layout;
    this.columns = length;
    this.reachesTable = [this.table, this.stopped, unusual].every((part) => scanner.has(part));
    for (let c = 0; c < length; c += 1) {
      const { kind, start, end, isReached } = readers[c] as ObjectReader;
      const slot = slots[c] as number;
      const words =
        isReached && slot > 0
          ? [kind.byteOffset + slot, start.byteOffset + 4 * slot, end.byteOffset + 4 * slot, 0]
          : [unusual.byteOffset, 0, 0, 0];
      this.table.set(words, c * wordsPerColumn);
    }
  }
}
