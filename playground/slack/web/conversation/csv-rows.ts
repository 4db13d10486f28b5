import { parse } from 'csv-parse/browser/esm/sync';

export interface CsvRows {
  /** The header is the first. */
  readonly rows: readonly string[][];
  /** True: the file goes on after these. */
  readonly more: boolean;
}

/** At most so many rows of a CSV text. `whole: false`: the text is cut off somewhere, and so may be its last row. */
export function csvRows(text: string, most: number, whole: boolean): CsvRows {
  const rows: string[][] = parse(text, {
    bom: true,
    relax_column_count: true,
    skip_records_with_error: !whole,
    to: most + 1,
  });
  const complete = whole || rows.length > most ? rows : rows.slice(0, -1);
  return { rows: complete.slice(0, most), more: !whole || rows.length > most };
}
