import type { Field, FieldKind, Report } from '../../bot.js';

type Shape = (value: unknown) => unknown;

const same: Shape = (value) => value;
const asText: Shape = (value) => String(value);

function seconds(value: unknown): number {
  return Date.parse(String(value)) / 1000;
}

/** The same instant, as a clock two hours ahead shows it. */
function twoHoursAhead(value: unknown): string {
  return `${new Date((seconds(value) + 7200) * 1000).toISOString().slice(0, 19)}+02:00`;
}

function eachAs(make: (entry: unknown, index: number) => unknown): Shape {
  return (value) => (Array.isArray(value) ? value.map(make) : value);
}

const shapes: Partial<Record<FieldKind, readonly Shape[]>> = {
  number: [same, asText],
  date: [same, seconds, (value) => seconds(value) * 1000, twoHoursAhead, (value) => String(seconds(value))],
  'yes-no': [same, asText, (value) => (value === true ? 'Yes' : 'No'), Number],
  list: [
    same,
    (value) => (Array.isArray(value) ? value.join('; ') : value),
    eachAs((entry, index) => ({ id: `entry-${index + 1}`, name: entry })),
  ],
};

/** How a value that is missing may look; undefined leaves the member out. */
const missing: readonly unknown[] = [null, undefined, ''];

/**
 * Gives the values of records other types, from record to record, as services do that never said which to expect.
 *
 * @returns what turns a record's text into that of the same record in another shape
 */
export function changingShapes(report: Report): (record: string) => string {
  const fields = new Map<string, Field>(report.fields.map((field) => [field.flag, field]));
  let count = -1;
  return (record) => {
    count += 1;
    const values = Object.entries(JSON.parse(record)).map(([flag, value]) => {
      if (value === null) return [flag, missing[count % missing.length]];
      const choices = shapes[fields.get(flag)?.kind ?? 'text'] ?? [same];
      return [flag, choices[count % choices.length]?.(value)];
    });
    return JSON.stringify(Object.fromEntries(values));
  };
}
