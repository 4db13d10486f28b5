import {
  allReports,
  type FilterMember,
  fieldOf,
  hasLearners,
  memberOf,
  type Report,
  type ReportName,
  reportNamed,
  type TitleOption,
  type ValueSource,
} from '../catalogue/index.js';
import type { ReportRequest } from '../requests/request.js';

/** A name from an answer that a filter can be set to. Never person-level. */
export interface Suggestion {
  /** The list it belongs to: `departments`, `track_id`, `content.type`. */
  readonly list: string;
  readonly entry: string;
  /** Its title, if the entry is an identifier. */
  readonly title?: string;
  /** At least this many people of the whole company have it. Larger numbers than `maxCountedPeople` are not told apart. */
  readonly people: number;
}

/** Names that so many people have are for everybody: no setting asks for more. */
export const maxCountedPeople = 100;

/** A list, and the source of its values in a record. Plain data: it is sent to the thread that reads. */
export interface SuggestionList extends ValueSource {
  readonly list: string;
  /** Set where the field is a list, which may come as one text. */
  readonly isList?: true;
  /** Set where the records are about no people, so that everybody may see the names. */
  readonly isPublic?: true;
}

/** The fields of a report with names for filters, and with their titles. None is about a person. */
export function suggestionFieldsOf(report: Report): readonly string[] {
  const all = report.fields.map(({ flag }) => flag);
  const sources = (suggestionLists.get(report.name) ?? []).flatMap(fieldsOf);
  return [...new Set(sources)].filter((flag) => all.includes(flag));
}

/** The fields that hold the values of a source, and their titles. */
export function fieldsOf({ field, member, title }: ValueSource): readonly string[] {
  return member === undefined && title !== undefined ? [field, title] : [field];
}

/** The lists with entries for a filter; none for filters about people. */
export function suggestionListsFor(member: FilterMember): readonly string[] {
  if (member.personLevel) return [];
  if (member.valueSources) return member.valueSources.map(listOf);
  return member.kind === 'names' ? [member.name] : [];
}

/**
 * The entries of a request's filters whose existence its answer proves: each entry that is alone in its filter, if the
 * answer has records. Some entries, such as categories, are in no field of a record.
 *
 * @param people at least as many are in the records
 */
export function suggestionsFromRequest(
  request: ReportRequest,
  { records, people = 0 }: { readonly records: number; readonly people?: number | undefined },
): readonly Suggestion[] {
  if (records === 0) return [];
  const report = reportNamed(request.report);
  return request.filters.flatMap((filter) => {
    const [entry, another] = filter.entries;
    const known = memberOf(report, filter)?.member;
    const list = known && known.kind === 'names' ? suggestionListsFor(known)[0] : undefined;
    return entry !== undefined && another === undefined && list !== undefined && isSuggested(entry)
      ? [{ list, entry, people }]
      : [];
  });
}

/** The lists with the titles that one of the title options chooses from, in any report. */
export function titleListsFor(option: TitleOption): readonly string[] {
  const sources = allReports.flatMap(({ titleFilters }) =>
    titleFilters.filter((filter) => filter.option === option).flatMap((filter) => filter.sources),
  );
  return [...new Set(sources.map(listOf))];
}

/** Slack's limit for the text of a choice. */
const maxSuggestionLength = 75;

/** Longer titles are cut. */
export const maxTitleLength = 4 * maxSuggestionLength;

/** True for entries that can be suggested: short enough, on one line, and without a comma. */
export function isSuggested(entry: string): boolean {
  return entry !== '' && entry.length <= maxSuggestionLength && !/[,\p{C}]|[^\S ]/u.test(entry);
}

/** Case and the width of blanks do not count. The service compares names so. */
export function normalizeName(name: string): string {
  return name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}

export function listOf({ field, member }: ValueSource): string {
  return member === undefined ? field : `${field}.${member}`;
}

/** Each list once. Filters share lists. */
const everyList: ReadonlyMap<string, SuggestionList> = new Map(
  allReports
    .flatMap(({ filters }) =>
      filters.flatMap(({ members }) => members.flatMap(({ valueSources = [] }) => valueSources)),
    )
    .map((source) => [listOf(source), { list: listOf(source), ...source }]),
);

/** By report, the lists whose values its answers can have. */
export const suggestionLists: ReadonlyMap<ReportName, readonly SuggestionList[]> = new Map(
  allReports.map((report) => {
    const isPublic = hasLearners(report) ? undefined : true;
    const lists: SuggestionList[] = [];
    for (const list of everyList.values()) {
      const field = fieldOf(report, list.field);
      if (!field || field.personLevel) continue;
      lists.push({ ...list, isList: field.kind === 'list' ? true : undefined, isPublic });
    }
    return [report.name, lists];
  }),
);
