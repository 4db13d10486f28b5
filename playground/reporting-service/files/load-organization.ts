import type { Database } from 'better-sqlite3';
import {
  type ContentType,
  contentTypes,
  fold,
  roles,
  type UnitMember,
  unitMembers,
} from '../world/schema.js';
import type { WorldWriter } from '../world/writer.js';
import type { Row } from './read-table.js';
import { fileOf, type Problems } from './tables.js';

/** Takes the rows of units.csv. */
export function loadUnits(writer: WorldWriter, known: KnownRows, problems: Problems): (row: Row) => void {
  const identifiers = new Set<string>();
  return (row) => {
    const member = row.oneOf('member', unitMembers);
    const publicId = row.identifier('id');
    const name = row.required('name');
    if (/[,;]/.test(name))
      row.wrong('name', 'it takes no commas or semicolons, since filters and lists split there');
    const key = unitKey(member, name);
    requireUnique(row, 'id', identifiers, publicId);
    requireUnique(row, 'name', known.units, key);
    identifiers.add(publicId);
    known.units.set(key, problems.count === 0 ? writer.unit({ publicId, member, name }) : 0);
  };
}

export interface PeopleLoader {
  take(row: Row): void;
  /** Call after the last row. Managers and buddies may come after the people who have them. */
  connect(): void;
}

