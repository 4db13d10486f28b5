import { fieldOf, type Report } from '../../catalogue/index.js';
import { formatField } from '../format/values.js';
import type { RecordView } from '../record-view.js';
import type { Note } from '../result.js';
import { dateIn } from './dates.js';
import { addSums } from './totals.js';

/** Larger numbers are not exact, and no real count is as large. */
const maxCount = Number.MAX_SAFE_INTEGER;

/** Reads numbers and dates, and counts those that were missing or could not be read. */
export class MissingValues {
  /** Three counts per field: rows, missing values, unreadable values. */
  private readonly counts;
  private readonly isOptional;

  /** @param optional the fields that a record need not have */
  constructor(
    private readonly fields: readonly string[],
    optional: readonly string[] = [],
  ) {
    this.counts = new Float64Array(fields.length * 3);
    this.isOptional = fields.map((flag) => optional.includes(flag));
  }

  /** NaN if it is missing or unreadable. */
  number(record: RecordView, index: number): number {
    return this.checked(record, index, record.number(index));
  }

  /**
   * A number that may have a percent sign; NaN if it is missing or unreadable.
   *
   * @param isOptional true if the record need not have it
   */
  percentage(record: RecordView, index: number, isOptional = false): number {
    const value = record.number(index);
    return this.checked(
      record,
      index,
      Number.isNaN(value) ? percentIn(record.text(index)) : value,
      isOptional,
    );
  }

  /** A date as `dateIn` reads it. */
  date(record: RecordView, index: number): number {
    return this.checked(record, index, dateIn(record, index));
  }

  /** Counts a text; undefined: it is missing or unreadable. */
  countText(record: RecordView, index: number, read: unknown): void {
    this.note(record, index, read !== undefined);
  }

  merge({ counts }: MissingValues): void {
    addSums(this.counts, counts);
  }

  /** Fields that were expected in some rows, and readable in none. */
  unreadFields(): readonly string[] {
    return this.fields.filter((_flag, index) => {
      const { of, missing, unreadable } = this.countsOf(index);
      return of > 0 && missing + unreadable === of;
    });
  }

  notes(report: Report): Note[] {
    return this.fields.flatMap((flag, index) => {
      const { of, missing, unreadable } = this.countsOf(index);
      const known = fieldOf(report, flag);
      if (!known) return [];
      const field = formatField(known);
      return [
        { kind: 'missing', field, rows: missing, of } as const,
        { kind: 'unreadable', field, rows: unreadable, of } as const,
      ].filter(({ rows }) => rows > 0);
    });
  }

  private countsOf(index: number) {
    const [of = 0, missing = 0, unreadable = 0] = this.counts.subarray(index * 3, index * 3 + 3);
    return { of, missing, unreadable };
  }

  private checked(record: RecordView, index: number, value: number, isOptional = false): number {
    const readable = value >= -maxCount && value <= maxCount;
    this.note(record, index, readable, isOptional);
    return readable ? value : Number.NaN;
  }

  private note(record: RecordView, index: number, readable: boolean, isOptional = false): void {
    const at = index * 3;
    const counts = this.counts;
    counts[at] = (counts[at] ?? 0) + 1;
    if (readable) return;
    if (!record.isMissing(index)) counts[at + 2] = (counts[at + 2] ?? 0) + 1;
    else if (!isOptional && !this.isOptional[index]) counts[at + 1] = (counts[at + 1] ?? 0) + 1;
  }
}

/** The number of `64%` and `64.5 %`. */
export function percentIn(text: string | undefined): number {
  const digits = /^\s*(-?\d{1,15}(?:\.\d{1,15})?)\s*%\s*$/.exec(text ?? '')?.[1];
  return digits === undefined ? Number.NaN : Number(digits);
}
