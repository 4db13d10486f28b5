import {
  type Expression,
  expressionBuilder,
  type Insertable,
  isExpression,
  type SelectQueryBuilder,
  type SelectType,
  type Simplify,
  type SqlBool,
  sql,
  type UpdateObject,
} from 'kysely';
import { isUnreachable } from './errors.js';
import { type Db, schema, type TableName, type Tables, type Trx } from './schema.js';

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
  const counted = db.selectFrom<TableName>(table).where(having(values));
  const { count } = await counted.select(sql`count(*)`.as('count')).executeTakeFirstOrThrow();
  return Number(count);
}

/** Adds a row unless its key is there already. Returns whether it was added. */
export async function addRow<Name extends TableName>(
  db: Db,
  table: Name,
  row: Insertable<Tables[Name]>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows: added } = await db
    .insertInto<TableName>(table)
    .values(row as never)
    .onConflict((conflict) => conflict.columns(schema[table].key as never).doNothing())
    .executeTakeFirstOrThrow();
  return (added ?? 0n) > 0n;
}

/** Adds a row, or gives the one with the same key its other values. */
export async function putRow<Name extends TableName>(
  db: Db,
  table: Name,
  row: Insertable<Tables[Name]>,
): Promise<void> {
  const { key } = schema[table];
  const others: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) if (!key.includes(column)) others[column] = value;
  await db
    .insertInto<TableName>(table)
    .values(row as never)
    .onConflict((conflict) => conflict.columns(key as never).doUpdateSet(others as never))
    .execute();
}

/** Changes rows that have some values. Returns how many. In `set`, undefined leaves a column as it is. */
export async function changeRows<Name extends TableName>(
  db: Db,
  table: Name,
  values: RowValues<Name>,
  set: UpdateObject<Tables, Name>,
): Promise<number> {
  const changed = db
    .updateTable<TableName>(table)
    .set(set as never)
    .where(having(values));
  return Number((await changed.executeTakeFirstOrThrow()).numUpdatedRows);
}

/** Deletes rows that have some values. Returns how many. */
export async function deleteRows<Name extends TableName>(
  db: Db,
  table: Name,
  values: RowValues<Name>,
): Promise<number> {
  const deleted = db.deleteFrom<TableName>(table).where(having(values));
  return Number((await deleted.executeTakeFirstOrThrow()).numDeletedRows);
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
