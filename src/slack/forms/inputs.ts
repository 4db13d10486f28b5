import type { ViewStateValue } from '@slack/bolt';
import type { InputBlock, PlainTextOption } from '@slack/types';
import { compact, truncateText } from '../../requests/text.js';
import { limits, plainText } from '../messages/blocks.js';

export interface Choice {
  readonly value: string;
  readonly text: string;
  /** Shown below the text. */
  readonly description?: string;
}

interface ChoiceGroup {
  readonly label: string;
  readonly choices: readonly Choice[];
}

/** The label alone, or with more. */
type InputText = string | { readonly label: string; readonly hint?: string; readonly placeholder?: string };

interface InputOptions {
  readonly optional?: boolean;
  /** True if each choice sends an action, since the form depends on it. */
  readonly dispatches?: boolean;
}

type Element = InputBlock['element'];
type WithoutId<Some> = Some extends unknown ? Omit<Some, 'action_id'> : never;

/** @param name of the block and of its action */
export function input(
  name: string,
  text: InputText,
  element: WithoutId<Element>,
  { optional = false, dispatches = false }: InputOptions = {},
): InputBlock {
  const { label, hint, placeholder } = typeof text === 'string' ? { label: text } : text;
  return {
    type: 'input',
    block_id: name,
    label: plainText(label),
    hint: hint ? plainText(hint) : undefined,
    optional,
    dispatch_action: dispatches,
    element: {
      ...(placeholder !== undefined && { placeholder: plainText(placeholder) }),
      ...element,
      action_id: name,
    },
  };
}

export function textInput(
  name: string,
  text: InputText,
  value: string | undefined,
  { maxLength, multiline, ...options }: InputOptions & { maxLength?: number; multiline?: true } = {},
): InputBlock {
  const initial_value = value || undefined;
  return input(
    name,
    text,
    { type: 'plain_text_input', max_length: maxLength, multiline, initial_value },
    options,
  );
}

/** A number of days, after which messages and files are deleted. */
export function daysInput(name: string, label: string, days: string | undefined): InputBlock {
  return input(
    name,
    { label, hint: 'Leave empty to keep them.' },
    {
      type: 'number_input',
      is_decimal_allowed: false,
      min_value: '1',
      max_value: '365',
      initial_value: days,
    },
    { optional: true },
  );
}

export function channelInput(
  name: string,
  text: InputText,
  chosen: string | undefined,
  options?: InputOptions,
): InputBlock {
  return input(
    name,
    text,
    {
      type: 'conversations_select',
      filter: { include: ['public', 'private'], exclude_bot_users: true },
      initial_conversation: chosen,
    },
    options,
  );
}

export function personInput(name: string, label: string): InputBlock {
  return input(name, label, { type: 'users_select' });
}

type Choices = readonly Choice[] | readonly ChoiceGroup[];

export function selectInput(
  name: string,
  text: InputText,
  choices: Choices,
  chosen: string,
  options?: InputOptions,
): InputBlock {
  const [initial_option] = optionsFor([chosen], choices) ?? [];
  return input(name, text, { type: 'static_select', ...optionsOf(choices), initial_option }, options);
}

export function multiSelectInput(
  name: string,
  text: InputText,
  choices: Choices,
  chosen: readonly string[],
  { maxSelected, ...options }: InputOptions & { maxSelected?: number } = {},
): InputBlock {
  return input(
    name,
    text,
    {
      type: 'multi_static_select',
      max_selected_items: maxSelected,
      ...optionsOf(choices),
      initial_options: optionsFor(chosen, choices),
    },
    { optional: true, ...options },
  );
}

/** A menu whose choices Slack asks for while a person types. */
export function searchInput(
  name: string,
  text: InputText,
  chosen: readonly Choice[],
  options?: InputOptions,
): InputBlock {
  const initial_options = chosen.length > 0 ? chosen.map(option) : undefined;
  return input(name, text, { type: 'multi_external_select', min_query_length: 0, initial_options }, options);
}

export function radioInput(
  name: string,
  text: InputText,
  choices: readonly Choice[],
  chosen?: string,
  options?: InputOptions,
): InputBlock {
  const initial_option = optionsFor(compact(chosen), choices)?.[0];
  return input(name, text, { type: 'radio_buttons', options: choices.map(option), initial_option }, options);
}

export function option({ value, text, description }: Choice): PlainTextOption {
  return {
    text: plainText(text, limits.optionCharacters),
    value,
    description: description ? plainText(description, limits.optionCharacters) : undefined,
  };
}

/** The chosen ones, in the order of their values. Slack takes no empty list. */
export function optionsFor(values: readonly string[], choices: Choices): PlainTextOption[] | undefined {
  const all = choices.flatMap((some): readonly Choice[] => ('choices' in some ? some.choices : [some]));
  const chosen = values.flatMap((value) => all.find((choice) => choice.value === value) ?? []);
  return chosen.length > 0 ? chosen.map(option) : undefined;
}

function optionsOf(choices: Choices) {
  const groups = choices.filter((some) => 'choices' in some);
  if (groups.length === 0)
    return { options: choices.flatMap((some) => ('choices' in some ? [] : option(some))) };
  return {
    option_groups: groups.map((group) => ({
      label: plainText(truncateText(group.label, limits.optionCharacters)),
      options: group.choices.map(option),
    })),
  };
}

/** The value of an input: a text, an ID or a date, or several of them in order. Null: empty. */
export type InputValue = string | readonly string[] | null;

/** The values of a form, by block ID. */
export type FormValues = Readonly<Record<string, InputValue | undefined>>;

/** Reads blocks with one input each. `readIn` reads a block in its own way; undefined: as others are read. */
export function readInputs(
  values: Readonly<Record<string, Readonly<Record<string, ViewStateValue>>>>,
  readIn: (block: string, input: ViewStateValue) => InputValue | undefined = () => undefined,
): FormValues {
  return Object.fromEntries(
    Object.entries(values).flatMap(([block, actions]): [string, InputValue][] => {
      const [value] = Object.values(actions);
      return value ? [[block, readIn(block, value) ?? valueOfInput(value)]] : [];
    }),
  );
}

function valueOfInput(input: ViewStateValue): InputValue {
  if (input.selected_options) return input.selected_options.flatMap(({ value }) => value ?? []);
  return (
    input.selected_option?.value ??
    input.selected_conversation ??
    input.selected_channel ??
    input.selected_user ??
    input.selected_date ??
    input.selected_time ??
    input.value ??
    null
  );
}

/** A text of a form; empty where there is none. */
export function textIn(values: FormValues, name: string): string {
  const value = values[name];
  return typeof value === 'string' ? value : '';
}

export function listIn(values: FormValues, name: string): readonly string[] {
  return [values[name] ?? []].flat();
}

/** Why the value of an input is invalid. The form shows the sentence under the input. */
export interface InputProblem {
  /** The input's name. */
  readonly input: string;
  readonly sentence: string;
}
