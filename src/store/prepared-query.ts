import type { Compilable, CompiledQuery, QueryResult } from 'kysely';
import type { Db } from './schema.js';
import { WorkspacePlugin } from './workspace.js';

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
  interface Prepared {
    readonly workspace: string;
    readonly members: number;
    readonly query: CompiledQuery<Row>;
  }
  const byStore = new WeakMap<WorkspacePlugin, Prepared>();

  function prepare(db: Db, values: Values, workspace: string): Prepared {
    const placeholders = Object.keys(values).map((member) => new Placeholder(member));
    const named = Object.fromEntries(placeholders.map((one) => [one.member, one])) as unknown as Values;
    const query = build(db, named).compile();
    const lost = placeholders.find((placeholder) => !query.parameters.includes(placeholder));
    if (lost) throw new Error(`The query has no place for ${lost.member}: ${query.sql}`);
    return { workspace, members: placeholders.length, query };
  }

  return (db, values) => {
    const plugin = db.getExecutor().plugins.find((one) => one instanceof WorkspacePlugin);
    // A connection that is not limited to a workspace belongs to no store.
    if (!plugin) return db.executeQuery(build(db, values));
    const workspace = plugin.current();
    let prepared = byStore.get(plugin);
    if (prepared?.workspace !== workspace) {
      prepared = prepare(db, values, workspace);
      byStore.set(plugin, prepared);
    }
    const { query, members } = prepared;
    if (Object.keys(values).length !== members) throw new Error(`The query has other values: ${query.sql}`);
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? Reflect.get(values, parameter.member) : parameter,
    );
    return db.executeQuery({ ...query, parameters });
  };
}
