import type { ExternalSelect, MultiExternalSelect, Option } from '@slack/types';
import { useMemo } from 'react';
import { asJson } from '../element-state.js';
import { type ElementPlace, useElement } from '../use-element.js';
import { choiceGroups, optionChoice } from './choice.js';
import { Combobox } from './combobox.js';
import { useSuggestions } from './use-suggestions.js';

const usualLeastLetters = 3;

export function ExternalSelectElement({ element, place }: { element: ExternalSelect; place: ElementPlace }) {
  const { state, change } = useElement(element, place);
  const { groups, note, ask } = useOffered(element, place);
  const option = state?.selected_option as unknown as Option | null | undefined;
  return (
    <Combobox
      place={place}
      placeholder={element.placeholder?.text ?? 'Search'}
      groups={groups}
      ask={ask}
      note={note}
      chosen={option ? [optionChoice(option)] : []}
      autoFocus={element.focus_on_load}
      change={([choice]) => void change({ selected_option: choice ? asJson(choice.option) : null })}
    />
  );
}

export function MultiExternalSelectElement(props: { element: MultiExternalSelect; place: ElementPlace }) {
  const { element, place } = props;
  const { state, change } = useElement(element, place);
  const { groups, note, ask } = useOffered(element, place);
  const options = (state?.selected_options ?? []) as unknown as Option[];
  return (
    <Combobox
      multiple
      place={place}
      placeholder={element.placeholder?.text ?? 'Search'}
      groups={groups}
      ask={ask}
      note={note}
      chosen={options.map(optionChoice)}
      most={element.max_selected_items}
      autoFocus={element.focus_on_load}
      change={(chosen) => void change({ selected_options: chosen.map((choice) => asJson(choice.option)) })}
    />
  );
}

function useOffered(element: ExternalSelect | MultiExternalSelect, place: ElementPlace) {
  const least = element.min_query_length ?? usualLeastLetters;
  const { list, note, ask } = useSuggestions(place.blockId, element.action_id ?? '', least);
  const groups = useMemo(() => choiceGroups(list), [list]);
  return { groups, note, ask };
}
