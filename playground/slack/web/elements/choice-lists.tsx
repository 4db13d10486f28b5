import type { Checkboxes, Option, RadioButtons } from '@slack/types';
import { useId } from 'react';
import { SlackText } from '../text/text-object.js';
import { asJson } from './element-state.js';
import { type ElementPlace, namesOf, useElement } from './use-element.js';

export function CheckboxesElement({ element, place }: { element: Checkboxes; place: ElementPlace }) {
  const { state, change } = useElement(element, place);
  const chosen = (state?.selected_options ?? []) as unknown as Option[];
  const values = new Set(chosen.map((option) => option.value));
  function toggle(option: Option) {
    const options = element.options.filter((other) =>
      other.value === option.value ? !values.has(other.value) : values.has(other.value),
    );
    void change({ selected_options: options.map(asJson) });
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: the label stands outside of the element, where no legend can be.
    <div role="group" className="choice-list" {...namesOf(place, 'Options')}>
      {element.options.map((option) => (
        <Choice
          key={option.value}
          type="checkbox"
          option={option}
          checked={values.has(option.value)}
          choose={() => toggle(option)}
        />
      ))}
    </div>
  );
}

export function RadioButtonsElement({ element, place }: { element: RadioButtons; place: ElementPlace }) {
  const { state, change } = useElement(element, place);
  const name = useId();
  const chosen = state?.selected_option as unknown as Option | null | undefined;
  return (
    <div role="radiogroup" className="choice-list" {...namesOf(place, 'Options')}>
      {element.options.map((option) => (
        <Choice
          key={option.value}
          type="radio"
          name={name}
          option={option}
          checked={chosen?.value === option.value}
          choose={() => void change({ selected_option: asJson(option) })}
        />
      ))}
    </div>
  );
}

interface ChoiceProps {
  type: 'checkbox' | 'radio';
  name?: string;
  option: Option;
  checked: boolean;
  choose(): void;
}

function Choice({ type, name, option, checked, choose }: ChoiceProps) {
  return (
    <label className="choice">
      <input type={type} name={name} checked={checked} onChange={choose} />
      <span>
        <SlackText of={option.text} />
        {option.description ? (
          <span className="option-description">
            <SlackText of={option.description} />
          </span>
        ) : null}
      </span>
    </label>
  );
}
