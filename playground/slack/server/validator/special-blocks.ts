import { byType, type Check, flag, list, oneOf, only, type Say, type Thing, text, thing } from './checks.js';
import { anyText, blockId, imageElement, plainText, textMax } from './composition.js';
import { contextActions, elements, sourceLink } from './elements.js';
import { plainBlocks } from './plain-blocks.js';
import { richText } from './rich-text.js';
import { table } from './tables.js';

const block = { block_id: blockId };

const card = thing(
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

const taskCard = thing(
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

/** A `file` block is only ever read: Slack refuses one that an app sends. */
const file: Check = (_value, at, say) =>
  say({ code: 'not_allowed_here', message: 'unsupported type: file, which an app cannot send', pointer: at });

const httpsAddress = text({ max: 3000, pattern: /^https:\/\//, like: 'an https address' });

const video = thing(
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

/** Videos need the scope `links.embed:write` and a domain of the app; this app has neither. */
function hasNoUnfurlDomain(_block: Thing, at: string, say: Say) {
  say({
    code: 'not_allowed_here',
    message: "must be of one of the app's unfurl domains",
    pointer: `${at}/video_url`,
  });
}

const inContainer: Readonly<Record<string, Check>> = {
  ...only(plainBlocks, 'actions', 'context', 'divider', 'header', 'image', 'input', 'rich_text', 'section'),
  file,
  table,
  video,
};

const container = thing(
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
    also: (value, at, say) => {
      if (value.default_collapsed !== undefined && value.is_collapsible !== true)
        say({ code: 'missing', message: 'needs is_collapsible', pointer: `${at}/default_collapsed` });
    },
  },
);

/** The newer blocks, most of which live on some surfaces only. */
export const specialBlocks: Readonly<Record<string, Check>> = {
  alert: thing(
    { ...block, text: anyText(textMax), level: oneOf('default', 'info', 'warning', 'error', 'success') },
    { needs: ['text'] },
  ),
  card,
  carousel: thing(
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
  context_actions: thing(
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
  plan: thing(
    { ...block, title: text(), tasks: list(byType(() => ({ task_card: taskCard }))) },
    { needs: ['title'] },
  ),
  task_card: taskCard,
  video,
};
