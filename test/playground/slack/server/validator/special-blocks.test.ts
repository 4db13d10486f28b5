import { describe, expect, test } from 'vitest';
import { validateBlocks } from '../../../../../playground/slack/server/validator/validate.js';
import * as make from './samples.js';

const { button, longest, many, most, mrkdwn, plain, section } = make;
const container = (more: object = {}) => ({
  type: 'container',
  title: plain('x'),
  child_blocks: [section()],
  ...more,
});
const card = (more: object) => ({ type: 'card', ...more });
const taskCard = (more: object = {}) => ({
  type: 'task_card',
  task_id: '1',
  title: 'x',
  status: 'pending',
  ...more,
});
const icon = (index: number, more: object = {}) => ({
  type: 'icon_button',
  action_id: `a${index}`,
  icon: 'trash',
  text: plain('x'),
  ...more,
});
const inContextActions = (...elements: object[]) => ({ type: 'context_actions', elements });

const rules: readonly make.Rule[] = [
  most(
    'container',
    10,
    (count) => container({ child_blocks: many(count, () => section()) }),
    '/blocks/0/child_blocks',
  ),
  [
    'in a container',
    container(),
    container({ child_blocks: [container()] }),
    'not_allowed_here /blocks/0/child_blocks/0',
  ],
  longest('container title', 150, (text) => container({ title: plain(text) }), '/blocks/0/title/text'),
  longest(
    'container subtitle',
    150,
    (text) => container({ subtitle: mrkdwn(text) }),
    '/blocks/0/subtitle/text',
  ),
  ['container needs a title', container(), container({ title: undefined }), 'missing /blocks/0'],
  [
    'collapsed needs collapsible',
    container({ is_collapsible: true, default_collapsed: true }),
    container({ default_collapsed: true }),
    'missing /blocks/0/default_collapsed',
  ],
  [
    'container width',
    container({ width: 'full' }),
    container({ width: 'huge' }),
    'not_one_of /blocks/0/width',
  ],
  most(
    'card actions',
    2,
    (count) => card({ actions: many(count, (index) => button(index)) }),
    '/blocks/0/actions',
  ),
  longest('card body', 200, (text) => card({ body: mrkdwn(text) }), '/blocks/0/body/text'),
  longest('card title', 150, (text) => card({ title: mrkdwn(text) }), '/blocks/0/title/text'),
  ['card needs something', card({ body: mrkdwn('x') }), card({ subtitle: mrkdwn('x') }), 'missing /blocks/0'],
  most(
    'carousel',
    10,
    (count) => ({ type: 'carousel', elements: many(count, () => card({ body: plain('x') })) }),
    '/blocks/0/elements',
  ),
  most(
    'context actions',
    5,
    (count) => inContextActions(...many(count, (index) => icon(index))),
    '/blocks/0/elements',
  ),
  [
    'in context actions',
    inContextActions(icon(1)),
    inContextActions(button(1)),
    'not_allowed_here /blocks/0/elements/0',
  ],
  [
    'icons',
    inContextActions(icon(1)),
    inContextActions(icon(1, { icon: 'star' })),
    'not_one_of /blocks/0/elements/0/icon',
  ],
  ['task state', taskCard(), taskCard({ status: 'done' }), 'not_one_of /blocks/0/status'],
  ['task needs a state', taskCard(), taskCard({ status: undefined }), 'missing /blocks/0'],
  [
    'in a plan',
    { type: 'plan', title: 'x', tasks: [taskCard()] },
    { type: 'plan', title: 'x', tasks: [section()] },
    'not_allowed_here /blocks/0/tasks/0',
  ],
  [
    'no file block',
    section(),
    { type: 'file', source: 'remote', external_id: '1' },
    'not_allowed_here /blocks/0',
  ],
];

describe('the newer blocks', () => {
  test.each(rules)('%s', (_name, good, bad, said) => {
    expect(make.codes(validateBlocks([good]))).toEqual([]);
    expect(make.codes(validateBlocks([bad]))).toContain(said);
  });

  test('a video is refused, since the app has no unfurl domain', () => {
    const video = {
      type: 'video',
      title: plain('x'),
      alt_text: 'x',
      video_url: 'https://x.test/v',
      thumbnail_url: 'https://x.test/t',
    };
    expect(make.codes(validateBlocks([video]))).toEqual(['not_allowed_here /blocks/0/video_url']);
  });
});
