import type { JsonObject, StateValue, StateValues } from '../page-shapes.js';
import type { Thing } from './records.js';

type Row = Record<string, StateValue>;

/** What each kind of input calls its value in Slack's payloads, and what it is called where it begins. */
const valueNames: Readonly<
  Record<string, readonly [value: string, initial: string, empty: 'null' | 'list']>
> = {
  plain_text_input: ['value', 'initial_value', 'null'],
  number_input: ['value', 'initial_value', 'null'],
  email_text_input: ['value', 'initial_value', 'null'],
  url_text_input: ['value', 'initial_value', 'null'],
  rich_text_input: ['rich_text_value', 'initial_value', 'null'],
  datepicker: ['selected_date', 'initial_date', 'null'],
  timepicker: ['selected_time', 'initial_time', 'null'],
  datetimepicker: ['selected_date_time', 'initial_date_time', 'null'],
  static_select: ['selected_option', 'initial_option', 'null'],
  external_select: ['selected_option', 'initial_option', 'null'],
  radio_buttons: ['selected_option', 'initial_option', 'null'],
  users_select: ['selected_user', 'initial_user', 'null'],
  conversations_select: ['selected_conversation', 'initial_conversation', 'null'],
  channels_select: ['selected_channel', 'initial_channel', 'null'],
  checkboxes: ['selected_options', 'initial_options', 'list'],
  multi_static_select: ['selected_options', 'initial_options', 'list'],
  multi_external_select: ['selected_options', 'initial_options', 'list'],
  multi_users_select: ['selected_users', 'initial_users', 'list'],
  multi_conversations_select: ['selected_conversations', 'initial_conversations', 'list'],
  multi_channels_select: ['selected_channels', 'initial_channels', 'list'],
};

/** The name of an input's value in payloads; nothing for elements that hold none, such as buttons. */
export function valueNameOf(type: string): string | undefined {
  return valueNames[type]?.[0];
}

export interface FoundElement {
  readonly block: Thing;
  readonly element: Thing;
}

/** Every interactive element of these blocks, containers and cards included. */
export function elementsIn(blocks: readonly Thing[]): readonly FoundElement[] {
  return blocks.flatMap((block) => {
    const elements = [block.element, block.accessory, ...listIn(block.elements), ...listIn(block.actions)];
    const here = elements.flatMap((element) =>
      isThing(element) && typeof element.action_id === 'string' ? [{ block, element }] : [],
    );
    return [...here, ...elementsIn(listIn(block.child_blocks)), ...cardsIn(block)];
  });
}

function cardsIn(block: Thing): readonly FoundElement[] {
  return block.type === 'carousel' ? elementsIn(listIn(block.elements)) : [];
}

/** The values that inputs begin with, in the form of `view.state.values`. */
export function initialState(blocks: readonly Thing[]): StateValues {
  const state: Record<string, Row> = {};
  for (const { block, element } of elementsIn(blocks)) {
    const names = valueNames[String(element.type)];
    if (!names) continue;
    const [value, initial, empty] = names;
    const row = rowOf(state, String(block.block_id));
    row[String(element.action_id)] = {
      type: String(element.type),
      [value]: (element[initial] ?? (empty === 'list' ? [] : null)) as JsonObject[string] & string,
    };
  }
  return state;
}

/** After an update typed values stay where `block_id`, `action_id` and the kind of input stay. */
export function keepTypedState(blocks: readonly Thing[], typed: StateValues): StateValues {
  return overlay(initialState(blocks), typed);
}

/** Puts newer values over older ones; what the surface does not hold is left out. */
export function overlay(state: StateValues, newer: StateValues): StateValues {
  const merged: Record<string, Row> = {};
  for (const [blockId, row] of Object.entries(state)) {
    const newRow = rowOf(merged, blockId);
    for (const [actionId, value] of Object.entries(row)) {
      const other = newer[blockId]?.[actionId];
      newRow[actionId] = other?.type === value.type ? other : value;
    }
  }
  return merged;
}

function rowOf(state: Record<string, Row>, blockId: string): Row {
  const row = state[blockId] ?? {};
  state[blockId] = row;
  return row;
}

function listIn(value: unknown): readonly Thing[] {
  return Array.isArray(value) ? value : [];
}

function isThing(value: unknown): value is Thing {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
