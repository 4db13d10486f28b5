import { byType, type Check, flag, list, number, only, text, thing } from './checks.js';
import { anyText, blockId, imageElement, imageMembers, plainText, textMax } from './composition.js';
import { elements } from './elements.js';
import { richText } from './rich-text.js';

const menus = [
  'static_select',
  'external_select',
  'users_select',
  'conversations_select',
  'channels_select',
  'multi_static_select',
  'multi_external_select',
  'multi_users_select',
  'multi_conversations_select',
  'multi_channels_select',
];
const choices = ['checkboxes', 'radio_buttons', ...menus];
const pickers = ['datepicker', 'timepicker'];
const buttons = ['button', 'overflow', 'workflow_button'];

const inActions = only(elements, ...buttons, ...choices, ...pickers, 'datetimepicker', 'rich_text_input');
const inSection = only(elements, ...buttons, ...choices, ...pickers, 'image');
const inInput = only(
  elements,
  ...choices,
  ...pickers,
  'datetimepicker',
  'plain_text_input',
  'rich_text_input',
  'number_input',
  'email_text_input',
  'url_text_input',
  'file_input',
);

const block = { block_id: blockId };
const contextElement = byType(() => ({
  image: imageElement,
  plain_text: anyText(textMax),
  mrkdwn: anyText(textMax),
}));

/** The blocks that every surface draws, and markdown, which only messages do. */
export const plainBlocks: Readonly<Record<string, Check>> = {
  actions: thing(
    {
      ...block,
      elements: list(
        byType(() => inActions),
        { min: 1, max: 25 },
      ),
    },
    { needs: ['elements'] },
  ),
  context: thing({ ...block, elements: list(contextElement, { min: 1, max: 10 }) }, { needs: ['elements'] }),
  divider: thing(block),
  header: thing(
    { ...block, text: plainText(150), level: number({ whole: true, min: 1, max: 4 }) },
    { needs: ['text'] },
  ),
  image: thing(
    { ...block, ...imageMembers, title: plainText(2000) },
    { needs: ['alt_text'], needsOneOf: ['image_url', 'slack_file'] },
  ),
  input: thing(
    {
      ...block,
      label: plainText(2000),
      hint: plainText(2000),
      element: byType(() => inInput),
      dispatch_action: flag,
      optional: flag,
    },
    { needs: ['label', 'element'] },
  ),
  // Slack ignores the block_id of a markdown block, so it takes any.
  markdown: thing({ block_id: text({ min: 0 }), text: text({ max: 12_000 }) }, { needs: ['text'] }),
  rich_text: richText,
  section: thing(
    {
      ...block,
      text: anyText(textMax),
      fields: list(anyText(2000), { min: 1, max: 10 }),
      accessory: byType(() => inSection),
      expand: flag,
    },
    { needsAnyOf: ['text', 'fields'] },
  ),
};
