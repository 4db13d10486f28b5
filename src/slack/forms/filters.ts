import type { AnyBlock, InputBlock } from '@slack/types';
import type { FilterMember, FilterObject, Report } from '../../catalogue/index.js';
import { hashText, lastHash } from '../../figures/hash.js';
import { acceptsAny, acceptsMe, anyEntry, asksForOpen, type ReportRequest } from '../../requests/request.js';
import { compact, displayText } from '../../requests/text.js';
import { button, buttons, header, limits } from '../messages/blocks.js';
import { type BuilderDraft, builderActions, inputNames, noChoice, reportChoices } from './draft.js';
import {
  type Choice,
  listIn,
  multiSelectInput,
  searchInput,
  selectInput,
  textIn,
  textInput,
} from './inputs.js';
import { dateInput } from './ranges.js';

export interface BuilderFilter {
  /** Such as `user.departments`. All reports with this filter use the same name. */
  readonly name: string;
  readonly object: FilterObject;
  readonly member: FilterMember;
}

/** How many filters can have an input for a list. More text would not fit into a form. */
export const maxLists = 5;

/** All filters of a report, in the order of the catalogue. */
export function filtersOfReport(report: Report): readonly BuilderFilter[] {
  return report.filters.flatMap((object) =>
    object.members.map((member) => ({ name: `${object.prefix}.${member.name}`, object, member })),
  );
}

/** The filters on the form: those in use; with "Add filters" also the common ones; with "More filters" all. */
function shownFilters(report: Report, draft: BuilderDraft) {
  const { filtersShown } = draft;
  const isCommon = ({ member }: BuilderFilter) => filtersShown !== undefined && member.common === true;
  const shown = filtersOfReport(report).filter(
    (filter) =>
      filtersShown === 'all' ||
      isCommon(filter) ||
      entriesOf(filter, draft).length > 0 ||
      hasList(filter.name, draft),
  );
  return [...shown.filter(isCommon), ...shown.filter((filter) => !isCommon(filter))];
}

const yesNoEntries = ['true', 'false', anyEntry];

export function entriesName({ name, member }: BuilderFilter): string {
  return member.kind === 'yes-no' ? inputNames.yesNo(name) : inputNames.entries(name);
}

/** The chosen entries of a filter, without those of its list. */
export function entriesOf(filter: BuilderFilter, { values }: BuilderDraft): readonly string[] {
  const entries = listIn(values, entriesName(filter));
  return filter.member.kind === 'yes-no' ? entries.filter((one) => yesNoEntries.includes(one)) : entries;
}

export function entriesInRequest({ object, member }: BuilderFilter, { filters }: ReportRequest) {
  return filters.find((some) => some.object === object.name && some.member === member.name)?.entries;
}

export function hasList(name: string, { values }: BuilderDraft): boolean {
  return listIn(values, inputNames.lists).includes(name);
}

/** The filters with an input for a list. Those of other reports keep theirs. */
export function pickedLists(
  picked: readonly string[],
  before: readonly string[],
  report: Report,
): readonly string[] {
  const own = filtersOfReport(report).map(({ name }) => name);
  const others = before.filter((name) => !own.includes(name));
  return [...others, ...own.filter((name) => picked.includes(name)).slice(0, maxLists)];
}

/** How many hashed suggestions a filter has at most. */
const maxSuggestions = 8;

/** The draft that can resolve the hash of this suggested entry. */
export function withSuggestion(draft: BuilderDraft, filter: string, text: string): BuilderDraft {
  const others = (draft.offered?.[filter] ?? []).filter((other) => other !== text);
  return { ...draft, offered: { ...draft.offered, [filter]: [...others, text].slice(-maxSuggestions) } };
}

/** Slack limits the text and the value of an option to this length. */
export const maxChipLength = 75;

const hashPrefixes = /^(?:mark|rest):/;

/**
 * Entries as options. If there are more than `maxShown`, the last option stands for the rest. An entry that is too long
 * or not plain text has a hash as its value.
 */
export function chipsOf(entries: readonly string[], maxShown: number): readonly Choice[] {
  if (entries.length <= maxShown) return entries.map(chipOf);
  const shown = entries.slice(0, maxShown - 1);
  const rest = entries.slice(maxShown - 1);
  const value = `rest:${hashOf(rest[0] ?? '')}.${hashOf(rest.at(-1) ?? '')}`;
  return [...shown.map(chipOf), { value, text: `and ${rest.length} more` }];
}

/**
 * The entries that these option values stand for, without duplicates.
 *
 * @param before the entries that were chosen before
 * @param offered hashed suggestions
 */
export function entriesFromChips(
  values: readonly string[],
  before: readonly string[],
  offered: readonly string[],
): readonly string[] {
  const hasHashes = values.some((value) => hashPrefixes.test(value));
  const all = [...offered, ...before];
  const indexes = new Map(hasHashes ? all.map((entry, index) => [hashOf(entry), index]) : []);
  const entries = values.flatMap((value) => {
    const [, first = '', last = ''] = /^rest:([^.]+)\.(.+)$/.exec(value) ?? [];
    const from = indexes.get(first);
    const to = indexes.get(last);
    if (from !== undefined && to !== undefined) return all.slice(from, to + 1);
    const index = value.startsWith('mark:') ? indexes.get(value.slice('mark:'.length)) : undefined;
    return index === undefined ? [value] : all.slice(index, index + 1);
  });
  return [...new Set(entries)];
}

