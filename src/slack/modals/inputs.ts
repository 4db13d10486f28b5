import type { InputBlock, PlainTextOption } from '@slack/types';
import { truncateText } from '../../figures/format/text.js';
import { builderActions } from '../ids.js';
import { limits, plainText } from '../messages/blocks.js';

/** A choice: what it stands for, and what people read. */
export interface Choice {
  readonly value: string;
  readonly text: string;
  /** A second, smaller line. */
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

/** An input block under its own name. `tells`: the form changes with what is chosen in it. */
export function input(
  name: string,
  { label, hint }: InputText,
  element: Element,
  { optional = false, tells = false } = {},
): InputBlock {
  return {
    type: 'input',
    block_id: name,
    label: plainText(label),
    hint: hint ? plainText(hint) : undefined,
    optional,
    dispatch_action: tells,
    element,
  };
}

/** One of some choices, which may stand in groups. */
export function selectInput(
  name: string,
  words: InputText,
  groups: readonly ChoiceGroup[],
  chosen: string,
  { tells = false } = {},
): InputBlock {
  const all = groups.flatMap(({ choices }) => choices);
  const initial = all.find(({ value }) => value === chosen);
  const element: Element = {
    type: 'static_select',
    action_id: builderActions.input,
    ...optionsOf(groups),
    initial_option: initial ? option(initial) : undefined,
  };
  return input(name, words, element, { tells });
}

/** Any of some choices. */
export function multiSelectInput(
  name: string,
  words: InputText,
  groups: readonly ChoiceGroup[],
  chosen: readonly string[],
  { tells = false, most }: { tells?: boolean; most?: number } = {},
): InputBlock {
  const all = new Map(groups.flatMap(({ choices }) => choices).map((choice) => [choice.value, choice]));
  const initial = chosen.flatMap((value) => all.get(value) ?? []);
  const element: Element = {
    type: 'multi_static_select',
    action_id: builderActions.input,
    placeholder: words.placeholder ? plainText(words.placeholder) : undefined,
    max_selected_items: most,
    ...optionsOf(groups),
    initial_options: initial.length > 0 ? initial.map(option) : undefined,
  };
  return input(name, words, element, { optional: true, tells });
}

/** A few choices, all of them in sight. */
export function radioInput(
  name: string,
  words: InputText,
  choices: readonly Choice[],
  chosen: string,
  { tells = false } = {},
): InputBlock {
  const initial = choices.find(({ value }) => value === chosen);
  const element: Element = {
    type: 'radio_buttons',
    action_id: builderActions.input,
    options: choices.map(option),
    initial_option: initial ? option(initial) : undefined,
  };
  return input(name, words, element, { tells });
}

export function option({ value, text, description }: Choice): PlainTextOption {
  return {
    text: plainText(text, limits.optionCharacters),
    value,
    description: description ? plainText(description, limits.optionCharacters) : undefined,
  };
}

/** Groups with labels where there are several of them. */
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
