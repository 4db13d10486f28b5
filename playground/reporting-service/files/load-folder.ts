import type { Database } from 'better-sqlite3';
import type { Turns } from '../turns.js';
import { worldWriter } from '../world/writer.js';
import { checkStories } from './check-stories.js';
import { collectProblems } from './data-refused.js';
import { knownRows } from './known-rows.js';
import { assignmentTaker, eventTaker } from './load-events.js';
import { contentTaker, instanceTaker, partTaker } from './load-library.js';
import { peopleTaker, unitTaker } from './load-organization.js';
import { readTable } from './read-table.js';
import type { Row } from './row.js';
import type { TableName } from './tables.js';

/**
 * Fills an empty world from a folder of CSV files. From the first problem on rows are only checked, not written.
 *
 * @throws DataRefused with everything that is wrong; the world is of no use then
 */
export async function loadFolder(folder: string, db: Database, turns: Turns): Promise<void> {
  const problems = collectProblems();
  const writer = worldWriter(db);
  const known = knownRows(db);
  const people = peopleTaker(db, writer, known, problems);
  const read = (table: TableName, take: (row: Row) => void) =>
    readTable(folder, table, problems, turns, take);

  await read('units', unitTaker(writer, known, problems));
  await read('people', people.take);
  people.connect();
  await read('contents', contentTaker(writer, known, problems));
  await read('parts', partTaker(writer, known, problems));
  await read('instances', instanceTaker(writer, known, problems));
  await read('assignments', assignmentTaker(writer, known, problems));
  await read('events', eventTaker(writer, known, problems));
  writer.finish();
  problems.refuseIfAny();
  await checkStories(db, problems, turns);
  problems.refuseIfAny();
}
