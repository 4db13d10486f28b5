import type { InputBlock, PlainTextOption } from '@slack/types';
import { truncateText } from '../../figures/format/text.js';
import { builderActions } from '../ids.js';
import { limits, plainText } from '../messages/blocks.js';

/** One option of an input. */
export interface Choice {
  readonly value: string;
  readonly text: string;
  /** Shown below the text. */
  readonly description?: string | undefined;
}

export interface ChoiceGroup {
  readonly label: string;
  readonly choices: readonly Choice[];
}

export interface InputText {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly placeholder?: string;
}

type Element = InputBlock['element'];

/** An input block. `dispatches`: each choice sends an action, since the form depends on it. */
export function input(
  name: string,
  { label, hint }: InputText,
  element: Element,
  { optional = false, dispatches = false } = {},
): InputBlock {
  return {
    type: 'input',
    block_id: name,
    label: plainText(label),
    hint: hint ? plainText(hint) : undefined,
    optional,
    dispatch_action: dispatches,
    element,
  };
}

/** A menu for one of the choices. */
export function selectInput(
  name: string,
  text: InputText,
  groups: readonly ChoiceGroup[],
  chosen: string,
  { dispatches = false } = {},
): InputBlock {
  const all = groups.flatMap(({ choices }) => choices);
  const initial = all.find(({ value }) => value === chosen);
  const element: Element = {
    type: 'static_select',
    action_id: builderActions.input,
    ...optionsOf(groups),
    initial_option: initial ? option(initial) : undefined,
  };
  return input(name, text, element, { dispatches });
}

/** A menu for any number of the choices. */
export function multiSelectInput(
  name: string,
  text: InputText,
  groups: readonly ChoiceGroup[],
  chosen: readonly string[],
  { dispatches = false, maxSelected }: { dispatches?: boolean; maxSelected?: number } = {},
): InputBlock {
  const all = new Map(groups.flatMap(({ choices }) => choices).map((choice) => [choice.value, choice]));
  const initial = chosen.flatMap((value) => all.get(value) ?? []);
  const element: Element = {
    type: 'multi_static_select',
    action_id: builderActions.input,
    placeholder: text.placeholder ? plainText(text.placeholder) : undefined,
    max_selected_items: maxSelected,
    ...optionsOf(groups),
    initial_options: initial.length > 0 ? initial.map(option) : undefined,
  };
  return input(name, text, element, { optional: true, dispatches });
}

/** Radio buttons for one of the choices. */
export function radioInput(
  name: string,
  text: InputText,
  choices: readonly Choice[],
  chosen: string,
  { dispatches = false } = {},
): InputBlock {
  const initial = choices.find(({ value }) => value === chosen);
  const element: Element = {
    type: 'radio_buttons',
    action_id: builderActions.input,
    options: choices.map(option),
    initial_option: initial ? option(initial) : undefined,
  };
  return input(name, text, element, { dispatches });
}

export function option({ value, text, description }: Choice): PlainTextOption {
  return {
    text: plainText(text, limits.optionCharacters),
    value,
    description: description ? plainText(description, limits.optionCharacters) : undefined,
  };
}

/** Options for a menu. Several groups show their labels. */
function optionsOf(groups: readonly ChoiceGroup[]) {
  const [only, another] = groups;
  if (only && !another) return { options: only.choices.map(option) };
  return {
    option_groups: groups.map(({ label, choices }) => ({
      label: plainText(truncateText(label, limits.optionCharacters)),
      options: choices.map(option),
    })),
  };
}
