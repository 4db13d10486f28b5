import type { AnyBlock, InputBlock } from '@slack/types';
import { type FilterMember, type FilterObject, type Report, reportNamed } from '../../../catalogue/index.js';
import { displayText } from '../../../figures/format/text.js';
import { hashText, lastHash } from '../../../figures/hash.js';
import { acceptsAny, anyEntry } from '../../../requests/report-for.js';
import { saysMe } from '../../../requests/request.js';
import { builderActions } from '../../ids.js';
import { button, buttons, header, limits, plainText } from '../../messages/blocks.js';
import { input, multiSelectInput, option, selectInput } from '../inputs.js';
import { type BuilderState, entriesOf, inputNames, noChoice } from './state.js';

/** A filter of a report, as the builder names it. */
export interface BuilderFilter {
  /** In full, `user.departments`: the same for all reports that have it. */
  readonly name: string;
  readonly object: FilterObject;
  readonly member: FilterMember;
}

/** So many filters can be written as lists at once: a form has room for so much text. */
export const maxLists = 5;

/** Every filter of a report, in the order of the catalogue. */
export function filtersOfReport(report: Report): readonly BuilderFilter[] {
  return report.filters.flatMap((object) =>
    object.members.map((member) => ({ name: `${object.prefix}.${member.name}`, object, member })),
  );
}

/** The filters that are shown: common ones first, the others behind "More filters" unless something is chosen there. */
function shownFilters(report: Report, state: BuilderState): readonly BuilderFilter[] {
  const all = filtersOfReport(report);
  const common = all.filter(({ member }) => member.common);
  const others = all.filter(
    (filter) => !filter.member.common && (state.allFilters || isInUse(filter, state)),
  );
  return [...common, ...others];
}

/** True where some filters wait behind "More filters". */
function hidesFilters(report: Report, state: BuilderState): boolean {
  return shownFilters(report, state).length < filtersOfReport(report).length;
}

function isInUse({ name }: BuilderFilter, state: BuilderState): boolean {
  return entriesOf(state, name).entries.length > 0 || state.lists.includes(name);
}

/** A filter by its name, among those of the report that is chosen now. */
export function filterNamed(name: string, state: BuilderState): BuilderFilter | undefined {
  return filtersOfReport(reportNamed(state.report)).find((filter) => filter.name === name);
}

/** So many texts are kept that were offered under a mark. */
const maxSuggestionsKept = 8;

/** The state with a text that is offered for a filter under its mark. */
export function withSuggestion(state: BuilderState, filter: string, text: string): BuilderState {
  const before = entriesOf(state, filter);
  const offered = [...(before.offered ?? []).filter((other) => other !== text), text].slice(
    -maxSuggestionsKept,
  );
  return { ...state, filters: { ...state.filters, [filter]: { ...before, offered } } };
}

/** An entry as one choice among others: its words and its value have room for 75 characters each. */
export interface Chip {
  readonly value: string;
  readonly text: string;
}

export const maxChipLength = 75;

const marks = /^(?:mark|rest):/;

/**
 * Entries as choices. Where there are too many of them, the last choice stands for the rest; where one is too long, or
 * holds what does not belong on a line, its value is a mark by which the entry is found again.
 */
export function chipsOf(entries: readonly string[], most: number): readonly Chip[] {
  if (entries.length <= most) return entries.map(chipOf);
  const shown = entries.slice(0, most - 1);
  const rest = entries.slice(most - 1);
  const value = `rest:${markOf(rest[0] ?? '')}.${markOf(rest.at(-1) ?? '')}`;
  return [...shown.map(chipOf), { value, text: `and ${rest.length} more` }];
}

/**
 * The entries that these values of choices stand for, each once.
 *
 * @param before the entries that were there
 * @param offered texts that were offered besides them, under their marks
 */
export function entriesFromChips(
  values: readonly string[],
  before: readonly string[],
  offered: readonly string[],
): readonly string[] {
  const marked = values.some((value) => marks.test(value));
  const all = [...offered, ...before];
  const places = new Map(marked ? all.map((entry, place) => [markOf(entry), place]) : []);
  const entries = values.flatMap((value) => {
    const [, first = '', last = ''] = /^rest:([^.]+)\.(.+)$/.exec(value) ?? [];
    const from = places.get(first);
    const to = places.get(last);
    if (from !== undefined && to !== undefined) return all.slice(from, to + 1);
    const place = value.startsWith('mark:') ? places.get(value.slice('mark:'.length)) : undefined;
    return place === undefined ? [value] : all.slice(place, place + 1);
  });
  return [...new Set(entries)];
}

/** An entry as a choice. */
export function chipOf(entry: string): Chip {
  const plain = entry.length <= maxChipLength && !/\p{C}|[^\S ]/u.test(entry) && !marks.test(entry);
  return { value: plain ? entry : `mark:${markOf(entry)}`, text: displayText(entry, maxChipLength) };
}

