import { type Audience, audienceOf, type Level } from '../access/levels.js';
import { fieldsOfScope, ownAddressOf, rowCheckOf, type Scope } from '../access/scope.js';
import { fieldOf, memberOf, reportNamed, type TitleFilter } from '../catalogue/index.js';
import { FilterErased, hasErasedFilter } from '../requests/erased-people.js';
import { nearest } from '../requests/nearest.js';
import {
  type Asker,
  AskerHasNoAddress,
  type FilterChoice,
  type ReportRequest,
  refersToAsker,
  type TitleChoice,
} from '../requests/request.js';
import { type Titled, type TitleMatches, TitleSearch } from '../requests/titles.js';
import type { ReadOptions, SuggestionSource } from './ports.js';
import { queryFor, type RunParts, resolveRanges } from './queries.js';
import { type Suggestion, suggestionListsFor, suggestionListsIn, titleListsFor } from './suggestions.js';

/** A filter entry that no answer has held, while one has held a near one. */
export interface MistypedEntry extends Pick<FilterChoice, 'object' | 'member'> {
  readonly entry: string;
  readonly near: string;
}

/** A request that can run, or what its asker has to decide first. */
export type Completion =
  | { readonly kind: 'ready'; readonly request: ReportRequest }
  | { readonly kind: 'entries'; readonly misses: readonly [MistypedEntry, ...MistypedEntry[]] }
  /** Several titles match, or none does. */
  | { readonly kind: 'title'; readonly choice: TitleChoice; readonly matches: TitleMatches };

/** Searches the service for titles: the matches of each choice, in their order. */
export type FindTitles = (choices: readonly TitleChoice[]) => Promise<readonly TitleMatches[]>;

export interface CompletionOptions {
  /** The asker's level for the report, which decides what they are offered. */
  readonly level: Level;
  /** True if the asker wants the entries of filters as they were typed. */
  readonly asTyped?: boolean | undefined;
  /** The filters whose entries are checked. Absent: all of the request. */
  readonly typedFilters?: readonly FilterChoice[] | undefined;
  /** Called for titles that no recent answer held. Absent: nothing is searched. */
  readonly findTitles?: FindTitles | undefined;
}

export interface CompletionParts {
  readonly suggestions: SuggestionSource;
  /** True for filter members whose entries the operator's list of names checks. */
  readonly isListed?: ((member: string) => boolean) | undefined;
}

/** True if a request names a title that is not found yet. */
export function hasUnresolvedTitles({ titles = [] }: ReportRequest): boolean {
  return titles.some(({ id }) => id === undefined);
}

/** True if a request must be compared with the values of recent answers before it runs. */
export function needsCompletion(request: ReportRequest, asTyped = false): boolean {
  return hasUnresolvedTitles(request) || (!asTyped && checkedFilters(request).length > 0);
}

/**
 * Completes a request before it is run or saved: checks the entries of its filters, and finds the content of its titles.
 * Nothing is guessed. The entries come first, because they narrow the search for titles.
 */
export async function completeRequest(
  request: ReportRequest,
  { level, asTyped = false, typedFilters = request.filters, findTitles }: CompletionOptions,
  parts: CompletionParts,
): Promise<Completion> {
  const reader = audienceOf(level);
  const [miss, ...others] = asTyped
    ? []
    : await mistypedEntries({ ...request, filters: typedFilters }, reader, parts);
  if (miss) return { kind: 'entries', misses: [miss, ...others] };
  const open = (request.titles ?? []).filter(({ id }) => id === undefined);
  if (open.length === 0) return { kind: 'ready', request };
  const found = await matchesOf(open, reader, findTitles, parts);
  const undecided = open.find((choice) => found.get(choice)?.count !== 1);
  if (undecided) {
    const matches = found.get(undecided) ?? { found: [], count: 0, nearest: [] };
    return { kind: 'title', choice: undecided, matches };
  }
  const titles = (request.titles ?? []).map((choice) => withTitle(choice, found.get(choice)?.found[0]));
  return { kind: 'ready', request: { ...request, titles: withoutDuplicates(titles) } };
}

