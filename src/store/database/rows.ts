import {
  type Compilable,
  type Expression,
  expressionBuilder,
  type Insertable,
  isExpression,
  type QueryResult,
  type SelectQueryBuilder,
  type SelectType,
  type Simplify,
  type SqlBool,
  sql,
  type UpdateObject,
} from 'kysely';
import { isUnreachable } from './errors.js';
import { type Db, schema, type TableName, type Tables, type Trx } from './schema.js';
import { preparedQuery } from './workspace.js';

/* What most queries do: find, count, add, change or delete the rows that have some values. */

/** Runs some work in a transaction. Transactions take turns, so what it reads stays true until its end. */
export function inTransaction<Value>(db: Db, work: (trx: Trx) => Promise<Value>): Promise<Value> {
  return db.transaction().execute(work);
}

/**
 * The same for what must be known to be done. Where the connection breaks, the commit may have arrived, so the work is
 * done once more, and finds out.
 *
 * @param work `isRepeat`: it may be done already
 */
export async function inCertainTransaction<Value>(
  db: Db,
  work: (trx: Trx, isRepeat: boolean) => Promise<Value>,
): Promise<Value> {
  try {
    return await inTransaction(db, (trx) => work(trx, false));
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    return inTransaction(db, (trx) => work(trx, true));
  }
}

interface Comparison {
  readonly operator: '<' | '<=' | '>' | '>=' | '!=' | 'is not' | 'not in' | 'like';
  readonly operand: string | number | null | Expression<unknown>;
}

/** A condition on a column, such as `is('>', 5)`. */
export function is(operator: Comparison['operator'], operand: Comparison['operand']): Comparison {
  return { operator, operand };
}

export const isSet = is('is not', null);

/** What some columns of a row hold: a value, one of several values or of a query’s, nothing (null), or what `is` says. */
export type RowValues<Name extends TableName> = Simplify<{
  readonly [Column in keyof Tables[Name]]?:
    | SelectType<Tables[Name][Column]>
    | readonly SelectType<Tables[Name][Column]>[]
    | Expression<unknown>
    | Comparison;
}>;

/** True for rows that have all of the values. */
export function having<Name extends TableName>(values: RowValues<Name>) {
  const eb = expressionBuilder<Tables, TableName>();
  const conditions: Expression<SqlBool>[] = [];
  for (const [column, value] of Object.entries(values)) {
    const equals = Array.isArray(value) || isExpression(value) ? 'in' : '=';
    const operator = value === null ? 'is' : equals;
    const isCompared = typeof value === 'object' && value !== null && 'operand' in value;
    const compared: Comparison | undefined = isCompared ? value : undefined;
    conditions.push(
      compared
        ? eb(sql.ref(column), compared.operator, compared.operand)
        : eb(sql.ref(column), operator, value),
    );
  }
  return eb.and(conditions);
}

const preparedByShape = new Map<string, ReturnType<typeof preparedQuery<unknown, Record<string, unknown>>>>();

/** A column and what it holds, or how many values its list has. */
type ShapeOfColumn = readonly [string, 'null' | 'one' | number];

/** Longer lists differ in length too often. */
const maxListInShape = 4;

/** To find the shape of more takes as long as to compile the query. */
const maxObjectsInShape = 8;

/**
 * Runs a query that is compiled once for each shape of its values: their columns, which of them are null, and how long
 * lists are.
 *
 * @param name tells it apart from other queries
 * @param values by column. Undefined ones are left out
 * @param build must only put the values into the query. It is kept, so it must not hold what belongs to one call
 */
export async function runByShape<Row, const Values extends readonly object[]>(
  db: Db,
  name: string,
  values: Values,
  build: (db: Db, values: Values) => Compilable<Row>,
): Promise<QueryResult<Row>> {
  if (values.length > maxObjectsInShape) return db.executeQuery(build(db, values));
  const shape: ShapeOfColumn[][] = [];
  const parameters: Record<string, unknown> = {};
  for (const [at, columns] of values.entries()) {
    const ofObject: ShapeOfColumn[] = [];
    for (const [column, value] of Object.entries(columns)) {
      if (value === undefined) continue;
      const list: readonly unknown[] | undefined = Array.isArray(value) ? value : undefined;
      const isLong = list !== undefined && (list.length === 0 || list.length > maxListInShape);
      if (isLong || !(list ?? [value]).every(isParameter)) return db.executeQuery(build(db, values));
      if (list) for (const [index, one] of list.entries()) parameters[placeOf(at, column, index)] = one;
      else if (value !== null) parameters[placeOf(at, column)] = value;
      ofObject.push([column, value === null ? 'null' : (list?.length ?? 'one')]);
    }
    shape.push(ofObject);
  }
  const key = `${name} ${JSON.stringify(shape)}`;
  let prepared = preparedByShape.get(key);
  if (!prepared) {
    prepared = preparedQuery((db, places) => build(db, filled(shape, places) as unknown as Values));
    preparedByShape.set(key, prepared);
  }
  return (await prepared(db, parameters)) as QueryResult<Row>;
}

