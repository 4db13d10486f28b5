import type { StateValue, StateValues } from '../page-shapes.js';
import { isThing } from '../web-api/arguments.js';
import type { Thing } from '../workspace/records.js';
import { valueNameOf } from '../workspace/state-values.js';

/** What Slack itself checks before a view is submitted: sentences by `block_id`. */
export function inputProblems(blocks: readonly Thing[], state: StateValues): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const block of blocks) {
    if (block.type !== 'input' || !isThing(block.element)) continue;
    const value = state[String(block.block_id)]?.[String(block.element.action_id)];
    const problem = problemWith(block, block.element, value);
    if (problem) problems[String(block.block_id)] = problem;
  }
  return problems;
}

function problemWith(block: Thing, element: Thing, value: StateValue | undefined): string | undefined {
  const held = value?.[valueNameOf(String(element.type)) ?? ''];
  const empty =
    held === undefined || held === null || held === '' || (Array.isArray(held) && held.length === 0);
  if (empty) return block.optional === true ? undefined : 'Please fill in this field.';
  if (Array.isArray(held) && typeof element.max_selected_items === 'number')
    return held.length > element.max_selected_items
      ? `Choose at most ${element.max_selected_items}.`
      : undefined;
  return typeof held === 'string' ? problemWithText(element, held) : undefined;
}

function problemWithText(element: Thing, text: string): string | undefined {
  const { type, min_length: least, max_length: most } = element;
  if (typeof least === 'number' && text.length < least) return `Write at least ${least} characters.`;
  if (text.length > (typeof most === 'number' ? most : 3000))
    return `Write at most ${typeof most === 'number' ? most : 3000} characters.`;
  if (type === 'number_input') return problemWithNumber(element, text);
  if (type === 'email_text_input' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text))
    return 'Write an e-mail address.';
  if (type === 'url_text_input' && !URL.canParse(text)) return 'Write a web address.';
  return undefined;
}

function problemWithNumber(element: Thing, text: string): string | undefined {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return 'Write a number.';
  if (element.is_decimal_allowed !== true && text.includes('.')) return 'Write a whole number.';
  if (typeof element.min_value === 'string' && Number(text) < Number(element.min_value))
    return `Write at least ${element.min_value}.`;
  if (typeof element.max_value === 'string' && Number(text) > Number(element.max_value))
    return `Write at most ${element.max_value}.`;
  return undefined;
}