/** Takes the rows of people.csv. */
export function loadPeople(
  db: Database,
  writer: WorldWriter,
  known: KnownRows,
  problems: Problems,
): PeopleLoader {
  const userids = new Set<string>();
  const emails = new Set<string>();
  const pendingReferences: PendingReference[] = [];
  return {
    take(row) {
      const publicId = row.identifier('id');
      const userid = row.identifier('userid');
      const email = row.required('email');
      if (!/^[^\s,;@]+@[^\s,;@]+$/.test(email)) row.wrong('email', 'it takes an address');
      requireUnique(row, 'id', known.people, publicId);
      requireUnique(row, 'userid', userids, userid);
      requireUnique(row, 'email', emails, fold(email));
      userids.add(userid);
      emails.add(fold(email));
      const units = (column: string, member: (typeof unitMembers)[number]) =>
        unitsIn(row, column, member, known);
      const person = {
        publicId,
        userid,
        email,
        firstName: row.required('first_name'),
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
        createdAt: row.requiredInstant('created_at'),
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
        if (name !== null) pendingReferences.push({ id, line: row.line, column, name });
      }
    },
    connect() {
      const update = {
        manager: db.prepare('UPDATE person SET manager = ? WHERE id = ?'),
        buddy: db.prepare('UPDATE person SET buddy = ? WHERE id = ?'),
      };
      for (const { id, line, column, name } of pendingReferences) {
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

/** A reference to a person whose row may come later. */
interface PendingReference {
  readonly id: number;
  readonly line: number;
  readonly column: 'manager' | 'buddy';
  readonly name: string;
}

/** Units that can be the audience of content, and categories. */
const audiences = unitMembers.filter((member) => member !== 'groups' && member !== 'partner');

/** Takes the rows of contents.csv. */
export function loadContent(writer: WorldWriter, known: KnownRows, problems: Problems): (row: Row) => void {
  return (row) => {
    const publicId = row.identifier('id');
    const type = row.oneOf('type', contentTypes);
    const passMark = row.whole('pass_mark', 0, 100);
    if ((type === 'assessment') !== (passMark !== null)) {
      row.wrong('pass_mark', 'an assessment has one, and nothing else has');
    }
    const collaborators = row.list('collaborators').map((name) => {
      const person = known.people.get(name);
      if (!person) row.wrong('collaborators', `people.csv has no ${JSON.stringify(name)}`);
      return person?.id ?? 0;
    });
    const content = {
      publicId,
      type,
      title: row.required('title'),
      createdBy: personIn(row, 'created_by', known),
      createdAt: row.requiredInstant('created_at'),
      archived: row.yesNo('archived'),
      minutes: row.whole('minutes', 0, 100_000),
      passMark,
      metadata: row.object('metadata'),
      units: audiences.flatMap((member) => unitsIn(row, member, member, known)),
      collaborators: [...new Set(collaborators)],
    };
    requireUnique(row, 'id', known.contents, publicId);
    const id = problems.count === 0 ? writer.content(content) : 0;
    known.contents.set(publicId, { id, type });
  };
}

/** Takes the rows of parts.csv. */
export function loadParts(writer: WorldWriter, known: KnownRows, problems: Problems): (row: Row) => void {
  const places = new Set<string>();
  return (row) => {
    const whole = contentIn(row, 'whole', known, ['track', 'journey']);
    const part = contentIn(row, 'part', known);
    const position = row.whole('position', 1, 1_000_000);
    row.required('whole');
    row.required('part');
    row.required('position');
    if (whole && part && (whole.type === 'journey') !== (part.type === 'track')) {
      row.wrong('part', 'a journey holds tracks, and a track holds what is neither');
    }
    if (part?.type === 'journey') row.wrong('part', 'a journey is part of nothing');
    const place = `${row.text('whole')}/${position}`;
    requireUnique(row, 'position', places, place);
    places.add(place);
    if (problems.count === 0 && whole && part && position !== null) writer.part(whole.id, position, part.id);
  };
}

/** Takes the rows of instances.csv. */
export function loadInstances(writer: WorldWriter, known: KnownRows, problems: Problems): (row: Row) => void {
  return (row) => {
    const publicId = row.identifier('id');
    row.required('workshop');
    const startsAt = row.requiredInstant('starts_at');
    const endsAt = row.requiredInstant('ends_at');
    if (endsAt < startsAt) row.wrong('ends_at', 'it is before starts_at');
    const instance = {
      publicId,
      workshop: contentIn(row, 'workshop', known, ['workshop'])?.id ?? 0,
      host: personIn(row, 'host', known),
      announcedAt: row.requiredInstant('announced_at'),
      startsAt,
      endsAt,
      canceledAt: row.instant('canceled_at'),
      closesAt: row.instant('closes_at'),
      offeredSeats: row.whole('offered_seats', 0, 1_000_000),
      waitlistSeats: row.whole('waitlist_seats', 0, 1_000_000),
    };
    requireUnique(row, 'id', known.instances, publicId);
    known.instances.set(publicId, problems.count === 0 ? writer.instance(instance) : 0);
  };
}

/** The content that a cell names, of one of the given types. */
export function contentIn(row: Row, column: string, { contents }: KnownRows, types?: readonly ContentType[]) {
  const found = row.find(column, (name) => contents.get(name), 'content in contents.csv');
  if (found && types && !types.includes(found.type)) row.wrong(column, `it takes a ${types.join(' or a ')}`);
  return found;
}

/** The rows read so far, by the IDs and names that later rows use. */
export interface KnownRows {
  readonly units: Map<string, number>;
  readonly people: Map<string, { readonly id: number; readonly createdAt: number }>;
  readonly contents: Map<string, { readonly id: number; readonly type: ContentType }>;
  readonly instances: Map<string, number>;
  /** Looks in the database, because assignments can be too many for memory. */
  assignment(publicId: string): KnownAssignment | undefined;
  /** Assignments that were not written because of a problem. */
  readonly unwritten: Map<string, KnownAssignment>;
}

interface KnownAssignment {
  readonly id: number;
  readonly person: number;
}

export function knownRows(db: Database): KnownRows {
  const assignment = db.prepare<[string], KnownAssignment>(
    'SELECT id, person FROM assignment WHERE public_id = ?',
  );
  const unwritten = new Map<string, KnownAssignment>();
  return {
    units: new Map(),
    people: new Map(),
    contents: new Map(),
    instances: new Map(),
    assignment: (publicId) => assignment.get(publicId) ?? unwritten.get(publicId),
    unwritten,
  };
}

const unitKey = (member: UnitMember, name: string) => `${member}/${fold(name)}`;

/** The ids of the units that a cell names. */
function unitsIn(row: Row, column: string, member: UnitMember, { units }: KnownRows): readonly number[] {
  const names = row.list(column);
  const ids = new Set<number>();
  for (const name of names) {
    const id = units.get(unitKey(member, name));
    if (id === undefined) row.wrong(column, `units.csv has no ${JSON.stringify(name)} among its ${member}`);
    else ids.add(id);
  }
  return [...ids];
}

/** The id of the person that a cell names. */
export function personIn(row: Row, column: string, { people }: KnownRows): number | null {
  return row.find(column, (name) => people.get(name), 'person in people.csv')?.id ?? null;
}

/** Reports a value that another row already has. */
function requireUnique(
  row: Row,
  column: string,
  known: ReadonlySet<string> | ReadonlyMap<string, unknown>,
  name: string,
): void {
  if (known.has(name)) row.wrong(column, 'another row has the same');
}
