import {
  byType,
  type Check,
  flag,
  list,
  number,
  object,
  oneOf,
  only,
  type PayloadObject,
  type ReportViolation,
  text,
} from './checks.js';
import { anyText, blockId, imageElement, imageMembers, plainText, richText, textMax } from './composition.js';
import { table } from './data-blocks.js';
import { contextActions, elements, sourceLink } from './elements.js';

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

/** The blocks of every surface, and markdown, which is for messages only. */
export const plainBlocks: Readonly<Record<string, Check>> = {
  actions: object(
    {
      ...block,
      elements: list(
        byType(() => inActions),
        { min: 1, max: 25 },
      ),
    },
    { needs: ['elements'] },
  ),
  context: object({ ...block, elements: list(contextElement, { min: 1, max: 10 }) }, { needs: ['elements'] }),
  divider: object(block),
  header: object(
    { ...block, text: plainText(150), level: number({ whole: true, min: 1, max: 4 }) },
    { needs: ['text'] },
  ),
  image: object(
    { ...block, ...imageMembers, title: plainText(2000) },
    { needs: ['alt_text'], needsOneOf: ['image_url', 'slack_file'] },
  ),
  input: object(
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
  // Slack ignores the block_id of a markdown block, so any is allowed.
  markdown: object({ block_id: text({ min: 0 }), text: text({ max: 12_000 }) }, { needs: ['text'] }),
  rich_text: richText,
  section: object(
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

const card = object(
  {
    ...block,
    hero_image: imageElementNamed(),
    icon: imageElementNamed(),
    title: anyText(150),
    subtitle: anyText(150),
    body: anyText(200),
    actions: list(
      byType(() => only(elements, 'button')),
      { max: 2 },
    ),
  },
  { needsAnyOf: ['hero_image', 'title', 'actions', 'body'] },
);

function imageElementNamed(): Check {
  return byType(() => ({ image: imageElement }));
}

const taskCard = object(
  {
    ...block,
    task_id: text(),
    title: text(),
    status: oneOf('pending', 'in_progress', 'complete', 'error'),
    details: richText,
    output: richText,
    sources: list(byType(() => ({ url: sourceLink }))),
  },
  { needs: ['task_id', 'title', 'status'] },
);

/** Slack refuses `file` blocks from apps. */
const file: Check = (_value, pointer, report) =>
  report({ code: 'not_allowed_here', message: 'unsupported type: file, which an app cannot send', pointer });

const httpsAddress = text({ max: 3000, pattern: /^https:\/\//, like: 'an https URL' });

const video = object(
  {
    ...block,
    title: plainText(199),
    title_url: httpsAddress,
    video_url: httpsAddress,
    thumbnail_url: text({ max: 3000 }),
    alt_text: text(),
    author_name: text({ max: 49 }),
    provider_name: text(),
    provider_icon_url: text(),
    description: plainText(textMax),
  },
  { needs: ['video_url', 'thumbnail_url', 'alt_text', 'title'], also: hasNoUnfurlDomain },
);

/** Videos need the scope `links.embed:write` and a domain of the app. This app has neither. */
function hasNoUnfurlDomain(_block: PayloadObject, pointer: string, report: ReportViolation) {
  report({
    code: 'not_allowed_here',
    message: "must be of one of the app's unfurl domains",
    pointer: `${pointer}/video_url`,
  });
}

const inContainer: Readonly<Record<string, Check>> = {
  ...only(plainBlocks, 'actions', 'context', 'divider', 'header', 'image', 'input', 'rich_text', 'section'),
  file,
  table,
  video,
};

const container = object(
  {
    ...block,
    title: plainText(150),
    rich_text_title: richText,
    subtitle: anyText(150),
    child_blocks: list(
      byType(() => inContainer),
      { min: 1, max: 10 },
    ),
    width: oneOf('narrow', 'standard', 'wide', 'full'),
    icon: imageElementNamed(),
    is_collapsible: flag,
    default_collapsed: flag,
    has_header_divider: flag,
  },
  {
    needs: ['child_blocks'],
    needsAnyOf: ['title', 'rich_text_title'],
    also: (value, pointer, report) => {
      if (value.default_collapsed !== undefined && value.is_collapsible !== true)
        report({ code: 'missing', message: 'needs is_collapsible', pointer: `${pointer}/default_collapsed` });
    },
  },
);

/** Newer blocks, most of them for some surfaces only. */
export const specialBlocks: Readonly<Record<string, Check>> = {
  alert: object(
    { ...block, text: anyText(textMax), level: oneOf('default', 'info', 'warning', 'error', 'success') },
    { needs: ['text'] },
  ),
  card,
  carousel: object(
    {
      ...block,
      elements: list(
        byType(() => ({ card })),
        { min: 1, max: 10 },
      ),
    },
    { needs: ['elements'] },
  ),
  container,
  context_actions: object(
    {
      ...block,
      elements: list(
        byType(() => contextActions),
        { min: 1, max: 5 },
      ),
    },
    { needs: ['elements'] },
  ),
  file,
  plan: object(
    { ...block, title: text(), tasks: list(byType(() => ({ task_card: taskCard }))) },
    { needs: ['title'] },
  ),
  task_card: taskCard,
  video,
};
