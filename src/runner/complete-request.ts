import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { searchesOwnRows } from '../access/scope.js';
import { type ConditionKind, conditionField, titleFieldId } from '../catalogue/conditions.js';
import { fieldOf, hasLearners, memberOf, reportNamed, type TitleFilter } from '../catalogue/index.js';
import { Failure } from '../errors/failure.js';
import { nearest } from '../requests/nearest.js';
import {
  hasErasedFilter,
  type Narrowing,
  type ReportRequest,
  refersToAsker,
  type TitleChoice,
} from '../requests/request.js';
import { type Titled, type TitleMatches, TitleSearch, titlesContaining } from '../requests/titles.js';
import type { MistypedEntry } from '../requests/typed-entry.js';
import { lookAt, lookRange, type RecentLooks } from './daily-look.js';
import type { SuggestionSource } from './ports.js';
import { plannedQuery, type RunOptions, type RunParts, resolveRanges, suggestionListsIn } from './queries.js';
import {
  fieldsOf,
  maxCountedPeople,
  normalizeName,
  type Suggestion,
  suggestionListsFor,
  titleListsFor,
} from './suggestions.js';

/** A request that can run, or what its asker has to decide first. */
export type Completion =
  | { readonly kind: 'ready'; readonly request: ReportRequest }
  | { readonly kind: 'entries'; readonly misses: readonly [MistypedEntry, ...MistypedEntry[]] }
  /** Several titles match, or none does. */
  | { readonly kind: 'title'; readonly choice: TitleChoice; readonly matches: TitleMatches };

/** Searches the service for titles: the matches of each choice, in their order. */
export type FindTitles = (choices: readonly TitleChoice[]) => Promise<readonly TitleMatches[]>;

export interface CompletionOptions {
  /** Names and titles that fewer people have do not exist for the asker. */
  readonly minPeople: number;
  /** True where titles come from the rows that the asker may see. Absent: from all names that are known. */
  readonly searchesOwnRows?: boolean | undefined;
  /** True if the asker wants the entries of filters as they were typed. */
  readonly asTyped?: boolean | undefined;
  /** The filters and conditions whose entries are checked. Absent: all of the request. */
  readonly typed?: Narrowing | undefined;
  /** Called for titles that are not known. Absent: nothing is searched. */
  readonly findTitles?: FindTitles | undefined;
}

export interface CompletionParts {
  readonly suggestions: SuggestionSource;
  /** True for filter members whose entries the operator's list of names checks. */
  readonly isListed?: ((member: string) => boolean) | undefined;
}

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
  options: CompletionOptions,
  parts: CompletionParts,
): Promise<Completion> {
  const { minPeople, asTyped = false, typed = request } = options;
  const [miss, ...others] = asTyped
    ? []
    : await mistypedEntries({ ...typed, report: request.report }, minPeople, parts);
  if (miss) return { kind: 'entries', misses: [miss, ...others] };
  const open = (request.titles ?? []).filter(({ id }) => id === undefined);
  if (open.length === 0) return { kind: 'ready', request };
  const found = await matchesOf(open, options, parts);
  for (const [choice, matches] of found) {
    if (matches.count !== 1) return { kind: 'title', choice, matches };
  }
  const titles = (request.titles ?? []).map((choice) => withTitle(choice, found.get(choice)?.found[0]));
  return { kind: 'ready', request: { ...request, titles: withoutDuplicates(titles) } };
}

function withTitle(choice: TitleChoice, titled: Titled | undefined): TitleChoice {
  return titled ? { option: choice.option, text: titled.title, id: titled.id } : choice;
}

/** Two texts can name the same thing. */
function withoutDuplicates(titles: readonly TitleChoice[]): readonly TitleChoice[] {
  const isSame = (one: TitleChoice, other: TitleChoice) => one.option === other.option && one.id === other.id;
  return titles.filter((title, index) => titles.findIndex((one) => isSame(one, title)) === index);
}

/** The matches of each choice: among known names, else from the service. Own rows are searched first. */
async function matchesOf(
  open: readonly TitleChoice[],
  { minPeople, searchesOwnRows = false, findTitles = async () => [] }: CompletionOptions,
  parts: CompletionParts,
) {
  const all = new Map<TitleChoice, TitleMatches>();
  const amongKnown: FindTitles = async (choices) => {
    const matches: TitleMatches[] = [];
    for (const choice of choices) matches.push(await knownMatches(choice, minPeople, parts));
    return matches;
  };
  for (const search of searchesOwnRows ? [findTitles, amongKnown] : [amongKnown, findTitles]) {
    const missing = open.filter((choice) => !all.get(choice)?.count);
    if (missing.length === 0) break;
    for (const [index, matches] of (await search(missing)).entries()) {
      const choice = missing[index];
      if (!choice) continue;
      // The nearest of two searches that found nothing.
      const near = [...matches.nearest, ...(all.get(choice)?.nearest ?? [])];
      all.set(choice, matches.count > 0 ? matches : matchesAmong(choice.text, near));
    }
  }
  return all;
}