/** A choice with the thing that it names. */
function withTitle(choice: TitleChoice, titled: Titled | undefined): TitleChoice {
  return titled ? { option: choice.option, text: titled.title, id: titled.id } : choice;
}

/** Two texts can name the same thing. */
function withoutDuplicates(titles: readonly TitleChoice[]): readonly TitleChoice[] {
  const firsts = new Map<string, TitleChoice>();
  for (const title of titles) {
    const key = `${title.option} ${title.id}`;
    if (!firsts.has(key)) firsts.set(key, title);
  }
  return [...firsts.values()];
}

/** The matches of each choice: among recent answers, else from the service. */
async function matchesOf(
  open: readonly TitleChoice[],
  reader: Audience,
  findTitles: FindTitles | undefined,
  { suggestions }: CompletionParts,
): Promise<ReadonlyMap<TitleChoice, TitleMatches>> {
  const all = new Map<TitleChoice, TitleMatches>();
  for (const choice of open) {
    const search = new TitleSearch(choice.text);
    for (const { entry, title } of await suggestions.all(titleListsFor(choice.option), reader)) {
      if (title !== undefined) search.add({ id: entry, title });
    }
    all.set(choice, search.finish());
  }
  const missing = open.filter((choice) => all.get(choice)?.count === 0);
  if (!findTitles || missing.length === 0) return all;
  const found = await findTitles(missing);
  missing.forEach((choice, index) => {
    const matches = found[index];
    if (matches) all.set(choice, matches.count > 0 ? matches : joinNearest(choice, matches, all.get(choice)));
  });
  return all;
}

/** The nearest of two searches that found nothing. */
function joinNearest(
  { text }: TitleChoice,
  one: TitleMatches,
  other: TitleMatches | undefined,
): TitleMatches {
  const search = new TitleSearch(text);
  for (const titled of [...one.nearest, ...(other?.nearest ?? [])]) search.add(titled);
  return search.finish();
}

/** The filters whose entries are names in answers. None of them is about people. */
function checkedFilters({ report, filters }: ReportRequest): readonly FilterChoice[] {
  return filters.filter(({ object, member }) => {
    const known = memberOf(reportNamed(report), object, member)?.member;
    return known?.kind === 'names' && suggestionListsFor(known).length > 0;
  });
}

async function mistypedEntries(
  request: ReportRequest,
  reader: Audience,
  { suggestions, isListed }: CompletionParts,
): Promise<readonly MistypedEntry[]> {
  const misses: MistypedEntry[] = [];
  for (const { object, member, entries } of checkedFilters(request)) {
    const described = memberOf(reportNamed(request.report), object, member)?.member;
    if (!described || isListed?.(member)) continue;
    const values = (await suggestions.all(suggestionListsFor(described), reader)).map(({ entry }) => entry);
    // Usually an answer has held them just so, and thousands of values need no look.
    if (entries.every((entry) => values.includes(entry))) continue;
    const held = new Set(values.map(asCompared));
    for (const entry of entries) {
      const near = held.has(asCompared(entry)) ? undefined : nearestEntry(entry, values);
      if (near !== undefined) misses.push({ object, member, entry, near });
    }
  }
  return misses;
}

