import type { PageRow } from '../../access/record-page.js';
import { holdsInAnyCase } from '../database/dialect.js';
import { rowsOf } from '../database/rows.js';
import { type Db, keyOf, schema, type TableName, tableNames } from '../database/schema.js';
import type { Columns } from '../database/tables.js';
import type { RecordedEvent } from './events.js';
import type { RecordOwner } from './own-record.js';

/* Everything that the database has of one person, in the words of the tables, without other people. */

/** Somebody by what the database has of them in plain. */
export interface NamedPerson {
  /** The Slack user ID. */
  readonly account: string | undefined;
  readonly emails: readonly string[];
}

/** One row of a table, or one event. Texts of others are masked. */
type KeptRow = PageRow;

/** Columns with a Slack user ID that an erasure has a rule of its own for. */
const byHand: Partial<Record<TableName, readonly string[]>> = {
  requests: ['asker'],
  saved_reports: ['owner'],
  digests: ['owner'],
  inbox: ['person'],
};

/** What others made may name the person in these. */
const textsOfOthers = [
  ['saved_reports', 'owner', 'request'],
  ['digests', 'owner', 'request'],
  ['builder_drafts', 'owner', 'content'],
  ['digest_drafts', 'owner', 'content'],
] as const;

/**
 * What is of no use to a person. `payload` is what Slack sent, until its work has ended: whoever has the address in it
 * can post to Slack.
 */
const inner = new Set([
  'payload',
  'workspace',
  'lease_owner',
  'process',
  'delivery',
  'name_key',
  'dedupe_key',
  'people',
]);

const pageSize = 200;

/** The tables with rows of people, and which of their columns name one. */
const tablesOfPeople: readonly { readonly table: TableName; readonly columns: readonly string[] }[] =
  tableNames
    .map((table) => ({ table, columns: [...columnsWithUsers(table), ...(byHand[table] ?? [])] }))
    .filter(({ columns }) => columns.length > 0);

function columnsWithUsers(table: TableName): readonly string[] {
  return Object.entries(schema[table].columns as Columns).flatMap(([column, { erasure }]) =>
    typeof erasure === 'object' && erasure.holds === 'user' ? column : [],
  );
}

export function keptDataIn(db: Db) {
  return {
    /** The tables with rows of people. */
    tables: tablesOfPeople.map(({ table }) => table),
    /** The rows of a table that name a person as who did something, or as whom they are about. */
    rowsOf: (table: TableName, person: NamedPerson) => {
      const of = tablesOfPeople.find((one) => one.table === table);
      if (!of) throw new Error(`${table} has no rows of people`);
      return keptRows(db, of, person);
    },
    /** What others made that names the person, without what it is. It names them since their address is theirs. */
    namedByOthers: (owner: Pick<RecordOwner, 'account' | 'addresses'>) => namedByOthers(db, owner),
  };
}

async function* keptRows(
  db: Db,
  { table, columns }: (typeof tablesOfPeople)[number],
  person: NamedPerson,
): AsyncGenerator<KeptRow> {
  const { account } = person;
  if (account === undefined) return;
  const key = keyOf(table).slice(1);
  let after = 0;
  for (;;) {
    let rows = rowsOf(db, table, {})
      .selectAll()
      .where(({ eb, or }) => or(columns.map((column) => eb(column as never, '=', account as never))));
    for (const column of key) rows = rows.orderBy(column as never);
    const page: Record<string, unknown>[] = await rows.limit(pageSize).offset(after).execute();
    for (const row of page) yield maskedRow(row, columns, person);
    after += page.length;
    if (page.length < pageSize) return;
  }
}

async function* namedByOthers(
  db: Db,
  { account, addresses }: Pick<RecordOwner, 'account' | 'addresses'>,
): AsyncGenerator<KeptRow> {
  for (const [table, owner, column] of textsOfOthers) {
    for (const { email, from } of addresses) {
      const pattern = `%${email.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
      const found = rowsOf(db, table, {}).where(holdsInAnyCase(db, column, pattern));
      const rows = (await found.selectAll().limit(pageSize).execute()) as Record<string, unknown>[];
      for (const row of rows) {
        if (row[owner] === account) continue;
        yield {
          table,
          what: 'its filters name you',
          since: timeOf(Math.max(from, Number(row.created_at ?? row.changed_at))),
        };
      }
    }
  }
}

/** An event of the record, without other people. */
export function keptEvent(event: RecordedEvent, person: NamedPerson): KeptRow {
  const { seq, at, kind, report = null, place = null, details } = event;
  return {
    event: seq,
    at: timeOf(at),
    kind,
    by: event.person === undefined ? null : whose(event.person, person),
    report,
    place,
    details: details === undefined ? null : masked(JSON.stringify(details), person),
  };
}

function maskedRow(row: Record<string, unknown>, users: readonly string[], person: NamedPerson): KeptRow {
  const shown: Record<string, PageRow[string]> = {};
  for (const [column, value] of Object.entries(row)) {
    if (inner.has(column) || value === null || value === '') continue;
    if (users.includes(column)) shown[column] = whose(String(value), person);
    else if (typeof value !== 'number') shown[column] = masked(String(value), person);
    else shown[column] = isTime(column) ? timeOf(value) : value;
  }
  return shown;
}

function whose(user: string, { account, emails }: NamedPerson): string {
  return user === account || emails.includes(user) ? 'you' : 'somebody else';
}

/** Addresses and Slack users of others are replaced. Names that somebody typed cannot be told from other words. */
function masked(text: string, { account, emails }: NamedPerson): string {
  return text
    .replace(/[^\s@"'<>,;:()[\]{}\\|]+@[^\s@"'<>,;:()[\]{}\\|]+/g, (address) =>
      emails.includes(address.toLowerCase()) ? address : '…',
    )
    .replace(/\b[UW][A-Z0-9]{7,}\b/g, (user) => (user === account ? user : '…'));
}

function isTime(column: string): boolean {
  return /(^|_)(at|since|due|until)$/.test(column);
}

function timeOf(value: unknown): string | null {
  return typeof value === 'number' && Math.abs(value) < 8.64e15 ? new Date(value).toISOString() : null;
}
