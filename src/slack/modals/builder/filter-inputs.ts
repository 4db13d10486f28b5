import type { AnyBlock, InputBlock } from '@slack/types';
import type { Report } from '../../../catalogue/index.js';
import { anyEntry, takesAny } from '../../../requests/report-for.js';
import { saysMe } from '../../../runner/query.js';
import { builderActions } from '../../ids.js';
import { button, buttons, header, plain } from '../../messages/blocks.js';
import { limits } from '../../messages/limits.js';
import { input, oneOf, option, someOf } from '../inputs.js';
import { chipsOf } from './chips.js';
import { type BuilderFilter, filtersOfReport, hidesFilters, mostLists, shownFilters } from './filters.js';
import { inputNames, noChoice } from './input-names.js';
import { type BuilderState, entriesOf } from './state.js';

/** So many entries are drawn in all filters together, and in one: a form has room for some 250,000 bytes. */
const mostChips = 120;
const mostChipsOfOne = 40;

/** What people call entries that are identifiers, as far as it is known. */
export type Titles = ReadonlyMap<string, string>;

/** The filters of a report, the common ones first, the others behind a button. */
export function filterInputs(state: BuilderState, report: Report, titles: Titles): AnyBlock[] {
  const all = filtersOfReport(report);
  const asLists = all.filter(({ member }) => member.kind !== 'yes-no');
  const shown = shownFilters(report, state);
  const hidden = all.length - shown.length;
  const most = chipsForOne(state, report);
  return [
    header('Filters'),
    ...shown.flatMap((filter) => oneFilter(filter, state, most, titles)),
    ...(hidesFilters(report, state)
      ? [buttons(button(builderActions.moreFilters, `More filters (${hidden})`, 'more'))]
      : state.allFilters
        ? [buttons(button(builderActions.moreFilters, 'Fewer filters', 'fewer'))]
        : []),
    someOf(
      inputNames.lists(report.name),
      {
        label: 'Write as a list',
        hint: 'Adds a field with one entry a line: for many entries, and for those over 75 characters.',
        placeholder: 'Choose filters',
      },
      [
        {
          label: 'Filters',
          choices: asLists.map(({ name, member }) => ({ value: name, text: member.label })),
        },
      ],
      state.lists,
      { tells: true, most: mostLists },
    ),
  ];
}

/** So many entries of one filter are drawn. */
export function chipsForOne(state: BuilderState, report: Report): number {
  const inUse = filtersOfReport(report).filter(
    ({ name }) => entriesOf(state, name).entries.length > 0,
  ).length;
  return Math.min(mostChipsOfOne, Math.max(2, Math.floor(mostChips / Math.max(1, inUse))));
}

function oneFilter(
  filter: BuilderFilter,
  state: BuilderState,
  most: number,
  titles: Titles,
): readonly InputBlock[] {
  const { name, member } = filter;
  const { entries } = entriesOf(state, name);
  if (member.kind === 'yes-no') return [yesNo(filter, entries[0], state)];
  return [
    entriesInput(filter, state, most, titles),
    ...(state.lists.includes(name) ? [listInput(filter, state)] : []),
  ];
}

function yesNo(
  { name, object, member }: BuilderFilter,
  chosen: string | undefined,
  { overdueOnly }: BuilderState,
): InputBlock {
  const leftOut = overdueOnly && takesAny(object.name, member.name);
  const choices = [
    { value: noChoice, text: leftOut ? 'No (as usual)' : 'Either' },
    { value: 'true', text: 'Yes' },
    { value: 'false', text: 'No' },
    ...(leftOut ? [{ value: anyEntry, text: 'Either' }] : []),
  ];
  const words = { label: member.label };
  const current = choices.find(({ value }) => value === chosen)?.value ?? noChoice;
  return oneOf(inputNames.yesNo(name), words, [{ label: member.label, choices }], current);
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
  const hint = saysMe(member.name) ? '“me” is the person who runs it.' : undefined;
  return input(
    inputNames.entries(name),
    { label: member.label, hint },
    {
      type: 'multi_external_select',
      action_id: builderActions.entries,
      min_query_length: 0,
      placeholder: plain(
        member.kind === 'identifiers' && member.personLevel
          ? 'All. Type an ID'
          : placeholders[member.kind === 'yes-no' ? 'names' : member.kind],
      ),
      ...(chosen.length > 0 ? { initial_options: chosen } : {}),
    },
    { optional: true },
  );
}

function listInput({ name, member }: BuilderFilter, state: BuilderState): InputBlock {
  const { text } = entriesOf(state, name);
  return input(
    inputNames.list(name),
    { label: `${member.label}, one a line`, hint: 'These count besides those chosen above.' },
    {
      type: 'plain_text_input',
      action_id: builderActions.input,
      multiline: true,
      max_length: limits.inputCharacters,
      ...(text === '' ? {} : { initial_value: text }),
    },
    { optional: true },
  );
}
