import type { ViewStateValue } from '@slack/bolt';
import type { FilledIn, InputValue } from './input-names.js';

/** What the inputs of a form hold: each of its blocks has one input, and is named after it. */
export function readInputs(
  values: Readonly<Record<string, Readonly<Record<string, ViewStateValue>>>>,
): FilledIn {
  return new Map(
    Object.entries(values).flatMap(([block, held]): [string, InputValue][] => {
      const [value] = Object.values(held);
      return value ? [[block, valueOfInput(value)]] : [];
    }),
  );
}

function valueOfInput(held: ViewStateValue): InputValue {
  if (held.selected_options) return held.selected_options.flatMap(({ value }) => value ?? []);
  return (
    held.selected_option?.value ??
    held.selected_conversation ??
    held.selected_channel ??
    held.selected_user ??
    held.selected_date ??
    held.selected_time ??
    held.value ??
    null
  );
}
