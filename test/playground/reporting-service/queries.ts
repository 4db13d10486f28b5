import fc from 'fast-check';
import { allReports, type Report } from '../../../src/catalogue/index.js';
import type { Tables } from './naive/tables.js';
import { day } from './service.js';

export interface Question {
  readonly report: Report;
  readonly from: number;
  readonly until: number;
  readonly body: Record<string, unknown>;
}

/** Entries that match nothing, some with characters that are special in SQL or JSON. */
const nonsense = ["x' OR '1'='1", '%', '["Sales"]', '0', '', 'Nobody At All', '"', '\\', 'null', '\u0000'];

/** The entries of a filter member that exist in this world. */
export function entriesFor(t: Tables, object: string, member: string): readonly string[] {
  const people = t.people.map((person) => person);
  switch (member) {
    case 'email':
    case 'manager_email':
    case 'buddy_email':
      return people.map(({ email }) => email);
    case 'first_name':
      return people.map(({ first_name }) => first_name);
    case 'last_name':
      return people.map(({ last_name }) => last_name);
    case 'role':
      return ['learner', 'manager', 'Author', 'administrator'];
    case 'userid':
      return people.map(({ userid }) => userid);
    case 'id':
    case 'assigner_id':
    case 'created_by':
    case 'collaborators':
      return people.flatMap(({ public_id, userid }) => [public_id, userid]);
    case 'content_id':
    case 'entity_id':
      return t.contents.map(({ public_id }) => public_id);
    case 'assignment_id':
      return t.assignments.map(({ public_id }) => public_id);
    case 'entity_type':
      return ['article', 'video', 'COURSE', 'assessment', 'workshop'];
    default: {
      const units = object === 'user_filter' ? t.unitsOfPeople : t.unitsOfContents;
      return units.filter(({ unit }) => unit.member === member).map(({ unit }) => unit.name);
    }
  }
}

/** Any spelling that matches: other case, spaces around it. */
function spelled(entry: string): fc.Arbitrary<string> {
  return fc.constantFrom(entry, entry.toUpperCase(), entry.toLowerCase(), `  ${entry} `);
}

/** Identifiers match exactly, except spaces around them. */
function spelledExactly(entry: string): fc.Arbitrary<string> {
  return fc.constantFrom(entry, ` ${entry}  `);
}

function memberValue(t: Tables, object: string, name: string, kind: string): fc.Arbitrary<string> {
  if (kind === 'yes-no') return fc.constantFrom('true', 'false', ' True', 'true,false');
  const spelling = kind === 'identifiers' ? spelledExactly : spelled;
  const known = entriesFor(t, object, name);
  const entry = known.length > 0 ? fc.constantFrom(...known).chain(spelling) : fc.constantFrom(...nonsense);
  return fc
    .array(
      fc.oneof({ arbitrary: entry, weight: 6 }, { arbitrary: fc.constantFrom(...nonsense), weight: 1 }),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    .map((entries) => entries.join(','));
}

/** Each second with an event or due date, and the next one. Ranges have their edges there. */
export function edges(t: Tables): fc.Arbitrary<number> {
  const instants = [
    ...t.events.map(({ at }) => at),
    ...t.assignments.flatMap(({ due_at }) => due_at ?? []),
    ...t.instances.flatMap((each) => [each.starts_at, each.ends_at, each.announced_at, each.closes_at ?? 0]),
    ...t.instances.flatMap(({ canceled_at }) => canceled_at ?? []),
    ...t.people.flatMap(({ created_at, suspended_on }) => [created_at, suspended_on ?? created_at]),
  ];
  return fc.tuple(fc.constantFrom(...instants), fc.constantFrom(0, 0, 1)).map(([at, later]) => at + later);
}

/** Any query about a world, with any flags, filters, range and date. */
export function questions(
  t: Tables,
  now: number,
  reports: readonly Report[] = allReports,
): fc.Arbitrary<Question> {
  return fc.constantFrom(...reports).chain((report) => {
    const filters = report.filters.map(({ name, members }) =>
      fc
        .oneof(
          { arbitrary: fc.subarray([...members], { minLength: 1, maxLength: 1 }), weight: 3 },
          { arbitrary: fc.subarray([...members], { maxLength: 2 }), weight: 1 },
        )
        .chain((chosen) =>
          fc.record(
            Object.fromEntries(
              chosen.map((member) => [member.name, memberValue(t, name, member.name, member.kind)]),
            ),
          ),
        )
        .map((value) => [name, value] as const),
    );
    return fc
      .record({
        flags: fc.subarray(report.fields.map(({ flag }) => flag)),
        filters: fc.tuple(...filters.map((filter) => fc.option(filter, { freq: 1, nil: undefined }))),
        target: fc.option(
          fc.constantFrom(...(report.dateField?.choices ?? []).map(({ flag }) => flag), undefined),
        ),
        sort: fc.option(fc.constantFrom(...report.sorts, undefined)),
        start: fc.oneof(fc.integer({ min: now - 430 * day, max: now + 40 * day }), edges(t)),
        length: fc.oneof(fc.integer({ min: 0, max: 40 * day }), fc.integer({ min: 0, max: 500 * day })),
        end: fc.option(edges(t)),
      })
      .map(({ flags, filters: chosen, target, sort, start, length, end }) => ({
        report,
        from: start,
        until: Math.max(start, end ?? start + length),
        body: {
          ...Object.fromEntries(flags.map((flag) => [flag, true])),
          ...Object.fromEntries(chosen.filter((filter) => filter !== undefined)),
          ...(target ? { range_target: target } : {}),
          ...(sort ? { sort_by: sort } : {}),
        },
      }));
  });
}
