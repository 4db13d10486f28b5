import { parse } from 'csv-parse/sync';
import { sixReports } from '../catalogue/index.js';

/** What the operator's list says of one filter member. */
export interface KnownNames {
  /** Every identifier of the list. */
  readonly identifiers: ReadonlySet<string>;
  /** From a name as `sameName` writes it to its identifier. */
  readonly identifierOf: ReadonlyMap<string, string>;
  /** The names as they stand in the list. */
  readonly names: readonly string[];
}

/** By the filter member's name on the wire; a member that is not here takes what people write as it is. */
export type MemberNames = ReadonlyMap<string, KnownNames>;

/** Something that is wrong with the list. */
export interface NamesProblem {
  /** 1 is the first line of the file. */
  readonly line: number;
  /** Fits after "line 3": `has 2 columns instead of 3 (member, id, name)`. It repeats no name. */
  readonly what: string;
}

export type ParsedNames =
  | { readonly ok: true; readonly names: MemberNames }
  | { readonly ok: false; readonly problems: readonly NamesProblem[] };

/**
 * Reads the list of names that people may write where the service wants identifiers: CSV lines of `member,id,name`,
 * with or without a line that says so at the top.
 */
export function parseNames(csvText: string): ParsedNames {
  const problems: NamesProblem[] = [];
  const names = new Map<string, Building>();
  for (const { line, cells } of linesOf(csvText, problems)) {
    const [member = '', identifier = '', name = ''] = cells;
    const what = wrongWith(cells) ?? add(names, member, identifier, name);
    if (what !== undefined) problems.push({ line, what });
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, names };
}

/** Names that people would call the same are written the same: case and the width of blanks do not count. */
export function sameName(name: string): string {
  return name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}

interface Building {
  readonly identifiers: Set<string>;
  readonly identifierOf: Map<string, string>;
  readonly names: string[];
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
  names: Map<string, Building>,
  member: string,
  identifier: string,
  name: string,
): string | undefined {
  const known: Building = names.get(member) ?? {
    identifiers: new Set(),
    identifierOf: new Map(),
    names: [],
  };
  names.set(member, known);
  known.identifiers.add(identifier);
  const before = known.identifierOf.get(sameName(name));
  if (before === identifier) return undefined;
  if (before !== undefined) return `gives the name of an earlier line of ${member} to another id`;
  known.identifierOf.set(sameName(name), identifier);
  known.names.push(name);
  return undefined;
}

const namedMembers: ReadonlySet<string> = new Set<string>(
  sixReports
    .flatMap(({ filters }) => filters)
    .flatMap(({ members }) => members)
    .filter(({ kind }) => kind === 'names' || kind === 'identifiers')
    .map(({ name }) => name),
);
