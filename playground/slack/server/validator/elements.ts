import {
  type Check,
  flag,
  list,
  number,
  object,
  oneOf,
  type PayloadObject,
  type ReportViolation,
  text,
} from './checks.js';
import {
  actionId,
  anyOption,
  colour,
  confirm,
  conversationFilter,
  dispatchConfig,
  imageElement,
  initialIsOffered,
  menuOption,
  optionGroup,
  placeholder,
  plainOption,
  plainText,
  richText,
} from './composition.js';

const selectCommon = { action_id: actionId, placeholder, confirm, focus_on_load: flag };
const offered = {
  options: list(plainOption, { min: 1, max: 100 }),
  option_groups: list(optionGroup, { min: 1, max: 100 }),
};
const typeahead = { min_query_length: number({ whole: true, min: 0 }) };
const several = { max_selected_items: number({ whole: true, min: 1 }) };
const conversations = { default_to_current_conversation: flag, filter: conversationFilter };
const respondable = { response_url_enabled: flag };
const id = text();

/** Initial values must not exceed the maximum number of items. */
function initialFits(initial: string) {
  return (menu: PayloadObject, pointer: string, report: ReportViolation) => {
    const chosen = menu[initial];
    const most = menu.max_selected_items;
    if (Array.isArray(chosen) && typeof most === 'number' && chosen.length > most)
      report({
        code: 'too_many',
        message: `no more than ${most} items allowed`,
        pointer: `${pointer}/${initial}`,
      });
  };
}

/** The ten select menus, by type. */
const selects: Readonly<Record<string, Check>> = {
  static_select: object(
    { ...selectCommon, ...offered, initial_option: plainOption },
    { needsOneOf: ['options', 'option_groups'], also: initialIsOffered },
  ),
  multi_static_select: object(
    { ...selectCommon, ...offered, ...several, initial_options: list(plainOption, { min: 1 }) },
    {
      needsOneOf: ['options', 'option_groups'],
      also: (menu, pointer, report) => {
        initialIsOffered(menu, pointer, report);
        initialFits('initial_options')(menu, pointer, report);
      },
    },
  ),
  external_select: object({ ...selectCommon, ...typeahead, initial_option: plainOption }),
  multi_external_select: object(
    { ...selectCommon, ...typeahead, ...several, initial_options: list(plainOption, { min: 1 }) },
    { also: initialFits('initial_options') },
  ),
  users_select: object({ ...selectCommon, initial_user: id }),
  multi_users_select: object(
    { ...selectCommon, ...several, initial_users: list(id) },
    { also: initialFits('initial_users') },
  ),
  conversations_select: object({
    ...selectCommon,
    ...conversations,
    ...respondable,
    initial_conversation: id,
  }),
  multi_conversations_select: object(
    { ...selectCommon, ...conversations, ...several, initial_conversations: list(id) },
    { also: initialFits('initial_conversations') },
  ),
  channels_select: object({ ...selectCommon, ...respondable, initial_channel: id }),
  multi_channels_select: object(
    { ...selectCommon, ...several, initial_channels: list(id) },
    { also: initialFits('initial_channels') },
  ),
};

const common = { action_id: actionId, focus_on_load: flag };
const typed = { ...common, placeholder, dispatch_action_config: dispatchConfig };
const numeric = text({ pattern: /^-?\d+(\.\d+)?$/, like: 'a number written as text' });

function lengthsFit(input: PayloadObject, pointer: string, report: ReportViolation) {
  const { min_length: least, max_length: most, initial_value: initial } = input;
  if (typeof least === 'number' && typeof most === 'number' && least > most)
    report({
      code: 'reversed',
      message: 'must not be more than max_length',
      pointer: `${pointer}/min_length`,
    });
  if (typeof initial === 'string' && typeof most === 'number' && initial.length > most)
    report({
      code: 'too_long',
      message: `must be less than ${most + 1} characters`,
      pointer: `${pointer}/initial_value`,
    });
}

function numbersFit(input: PayloadObject, pointer: string, report: ReportViolation) {
  const { min_value: least, max_value: most } = input;
  if (typeof least === 'string' && typeof most === 'string' && Number(least) > Number(most))
    report({ code: 'reversed', message: 'must not be more than max_value', pointer: `${pointer}/min_value` });
}

