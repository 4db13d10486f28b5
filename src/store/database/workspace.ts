import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type Compilable,
  type CompiledQuery,
  type DeleteQueryNode,
  type InsertQueryNode,
  type JoinNode,
  type KyselyPlugin,
  type OnConflictNode,
  OnNode,
  type OperationNode,
  OperationNodeTransformer,
  OperatorNode,
  type PluginTransformQueryArgs,
  PrimitiveValueListNode,
  type QueryId,
  type QueryResult,
  type RawNode,
  ReferenceNode,
  type RootOperationNode,
  type SelectQueryNode,
  sql,
  TableNode,
  type UnknownRow,
  type UpdateQueryNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
  WhereNode,
} from 'kysely';
import { Failure } from '../../errors/failure.js';
import { databaseUnusable } from './errors.js';
import { type Db, tableNames } from './schema.js';

const limitedTables: ReadonlySet<string> = new Set(tableNames);

/** The workspace of a database before a bot has used it, and of its rows. */
const noWorkspace = '';

/** The workspace of a database while another one is copied into it. No bot starts with it. */
export const unfinishedCopy = 'copying';

/** One row: the workspace whose data the database holds. */
export type WorkspaceTable = { rollcall_workspace: { id: string; uninstalled_at: number | null } };

/** The workspace whose data a database holds; `noWorkspace` if no bot has used it. */
export async function workspaceOf(db: Db): Promise<string> {
  const workspaces = db.withTables<WorkspaceTable>().selectFrom('rollcall_workspace');
  return (await workspaces.select('id').executeTakeFirst())?.id ?? noWorkspace;
}

/**
 * Makes a database that no bot has used that of a workspace, with its rows.
 *
 * @param db without `WorkspacePlugin`
 * @throws `database-of-another-workspace`
 */
export async function claimDatabase(db: Db, path: string, workspace: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const found = await workspaceOf(trx);
    if (found === workspace) return;
    if (found === unfinishedCopy) throw databaseUnusable(path, 'half-copied');
    if (found !== noWorkspace)
      throw new Failure('database-of-another-workspace', { path, found, wanted: workspace });
    await trx.withTables<WorkspaceTable>().updateTable('rollcall_workspace').set({ id: workspace }).execute();
    for (const table of tableNames) {
      await sql`UPDATE ${sql.table(table)} SET workspace = ${workspace} WHERE workspace = ${noWorkspace}`.execute(
        trx,
      );
    }
  });
}

/**
 * Limits every query to the rows of one workspace, and writes the workspace into every new row. A query that it cannot
 * limit fails: one on a table that is not in the list, and SQL text that names tables.
 */
export class WorkspacePlugin implements KyselyPlugin {
  private readonly transformer: WorkspaceTransformer;

  /** @param current the workspace, read for each query */
  constructor(readonly current: () => string) {
    this.transformer = new WorkspaceTransformer(current);
  }

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    return this.transformer.transformNode(node, queryId);
  }

  async transformResult({ result }: { readonly result: QueryResult<UnknownRow> }) {
    return result;
  }
}

const workspaceColumn = ColumnNode.create('workspace');

class WorkspaceTransformer extends OperationNodeTransformer {
  /** Kysely transforms a subquery by itself, and then again with the query around it. */
  private readonly subqueries = new WeakSet<SelectQueryNode>();

  constructor(private readonly current: () => string) {
    super();
  }

  protected override transformSelectQuery(node: SelectQueryNode, queryId: QueryId): SelectQueryNode {
    if (this.subqueries.has(node)) return node;
    const query = super.transformSelectQuery(node, queryId);
    const limited = { ...query, where: this.limited(query.where, node.from?.froms ?? []) };
    this.subqueries.add(limited);
    return limited;
  }

  protected override transformUpdateQuery(node: UpdateQueryNode, queryId: QueryId): UpdateQueryNode {
    const query = super.transformUpdateQuery(node, queryId);
    const tables = [...(node.table ? [node.table] : []), ...(node.from?.froms ?? [])];
    return { ...query, where: this.limited(query.where, tables) };
  }

  protected override transformDeleteQuery(node: DeleteQueryNode, queryId: QueryId): DeleteQueryNode {
    if (node.using) throw new Error('A DELETE with USING cannot be limited to a workspace');
    const query = super.transformDeleteQuery(node, queryId);
    return { ...query, where: this.limited(query.where, node.from.froms) };
  }

  protected override transformJoin(node: JoinNode, queryId: QueryId): JoinNode {
    const join = super.transformJoin(node, queryId);
    const name = nameOf(node.table);
    if (name === undefined) return join;
    // In the condition of the join, because in WHERE it would turn an outer join into an inner one.
    const condition = this.isOfWorkspace(name);
    return { ...join, on: OnNode.create(join.on ? AndNode.create(join.on.on, condition) : condition) };
  }

