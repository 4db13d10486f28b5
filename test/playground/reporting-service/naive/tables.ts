import { fold } from '../../../../playground/reporting-service/world/schema.js';
import type { ReadConnection } from '../../../../playground/reporting-service/world/world.js';

export interface Person {
  readonly id: number;
  readonly public_id: string;
  readonly userid: string;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly role: string;
  readonly departments: string;
  readonly locations: string;
  readonly teams: string;
  readonly groups: string;
  readonly grade: string | null;
  readonly org_level: string | null;
  readonly partner: string | null;
  readonly manager: number | null;
  readonly buddy: number | null;
  readonly is_purchaser: number;
  readonly created_at: number;
  readonly suspended_on: number | null;
  readonly metadata: string;
  readonly [column: string]: string | number | null;
}

interface Content {
  readonly id: number;
  readonly public_id: string;
  readonly type: string;
  readonly title: string;
  readonly created_by: number | null;
  readonly archived: number;
  readonly minutes: number | null;
  readonly pass_mark: number | null;
  readonly metadata: string;
}

interface Assignment {
  readonly id: number;
  readonly public_id: string;
  readonly person: number;
  readonly content: number;
  readonly assigner: number | null;
  readonly due_at: number | null;
}

interface Instance {
  readonly id: number;
  readonly public_id: string;
  readonly workshop: number;
  readonly host: number | null;
  readonly announced_at: number;
  readonly starts_at: number;
  readonly ends_at: number;
  readonly canceled_at: number | null;
  readonly closes_at: number | null;
  readonly offered_seats: number | null;
  readonly waitlist_seats: number | null;
}

export interface Happening {
  readonly id: number;
  readonly at: number;
  readonly kind: string;
  readonly person: number;
  readonly content: number | null;
  readonly track: number | null;
  readonly journey: number | null;
  readonly assignment: number | null;
  readonly instance: number | null;
  readonly amount: number | null;
  readonly by_person: number | null;
}

/** The whole world in arrays, read once. */
export interface Tables {
  readonly people: readonly Person[];
  readonly contents: readonly Content[];
  readonly assignments: readonly Assignment[];
  readonly instances: readonly Instance[];
  readonly events: readonly Happening[];
  readonly parts: readonly { readonly whole: number; readonly part: number }[];
  readonly collaborators: readonly { readonly content: number; readonly person: number }[];
  /** Units by folded name and by identifier. */
  readonly unitsOfPeople: readonly { readonly of: number; readonly unit: UnitRow }[];
  readonly unitsOfContents: readonly { readonly of: number; readonly unit: UnitRow }[];
}

interface UnitRow {
  readonly id: number;
  readonly public_id: string;
  readonly member: string;
  readonly name: string;
}

export function readTables(db: ReadConnection): Tables {
  const all = <T>(table: string) => db.prepare<[], T>(`SELECT * FROM ${table}`).all();
  const units = new Map(all<UnitRow>('unit').map((unit) => [unit.id, unit]));
  const belonging = (rows: readonly { of: number; unit: number }[]) =>
    rows.flatMap(({ of, unit }) => {
      const found = units.get(unit);
      return found ? [{ of, unit: found }] : [];
    });
  const kinds = new Map(all<{ id: number; name: string }>('event_kind').map(({ id, name }) => [id, name]));
  return {
    people: all('person'),
    contents: all('content'),
    assignments: all('assignment'),
    instances: all('instance'),
    events: all<Omit<Happening, 'kind'> & { kind: number }>('event').map((event) => ({
      ...event,
      kind: kinds.get(event.kind) ?? '',
    })),
    parts: all('part'),
    collaborators: all('collaborator'),
    unitsOfPeople: belonging(
      db.prepare<[], { of: number; unit: number }>('SELECT person AS "of", unit FROM person_unit').all(),
    ),
    unitsOfContents: belonging(
      db.prepare<[], { of: number; unit: number }>('SELECT content AS "of", unit FROM content_unit').all(),
    ),
  };
}

export const sameText = (one: string, other: string) => fold(one) === fold(other);

/** A row of a report with all its fields. */
export interface NaiveRow {
  /** Every flag of the report. */
  readonly values: Record<string, unknown>;
  /** The date for a range target; null if there is none. */
  readonly dates: Readonly<Record<string, number | null>>;
  /** Sort keys by date field, most important first. */
  readonly order: Readonly<Record<string, readonly number[]>>;
  readonly learner?: Person | undefined;
  readonly content?: Content | undefined;
  readonly assignment?: Assignment | undefined;
  readonly instance?: Instance | undefined;
}
