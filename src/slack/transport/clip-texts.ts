import type { ReceiverEvent } from '@slack/bolt';
import { maxInputLength, maxMarkedUpLength } from '../typed-text.js';

interface WithTexts {
  readonly text?: unknown;
  readonly value?: unknown;
  readonly event?: unknown;
  readonly actions?: unknown;
  readonly view?: unknown;
}

/**
 * The same delivery, in which no text of a person is longer than one character more than its limit. Listeners refuse such
 * a text with a sentence, and nothing before them stores or reads more of it.
 */
export function withClippedTexts(body: ReceiverEvent['body']): ReceiverEvent['body'] {
  const { value, event, actions, view }: WithTexts = body;
  return {
    ...clipped(body, 'text', maxMarkedUpLength),
    ...(typeof value === 'string' && { value: clip(value, maxInputLength) }),
    ...(isObject(event) && { event: clipped(event, 'text', maxMarkedUpLength) }),
    ...(Array.isArray(actions) && {
      actions: actions.map((action) =>
        isObject(action) ? clipped(action, 'value', maxInputLength) : action,
      ),
    }),
    ...(isObject(view) && { view: withClippedInputs(view) }),
  };
}

/** A view with the values of its inputs: block, action, value. */
function withClippedInputs(view: object): object {
  const state: unknown = Reflect.get(view, 'state');
  const values: unknown = isObject(state) ? Reflect.get(state, 'values') : undefined;
  if (!isObject(state) || !isObject(values)) return view;
  const blocks = mapMembers(values, (block) =>
    mapMembers(block, (input) => clipped(input, 'value', maxInputLength)),
  );
  return { ...view, state: { ...state, values: blocks } };
}

function mapMembers(object: object, map: (member: object) => object): object {
  return Object.fromEntries(
    Object.entries(object).map(([name, member]) => [name, isObject(member) ? map(member) : member]),
  );
}

function clipped<Part extends object>(part: Part, member: string, maxLength: number): Part {
  const text: unknown = Reflect.get(part, member);
  if (typeof text !== 'string' || text.length <= maxLength) return part;
  return { ...part, [member]: clip(text, maxLength) };
}

function clip(text: string, maxLength: number): string {
  return text.slice(0, maxLength + 1);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