export function chipOf(entry: string): Choice {
  const isPlain = entry.length <= maxChipLength && !/\p{C}|[^\S ]/u.test(entry) && !hashPrefixes.test(entry);
  return { value: isPlain ? entry : `mark:${hashOf(entry)}`, text: displayText(entry, maxChipLength) };
}

/** A hash that is short enough for the value of an option. */
function hashOf(entry: string): string {
  hashText(entry);
  return `${lastHash.high.toString(36)}-${lastHash.low.toString(36)}`;
}

/** How many entries the form shows in all filters, and in one filter. A form has room for about 250,000 bytes. */
const maxChips = 120;
const maxChipsInOneFilter = 40;

/** Known titles by identifier. */
export type Titles = ReadonlyMap<string, string>;

/** The inputs for the filters of a report that are in use or wanted, with a button that shows more or fewer of them. */
export function filterInputs(draft: BuilderDraft, report: Report, titles: Titles): AnyBlock[] {
  const all = filtersOfReport(report);
  const isOpen = draft.filtersShown !== undefined;
  const shown = shownFilters(report, draft);
  const hidden = all.length - shown.length;
  const maxShown = maxChipsPerFilter(draft, report);
  const hasDate = reportChoices(draft).dateField !== undefined;
  return compact(
    header('Filters'),
    (isOpen || hasDate) && dateInput(draft, report),
    shown.flatMap((filter) =>
      filter.member.kind === 'yes-no'
        ? yesNoInput(filter, draft)
        : compact(
            entriesInput(filter, draft, maxShown, titles),
            hasList(filter.name, draft) && listInput(filter, draft),
          ),
    ),
    buttons(
      ...(isOpen
        ? compact(
            hidden > 0 && button(builderActions.moreFilters, `More filters (${hidden})`, 'more'),
            button(builderActions.fewerFilters, 'Fewer filters', 'fewer'),
          )
        : [button(builderActions.moreFilters, 'Add filters', 'open')]),
    ),
    (isOpen || listIn(draft.values, inputNames.lists).length > 0) && listsInput(draft, report),
  );
}

function listsInput({ values }: BuilderDraft, report: Report): InputBlock {
  return multiSelectInput(
    `${inputNames.lists}:${report.name}`,
    {
      label: 'Enter as a list',
      hint: 'Adds a text field with one entry per line, for many entries or for entries over 75 characters.',
      placeholder: 'Choose filters',
    },
    filtersOfReport(report)
      .filter(({ member }) => member.kind !== 'yes-no')
      .map(({ name, member }) => ({ value: name, text: member.label })),
    listIn(values, inputNames.lists),
    { dispatches: true, maxSelected: maxLists },
  );
}

export function maxChipsPerFilter(draft: BuilderDraft, report: Report): number {
  const inUse = filtersOfReport(report).filter((filter) => entriesOf(filter, draft).length > 0).length;
  return Math.min(maxChipsInOneFilter, Math.max(2, Math.floor(maxChips / Math.max(1, inUse))));
}

function yesNoInput(filter: BuilderFilter, draft: BuilderDraft): InputBlock {
  const { object, member } = filter;
  const isNoByDefault = asksForOpen(reportChoices(draft)) && acceptsAny(object.name, member.name);
  const choices = compact(
    { value: noChoice, text: isNoByDefault ? 'No (default)' : 'Either' },
    { value: 'true', text: 'Yes' },
    { value: 'false', text: 'No' },
    isNoByDefault && { value: anyEntry, text: 'Either' },
  );
  const [chosen] = entriesOf(filter, draft);
  const current = choices.find(({ value }) => value === chosen)?.value ?? noChoice;
  return selectInput(entriesName(filter), member.label, choices, current);
}

const placeholders = {
  names: 'All (type or choose)',
  emails: 'All (type an address)',
  identifiers: 'All (type a title or an ID)',
} as const;

/** A menu of values from recent answers, which offers the typed text first. */
function entriesInput(
  filter: BuilderFilter,
  draft: BuilderDraft,
  maxShown: number,
  titles: Titles,
): InputBlock {
  const { member } = filter;
  const chips = chipsOf(entriesOf(filter, draft), maxShown);
  const chosen = chips.map(({ value, text }) => ({ value, text: titles.get(value) ?? text }));
  const hint = acceptsMe(member.name) ? '“me” means the person who runs it.' : undefined;
  const placeholder =
    member.kind === 'identifiers' && member.personLevel
      ? 'All (type an ID)'
      : placeholders[member.kind === 'yes-no' ? 'names' : member.kind];
  return searchInput(entriesName(filter), { label: member.label, hint, placeholder }, chosen, {
    optional: true,
  });
}

function listInput({ name, member }: BuilderFilter, { values }: BuilderDraft): InputBlock {
  return textInput(
    inputNames.list(name),
    { label: `${member.label}, one per line`, hint: 'Rollcall adds these to the entries above.' },
    textIn(values, inputNames.list(name)),
    { multiline: true, maxLength: limits.inputCharacters, optional: true },
  );
}
