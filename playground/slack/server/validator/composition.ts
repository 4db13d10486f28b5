import { isDeepStrictEqual } from 'node:util';
import {
  byType,
  type Check,
  flag,
  isObject,
  list,
  number,
  object,
  oneOf,
  only,
  type PayloadObject,
  type ReportViolation,
  text,
} from './checks.js';

/** A text object: `plain_text` may have `emoji`, `mrkdwn` may have `verbatim`. */
const textObjects = (max: number) => ({
  plain_text: object({ text: text({ max }), emoji: flag }, { needs: ['text'] }),
  mrkdwn: object({ text: text({ max }), verbatim: flag }, { needs: ['text'] }),
});

export function plainText(max: number): Check {
  const { plain_text } = textObjects(max);
  return byType(() => ({ plain_text }));
}

export function anyText(max: number): Check {
  const kinds = textObjects(max);
  return byType(() => kinds);
}

/** Maximum length of text objects without a stricter limit. */
export const textMax = 3000;

export const blockId = text({ max: 255 });
export const actionId = text({ max: 255 });
export const placeholder = plainText(150);
export const colour = oneOf('primary', 'danger');

export const confirm = object(
  { title: plainText(100), text: anyText(300), confirm: plainText(30), deny: plainText(30), style: colour },
  { needs: ['text'] },
);

const optionMembers = { value: text({ max: 75 }), description: plainText(75) };

/** An option of a select: plain text, no URL. The documentation allows values of 150, the types 75. */
export const plainOption = object({ ...optionMembers, text: plainText(75) }, { needs: ['text', 'value'] });
/** An option of checkboxes and radio buttons, which may be mrkdwn. */
export const anyOption = object({ ...optionMembers, text: anyText(75) }, { needs: ['text', 'value'] });
/** An option of an overflow menu, which may have a URL. */
export const menuOption = object(
  { ...optionMembers, text: plainText(75), url: text({ max: 3000 }) },
  { needs: ['text'], needsAnyOf: ['value', 'url'] },
);

export const optionGroup = object(
  { label: plainText(75), options: list(plainOption, { min: 1, max: 100 }) },
  { needs: ['label', 'options'] },
);

export const conversationFilter = object(
  {
    include: list(oneOf('im', 'mpim', 'private', 'public'), { min: 1, max: 4 }),
    exclude_external_shared_channels: flag,
    exclude_bot_users: flag,
  },
  { needsAnyOf: ['include', 'exclude_external_shared_channels', 'exclude_bot_users'] },
);

export const dispatchConfig = object({
  trigger_actions_on: list(oneOf('on_enter_pressed', 'on_character_entered'), { min: 1, max: 2 }),
});

const slackFile = object({ id: text(), url: text() }, { needsOneOf: ['id', 'url'] });

/** The members of image blocks and image elements. */
export const imageMembers = {
  alt_text: text({ max: 2000 }),
  image_url: text({ max: 3000, pattern: /^https?:\/\//, like: 'a URL' }),
  slack_file: slackFile,
};

export const imageElement = object(imageMembers, {
  needs: ['alt_text'],
  needsOneOf: ['image_url', 'slack_file'],
});

/** Initial options must be among the options. */
export function initialIsOffered(menu: PayloadObject, pointer: string, report: ReportViolation): void {
  const offered = [...optionsIn(menu.options), ...groupsIn(menu.option_groups)];
  const chosen = [
    ...(menu.initial_option === undefined ? [] : [[menu.initial_option, '/initial_option'] as const]),
    ...optionsIn(menu.initial_options).map((option, index) => [option, `/initial_options/${index}`] as const),
  ];
  for (const [option, where] of chosen)
    if (!offered.some((other) => isDeepStrictEqual(other, option)))
      report({ code: 'not_offered', message: 'must be one of the options', pointer: `${pointer}${where}` });
}

function optionsIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function groupsIn(value: unknown): readonly unknown[] {
  return optionsIn(value).flatMap((group) => (isObject(group) ? optionsIn(group.options) : []));
}

const style = object({ bold: flag, code: flag, italic: flag, strike: flag, underline: flag });
const border = oneOf(0, 1);

const leaves: Readonly<Record<string, Check>> = {
  text: object({ style, text: text() }, { needs: ['text'] }),
  link: object({ style, url: text(), text: text({ min: 0 }), unsafe: flag }, { needs: ['url'] }),
  user: object({ style, user_id: text() }, { needs: ['user_id'] }),
  usergroup: object({ style, usergroup_id: text() }, { needs: ['usergroup_id'] }),
  channel: object({ style, channel_id: text() }, { needs: ['channel_id'] }),
  team: object({ style, team_id: text() }, { needs: ['team_id'] }),
  broadcast: object({ style, range: oneOf('here', 'channel', 'everyone') }, { needs: ['range'] }),
  emoji: object({ style, name: text(), unicode: text(), url: text() }, { needs: ['name'] }),
  date: object(
    { style, timestamp: number({ whole: true }), format: text(), url: text(), fallback: text() },
    { needs: ['timestamp', 'format'] },
  ),
  color: object({ style, value: text() }, { needs: ['value'] }),
};

const anyLeaf = byType(() => leaves);
const section = object({ elements: list(anyLeaf) }, { needs: ['elements'] });

const containers: Readonly<Record<string, Check>> = {
  rich_text_section: section,
  rich_text_list: object(
    {
      elements: list(byType(() => ({ rich_text_section: section }))),
      style: oneOf('bullet', 'ordered'),
      indent: number({ whole: true, min: 0, max: 8 }),
      border,
    },
    { needs: ['elements', 'style'] },
  ),
  rich_text_quote: object({ elements: list(anyLeaf), border }, { needs: ['elements'] }),
  rich_text_preformatted: object(
    {
      elements: list(byType(() => only(leaves, 'text', 'link'))),
      border,
    },
    { needs: ['elements'] },
  ),
};

const richTextBlock = object(
  { block_id: blockId, elements: list(byType(() => containers)) },
  { needs: ['elements'] },
);

/** A `rich_text` block: alone, in a cell or in an input. */
export const richText: Check = byType(() => ({ rich_text: richTextBlock }));
