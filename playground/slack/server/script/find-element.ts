import type { ActionValue, JsonObject } from '../page-protocol.js';
import type { Thing } from '../workspace/records.js';
import { elementsIn, type FoundElement, valueNameOf } from '../workspace/state-values.js';

/** An element by `action_id`, `block_id`, the text on it, or the label of its input. */
export function findElement(blocks: readonly Thing[], name: string): FoundElement {
  const all = elementsIn(blocks);
  const found =
    all.find(({ element }) => element.action_id === name) ??
    all.find(({ element }) => textOf(element.text) === name) ??
    all.find(({ block }) => block.block_id === name || textOf(block.label) === name);
  if (found) return found;
  const there = all.map(({ element }) => `${textOf(element.text) ?? ''} (${element.action_id})`.trim());
  throw new Error(`There is no element "${name}". There are: ${there.join(', ')}`);
}

/** The value of an element as payloads carry it. */
export function valueFor(element: Thing, choice: string | readonly string[] | null): ActionValue {
  const type = String(element.type);
  const name = type === 'overflow' ? 'selected_option' : valueNameOf(type);
  if (!name) return choice === null ? {} : { value: choice };
  if (name === 'selected_date_time') return { [name]: choice === null ? null : Number(choice) };
  if (name === 'selected_option') return { [name]: choice === null ? null : option(element, String(choice)) };
  if (name === 'selected_options')
    return { [name]: (choice === null ? [] : [choice].flat()).map((one) => option(element, String(one))) };
  return { [name]: choice };
}

/** An offered option by value or text; a select that asks the bot takes any. */
function option(element: Thing, wanted: string): JsonObject {
  const groups = Array.isArray(element.option_groups) ? element.option_groups : [];
  const offered: Thing[] = [
    ...(Array.isArray(element.options) ? element.options : []),
    ...groups.flatMap((group: Thing) => (Array.isArray(group.options) ? group.options : [])),
  ];
  const found =
    offered.find((one) => one.value === wanted) ?? offered.find((one) => textOf(one.text) === wanted);
  if (found) return found as JsonObject;
  if (offered.length === 0) return { text: { type: 'plain_text', text: wanted, emoji: true }, value: wanted };
  throw new Error(`"${wanted}" is not offered. Offered are: ${offered.map((one) => one.value).join(', ')}`);
}

function textOf(object: unknown): string | undefined {
  if (typeof object !== 'object' || object === null || !('text' in object)) return undefined;
  return String(object.text);
}
