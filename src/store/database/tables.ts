import type { Generated } from 'kysely';

/* How tables are described, and the SQL that creates them. `schema.ts` has the tables. */

/**
 * What an erasure of a person does with a text column. Each text column says it.
 *
 * `no-person`: it has IDs, codes or keyed hashes. `by-hand`: `erase-person.ts` or `erase-mentions.ts` has a rule for it.
 * `user`: it has a Slack user ID, which is replaced, cleared, or deleted with its row. `conversation`: the same for the
 * ID of a conversation, where it is the person's direct messages. `words`: it may name people in JSON or
 * sentences, from which they are taken out, or which are deleted with the row. `hashes`: it has keyed hashes of people,
 * and rows with that of a person are deleted.
 */
export type Erasure =
  | 'no-person'
  | 'by-hand'
  | { readonly holds: 'user'; readonly erase: 'delete' | 'replace' | 'clear'; readonly counts?: ErasedCount }
  | { readonly holds: 'conversation'; readonly erase: 'delete' | 'replace' }
  | { readonly holds: 'words'; readonly erase: 'delete' | 'take-out' }
  | { readonly holds: 'hashes'; readonly erase: 'delete' };

/** How the operator reads the number of erased rows. */
type ErasedCount = 'approvals' | 'rules' | 'other';

interface ColumnFacts {
  readonly type: 'TEXT' | 'BIGINT';
  readonly isNullable?: boolean;
  readonly fallback?: string | number;
  /** The only texts that it takes. */
  readonly values?: readonly string[];
  /** Set for texts. */
  readonly erasure?: Erasure;
}

/** A column that holds `Value`: the type that Kysely knows of it. */
interface Column<Value> extends ColumnFacts {
  /** Only in types. */
  readonly holds?: Value;
}

export type Columns = Readonly<Record<string, ColumnFacts>>;

export interface Table<Described extends Columns = Columns> {
  readonly columns: Described;
  /** The columns of the primary key besides the workspace. */
  readonly key: readonly string[];
  /** The columns besides the workspace, and a condition: `next_due WHERE next_due IS NOT NULL`. */
  readonly indexes: Readonly<Record<string, string>>;
  readonly uniqueIndexes: Readonly<Record<string, string>>;
  /** Columns that together are unique, besides the workspace. */
  readonly unique?: readonly string[];
  /** The time by which rows expire, and a condition: `created_at WHERE ready_at IS NULL`. Absent: by another rule. */
  readonly age?: string;
  /** After how many days rows expire. `record`: KEEP_RECORD_DAYS. Absent: they stay. */
  readonly keepDays?: number | 'record';
}

export type Row<Described extends Columns> = {
  -readonly [Name in keyof Described]: Described[Name] extends Column<infer Value> ? Value : never;
};

export function text<Value = string>(erasure: Erasure): Column<Value> {
  return { type: 'TEXT', erasure };
}

export function oneOf<const Value extends string>(...values: readonly Value[]): Column<Value> {
  return { type: 'TEXT', values, erasure: 'no-person' };
}

/** A whole number below 2^53. */
export function number<Value = number>(fallback?: number): Column<Value> {
  return { type: 'BIGINT', ...(fallback === undefined ? {} : { fallback }) };
}

/** A text with IDs, codes or keyed hashes, and no person. */
export const noPerson = text('no-person');
export const byHand = text('by-hand');
export const user = text({ holds: 'user', erase: 'replace' });
export const itsUser = text({ holds: 'user', erase: 'delete' });
export const conversation = text({ holds: 'conversation', erase: 'replace' });
export const itsConversation = text({ holds: 'conversation', erase: 'delete' });
/** Rows that mean nothing without a person whom they name, or that come back by themselves. */
export const itsWords = text({ holds: 'words', erase: 'delete' });
export const itsHashes = text({ holds: 'hashes', erase: 'delete' });

export const integer = number();
/** Begins at 0. */
export const counter = number<Generated<number>>(0);

export function orNull<Value>(column: Column<Value>): Column<Value | null> {
  return { ...column, isNullable: true } as Column<Value | null>;
}

export const integerOrNull = orNull(integer);
export const noPersonOrNull = orNull(noPerson);

export function table<const Described extends Columns>(
  key: readonly (keyof Described & string)[],
  columns: Described,
  more: Partial<Pick<Table, 'indexes' | 'uniqueIndexes' | 'unique' | 'age' | 'keepDays'>> = {},
): Table<Described> {
  return { columns, key, indexes: {}, uniqueIndexes: {}, ...more };
}

export type DatabaseKind = 'sqlite' | 'postgres';

/** PostgreSQL compares by bytes then, as SQLite does, whatever the locale of the server. */
export const textTypes: Readonly<Record<DatabaseKind, string>> = {
  sqlite: 'TEXT',
  postgres: 'TEXT COLLATE "C"',
};

/** The statements that create a table and its indexes. `workspace`, if any, is the first column of every key. */
export function createTable(
  name: string,
  described: Table,
  kind: DatabaseKind,
  workspace?: string,
): string[] {
  const first = workspace === undefined ? [] : [workspace];
  const keyOf = (columns: readonly string[]) => `(${[...first, ...columns].join(', ')})`;
  const columns = Object.entries(described.columns).map(
    ([column, of]) => `${column} ${typeOf(column, of, kind)}`,
  );
  const lines = [
    ...first.map((column) => `${column} ${typeOf(column, { type: 'TEXT' }, kind)}`),
    ...columns,
    `PRIMARY KEY ${keyOf(described.key)}`,
    ...(described.unique ? [`UNIQUE ${keyOf(described.unique)}`] : []),
  ];
  const index =
    (create: string) =>
    ([of, definition]: [string, string]) => {
      const [on = '', condition] = definition.split(' WHERE ');
      const where = condition === undefined ? '' : ` WHERE ${condition}`;
      return `${create} ${name}_${of} ON ${name} ${keyOf([on])}${where}`;
    };
  return [
    `CREATE TABLE ${name} (${lines.join(', ')})`,
    ...Object.entries(described.indexes).map(index('CREATE INDEX')),
    ...Object.entries(described.uniqueIndexes).map(index('CREATE UNIQUE INDEX')),
  ];
}

function typeOf(
  name: string,
  { type, isNullable, fallback, values }: ColumnFacts,
  kind: DatabaseKind,
): string {
  const quoted = (value: string | number) => (typeof value === 'number' ? value : `'${value}'`);
  return [
    type === 'TEXT' ? textTypes[kind] : type,
    isNullable ? '' : 'NOT NULL',
    fallback === undefined ? '' : `DEFAULT ${quoted(fallback)}`,
    values ? `CHECK (${name} IN (${values.map(quoted).join(', ')}))` : '',
  ]
    .filter(Boolean)
    .join(' ');
}
