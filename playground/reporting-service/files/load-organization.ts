import type { Database } from 'better-sqlite3';
import { fold } from '../world/fold.js';
import { roles, unitMembers } from '../world/rows.js';
import type { WorldWriter } from '../world/writer.js';
import type { Problems } from './data-refused.js';
import { type KnownRows, refuseTaken, unitKey, unitsIn } from './known-rows.js';
import type { Row } from './row.js';
import { fileOf } from './tables.js';

/** Takes the rows of units.csv. */
export function unitTaker(writer: WorldWriter, known: KnownRows, problems: Problems): (row: Row) => void {
  const identifiers = new Set<string>();
  return (row) => {
    const member = row.oneOf('member', unitMembers);
    const publicId = row.identifier('id');
    const name = row.needed('name');
    if (/[,;]/.test(name))
      row.wrong('name', 'it takes no commas or semicolons, since filters and lists split there');
    const key = unitKey(member, name);
    refuseTaken(row, 'id', identifiers, publicId);
    refuseTaken(row, 'name', known.units, key);
    identifiers.add(publicId);
    known.units.set(key, problems.count === 0 ? writer.unit({ publicId, member, name }) : 0);
  };
}

export interface PeopleTaker {
  take(row: Row): void;
  /** To be called after the last row: managers and buddies may come after those who have them. */
  connect(): void;
}

/** Takes the rows of people.csv. */
export function peopleTaker(
  db: Database,
  writer: WorldWriter,
  known: KnownRows,
  problems: Problems,
): PeopleTaker {
  const userids = new Set<string>();
  const emails = new Set<string>();
  const ties: Tie[] = [];
  return {
    take(row) {
      const publicId = row.identifier('id');
      const userid = row.identifier('userid');
      const email = row.needed('email');
      if (!/^[^\s,;@]+@[^\s,;@]+$/.test(email)) row.wrong('email', 'it takes an address');
      refuseTaken(row, 'id', known.people, publicId);
      refuseTaken(row, 'userid', userids, userid);
      refuseTaken(row, 'email', emails, fold(email));
      userids.add(userid);
      emails.add(fold(email));
      const units = (column: string, member: (typeof unitMembers)[number]) =>
        unitsIn(row, column, member, known);
      const person = {
        publicId,
        userid,
        email,
        firstName: row.needed('first_name'),
        lastName: row.text('last_name') ?? '',
        jobTitle: row.text('job_title'),
        address: row.text('address'),
        image: row.text('image'),
        role: row.oneOf('role', roles),
        region: row.text('region'),
        language: row.text('language'),
        units: {
          departments: units('departments', 'departments'),
          locations: units('locations', 'locations'),
          teams: units('teams', 'teams'),
          groups: units('groups', 'groups'),
          grades: units('grade', 'grades'),
          org_levels: units('org_level', 'org_levels'),
          partner: units('partner', 'partner'),
        },
        distributor: row.text('distributor'),
        manager: null,
        buddy: null,
        isPurchaser: row.yesNo('is_purchaser'),
        hiredOn: row.day('hired_on'),
        createdAt: row.neededInstant('created_at'),
        suspendedOn: row.instant('suspended_on'),
        metadata: row.object('metadata'),
      };
      for (const [column, member] of [
        ['grade', 'grades'],
        ['org_level', 'org_levels'],
        ['partner', 'partner'],
      ] as const) {
        if (person.units[member].length > 1) row.wrong(column, 'it takes one entry');
      }
      const id = problems.count === 0 ? writer.person(person) : 0;
      known.people.set(publicId, { id, createdAt: person.createdAt });
      for (const column of ['manager', 'buddy'] as const) {
        const name = row.text(column);
        if (name !== null) ties.push({ id, line: row.line, column, name });
      }
    },
    connect() {
      const update = {
        manager: db.prepare('UPDATE person SET manager = ? WHERE id = ?'),
        buddy: db.prepare('UPDATE person SET buddy = ? WHERE id = ?'),
      };
      for (const { id, line, column, name } of ties) {
        const other = known.people.get(name)?.id;
        if (other !== undefined) update[column].run(other, id);
        else
          problems.add({
            file: fileOf('people'),
            line,
            reason: `${column} is ${JSON.stringify(name)}: there is no such person`,
          });
      }
    },
  };
}

/** Whom somebody is tied to, by the name in their row. */
interface Tie {
  readonly id: number;
  readonly line: number;
  readonly column: 'manager' | 'buddy';
  readonly name: string;
}
