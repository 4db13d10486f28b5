import type { MultiStaticSelect, Option, StaticSelect } from '@slack/types';
import { useMemo } from 'react';
import { asJson } from '../element-state.js';
import { optionList } from '../option-list.js';
import { type ElementPlace, useElement } from '../use-element.js';
import { choiceGroups, optionChoice } from './choice.js';
import { Combobox } from './combobox.js';

export function StaticSelectElement({ element, place }: { element: StaticSelect; place: ElementPlace }) {
  const { state, change } = useElement(element, place);
  const groups = useMemo(() => choiceGroups(optionList(element.options, element.option_groups)), [element]);
  const option = state?.selected_option as unknown as Option | null | undefined;
  return (
    <Combobox
      place={place}
      placeholder={element.placeholder?.text ?? 'Select an option'}
      groups={groups}
      chosen={option ? [optionChoice(option)] : []}
      autoFocus={element.focus_on_load}
      change={([choice]) => void change({ selected_option: choice ? asJson(choice.option) : null })}
    />
  );
}

export function MultiStaticSelectElement({
  element,
  place,
}: {
  element: MultiStaticSelect;
  place: ElementPlace;
}) {
  const { state, change } = useElement(element, place);
  const groups = useMemo(() => choiceGroups(optionList(element.options, element.option_groups)), [element]);
  const options = (state?.selected_options ?? []) as unknown as Option[];
  return (
    <Combobox
      multiple
      place={place}
      placeholder={element.placeholder?.text ?? 'Select options'}
      groups={groups}
      chosen={options.map(optionChoice)}
      most={element.max_selected_items}
      autoFocus={element.focus_on_load}
      change={(chosen) => void change({ selected_options: chosen.map((choice) => asJson(choice.option)) })}
    />
  );
}
