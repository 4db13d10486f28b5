import type { Option, OptionGroup } from '@slack/types';
import type { Done } from '../../server/page-protocol.js';

/** What a select offers: options, in groups where the bot made some. */
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

/** What the bot answered for a typed text. The server has checked that it is a list of options. */
export function suggestedOptions(done: Done): OptionList {
  return optionList(
    done.options as unknown as readonly Option[] | undefined,
    done.optionGroups as unknown as readonly OptionGroup[] | undefined,
  );
}
