import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { type EventLoopYield, yieldToEventLoop } from '../event-loop.js';
import type { UnitMember } from '../world/schema.js';
import type { ReadConnection, World } from '../world/world.js';
import { fileOf, type TableName, tables } from './tables.js';

/** The export folder is not empty. Its content is not changed. */
export class FolderNotEmpty extends Error {
  constructor(readonly folder: string) {
    super(`${folder} is not empty; choose a new folder to export to.`);
    this.name = 'FolderNotEmpty';
  }
}

/**
 * Exports the organization as files that `loadFolder` can read.
 * @throws FolderNotEmpty
 */
export async function exportFolder(folder: string, world: World, signal?: AbortSignal): Promise<void> {
  await requireEmptyFolder(folder);
  const eventLoop = yieldToEventLoop(signal);
  const db = world.connect();
  try {
    for (const table of Object.keys(tables) as TableName[]) {
      await exportTable(join(folder, fileOf(table)), db, table, eventLoop);
    }
  } finally {
    db.close();
  }
}

/** Creates the folder if it does not exist. */
async function requireEmptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new FolderNotEmpty(folder);
}

async function exportTable(
  path: string,
  db: ReadConnection,
  table: TableName,
  eventLoop: EventLoopYield,
): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx' });
  const lines = stringify({ header: true, columns: [...tables[table]] });
  lines.pipe(file);
  const written = finished(file);
  // Awaited after the last row. Until then, an error must not count as unhandled.
  written.catch(() => {});
  for (const row of db.prepare<[], Record<string, unknown>>(exportQueries[table]).iterate()) {
    if (!lines.write(row)) await once(lines, 'drain');
    if (eventLoop.isDue) await eventLoop.yield();
  }
  lines.end();
  await written;
}

const instant = (seconds: string) => `strftime('%Y-%m-%dT%H:%M:%SZ', ${seconds}, 'unixepoch')`;
const yesNo = (truth: string) => `iif(${truth}, 'true', 'false')`;
const named = (table: string, id: string) => `(SELECT public_id FROM ${table} WHERE id = ${id})`;
const listed = (json: string) => `(SELECT group_concat(value, '; ') FROM json_each(${json}))`;
const audienceUnits = (member: UnitMember) => `(SELECT group_concat(u.name, '; ') FROM content_unit m
  JOIN unit u ON u.id = m.unit WHERE m.content = c.id AND u.member = '${member}')`;

/** One query per file, with the columns of the file, in the order of IDs. */
const exportQueries: Readonly<Record<TableName, string>> = {
  units: 'SELECT member, public_id AS id, name FROM unit ORDER BY unit.id',
  people: `SELECT public_id AS id, userid, email, first_name, last_name, job_title, address, image, role, region,
    language, ${listed('departments')} AS departments, ${listed('locations')} AS locations,
    ${listed('teams')} AS teams, ${listed('groups')} AS groups, grade, org_level, partner, distributor,
    ${named('person', 'p.manager')} AS manager, ${named('person', 'p.buddy')} AS buddy,
    ${yesNo('is_purchaser')} AS is_purchaser, hired_on, ${instant('created_at')} AS created_at,
    ${instant('suspended_on')} AS suspended_on, metadata FROM person p ORDER BY p.id`,
  contents: `SELECT public_id AS id, type, title, ${named('person', 'c.created_by')} AS created_by,
    ${instant('created_at')} AS created_at, ${yesNo('archived')} AS archived, minutes, pass_mark,
    ${audienceUnits('categories')} AS categories, ${audienceUnits('departments')} AS departments,
    ${audienceUnits('locations')} AS locations, ${audienceUnits('teams')} AS teams, ${audienceUnits('grades')} AS grades,
    ${audienceUnits('org_levels')} AS org_levels,
    (SELECT group_concat(p.public_id, '; ') FROM collaborator w JOIN person p ON p.id = w.person
      WHERE w.content = c.id) AS collaborators, metadata FROM content c ORDER BY c.id`,
  parts: `SELECT ${named('content', 'x.whole')} AS whole, position, ${named('content', 'x.part')} AS part
    FROM part x ORDER BY x.whole, position`,
  instances: `SELECT public_id AS id, ${named('content', 'i.workshop')} AS workshop,
    ${named('person', 'i.host')} AS host, ${instant('announced_at')} AS announced_at,
    ${instant('starts_at')} AS starts_at, ${instant('ends_at')} AS ends_at,
    ${instant('canceled_at')} AS canceled_at, ${instant('closes_at')} AS closes_at, offered_seats, waitlist_seats
    FROM instance i ORDER BY i.id`,
  assignments: `SELECT public_id AS id, ${named('person', 'a.person')} AS learner,
    ${named('content', 'a.content')} AS content, ${named('person', 'a.assigner')} AS assigner,
    ${instant('due_at')} AS due_at FROM assignment a ORDER BY a.id`,
  events: `SELECT ${instant('e.at')} AS at, k.name AS kind, ${named('person', 'e.person')} AS learner,
    ${named('content', 'e.content')} AS content, ${named('content', 'e.track')} AS track,
    ${named('content', 'e.journey')} AS journey, ${named('assignment', 'e.assignment')} AS assignment,
    ${named('instance', 'e.instance')} AS instance, amount, ${named('person', 'e.by_person')} AS by
    FROM event e JOIN event_kind k ON k.id = e.kind ORDER BY e.id`,
};