/** Short enough for a value, and of this entry alone. */
function markOf(entry: string): string {
  hashText(entry);
  return `${lastHash.high.toString(36)}-${lastHash.low.toString(36)}`;
}

/** So many entries are drawn in all filters together, and in one: a form has room for some 250,000 bytes. */
const maxChips = 120;
const maxChipsPerFilter = 40;

/** What people call entries that are identifiers, as far as it is known. */
export type Titles = ReadonlyMap<string, string>;

/** The filters of a report, the common ones first, the others behind a button. */
export function filterInputs(state: BuilderState, report: Report, titles: Titles): AnyBlock[] {
  const all = filtersOfReport(report);
  const asLists = all.filter(({ member }) => member.kind !== 'yes-no');
  const shown = shownFilters(report, state);
  const hidden = all.length - shown.length;
  const most = maxChipsShown(state, report);
  return [
    header('Filters'),
    ...shown.flatMap((filter) => filterBlocks(filter, state, most, titles)),
    ...(hidesFilters(report, state)
      ? [buttons(button(builderActions.moreFilters, `More filters (${hidden})`, 'more'))]
      : state.allFilters
        ? [buttons(button(builderActions.moreFilters, 'Fewer filters', 'fewer'))]
        : []),
    multiSelectInput(
      inputNames.lists(report.name),
      {
        label: 'Write as a list',
        hint: 'Adds a text field with one entry per line, for many entries or long ones (over 75 characters).',
        placeholder: 'Choose filters',
      },
      [
        {
          label: 'Filters',
          choices: asLists.map(({ name, member }) => ({ value: name, text: member.label })),
        },
      ],
      state.lists,
      { tells: true, most: maxLists },
    ),
  ];
}

/** So many entries of one filter are drawn. */
export function maxChipsShown(state: BuilderState, report: Report): number {
  const inUse = filtersOfReport(report).filter(
    ({ name }) => entriesOf(state, name).entries.length > 0,
  ).length;
  return Math.min(maxChipsPerFilter, Math.max(2, Math.floor(maxChips / Math.max(1, inUse))));
}

function filterBlocks(
  filter: BuilderFilter,
  state: BuilderState,
  most: number,
  titles: Titles,
): readonly InputBlock[] {
  const { name, member } = filter;
  const { entries } = entriesOf(state, name);
  if (member.kind === 'yes-no') return [yesNoInput(filter, entries[0], state)];
  return [
    entriesInput(filter, state, most, titles),
    ...(state.lists.includes(name) ? [listInput(filter, state)] : []),
  ];
}

function yesNoInput(
  { name, object, member }: BuilderFilter,
  chosen: string | undefined,
  { overdueOnly }: BuilderState,
): InputBlock {
  const leftOut = overdueOnly && acceptsAny(object.name, member.name);
  const choices = [
    { value: noChoice, text: leftOut ? 'No (default)' : 'Either' },
    { value: 'true', text: 'Yes' },
    { value: 'false', text: 'No' },
    ...(leftOut ? [{ value: anyEntry, text: 'Either' }] : []),
  ];
  const words = { label: member.label };
  const current = choices.find(({ value }) => value === chosen)?.value ?? noChoice;
  return selectInput(inputNames.yesNo(name), words, [{ label: member.label, choices }], current);
}

const placeholders = {
  names: 'All. Type or choose',
  emails: 'All. Type an address',
  identifiers: 'All. Type a title or an ID',
} as const;

/** Entries to choose from what recent answers held, with what is typed as the first choice. */
function entriesInput(
  { name, member }: BuilderFilter,
  state: BuilderState,
  most: number,
  titles: Titles,
): InputBlock {
  const chips = chipsOf(entriesOf(state, name).entries, most);
  const chosen = chips.map(({ value, text }) => option({ value, text: titles.get(value) ?? text }));
  const hint = saysMe(member.name) ? '“me” means the person who runs it.' : undefined;
  return input(
    inputNames.entries(name),
    { label: member.label, hint },
    {
      type: 'multi_external_select',
      action_id: builderActions.entries,
      min_query_length: 0,
      placeholder: plainText(
        member.kind === 'identifiers' && member.personLevel
          ? 'All. Type an ID'
          : placeholders[member.kind === 'yes-no' ? 'names' : member.kind],
      ),
      initial_options: chosen.length > 0 ? chosen : undefined,
    },
    { optional: true },
  );
}

function listInput({ name, member }: BuilderFilter, state: BuilderState): InputBlock {
  const { text } = entriesOf(state, name);
  return input(
    inputNames.list(name),
    { label: `${member.label}, one per line`, hint: 'Added to the entries chosen above.' },
    {
      type: 'plain_text_input',
      action_id: builderActions.input,
      multiline: true,
      max_length: limits.inputCharacters,
      initial_value: text || undefined,
    },
    { optional: true },
  );
}
