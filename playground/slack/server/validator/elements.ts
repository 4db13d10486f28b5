import { type Check, flag, list, oneOf, text, thing } from './checks.js';
import {
  actionId,
  anyOption,
  colour,
  confirm,
  imageElement,
  initialIsOffered,
  menuOption,
  plainText,
} from './composition.js';
import { inputs } from './inputs.js';
import { selects } from './selects.js';

const buttonText = plainText(75);
const accessibilityLabel = text({ max: 75 });

const button = thing(
  {
    action_id: actionId,
    text: buttonText,
    value: text({ min: 0, max: 2000 }),
    url: text({ max: 3000 }),
    style: colour,
    confirm,
    accessibility_label: accessibilityLabel,
  },
  { needs: ['text'] },
);

const workflow = thing(
  {
    trigger: thing(
      {
        url: text(),
        customizable_input_parameters: list(
          thing({ name: text(), value: text() }, { needs: ['name', 'value'] }),
        ),
      },
      { needs: ['url'] },
    ),
  },
  { needs: ['trigger'] },
);

const workflowButton = thing(
  {
    action_id: actionId,
    text: buttonText,
    workflow,
    style: colour,
    confirm,
    accessibility_label: accessibilityLabel,
  },
  { needs: ['text', 'workflow'] },
);

const checkboxes = thing(
  {
    action_id: actionId,
    options: list(anyOption, { min: 1, max: 10 }),
    initial_options: list(anyOption, { min: 1 }),
    confirm,
    focus_on_load: flag,
  },
  { needs: ['options'], also: initialIsOffered },
);

const radioButtons = thing(
  {
    action_id: actionId,
    options: list(anyOption, { min: 1, max: 10 }),
    initial_option: anyOption,
    confirm,
    focus_on_load: flag,
  },
  { needs: ['options'], also: initialIsOffered },
);

const overflow = thing(
  { action_id: actionId, options: list(menuOption, { min: 1, max: 5 }), confirm },
  { needs: ['options'] },
);

const feedbackButton = thing(
  { text: buttonText, value: text({ max: 2000 }), accessibility_label: accessibilityLabel },
  { needs: ['text', 'value'] },
);

/** Only in `context_actions`. */
export const contextActions: Readonly<Record<string, Check>> = {
  feedback_buttons: thing(
    { action_id: actionId, positive_button: feedbackButton, negative_button: feedbackButton },
    { needs: ['positive_button', 'negative_button'] },
  ),
  icon_button: thing(
    {
      action_id: actionId,
      icon: oneOf('trash'),
      text: buttonText,
      value: text({ max: 2000 }),
      accessibility_label: accessibilityLabel,
      visible_to_user_ids: list(text()),
      confirm,
    },
    { needs: ['icon', 'text'] },
  ),
};

/** Only in `task_card`. */
export const sourceLink = thing({ url: text(), text: text() }, { needs: ['url', 'text'] });

/** Every element that a block can hold, by its type. */
export const elements: Readonly<Record<string, Check>> = {
  button,
  workflow_button: workflowButton,
  checkboxes,
  radio_buttons: radioButtons,
  overflow,
  image: imageElement,
  ...selects,
  ...inputs,
};
