import type { Field } from '../../src/catalogue/index.js';

/** A record as `JSON.parse` makes it. */
export type ParsedRecord = Readonly<Record<string, unknown>>;

/** A column of a plainly computed CSV: a field, or a member of the objects in it. */
export interface NaiveColumn {
  readonly flag: string;
  readonly member?: string;
  readonly heading: string;
}

/** The columns for these records. The first record with a field decides its shape, and late members go to the right. */
export function naiveColumns(
  fields: readonly Field[],
  records: readonly ParsedRecord[],
): readonly NaiveColumn[] {
  const shown = (flag: string) => records.find((record) => (record[flag] ?? '') !== '')?.[flag];
  const columns = fields.flatMap(({ flag, label }): NaiveColumn[] => {
    const first = shown(flag);
    if (!isObject(first)) return [{ flag, heading: label }];
    return Object.keys(first).map((member) => ({ flag, member, heading: `${label}: ${member}` }));
  });
  const nested = fields.filter(({ flag }) => isObject(shown(flag)));
  const there = new Set(columns.map(({ flag, member }) => `${flag} ${member}`));
  for (const record of records) {
    for (const { flag, label } of nested) {
      for (const member of Object.keys(record[flag] ?? {})) {
        if (there.has(`${flag} ${member}`)) continue;
        there.add(`${flag} ${member}`);
        columns.push({ flag, member, heading: `${label}: ${member}` });
      }
    }
  }
  return columns;
}

/** The text of a record in a column, before any quoting. */
export function naiveText(record: ParsedRecord, { flag, member }: NaiveColumn): string {
  const whole = record[flag];
  const nested = member !== undefined && isObject(whole) ? whole[member] : undefined;
  const value = member === undefined ? whole : nested;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return guarded(value.join('; '));
  if (typeof value === 'object') return JSON.stringify(value);
  return typeof value === 'string' ? guarded(value) : String(value);
}

function guarded(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
