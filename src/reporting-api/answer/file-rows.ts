import type { FileColumn } from '../../runner/ports.js';
import { AnswerFile } from './answer-file.js';
import { type ChosenColumn, type Column, ColumnLayout, LookAhead, Part } from './columns.js';
import { Cells, writeText } from './csv-cells.js';
import { Byte } from './json.js';
import type { ObjectReader } from './object-reader.js';
import { copyInOrder, padRows, RowOrder, type RowWidth, rewrittenCopyOf } from './row-order.js';

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** The state between two records, to return to. */
interface Checkpoint {
  readonly length: number;
  readonly lookAhead: LookAhead;
  readonly layout: ColumnLayout | undefined;
  readonly widths: readonly RowWidth[];
  readonly objectsIn: ReadonlySet<Column>;
  readonly ranked: number;
}

/**
 * Writes records as the rows of a CSV file as they arrive. If a later member needed a new column, the file is copied
 * once at the end, with empty cells in shorter rows. If the rows are ranked, the copy has that order.
 */
export class FileRows {
  private readonly cells = new Cells();
  private lookAhead: LookAhead;
  private layout: ColumnLayout | undefined;
  /** The number of cells of rows, from an offset on. */
  private widths: RowWidth[] = [];
  /** Columns with a cell that holds an object as JSON. */
  private objectsIn = new Set<Column>();
  private readonly order = new RowOrder();
  private checkpoint: Checkpoint;

  private constructor(
    private readonly file: AnswerFile,
    private readonly chosen: readonly ChosenColumn[],
    private readonly reader: ObjectReader,
  ) {
    this.lookAhead = new LookAhead(chosen.map(({ slot }) => slot));
    this.checkpoint = this.asItIs();
  }

  /** @param reader the reader of the records that will be added */
  static async create(
    path: string,
    chosen: readonly ChosenColumn[],
    reader: ObjectReader,
  ): Promise<FileRows> {
    return new FileRows(await AnswerFile.create(path), chosen, reader);
  }

  get isBacklogged(): boolean {
    return this.file.isBacklogged;
  }

  drain(): Promise<void> {
    return this.file.drain();
  }

  /**
   * Adds the record that the reader has just read, from where it lies in the reader's bytes.
   *
   * @param rank lower ranks come first; passed for every record or for none
   */
  add(start: number, end: number, rank?: number): void {
    if (rank !== undefined) this.order.rank(rank);
    if (this.layout) {
      this.writeRow(this.layout, end - start);
      return;
    }
    this.lookAhead.add(this.reader, start, end);
    if (this.lookAhead.isOver) this.settle();
  }

  /** Saves the current state. Replaces the state that was saved before. */
  async saveCheckpoint(): Promise<void> {
    await this.file.flush();
    this.checkpoint = this.asItIs();
  }

  /** Returns to the saved state. */
  async restoreCheckpoint(): Promise<void> {
    const { length, lookAhead, layout, widths, objectsIn, ranked } = this.checkpoint;
    await this.file.truncate(length);
    this.lookAhead = lookAhead.copy();
    this.layout = layout?.copy();
    this.widths = [...widths];
    this.objectsIn = new Set(objectsIn);
    this.order.cutTo(ranked);
  }

  async finish(): Promise<{ bytes: number; columns: readonly FileColumn[] }> {
    const layout = this.layout ?? this.settle();
    await this.file.flush();
    const asWritten = this.widths.length === 1 && this.order.ranked === 0;
    const bytes = asWritten ? this.file.length : await this.copyAll(layout);
    await this.file.close();
    const columns = layout.columns.map((column) => ({
      flag: column.field.flag,
      member: column.member,
      heading: column.heading,
      holdsObjects: this.objectsIn.has(column) ? (true as const) : undefined,
    }));
    return { bytes, columns };
  }

  /** Deletes its files. */
  async discard(): Promise<void> {
    await this.file.closeAndRemove();
  }

  private asItIs(): Checkpoint {
    return {
      length: this.file.length,
      lookAhead: this.lookAhead.copy(),
      layout: this.layout?.copy(),
      widths: [...this.widths],
      objectsIn: new Set(this.objectsIn),
      ranked: this.order.ranked,
    };
  }

  /** Decides the columns from the records so far, and writes the header and those records. */
  private settle(): ColumnLayout {
    const { lookAhead, reader } = this;
    const layout = ColumnLayout.of(this.chosen, lookAhead.shapes, reader);
    this.layout = layout;
    this.lookAhead = new LookAhead([]);
    this.file.write(this.header(layout));
    this.widths.push({ from: this.file.length, cells: layout.columns.length });
    let start = 0;
    for (const end of lookAhead.ends) {
      reader.read(lookAhead.bytes, start + 1, end);
      this.writeRow(layout, end - start);
      start = end;
    }
    return layout;
  }

  private header({ columns }: ColumnLayout): Buffer {
    const headings = columns.map(({ heading }) => Buffer.from(heading));
    const room = headings.reduce((sum, { length }) => sum + 2 * length + 4, byteOrderMark.length + 2);
    const header = Buffer.alloc(room);
    let at = byteOrderMark.copy(header);
    headings.forEach((heading, index) => {
      if (index > 0) header[at++] = Byte.comma;
      at = writeText(header, at, heading, 0, heading.length);
    });
    header[at++] = Byte.carriageReturn;
    header[at++] = Byte.lineFeed;
    return header.subarray(0, at);
  }

  private writeRow(layout: ColumnLayout, recordBytes: number): void {
    const { file, cells } = this;
    const { columns, readers, slots } = layout;
    const before = columns.length;
    layout.addMissingColumns();
    if (columns.length > before) this.widths.push({ from: file.length, cells: columns.length });
    // A byte becomes at most two bytes. Each cell adds at most quotes, an apostrophe and a comma.
    const room = 2 * recordBytes + 4 * columns.length + 16;
    file.reserve(room);
    this.order.rowBeginsAt(file.length);
    const { out } = file;
    let at = file.at;
    for (let c = 0; c < columns.length; c += 1) {
      if (c > 0) out[at++] = Byte.comma;
      const values = readers[c] as ObjectReader;
      const slot = slots[c] as number;
      at =
        slot === Part.otherMembers
          ? cells.writeOthers(out, at, values)
          : cells.writeSlot(out, at, values, slot);
      if (cells.wroteObject) {
        cells.wroteObject = false;
        this.objectsIn.add(columns[c] as Column);
      }
    }
    // Most CSV readers skip an empty line.
    if (columns.length === 1 && at === file.at) {
      out[at++] = Byte.quote;
      out[at++] = Byte.quote;
    }
    out[at++] = Byte.carriageReturn;
    out[at++] = Byte.lineFeed;
    if (at - file.at > room) throw new Error('A row was longer than the room made for it');
    file.at = at;
  }

  private async copyAll(layout: ColumnLayout): Promise<number> {
    const padded = await AnswerFile.create(rewrittenCopyOf(this.file.path));
    try {
      padded.write(this.header(layout));
      const cells = layout.columns.length;
      if (this.order.ranked > 0) await copyInOrder(this.file, padded, this.order, this.widths, cells);
      else await padRows(this.file, padded, this.widths, cells);
      await padded.flush();
      await padded.close();
      await padded.moveTo(this.file.path);
      return padded.length;
    } catch (error) {
      await padded.closeAndRemove();
      throw error;
    }
  }
}
