import type { AnyBlock, InputBlock } from '@slack/types';
import type { Report, ReportName, TitleFilter, TitleOption } from '../../catalogue/index.js';
import { titledKinds } from '../../catalogue/learning-link.js';
import type { TitleChoice } from '../../requests/request.js';
import { displayText } from '../../requests/text.js';
import type { Titled } from '../../requests/titles.js';
import { header, limits } from '../messages/blocks.js';
import { type BuilderDraft, inputNames, orAbsent, reportChoices } from './draft.js';
import { type Choice, listIn, multiSelectInput, searchInput } from './inputs.js';

/** The inputs for the rows of an answer: their states, and the things learnt that they are about. */
export function whichRowsInputs(draft: BuilderDraft, report: Report): AnyBlock[] {
  const blocks = [
    ...statesInput(draft, report),
    ...report.titleFilters.map((filter) => titlesInput(draft, report, filter)),
  ];
  return blocks.length > 0 ? [header('Which rows'), ...blocks] : [];
}

function statesInput(draft: BuilderDraft, { name, states, range }: Report): InputBlock[] {
  if (states.length === 0) return [];
  const choices = states.map((known) => ({ value: known.name, text: known.label }));
  return [
    multiSelectInput(
      inputNames.states(name),
      { label: 'In these states', placeholder: 'Any' },
      choices,
      reportChoices(draft).states ?? [],
      // An open state has a default range of its own.
      { dispatches: range !== undefined && states.some(({ isOpen }) => isOpen) },
    ),
  ];
}

/** A menu of titles, which the service is searched for too. */
function titlesInput(draft: BuilderDraft, { name }: Report, filter: TitleFilter): InputBlock {
  const block = inputNames.titles(filter.option, name);
  const text = { label: titleLabels[filter.option], placeholder: 'Any (type a part of the title)' };
  return searchInput(block, text, titlesOf(draft, name, filter.option).map(titleChoice), { optional: true });
}

const titleLabels: Readonly<Record<TitleOption, string>> = {
  content: 'Content',
  track: 'Track',
  assessment: 'Assessment',
  workshop: 'Workshop',
};

function titlesOf({ values }: BuilderDraft, report: ReportName, option: TitleOption) {
  return listIn(values, inputNames.titles(option, report)).map((title) => ({ option, ...parseTitle(title) }));
}

/** The chosen titles, in the order of the catalogue. */
export function titlesIn(draft: BuilderDraft, { name, titleFilters }: Report) {
  return orAbsent(titleFilters.flatMap(({ option }) => titlesOf(draft, name, option)));
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

/** A chosen title as one value of a form: Slack sends the text of an option beside its value. */
export function titleValue({ id, text }: Pick<TitleChoice, 'id' | 'text'>): string {
  return JSON.stringify({ id, text });
}

function parseTitle(value: string): Pick<TitleChoice, 'id' | 'text'> {
  return JSON.parse(value);
}

/** The titles that the values of an input stand for. The full title of an earlier choice stays. */
export function pickedTitles(values: readonly string[], before: readonly string[]): readonly string[] {
  return values.flatMap((value) => {
    const { id = '' } = parseTitle(value);
    if (id.startsWith(openPrefix)) return before[Number(id.slice(openPrefix.length))] ?? [];
    return before.find((title) => parseTitle(title).id === id) ?? value;
  });
}
