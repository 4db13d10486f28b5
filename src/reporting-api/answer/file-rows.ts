import type { FieldKind } from '../../catalogue/index.js';
import { Failure } from '../../errors/failure.js';
import type { FilePlan } from '../../runner/ports.js';
import { AnswerFile } from './answer-file.js';
import type { CellWriter } from './cell-text.js';
import { type ChosenColumn, type Column, ColumnLayout, LookAhead, Part } from './columns.js';
import { CompiledCells } from './compiled-cells.js';
import { CsvCells, csvHeader } from './csv-cells.js';
import type { ObjectReader } from './object-reader.js';
import {
  allBlocks,
  copyInOrder,
  padRows,
  RowOrder,
  type RowWidth,
  rewrittenCopyOf,
  rowsInOrder,
} from './row-order.js';
import { overshoot } from './scanner.js';
import { SheetCells } from './sheet-cells.js';
import { maxSheetRows, writeWorkbook } from './workbook.js';

/**
 * Writes records as the rows of a file as they arrive. If a later member needed a new column, a CSV is copied once at the
 * end, with empty cells in shorter rows. If the rows are ranked, the copy has that order. A workbook is always made at
 * the end, from cells that were written before: its rows come behind the headings, which are known only then.
 */
export class FileRows {
  private readonly cells: CellWriter;
  /** Writes the rows of a CSV where the reader has compiled loops. */
  private readonly compiled: CompiledCells | undefined;
  private lookAhead: LookAhead;
  private layout: ColumnLayout | undefined;
  /** The number of cells of rows, from an offset on. */
  private widths: RowWidth[] = [];
  /** Columns with a cell that holds an object as JSON. */
  private objectsIn = new Set<Column>();
  private readonly order = new RowOrder();
  private rows = 0;
  /** The state between two records, to return to. */
  private checkpoint;

  private constructor(
    private readonly plan: FilePlan,
    private readonly file: AnswerFile,
    private readonly chosen: readonly ChosenColumn[],
    private readonly reader: ObjectReader,
  ) {
    this.cells = this.isWorkbook ? new SheetCells(plan.zone) : new CsvCells();
    const { scanner } = reader;
    if (!this.isWorkbook && scanner.loops) this.compiled = new CompiledCells(scanner, scanner.loops);
    this.lookAhead = new LookAhead(chosen.map(({ slot }) => slot));
    this.checkpoint = this.currentState();
  }

  /** @param reader the reader of the records that will be added */
  static async create(
    plan: FilePlan,
    chosen: readonly ChosenColumn[],
    reader: ObjectReader,
  ): Promise<FileRows> {
    const file = await AnswerFile.create(plan.path, undefined, () => reader.scanner.newBlock());
    return new FileRows(plan, file, chosen, reader);
  }

  get isBacklogged(): boolean {
    return this.file.isBacklogged;
  }

  drain(): Promise<void> {
    return this.file.drain();
  }

  /**
   * Adds the record that the reader has just read.
   *
   * @param start of the record in the reader's bytes
   * @param rank lower ranks come first; passed for every record or for none
   * @param days for the column of days
   * @throws `too-large-for-excel`
   */
  add(start: number, end: number, rank?: number, days = Number.NaN): void {
    this.rows += 1;
    if (this.isWorkbook && this.rows > maxSheetRows)
      throw new Failure('too-large-for-excel', { limit: 'rows' });
    if (rank !== undefined) this.order.rank(rank);
    if (this.layout) {
      this.writeRow(this.layout, end - start, days);
      return;
    }
    this.lookAhead.add(this.reader, start, end, days);
    if (this.lookAhead.isOver) this.decideLayout();
  }

  /** Saves the current state. Replaces the state that was saved before. */
  async saveCheckpoint(): Promise<void> {
    await this.file.flush();
    this.checkpoint = this.currentState();
  }

  /** Returns to the saved state. */
  async restoreCheckpoint(): Promise<void> {
    const { length, lookAhead, layout, widths, objectsIn, ranked, rows, cutCells } = this.checkpoint;
    await this.file.truncate(length);
    this.lookAhead = lookAhead.copy();
    this.layout = layout?.copy();
    this.widths = [...widths];
    this.objectsIn = new Set(objectsIn);
    this.order.cutTo(ranked);
    this.rows = rows;
    this.cells.cutCells = cutCells;
  }

  /**
   * @param isKept false for the rank of a row to remove
   * @param signal cancels the writing of a workbook, which takes seconds for many rows
   */
  async finish(isKept: (rank: number) => boolean = () => true, signal?: AbortSignal) {
    const layout = this.layout ?? this.decideLayout();
    this.order.keep(isKept);
    await this.file.flush();
    const bytes = this.isFinished ? this.file.length : await this.rewrite(layout, signal);
    await this.file.close();
    const columns = layout.columns.map((column) => ({
      flag: column.field.flag,
      member: column.member,
      heading: column.heading,
      holdsObjects: this.objectsIn.has(column) ? (true as const) : undefined,
    }));
    return { bytes, columns, cutCells: this.cells.cutCells || undefined };
  }

