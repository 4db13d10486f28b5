import type { Option } from '@slack/types';
import type { OptionList } from '../element-state.js';

/** One line of a select's list. */
export interface Choice {
  /** Its name among the others of this select. */
  readonly id: string;
  readonly words: string;
  readonly description?: string | undefined;
}

export interface ChoiceGroup {
  readonly label: string | undefined;
  readonly choices: readonly Choice[];
}

/** An option, as a choice that remembers it. */
export interface OptionChoice extends Choice {
  readonly option: Option;
}

export function optionChoice(option: Option): OptionChoice {
  return {
    id: option.value ?? option.text.text,
    words: option.text.text,
    description: option.description?.text,
    option,
  };
}

export function choiceGroups(list: OptionList): { label: string | undefined; choices: OptionChoice[] }[] {
  return list.groups.map(({ label, options }) => ({ label, choices: options.map(optionChoice) }));
}

/** The groups with the choices that contain every typed word; empty groups are left out. */
export function filterGroups(groups: readonly ChoiceGroup[], query: string): ChoiceGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .map((group) => ({
      label: group.label,
      choices: group.choices.filter((choice) => {
        const text = `${choice.words} ${choice.description ?? ''} ${group.label ?? ''}`.toLowerCase();
        return words.every((word) => text.includes(word));
      }),
    }))
    .filter((group) => group.choices.length > 0);
}
