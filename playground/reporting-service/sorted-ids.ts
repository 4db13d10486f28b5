import Database from 'better-sqlite3';
import type { Turns } from './turns.js';

export interface SortRow {
  /** null: the row is left out. */
  readonly id: number | null;
  readonly key: string | number | null;
}

/** What is written to the index in one go; a small part of a turn. */
const rowsAtOnce = 32;

/**
 * Sorts rows of any number by their key, nothing last, rows with the same key in the order in which they came.
 * It inserts them one by one into an index in a temporary file, so that unlike a sort in one statement it can be
 * interrupted at any row and takes little memory.
 *
 * @returns the ids in lists of at most `listLength`
 */
export async function* sortedIds(
  rows: Iterable<SortRow>,
  turns: Turns,
  listLength: number,
): AsyncGenerator<readonly number[]> {
  // A database without a name is a temporary file that disappears when it is closed.
  const db = new Database('');
  try {
    db.pragma('journal_mode = OFF');
    db.exec(`CREATE TABLE sorted (missing INTEGER, key, rank INTEGER, id INTEGER, PRIMARY KEY (missing, key, rank))
      WITHOUT ROWID; BEGIN`);
    const one = '(?, ?, ?, ?)';
    const insert = db.prepare(`INSERT OR FAIL INTO sorted VALUES ${one}`);
    const insertMany = db.prepare(
      `INSERT OR FAIL INTO sorted VALUES ${Array(rowsAtOnce).fill(one).join(', ')}`,
    );
    let rank = 0;
    const held: (string | number)[] = [];
    for (const { id, key } of rows) {
      rank += 1;
      if (id !== null) held.push(Number(key === null), key ?? '', rank, id);
      if (held.length === 4 * rowsAtOnce) {
        insertMany.run(held);
        held.length = 0;
      }
      if (rank % rowsAtOnce === 0 && turns.due) await turns.take();
    }
    while (held.length > 0) insert.run(held.splice(0, 4));

    let list: number[] = [];
    const inOrder = db.prepare<[], number>('SELECT id FROM sorted ORDER BY missing, key, rank').pluck();
    for (const id of inOrder.iterate()) {
      list.push(id);
      if (list.length < listLength) continue;
      yield list;
      list = [];
    }
    if (list.length > 0) yield list;
  } finally {
    db.close();
  }
}