function zoneExists(input: PayloadObject, pointer: string, report: ReportViolation) {
  if (typeof input.timezone !== 'string') return;
  try {
    new Intl.DateTimeFormat('en', { timeZone: input.timezone });
  } catch {
    report({ code: 'bad_format', message: 'must be an IANA time zone', pointer: `${pointer}/timezone` });
  }
}

/** The elements for text, dates and times, by type. */
const inputs: Readonly<Record<string, Check>> = {
  plain_text_input: object(
    {
      ...typed,
      initial_value: text({ min: 0, max: 3000 }),
      multiline: flag,
      min_length: number({ whole: true, min: 0, max: 3000 }),
      max_length: number({ whole: true, min: 1, max: 3000 }),
    },
    { also: lengthsFit },
  ),
  rich_text_input: object(
    {
      ...typed,
      initial_value: richText,
      min_lines: number({ whole: true, min: 1, max: 100 }),
      max_lines: number({ whole: true, min: 1, max: 100 }),
    },
    {
      also: ({ min_lines: least, max_lines: most }, pointer, report) => {
        if (typeof least === 'number' && typeof most === 'number' && least > most)
          report({
            code: 'reversed',
            message: 'must not be more than max_lines',
            pointer: `${pointer}/min_lines`,
          });
      },
    },
  ),
  number_input: object(
    { ...typed, is_decimal_allowed: flag, initial_value: numeric, min_value: numeric, max_value: numeric },
    { needs: ['is_decimal_allowed'], also: numbersFit },
  ),
  email_text_input: object({ ...typed, initial_value: text({ min: 0 }) }),
  url_text_input: object({ ...typed, initial_value: text({ min: 0 }) }),
  file_input: object({
    action_id: actionId,
    filetypes: list(text(), { min: 1 }),
    max_files: number({ whole: true, min: 1, max: 10 }),
  }),
  datepicker: object({
    ...common,
    placeholder,
    confirm,
    initial_date: text({ pattern: /^\d{4}-\d{2}-\d{2}$/, like: 'a date such as 2026-11-20' }),
  }),
  timepicker: object(
    {
      ...common,
      placeholder,
      confirm,
      initial_time: text({ pattern: /^([01]\d|2[0-3]):[0-5]\d$/, like: 'a time such as 09:30' }),
      timezone: text(),
    },
    { also: zoneExists },
  ),
  datetimepicker: object({
    ...common,
    confirm,
    initial_date_time: number({ whole: true, min: 1_000_000_000, max: 9_999_999_999 }),
  }),
};

const buttonText = plainText(75);
const accessibilityLabel = text({ max: 75 });

const button = object(
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

const workflow = object(
  {
    trigger: object(
      {
        url: text(),
        customizable_input_parameters: list(
          object({ name: text(), value: text() }, { needs: ['name', 'value'] }),
        ),
      },
      { needs: ['url'] },
    ),
  },
  { needs: ['trigger'] },
);

const workflowButton = object(
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

const checkboxes = object(
  {
    action_id: actionId,
    options: list(anyOption, { min: 1, max: 10 }),
    initial_options: list(anyOption, { min: 1 }),
    confirm,
    focus_on_load: flag,
  },
  { needs: ['options'], also: initialIsOffered },
);

const radioButtons = object(
  {
    action_id: actionId,
    options: list(anyOption, { min: 1, max: 10 }),
    initial_option: anyOption,
    confirm,
    focus_on_load: flag,
  },
  { needs: ['options'], also: initialIsOffered },
);

const overflow = object(
  { action_id: actionId, options: list(menuOption, { min: 1, max: 5 }), confirm },
  { needs: ['options'] },
);

const feedbackButton = object(
  { text: buttonText, value: text({ max: 2000 }), accessibility_label: accessibilityLabel },
  { needs: ['text', 'value'] },
);

/** Only in `context_actions`. */
export const contextActions: Readonly<Record<string, Check>> = {
  feedback_buttons: object(
    { action_id: actionId, positive_button: feedbackButton, negative_button: feedbackButton },
    { needs: ['positive_button', 'negative_button'] },
  ),
  icon_button: object(
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
export const sourceLink = object({ url: text(), text: text() }, { needs: ['url', 'text'] });

/** All elements, by type. */
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
