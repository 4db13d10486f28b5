import type { Database } from 'better-sqlite3';
import {
  type Assignment,
  type Content,
  fold,
  type Instance,
  kindNumber,
  type LearningEvent,
  type Person,
  type Unit,
} from './schema.js';

/** Writes the rows of a world. A row must be written before rows that refer to it. IDs are sequential. */
export interface WorldWriter {
  unit(row: Unit): number;
  person(row: Person): number;
  content(row: Content): number;
  /** Adds a content to a track, or a track to a journey. */
  part(whole: number, position: number, part: number): void;
  instance(row: Instance): number;
  assignment(row: Assignment): number;
  event(row: LearningEvent): void;
  /** Writes buffered rows. Call it last. */
  finish(): void;
}

/** Most rows are events. Inserting this many per statement halves the time. */
const eventsPerInsert = 32;

export function worldWriter(db: Database): WorldWriter {
  const insert = (table: string, columns: string, rows = 1) => {
    const values = Array(rows).fill(`(${columns.replace(/\w+/g, '?')})`);
    // OR FAIL, because a failed world is deleted. Without it, inserts of many rows need a journal.
    return db.prepare(`INSERT OR FAIL INTO ${table} (${columns}) VALUES ${values.join(', ')}`);
  };

  const unit = insert('unit', 'public_id, member, name, folded');
  const person = insert(
    'person',
    `public_id, userid, email, first_name, last_name, email_folded, first_folded, last_folded, job_title, address,
     image, role, region, language, departments, locations, teams, groups, grade, org_level, partner, distributor,
     manager, buddy, is_purchaser, hired_on, created_at, suspended_on, metadata`,
  );
  const personUnit = insert('person_unit', 'person, unit');
  const content = insert(
    'content',
    'public_id, type, title, created_by, created_at, archived, minutes, pass_mark, metadata',
  );
  const contentUnit = insert('content_unit', 'content, unit');
  const collaborator = insert('collaborator', 'content, person');
  const part = insert('part', 'whole, position, part');
  const instance = insert(
    'instance',
    `public_id, workshop, host, announced_at, starts_at, ends_at, canceled_at, closes_at, offered_seats,
     waitlist_seats`,
  );
  const assignment = insert('assignment', 'public_id, person, content, assigner, due_at');
  const eventColumns = 'at, kind, person, content, track, journey, assignment, instance, amount, by_person';
  const event = insert('event', eventColumns);
  const events = insert('event', eventColumns, eventsPerInsert);
  const columnsOfEvent = eventColumns.split(', ').length;
  const pendingValues: (string | number | null)[] = [];
  const unitNames = new Map<number, string>();

  return {
    unit({ publicId, member, name }) {
      const id = Number(unit.run(publicId, member, name, fold(name)).lastInsertRowid);
      unitNames.set(id, name);
      return id;
    },
    person(row) {
      const names = (ids: readonly number[]) => ids.map((id) => unitNames.get(id) ?? '');
      const list = (ids: readonly number[]) => JSON.stringify(names(ids));
      const only = (ids: readonly number[]) => names(ids)[0] ?? null;
      const { departments, locations, teams, groups, grades, org_levels, partner } = row.units;
      const { lastInsertRowid } = person.run(
        ...[row.publicId, row.userid, row.email, row.firstName, row.lastName],
        ...[fold(row.email), fold(row.firstName), fold(row.lastName), row.jobTitle, row.address],
        ...[row.image, row.role, row.region, row.language],
        ...[list(departments), list(locations), list(teams), list(groups)],
        ...[only(grades), only(org_levels), only(partner), row.distributor, row.manager, row.buddy],
        ...[Number(row.isPurchaser), row.hiredOn, row.createdAt, row.suspendedOn, row.metadata],
      );
      const id = Number(lastInsertRowid);
      for (const of of Object.values(row.units).flat()) personUnit.run(id, of);
      return id;
    },
    content(row) {
      const { lastInsertRowid } = content.run(
        ...[row.publicId, row.type, row.title, row.createdBy, row.createdAt, Number(row.archived)],
        ...[row.minutes, row.passMark, row.metadata],
      );
      const id = Number(lastInsertRowid);
      for (const of of row.units) contentUnit.run(id, of);
      for (const who of row.collaborators) collaborator.run(id, who);
      return id;
    },
    part(whole, position, of) {
      part.run(whole, position, of);
    },
    instance(row) {
      const { lastInsertRowid } = instance.run(
        ...[row.publicId, row.workshop, row.host, row.announcedAt, row.startsAt, row.endsAt],
        ...[row.canceledAt, row.closesAt, row.offeredSeats, row.waitlistSeats],
      );
      return Number(lastInsertRowid);
    },
    assignment(row) {
      const { lastInsertRowid } = assignment.run(
        ...[row.publicId, row.person, row.content, row.assigner, row.dueAt],
      );
      return Number(lastInsertRowid);
    },
    event(row) {
      pendingValues.push(
        row.at,
        kindNumber[row.kind],
        row.person,
        row.content ?? null,
        row.track ?? null,
        row.journey ?? null,
      );
      pendingValues.push(row.assignment ?? null, row.instance ?? null, row.amount ?? null, row.by ?? null);
      if (pendingValues.length === eventsPerInsert * columnsOfEvent) {
        events.run(pendingValues);
        pendingValues.length = 0;
      }
    },
    finish() {
      while (pendingValues.length > 0) event.run(pendingValues.splice(0, columnsOfEvent));
    },
  };
}
