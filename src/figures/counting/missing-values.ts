import { fieldOf, type Report } from '../../catalogue/index.js';
import { formatField } from '../format/values.js';
import type { RecordView } from '../record-view.js';
import type { Note } from '../result.js';
import { type DateValue, dateIn } from './dates.js';
import { addSums } from './totals.js';

/** Larger numbers are not exact, and no real count is as large. */
const maxCount = Number.MAX_SAFE_INTEGER;

/** Reads numbers and dates, and counts those that were missing or could not be read. */
export class MissingValues {
  /** Three counts per field: rows, missing values, unreadable values. */
  private readonly counts: Float64Array;

  constructor(private readonly fields: readonly string[]) {
    this.counts = new Float64Array(fields.length * 3);
  }

  /** A number that every record should have; NaN if it is missing. */
  number(record: RecordView, index: number): number {
    return this.checked(record, index, record.number(index), true);
  }

  /** An optional number; NaN if it is missing. */
  optionalNumber(record: RecordView, index: number): number {
    return this.checked(record, index, record.number(index), false);
  }

  /**
   * A number that may have a percent sign; NaN if it is missing.
   *
   * @param expected false if it is optional
   */
  percentage(record: RecordView, index: number, expected = true): number {
    const value = record.number(index);
    return this.checked(record, index, Number.isNaN(value) ? percentIn(record.text(index)) : value, expected);
  }

  /** A date that every record should have. */
  date(record: RecordView, index: number): DateValue | undefined {
    return this.anyDate(record, index, true);
  }

  optionalDate(record: RecordView, index: number): DateValue | undefined {
    return this.anyDate(record, index, false);
  }

  /** Counts a text that every record should have; undefined: it is missing or unreadable. */
  countText(record: RecordView, index: number, read: unknown): void {
    this.note(record, index, read !== undefined, true);
  }

  merge({ counts }: MissingValues): void {
    addSums(this.counts, counts);
  }

  /** Fields that were expected in some rows, and readable in none. */
  unreadFields(): readonly string[] {
    return this.fields.filter((_flag, index) => {
      const [of = 0, missing = 0, unreadable = 0] = this.counts.subarray(index * 3, index * 3 + 3);
      return of > 0 && missing + unreadable === of;
    });
  }

  notes(report: Report): Note[] {
    return this.fields.flatMap((flag, index) => {
      const [of = 0, missing = 0, unreadable = 0] = this.counts.subarray(index * 3, index * 3 + 3);
      const known = fieldOf(report, flag);
      if (!known) return [];
      const field = formatField(known);
      const notes: Note[] = [];
      if (missing > 0) notes.push({ kind: 'missing', field, rows: missing, of });
      if (unreadable > 0) notes.push({ kind: 'unreadable', field, rows: unreadable, of });
      return notes;
    });
  }

  private checked(record: RecordView, index: number, value: number, expected: boolean): number {
    const readable = value >= -maxCount && value <= maxCount;
    this.note(record, index, readable, expected);
    return readable ? value : Number.NaN;
  }

  private anyDate(record: RecordView, index: number, expected: boolean): DateValue | undefined {
    const date = dateIn(record, index);
    this.note(record, index, date !== undefined, expected);
    return date;
  }

  private note(record: RecordView, index: number, readable: boolean, expected: boolean): void {
    const at = index * 3;
    const counts = this.counts;
    counts[at] = (counts[at] ?? 0) + 1;
    if (readable) return;
    if (!record.isMissing(index)) counts[at + 2] = (counts[at + 2] ?? 0) + 1;
    else if (expected) counts[at + 1] = (counts[at + 1] ?? 0) + 1;
  }
}

/** The number of `64%` and `64.5 %`. */
function percentIn(text: string | undefined): number {
  const digits = /^\s*(-?\d{1,15}(?:\.\d{1,15})?)\s*%\s*$/.exec(text ?? '')?.[1];
  return digits === undefined ? Number.NaN : Number(digits);
}