  protected override transformInsertQuery(node: InsertQueryNode, queryId: QueryId): InsertQueryNode {
    const query = super.transformInsertQuery(node, queryId);
    if (!query.into || !query.columns || !query.values || !ValuesNode.is(query.values)) {
      throw new Error('Only an INSERT of values can be limited to a workspace');
    }
    nameOf(query.into);
    const workspace = this.current();
    const rows: (PrimitiveValueListNode | ValueListNode)[] = [];
    for (const row of query.values.values) {
      rows.push(
        PrimitiveValueListNode.is(row)
          ? PrimitiveValueListNode.create([workspace, ...row.values])
          : ValueListNode.create([ValueNode.create(workspace), ...row.values]),
      );
    }
    return { ...query, columns: [workspaceColumn, ...query.columns], values: ValuesNode.create(rows) };
  }

  protected override transformOnConflict(node: OnConflictNode, queryId: QueryId): OnConflictNode {
    const conflict = super.transformOnConflict(node, queryId);
    if (!conflict.columns) throw new Error('Only ON CONFLICT with columns can be limited to a workspace');
    return { ...conflict, columns: [workspaceColumn, ...conflict.columns] };
  }

  protected override transformRaw(node: RawNode, queryId: QueryId): RawNode {
    if (node.sqlFragments.some((text) => /\b(?:from|join|into|update)\b/i.test(text))) {
      throw new Error('SQL text that names tables cannot be limited to a workspace');
    }
    return super.transformRaw(node, queryId);
  }

  private limited(where: WhereNode | undefined, from: readonly OperationNode[]): WhereNode | undefined {
    let limited = where;
    for (const table of from) {
      const name = nameOf(table);
      if (name === undefined) continue;
      const condition = this.isOfWorkspace(name);
      limited = limited
        ? WhereNode.cloneWithOperation(limited, 'And', condition)
        : WhereNode.create(condition);
    }
    return limited;
  }

  private isOfWorkspace(table: string): BinaryOperationNode {
    return BinaryOperationNode.create(
      ReferenceNode.create(workspaceColumn, TableNode.create(table)),
      OperatorNode.create('='),
      ValueNode.create(this.current()),
    );
  }
}

/**
 * The name by which a query knows a table; undefined for a subquery, which is limited itself.
 *
 * @throws Error for a table that is not in the list
 */
function nameOf(node: OperationNode): string | undefined {
  const table = AliasNode.is(node) ? node.node : node;
  if (!TableNode.is(table)) return undefined;
  const { name } = table.table.identifier;
  if (!limitedTables.has(name))
    throw new Error(`The table ${name} is not in the list of tables with a workspace`);
  if (!AliasNode.is(node)) return name;
  return 'name' in node.alias && typeof node.alias.name === 'string' ? node.alias.name : name;
}

/** Takes the place of a value while a query is compiled. */
class Placeholder {
  constructor(readonly member: string) {}
}

/**
 * A query that is built and compiled once for each store. Both take several times as long as SQLite needs to run it.
 *
 * @param build must only put the values into the query, because it gets placeholders for them
 * @throws Error if a value is not in the query, or if a later call has other members
 */
export function preparedQuery<Row, Values extends object>(
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<QueryResult<Row>> {
  const byStore = new WeakMap<
    KyselyPlugin,
    { readonly workspace: string; readonly members: number; readonly query: CompiledQuery<Row> }
  >();

  function prepare(db: Db, values: Values, workspace: string) {
    const placeholders = Object.keys(values).map((member) => new Placeholder(member));
    const named = Object.fromEntries(placeholders.map((one) => [one.member, one])) as unknown as Values;
    const query = build(db, named).compile();
    const lost = placeholders.find((placeholder) => !query.parameters.includes(placeholder));
    if (lost) throw new Error(`The query has no place for ${lost.member}: ${query.sql}`);
    return { workspace, members: placeholders.length, query };
  }

  return (db, values) => {
    const plugin = db.getExecutor().plugins.at(-1);
    // A connection that is not limited to a workspace belongs to no store.
    if (!(plugin instanceof WorkspacePlugin)) return db.executeQuery(build(db, values));
    const workspace = plugin.current();
    let prepared = byStore.get(plugin);
    if (prepared?.workspace !== workspace) {
      prepared = prepare(db, values, workspace);
      byStore.set(plugin, prepared);
    }
    const { query, members } = prepared;
    if (Object.keys(values).length !== members) throw new Error(`The query has other values: ${query.sql}`);
    const parameters: unknown[] = [];
    for (const parameter of query.parameters)
      parameters.push(parameter instanceof Placeholder ? Reflect.get(values, parameter.member) : parameter);
    return db.executeQuery({ ...query, parameters });
  };
}
