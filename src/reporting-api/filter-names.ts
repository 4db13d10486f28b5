import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { distance } from 'fastest-levenshtein';
import { allReports } from '../catalogue/index.js';
import { Failure, ok, type Result, refused } from '../errors/failure.js';
import type { Query, ReadPlan } from '../runner/ports.js';
import { normalizeName } from '../runner/suggestions.js';

/** The entries of the operator's list for one filter member, by their normalized names (see `normalizeName`). */
type NamesOfMember = Map<string, { readonly identifier: string; readonly name: string }>;

/** By the filter member's name on the wire. Entries of other members are sent as written. */
export type FilterNames = ReadonlyMap<string, NamesOfMember>;

interface NamesProblem {
  /** 1 is the first line of the file. */
  readonly line: number;
  /** Fits after "line 3": `has 2 columns instead of 3 (member, id, name)`. It repeats no name. */
  readonly what: string;
}

/**
 * Reads the list of names that people may write where the service wants identifiers: CSV lines of `member,id,name`,
 * with or without a header line.
 */
export function parseNames(csvText: string): Result<FilterNames, readonly NamesProblem[]> {
  const problems: NamesProblem[] = [];
  const names = new Map<string, NamesOfMember>();
  for (const { line, cells } of linesOf(csvText, problems)) {
    const [member = '', identifier = '', name = ''] = cells;
    const what = wrongWith(cells) ?? add(names, member, identifier, name);
    if (what !== undefined) problems.push({ line, what });
  }
  return problems.length > 0 ? refused(problems) : ok(names);
}

interface Line {
  readonly line: number;
  readonly cells: readonly string[];
}

const heading = 'member,id,name';

function linesOf(csvText: string, problems: NamesProblem[]): readonly Line[] {
  const lines: Line[] = [];
  try {
    parse(csvText, {
      bom: true,
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
      onRecord: (cells: readonly string[], { lines: line }) => {
        lines.push({ line, cells });
        return null;
      },
    });
  } catch (error) {
    const line = error instanceof Error && 'lines' in error ? Number(error.lines) : lines.length + 1;
    problems.push({ line, what: 'is not CSV: check its double quotes' });
  }
  return lines[0]?.cells.join(',').toLowerCase() === heading ? lines.slice(1) : lines;
}

function wrongWith(cells: readonly string[]): string | undefined {
  if (cells.length !== 3) return `has ${cells.length} columns instead of 3 (${heading})`;
  const [member = '', identifier = '', name = ''] = cells;
  if (!namedMembers.has(member)) return 'does not begin with a filter member that takes names or identifiers';
  if (identifier === '') return 'has no id';
  if (identifier.includes(',')) return 'has an id with a comma, which the service would read as two';
  if (name === '') return 'has no name';
  return undefined;
}

function add(
  names: Map<string, NamesOfMember>,
  member: string,
  identifier: string,
  name: string,
): string | undefined {
  const known: NamesOfMember = names.get(member) ?? new Map();
  names.set(member, known);
  const before = known.get(normalizeName(name))?.identifier;
  if (before !== undefined && before !== identifier)
    return `gives the name of an earlier line of ${member} to another id`;
  if (before === undefined) known.set(normalizeName(name), { identifier, name });
  return undefined;
}

const namedMembers: ReadonlySet<string> = new Set<string>(
  allReports
    .flatMap(({ filters }) => filters)
    .flatMap(({ members }) => members)
    .filter(({ kind }) => kind === 'names' || kind === 'identifiers')
    .map(({ name }) => name),
);

/** An identifier that a person copied: 24 hexadecimal digits, the shape that the service's own documents show. */
const identifierShape = /^[0-9a-f]{24}$/i;

/**
 * Replaces names in the filters of a query with their identifiers from the operator's list. Identifiers stay as they
 * are, and so do the entries of members that the list does not cover.
 *
 * @throws `unknown-name` for an entry that is neither, rather than an empty answer from the service
 */
export function withIdentifiers(query: Query, names: FilterNames): Query {
  const body = { ...query.body };
  for (const [object, filter] of Object.entries(query.body)) {
    if (!isFilter(filter)) continue;
    const members = { ...filter };
    for (const [member, joined] of Object.entries(filter)) {
      const known = names.get(member);
      if (!known) continue;
      const identifiers = joined.split(',').map((entry) => identifierFor(entry, object, member, known));
      members[member] = [...new Set(identifiers)].join(',');
    }
    body[object] = members;
  }
  return { ...query, body };
}

/** Another text for another service, or for names that stand for other identifiers. */
export function versionOfService({
  baseUrl,
  names = new Map(),
}: {
  readonly baseUrl: string;
  readonly names?: FilterNames | undefined;
}): string {
  const hash = createHash('sha256').update(baseUrl);
  for (const [member, entries] of names)
    for (const [name, { identifier }] of entries) hash.update(`\n${member}\t${name}\t${identifier}`);
  return hash.digest('base64');
}

/** A filter object is the only part of a body that is an object: member to entries with commas between them. */
function isFilter(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null;
}

/** Adds names and identifiers of the list to the entries of neighbours' filters, because records may hold either. */
export function withEntryTexts(reading: ReadPlan, names: FilterNames): ReadPlan {
  const { figures } = reading;
  if (!figures?.neighbours) return reading;
  const neighbours = figures.neighbours.map((filter) => {
    const known = names.get(filter.member);
    return known ? { ...filter, entries: filter.entries.map((texts) => allTexts(texts, known)) } : filter;
  });
  return { ...reading, figures: { ...figures, neighbours } };
}

function allTexts(texts: readonly string[], names: NamesOfMember): readonly string[] {
  const ids = new Set(texts.map((text) => names.get(normalizeName(text))?.identifier ?? text));
  const named = [...names].flatMap(([name, { identifier }]) => (ids.has(identifier) ? [name] : []));
  return [...new Set([...texts, ...ids, ...named])];
}

function identifierFor(entry: string, object: string, member: string, names: NamesOfMember): string {
  const known = [...names.values()];
  if (known.some(({ identifier }) => identifier === entry)) return entry;
  const identifier = names.get(normalizeName(entry))?.identifier;
  if (identifier !== undefined) return identifier;
  if (identifierShape.test(entry)) return entry;
  const texts = known.map(({ name }) => name);
  const nearest = namesPeople(object, member) ? [] : nearestTo(entry, texts);
  throw new Failure('unknown-name', { object, member, entry, nearest });
}

/** Names of people are not suggested: guessing would reveal who works there. */
function namesPeople(object: string, member: string): boolean {
  const members = allReports.flatMap(({ filters }) =>
    filters.filter(({ name }) => name === object).flatMap((filter) => filter.members),
  );
  return members.find(({ name }) => name === member)?.personLevel ?? true;
}

function nearestTo(entry: string, names: readonly string[]): readonly string[] {
  const wanted = normalizeName(entry);
  return names
    .map((name) => ({ name, away: distance(wanted, normalizeName(name)) }))
    .filter(({ name, away }) => away <= Math.max(2, name.length / 2) || normalizeName(name).includes(wanted))
    .sort((one, other) => one.away - other.away)
    .slice(0, 3)
    .map(({ name }) => name);
}
