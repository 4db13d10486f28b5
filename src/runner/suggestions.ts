import {
  type FilterMember,
  fieldOf,
  type HeldBy,
  memberOf,
  type Report,
  reportNamed,
  sixReports,
} from '../catalogue/index.js';
import type { ReportRequest } from '../requests/request.js';

/** A value that an answer held, and that a filter can be set to. Never person-level. */
export interface KnownValue {
  /** The list it belongs to: `departments`, `track_id`, `content.type`. */
  readonly list: string;
  readonly entry: string;
  /** What people call it, where it is an identifier. */
  readonly title?: string;
}

/** A list, and where the records of an answer hold its values. Plain data: it crosses to the thread that reads. */
export interface ListInAnswer extends HeldBy {
  readonly list: string;
  /** Set where the field is a list, which may come as one text. */
  readonly isList?: true;
}

/** The lists whose values an answer with these fields holds. */
export function listsInAnswer(report: Report, fields: readonly string[]): readonly ListInAnswer[] {
  const ofReport = new Set(report.fields.filter(({ personLevel }) => !personLevel).map(({ flag }) => flag));
  return [...everyList.values()]
    .filter(({ field }) => ofReport.has(field) && fields.includes(field))
    .map((held) =>
      fieldOf(report, held.field)?.kind === 'list' ? { ...held, isList: true as const } : held,
    );
}

/** The lists that a filter's entries are found in; none where they would be about people. */
export function listsFor(member: FilterMember): readonly string[] {
  if (member.personLevel) return [];
  if (member.heldBy) return member.heldBy.map(listOf);
  return member.kind === 'names' ? [member.name] : [];
}

/**
 * The entries that a request was narrowed to, where its answer has records: each that was alone in its filter is there.
 * It is how entries are known that no field of a record holds, such as categories.
 */
export function valuesAskedFor(request: ReportRequest, records: number): readonly KnownValue[] {
  if (records === 0) return [];
  const report = reportNamed(request.report);
  return request.filters.flatMap(({ object, member, entries }) => {
    const [entry, another] = entries;
    const known = memberOf(report, object, member)?.member;
    const list = known && known.kind === 'names' ? listsFor(known)[0] : undefined;
    return entry !== undefined && another === undefined && list !== undefined && isOffered(entry)
      ? [{ list, entry }]
      : [];
  });
}

/** The longest text that a choice has room for. */
export const LONGEST_KNOWN = 75;

/** True for what can be offered as it is: short enough, on one line, and with no comma, which entries cannot hold. */
export function isOffered(entry: string): boolean {
  return entry !== '' && entry.length <= LONGEST_KNOWN && !/[,\p{C}]|[^\S ]/u.test(entry);
}

function listOf({ field, member }: HeldBy): string {
  return member === undefined ? field : `${field}.${member}`;
}

/** Each list once, though many filters share one. */
const everyList: ReadonlyMap<string, ListInAnswer> = new Map(
  sixReports
    .flatMap(({ filters }) => filters.flatMap(({ members }) => members.flatMap(({ heldBy = [] }) => heldBy)))
    .map((heldBy) => [listOf(heldBy), { list: listOf(heldBy), ...heldBy }]),
);
