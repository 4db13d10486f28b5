import { distance } from 'fastest-levenshtein';
import { sixReports } from '../catalogue/index.js';
import type { Question } from '../runner/query.js';
import { UnknownName } from './errors.js';
import { type KnownNames, type MemberNames, sameName } from './names.js';

/** An identifier that a person copied: 24 hexadecimal digits, the shape that the service's own documents show. */
const identifierShape = /^[0-9a-f]{24}$/i;

/**
 * The question with identifiers wherever its filters give names that the operator's list knows. An entry that is an
 * identifier already stays, and so do the entries of members that the list does not cover.
 *
 * @throws UnknownName for an entry that is neither, rather than an empty answer from the service
 */
export function withIdentifiers(question: Question, names: MemberNames): Question {
  const body = Object.entries(question.body).map(([part, value]) =>
    isFilter(value) ? [part, translated(part, value, names)] : [part, value],
  );
  return { ...question, body: Object.fromEntries(body) };
}

/** A filter object is the only part of a body that is an object: member to entries with commas between them. */
function isFilter(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null;
}

function translated(object: string, filter: Readonly<Record<string, string>>, names: MemberNames) {
  const members = Object.entries(filter).map(([member, joined]) => {
    const known = names.get(member);
    if (!known) return [member, joined];
    const identifiers = joined.split(',').map((entry) => identifierFor(entry, object, member, known));
    return [member, [...new Set(identifiers)].join(',')];
  });
  return Object.fromEntries(members);
}

function identifierFor(entry: string, object: string, member: string, known: KnownNames): string {
  if (known.identifiers.has(entry)) return entry;
  const identifier = known.identifierOf.get(sameName(entry));
  if (identifier !== undefined) return identifier;
  if (identifierShape.test(entry)) return entry;
  const nearest = namesPeople(object, member) ? [] : nearestTo(entry, known.names);
  throw new UnknownName(object, member, entry, nearest);
}

/** Where entries are people, names are not offered: they would tell who works there to whoever guesses. */
function namesPeople(object: string, member: string): boolean {
  const members = sixReports.flatMap(({ filters }) =>
    filters.filter(({ name }) => name === object).flatMap((filter) => filter.members),
  );
  return members.find(({ name }) => name === member)?.personLevel ?? true;
}

function nearestTo(entry: string, names: readonly string[]): readonly string[] {
  const wanted = sameName(entry);
  return names
    .map((name) => ({ name, away: distance(wanted, sameName(name)) }))
    .filter(({ name, away }) => away <= Math.max(2, name.length / 2) || sameName(name).includes(wanted))
    .sort((one, other) => one.away - other.away)
    .slice(0, 3)
    .map(({ name }) => name);
}
