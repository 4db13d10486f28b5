import type { AnyBlock, InputBlock } from '@slack/types';
import { type Report, reportNamed, type TitleFilter, type TitleOption } from '../../../catalogue/index.js';
import { titledKinds } from '../../../catalogue/learning-link.js';
import { displayText } from '../../../figures/format/text.js';
import type { TitleChoice } from '../../../requests/request.js';
import type { Titled } from '../../../requests/titles.js';
import { builderActions } from '../../ids.js';
import { header, limits } from '../../messages/blocks.js';
import { type Choice, multiSelectInput, searchInput } from '../inputs.js';
import { type BuilderState, inputNames, reportChoices } from './state.js';

/** The inputs for the rows of an answer: their states, and the things learnt that they are about. */
export function whichRowsInputs(state: BuilderState, report: Report): AnyBlock[] {
  const blocks = [
    ...statesInput(state, report),
    ...report.titleFilters.map((filter) => titlesInput(state, report, filter)),
  ];
  return blocks.length > 0 ? [header('Which rows'), ...blocks] : [];
}

function statesInput(state: BuilderState, { name, states, range }: Report): InputBlock[] {
  if (states.length === 0) return [];
  const choices = states.map((known) => ({ value: known.name, text: known.label }));
  return [
    multiSelectInput(
      inputNames.states(name),
      { label: 'In these states', placeholder: 'Any' },
      choices,
      reportChoices(state).states ?? [],
      // An open state has a default range of its own.
      { dispatches: range !== undefined && states.some(({ isOpen }) => isOpen) },
    ),
  ];
}

/** A menu of titles, which the service is searched for too. */
function titlesInput(state: BuilderState, { name }: Report, filter: TitleFilter): InputBlock {
  const id = { block: inputNames.titles(filter.option, name), action: builderActions.titles };
  const text = { label: titleLabels[filter.option], placeholder: 'Any (type a part of the title)' };
  return searchInput(id, text, titlesOf(state, filter.option).map(titleChoice), { optional: true });
}

const titleLabels: Readonly<Record<TitleOption, string>> = {
  content: 'Content',
  track: 'Track',
  assessment: 'Assessment',
  workshop: 'Workshop',
};

function titlesOf(state: BuilderState, wanted: TitleOption): readonly TitleChoice[] {
  return (reportChoices(state).titles ?? []).filter((title) => title.option === wanted);
}

/** Values of titles that are not found yet. Identifiers are at most as long as the value of an option. */
const openPrefix = 'open:';

/** Titles with longer identifiers cannot be options. */
export function canBeOption({ id }: Titled): boolean {
  return id.length <= limits.optionCharacters && !id.startsWith(openPrefix) && !/\p{C}/u.test(id);
}

function titleChoice(title: TitleChoice, index: number): Choice {
  const text = displayText(title.text, limits.optionCharacters);
  return title.id === undefined
    ? { value: `${openPrefix}${index}`, text, description: 'Not found yet' }
    : { value: title.id, text };
}

/** The option of something that was found; with its identifier where another one has the same title. */
export function foundChoice(titled: Titled, all: readonly Titled[]): Choice {
  const text = displayText(titled.title, limits.optionCharacters);
  const isShared = all.some(
    ({ id, title }) => id !== titled.id && displayText(title, limits.optionCharacters) === text,
  );
  return { value: titled.id, text, description: isShared ? titled.id : undefined };
}

/** The title option of an input, by its name or block ID; undefined for other inputs. */
export function titleOptionOf(name: string): TitleOption | undefined {
  const [, wanted] = /^titles-(\w+)/.exec(name) ?? [];
  return titledKinds.find((known) => known === wanted);
}

/** A chosen title of a form as one value: Slack sends the text of an option beside its value. */
export function titleValue(value: string, text: string): string {
  return `${value}\n${text}`;
}

/**
 * The titles that the values of an input stand for, with those of the other inputs, in the order of the catalogue. The
 * full title of an earlier choice stays.
 */
export function pickedTitles(
  state: BuilderState,
  report: Report,
  changed: TitleOption,
  values: readonly string[],
): readonly TitleChoice[] {
  const before = reportChoices({ ...state, report: report.name }).titles ?? [];
  const own = before.filter((title) => title.option === changed);
  const picked = values.flatMap((value): TitleChoice[] => {
    const [id = '', text = id] = value.split('\n');
    const known = id.startsWith(openPrefix)
      ? own[Number(id.slice(openPrefix.length))]
      : own.find((title) => title.id === id);
    if (known) return [known];
    return id === '' || id.startsWith(openPrefix) ? [] : [{ option: changed, text, id }];
  });
  return reportNamed(report.name).titleFilters.flatMap(({ option: wanted }) =>
    wanted === changed ? picked : before.filter((title) => title.option === wanted),
  );
}
