import type { AnyBlock, InputBlock } from '@slack/types';
import { type FilterMember, type FilterObject, type Report, reportNamed } from '../../../catalogue/index.js';
import { displayText } from '../../../figures/format/text.js';
import { hashText, lastHash } from '../../../figures/hash.js';
import { compact } from '../../../requests/compact.js';
import { acceptsMe } from '../../../requests/request.js';
import { acceptsAny, anyEntry, asksForOpen } from '../../../requests/request-defaults.js';
import { builderActions } from '../../ids.js';
import { button, buttons, header, limits } from '../../messages/blocks.js';
import { multiSelectInput, searchInput, selectInput, textInput } from '../inputs.js';
import { dateInput } from './ranges.js';
import { type BuilderState, entriesOf, inputNames, noChoice, reportChoices } from './state.js';

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
function shownFilters(report: Report, state: BuilderState): readonly BuilderFilter[] {
  const all = filtersOfReport(report);
  if (!hasOpenFilters(state)) return all.filter((filter) => isInUse(filter, state));
  const common = all.filter(({ member }) => member.common);
  const others = all.filter(
    (filter) => !filter.member.common && (state.allFilters || isInUse(filter, state)),
  );
  return [...common, ...others];
}

/** False while the form hides what is rarely needed. */
function hasOpenFilters({ filtersOpen, allFilters }: BuilderState): boolean {
  return filtersOpen === true || allFilters;
}

/** True if the form does not show every filter. */
function hidesFilters(report: Report, state: BuilderState): boolean {
  return shownFilters(report, state).length < filtersOfReport(report).length;
}

function isInUse({ name }: BuilderFilter, state: BuilderState): boolean {
  return entriesOf(state, name).entries.length > 0 || state.lists.includes(name);
}

export function filterNamed(name: string, state: BuilderState): BuilderFilter | undefined {
  return filtersOfReport(reportNamed(state.report)).find((filter) => filter.name === name);
}

/** How many hashed suggestions a filter keeps. */
const maxSuggestionsKept = 8;

/** The state that can resolve the hash of this suggested entry. */
export function withSuggestion(state: BuilderState, filter: string, text: string): BuilderState {
  const before = entriesOf(state, filter);
  const offered = [...(before.offered ?? []).filter((other) => other !== text), text].slice(
    -maxSuggestionsKept,
  );
  return { ...state, filters: { ...state.filters, [filter]: { ...before, offered } } };
}

/** An entry as an option. Slack limits its text and its value to 75 characters each. */
export interface Chip {
  readonly value: string;
  readonly text: string;
}

export const maxChipLength = 75;

const hashPrefixes = /^(?:mark|rest):/;

/**
 * Entries as options. If there are more than `maxShown`, the last option stands for the rest. An entry that is too long
 * or not plain text has a hash as its value.
 */
export function chipsOf(entries: readonly string[], maxShown: number): readonly Chip[] {
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

export function chipOf(entry: string): Chip {
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
export function filterInputs(state: BuilderState, report: Report, titles: Titles): AnyBlock[] {
  const all = filtersOfReport(report);
  const isOpen = hasOpenFilters(state);
  const asLists = all.filter(({ member }) => member.kind !== 'yes-no');
  const shown = shownFilters(report, state);
  const hidden = all.length - shown.length;
  const maxShown = maxChipsPerFilter(state, report);
  return compact(
    header('Filters'),
    (isOpen || reportChoices(state).dateField !== undefined) && dateInput(state, report),
    shown.flatMap((filter) => filterBlocks(filter, state, maxShown, titles)),
    buttons(
      ...(isOpen
        ? compact(
            hidesFilters(report, state) &&
              button(builderActions.moreFilters, `More filters (${hidden})`, 'more'),
            button(builderActions.fewerFilters, 'Fewer filters', 'fewer'),
          )
        : [button(builderActions.moreFilters, 'Add filters', 'open')]),
    ),
    (isOpen || state.lists.length > 0) && listsInput(state, report, asLists),
  );
}

function listsInput(state: BuilderState, report: Report, asLists: readonly BuilderFilter[]): InputBlock {
  return multiSelectInput(
    inputNames.lists(report.name),
    {
      label: 'Enter as a list',
      hint: 'Adds a text field with one entry per line, for many entries or for entries over 75 characters.',
      placeholder: 'Choose filters',
    },
    asLists.map(({ name, member }) => ({ value: name, text: member.label })),
    state.lists,
    { dispatches: true, maxSelected: maxLists },
  );
}

export function maxChipsPerFilter(state: BuilderState, report: Report): number {
  const inUse = filtersOfReport(report).filter(
    ({ name }) => entriesOf(state, name).entries.length > 0,
  ).length;
  return Math.min(maxChipsInOneFilter, Math.max(2, Math.floor(maxChips / Math.max(1, inUse))));
}

function filterBlocks(
  filter: BuilderFilter,
  state: BuilderState,
  maxShown: number,
  titles: Titles,
): readonly InputBlock[] {
  const { name, member } = filter;
  const { entries } = entriesOf(state, name);
  if (member.kind === 'yes-no') return [yesNoInput(filter, entries[0], state)];
  return compact(
    entriesInput(filter, state, maxShown, titles),
    state.lists.includes(name) && listInput(filter, state),
  );
}

function yesNoInput(
  { name, object, member }: BuilderFilter,
  chosen: string | undefined,
  state: BuilderState,
): InputBlock {
  const { report, view } = state;
  const isNoByDefault =
    asksForOpen({ report, view, states: reportChoices(state).states }) &&
    acceptsAny(object.name, member.name);
  const choices = compact(
    { value: noChoice, text: isNoByDefault ? 'No (default)' : 'Either' },
    { value: 'true', text: 'Yes' },
    { value: 'false', text: 'No' },
    isNoByDefault && { value: anyEntry, text: 'Either' },
  );
  const current = choices.find(({ value }) => value === chosen)?.value ?? noChoice;
  return selectInput(inputNames.yesNo(name), member.label, choices, current);
}

const placeholders = {
  names: 'All (type or choose)',
  emails: 'All (type an address)',
  identifiers: 'All (type a title or an ID)',
} as const;

/** A menu of values from recent answers, which offers the typed text first. */
function entriesInput(
  { name, member }: BuilderFilter,
  state: BuilderState,
  maxShown: number,
  titles: Titles,
): InputBlock {
  const chips = chipsOf(entriesOf(state, name).entries, maxShown);
  const chosen = chips.map(({ value, text }) => ({ value, text: titles.get(value) ?? text }));
  const hint = acceptsMe(member.name) ? '“me” means the person who runs it.' : undefined;
  const placeholder =
    member.kind === 'identifiers' && member.personLevel
      ? 'All (type an ID)'
      : placeholders[member.kind === 'yes-no' ? 'names' : member.kind];
  const id = { block: inputNames.entries(name), action: builderActions.entries };
  return searchInput(id, { label: member.label, hint, placeholder }, chosen, { optional: true });
}

function listInput({ name, member }: BuilderFilter, state: BuilderState): InputBlock {
  const { text } = entriesOf(state, name);
  return textInput(
    inputNames.list(name),
    { label: `${member.label}, one per line`, hint: 'Rollcall adds these to the entries above.' },
    text,
    { multiline: true, maxLength: limits.inputCharacters, optional: true },
  );
}