  /** Deletes its files. */
  async discard(): Promise<void> {
    await this.file.closeAndRemove();
  }

  private currentState() {
    return {
      length: this.file.length,
      lookAhead: this.lookAhead.copy(),
      layout: this.layout?.copy(),
      widths: [...this.widths],
      objectsIn: new Set(this.objectsIn),
      ranked: this.order.ranked,
      rows: this.rows,
      cutCells: this.cells.cutCells,
    };
  }

  private get isWorkbook(): boolean {
    return this.plan.format === 'xlsx';
  }

  /** True for a CSV whose rows all have the same width and stay in their order. */
  private get isFinished(): boolean {
    return !this.isWorkbook && this.widths.length === 1 && this.order.isAsWritten;
  }

  /** Decides the columns from the records so far, and writes the header and those records. */
  private decideLayout(): ColumnLayout {
    const { lookAhead, reader } = this;
    const layout = ColumnLayout.of(this.chosen, lookAhead.shapes, reader, this.plan.days);
    this.layout = layout;
    this.lookAhead = new LookAhead([]);
    if (!this.isWorkbook) this.file.write(csvHeader(headingsOf(layout)));
    this.widths.push({ from: this.file.length, cells: layout.columns.length });
    let start = 0;
    for (const [index, end] of lookAhead.ends.entries()) {
      reader.read(lookAhead.bytes, start + 1, end);
      this.writeRow(layout, end - start, lookAhead.days[index] as number);
      start = end;
    }
    return layout;
  }

  private writeRow(layout: ColumnLayout, recordBytes: number, days: number): void {
    const { file, cells } = this;
    const { columns, readers, slots } = layout;
    const before = columns.length;
    layout.addMissingColumns();
    if (columns.length > before) this.widths.push({ from: file.length, cells: columns.length });
    const room = cells.roomFor(recordBytes, columns.length) + overshoot;
    file.reserve(room);
    this.order.rowBeginsAt(file.length);
    const { out } = file;
    let at = file.at;
    const compiled = this.compiled?.canWrite(layout, out, this.reader.bytes) ? this.compiled : undefined;
    for (let c = 0; c < columns.length; c += 1) {
      if (compiled) {
        at = compiled.write(c, out, at);
        c = compiled.stoppedAt;
        if (c === columns.length) break;
      } else if (c > 0) out[at++] = cells.separator;
      const values = readers[c] as ObjectReader;
      const slot = slots[c] as number;
      if (slot === Part.days) at = Number.isNaN(days) ? at : cells.writeNumber(out, at, days);
      else if (slot === Part.otherMembers) at = cells.writeOthers(out, at, values);
      else at = cells.writeSlot(out, at, values, slot, layout.kinds[c] as FieldKind);
      if (cells.wroteObject) {
        cells.wroteObject = false;
        this.objectsIn.add(columns[c] as Column);
        compiled?.allowObjects(c);
      }
    }
    at = cells.endRow(out, at, columns.length === 1 && at === file.at);
    if (at - file.at > room) throw new Error('A row was longer than the room made for it');
    file.at = at;
  }

  /** Replaces the file with its final form. Returns its length. */
  private async rewrite(layout: ColumnLayout, signal: AbortSignal | undefined): Promise<number> {
    const copy = await AnswerFile.create(rewrittenCopyOf(this.file.path));
    try {
      await (this.isWorkbook ? this.makeWorkbook(layout, copy, signal) : this.copyRows(layout, copy));
      await copy.flush();
      await copy.close();
      await copy.moveTo(this.file.path);
      return copy.length;
    } catch (error) {
      await copy.closeAndRemove();
      throw error;
    }
  }

  private async copyRows(layout: ColumnLayout, copy: AnswerFile): Promise<void> {
    copy.write(csvHeader(headingsOf(layout)));
    const cells = layout.columns.length;
    if (!this.order.isAsWritten) await copyInOrder(this.file, copy, this.order, this.widths, cells);
    else await padRows(this.file, copy, this.widths, cells);
  }

  private makeWorkbook(
    { columns, kinds }: ColumnLayout,
    copy: AnswerFile,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const sheet = {
      name: this.plan.title,
      columns: columns.map(({ heading }, index) => ({ heading, kind: kinds[index] as FieldKind })),
      rows: this.order.isAsWritten ? allBlocks(this.file) : rowsInOrder(this.file, this.order),
    };
    return writeWorkbook(copy, sheet, signal);
  }
}

function headingsOf({ columns }: ColumnLayout): readonly string[] {
  return columns.map(({ heading }) => heading);
}
