import {
  allReports,
  type FilterMember,
  fieldOf,
  memberOf,
  type Report,
  reportNamed,
  type TitleOption,
  type ValueSource,
} from '../catalogue/index.js';
import { KnownEntries, mayBeList } from '../figures/list-text.js';
import type { RecordView } from '../figures/record-view.js';
import type { ReportRequest } from '../requests/request.js';
import { type TitleMatches, TitleSearch } from '../requests/titles.js';
import type { TitleQuery } from './ports.js';

/** A value from an answer that a filter can be set to. Never person-level. */
export interface Suggestion {
  /** The list it belongs to: `departments`, `track_id`, `content.type`. */
  readonly list: string;
  readonly entry: string;
  /** Its title, if the entry is an identifier. */
  readonly title?: string;
}

/** A list, and the source of its values in a record. Plain data: it is sent to the thread that reads. */
export interface SuggestionList extends ValueSource {
  readonly list: string;
  /** Set where the field is a list, which may come as one text. */
  readonly isList?: true;
}

/** The lists whose values are in an answer with these fields. */
export function suggestionListsIn(report: Report, fields: readonly string[]): readonly SuggestionList[] {
  const ofReport = new Set(report.fields.filter(({ personLevel }) => !personLevel).map(({ flag }) => flag));
  return [...everyList.values()]
    .filter(({ field }) => ofReport.has(field) && fields.includes(field))
    .map((held) =>
      fieldOf(report, held.field)?.kind === 'list' ? { ...held, isList: true as const } : held,
    );
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
 */
export function suggestionsFromRequest(request: ReportRequest, records: number): readonly Suggestion[] {
  if (records === 0) return [];
  const report = reportNamed(request.report);
  return request.filters.flatMap(({ object, member, entries }) => {
    const [entry, another] = entries;
    const known = memberOf(report, object, member)?.member;
    const list = known && known.kind === 'names' ? suggestionListsFor(known)[0] : undefined;
    return entry !== undefined && another === undefined && list !== undefined && isSuggested(entry)
      ? [{ list, entry }]
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
const maxTitleLength = 4 * maxSuggestionLength;

/** True for entries that can be suggested: short enough, on one line, and without a comma. */
function isSuggested(entry: string): boolean {
  return entry !== '' && entry.length <= maxSuggestionLength && !/[,\p{C}]|[^\S ]/u.test(entry);
}

function listOf({ field, member }: ValueSource): string {
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

/** All of the first records are read, and then one in 64, so that long answers cost little. */
const allUpTo = 500;
const thenEvery = 64;

/** Limits of one answer: values of a list, and texts that may be lists. */
const maxPerList = 200;
const maxTexts = 200;
const maxTextLength = 1_000;

interface Place {
  readonly list: string;
  readonly field: number;
  readonly member?: string;
  /** The index of the title's field, or the name of the title's member. */
  readonly title?: number | string;
  /** Set if the field is a list. Its texts are split at the end. */
  readonly texts?: { readonly undecided: Set<string>; readonly whole: KnownEntries };
  readonly found: Map<string, string | undefined>;
}

/** Collects some of the values of an answer, in constant memory. */
export class SuggestionCollector {
  private seen = 0;
  private readonly places: readonly Place[];

  /** @param fields the fields of the read plan */
  constructor(lists: readonly SuggestionList[], fields: readonly string[]) {
    this.places = lists.map(({ list, field, member, title, isList }) => {
      const titleField = title === undefined ? -1 : fields.indexOf(title);
      const ownTitle = titleField < 0 ? undefined : titleField;
      return {
        list,
        field: fields.indexOf(field),
        found: new Map(),
        texts: isList ? { undecided: new Set<string>(), whole: KnownEntries.empty() } : undefined,
        member,
        title: member === undefined ? ownTitle : title,
      };
    });
  }

  add(record: RecordView): void {
    this.seen += 1;
    if (this.seen > allUpTo && this.seen % thenEvery !== 0) return;
    for (const place of this.places) {
      if (place.found.size >= maxPerList) continue;
      if (place.member === undefined && place.title === undefined) noteNames(record, place);
      else noteTitled(record, place);
    }
  }

  finish(): readonly Suggestion[] {
    for (const { texts, found } of this.places) {
      for (const text of texts?.undecided ?? [])
        for (const entry of texts?.whole.split(text) ?? []) note(found, entry, undefined);
    }
    return this.places.flatMap(({ list, found }) =>
      [...found].map(([entry, title]) => ({ list, entry, title })),
    );
  }
}

function noteNames(record: RecordView, { field, found, texts }: Place): void {
  const entries = record.entries(field);
  const [only = ''] = entries;
  if (texts && record.isText(field) && mayBeList(only)) {
    if (texts.undecided.size < maxTexts && only.length <= maxTextLength) texts.undecided.add(only);
    return;
  }
  if (texts && texts.whole.characters < maxTexts * maxTextLength) texts.whole.add(entries);
  for (const entry of entries) note(found, entry, undefined);
}

function noteTitled(record: RecordView, { field, member, title, found }: Place): void {
  const entry = member === undefined ? record.text(field) : record.member(field, member).text();
  if (entry === undefined || found.has(entry)) return;
  const name = typeof title === 'number' ? record.text(title) : title && record.member(field, title).text();
  note(found, entry, name || undefined);
}

function note(found: Place['found'], text: string, title: string | undefined): void {
  const entry = text.trim();
  if (found.size >= maxPerList || found.has(entry) || !isSuggested(entry)) return;
  found.set(entry, title?.slice(0, maxTitleLength));
}

/** Searches the titles of all records of an answer, in constant memory. */
export class TitleCollector {
  private readonly searches: readonly {
    readonly search: TitleSearch;
    readonly sources: readonly {
      readonly field: number;
      readonly member?: string;
      readonly title: number | string;
    }[];
  }[];

  /** @param fields the fields of the read plan */
  constructor(queries: readonly TitleQuery[], fields: readonly string[]) {
    this.searches = queries.map(({ text, sources }) => ({
      search: new TitleSearch(text),
      sources: sources
        .filter(({ field }) => fields.includes(field))
        .map(({ field, member, title }) => ({
          field: fields.indexOf(field),
          member,
          title: member === undefined ? fields.indexOf(title) : title,
        })),
    }));
  }

  add(record: RecordView): void {
    for (const { search, sources } of this.searches) {
      for (const { field, member, title } of sources) {
        const id = (member === undefined ? record.text(field) : record.member(field, member).text())?.trim();
        // A comma would make two entries of it.
        if (!id || id.includes(',')) continue;
        const text = typeof title === 'number' ? record.text(title) : record.member(field, title).text();
        search.add({ id, title: text?.trim().slice(0, maxTitleLength) || id });
      }
    }
  }

  finish(): readonly TitleMatches[] {
    return this.searches.map(({ search }) => search.finish());
  }
}