/** The titles that the nearest are looked for among. */
const maxCompared = 2_000;
const comparedAtOnce = 100;

async function knownMatches(
  { option, text }: TitleChoice,
  minPeople: number,
  { suggestions }: CompletionParts,
): Promise<TitleMatches> {
  const lists = titleListsFor(option);
  const matches = matchesAmong(text, titledOf(await suggestions.find(lists, text, maxFound, minPeople)));
  if (matches.count > 0) return matches;
  const all = titledOf(await suggestions.all(lists, minPeople)).slice(0, maxCompared);
  const near: Titled[] = [];
  // In slices, because a comparison takes long.
  for (let from = 0; from < all.length; from += comparedAtOnce) {
    near.push(...matchesAmong(text, all.slice(from, from + comparedAtOnce)).nearest);
    await yieldToEventLoop();
  }
  return matchesAmong(text, near);
}

function titledOf(values: readonly Suggestion[]): readonly Titled[] {
  return values.flatMap(({ entry, title }) => (title === undefined ? [] : [{ id: entry, title }]));
}

function matchesAmong(text: string, all: readonly Titled[]): TitleMatches {
  const search = new TitleSearch(text);
  for (const titled of all) search.add(titled);
  return search.finish();
}

/** Known titles with a text, of which the best are chosen. */
const maxFound = 1_000;

/**
 * The filters, and the conditions on texts, whose entries are names or titles in answers, with the lists of those. None of
 * them is about people.
 */
function checkedFilters({
  report: name,
  filters,
  conditions = [],
}: Narrowing & Pick<ReportRequest, 'report'>) {
  const report = reportNamed(name);
  const names = filters.flatMap((filter) => {
    const known = memberOf(report, filter)?.member;
    const lists = known?.kind === 'names' ? suggestionListsFor(known) : [];
    return lists.length > 0 ? { ...filter, field: undefined, lists, areTitles: false } : [];
  });
  const ofConditions = conditions.flatMap(({ field: id, sign, values: entries }) => {
    const field = conditionField(report, id);
    const [target] = field?.members ?? [];
    if (!field || !target || (sign !== '=' && sign !== '!') || !isOfTexts(field.kind)) return [];
    const titled = report.titleFilters.find(({ option }) => titleFieldId(report, option) === id);
    const ofMember = target.member.kind === 'names' ? suggestionListsFor(target.member) : [];
    const lists = titled ? titleListsFor(titled.option) : ofMember;
    const { object, member } = target;
    return lists.length > 0
      ? {
          object: object.name,
          member: member.name,
          entries,
          field: id,
          lists,
          areTitles: titled !== undefined,
        }
      : [];
  });
  return [...names, ...ofConditions];
}

function isOfTexts(kind: ConditionKind): boolean {
  return kind === 'text' || kind === 'list';
}

/** Entries of one filter that are compared with the known values. A longer list was hardly typed by hand. */
const maxLookedUp = 50;

async function mistypedEntries(
  request: Narrowing & Pick<ReportRequest, 'report'>,
  minPeople: number,
  { suggestions, isListed }: CompletionParts,
) {
  const misses: MistypedEntry[] = [];
  for (const { object, member, field, entries, lists, areTitles } of checkedFilters(request)) {
    if (isListed?.(member) && !areTitles) continue;
    // Usually an answer has held them just so, and thousands of values need no look.
    if (!areTitles && (await areHeld(entries, lists, minPeople, suggestions))) continue;
    const known = await suggestions.all(lists, minPeople);
    const values = areTitles ? known.flatMap(({ title }) => title ?? []) : known.map(({ entry }) => entry);
    const held = new Set(values.map(normalizeName));
    const unknown = entries.filter((entry) => !held.has(normalizeName(entry))).slice(0, maxLookedUp);
    for (const entry of unknown) {
      // Each is compared with thousands of values, and others go on in between.
      await yieldToEventLoop();
      // `L4` is not a mistyped `L5`: a digit is rarely a slip.
      const digits = digitsIn(entry);
      const likely = values.filter((value) => digitsIn(value) === digits);
      // A condition needs the whole title, where a title option takes a part of it.
      const whole = areTitles ? titlesContaining(entry, titledOf(known))[0]?.title : undefined;
      const near = whole ?? nearest(entry, likely);
      if (near !== undefined) misses.push({ object, member, field, entry, near });
    }
  }
  return misses;
}

async function areHeld(
  entries: readonly string[],
  lists: readonly string[],
  minPeople: number,
  suggestions: SuggestionSource,
): Promise<boolean> {
  const known = await suggestions.ofEntries(lists, entries, minPeople);
  const held = new Set(known.map(({ entry }) => entry));
  return entries.every((entry) => held.has(entry));
}