function placeOf(at: number, column: string, index?: number): string {
  return `${at} ${column} ${index ?? ''}`;
}

function isParameter(value: unknown): boolean {
  return typeof value !== 'object' || value === null || value instanceof Uint8Array;
}

/** The values of a shape, with the given ones in their places. */
function filled(shape: readonly (readonly ShapeOfColumn[])[], places: Readonly<Record<string, unknown>>) {
  return shape.map((columns, at) =>
    Object.fromEntries(
      columns.map(([column, size]) => {
        if (size === 'null') return [column, null];
        if (size === 'one') return [column, places[placeOf(at, column)]];
        return [column, Array.from({ length: size }, (_, index) => places[placeOf(at, column, index)])];
      }),
    ),
  );
}

export function rowsOf<Name extends TableName>(
  db: Db,
  table: Name,
  values: RowValues<Name>,
): SelectQueryBuilder<Tables, Name, object> {
  return db.selectFrom<TableName>(table).where(having(values)) as never;
}

export async function countRows<Name extends TableName>(
  db: Db,
  table: Name,
  values: RowValues<Name>,
): Promise<number> {
  const { rows } = await runByShape(db, `count ${table}`, [values], (db, [values]) =>
    db.selectFrom<TableName>(table).where(having(values)).select(sql<number>`count(*)`.as('count')),
  );
  return Number(rows[0]?.count);
}

/** Adds a row unless its key is there already. Returns whether it was added. */
export async function addRow<Name extends TableName>(
  db: Db,
  table: Name,
  row: Insertable<Tables[Name]>,
): Promise<boolean> {
  const { numAffectedRows: added = 0n } = await runByShape(db, `add ${table}`, [row], (db, [row]) =>
    db
      .insertInto<TableName>(table)
      .values(row as never)
      .onConflict((conflict) => conflict.columns(schema[table].key as never).doNothing()),
  );
  return added > 0n;
}

/** Adds a row, or gives the one with the same key its other values. */
export async function putRow<Name extends TableName>(
  db: Db,
  table: Name,
  row: Insertable<Tables[Name]>,
): Promise<void> {
  const { key } = schema[table];
  await runByShape(db, `put ${table}`, [row], (db, [row]) => {
    const others: Record<string, unknown> = {};
    for (const [column, value] of Object.entries(row)) if (!key.includes(column)) others[column] = value;
    return db
      .insertInto<TableName>(table)
      .values(row as never)
      .onConflict((conflict) => conflict.columns(key as never).doUpdateSet(others as never));
  });
}

/** Changes rows that have some values. Returns how many. In `set`, undefined leaves a column as it is. */
export async function changeRows<Name extends TableName>(
  db: Db,
  table: Name,
  values: RowValues<Name>,
  set: UpdateObject<Tables, Name>,
): Promise<number> {
  const changed = await runByShape(db, `change ${table}`, [values, set], (db, [values, set]) =>
    db
      .updateTable<TableName>(table)
      .set(set as never)
      .where(having(values)),
  );
  return Number(changed.numAffectedRows);
}

/** Deletes rows that have some values. Returns how many. */
export async function deleteRows<Name extends TableName>(
  db: Db,
  table: Name,
  values: RowValues<Name>,
): Promise<number> {
  const deleted = await runByShape(db, `delete ${table}`, [values], (db, [values]) =>
    db.deleteFrom<TableName>(table).where(having(values)),
  );
  return Number(deleted.numAffectedRows);
}

export function plusOne(column: string) {
  return sql<number>`${sql.ref(column)} + 1`;
}

export function minusOne(column: string) {
  return sql<number>`${sql.ref(column)} - 1`;
}

/** Text that was changed by hand may be no JSON. Its hash tells. */
export function jsonIn<Value>(text: string | null | undefined): Value | undefined {
  try {
    return text ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
