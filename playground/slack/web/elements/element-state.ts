import type {
  ActionsBlockElement,
  InputBlockElement,
  KnownBlock,
  Option,
  OptionGroup,
  SectionBlockAccessory,
} from '@slack/types';
import type { ActionResult, Json, JsonObject, StateValue, StateValues } from '../../server/page-protocol.js';
import type { PageBlock } from '../blocks/page-block.js';

type AnyElement = ActionsBlockElement | InputBlockElement | SectionBlockAccessory;

/** Slack's objects are JSON, but TypeScript does not accept interfaces as JSON types. */
export function asJson(value: object): JsonObject {
  return value as JsonObject;
}

/** The initial value of an element, in Slack's format; undefined for elements without a value. */
function initialState(element: AnyElement): StateValue | undefined {
  const held = initialMembers(element);
  return held && { type: element.type, ...held };
}

function initialMembers(element: AnyElement): Record<string, Json> | undefined {
  switch (element.type) {
    case 'plain_text_input':
    case 'number_input':
    case 'email_text_input':
    case 'url_text_input':
      return { value: element.initial_value ?? null };
    case 'rich_text_input':
      return { rich_text_value: element.initial_value ? asJson(element.initial_value) : null };
    case 'static_select':
    case 'external_select':
    case 'radio_buttons':
      return { selected_option: element.initial_option ? asJson(element.initial_option) : null };
    case 'multi_static_select':
    case 'multi_external_select':
    case 'checkboxes':
      return { selected_options: (element.initial_options ?? []).map(asJson) };
    case 'users_select':
      return { selected_user: element.initial_user ?? null };
    case 'multi_users_select':
      return { selected_users: element.initial_users ?? [] };
    case 'conversations_select':
      return { selected_conversation: element.initial_conversation ?? null };
    case 'multi_conversations_select':
      return { selected_conversations: element.initial_conversations ?? [] };
    case 'channels_select':
      return { selected_channel: element.initial_channel ?? null };
    case 'multi_channels_select':
      return { selected_channels: element.initial_channels ?? [] };
    case 'datepicker':
      return { selected_date: element.initial_date ?? null };
    case 'timepicker':
      return { selected_time: element.initial_time ?? null };
    case 'datetimepicker':
      return { selected_date_time: element.initial_date_time ?? null };
    default:
      return undefined;
  }
}

/**
 * The values of all inputs on a surface. Values typed on the page win over values of the server, and these over
 * initial values. A value is used only if block ID, action ID and input type match.
 */
export function surfaceValues(
  blocks: readonly PageBlock[],
  known: StateValues,
  typed: StateValues,
): Record<string, Record<string, StateValue>> {
  const values: Record<string, Record<string, StateValue>> = {};
  for (const { blockId, element } of elementsOf(blocks)) {
    const initial = initialState(element);
    if (!initial) continue;
    const actionId = ('action_id' in element && element.action_id) || '';
    const kept = [typed, known]
      .map((source) => source[blockId]?.[actionId])
      .find((value) => value?.type === initial.type);
    values[blockId] = { ...values[blockId], [actionId]: kept ?? initial };
  }
  return values;
}

/** The interactive elements of blocks, with the IDs of their blocks. */
function elementsOf(blocks: readonly PageBlock[]): { blockId: string; element: AnyElement }[] {
  return blocks.flatMap((block) => {
    const blockId = block.block_id ?? '';
    return block.type === 'container'
      ? elementsOf(block.child_blocks as readonly KnownBlock[])
      : directElements(block).map((element) => ({ blockId, element }));
  });
}

function directElements(block: PageBlock): AnyElement[] {
  switch (block.type) {
    case 'actions':
      return block.elements;
    case 'section':
      return block.accessory ? [block.accessory] : [];
    case 'input':
      return [block.element];
    default:
      return [];
  }
}

/** The options of a select, in groups if the bot sent groups. */
export interface OptionList {
  readonly groups: readonly { readonly label: string | undefined; readonly options: readonly Option[] }[];
}

export const noOptions: OptionList = { groups: [] };

export function optionList(
  options: readonly Option[] | undefined,
  optionGroups: readonly OptionGroup[] | undefined,
): OptionList {
  if (optionGroups && optionGroups.length > 0) {
    return { groups: optionGroups.map((group) => ({ label: group.label.text, options: group.options })) };
  }
  return { groups: options && options.length > 0 ? [{ label: undefined, options }] : [] };
}

/** The options for a typed text. The server has validated them. */
export function suggestedOptions(done: ActionResult): OptionList {
  return optionList(
    done.options as unknown as readonly Option[] | undefined,
    done.optionGroups as unknown as readonly OptionGroup[] | undefined,
  );
}

/** One line of a select's list. */
export interface Choice {
  /** Unique in this select. */
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
}

export interface ChoiceGroup {
  readonly label: string | undefined;
  readonly choices: readonly Choice[];
}

/** A choice for an option. */
export interface OptionChoice extends Choice {
  readonly option: Option;
}

export function optionChoice(option: Option): OptionChoice {
  return {
    id: option.value ?? option.text.text,
    label: option.text.text,
    description: option.description?.text,
    option,
  };
}

export function choiceGroups(list: OptionList): { label: string | undefined; choices: OptionChoice[] }[] {
  return list.groups.map(({ label, options }) => ({ label, choices: options.map(optionChoice) }));
}

/** The groups with the choices that contain every typed word, without empty groups. */
export function filterGroups(groups: readonly ChoiceGroup[], query: string): ChoiceGroup[] {
  const queryWords = query.toLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .map((group) => ({
      label: group.label,
      choices: group.choices.filter((choice) => {
        const text = `${choice.label} ${choice.description ?? ''} ${group.label ?? ''}`.toLowerCase();
        return queryWords.every((word) => text.includes(word));
      }),
    }))
    .filter((group) => group.choices.length > 0);
}
