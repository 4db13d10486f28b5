import type {
  Button,
  Checkboxes,
  FeedbackButtons,
  IconButton,
  Option,
  Overflow,
  RadioButtons,
  WorkflowButton,
} from '@slack/types';
import { useId } from 'react';
import { useDirectory } from '../connection/connection.js';
import { Icon } from '../parts/icons.js';
import { Menu } from '../parts/menu.js';
import { safeUrl } from '../text/mrkdwn.js';
import { PlainText, SlackText } from '../text/text.js';
import { asJson } from './element-state.js';
import { ariaProps, type ElementContext, useElement } from './use-element.js';

/** A button. A link button opens its URL and dispatches an action. */
export function ButtonElement({
  element,
  context,
}: {
  element: Button | WorkflowButton;
  context: ElementContext;
}) {
  const { dispatch, busy } = useElement(element, context);
  const url = element.type === 'button' && element.url ? safeUrl(element.url) : undefined;
  const style = element.style ? ` button-filled button-${element.style}` : '';
  const shared = {
    className: `button${style}${busy ? ' busy' : ''}`,
    'aria-label': element.accessibility_label,
  };
  const label = (
    <span className="button-words">
      <PlainText of={element.text} />
    </span>
  );
  if (url) {
    return (
      <a {...shared} href={url} target="_blank" rel="noreferrer noopener" onClick={() => void dispatch({})}>
        {label}
      </a>
    );
  }
  return (
    <button {...shared} type="button" aria-busy={busy} onClick={() => busy || void dispatch({})}>
      {label}
    </button>
  );
}

/** An overflow menu. */
export function OverflowElement({ element, context }: { element: Overflow; context: ElementContext }) {
  const { dispatch } = useElement(element, context);
  return (
    <Menu
      label="More actions"
      button={<Icon name="dots" />}
      buttonClass="button overflow-button"
      items={element.options.map((option) => ({
        id: option.value ?? option.text.text,
        content: (
          <>
            <PlainText of={option.text} />
            {option.description ? (
              <span className="option-description">
                <PlainText of={option.description} />
              </span>
            ) : null}
          </>
        ),
        choose: () => {
          const url = option.url ? safeUrl(option.url) : undefined;
          if (url) window.open(url, '_blank', 'noopener');
          void dispatch({ selected_option: asJson(option) });
        },
      }))}
    />
  );
}

export function FeedbackButtonsElement({
  element,
  context,
}: {
  element: FeedbackButtons;
  context: ElementContext;
}) {
  const { dispatch } = useElement(element, context);
  const both = [
    { button: element.positive_button, icon: 'thumb-up' as const },
    { button: element.negative_button, icon: 'thumb-down' as const },
  ];
  return both.map(({ button, icon }) => (
    <button
      key={icon}
      type="button"
      className="button button-quiet"
      aria-label={button.accessibility_label ?? button.text.text}
      title={button.text.text}
      onClick={() => void dispatch({ value: button.value })}
    >
      <Icon name={icon} />
    </button>
  ));
}

export function IconButtonElement({ element, context }: { element: IconButton; context: ElementContext }) {
  const { me } = useDirectory();
  const { dispatch } = useElement(element, context);
  if (element.visible_to_user_ids && !element.visible_to_user_ids.includes(me.id)) return null;
  return (
    <button
      type="button"
      className="button button-quiet"
      aria-label={element.accessibility_label}
      onClick={() => void dispatch({})}
    >
      {element.icon === 'trash' ? <Icon name="trash" /> : null}
      <PlainText of={element.text} />
    </button>
  );
}

export function CheckboxesElement({ element, context }: { element: Checkboxes; context: ElementContext }) {
  const { state, change } = useElement(element, context);
  const chosen = (state?.selected_options ?? []) as unknown as Option[];
  const values = new Set(chosen.map((option) => option.value));
  function toggle(option: Option) {
    const options = element.options.filter((other) =>
      other.value === option.value ? !values.has(other.value) : values.has(other.value),
    );
    void change({ selected_options: options.map(asJson) });
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: the label is outside of the element, where a legend is not possible.
    <div role="group" className="choice-list" {...ariaProps(context, 'Options')}>
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

export function RadioButtonsElement({
  element,
  context,
}: {
  element: RadioButtons;
  context: ElementContext;
}) {
  const { state, change } = useElement(element, context);
  const name = useId();
  const chosen = state?.selected_option as unknown as Option | null | undefined;
  return (
    <div role="radiogroup" className="choice-list" {...ariaProps(context, 'Options')}>
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
