import type { Field } from '../../../src/catalogue/index.js';
import type { FileColumn } from '../../../src/runner/ports.js';
import { compactJson, PlainNumber, PlainObject, type PlainValue } from './plain-json.js';

const mostMembers = 500;
const mostHeldBack = 1000;

/**
 * The CSV of an answer's records, computed in a simple way to compare with the fast writer. Its look-ahead has a limit
 * for records and none for bytes, so tests must stay below the byte limit of the fast writer.
 */
export function plainCsv(
  fields: readonly Field[],
  records: readonly PlainObject[],
): { text: string; columns: readonly FileColumn[] } {
  const columns = columnsOf(fields, records);
  const rows = records.map((record) => columns.map((column) => cellOf(column, record)));
  const lines = [columns.map(({ heading }) => cell(heading)), ...rows].map((cells) => {
    const line = cells.join(',');
    return `${cells.length === 1 && line === '' ? '""' : line}\r\n`;
  });
  const written = columns.map(({ flag, member, heading, others, field }) => ({
    flag,
    ...(member === undefined ? {} : { member }),
    heading,
    ...(records.some((record) => holdsObject({ flag, member, others, field, heading }, record))
      ? { holdsObjects: true as const }
      : {}),
  }));
  return { text: `\uFEFF${lines.join('')}`, columns: written };
}

export interface PlainColumn {
  readonly field: Field;
  readonly flag: string;
  readonly heading: string;
  readonly member?: string | undefined;
  /** For the column of the members beyond the limit: the names that have one of their own. */
  readonly others?: ReadonlySet<string> | undefined;
}

export function columnsOf(fields: readonly Field[], records: readonly PlainObject[]): PlainColumn[] {
  const columns: PlainColumn[] = [];
  const members = new Map(fields.map(({ flag }) => [flag, new Set<string>()]));
  const add = (field: Field, member?: string, others?: ReadonlySet<string>) => {
    const there = columns.some(
      (column) => column.flag === field.flag && column.member === member && !column.others === !others,
    );
    const heading = member === undefined ? field.label : `${field.label}: ${member}`;
    if (!there) columns.push({ field, flag: field.flag, heading, member, others });
  };
  const addMembers = (field: Field, object: PlainObject) => {
    const known = members.get(field.flag) ?? new Set();
    let beyond = false;
    for (const [name] of object.members) {
      if (known.size < mostMembers) known.add(name);
      if (known.has(name)) add(field, name);
      else beyond = true;
    }
    if (beyond) add(field, 'other members', known);
  };
  for (const field of fields) {
    const first = records
      .slice(0, mostHeldBack)
      .map((record) => record.get(field.flag))
      .find(isShown);
    if (first instanceof PlainObject) addMembers(field, first);
    else add(field);
  }
  for (const record of records) {
    for (const field of fields) {
      const value = record.get(field.flag);
      if (value instanceof PlainObject) addMembers(field, value);
      else if (isShown(value)) add(field);
    }
  }
  return columns;
}

function isShown(value: PlainValue | undefined): boolean {
  if (value === undefined || value === null || value === '') return false;
  if (value instanceof PlainObject) return value.members.length > 0;
  return !Array.isArray(value) || value.length > 0;
}

export function partOf({ flag, member, others }: PlainColumn, record: PlainObject): PlainValue | undefined {
  const value = record.get(flag);
  if (member === undefined) return value instanceof PlainObject ? undefined : value;
  if (!(value instanceof PlainObject)) return undefined;
  if (!others) return value.get(member);
  const beyond = value.members.filter(([name]) => !others.has(name));
  return beyond.length > 0 ? new PlainObject(beyond) : undefined;
}

function cellOf(column: PlainColumn, record: PlainObject): string {
  return cellOfValue(partOf(column, record));
}

function holdsObject(column: PlainColumn, record: PlainObject): boolean {
  const value = partOf(column, record);
  if (value instanceof PlainObject) return true;
  return Array.isArray(value) && value.some((entry) => typeof entry === 'object' && isJson(entry));
}

function isJson(entry: PlainValue): boolean {
  return Array.isArray(entry) || (entry instanceof PlainObject && nameIn(entry) === undefined);
}

function cellOfValue(value: PlainValue | undefined): string {
  if (value instanceof PlainNumber) return value.text;
  if (typeof value === 'boolean') return String(value);
  return cell(textOf(value ?? null));
}

export function textOf(value: PlainValue): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.map(entryText).join('; ');
  return typeof value === 'string' ? value : compactJson(value);
}

function entryText(entry: PlainValue): string {
  if (entry instanceof PlainObject) return textOf(nameIn(entry) ?? entry);
  return Array.isArray(entry) ? compactJson(entry) : textOf(entry);
}

/** The name of an object that has only an ID and a name or title. */
function nameIn({ members }: PlainObject): PlainValue | undefined {
  const ids = members.filter(([name]) => name === 'id' || name.endsWith('_id'));
  const names = members.filter(([name]) => name === 'name' || name === 'title');
  if (names.length !== 1 || ids.length > 1 || ids.length + names.length < members.length) return undefined;
  const scalar = members.every(
    ([, value]) => typeof value !== 'object' || value === null || value instanceof PlainNumber,
  );
  const name = names[0]?.[1];
  return scalar && name !== null && name !== '' ? name : undefined;
}

/** A text as a cell: protected against formulas, and quoted if necessary. */
function cell(text: string): string {
  const wholeNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text);
  const guarded = /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !wholeNumber ? `'${text}` : text;
  return /[",;\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