function digitsIn(text: string): string {
  return text.replace(/\P{N}+/gu, ' ').trim();
}

/** The request with suggested entries in place of those that no recent answer has. */
export function withCorrectedEntries(
  request: ReportRequest,
  misses: readonly MistypedEntry[],
): ReportRequest {
  const corrected = (entries: readonly string[], isAbout: (miss: MistypedEntry) => boolean) => {
    const own = misses.filter(isAbout);
    return [...new Set(entries.map((entry) => own.find((miss) => miss.entry === entry)?.near ?? entry))];
  };
  const filters = request.filters.map(({ object, member, entries }) => ({
    object,
    member,
    entries: corrected(
      entries,
      (miss) => miss.field === undefined && miss.object === object && miss.member === member,
    ),
  }));
  const conditions = request.conditions?.map((condition) => ({
    ...condition,
    values: corrected(condition.values, ({ field }) => field === condition.field),
  }));
  return { ...request, filters, ...(conditions && { conditions }) };
}

export function withChosenTitle(request: ReportRequest, choice: TitleChoice, titled: Titled): ReportRequest {
  return {
    ...request,
    titles: request.titles?.map((title) => (title === choice ? withTitle(title, titled) : title)),
  };
}

interface FindTitlesOptions
  extends Pick<RunOptions, 'asker' | 'requestedAt' | 'scope' | 'signal' | 'onRecords' | 'onWait'> {
  /** Titles that fewer people have do not exist for the asker. */
  readonly minPeople: number;
}

/**
 * Searches the service for titles, asking for identifiers and titles alone. A person who may see all titles, or
 * searches their own rows, gets those of the request: of its range and with its filters. All others get those of
 * the whole company that enough people have, whatever else the request says.
 *
 * @returns `matches`: of each choice, in their order. `values`: names of the answer, for later searches. `isLook`: true if
 *   they have the number of people in the whole company
 * @throws `range-refused`, `asker-has-no-address`, `person-erased`, and the known errors of the source
 */
export async function findTitlesInService(
  request: ReportRequest,
  choices: readonly TitleChoice[],
  options: FindTitlesOptions,
  parts: RunParts & { readonly looks?: RecentLooks | undefined },
) {
  const { asker, scope, requestedAt, minPeople, ...reading } = options;
  if (hasErasedFilter(request)) throw new Failure('person-erased');
  if (refersToAsker(request) && !asker.email) throw new Failure('asker-has-no-address');
  const report = reportNamed(request.report);
  const sourcesOf = ({ option }: TitleChoice): TitleFilter['sources'] =>
    (report.titleFilters.find((filter) => filter.option === option)?.sources ?? []).filter(({ field }) =>
      fieldOf(report, field),
    );
  const titles = choices.map((choice) => ({ text: choice.text, sources: sourcesOf(choice) }));
  const { queried } = resolveRanges(request, { asker, requestedAt }, parts.weekStart);
  const read = { ...reading, urgency: 'person', asker: asker.id, work: parts.work } as const;
  /** What was found, so that a choice among it is not searched again. */
  const suggestionsOf = (found: readonly TitleMatches[], people: number) =>
    found.flatMap((matches, index) => {
      const choice = choices[index];
      const [list] = choice ? titleListsFor(choice.option) : [];
      return list === undefined
        ? []
        : matches.found.map(({ id, title }) => ({ list, entry: id, title, people }));
    });
  if (minPeople > 1 && hasLearners(report) && !searchesOwnRows(scope)) {
    // All titles of the last 90 days, or since the request's own range begins.
    const range = lookRange(requestedAt, queried?.from);
    // The known names are those of the service then.
    if (parts.looks?.has(report.name, range.from)) return { matches: [], values: [], isLook: true };
    const { query, plan } = lookAt(report, { range, smallestGroup: minPeople, titles });
    const { titles: matches = [], values = [], isWhole } = await parts.source.read(query, plan, read);
    if (isWhole) parts.looks?.add(report.name, range.from);
    return { matches, values: [...values, ...suggestionsOf(matches, minPeople)], isLook: true };
  }
  // The other titles of the request would exclude the records that are searched.
  const searched: ReportRequest = { ...request, titles: undefined, sort: undefined };
  const flags = titles.flatMap(({ sources }) => sources.flatMap(fieldsOf));
  const { query, plan } = plannedQuery(searched, queried, flags, { titles }, { asker, scope });
  const lists = suggestionListsIn(report, plan.fields);
  const { titles: matches = [], values = [] } = await parts.source.read(query, { ...plan, lists }, read);
  // Values of a limited answer are not suggested to others.
  if (scope.rows !== 'all' || scope.asksForOwn) return { matches, values: [], isLook: false };
  const people = hasLearners(report) ? 0 : maxCountedPeople;
  return { matches, values: [...values, ...suggestionsOf(matches, people)], isLook: false };
}