/** The service compares names in any case, with single blanks. */
function asCompared(entry: string): string {
  return entry.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** `L4` is not a mistyped `L5`: a digit is rarely a slip. */
function nearestEntry(entry: string, values: readonly string[]): string | undefined {
  const digits = digitsIn(entry);
  return nearest(
    entry,
    values.filter((value) => digitsIn(value) === digits),
  );
}

function digitsIn(text: string): string {
  return text.replace(/\P{N}+/gu, ' ').trim();
}

/** The request with suggested entries in place of those that no recent answer has. */
export function withCorrectedEntries(
  request: ReportRequest,
  misses: readonly MistypedEntry[],
): ReportRequest {
  const filters = request.filters.map((filter) => {
    const near = new Map(
      misses
        .filter(({ object, member }) => object === filter.object && member === filter.member)
        .map((miss) => [miss.entry, miss.near]),
    );
    return { ...filter, entries: [...new Set(filter.entries.map((entry) => near.get(entry) ?? entry))] };
  });
  return { ...request, filters };
}

/** The request with one of its titles decided. */
export function withChosenTitle(request: ReportRequest, choice: TitleChoice, titled: Titled): ReportRequest {
  return {
    ...request,
    titles: request.titles?.map((title) => (title === choice ? withTitle(title, titled) : title)),
  };
}

interface FoundTitles {
  /** The matches of each choice, in their order. */
  readonly matches: readonly TitleMatches[];
  /** Values of the answer that may be offered to others. */
  readonly values: readonly Suggestion[];
}

interface FindTitlesOptions extends Pick<ReadOptions, 'signal' | 'onRecords' | 'onWait'> {
  readonly asker: Asker;
  /** Milliseconds since the epoch. Relative ranges refer to it. */
  readonly requestedAt: number;
  /** The asker's scope. It limits the records that are searched. */
  readonly scope: Scope;
}

/**
 * Searches the records of a request for titles: one query for its own range and filters, with identifiers and titles
 * alone.
 *
 * @throws RangeRefused, AskerHasNoAddress, FilterErased, and the known errors of the source
 */
export async function findTitlesInService(
  request: ReportRequest,
  choices: readonly TitleChoice[],
  { asker, scope, requestedAt, ...reading }: FindTitlesOptions,
  { source, weekStart }: RunParts,
): Promise<FoundTitles> {
  if (hasErasedFilter(request)) throw new FilterErased();
  if (refersToAsker(request) && !asker.email) throw new AskerHasNoAddress();
  const report = reportNamed(request.report);
  // The other titles of the request would exclude the records that are searched.
  const searched: ReportRequest = { ...request, titles: undefined, sort: undefined };
  const sourcesOf = ({ option }: TitleChoice): TitleFilter['sources'] =>
    (report.titleFilters.find((filter) => filter.option === option)?.sources ?? []).filter(({ field }) =>
      fieldOf(report, field),
    );
  const titles = choices.map((choice) => ({ text: choice.text, sources: sourcesOf(choice) }));
  const flags = titles.flatMap(({ sources }) =>
    sources.flatMap(({ field, member, title }) => (member === undefined ? [field, title] : [field])),
  );
  const rowCheck = rowCheckOf(scope);
  const fields = [...new Set([...flags, ...(rowCheck ? fieldsOfScope : [])])];
  const { queried } = resolveRanges(searched, { asker, requestedAt }, weekStart);
  const { titles: found = [], values = [] } = await source.read(
    queryFor(report, searched, queried, fields, { asker, scope }),
    { fields, rowCheck, own: ownAddressOf(scope), titles, lists: suggestionListsIn(report, fields) },
    { ...reading, urgency: 'person', asker: asker.id },
  );
  // Values of a limited answer are not suggested to others.
  if (scope.rows !== 'all' || scope.asksForOwn) return { matches: found, values: [] };
  const chosen = found.flatMap((matches, index) => suggestionsFrom(choices[index], matches));
  return { matches: found, values: [...values, ...chosen] };
}

/** The things that were found, so that a choice among them is not searched again. */
function suggestionsFrom(choice: TitleChoice | undefined, { found }: TitleMatches): readonly Suggestion[] {
  const [list] = choice ? titleListsFor(choice.option) : [];
  return list === undefined ? [] : found.map(({ id, title }) => ({ list, entry: id, title }));
}
