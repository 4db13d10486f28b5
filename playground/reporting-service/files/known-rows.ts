import type { Database } from 'better-sqlite3';
import { fold } from '../world/fold.js';
import type { ContentType, UnitMember } from '../world/rows.js';
import type { Row } from './row.js';

/** The rows read so far, by the names that later ones use for them. */
export interface KnownRows {
  readonly units: Map<string, number>;
  readonly people: Map<string, { readonly id: number; readonly createdAt: number }>;
  readonly contents: Map<string, { readonly id: number; readonly type: ContentType }>;
  readonly instances: Map<string, number>;
  /** Assignments are too many to hold here: this looks into the database. */
  assignment(publicId: string): KnownAssignment | undefined;
  /** Those that were not written, since something is wrong with the data. */
  readonly unwritten: Map<string, KnownAssignment>;
}

export interface KnownAssignment {
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

export const unitKey = (member: UnitMember, name: string) => `${member}/${fold(name)}`;

/** The ids of the units that a cell names. */
export function unitsIn(
  row: Row,
  column: string,
  member: UnitMember,
  { units }: KnownRows,
): readonly number[] {
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

/** Says so when another row has that name already. */
export function refuseTaken(
  row: Row,
  column: string,
  known: ReadonlySet<string> | ReadonlyMap<string, unknown>,
  name: string,
): void {
  if (known.has(name)) row.wrong(column, 'another row has the same');
}
